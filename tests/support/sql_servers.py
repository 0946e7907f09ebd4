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
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager


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


def _as_user(name: str) -> list[str]:
    """Return what runs a program as another user: servers refuse to run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--clear-groups"]


@contextmanager
def _directory_of(user: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="fdaa-") as directory:
        if os.geteuid() == 0:
            shutil.chown(directory, user)
        yield directory


def psql(script: str, variables: dict[str, str]) -> str:
    """Run a script where `cluster` says; return what psql prints."""
    command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, input=script, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


_RUNNING = ExitStack()  # the servers of this process
_NUMBERS = count(1)


def keep(server: AbstractContextManager[str]) -> str:
    """Start a server that stops with this process; return where it is."""
    place = _RUNNING.enter_context(server)
    atexit.register(_RUNNING.close)  # now, so that it runs before its directory is removed
    return place


def new_name() -> str:
    """Return a name for a database that no other use has."""
    return f"test_{next(_NUMBERS)}"


@contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """Yield the environment in which psql finds an empty database."""
    POSTGRESQL.need()
    name = new_name()
    variables = {"PGHOST": _host(), "PGUSER": "fdaa", "PGDATABASE": "postgres"}
    psql(f"CREATE DATABASE {name}", variables)
    yield {**variables, "PGDATABASE": name}


@cache
def _host() -> str:
    """Start a PostgreSQL; return the directory of its socket."""
    return keep(_started())


@contextmanager
def _started() -> Iterator[str]:
    programs = POSTGRESQL.found()[-1].parent

    with _directory_of("postgres") as directory:
        data = f"{directory}/data"

        def run(program: str, *arguments: str) -> None:
            command = [*_as_user("postgres"), str(programs / program), "-D", data, *arguments]
            subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=True)

        run("initdb", "-A", "trust", "-U", "fdaa", "-N", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-k {directory} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "-w", "-s", "-l", f"{directory}/log", "-o", options, "start")
        try:
            yield directory
        finally:
            run("pg_ctl", "-w", "-s", "-m", "immediate", "stop")


def _escaped(text: str | None) -> str:
    r"""Return a text as `COPY` of PostgreSQL reads it; null is `\N`."""
    if text is None:
        return r"\N"
    for character, escape in {
        "\\": "\\\\",
        "\n": r"\n",
        "\r": r"\r",
        "\t": r"\t",
        "\0": r"\0",
    }.items():
        text = text.replace(character, escape)
    return text


def lines_of(rows: Sequence[tuple[str | None, ...]]) -> list[str]:
    """Return numbered rows as this statement reads them."""
    return ["\t".join([str(i), *map(_escaped, row)]) for i, row in enumerate(rows)]
