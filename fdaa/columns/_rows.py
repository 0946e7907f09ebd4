"""Rows as Python values, for engines that have them in Python: one reason, one search for all."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, AnyStr

from fdaa._bits import MAX_GROUP, unpack_head
from fdaa._text import AF_INET6, extract_network_id, inet_ntop
from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.scan import find_addresses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def find_in_rows(
    rows: Iterable[AnyStr | None], line_feed: AnyStr
) -> tuple[list[int], dict[str, Sequence[object]]]:
    """Find the addresses in many rows, as `find_addresses` does in each.

    A line feed is an edge of an address, as the ends of a text are. One search for all rows is
    faster: to start one costs more than to search most rows.

    Args:
        rows: texts, or bytes.
        line_feed: of the same type.

    Returns:
        For each address the index of its row, and the columns of the result.
    """
    texts: list[AnyStr] = [row or line_feed[:0] for row in rows]
    begins = [0, *accumulate(len(text) + 1 for text in texts)]
    indices: list[int] = []
    packed: list[bytes] = []
    starts: list[int] = []
    prefix_lengths: list[int | None] = []
    index = 0
    for address, start, _, prefix_length in find_addresses(line_feed.join(texts)):
        index = bisect_right(begins, start, index) - 1
        indices.append(index)
        packed.append(address.packed)
        starts.append(start - begins[index])
        prefix_lengths.append(prefix_length)
    return indices, {
        "address": [inet_ntop(AF_INET6, address) for address in packed],
        "network_id": [unpack_head(address)[1] for address in packed],
        "start": starts,
        "prefix_length": prefix_lengths,
    }


def hex_groups() -> list[str]:
    """Return the text of each value of a group: looked up faster than any engine writes it."""
    return [f"{value:x}" for value in range(MAX_GROUP + 1)]
