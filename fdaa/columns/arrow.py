"""The networks of an Arrow column, why a value is no address, and the addresses inside text.

A column of strings has texts of addresses; one of binary has their 16 bytes, or for `find` any
text. Everything here takes an `Array`, a `ChunkedArray`, or what has the Arrow PyCapsule interface:
a column of pandas or Polars, a DuckDB result of one column. Rows that share the entries of a
dictionary are read once. The result is an `Array` for an `Array`, else a `ChunkedArray`.

>>> import pyarrow as pa
>>> column = pa.array(["fdaa:2:45b::3", "10.0.0.1", None])
>>> network_ids(column).to_pylist()
[132187, None, None]
>>> networks(column).to_pylist()
['2:45b', None, None]
>>> refusals(column).to_pylist()
[None, 'this is an IPv4 address; private addresses are IPv6', None]
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache, partial
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING, Any

from fdaa._bits import ADDRESS_BYTES, PREFIX
from fdaa._extras import missing_extra
from fdaa._text import AF_INET6, MAX_LENGTH, inet_pton
from fdaa.columns._rows import check, find_in_rows, hex_groups, refusal
from fdaa.scan import Pseudonyms

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as error:
    raise missing_extra("fdaa.columns.arrow", "arrow", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = 8192  # Python objects at a time: few enough for the processor's cache
_PIECE = 1024 * 1024  # bytes of text that are searched at once, or one row
_TEXTS = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())
_REFUSED = bytes(ADDRESS_BYTES)  # it does not start with the prefix
_FOUND = pa.struct(
    {
        "address": pa.string(),
        "network_id": pa.uint32(),
        "start": pa.int64(),
        "prefix_length": pa.uint8(),
    }
)


def network_ids(column: Any, *, strict: bool = False) -> Any:
    """Return the network IDs (specification, section 2.3) of a column as `uint32`.

    Null gives null, and so does what is no private address: a text that `Address.parse` refuses,
    or bytes that `Address.from_bytes` refuses.

    Args:
        column: strings, or binary of 16 bytes.
        strict: raise the error of the first value that is refused.

    Raises:
        AddressError: with `strict`, a value is not a private address.
        TypeError: `column` is no Arrow data, or of another type.
    """
    column = _arrow(column)
    ids = _by_entry(column, _ids_of_bytes if _is_binary(column) else _ids_of_texts, pa.uint32())
    if strict:
        missing = ids.is_null()
        if not pa.types.is_dictionary(column.type):  # pyarrow crashes at one without values
            missing = pc.and_(missing, column.is_valid())
        for row in pc.indices_nonzero(missing):
            value = _value(column, row.as_py())
            if value is not None:
                check(value, packed=_is_binary(column))
    return ids


def networks(column: Any) -> Any:
    """Return the network IDs of a column as `string`, as fdaa prints them: `2:45b`.

    Args:
        column: as in `network_ids`.

    Raises:
        TypeError: as `network_ids`.
    """
    ids = network_ids(column)
    chunks = [ids] if isinstance(ids, pa.Array) else ids.chunks
    return _like(ids, [_written(chunk) for chunk in chunks], pa.string())


def refusals(column: Any) -> Any:
    """Return why each value of a column is no private address, as `string`; null where it is one.

    Args:
        column: as in `network_ids`.

    Raises:
        TypeError: as `network_ids`.
    """
    column = _arrow(column)
    why = partial(_reasons, packed=_is_binary(column))
    return _by_entry(column, why, pa.string())


def find(column: Any) -> Any:
    """Find the addresses in the text of each row, as `fdaa.scan.find_addresses` does.

    It takes as much memory as a megabyte of the column needs, or its longest row.

    Args:
        column: strings or binary of any length.

    Returns:
        For each row a list of `address` (its canonical text), `network_id`, `start` (in characters
        of a string, in bytes of binary) and `prefix_length` (null where it is an address).

    Raises:
        TypeError: `column` is no Arrow data, or of another type.

    >>> find(pa.array(["dial [FDAA:2:45b::3]:80", "", None])).to_pylist()[0]
    [{'address': 'fdaa:2:45b::3', 'network_id': 132187, 'start': 6, 'prefix_length': None}]
    """
    return _by_entry(_arrow(column), _found, pa.list_(_FOUND))


def pseudonymize(column: Any, key: bytes) -> Any:
    """Replace each address in the text of each row by its pseudonym.

    Equal keys give equal pseudonyms, here as in `fdaa scan --pseudonymize`. Two addresses are on
    one network exactly if their pseudonyms are.

    Args:
        column: as in `find`.
        key: any bytes; who can guess them can undo the work.

    Returns:
        `large_string`, of binary `large_binary`.

    Raises:
        TypeError: as `find`.
        ValueError: `key` is empty.

    >>> hidden = pseudonymize(pa.array(["fdaa:2:45b::3 to fdaa:2:45b::4"]), b"a secret")
    >>> first, second = find(hidden)[0].as_py()
    >>> first["network_id"] == second["network_id"] != 0x2045b
    True
    """
    column = _arrow(column)
    hidden = partial(_hidden, pseudonyms=_pseudonyms(key))
    return _by_entry(column, hidden, pa.large_binary() if _is_binary(column) else pa.large_string())


@lru_cache(maxsize=1)
def _pseudonyms(key: bytes) -> Pseudonyms:
    """Stretch a key once for all batches of a column: that takes longer than most batches."""
    return Pseudonyms(key)


def _arrow(column: Any) -> Any:
    """Return what is given as an `Array` or a `ChunkedArray` that can be read, or raise."""
    if hasattr(column, "__arrow_c_stream__"):
        column = pa.chunked_array(column)
        if pa.types.is_struct(column.type) and column.type.num_fields == 1:  # a query's only column
            column = pc.struct_field(column, [0])
    elif hasattr(column, "__arrow_c_array__"):
        column = pa.array(column)
    else:
        given = type(column).__name__
        raise TypeError(f"expected an Arrow array, got {given}: pass `pa.array(values)`")
    if column.null_count == len(column) > 0:  # whatever its type: pandas has NaN for no text
        nulls = pa.nulls(len(column))
        return nulls if isinstance(column, pa.Array) else pa.chunked_array([nulls])
    if _values_type(column) not in _TEXTS and not _is_binary(column):
        raise TypeError(f"expected an Arrow array of strings or binary, got {column.type}")
    return column


def _values_type(column: Any) -> Any:
    return column.type.value_type if pa.types.is_dictionary(column.type) else column.type


def _is_binary(column: Any) -> bool:
    kind = _values_type(column)
    return kind in _BYTES or pa.types.is_fixed_size_binary(kind)


def _wide(values: Any) -> Any:
    """Return values, which are no dictionary, in one of two types."""
    return values.cast(pa.large_binary() if _is_binary(values) else pa.large_string())


def _by_entry(column: Any, answer: Callable[[Any], Any], kind: Any) -> Any:
    """Give the values of a column to `answer`, so many at a time; of a dictionary its entries."""

    def answers(values: Any) -> Any:
        size = max(values.nbytes, 1)
        step = max(min(_ROWS, _PIECE * len(values) // size), 1)
        starts = range(0, len(values), step)
        slices = [answer(_wide(values.slice(start, step))) for start in starts]
        return pa.concat_arrays(slices) if slices else pa.array([], kind)

    chunks = [column] if isinstance(column, pa.Array) else column.chunks
    if not pa.types.is_dictionary(column.type):
        return _like(column, [answers(chunk) for chunk in chunks], kind)
    entries = [_wide(chunk.dictionary) for chunk in chunks]
    if 2 * sum(map(len, entries)) > len(column):  # hardly a row repeats another
        results = [answers(own.take(c.indices)) for own, c in zip(entries, chunks, strict=True)]
    else:  # and the dictionaries of chunks have most entries in common
        once = pa.chunked_array(entries).dictionary_encode().combine_chunks()
        by_entry = answers(once.dictionary).take(once.indices)
        starts = accumulate(map(len, entries), initial=0)
        own_answers = [by_entry.slice(start) for start in starts]
        results = [own.take(c.indices) for own, c in zip(own_answers, chunks, strict=False)]
    return _like(column, results, kind)


def _like(column: Any, results: list[Any], kind: Any) -> Any:
    """Return results, one for each chunk, in the form of the column."""
    return results[0] if isinstance(column, pa.Array) else pa.chunked_array(results, kind)


# --- some rows: `large_string` or `large_binary` --------------------------------------------------


def _python(values: Any) -> list[Any]:
    """Return values as Python objects; a text that is not UTF-8 as its bytes."""
    try:
        return list(values.to_pylist())
    except UnicodeDecodeError:
        return [_text_or_bytes(value) for value in values.cast(pa.large_binary()).to_pylist()]


def _text_or_bytes(value: bytes | None) -> str | bytes | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return value


def _value(column: Any, row: int) -> str | bytes | None:
    values = column.slice(row, 1)
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    value: str | bytes | None = _python(_wide(values))[0]
    return value


def _ids_of_texts(texts: Any) -> Any:
    too_long = pc.greater(pc.binary_length(texts), MAX_LENGTH)
    short = pc.replace_with_mask(texts, too_long, pa.scalar(None, texts.type))
    pending = map(inet_pton, repeat(AF_INET6), _python(short))
    packed: list[bytes] = []
    while len(packed) < len(texts):
        try:
            packed.extend(pending)  # up to a text that is refused; what came before it stays
        except (OSError, ValueError, TypeError):
            packed.append(_REFUSED)
    return _ids(b"".join(packed))


def _ids_of_bytes(values: Any) -> Any:
    has_16 = pc.equal(pc.binary_length(values), ADDRESS_BYTES).fill_null(False)
    return _ids(pc.if_else(has_16, values, _REFUSED).cast(pa.binary(ADDRESS_BYTES)).buffers()[1])


def _ids(packed: Any) -> Any:
    """Return the network IDs of packed addresses, one after another; null where one is foreign."""
    data = memoryview(packed)
    is_private = pc.equal(_numbers(data, 0, pa.uint16()), PREFIX)
    return pc.if_else(is_private, _numbers(data, 2, pa.uint32()), None)


def _numbers(addresses: memoryview, start: int, kind: Any) -> Any:
    """Return the number that stands at byte `start` of each address."""
    width = kind.bit_width // 8
    count = len(addresses) // ADDRESS_BYTES
    cut = bytearray(count * width)
    for i in range(width):
        place = i if sys.byteorder == "big" else width - 1 - i
        cut[place::width] = addresses[start + i :: ADDRESS_BYTES]
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(cut)])


def _written(ids: Any) -> Any:
    """Return the texts of network IDs: the two groups of each are looked up."""
    groups = _hex_groups()
    high, low = pc.divide(ids, 65536), pc.bit_wise_and(ids, 65535)
    return pc.binary_join_element_wise(groups.take(high), groups.take(low), ":")


@cache
def _hex_groups() -> Any:
    return pa.array(hex_groups(), pa.string())


def _reasons(values: Any, *, packed: bool) -> Any:
    return pa.array([refusal(value, packed=packed) for value in _python(values)], pa.string())


def _joined(values: Any) -> tuple[Any, bytes]:
    """Return values without nulls, and the same as bytes with a line feed between each two."""
    rows = values.cast(pa.large_binary()).fill_null(b"")
    newline = pa.scalar(b"\n", pa.large_binary())
    in_one_list = pa.ListArray.from_arrays([0, len(rows)], rows)
    return rows, pc.binary_join(in_one_list, newline)[0].as_py()


def _found(values: Any) -> Any:
    rows, joined = _joined(values)
    lengths = pc.binary_length(rows)
    text: str | bytes = joined
    if not _is_binary(values):
        try:
            text = joined.decode()
        except UnicodeDecodeError:
            texts = [row.decode(errors="replace") for row in rows.to_pylist()]
            return _found(pa.array(texts, pa.large_string(), mask=values.is_null()))
        lengths = pc.utf8_length(values.fill_null(""))
    found = find_in_rows(text, pc.cumulative_sum(pc.add(lengths, 1)).to_pylist())
    structs = pa.StructArray.from_arrays(
        [
            pa.array(found.texts(), pa.string()),
            _ids(b"".join(found.packed)),
            pa.array(found.starts, pa.int64()),
            pa.array(found.prefix_lengths, pa.uint8()),
        ],
        fields=[*_FOUND],
    )
    counts = [0] * len(rows)
    for row in found.rows:
        counts[row] += 1
    offsets = pa.array([0, *accumulate(counts)], pa.int32())
    return pa.ListArray.from_arrays(offsets, structs, mask=values.is_null())


def _hidden(values: Any, *, pseudonyms: Pseudonyms) -> Any:
    rows, joined = _joined(values)
    hidden = pseudonyms.hide_text(joined.decode(errors="surrogateescape"))
    lines = iter(hidden.encode(errors="surrogateescape").split(b"\n"))
    line_feeds = pc.count_substring(rows, "\n").to_pylist()
    texts = [b"\n".join(islice(lines, count + 1)) for count in line_feeds]
    # Not checked: what was no UTF-8 before is none now.
    return pa.array(texts, pa.large_binary(), mask=values.is_null()).cast(values.type, safe=False)
