"""The addresses in many texts at once, for columns."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from fdaa._values.bits import (
    ADDRESS_BITS,
    ADDRESS_BYTES,
    NETWORK_BYTES,
    NETWORK_PREFIX_LENGTH,
    unpack_head,
)
from fdaa.scan._expression import judge_packed, text_of
from fdaa.scan._matches import search
from fdaa.scan._once import Once

if TYPE_CHECKING:
    from collections.abc import Iterable

# The kind, the canonical text of an address, the network ID, the canonical text of the prefix.
_Fields: TypeAlias = tuple[str, str | None, int, str]


def find_in_rows(rows: Iterable[str | None] | Iterable[bytes | None]) -> dict[str, list[Any]]:
    """Find the private addresses in many texts at once, as `find_addresses` does in each.

    A line feed is an edge of an address, as the ends of a text are. So one search is enough: to
    start one takes longer than to search most rows. Up to 131,072 texts of addresses, about 40 MB,
    are remembered between calls.

    Args:
        rows: the texts, all of one type; None is one without an address.

    Returns:
        The columns of a table with a row for each match: `row` (the index of its text), `start` (as
        in `Match`), and as in the JSON of a scan `kind` ("address" or "prefix"), `address` (its
        canonical text, None for a prefix), `network_id` (`int`) and `prefix` (for an address, that
        of its network).

    Raises:
        TypeError: a row is something else.

    >>> find_in_rows(["from fdaa:0:18::2", "", "to fdaa::3"])["network_id"]
    [24, 0]
    """
    given = list(rows)
    line_feed: Any = b"\n" if any(isinstance(row, bytes) for row in given) else "\n"
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
    starts: list[int] = []
    found: list[_Fields] = []
    for start, fields in search(data, is_counted, _found):
        index = bisect_right(begins, start) - 1
        indices.append(index)
        starts.append(start - begins[index])
        found.append(fields)
    return {
        "row": indices,
        "kind": [fields[0] for fields in found],
        "address": [fields[1] for fields in found],
        "network_id": [fields[2] for fields in found],
        "prefix": [fields[3] for fields in found],
        "start": starts,
    }


def _fields_of(run: bytes) -> _Fields | None:
    reading = judge_packed(run)
    if reading is None:
        return None
    packed, length = reading
    _, network_id = unpack_head(packed)
    text = text_of(packed, length)
    if length < ADDRESS_BITS:
        return "prefix", None, network_id, text
    return "address", text, network_id, _prefix_of(packed[NETWORK_BYTES])


@lru_cache(65_536)  # most addresses share their networks
def _prefix_of(network: bytes) -> str:
    return text_of(network.ljust(ADDRESS_BYTES, b"\0"), NETWORK_PREFIX_LENGTH)


# Kept between calls: engines pass a column in batches, and most addresses occur in many of them.
_found = Once(_fields_of)
