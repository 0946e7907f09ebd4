"""Commands: the import, the start of a command, and `fdaa decode --json` on many lines."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.inputs import texts
from benchmarks.measure import Row, compare, require_same

if TYPE_CHECKING:
    from collections.abc import Iterator

CLICK = ("-m", "benchmarks.rival_click")
DECODE = ("-m", "fdaa", "decode", "--json", "-")
LOOP = ("-m", "benchmarks.rival_decode")
ADDRESS = "fdaa:2:45b:a7b:174:db43:d3c6:2"
SAME = ("same", ADDRESS, "FDAA:2:045B::3")


def run(*arguments: str, stdin: Path | None = None) -> str:
    """Run Python with these arguments; return what it prints."""
    with (stdin or Path("/dev/null")).open("rb") as file:
        return subprocess.check_output([sys.executable, *arguments], stdin=file, text=True)


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area."""
    rounds = 25
    times = 10
    if small:
        rounds = 1
        times = 1
    yield _of_import(rounds)
    yield from _of_address(rounds)
    for job, arguments in {"`fdaa --version`": ("--version",), "`fdaa same A B`": SAME}.items():
        commands = {"fdaa": ("-m", "fdaa", *arguments), "bare click": (*CLICK, *arguments)}
        words = {name: run(*each).splitlines()[-1].split()[:1] for name, each in commands.items()}
        require_same(words)
        contestants = {name: partial(run, *each) for name, each in commands.items()}
        yield from compare(job, contestants, rounds=rounds, clock=time.perf_counter)
    with tempfile.TemporaryDirectory() as name:
        once = Path(name, "once")
        once.write_text("".join(f"{text}\n" for text in texts()))
        many = Path(name, "many")
        many.write_text(once.read_text() * times)
        yield from _of_decode(once, many, len(texts()) * times)


def _of_import(rounds: int) -> Row:
    """Return the row for `import fdaa`, without the start of Python itself."""
    programs = {"fdaa": "import fdaa", "ipaddress": "import ipaddress, socket", "Python": "pass"}
    contestants = {name: partial(run, "-I", "-c", code) for name, code in programs.items()}
    theirs, bare = compare("", contestants, rounds=rounds, clock=time.perf_counter)
    start = bare.theirs
    return Row("`import fdaa`", theirs.ours - start, "ipaddress, socket", theirs.theirs - start)


def _of_address(rounds: int) -> list[Row]:
    """Return the row for `fdaa ADDRESS`, which may take 2.5 times the import of click."""
    programs = {"fdaa": ("-m", "fdaa", ADDRESS), "`import click`": ("-c", "import click")}
    contestants = {name: partial(run, *each) for name, each in programs.items()}
    return compare("`fdaa ADDRESS`", contestants, rounds=rounds, clock=time.perf_counter)


def _of_decode(once: Path, many: Path, lines: int) -> Iterator[Row]:
    commands = {"fdaa": DECODE, "a plain loop": LOOP}
    answers = {}
    for name, command in commands.items():
        printed = run(*command, stdin=once).splitlines()
        answers[name] = [list(json.loads(line).items()) for line in printed]
    require_same(answers)
    contestants = {name: partial(run, *each, stdin=many) for name, each in commands.items()}
    job = "`fdaa decode --json -`"
    yield from compare(job, contestants, answers=lines, rounds=2, clock=time.perf_counter)
