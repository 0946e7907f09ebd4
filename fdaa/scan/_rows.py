"""The addresses in many texts at once, for columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from fdaa.scan._matches import search
from fdaa.scan._once import Once
from fdaa.scan._rules import address_of, judge, prefix_length_of

if TYPE_CHECKING:
    from collections.abc import Iterable

# The canonical text of an address or of a prefix's first one, the network ID, the prefix length.
_Fields: TypeAlias = tuple[str, int, int | None]


def find_in_rows(rows: Iterable[str | None] | Iterable[bytes | None]) -> dict[str, list[Any]]:
    """Find the private addresses in many texts at once, as `find_addresses` does in each.

    A line feed is an edge of an address, as the ends of a text are. So one search is enough: to
    start one takes longer than to search most rows. Up to 131,072 texts of addresses, about 40 MB,
    are remembered between calls.

    Args:
        rows: the texts, all of one type; None is one without an address.

    Returns:
        The columns of a table with a row for each match: `row` (the index of its text), `address`
        (the canonical text of the address, or of the first one of a prefix), `network_id` (`int`),
        `start` (as in `Match`) and `prefix_length` (None for an address).

    Raises:
        TypeError: `rows` is a text, or a row is something else.

    >>> find_in_rows(["from fdaa:0:18::2", "", "to fdaa::3"])["network_id"]
    [24, 0]
    """
    if isinstance(rows, str | bytes):
        raise TypeError("expected a list of texts, got one text")
    given = list(rows)
    line_feed: Any = "\n"
    if any(isinstance(row, bytes) for row in given):
        line_feed = b"\n"
    nothing = line_feed[:0]
    texts = [nothing if row is None else row for row in given]
    joined = line_feed.join(texts)
    data = joined
    is_counted = True
    if isinstance(joined, str):
        data = joined.encode(errors="surrogatepass")
        is_counted = joined.isascii()
    lengths = (len(text) + 1 for text in texts)
    begins = list(accumulate(lengths, initial=0))
    indices: list[int] = []
    addresses: list[str] = []
    network_ids: list[int] = []
    starts: list[int] = []
    prefix_lengths: list[int | None] = []
    for start, fields in search(data, is_counted, _found):
        address, network_id, prefix_length = fields
        index = bisect_right(begins, start) - 1
        indices.append(index)
        addresses.append(address)
        network_ids.append(network_id)
        starts.append(start - begins[index])
        prefix_lengths.append(prefix_length)
    return {
        "row": indices,
        "address": addresses,
        "network_id": network_ids,
        "start": starts,
        "prefix_length": prefix_lengths,
    }


def _fields_of(run: bytes) -> _Fields | None:
    reading = judge(run)
    if reading is None:
        return None
    value, _ = reading
    return str(address_of(value)), int(value.network_id), prefix_length_of(value)


# Kept between calls: engines pass a column in batches, and most addresses occur in many of them.
_found = Once(_fields_of)
