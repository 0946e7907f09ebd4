"""The jobs done by whole processes: import, start, and `fdaa decode` on a million lines."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache, partial
from typing import TYPE_CHECKING

from benchmarks.inputs import COUNT, texts
from benchmarks.jobs import Job, require_same

if TYPE_CHECKING:
    from typing import IO

MANY = 1_000_000  # lines to decode: constant memory shows, and the start of Python does not

# As after an installation: the modules are compiled, wherever this is run.
_CACHE = tempfile.TemporaryDirectory()
_ENVIRON = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": _CACHE.name}

_SAME = ("same", "fdaa:2:45b:a7b:174:db43:d3c6:2", "FDAA:2:045B::3")
FDAA = ("-m", "fdaa")
DECODE = (*FDAA, "decode", "--json", "-")
_BARE_CLICK = ("-m", "benchmarks.bare_click")
_PLAIN_DECODE = ("-m", "benchmarks.plain_decode")


@cache
def lines(count: int) -> IO[bytes]:
    """Return a file of `count` lines, an address each: the texts, over and over."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed at exit
    atexit.register(file.close)
    once = "".join(f"{text}\n" for text in texts()).encode()
    for _ in range(count // COUNT):
        file.write(once)
    file.flush()
    return file


def _run(*arguments: str) -> None:
    """Run Python with these arguments, and drop what it prints."""
    subprocess.run(
        (sys.executable, *arguments), stdout=subprocess.DEVNULL, env=_ENVIRON, check=True
    )


def _run_on(count: int, *arguments: str) -> None:
    """Run Python with these arguments on `count` lines, and drop what it prints."""
    command = (sys.executable, *arguments)
    stdin = lines(count)
    stdin.seek(0)
    subprocess.run(command, stdin=stdin, stdout=subprocess.DEVNULL, env=_ENVIRON, check=True)


def _output(*arguments: str, stdin: IO[bytes] | None = None) -> list[str]:
    """Return the lines that Python prints with these arguments."""
    command = (sys.executable, *arguments)
    return subprocess.check_output(command, stdin=stdin, env=_ENVIRON, text=True).splitlines()


def _check_start(*arguments: str) -> None:
    """Compare the first word of the last line: the verdict, or whose version it is."""
    commands = {"fdaa": FDAA, "bare click": _BARE_CLICK}
    require_same(
        {name: _output(*command, *arguments)[-1].split()[:1] for name, command in commands.items()}
    )


def _check_decode() -> None:
    """Compare every field of every line, and the order of the fields."""
    answers = {}
    for name, command in {"fdaa": DECODE, "plain loop": _PLAIN_DECODE}.items():
        stdin = lines(COUNT)
        stdin.seek(0)
        answers[name] = [[*json.loads(line).items()] for line in _output(*command, stdin=stdin)]
    require_same(answers)


def _start_job(*arguments: str) -> Job:
    contestants = {
        "fdaa": partial(_run, *FDAA, *arguments),
        "bare click": partial(_run, *_BARE_CLICK, *arguments),
    }
    return Job(contestants, partial(_check_start, *arguments), 1, 25)


def _import_job() -> Job:
    programs = {
        "fdaa": "import fdaa",
        "ipaddress, socket": "import ipaddress, socket",
        "bare Python": "pass",
    }
    contestants = {name: partial(_run, "-I", "-c", code) for name, code in programs.items()}

    def check() -> None:
        for contestant in contestants.values():
            contestant()

    return Job(contestants, check, 1, 41)


def _decode_job() -> Job:
    contestants = {
        "fdaa": partial(_run_on, MANY, *DECODE),
        "plain loop": partial(_run_on, MANY, *_PLAIN_DECODE),
    }
    return Job(contestants, _check_decode, MANY, 2)


JOBS = {
    "import fdaa": _import_job(),
    "fdaa --version": _start_job("--version"),
    "fdaa same A B": _start_job(*_SAME),
    "fdaa decode --json -": _decode_job(),
}
