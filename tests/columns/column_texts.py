"""Values for every engine: a table of hard texts, any number of drawn ones, and their answers."""

from __future__ import annotations

import os
import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from vectors import rows

import fdaa
from fdaa.scan import Match, find_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# How many texts each engine gets; the whole range of the gate gives 100,000. They are few here, as
# all engines are made of one grammar, which reads the whole table in `test_grammar.py`.
COUNT = int(os.environ.get("COLUMN_TEXTS", "3000"))

# --- the table ------------------------------------------------------------------------------------

_HEAD = ["fdaa", "2", "0045", "B", "0", "1", "FFFF", "c", "d"]
_TAIL = ["45b", "0", "A", "ffff", "1", "0000", "7b", "e", "2"]


def _shapes() -> list[str]:
    """Return so many groups, a `::` or none, and so many groups, with and without a dotted quad."""
    tails = []
    for count in range(10):
        groups = _TAIL[:count]
        tails.append(":".join(groups))
        tails.append(":".join([*groups, "10.0.255.1"]))
    heads = [":".join(_HEAD[:count]) for count in range(10)]
    shapes = []
    for head in heads:
        for tail in tails:
            shapes += [head + colons + tail for colons in ("", ":", "::", ":::")]
    return shapes


def _octets() -> list[str]:
    octets = [*range(300), "00", "01", "001", "", "0x1", "1e1"]
    return [f"fdaa:0:18::{octet}.{octet}.0.{octet}" for octet in octets]


# Right and wrong ways to write a group.
_GROUPS = ["0", "00", "0000", "00000", "1", "a", "F", "ab", "0aB", "ffff", "fffff"]
_GROUPS += ["g", "-1", "+1", "_1", "0x1", "", " 1"]


def _network_ids() -> list[str]:
    texts = []
    for high in _GROUPS:
        for low in _GROUPS:
            start = f"fdaa:{high}:{low}"
            texts += [f"{start}::", f"{start}::1", f"{start}:1:2:3:4:5"]
    return texts


_GOOD = "fdaa::3 fdaa:2:45b::3 FDAA:2:45B:a7b:174:db43:d3c6:2 fdaa::1.2.3.4 fdaa:1:2:3:4:5:1.2.3.4"
_WHITE = "\n", "\r\n", "\n\n", " ", "\t", "\u00a0", "\u2028", "\u2029", "\x85", "\v", "\f", "\0"
_AFTER = [*_WHITE, "\nfdaa::1", "\0x", "%eth0", "/48", ":80", ".", ":", "'", "\\", "$", "::"]
_BEFORE = ["\n", "x\n", " ", "\t", "\ufeff", "\0", ".", ":", "^", "::", "[", "'"]

# Digits, letters, colons and dots of other scripts, what int(x, 16) takes, and what ends a line.
_STRAYS = "\u0661\u0966\uff11\u00b2\U0001d7ce\u0410\u0430\uff21\uff41\u0130\u017f"
_STRAYS += "\u212a\uff1a\u02d0\u2236\uff0e\0\ngGxX_+-.:% "


def _framed() -> list[str]:
    texts = []
    for good in _GOOD.split():
        texts += [good + after for after in _AFTER]
        texts += [before + good for before in _BEFORE]
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


_LONGEST = "fdaa:ffff:ffff:ffff:ffff:ffff:255.255.255.255"
# The longest address, with more behind it; and texts of many thousand characters.
_LONG_TEXTS = [_LONGEST + tail for tail in ("", "0", ".", ":", "\n")]
_LONG_TEXTS += [start + "fdaa::1" for start in ("0" * 10_000, " " * 10_000)]
for _piece in ("0", ":1", " ", "\n", "\0", "1.1.", "::", "\u0661"):
    _LONG_TEXTS += ["fdaa::1" + _piece * 10_000, _piece * 10_000]


@cache
def edge_texts() -> list[str]:
    """Return the rows of all parsers, what stands around an address, and long texts."""
    texts = [row["text"] for row in rows("addresses")]
    texts = [text for text in texts if "\udc80" not in text]  # no engine holds that
    return texts + _framed() + _LONG_TEXTS + ["", ":", "::", "\n", "\0", "fdaa"]


@cache
def hard_texts() -> list[str]:
    """Return the table: each shape, each edge, and strays."""
    return edge_texts() + _shapes() + _octets() + _network_ids() + _strayed()


# --- drawn texts ----------------------------------------------------------------------------------

_PIECES = ["", *"0123456789abcdefABCDEF:.::..", *_STRAYS]
_PIECES += ["::", ":0", "0:", ":0:0", "1.2.3.4", ":1.2.3.4", "/48", "0000", "\r\n"]


def drawn_texts(count: int) -> list[str]:
    """Return addresses in any spelling, each second one with up to three mistakes in it."""
    rng = random.Random(4291)
    texts = []
    for number in range(count):
        text = _spelled(rng)
        if number % 2 == 0:
            text = _spoiled(text, rng)
        texts.append(text)
    return texts


def _spelled(rng: random.Random) -> str:
    """Spell an address in one of the ways of RFC 4291, section 2.2."""
    groups = ["fdaa"]
    for _ in range(7):
        value = rng.choice((0, 0, 1, 0x45B, 0xFFFF, rng.randrange(65536)))
        groups.append(f"{value:x}".zfill(rng.randint(1, 4)))
    if rng.random() < 0.3:
        groups[6:] = [".".join(str(rng.choice((0, 9, 99, 199, 255))) for _ in range(4))]
    text = ":".join(groups)
    if rng.random() < 0.6:
        text = re.sub("(:0+)+(:|$)", "::", text, count=1)
    return rng.choice((text, text.upper(), text.title()))


def _spoiled(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        start = rng.randint(0, len(text))
        text = text[:start] + rng.choice(_PIECES) + text[start + rng.randint(0, 2) :]
    return text


# --- columns --------------------------------------------------------------------------------------


@cache
def column() -> list[str | None]:
    """Return what every engine gets: the edges, a part of the table, drawn texts, and a null."""
    step = max(2 * len(hard_texts()) // COUNT, 1)
    texts: list[str | None] = [None]
    texts.extend(edge_texts() + hard_texts()[::step])
    texts.extend(drawn_texts(max(COUNT - len(texts), 1000)))
    return texts


@cache
def packed() -> list[bytes | None]:
    """Return 16 bytes of private addresses and of others, and bytes that are no address."""
    values: list[bytes | None] = [None, b"", b"\xfd\xaa", bytes(16), b"\xfd\xaa" + bytes(13)]
    values += [b"fdaa:0:18::1:234", b"\xff" * 16, b"\xfd\xab" + bytes(14)]
    values += [address.packed for address in map(read, column()) if address is not None]
    return values


# --- answers --------------------------------------------------------------------------------------

# What the operations return for an address.
ANSWERS: dict[str, Callable[[fdaa.Address], Any]] = {
    "network_id_int": lambda address: int(address.network_id),
    "network_id": lambda address: str(address.network_id),
    "address": str,
    "key": lambda address: address.packed,
}


def read(value: str | bytes | None) -> fdaa.Address | None:
    """Return the address of a text, or of 16 bytes; None where it is refused."""
    if value is None or reason_of(value) is not None:
        return None
    if isinstance(value, bytes):
        return fdaa.Address.from_bytes(value)
    return fdaa.Address(value)


def reason_of(value: str | bytes | None) -> str | None:
    """Return why a text, or 16 bytes, is refused; None where it is not."""
    parse: Callable[[Any], object] = fdaa.Address
    if isinstance(value, bytes):
        parse = fdaa.Address.from_bytes
    try:
        if value is not None:
            parse(value)
    except fdaa.AddressError as error:
        return error.reason
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


def found_in(text: str | bytes | None) -> list[dict[str, Any]] | None:
    """Return what `find` returns for a text."""
    if text is None:
        return None
    return [found_values(match) for match in find_addresses(text)]


def found_values(match: Match) -> dict[str, Any]:
    """Return what columns have of a match: fields of the JSON of a scan, and the start."""
    fields = match.to_dict()
    names = ("kind", "address", "network_id", "network_id_int", "prefix")
    return {name: fields.get(name) for name in names} | {"start": match.start}
