"""The texts that everything is measured on: 100,000 different ones, of the shapes people meet."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = 100_000
SEED = 20240517


def _groups(rng: random.Random) -> list[int]:
    """Return the groups of a usual address; none of them is zero, so no `::` fits anywhere."""
    usual = [0xFDAA, rng.randint(1, 0x60), rng.randint(1, 0xFFFF), 0xA7B]
    return usual + [rng.randint(1, 0xFFFF) for _ in range(3)] + [2]


def _canonical(rng: random.Random) -> str:
    return ":".join(f"{group:x}" for group in _groups(rng))


def _compressed(rng: random.Random) -> str:
    head = f"fdaa:{rng.randint(0, 0x60):x}:{rng.randint(1, 0xFFFF):x}"
    return head + rng.choice(("::", ":0:1::")) + f"{rng.randint(1, 0xFFFF):x}"


# How many of ten texts have which shape; `::` of a service hides the network ID, as in `fdaa::3`.
_SHAPES: dict[Callable[[random.Random], str], int] = {
    _canonical: 5,
    _compressed: 2,
    lambda rng: f"fdaa::{rng.randint(1, 0xFFFF):x}": 1,
    lambda rng: _canonical(rng).upper(): 1,
    lambda rng: ":".join(f"{group:04x}" for group in _groups(rng)): 1,
}


@cache
def texts() -> tuple[str, ...]:
    """Return the texts: all different, mixed, and the same ones in every run."""
    rng = random.Random(SEED)
    shapes = [shape for shape, tenths in _SHAPES.items() for _ in range(COUNT * tenths // 10)]
    rng.shuffle(shapes)  # the shapes and not the texts: these lie in memory as if just read
    made: dict[str, None] = {}
    for shape in shapes:
        while (text := shape(rng)) in made:
            pass
        made[text] = None
    return tuple(made)


# What mixed traffic has in place of an address: most of it is no IPv6 text at all.
_REFUSED: dict[str, Callable[[random.Random], str]] = {
    "an IPv4 address": lambda rng: f"10.0.{rng.randint(0, 255)}.{rng.randint(0, 255)}",
    "another IPv6 address": lambda rng: f"2001:db8::{rng.randint(1, 0xFFFF):x}",
    "a host name": lambda rng: f"app-{rng.randint(1, 9999)}.internal",
    "a fault inside": lambda rng: f"fdaa:{rng.randint(1, 0xFFFF):x}::2::3",
    "brackets and a port": lambda rng: f"[{_compressed(rng)}]:5432",
    "a prefix": lambda rng: f"fdaa:0:{rng.randint(1, 0xFFFF):x}::/48",
    "a group too many": lambda rng: f"{_canonical(rng)}:3000",
    "prose": lambda rng: f"connection {rng.randint(1, 9999)} refused",
    "nothing": lambda _: "",
}
REFUSED_COUNT = COUNT // 5


@cache
def refused(kind: str) -> tuple[str, ...]:
    """Return texts of one kind that are not private addresses."""
    rng = random.Random(SEED)
    return tuple(_REFUSED[kind](rng) for _ in range(REFUSED_COUNT))


REFUSED_KINDS = tuple(_REFUSED)


@cache
def pairs() -> tuple[tuple[str, str], ...]:
    """Return COUNT pairs of texts; one in three is on one network, spelled in another way."""
    paired = []
    for i, first in enumerate(texts()):
        second = texts()[i - 1]
        if i % 3 == 0:
            head = first.split(":")[:3]
            second = "fdaa::2:3" if "" in head else ":".join(head).upper() + "::2:3"
        paired.append((first, second))
    return tuple(paired)
