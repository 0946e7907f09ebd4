"""Logs: `fdaa scan` beside ripgrep (which must be installed), as whole processes.

An address is on every 100th line (sparse), every third (mixed) or every line (dense); the rest is
noise: IPv6 of others, MACs, digests, JSON, time stamps. Output goes to a file. FDAA_BEFORE is a
checkout of an earlier release, if any.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import Row, compare
from fdaa import Address, NetworkID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LINES_FOR_ONE = {"sparse": 100, "mixed": 3, "dense": 1}
NETWORKS = 20_000
DISTINCT = 100_000
BLOCK = 200_000  # lines, which are repeated
FDAA = f"{Path(sys.executable).with_name('fdaa')} scan"
BEFORE = f"PYTHONSAFEPATH=1 PYTHONPATH=$FDAA_BEFORE {sys.executable} -m fdaa scan"
RG = "rg --no-config -i -N"
ONLY = f"{RG} -o 'fdaa:[0-9a-f:]*[0-9a-f]'"  # finds parts of other addresses, too
COUNTED = f"{ONLY} {{log}} | LC_ALL=C sort | uniq -c"
FILTERED = f"{RG} fdaa: {{log}} | {FDAA}"
KINDS = tuple(LINES_FOR_ONE)
# Our options, the rivals' commands, and the kinds of log.
PAIRS: tuple[tuple[str, dict[str, str], tuple[str, ...]], ...] = (
    ("-c", {"rg, sort, uniq": COUNTED}, KINDS),
    ("-c", {"rg before `fdaa scan -c`": f"{FILTERED} -c"}, ("sparse",)),
    ("", {"rg -o": f"{ONLY} {{log}}"}, KINDS),
    ("-n", {"rg -on": f"{ONLY} -n {{log}}"}, ("mixed",)),
    ("--json", {"rg --json": "rg --no-config -i --json fdaa: {log}"}, ("mixed",)),
    ("-c", {"one worker": f"{FDAA} --jobs 1 -c {{log}}"}, ("mixed",)),
)
HOSTILE = (b"fdaa:", b"fdaa" + b":" * 60, b"1245:fdaa::1", b"{64938,2,", b"\\u001b[1mfdaa::1")


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area: seconds for each log."""
    size = 300_000_000
    rounds = 3
    if small:
        size = 3_000_000
        rounds = 1
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for kind in LINES_FOR_ONE:
            log = directory / "log"
            check(log, write(log, kind, size), directory / "answer")
            for options, rivals, kinds in PAIRS:
                if kind in kinds:
                    commands = {"fdaa": f"{FDAA} {options} {{log}}", **rivals}
                    if "FDAA_BEFORE" in os.environ:
                        commands["before"] = f"{BEFORE} {options} {{log}}"
                    runs = {name: partial(run, each, log) for name, each in commands.items()}
                    job = f"`{' '.join(['scan', *options.split()])}`, {kind}"
                    yield from compare(job, runs, rounds=rounds, clock=time.perf_counter)
        check_linear(directory / "hostile", size // 20)


def run(command: str, log: Path) -> None:
    """Run a command on a log, with its output in a file."""
    shell = ["/bin/sh", "-c", f"({command.format(log=log)}) > {log}.output"]
    assert subprocess.run(shell, check=False).returncode <= 1, command  # 1: nothing was found


def check(log: Path, drawn: Counter[str], output: Path) -> None:
    """Compare what is found with what was drawn."""
    run(f"{FDAA} {{log}}", log)
    with Path(f"{log}.output").open() as lines:
        assert Counter(line.split("\t")[0] for line in lines) == drawn
    networks: Counter[int] = Counter()
    for address, times in drawn.items():
        networks[int(Address(address).network_id)] += times
    output.write_bytes(subprocess.check_output(["/bin/sh", "-c", f"{FDAA} -c --json {log}"]))
    counted = map(json.loads, output.read_text().splitlines())
    assert {row["network_id_int"]: row["matches"] for row in counted} == networks


def check_linear(path: Path, size: int) -> None:
    """Check that twice a hostile input takes twice the processor time; a half is for noise."""
    for piece in HOSTILE:
        seconds = []
        for times in (1, 2):
            path.write_bytes(piece * (times * size // len(piece)))
            before = os.times()
            run(f"{FDAA} -c {{log}}", path)
            after = os.times()
            seconds.append(sum(after[2:4]) - sum(before[2:4]))  # of the child processes
        assert seconds[1] < 3 * seconds[0], f"{piece!r}: {seconds}"


# --- what is scanned ------------------------------------------------------------------------------


def write(path: Path, kind: str, size: int) -> Counter[str]:
    """Write a log of about this size; return how often each address occurs."""
    drawn = list(islice(_lines(kind), BLOCK))
    block = "".join(line for line, _ in drawn).encode()
    times = max(1, size // len(block))
    with path.open("wb") as file:
        for _ in range(times):
            file.write(block)
    once = Counter(address for _, address in drawn if address)
    return Counter({address: times * n for address, n in once.items()})


def _lines(kind: str) -> Iterator[tuple[str, str]]:
    """Yield lines, with the address on each or an empty text."""
    rng = random.Random(kind)
    # A few organizations have most of them: IDs are close together, and some stand alone.
    ids = [NetworkID(rng.getrandbits(rng.choice((6, 16, 20, 32)))) for _ in range(NETWORKS)]
    pool = [str(Address.build(rng.choice(ids), rng.getrandbits(64))) for _ in range(DISTINCT)]
    number = 0
    while True:
        number += 1
        head = rng.choice(_HEADS)(rng)
        noise = rng.choice(_NOISE)(rng)
        if number % LINES_FOR_ONE[kind]:
            yield f"{head} {noise} {rng.choice(_NOISE)(rng)}\n", ""
            continue
        # The cube makes a hundredth of the addresses a fifth of all that occur.
        address = pool[int(DISTINCT * rng.random() ** 3)]
        text = rng.choice((address, address, address.upper()))
        where = rng.choice(_SHAPES).format(text, rng.randrange(1024, 65536))
        yield f"{head} {noise} {where}\n", address


def _hex(rng: random.Random, digits: int) -> str:
    return f"{rng.getrandbits(digits * 4):0{digits}x}"


_HEADS: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"2026-05-17T10:{rng.randrange(60):02}:07.{rng.randrange(1000):03}Z app[web]",
    lambda rng: f"[{rng.random() * 1e5:12.6f}] INFO",
)
_NOISE: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: "mac=" + ":".join(_hex(rng, 2) for _ in range(6)),
    lambda rng: f"peer=2001:db8:{rng.choice(('FDAA', *'0123456789'))}::{_hex(rng, 3)}",
    lambda rng: f"sha256:{_hex(rng, 64)}",
    lambda rng: f'{{"level":"info","msg":"took {rng.random():.3f}s","id":"{_hex(rng, 12)}"}}',
    lambda rng: f"std::deque::fade:{_hex(rng, 3)} facade fda fdaa",
)
# In these, ripgrep's pattern matches the address alone.
_SHAPES = ("from [{}]:{}", "dial {} attempt {}", '{{"private_ip":"{}","n":{}}}', "app@{} pid {}")
