"""Logs to scan: one line in 100, one in 3 or every line has an address, and all are full of noise.

A block of 20 MB is made from a seed and written again and again: what repeats after so much is in
nobody's favour.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from fdaa import Address, NetworkID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LINES_FOR_ONE = {"sparse": 100, "mixed": 3, "dense": 1}
_BLOCK = 20_000_000
_NETWORKS = 60
_ADDRESSES = 2000


class Log(NamedTuple):
    """A log that was written.

    Args:
        path: where.
        addresses: how many it has.
        traps: how many texts end in an address but are another's; grep takes them for one.
    """

    path: Path
    addresses: int
    traps: int


def write(directory: Path, kind: str, size: int) -> Log:
    """Write a log of a kind, of about `size` bytes."""
    lines, addresses, traps = [], 0, 0
    length = 0
    for line, has_address, has_trap in _lines(kind):
        lines.append(line)
        length += len(line)
        addresses += has_address
        traps += has_trap
        if length >= min(size, _BLOCK):
            break
    times = max(1, round(size / length))
    path = directory / f"{kind}.log"
    with path.open("wb") as file:
        for _ in range(times):
            file.write("".join(lines).encode())
    return Log(path, addresses * times, traps * times)


def _lines(kind: str) -> Iterator[tuple[str, bool, bool]]:
    rng = random.Random(kind)
    networks = [NetworkID(rng.getrandbits(18)) for _ in range(_NETWORKS)]
    pool = [
        str(Address.build(rng.choice(networks), 0xA7B << 64 | rng.getrandbits(64)))
        for _ in range(_ADDRESSES)
    ]
    pool = [text.upper() if i % 10 == 0 else text for i, text in enumerate(pool)]
    number = 0
    while True:
        number += 1
        has_address = number % LINES_FOR_ONE[kind] == 0
        clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
        noise = (
            f"peer=2001:db8:fdaa::{number % 9}" if number % 500 == 0 else rng.choice(_NOISE)(rng)
        )
        if has_address:
            where = rng.choice(_SHAPES).format(rng.choice(pool), rng.randrange(1024, 65536))
        else:
            where = f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}:80"
        head = f"2024-05-17T{clock}.{rng.randrange(1000):03}Z app[{rng.getrandbits(32):08x}]"
        yield f"{head} {noise} {where}\n", has_address, "fdaa:" in noise


_NOISE: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: "mac=02:42:" + ":".join(f"{rng.randrange(256):02x}" for _ in range(4)),
    lambda rng: f"peer=2001:db8:{rng.getrandbits(16):x}::{rng.getrandbits(16):x}",
    lambda rng: f"fe80::{rng.getrandbits(16):x}:{rng.getrandbits(16):x}%eth0 up",
    lambda rng: f"trace={rng.getrandbits(128):032x}",
    lambda rng: f'level=info msg="took {rng.random():.3f}s" status={rng.choice((200, 404, 500))}',
    lambda rng: f"std::deque::fade:{rng.getrandbits(12):x} facade fda fdaa",
)
# Those of which grep's pattern gives the address alone.
_SHAPES = ("from [{}]:{}", "dial {} attempt {}", '"private_ip": "{}", "n": {}', "{}... {} bytes")
