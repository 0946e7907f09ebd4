"""Rows as Python values, for engines that have them in Python."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any

from fdaa._bits import ADDRESS_BYTES, FDAA_BYTES, MAX_GROUP
from fdaa._text import AF_INET6, REFUSED, inet_ntop, inet_pton
from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.membership import extract_network_id
from fdaa.scan import Pseudonyms

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
    try:
        check(value)
    except AddressError as error:
        return error.reason
    return None


def is_packed(value: object) -> bool:
    """Whether a value is the 16 bytes of a private address."""
    if not isinstance(value, bytes):
        return False
    return len(value) == ADDRESS_BYTES and value.startswith(FDAA_BYTES)


def packed_ip(texts: list[Any]) -> list[bytes | None]:
    """Return the 16 bytes of the IPv6 addresses in texts, private or not; None for others."""
    pending = map(inet_pton, repeat(AF_INET6), texts)
    packed: list[bytes | None] = []
    while len(packed) < len(texts):
        try:
            packed.extend(pending)  # up to a text that is refused; what came before it stays
        except (*REFUSED, TypeError):
            packed.append(None)
    return packed


def written(packed: Iterable[bytes | None]) -> list[str | None]:
    """Return the text of each 16 bytes (RFC 5952); None for None."""
    return [None if each is None else inet_ntop(AF_INET6, each) for each in packed]


def hex_groups() -> list[str]:
    """Return the text of each value of a group: looked up faster than any engine writes it."""
    return [f"{value:x}" for value in range(MAX_GROUP + 1)]


# --- other addresses in the place of addresses ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of an address: its pseudonym, or the address of a pseudonym.

    Args:
        of_packed: returns the 16 bytes of it for those of each address.
        in_text: returns a text with it in the place of each address.
    """

    of_packed: Callable[[list[bytes]], list[bytes]]
    in_text: Callable[[str], str]

    @classmethod
    def hide(cls, pseudonyms: Pseudonyms) -> "Replacement":
        """Return the one that hides addresses."""
        _check_pseudonyms(pseudonyms)
        return cls(pseudonyms.hide_packed, pseudonyms.hide_text)

    @classmethod
    def reveal(cls, pseudonyms: Pseudonyms) -> "Replacement":
        """Return the one that brings them back."""
        _check_pseudonyms(pseudonyms)
        return cls(pseudonyms.reveal_packed, pseudonyms.reveal_text)

    def of_rows(self, rows: list[Any]) -> list[Any]:
        """Return rows with other addresses.

        Most rows of most columns are an address and nothing else: those are replaced at once.

        Args:
            rows: texts, with surrogates for bytes that are not UTF-8; or bytes, the 16 of an
                address or text around addresses. None is null.
        """
        is_text = any(isinstance(row, str) for row in rows)
        keys: list[Any] = packed_ip(rows) if is_text else rows
        addresses = []
        texts = []
        for place, key in enumerate(keys):
            if key is not None and len(key) == ADDRESS_BYTES and key.startswith(FDAA_BYTES):
                addresses.append(place)
            elif rows[place]:
                texts.append(place)
        results = list(rows)
        replaced: list[Any] = self.of_packed([keys[place] for place in addresses])
        if is_text:
            replaced = written(replaced)
        for place, row in zip(addresses, replaced, strict=True):
            results[place] = row
        lines = self._in_lines([rows[place] for place in texts])
        for place, row in zip(texts, lines, strict=True):
            results[place] = row
        return results

    def _in_lines(self, rows: list[Any]) -> list[Any]:
        """Return texts with other addresses in them: searched at once, as a row has its start."""
        if rows and isinstance(rows[0], bytes):
            texts = [row.decode(errors="surrogateescape") for row in rows]
            return [text.encode(errors="surrogateescape") for text in self._in_lines(texts)]
        lines = iter(self.in_text("\n".join(rows)).split("\n"))
        return ["\n".join(islice(lines, row.count("\n") + 1)) for row in rows]


def _check_pseudonyms(pseudonyms: Pseudonyms) -> None:
    if not isinstance(pseudonyms, Pseudonyms):
        given = type(pseudonyms).__name__
        raise TypeError(f"expected Pseudonyms, got {given}: pass `Pseudonyms(key)` of fdaa.scan")
