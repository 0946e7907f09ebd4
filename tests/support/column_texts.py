"""Texts for every engine: a table of hard ones, and any number of drawn ones."""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

from address_texts import INVALID, VALID

import fdaa

# How many texts each engine gets; the run in docs/testing.md gets a million.
COUNT = int(os.environ.get("COLUMN_TEXTS", "20000"))

_QUAD = "10.0.255.1"
_LONG = 10_000


def _shapes() -> list[str]:
    """Return so many groups, a `::` or none, and so many groups, with and without a dotted quad."""
    written = [
        [":".join(groups), ":".join([*groups, _QUAD])]
        for groups in (
            ["45b", "0", "A", "ffff", "1", "0000", "7b", "e", "2"][:n] for n in range(10)
        )
    ]
    tails = [tail.removeprefix(":") for pair in written for tail in pair]
    heads = [
        "",
        *(
            ":".join(["fdaa", "2", "0045", "B", "0", "1", "FFFF", "c", "d"][:n])
            for n in range(1, 10)
        ),
    ]
    return [
        head + colons + tail
        for head in heads
        for tail in tails
        for colons in ("", ":", "::", ":::")
    ]


def _octets() -> list[str]:
    return [
        f"fdaa:0:18::{octet}.{octet}.0.{octet}"
        for octet in [*range(300), "00", "01", "001", "", "0x1", "1e1"]
    ]


def _groups() -> list[str]:
    """Return every way to write each part of the network ID, right and wrong."""
    ways = [
        "",
        "0",
        "00",
        "0000",
        "00000",
        "1",
        "a",
        "F",
        "ab",
        "0aB",
        "ffff",
        "fffff",
        "g",
        "-1",
        "+1",
        "_1",
        "0x1",
        " 1",
    ]
    return [
        f"fdaa:{high}:{low}{rest}"
        for high in ways
        for low in ways
        for rest in ("::", "::1", ":1:2:3:4:5")
    ]


_AROUND = (
    *(
        "\n{}",
        "{}\n",
        "{}\r\n",
        "{}\n\n",
        "{}\nfdaa::1",
        "x\n{}",
        " {}",
        "{} ",
        "{}\t",
        "\t{}",
        "{}\u00a0",
    ),
    *(
        "{}\u2028",
        "{}\u2029",
        "{}\x85",
        "{}\v",
        "{}\f",
        "\ufeff{}",
        "{}\0",
        "\0{}",
        "{}\0x",
        "[{}]",
        "{}%eth0",
    ),
    *(
        "{}/48",
        "{}:80",
        "{}.",
        ".{}",
        "{}:",
        ":{}",
        "'{}'",
        '"{}"',
        "{}'",
        "{}\\",
        "{}$",
        "^{}",
        "{}::",
        "::{}",
    ),
)
# Digits, letters, colons and dots of other scripts, what int(x, 16) takes, and what ends a line.
_STRAYS = "\u0661\u0966\uff11\u00b2\U0001d7ce\u0410\u0430\uff21\uff41\u0130\u017f"
_STRAYS += "\u212a\uff1a\u02d0\u2236\uff0e\0\ngGxX_+-.:% "


def _long() -> list[str]:
    return [
        *(
            "fdaa:" * (_LONG // 5),
            "fdaa::" + "0" * _LONG,
            "0" * _LONG + "fdaa::1",
            "f" * _LONG,
            ":" * _LONG,
        ),
        *(
            "fdaa::1" + " " * _LONG,
            " " * _LONG + "fdaa::1",
            "fdaa:2:45b::" + ":1" * _LONG,
            "\u0661" * _LONG,
        ),
        *(
            "fdaa::1" + "\n" * _LONG,
            "fdaa::" + "1.1." * _LONG,
            "fdaa::1.1.1." + "1" * _LONG,
            "fdaa::1" + "\0" * _LONG,
        ),
        *(
            "fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.255" + tail
            for tail in ("", "0", ".", ":", "\n")
        ),
    ]


@cache
def hard_texts() -> tuple[str, ...]:
    """Return the table: each shape, each edge, and what stands around an address."""
    good = [
        "fdaa::3",
        "fdaa:2:45b::3",
        "FDAA:2:45B:a7b:174:db43:d3c6:2",
        "fdaa::1.2.3.4",
        "fdaa:1:2:3:4:5:1.2.3.4",
    ]
    framed = [frame.format(text) for frame in _AROUND for text in good]
    stray = [
        text[:at] + c + text[at + cut :]
        for text in good
        for c in _STRAYS
        for at in range(len(text))
        for cut in (0, 1)
    ]
    known = [row.text for row in (*VALID, *INVALID)]
    texts = [
        *known,
        *_shapes(),
        *_octets(),
        *_groups(),
        *framed,
        *stray,
        *_long(),
        "",
        ":",
        "::",
        "\n",
        "\0",
        "fdaa",
    ]
    return tuple(dict.fromkeys(text for text in texts if _is_utf8(text)))


def _is_utf8(text: str) -> bool:
    """An engine holds no others."""
    return not any("\ud800" <= c <= "\udfff" for c in text)


def drawn_texts(count: int, seed: int) -> list[str]:
    """Return addresses in any spelling, each second one with up to three mistakes in it."""
    rng = random.Random(seed)
    return [
        spelled if rng.random() < 0.5 else _spoiled(spelled, rng)
        for spelled in (_spelled(rng) for _ in range(count))
    ]


def _spelled(rng: random.Random) -> str:
    """Spell an address in one of the ways of RFC 4291, section 2.2."""
    values = [rng.choice((0, 0, 1, 0x45B, 0xFFFF, rng.randrange(65536))) for _ in range(7)]
    groups = [
        "fdaa",
        *(f"{value:x}".zfill(rng.choice((1, 1, 4, rng.randint(1, 4)))) for value in values),
    ]
    if rng.random() < 0.3:
        values[5:] = [1]  # no "::" over it
        groups[6:] = [
            ".".join(str(rng.choice((0, 9, 99, 199, 255, rng.randrange(256)))) for _ in range(4))
        ]
    start = rng.randint(1, len(groups))
    stop = start
    while stop < len(groups) and values[stop - 1] == 0 and rng.random() < 0.8:
        stop += 1
    text = ":".join(groups)
    if stop > start:
        text = ":".join(groups[:start]) + "::" + ":".join(groups[stop:])
    return rng.choice((str, str.upper, str.lower, str.title))(text)


_PIECES = (
    *"0123456789abcdefABCDEF:.::..",
    *_STRAYS,
    "::",
    ":0",
    "0:",
    ":0:0",
    "1.2.3.4",
    ":1.2.3.4",
    "/48",
    "0000",
    "\r\n",
)


def _spoiled(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        start = rng.randint(0, len(text))
        text = text[:start] + rng.choice(("", *_PIECES)) + text[start + rng.randint(0, 2) :]
    return text


@cache
def column() -> list[str | None]:
    """Return what every engine gets: the table, nulls, and drawn texts up to `COUNT`."""
    hard = [None, *hard_texts(), None]
    return [*hard, *drawn_texts(max(COUNT - len(hard), 1000), seed=4291)]


def in_kind(values: Any, kind: str) -> Any:
    """Return an Arrow array as another type of Arrow, or as a `dictionary`."""
    import pyarrow as pa

    return values.dictionary_encode() if kind == "dictionary" else values.cast(getattr(pa, kind)())


def reason_of(value: str | bytes | None) -> str | None:
    """Return why `Address` refuses a text, or 16 bytes; None where it does not."""
    parse = fdaa.Address.from_bytes if isinstance(value, bytes) else fdaa.Address
    try:
        return None if value is None or parse(value) else ""  # type: ignore[arg-type]
    except fdaa.AddressError as error:
        return error.reason


def written(network_id: int | None) -> str | None:
    """Return the text of a network ID."""
    return None if network_id is None else str(fdaa.NetworkID(network_id))


def expected_id(text: str | None) -> int | None:
    """Return what `Address` says."""
    try:
        return None if text is None else int(fdaa.Address(text).network_id)
    except fdaa.AddressError:
        return None


@cache
def expected() -> list[int | None]:
    return [expected_id(text) for text in column()]
