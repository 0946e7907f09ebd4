"""Values for every engine: a table of hard texts, any number of drawn ones, and their answers."""

from __future__ import annotations

import os
import random
from functools import cache
from typing import TYPE_CHECKING, Any

from vectors import rows

import fdaa
from fdaa.scan import Match, find_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# How many texts each engine gets; the gate's campaign gives it 100,000.
COUNT = int(os.environ.get("COLUMN_TEXTS", "20000"))

# --- the table ------------------------------------------------------------------------------------

_QUAD = "10.0.255.1"
_LONG = 10_000
_HEAD = ["fdaa", "2", "0045", "B", "0", "1", "FFFF", "c", "d"]
_TAIL = ["45b", "0", "A", "ffff", "1", "0000", "7b", "e", "2"]


def _shapes() -> list[str]:
    """Return so many groups, a `::` or none, and so many groups, with and without a dotted quad."""
    tails = []
    for count in range(10):
        groups = _TAIL[:count]
        tails.append(":".join(groups))
        tails.append(":".join([*groups, _QUAD]))
    heads = [":".join(_HEAD[:count]) for count in range(10)]
    shapes = []
    for head in heads:
        for tail in tails:
            shapes += [head + colons + tail for colons in ("", ":", "::", ":::")]
    return shapes


def _octets() -> list[str]:
    octets = [str(octet) for octet in range(300)]
    octets += ["00", "01", "001", "", "0x1", "1e1"]
    return [f"fdaa:0:18::{octet}.{octet}.0.{octet}" for octet in octets]


# Right and wrong ways to write a group.
_GROUPS = ["0", "00", "0000", "00000", "1", "a", "F", "ab", "0aB", "ffff", "fffff"]
_GROUPS += ["g", "-1", "+1", "_1", "0x1", "", " 1"]


def _network_ids() -> list[str]:
    """Return every way to write each part of the network ID."""
    texts = []
    for high in _GROUPS:
        for low in _GROUPS:
            start = f"fdaa:{high}:{low}"
            texts += [f"{start}::", f"{start}::1", f"{start}:1:2:3:4:5"]
    return texts


_GOOD = "fdaa::3 fdaa:2:45b::3 FDAA:2:45B:a7b:174:db43:d3c6:2 fdaa::1.2.3.4 fdaa:1:2:3:4:5:1.2.3.4"
_WHITE = "\n", "\r\n", "\n\n", " ", "\t", "\u00a0", "\u2028", "\u2029", "\x85", "\v", "\f", "\0"
_AFTER = [*_WHITE, "\nfdaa::1", "\0x", "%eth0", "/48", ":80", ".", ":", "'", "\\", "$", "::"]
_BEFORE = ["\n", "x\n", " ", "\t", "\ufeff", "\0", ".", ":", "^", "::"]
_AROUND = ["[{}]", "'{}'", '"{}"']

# Digits, letters, colons and dots of other scripts, what int(x, 16) takes, and what ends a line.
_STRAYS = "\u0661\u0966\uff11\u00b2\U0001d7ce\u0410\u0430\uff21\uff41\u0130\u017f"
_STRAYS += "\u212a\uff1a\u02d0\u2236\uff0e\0\ngGxX_+-.:% "


def _framed() -> list[str]:
    texts = []
    for good in _GOOD.split():
        texts += [good + after for after in _AFTER]
        texts += [before + good for before in _BEFORE]
        texts += [frame.format(good) for frame in _AROUND]
    return texts


def _strayed() -> list[str]:
    """Return each good text with a stray character at each place, inserted and in place of one."""
    texts = []
    for good in _GOOD.split():
        for stray in _STRAYS:
            for at in range(len(good)):
                texts.append(good[:at] + stray + good[at:])
                texts.append(good[:at] + stray + good[at + 1 :])
    return texts


_LONG_TEXTS = [
    "fdaa:" * (_LONG // 5),
    "fdaa::" + "0" * _LONG,
    "0" * _LONG + "fdaa::1",
    "f" * _LONG,
    ":" * _LONG,
    "fdaa::1" + " " * _LONG,
    " " * _LONG + "fdaa::1",
    "fdaa:2:45b::" + ":1" * _LONG,
    "\u0661" * _LONG,
    "fdaa::1" + "\n" * _LONG,
    "fdaa::" + "1.1." * _LONG,
    "fdaa::1.1.1." + "1" * _LONG,
    "fdaa::1" + "\0" * _LONG,
]
_LONGEST = "fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.255"
_LONG_TEXTS += [_LONGEST + tail for tail in ("", "0", ".", ":", "\n")]


@cache
def hard_texts() -> tuple[str, ...]:
    """Return the table: each shape, each edge, and what stands around an address."""
    texts = [row["text"] for row in rows("addresses")]
    texts += _shapes() + _octets() + _network_ids() + _framed() + _strayed() + _LONG_TEXTS
    texts += ["", ":", "::", "\n", "\0", "fdaa"]
    return tuple(dict.fromkeys(filter(_is_utf8, texts)))


def _is_utf8(text: str) -> bool:
    """An engine holds no others."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


# --- drawn texts ----------------------------------------------------------------------------------


def drawn_texts(count: int, seed: int) -> list[str]:
    """Return addresses in any spelling, each second one with up to three mistakes in it."""
    rng = random.Random(seed)
    texts = []
    for _ in range(count):
        text = _spelled(rng)
        if rng.random() < 0.5:
            text = _spoiled(text, rng)
        texts.append(text)
    return texts


def _spelled(rng: random.Random) -> str:
    """Spell an address in one of the ways of RFC 4291, section 2.2."""
    values = [rng.choice((0, 0, 1, 0x45B, 0xFFFF, rng.randrange(65536))) for _ in range(7)]
    groups = ["fdaa"]
    for value in values:
        digits = rng.choice((1, 1, 4, rng.randint(1, 4)))
        groups.append(f"{value:x}".zfill(digits))
    if rng.random() < 0.3:
        values[5:] = [1]  # no "::" over it
        groups[6:] = [_quad(rng)]
    start = rng.randint(1, len(groups))
    stop = start
    while stop < len(groups) and values[stop - 1] == 0 and rng.random() < 0.8:
        stop += 1
    text = ":".join(groups)
    if stop > start:
        text = ":".join(groups[:start]) + "::" + ":".join(groups[stop:])
    return rng.choice((str, str.upper, str.lower, str.title))(text)


def _quad(rng: random.Random) -> str:
    octets = [rng.choice((0, 9, 99, 199, 255, rng.randrange(256))) for _ in range(4)]
    return ".".join(map(str, octets))


_PIECES = ["", *"0123456789abcdefABCDEF:.::..", *_STRAYS]
_PIECES += ["::", ":0", "0:", ":0:0", "1.2.3.4", ":1.2.3.4", "/48", "0000", "\r\n"]


def _spoiled(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        start = rng.randint(0, len(text))
        text = text[:start] + rng.choice(_PIECES) + text[start + rng.randint(0, 2) :]
    return text


# --- columns --------------------------------------------------------------------------------------


@cache
def column() -> list[str | None]:
    """Return what every engine gets: the table, nulls, and drawn texts up to `COUNT`."""
    hard: list[str | None] = [None]
    hard.extend(hard_texts())
    hard.append(None)
    drawn = drawn_texts(max(COUNT - len(hard), 1000), seed=4291)
    hard.extend(drawn)
    return hard


@cache
def packed() -> list[bytes | None]:
    """Return 16 bytes of private addresses and of others, and bytes that are no address."""
    values: list[bytes | None] = [None, b"", b"\xfd\xaa", bytes(16), b"\xfd\xaa" + bytes(13)]
    values += [b"fdaa:0:18::1:234", b"\xff" * 16, b"\xfd\xab" + bytes(14)]
    for text in column():
        address = read(text)
        if address is not None:
            values.append(address.packed)
    return values


# --- answers --------------------------------------------------------------------------------------

# What the operations of the vocabulary return for an address.
ANSWERS: dict[str, Callable[[fdaa.Address], Any]] = {
    "network_id_int": lambda address: int(address.network_id),
    "network_id": lambda address: str(address.network_id),
    "address": str,
    "key": lambda address: address.packed,
}


def read(value: str | bytes | None) -> fdaa.Address | None:
    """Return the address of a text, or of 16 bytes; None where it is refused."""
    try:
        if isinstance(value, bytes):
            return fdaa.Address.from_bytes(value)
        if value is None:
            return None
        return fdaa.Address(value)
    except fdaa.AddressError:
        return None


def answers(operation: str, values: Iterable[str | bytes | None]) -> list[Any]:
    """Return what an operation returns for each value."""
    answer = ANSWERS[operation]
    results: list[Any] = []
    for value in values:
        address = read(value)
        if address is None:
            results.append(None)
        else:
            results.append(answer(address))
    return results


@cache
def expected() -> list[int | None]:
    """Return the network IDs of `column`."""
    return answers("network_id_int", column())


def reason_of(value: str | bytes | None) -> str | None:
    """Return why `Address` refuses a text, or 16 bytes; None where it does not."""
    if value is None:
        return None
    parse: Callable[[Any], object] = fdaa.Address
    if isinstance(value, bytes):
        parse = fdaa.Address.from_bytes
    try:
        parse(value)
    except fdaa.AddressError as error:
        return error.reason
    return None


def found_in(text: str | bytes | None) -> list[dict[str, Any]] | None:
    """Return what `find` returns for a text: what `find_addresses` does."""
    if text is None:
        return None
    return [found_values(match) for match in find_addresses(text)]


def found_values(match: Match) -> dict[str, Any]:
    """Return what columns have of a match, as the JSON of a scan has it."""
    network_id = match.value.network_id
    values = {
        "kind": "address",
        "address": str(match.value),
        "network_id": str(network_id),
        "network_id_int": int(network_id),
        "prefix": str(network_id.prefix),
        "start": match.start,
    }
    if isinstance(match.value, fdaa.Prefix):
        values |= {"kind": "prefix", "address": None, "prefix": str(match.value)}
    return values
