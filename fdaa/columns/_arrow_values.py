"""Arrow columns of every type as a few types of values, and a function over the values of one."""

import sys
from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from fdaa._support.extras import needs_extra
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES, ID_BYTES, MAX_GROUP
from fdaa._values.checks import wrong_type
from fdaa.columns._rows import (
    find_in_rows,
    hex_groups,
    packed_ip,
    pseudonymize_rows,
    refusal,
    written,
)
from fdaa.columns._versions import require
from fdaa.scan import Pseudonyms

with needs_extra("fdaa.columns.arrow", "arrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

require(pa, "18.0")

if TYPE_CHECKING:  # in pyarrow-stubs, they have the type of their values
    Column: TypeAlias = pa.Array[Any] | pa.ChunkedArray[Any]
else:
    Column = pa.Array | pa.ChunkedArray

ID = pa.uint32()
PACKED = pa.binary(ADDRESS_BYTES)
# Offsets of 64 bits: the reasons of 45,000,000 rows that share one entry have more than 2 GiB.
TEXT = pa.large_string()
BYTES = pa.large_binary()
FOUND = pa.large_list(
    pa.struct(
        {
            "kind": TEXT,
            "address": TEXT,
            "network_id": TEXT,
            "network_id_int": ID,
            "prefix": TEXT,
            "start": pa.int64(),
        }
    )
)

_ROWS = 8192  # Python objects at a time: few enough for the processor's cache
_SAMPLE = 8192  # rows that are looked at before a column is encoded
_PIECE = 1024 * 1024  # bytes of text that are searched at once, or one row
_TEXTS = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())


# --- columns --------------------------------------------------------------------------------------


def read(column: Any) -> Column:
    """Return the input as an `Array` or a `ChunkedArray` of three types of values, or raise.

    They are `large_string`, `large_binary` and binary of 16 bytes; a dictionary stays one.
    """
    column = _as_arrow(column)
    target = _readable_type(value_type(column))
    if target is None:
        return _as_nulls(column)
    if pa.types.is_dictionary(column.type):
        target = pa.dictionary(column.type.index_type, target)
    return column.cast(target)


def _as_arrow(column: Any) -> Column:
    if hasattr(column, "__arrow_c_stream__"):
        column = pa.chunked_array(column)
        if pa.types.is_struct(column.type) and column.type.num_fields == 1:  # a query's only column
            column = pc.struct_field(column, [0])
        return column
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    raise wrong_type(column, "column", "an Arrow array", "use pa.array(values)")


def _readable_type(given: Any) -> Any:
    """Return which of the three types stands for a type of values; None if none does."""
    if given == PACKED:
        return PACKED
    if given in _BYTES or pa.types.is_fixed_size_binary(given):
        return BYTES
    if given in _TEXTS:
        return TEXT
    return None


def _as_nulls(column: Any) -> Column:
    """Return a column without any value as texts, as pandas has NaN for no text; or raise."""
    if column.null_count < len(column):
        raise TypeError(f"expected an Arrow array of strings or binary, got {column.type}")
    return pc.if_else(column.is_null(), pa.scalar(None, TEXT), pa.scalar("", TEXT))


def value_type(column: Any) -> Any:
    """Return the type of the values, also of a dictionary's."""
    if pa.types.is_dictionary(column.type):
        return column.type.value_type
    return column.type


def apply(
    column: Any, function: Callable[[Any], Any], result_type: Any, *, encode: bool = True
) -> Column:
    """Apply a function to some values of a column at a time, and once to those that are equal.

    Args:
        column: as `read` returns it. Of a dictionary, the entries are read.
        function: takes an array of at most some thousand values, and returns their results.
        result_type: the type of the results.
        encode: make a dictionary of a column with many equal values: false where the function is
            faster than that.

    Returns:
        An `Array` for an `Array`, else a `ChunkedArray`.
    """
    if isinstance(column, pa.Array):
        chunked = pa.chunked_array([column])
        return apply(chunked, function, result_type, encode=encode).chunk(0)
    if pa.types.is_dictionary(column.type):
        column = _with_one_dictionary(column)
    elif encode and is_repetitive(column):
        column = column.dictionary_encode()
    results = []
    entries = None
    for chunk in column.chunks:
        if not pa.types.is_dictionary(chunk.type):
            results.append(_apply(chunk, function, result_type))
            continue
        if entries is None or not chunk.dictionary.equals(entries):
            entries = chunk.dictionary
            of_entries = _apply(entries, function, result_type)
        results.append(of_entries.take(chunk.indices))
    return pa.chunked_array(results, result_type)


def _with_one_dictionary(column: Any) -> Any:
    """Return a column whose chunks share a dictionary; without one if most entries are unused."""
    with suppress(pa.ArrowInvalid):  # Arrow cannot if an entry is null: the chunks keep their own
        column = column.unify_dictionaries()
    if column.num_chunks > 0 and len(column.chunk(0).dictionary) > len(column):
        return column.cast(value_type(column))
    return column


def is_repetitive(column: Any) -> bool:
    """Whether it pays to encode a column as a dictionary: a third of the time of reading it.

    At most one row in sixteen is looked at. In an unsorted column, a sample of twice as many rows
    has four times as many pairs of equal values.
    """
    count = len(column)
    sampled = min(_SAMPLE, count // 16)
    distinct = len(column.slice(count // 2, sampled).unique())
    return (sampled - distinct) * count > sampled * sampled


def _apply(values: Any, function: Callable[[Any], Any], result_type: Any) -> Any:
    rows_of_a_piece = _PIECE * len(values) // max(values.nbytes, 1)
    step = max(min(_ROWS, rows_of_a_piece), 1)
    starts = range(0, len(values), step)
    results = [function(values.slice(start, step)) for start in starts]
    if not results:
        return pa.array([], result_type)
    return pa.concat_arrays(results)


# --- some values: `large_string`, `large_binary` or binary of 16 bytes ---------------------------


def python_values(values: Any) -> list[Any]:
    """Return values as Python objects; of a text that is not UTF-8, wrong bytes as surrogates."""
    try:
        return list(values.to_pylist())
    except UnicodeDecodeError:
        rows = values.cast(BYTES).to_pylist()
        return _each(partial(bytes.decode, errors="surrogateescape"), rows)


def _each(convert: Callable[[Any], Any], values: list[Any]) -> list[Any]:
    """Return the result for each value; None stays None."""
    results: list[Any] = []
    for value in values:
        if value is None:
            results.append(None)
        else:
            results.append(convert(value))
    return results


def keys(values: Any) -> Any:
    """Return the 16 bytes of addresses; null for what is none."""
    if values.type == TEXT:
        values = pa.array(packed_ip(python_values(values)), PACKED)
    elif values.type != PACKED:
        is_address = pc.equal(pc.binary_length(values), ADDRESS_BYTES)
        values = pc.if_else(is_address, values, None).cast(PACKED)
    is_private = pc.equal(pc.binary_slice(values, 0, len(FDAA_BYTES)), FDAA_BYTES)
    return pc.if_else(is_private, values, pa.scalar(None, PACKED))


def ids(values: Any) -> Any:
    """Return the network IDs."""
    packed = keys(values)
    cut = pc.binary_slice(packed, ID_BYTES.start, ID_BYTES.stop)
    numbers = array("I", cut.buffers()[1].to_pybytes())
    if sys.byteorder == "little":
        numbers.byteswap()
    data = pa.py_buffer(numbers)
    all_ids = pa.Array.from_buffers(ID, len(packed), [None, data])
    return pc.if_else(packed.is_valid(), all_ids, None)


def network_ids(values: Any) -> Any:
    """Return the texts of network IDs: the two groups of each are looked up."""
    numbers = ids(values)
    groups = _hex_groups()
    high = groups.take(pc.divide(numbers, MAX_GROUP + 1))
    low = groups.take(pc.bit_wise_and(numbers, MAX_GROUP))
    return pc.binary_join_element_wise(high, low, pa.scalar(":", TEXT))


@cache
def _hex_groups() -> Any:
    return pa.array(hex_groups(), TEXT)


def addresses(values: Any) -> Any:
    """Return the canonical texts."""
    if values.type != TEXT:
        return pa.array(written(keys(values).to_pylist()), TEXT)
    texts = pa.array(written(packed_ip(python_values(values))), TEXT)
    return pc.if_else(pc.starts_with(texts, "fdaa:"), texts, pa.scalar(None, TEXT))


def refusals(values: Any) -> Any:
    """Return why values are no addresses; null where they are."""
    is_refused = pc.and_not(values.is_valid(), keys(values).is_valid())
    reasons = _each(refusal, python_values(values.filter(is_refused)))
    nulls = pa.nulls(len(values), TEXT)
    return pc.replace_with_mask(nulls, is_refused, pa.array(reasons, TEXT))


def found(values: Any) -> Any:
    """Return a list of the addresses in each text."""
    rows = python_values(values)
    columns = find_in_rows(rows)
    counts = Counter(columns.pop("row"))
    structs = pa.RecordBatch.from_pydict(columns, schema=pa.schema(FOUND.value_type))
    offsets = accumulate((counts[row] for row in range(len(rows))), initial=0)
    return pa.LargeListArray.from_arrays(
        pa.array(offsets, pa.int64()), structs.to_struct_array(), mask=values.is_null()
    )


def pseudonymized(values: Any, *, pseudonyms: Pseudonyms) -> Any:
    """Return values with pseudonyms in them; 16 bytes that are no address stay."""
    if values.type == PACKED:
        hidden = pseudonymize_rows(keys(values).to_pylist(), pseudonyms)
        return pc.coalesce(pa.array(hidden, PACKED), values)
    rows = pseudonymize_rows(python_values(values), pseudonyms)
    if values.type == BYTES:
        return pa.array(rows, BYTES)
    try:
        return pa.array(rows, TEXT)
    except UnicodeEncodeError:  # text that was not UTF-8 before is not UTF-8 now
        encoded = _each(partial(str.encode, errors="surrogateescape"), rows)
        return pa.array(encoded, BYTES).cast(TEXT, safe=False)
