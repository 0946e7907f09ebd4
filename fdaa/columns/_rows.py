"""Rows as Python values, for engines that have them in Python: why one is not an address."""

from __future__ import annotations

import re

from fdaa._bits import MAX_GROUP
from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.membership import extract_network_id

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
    if value is not None:
        try:
            check(value)
        except AddressError as error:
            return error.reason
    return None


def hex_groups() -> list[str]:
    """Return the text of each value of a group: looked up faster than any engine writes it."""
    return [f"{value:x}" for value in range(MAX_GROUP + 1)]
