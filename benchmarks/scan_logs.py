"""Logs to scan, drawn over the range of what users have.

One line in 100, in 3 or each has an address. A log is of 60, 1,000 or 20,000 networks, with
2,000, 20,000 or 100,000 distinct addresses, of which some are much more frequent than others. The
rest of a line is noise: IPv6 of others, MACs, digests, JSON, time stamps.

A block of 50 MB is drawn from a seed and written again and again.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from fdaa import Address, NetworkID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LINES_FOR_ONE = {"sparse": 100, "mixed": 3, "dense": 1}
# Networks, and distinct addresses on them.
SIZES = ((60, 2_000), (1_000, 20_000), (20_000, 100_000))
_BLOCK = 50_000_000
_TOGETHER = 10_000


class Log(NamedTuple):
    """A log that was written.

    Args:
        path: where.
        kind: a key of `LINES_FOR_ONE`.
        networks: how many networks its addresses were drawn from.
        addresses: how often each address occurs, as RFC 5952 writes it.
    """

    path: Path
    kind: str
    networks: int
    addresses: Counter[str]


def write(directory: Path, kind: str, sizes: tuple[int, int], size: int) -> Log:
    """Write a log of a kind, with so many networks and addresses, of about `size` bytes."""
    networks, distinct = sizes
    path = directory / f"{kind}-{networks}.log"
    once: Counter[str] = Counter()
    lines = _lines(kind, networks, distinct)
    pieces, length = [], 0
    while length < min(size, _BLOCK):
        some = list(islice(lines, _TOGETHER))
        once.update(address for _, address in some if address)
        pieces.append("".join(line for line, _ in some).encode())
        length += len(pieces[-1])
    times = max(1, round(size / length))
    with path.open("wb") as file:
        for _ in range(times):
            file.writelines(pieces)
    return Log(path, kind, networks, Counter({each: n * times for each, n in once.items()}))


def _lines(kind: str, networks: int, distinct: int) -> Iterator[tuple[str, str]]:
    """Yield lines, with the address on each or an empty text."""
    rng = random.Random(f"{kind} {networks}")
    # A few organizations have most of them: IDs lie close together, and some stand for themselves.
    ids = [NetworkID(rng.getrandbits(rng.choice((6, 16, 20, 32)))) for _ in range(networks)]
    pool = []
    for number in range(distinct):
        network = ids[number % networks]
        rest = rng.choice((0xA7B << 64 | rng.getrandbits(64), rng.getrandbits(64), number + 2))
        pool.append(str(Address.build(network, rest)))
    rng.shuffle(pool)
    number = 0
    every = LINES_FOR_ONE[kind]
    while True:
        number += 1
        head = rng.choice(_HEADS)(rng)
        noise = rng.choice(_NOISE)(rng)
        if number % every:
            yield f"{head} {noise} {rng.choice(_NOISE)(rng)}\n", ""
            continue
        # The cube makes a hundredth of the addresses a fifth of all that occur.
        address = pool[int(distinct * rng.random() ** 3)]
        text = address.upper() if rng.random() < 0.1 else address
        where = rng.choice(_SHAPES).format(text, rng.randrange(1024, 65536))
        yield rng.choice((f"{head} {noise} {where}\n", f"{head} {where} {noise}\n")), address


def _clock(rng: random.Random) -> str:
    return f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"


def _hex(rng: random.Random, digits: int) -> str:
    return f"{rng.getrandbits(digits * 4):0{digits}x}"


_HEADS: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: f"2026-05-17T{_clock(rng)}.{rng.randrange(1000):03}Z app[{_hex(rng, 8)}]",
    lambda rng: f"May {rng.randrange(1, 29):2} {_clock(rng)} host-{rng.randrange(50)} kernel:",
    lambda rng: f"[{rng.random() * 1e5:12.6f}] INFO",
    lambda rng: f"{rng.randrange(1_700_000_000, 1_800_000_000)} web.{rng.randrange(9)}",
)
_NOISE: tuple[Callable[[random.Random], str], ...] = (
    lambda rng: "mac=" + ":".join(_hex(rng, 2) for _ in range(6)),
    # One in 50 has `fdaa:` in it and is not one of ours.
    lambda rng: f"peer=2001:db8:{'FDAA' if rng.random() < 0.02 else _hex(rng, 4)}::{_hex(rng, 3)}",
    lambda rng: f"fe80::{_hex(rng, 4)}:{_hex(rng, 4)}%eth0 up",
    lambda rng: f"sha256:{_hex(rng, 64)}",
    lambda rng: f"trace={_hex(rng, 32)}",
    lambda rng: f'{{"level":"info","msg":"took {rng.random():.3f}s","id":"{_hex(rng, 12)}"}}',
    lambda rng: f"std::deque::fade:{_hex(rng, 3)} facade fda fdaa",
    lambda rng: f"GET /v1/{_hex(rng, 6)}?since={_clock(rng)} HTTP/1.1 {rng.choice((200, 404))}",
)
# Those of which grep's pattern gives the address alone.
_SHAPES = (
    "from [{}]:{}",
    "dial {} attempt {}",
    '{{"private_ip":"{}","n":{}}}',
    "{}... {} bytes",
    "instance={},port={}",
    "app@{} pid {}",
)
