"""What tests need, or skip; and a PostgreSQL of the tests' own.

A server starts once in a process, at its first use, and stops with it; each use has a database of
its own.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


class Program(NamedTuple):
    """A program that is not on PyPI: the pattern of its path, and Debian's package of it."""

    path: str
    package: str

    def found(self) -> list[Path]:
        """Return its files, the newest version last."""
        return sorted(Path("/").glob(self.path.removeprefix("/")))

    def need(self) -> None:
        """Skip, and say why, where it is missing."""
        if not self.found():
            pytest.skip(f"{self.path} is missing; Debian's package `{self.package}` has it")


def need(module: str, extra: str = "engines") -> None:
    """Skip, and say why, where a package is missing."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed; the extra `{extra}` has it")


POSTGRESQL = Program("/usr/lib/postgresql/*/bin/initdb", "postgresql")


def psql(script: str, variables: dict[str, str]) -> str:
    """Run a script where `cluster` says; return what psql prints."""
    command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, input=script, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


_NUMBERS = count(1)


@contextmanager
def cluster(options: str = "") -> Iterator[dict[str, str]]:
    """Yield the environment in which psql finds an empty database, made with these options."""
    POSTGRESQL.need()
    name = f"test_{next(_NUMBERS)}"
    variables = {"PGHOST": _host(), "PGUSER": "fdaa", "PGDATABASE": "postgres"}
    psql(f"CREATE DATABASE {name} {options}", variables)
    yield {**variables, "PGDATABASE": name}


@cache
def _host() -> str:
    """Start a PostgreSQL that stops with this process; return the directory of its socket."""
    programs = POSTGRESQL.found()[-1].parent
    directory = tempfile.mkdtemp(prefix="fdaa-")
    as_user = []
    if os.geteuid() == 0:  # it refuses to run as root
        shutil.chown(directory, "postgres")
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(programs / program), "-D", f"{directory}/data", *arguments]
        subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=True)

    run("initdb", "-A", "trust", "-U", "fdaa", "-N", "-E", "UTF8", "--locale=C.UTF-8")
    options = f"-k {directory} -c listen_addresses= -c fsync=off"
    run("pg_ctl", "-w", "-s", "-l", f"{directory}/log", "-o", options, "start")
    # The last one is called first.
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    atexit.register(run, "pg_ctl", "-w", "-s", "-m", "immediate", "stop")
    return directory
