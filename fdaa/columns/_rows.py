"""Rows as Python values, for engines that have them in Python: one reason, one search for all."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fdaa._bits import MAX_GROUP
from fdaa._text import AF_INET6, extract_network_id, inet_ntop
from fdaa.address import Address
from fdaa.errors import AddressError
from fdaa.scan import find_addresses

if TYPE_CHECKING:
    from collections.abc import Sequence


class Found(NamedTuple):
    """The addresses in some rows, by column.

    Args:
        rows: the index of each one's row.
        packed: its 16 bytes.
        starts: where its text begins in the row.
        prefix_lengths: as `find_addresses` has them.
    """

    rows: list[int]
    packed: list[bytes]
    starts: list[int]
    prefix_lengths: list[int | None]

    def texts(self) -> list[str]:
        """Return the canonical texts (RFC 5952, section 4)."""
        return [inet_ntop(AF_INET6, packed) for packed in self.packed]


def check(value: str | bytes, *, packed: bool) -> None:
    """Raise the error of a value that is no private address.

    Args:
        value: a text; as `bytes` where it is not UTF-8.
        packed: the column holds 16 bytes a row, not texts.
    """
    if packed:
        Address.from_bytes(value)  # type: ignore[arg-type]
    elif isinstance(value, bytes):
        raise AddressError(value.decode(errors="backslashreplace"), "it is not valid UTF-8")
    else:
        extract_network_id(value)


def refusal(value: str | bytes | None, *, packed: bool) -> str | None:
    """Return why a value is no private address; None where it is one, and for None."""
    if value is not None:
        try:
            check(value, packed=packed)
        except AddressError as error:
            return error.reason
    return None


def find_in_rows(joined: str | bytes, ends: Sequence[int]) -> Found:
    """Find the addresses in many rows, as `find_addresses` does in each.

    A line feed is an edge of an address, as the ends of a text are. One search for all rows is
    faster: to start one costs more than to search most rows.

    Args:
        joined: the rows with a line feed between each two.
        ends: for each row where the next one begins, in characters or in bytes.
    """
    found = Found([], [], [], [])
    row = 0
    for match in find_addresses(joined):
        row = bisect_right(ends, match.start, row)
        found.rows.append(row)
        found.packed.append(match.address.packed)
        found.starts.append(match.start - (ends[row - 1] if row else 0))
        found.prefix_lengths.append(match.prefix_length)
    return found


@cache
def hex_groups() -> list[str]:
    """Return the text of each value of a group: looked up faster than any engine writes it."""
    return [f"{value:x}" for value in range(MAX_GROUP + 1)]
