"""Rows as Python values, for engines that have them in Python."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from typing import Any

from fdaa._values.address import Address
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES, MAX_GROUP
from fdaa._values.errors import AddressError
from fdaa._values.id_text import id_text
from fdaa._values.membership import extract_network_id
from fdaa._values.text import AF_INET6, REFUSED, inet_ntop, inet_pton
from fdaa.scan import Pseudonyms
from fdaa.scan import _many_texts as scanner
from fdaa.scan._pseudonyms import pseudonymize_packed

_SURROGATE = re.compile("[\ud800-\udfff]")


def check(value: str | bytes) -> None:
    """Raise the error of a value that is not a private address.

    Args:
        value: the 16 bytes of an address; or a text, with surrogates for bytes that are not UTF-8.
    """
    if isinstance(value, bytes):
        Address.from_bytes(value)
    elif _SURROGATE.search(value):
        raise AddressError(value, "it is not valid UTF-8")
    else:
        extract_network_id(value)


def refusal(value: str | bytes | None) -> str | None:
    """Return why a value is not a private address; None if it is one, and for None."""
    if value is None:
        return None
    if len(value) > _LONGEST_REMEMBERED:
        return _reason(value)
    return _remembered_reason(value)


def _reason(value: str | bytes) -> str | None:
    try:
        check(value)
    except AddressError as error:
        return error.reason
    return None


# Engines pass a column in batches, and most refused values occur in many of them.
_LONGEST_REMEMBERED = 100
_remembered_reason = lru_cache(16_384)(_reason)


def is_packed(value: object) -> bool:
    """Whether a value is the 16 bytes of a private address."""
    if not isinstance(value, bytes):
        return False
    return len(value) == ADDRESS_BYTES and value.startswith(FDAA_BYTES)


def packed_ip(texts: list[Any]) -> list[bytes | None]:
    """Return the 16 bytes of the IPv6 addresses in texts, private or not; None for others."""
    packed: list[bytes | None] = []
    pending = map(inet_pton, repeat(AF_INET6), texts)
    while len(packed) < len(texts):
        try:
            packed.extend(pending)  # a loop in C, up to a text that is refused; the others stay
        except (*REFUSED, TypeError):
            packed.append(None)
    return packed


def written(packed: Iterable[bytes | None]) -> list[str | None]:
    """Return the text of each 16 bytes (RFC 5952); None for None."""
    texts: list[str | None] = []
    for each in packed:
        if each is None:
            texts.append(None)
        else:
            texts.append(inet_ntop(AF_INET6, each))
    return texts


def hex_groups() -> list[str]:
    """Return the text of each value of a group: looked up faster than any engine writes it."""
    return [f"{value:x}" for value in range(MAX_GROUP + 1)]


def find_in_rows(rows: list[Any]) -> dict[str, list[Any]]:
    """Return what `fdaa.scan._many_texts.find_in_rows` does, under the names that columns have.

    These are the names of the fields in the JSON of a scan, in the same order.
    """
    found = scanner.find_in_rows(rows)
    numbers = found["network_id"]
    texts = {number: id_text(number) for number in set(numbers)}
    return {
        "row": found["row"],
        "kind": found["kind"],
        "address": found["address"],
        "network_id": [texts[number] for number in numbers],
        "network_id_int": numbers,
        "prefix": found["prefix"],
        "start": found["start"],
    }


def pseudonymize_rows(rows: list[Any], pseudonyms: Pseudonyms) -> list[Any]:
    """Return rows with pseudonyms in the place of addresses.

    Most rows of most columns are an address and nothing else: those are replaced at once.

    Args:
        rows: texts, with surrogates for bytes that are not UTF-8; or bytes, the 16 of an address or
            text around addresses. None is null.
        pseudonyms: made with a secret.
    """
    is_text = any(isinstance(row, str) for row in rows)
    keys: list[Any] = packed_ip(rows) if is_text else rows
    addresses = {}
    texts = {}
    for place, key in enumerate(keys):
        if is_packed(key):
            addresses[place] = key
        elif rows[place]:
            texts[place] = rows[place]
    others: list[Any] = pseudonymize_packed(pseudonyms, list(addresses.values()))
    if is_text:
        others = written(others)
    lines = _pseudonymize_texts(list(texts.values()), pseudonyms)
    results = dict(enumerate(rows))
    results.update(zip(addresses, others, strict=True))
    results.update(zip(texts, lines, strict=True))
    return list(results.values())


def _pseudonymize_texts(rows: list[Any], pseudonyms: Pseudonyms) -> list[Any]:
    """Return texts with pseudonyms in them: searched at once, as a row has its start."""
    if rows and isinstance(rows[0], bytes):
        texts = [row.decode(errors="surrogateescape") for row in rows]
        hidden = _pseudonymize_texts(texts, pseudonyms)
        return [text.encode(errors="surrogateescape") for text in hidden]
    lines = pseudonyms.pseudonymize_text("\n".join(rows)).split("\n")
    results = []
    start = 0
    for row in rows:
        end = start + row.count("\n") + 1
        results.append("\n".join(lines[start:end]))
        start = end
    return results
