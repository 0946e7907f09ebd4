"""How fast logs are scanned, beside grep, ripgrep and a loop: `python -m benchmarks.scan_speed`.

Whole processes, output to a file, as GNU grep stops at the first match when that is /dev/null.
Rounds are interleaved, the median counts. Before anything is timed the answers are compared: the
rivals find every address, and besides them the traps (`2001:db8:fdaa::1` holds no private address)
that they cannot tell from one. None of them checks an address or knows a network but the loop.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks import scan_logs
from fdaa import find_addresses

_HERE = Path(__file__).parent
_BOTH = "[Ff][Dd][Aa][Aa]:[0-9A-Fa-f:]*[0-9A-Fa-f]"
_LOWER = "fdaa:[0-9a-f:]*[0-9a-f]"
_FDAA = f"{Path(sys.executable).with_name('fdaa')} scan --jobs"
_UTF8 = "LC_ALL=C.UTF-8"

COMMANDS = {
    "fdaa -c": f"{_FDAA} 1 -c {{log}}",
    "fdaa -c, 2 jobs": f"{_FDAA} 2 -c {{log}}",
    "fdaa": f"{_FDAA} 1 {{log}}",
    "fdaa, 2 jobs": f"{_FDAA} 2 {{log}}",
    "fdaa -n": f"{_FDAA} 1 -n {{log}}",
    "grep -o, C": f"LC_ALL=C grep -oE '{_BOTH}' {{log}}",
    "grep -on, C": f"LC_ALL=C grep -onE '{_BOTH}' {{log}}",
    "grep -o, UTF-8": f"{_UTF8} grep -oE '{_BOTH}' {{log}}",
    "grep | sort | uniq": f"LC_ALL=C grep -oE '{_BOTH}' {{log}} | sort | uniq -c",
    "rg -o": f"rg -o -i -N '{_LOWER}' {{log}}",
    "rg | sort | uniq": f"rg -o -i -N '{_LOWER}' {{log}} | sort | uniq -c",
    "Python loop": f"{sys.executable} {_HERE / 'scan_loop.py'} {{log}}",
}
# fdaa's command, the rival's, and how many times as fast it should be on sparse, mixed, dense.
TARGETS = (
    ("fdaa -c", "rg | sort | uniq", (None, 1.3, 2.0)),
    ("fdaa -c", "grep | sort | uniq", (1.0, 1.5, 2.0)),
    ("fdaa -c", "Python loop", (8.0, 8.0, 8.0)),
    ("fdaa", "grep -o, C", (None, 0.8, 0.8)),
    ("fdaa", "grep -o, UTF-8", (None, 5.0, 5.0)),
    ("fdaa -n", "grep -on, C", (None, 0.5, 0.5)),
    ("fdaa -c, 2 jobs", "fdaa -c", (None, 1.6, None)),
)
HOSTILE = {
    "fdaa: repeated": lambda _: b"fdaa:",
    "fdaa and colons": lambda _: b"fdaa" + b":" * 60,
    "colons only": lambda _: b":",
    "near-addresses": lambda i: b"fdaa:%x:%x:and:so:on::%x " % (i, i, i),
    "numbers and colons": lambda i: b"fdaa::1:%d:" % (99999 + i),
    "one run, in doubt": lambda _: b"1245:fdaa::1",
    "a suspect everywhere": lambda i: b"\\u001b[%dmfdaa::%x" % (i, i % 65536),
}


def main() -> int:
    """Print the tables. The status is 1 where an answer is wrong, whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scan_speed")
    parser.add_argument("--mb", type=int, default=200, help="size of a log")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        _hostile(directory)
        for index, kind in enumerate(scan_logs.LINES_FOR_ONE):
            log = scan_logs.write(directory, kind, options.mb * 1_000_000)
            if not _answers_agree(log, directory):
                return 1
            _speed(index, log, directory, options.rounds)
            log.path.unlink()
    return 0


def _commands() -> dict[str, str]:
    if shutil.which("rg"):
        return COMMANDS
    return {name: command for name, command in COMMANDS.items() if "rg " not in command}


def _run(command: str, log: Path, output: Path) -> float:
    with output.open("wb") as file:
        began = time.perf_counter()
        ran = subprocess.run(
            ["/bin/sh", "-c", command.format(log=log)],
            stdout=file,
            check=False,
            cwd=_HERE.parent,
        )
        seconds = time.perf_counter() - began
    if ran.returncode > 1:  # 1 says that nothing was found
        raise subprocess.CalledProcessError(ran.returncode, command)
    return seconds


def _answers_agree(log: scan_logs.Log, directory: Path) -> bool:
    """Compare what is found; the rivals' texts are lower-cased and printed as RFC 5952 has them."""
    output = directory / "answer"
    _run(COMMANDS["fdaa"], log.path, output)
    ours = Counter(line.split("\t")[0] for line in output.read_text().splitlines())
    agree = ours.total() == log.addresses
    for name in ("grep -o, C", "rg -o"):
        if name in _commands():
            _run(COMMANDS[name], log.path, output)
            theirs = Counter(map(_canonical, output.read_text().splitlines()))
            more = (theirs - ours).total()
            print(f"{log.path.name}: {name} finds {more} traps among {log.addresses} addresses")
            agree = agree and more == log.traps and not ours - theirs
    _run(COMMANDS["Python loop"], log.path, output)
    loop = sorted(int(line.split()[1]) for line in output.read_text().splitlines())
    _run(f"{COMMANDS['fdaa -c']} --json", log.path, output)
    counts = map(json.loads, output.read_text().splitlines())
    agree = agree and loop == sorted(count["matches"] for count in counts)
    if not agree:
        print(f"{log.path.name}: the answers differ", file=sys.stderr)
    return agree


def _canonical(text: str) -> str:
    return next((str(match.address) for match in find_addresses(text)), text)


def _speed(index: int, log: scan_logs.Log, directory: Path, rounds: int) -> None:
    commands = _commands()
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            seconds[name].append(_run(command, log.path, directory / "output"))
    median = {name: statistics.median(each) for name, each in seconds.items()}
    size = log.path.stat().st_size / 1e6
    print(f"\n{log.path.name}, {size:.0f} MB, MB/s")
    for name, each in median.items():
        print(f"  {name:20} {size / each:7.0f}")
    for ours, rival, targets in TARGETS:
        target = targets[index]
        if rival not in median:
            print(f"  {ours} / {rival}: there is no rg here")
        elif target is not None:
            print(f"  {ours} / {rival}: {median[rival] / median[ours]:.2f}, wanted {target}")


def _hostile(directory: Path) -> None:
    """Print what doubling an input does to the time: linear is 2."""
    print("hostile inputs, seconds for 4, 8 and 16 MB of them, on one line")
    for name, piece in HOSTILE.items():
        for command in ("fdaa", "fdaa -c"):
            times = []
            for size in (4_000_000, 8_000_000, 16_000_000):
                path = directory / "hostile"
                text = bytearray()
                number = 0
                while len(text) < size:
                    text += piece(number)
                    number += 1
                path.write_bytes(text)
                times.append(min(_run(COMMANDS[command], path, directory / "o") for _ in range(2)))
            shown = ", ".join(f"{each:.2f}" for each in times)
            print(f"  {name:22} {command:8} {shown}: times {times[2] / times[1]:.2f}")


if __name__ == "__main__":
    sys.exit(main())
