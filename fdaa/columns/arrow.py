"""The network IDs of an Arrow column, and why a text is none.

>>> import pyarrow as pa
>>> column = pa.array(["fdaa:2:45b::3", "10.0.0.1", None])
>>> network_ids(column).to_pylist()
[132187, None, None]
>>> refusals(column).to_pylist()
[None, 'this is an IPv4 address; private addresses are IPv6', None]
"""

from __future__ import annotations

import sys
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from fdaa._bits import ADDRESS_BYTES, PREFIX
from fdaa._text import AF_INET6, MAX_LENGTH, extract_network_id, inet_pton
from fdaa.errors import AddressError

if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = 8192  # texts that are Python objects at a time: few enough for the processor's cache
_TEXTS = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
_REFUSED = bytes(ADDRESS_BYTES)  # it does not start with the prefix


def network_ids(column: Any, *, strict: bool = False) -> Any:
    """Return the network IDs (specification, section 2.3) of a column as `uint32`.

    Null gives null, and so does a text that `Address.parse` refuses. Where rows share the entries
    of a dictionary, each entry is read once.

    Args:
        column: an `Array`, a `ChunkedArray`, or anything with the Arrow PyCapsule interface (a
            column of pandas or Polars, a DuckDB result of one column), of `string`, `large_string`
            or `string_view`, or of a dictionary of these.
        strict: raise the error of the first text that is refused.

    Returns:
        An `Array` for an `Array`, else a `ChunkedArray`.

    Raises:
        AddressError: with `strict`, a text is not a private address.
        TypeError: `column` has no texts.
    """
    column = _arrow(column)
    ids = _by_entry(column, _network_ids, pa.uint32())
    if strict:
        missing = ids.is_null()
        if not pa.types.is_dictionary(column.type):  # pyarrow crashes at one without values
            missing = pc.and_(missing, column.is_valid())
        for row in pc.indices_nonzero(missing):
            text = column[row.as_py()].as_py()
            if text is not None:
                extract_network_id(text)  # it raises
    return ids


def refusals(column: Any) -> Any:
    """Return why each text of a column is no private address, as `string`; null where it is one.

    Args:
        column: as in `network_ids`.

    Raises:
        TypeError: `column` has no texts.
    """
    return _by_entry(_arrow(column), _reasons, pa.string())


def _arrow(column: Any) -> Any:
    """Return what is given as an `Array` or a `ChunkedArray` of texts, or say that it is none."""
    if hasattr(column, "__arrow_c_stream__"):
        column = pa.chunked_array(column)
        if pa.types.is_struct(column.type) and column.type.num_fields == 1:  # a query's only column
            column = pc.struct_field(column, [0])
    elif hasattr(column, "__arrow_c_array__"):
        column = pa.array(column)
    else:
        raise TypeError(f"a column of Arrow is needed, not {type(column).__name__}")
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if kind not in _TEXTS:
        raise TypeError(f"a column of strings is needed, not of {column.type}")
    return column


def _by_entry(column: Any, answer: Callable[[Any], Any], kind: Any) -> Any:
    """Give the texts of a column to `answer`, so many at a time; of a dictionary its entries."""

    def answers(texts: Any) -> Any:
        starts = range(0, len(texts), _ROWS)
        slices = [answer(texts.slice(start, _ROWS).cast(pa.large_string())) for start in starts]
        return pa.concat_arrays(slices) if slices else pa.array([], kind)

    chunks = [column] if isinstance(column, pa.Array) else column.chunks
    if not pa.types.is_dictionary(column.type):
        return _like(column, [answers(chunk) for chunk in chunks], kind)
    entries = [chunk.dictionary.cast(pa.large_string()) for chunk in chunks]
    if 2 * sum(map(len, entries)) > len(column):  # hardly a row repeats another
        results = [answers(own.take(c.indices)) for own, c in zip(entries, chunks, strict=True)]
    else:  # and the dictionaries of chunks have most entries in common
        once = pa.chunked_array(entries, pa.large_string()).dictionary_encode().combine_chunks()
        by_entry = answers(once.dictionary).take(once.indices)
        starts = accumulate(map(len, entries), initial=0)
        own_answers = [by_entry.slice(start) for start in starts]
        results = [own.take(c.indices) for own, c in zip(own_answers, chunks, strict=False)]
    return _like(column, results, kind)


def _like(column: Any, results: list[Any], kind: Any) -> Any:
    """Return results, one for each chunk, in the form of the column."""
    return results[0] if isinstance(column, pa.Array) else pa.chunked_array(results, kind)


def _network_ids(texts: Any) -> Any:
    """Return the network IDs of so few texts that all can be Python objects."""
    too_long = pc.greater(pc.binary_length(texts), MAX_LENGTH)
    short = pc.replace_with_mask(texts, too_long, pa.scalar(None, texts.type))
    pending = map(inet_pton, repeat(AF_INET6), short.to_pylist())
    packed: list[bytes] = []
    while len(packed) < len(texts):
        try:
            packed.extend(pending)  # up to a text that is refused; what came before it stays
        except (OSError, ValueError, TypeError):
            packed.append(_REFUSED)
    data = b"".join(packed)
    is_private = pc.equal(_numbers(data, 0, pa.uint16()), PREFIX)
    return pc.if_else(is_private, _numbers(data, 2, pa.uint32()), None)


def _numbers(addresses: bytes, start: int, kind: Any) -> Any:
    """Return the number that stands at byte `start` of each address."""
    width = kind.bit_width // 8
    count = len(addresses) // ADDRESS_BYTES
    cut = bytearray(count * width)
    for i in range(width):
        place = i if sys.byteorder == "big" else width - 1 - i
        cut[place::width] = addresses[start + i :: ADDRESS_BYTES]
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(cut)])


def _reasons(texts: Any) -> Any:
    return pa.array([_reason(text) for text in texts.to_pylist()], pa.string())


def _reason(text: str | None) -> str | None:
    if text is not None:
        try:
            extract_network_id(text)
        except AddressError as error:
            return error.reason
    return None
