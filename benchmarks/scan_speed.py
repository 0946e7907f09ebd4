"""How fast logs are scanned, beside grep, ripgrep and a loop: `python -m benchmarks.scan_speed`.

Whole processes, output to a file, as GNU grep stops at the first match when that is /dev/null.
Rounds are interleaved, the median counts; a rival that takes ten times as long runs once. Each
figure is that of the worst log of its kind. Before anything is timed the answers are checked: fdaa
finds just the addresses that were drawn, and the rivals find no fewer.
"""

from __future__ import annotations

import argparse
import ipaddress
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import scan_logs
from fdaa import Address

if TYPE_CHECKING:
    from collections.abc import Callable

_HERE = Path(__file__).parent
_BOTH = "fdaa:[0-9a-f:]*[0-9a-f]"
_FDAA = f"{Path(sys.executable).with_name('fdaa')} scan"

# fdaa as users run it, which is with a worker for each core; and with one process.
COMMANDS = {
    "fdaa -c": f"{_FDAA} -c {{log}}",
    "fdaa -c, 1 job": f"{_FDAA} --jobs 1 -c {{log}}",
    "fdaa": f"{_FDAA} {{log}}",
    "fdaa, 1 job": f"{_FDAA} --jobs 1 {{log}}",
    "fdaa -n": f"{_FDAA} -n {{log}}",
    "fdaa --json": f"{_FDAA} --json {{log}}",
    "grep -o, C": f"LC_ALL=C grep -oiE '{_BOTH}' {{log}}",
    "grep -on, C": f"LC_ALL=C grep -oniE '{_BOTH}' {{log}}",
    "grep | sort | uniq": f"LC_ALL=C grep -oiE '{_BOTH}' {{log}} | LC_ALL=C sort | uniq -c",
    "rg | sort | uniq": f"rg -o -i -N '{_BOTH}' {{log}} | LC_ALL=C sort | uniq -c",
    "grep -o, UTF-8": f"LC_ALL=C.UTF-8 grep -oiE '{_BOTH}' {{log}}",
    "Python loop": f"{sys.executable} {_HERE / 'scan_loop.py'} {{log}}",
}
_SLOW = ("grep -o, UTF-8", "Python loop")
# fdaa's command, the rival's, and how many times as fast it should be on sparse, mixed, dense.
TARGETS = (
    ("fdaa -c", "rg | sort | uniq", (None, 1.0, 1.4)),
    ("fdaa -c, 1 job", "rg | sort | uniq", (None, 1.0, 1.4)),
    ("fdaa -c", "grep | sort | uniq", (0.6, None, None)),
    ("fdaa -c, 1 job", "grep | sort | uniq", (0.6, None, None)),
    ("fdaa -c", "Python loop", (3.0, 3.0, 3.0)),
    ("fdaa", "grep -o, C", (None, 0.65, 0.65)),
    ("fdaa, 1 job", "grep -o, C", (None, 0.65, 0.65)),
    ("fdaa", "grep -o, UTF-8", (None, 4.0, 4.0)),
    ("fdaa, 1 job", "grep -o, UTF-8", (None, 4.0, 4.0)),
    ("fdaa -n", "grep -on, C", (None, 0.4, 0.4)),
    ("fdaa --json", "fdaa", (0.2, 0.2, 0.2)),
    ("fdaa", "fdaa, 1 job", (None, 1.4, None)),
    ("fdaa -c", "fdaa -c, 1 job", (None, 1.4, None)),
)
HOSTILE: dict[str, Callable[[int], bytes]] = {
    "fdaa: repeated": lambda _: b"fdaa:",
    "fdaa and colons": lambda _: b"fdaa" + b":" * 60,
    "colons only": lambda _: b":",
    "near-addresses": lambda i: b"fdaa:%x:%x:and:so:on::%x " % (i, i, i),
    "numbers and colons": lambda i: b"fdaa::1:%d:" % (99999 + i),
    "one run": lambda _: b"1245:fdaa::1",
    "tuples cut off": lambda _: b"{64938,2,",
    "reverse zones": lambda _: b"1.2.3.4.a.a.d.f.ip6.arpa",
    "escapes": lambda i: b"\\u001b[%dmfdaa::%x" % (i, i % 65536),
}


def main() -> int:
    """Print the tables. The status is 1 where an answer is wrong, whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scan_speed")
    parser.add_argument("--mb", type=int, default=500, help="size of a log")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kind", action="append", choices=scan_logs.LINES_FOR_ONE)
    parser.add_argument("--hostile", action="store_true", help="inputs made to be slow, only")
    parser.add_argument("--networks", action="store_true", help="a million networks, only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        if options.hostile:
            return _hostile(directory)
        if options.networks:
            return _many_networks(directory)
        for kind in options.kind or scan_logs.LINES_FOR_ONE:
            ratios = []
            for sizes in scan_logs.SIZES:
                log = scan_logs.write(directory, kind, sizes, options.mb * 1_000_000)
                if not _answers_are_right(log, directory):
                    return 1
                ratios.append(_speed(log, directory, options.rounds))
                log.path.unlink()
            _print_worst(kind, ratios)
    return 0


def _commands() -> dict[str, str]:
    has_rg = shutil.which("rg") is not None
    return {name: each for name, each in COMMANDS.items() if has_rg or not each.startswith("rg ")}


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


def _answers_are_right(log: scan_logs.Log, directory: Path) -> bool:
    """Compare what is found with what was drawn."""
    output = directory / "answer"
    networks: Counter[int] = Counter()
    for address, count in log.addresses.items():
        networks[int(ipaddress.IPv6Address(address)) >> 80 & 0xFFFFFFFF] += count
    problems = []
    for name in ("fdaa", "fdaa, 1 job"):
        _run(COMMANDS[name], log.path, output)
        with output.open() as lines:
            if Counter(line.split("\t")[0] for line in lines) != log.addresses:
                problems.append(name)
    for name in ("fdaa -c", "fdaa -c, 1 job"):
        _run(f"{COMMANDS[name]} --json", log.path, output)
        with output.open() as lines:
            rows = [json.loads(line) for line in lines]
        if {row["network_id_int"]: row["matches"] for row in rows} != networks:
            problems.append(name)
    _run(COMMANDS["grep -o, C"], log.path, output)
    with output.open() as lines:
        if log.addresses - Counter(line.rstrip("\n").lower() for line in lines):
            problems.append("grep -o, C")
    _run(COMMANDS["Python loop"], log.path, output)
    with output.open() as lines:
        pairs = (line.split() for line in lines)
        if {int(network, 16): int(count) for network, count in pairs} != networks:
            problems.append("Python loop")
    for name in problems:
        print(f"{log.path.name}: {name} is wrong", file=sys.stderr)
    return not problems


def _speed(log: scan_logs.Log, directory: Path, rounds: int) -> dict[tuple[str, str], float]:
    commands = _commands()
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds):
        for name, command in commands.items():
            if number == 0 or name not in _SLOW:
                seconds[name].append(_run(command, log.path, directory / "output"))
    median = {name: statistics.median(each) for name, each in seconds.items()}
    size = log.path.stat().st_size / 1e6
    figures = ", ".join(f"{name} {size / each:.0f}" for name, each in median.items())
    print(f"{log.path.name}, {size:.0f} MB, MB/s: {figures}", flush=True)
    pairs = ((ours, rival) for ours, rival, _ in TARGETS if rival in median)
    return {(ours, rival): median[rival] / median[ours] for ours, rival in pairs}


def _print_worst(kind: str, ratios: list[dict[tuple[str, str], float]]) -> None:
    column = list(scan_logs.LINES_FOR_ONE).index(kind)
    for ours, rival, targets in TARGETS:
        each = [ratio[ours, rival] for ratio in ratios if (ours, rival) in ratio]
        wanted = targets[column]
        if each and wanted is not None:
            verdict = "" if min(each) >= wanted else "  SHORT"
            print(f"  {kind}: {ours} / {rival}: {min(each):.2f}, goal {wanted}{verdict}")


def _hostile(directory: Path) -> int:
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
    return 0


def _many_networks(directory: Path) -> int:
    """Print time and memory for a log of a million networks, an address on each."""
    path = directory / "networks.log"
    with path.open("w") as file:
        for number in range(1_000_000):
            address = Address.build(number * 4001 % (1 << 32), number)
            file.write(f"2026-05-17T10:00:00 app from [{address}]:80 status=200\n")
    rival = f"LC_ALL=C grep -oiE '{_BOTH}' {{log}} | cut -d: -f1-3 | LC_ALL=C sort | uniq -c"
    for jobs in (1, 2):
        command = f"{_FDAA} --jobs {jobs} -c {{log}}"
        theirs = statistics.median(_run(rival, path, directory / "theirs") for _ in range(3))
        ours = statistics.median(_run(command, path, directory / "ours") for _ in range(3))
        program = (
            "import resource, subprocess, sys;"
            "subprocess.run(['/bin/sh', '-c', sys.argv[1]], stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        shell = [sys.executable, "-c", program, f"exec {command.format(log=path)}"]
        memory = int(subprocess.check_output(shell)) / 1024
        with (directory / "ours").open() as lines:
            rows = sum(1 for _ in lines) - 1
        print(f"{rows} networks, {jobs} jobs: {ours:.1f} s, {ours / theirs:.1f} times", end=" ")
        print(f"grep | cut | sort | uniq (goal 20), {memory:.0f} MiB (goal 500)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
