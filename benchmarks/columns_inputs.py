"""Columns of addresses in Parquet, in three shapes, and the network of each row."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHAPES = ("distinct", "repeated", "bad")  # all texts differ; 1 % of them do; 1 % are no address
NETWORKS = 10_000
SEED = 4291
_DICTIONARY = 64 * 1024 * 1024  # bytes; by default what is longer than one MiB is no dictionary


def write(file: Path, shape: str, rows: int) -> pa.Array:
    """Write a column `ip` of so many rows; return the network IDs that `Address` gives."""
    rng = random.Random(SEED)
    networks = [(rng.randint(0, 0x60), rng.randint(1, 0xFFFF)) for _ in range(NETWORKS)]
    if shape == "repeated":
        some = [_text(rng, *rng.choice(networks)) for _ in range(rows // 100)]
        texts = rng.choices(some, k=rows)
    else:
        texts = [_text(rng, *rng.choice(networks)) for _ in range(rows)]
    if shape == "bad":
        for row in rng.sample(range(rows), rows // 100):
            texts[row] = rng.choice(_SPOILED)(texts[row])
    pq.write_table(
        pa.table({"ip": texts}),
        file,
        row_group_size=500_000,  # for every core some
        dictionary_pagesize_limit=_DICTIONARY if shape == "repeated" else None,
    )
    return pa.array(map(_network, texts), pa.int64())


def _text(rng: random.Random, high: int, low: int) -> str:
    """Return an address as logs have them: of ten, five canonical, two with `::`, one of each.

    One in a thousand has `::` for a single group in its network ID, or a dotted quad at its end.
    """
    rest = [rng.randint(1, 0xFFFF) for _ in range(4)]
    if rng.randrange(1000) == 0:
        five = ":".join(f"{group:x}" for group in (*rest, 2))
        return rng.choice(
            (f"fdaa::{low:x}:{five}", f"fdaa:{high:x}:{low:x}::10.0.0.{rest[0] % 256}")
        )
    form = rng.randrange(10)
    if form < 2:
        return f"fdaa:{high:x}:{low:x}{rng.choice(('::', ':0:1::'))}{rest[0]:x}:{rest[1]:x}"
    if form == 2:
        return f"fdaa::{rest[0]:x}:{rest[1]:x}"  # a service: `::` holds the network ID
    if form == 3:
        return f"FDAA:{high:X}:{low:X}:A7B:{rest[0]:X}:{rest[1]:X}:{rest[2]:X}:2"
    if form == 4:
        return f"fdaa:{high:04x}:{low:04x}:0a7b:{rest[0]:04x}:{rest[1]:04x}:{rest[2]:04x}:0002"
    return f"fdaa:{high:x}:{low:x}:a7b:{rest[0]:x}:{rest[1]:x}:{rest[2]:x}:2"


_SPOILED: tuple[Callable[[str], str], ...] = (
    lambda text: f"[{text}]:80",
    lambda text: f"{text}%eth0",
    lambda text: f"{text}\n",
    lambda text: f"2001:db8:{text[5:]}",
    lambda text: text[:-1] + "g",
    lambda text: ":".join(text.split(":")[:3]) + ":1",
    lambda text: text + ":1:2:3:4:5:6:7",
    lambda text: text + "::",
    lambda text: text + "00000",
    lambda _: "10.0.0.1",
    lambda _: "-",
)


def _network(text: str) -> int | None:
    try:
        return int(fdaa.Address(text).network_id)
    except fdaa.AddressError:
        return None
