"""The networks of an Arrow column, why a value is not an address, and the addresses inside text.

A column of strings has texts of addresses; one of binary has their 16 bytes, or for `find` any
text. Everything here takes an `Array`, a `ChunkedArray`, or any object with the Arrow PyCapsule
interface: a column of pandas or Polars, a DuckDB result of one column. Rows that share the entries
of a dictionary are read once. The result is an `Array` for an `Array`, else a `ChunkedArray`.

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
from array import array
from collections import Counter
from functools import cache, lru_cache, partial
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING, Any

from fdaa._bits import ADDRESS_BYTES, FDAA_BYTES
from fdaa._extras import missing_extra
from fdaa._text import AF_INET6, inet_pton
from fdaa.address import Address
from fdaa.columns._rows import check, hex_groups, refusal
from fdaa.scan import Pseudonyms
from fdaa.scan.engine import find_in_rows

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as error:
    raise missing_extra("fdaa.columns.arrow", "arrow", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = 8192  # Python objects at a time: few enough for the processor's cache
_PIECE = 1024 * 1024  # bytes of text that are searched at once, or one row
_PACKED = pa.binary(ADDRESS_BYTES)
_TEXTS = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())
_FOUND = pa.struct(
    {
        "address": pa.large_string(),
        "network_id": pa.uint32(),
        "start": pa.int64(),
        "prefix_length": pa.uint8(),
    }
)


def network_ids(column: Any, *, strict: bool = False) -> Any:
    """Return the network IDs (specification, section 2.3) of a column as `uint32`.

    Null gives null, and so does anything that is not a private address: text that `Address`
    rejects, or bytes that `Address.from_bytes` rejects.

    Args:
        column: strings, or binary of 16 bytes.
        strict: raise the error of the first rejected value.

    Raises:
        AddressError: with `strict`, a value is not a private address.
        TypeError: `column` is not Arrow data, or has another type.
    """
    column = _arrow(column)
    ids = _by_entry(column, _ids, pa.uint32())
    if strict:
        refused = column.filter(ids.is_null()).cast(_value_type(column)).drop_null()
        for value in _python(refused[:1]):
            check(value)
    return ids


def networks(column: Any) -> Any:
    """Return the network IDs of a column as `large_string`, as fdaa prints them: `2:45b`.

    Args:
        column: as in `network_ids`.

    Raises:
        TypeError: as `network_ids`.
    """
    return _by_entry(_arrow(column), _networks, pa.large_string())


def refusals(column: Any) -> Any:
    """Return why each value is not a private address, as `large_string`; null where it is one.

    Args:
        column: as in `network_ids`.

    Raises:
        TypeError: as `network_ids`.
    """
    return _by_entry(_arrow(column), _refusals, pa.large_string())


def find(column: Any) -> Any:
    """Find the addresses in the text of each row, as `fdaa.scan.find_addresses` does.

    It needs memory for a megabyte of the column, or for its longest row; and, as `find_in_rows`, up
    to 40 MB for the addresses that it remembers between calls.

    Args:
        column: strings or binary of any length.

    Returns:
        For each row a list of `address` (its canonical text), `network_id`, `start` (in characters
        of a string, in bytes of binary) and `prefix_length` (null where it is an address).

    Raises:
        TypeError: `column` is not Arrow data, or has another type.

    >>> find(pa.array(["dial [FDAA:2:45b::3]:80", "", None])).to_pylist()[0]
    [{'address': 'fdaa:2:45b::3', 'network_id': 132187, 'start': 6, 'prefix_length': None}]
    """
    return _by_entry(_arrow(column), _found, pa.large_list(_FOUND))


def pseudonymize(column: Any, key: str | bytes) -> Any:
    """Replace each address in the text of each row by its pseudonym.

    Equal keys give equal pseudonyms, here as in `fdaa scan --pseudonymize`. Two addresses are on
    one network exactly if their pseudonyms are.

    Args:
        column: as in `find`; or 16 bytes, of which those of an address become 16 others.
        key: text (encoded as UTF-8) or bytes. Anyone who can guess it can reveal the
            addresses.

    Returns:
        `large_string`, of binary `large_binary`, of `binary(16)` the same.

    Raises:
        TypeError: as `find`.
        TypeError: `key` is neither text nor bytes.
        ValueError: `key` is empty.

    >>> hidden = pseudonymize(pa.array(["fdaa:2:45b::3 to fdaa:2:45b::4"]), b"a secret")
    >>> first, second = find(hidden)[0].as_py()
    >>> first["network_id"] == second["network_id"] != 0x2045b
    True
    """
    column = _arrow(column)
    value_type = _value_type(column)
    function = _hidden_packed if value_type == _PACKED else _hidden
    return _by_entry(column, partial(function, pseudonyms=_pseudonyms(key)), value_type)


@lru_cache(maxsize=1)
def _pseudonyms(key: str | bytes) -> Pseudonyms:
    """Stretch a key once for all batches of a column: that takes longer than most batches."""
    return Pseudonyms(key)


def _arrow(column: Any) -> Any:
    """Return the input as an `Array` or a `ChunkedArray` of three types of values, or raise.

    They are `large_string`, `large_binary` and binary of 16 bytes; a dictionary stays one.
    """
    if hasattr(column, "__arrow_c_stream__"):
        column = pa.chunked_array(column)
        if pa.types.is_struct(column.type) and column.type.num_fields == 1:  # a query's only column
            column = pc.struct_field(column, [0])
    elif hasattr(column, "__arrow_c_array__"):
        column = pa.array(column)
    else:
        given = type(column).__name__
        raise TypeError(f"expected an Arrow array, got {given}: pass `pa.array(values)`")
    value_type = _value_type(column)
    if value_type in _BYTES or pa.types.is_fixed_size_binary(value_type):
        value_type = _PACKED if value_type == _PACKED else pa.large_binary()
    elif value_type in _TEXTS or column.null_count == len(column) > 0:  # pandas: NaN for no text
        value_type = pa.large_string()
    else:
        raise TypeError(f"expected an Arrow array of strings or binary, got {column.type}")
    if pa.types.is_dictionary(column.type):
        value_type = pa.dictionary(column.type.index_type, value_type)
    return column.cast(value_type)


def _value_type(column: Any) -> Any:
    return column.type.value_type if pa.types.is_dictionary(column.type) else column.type


def _is_binary(column: Any) -> bool:
    return bool(_value_type(column) != pa.large_string())


def _by_entry(column: Any, function: Callable[[Any], Any], result_type: Any) -> Any:
    """Apply a function to some values of a column at a time; of a dictionary to its entries."""

    def apply(values: Any) -> Any:
        step = max(min(_ROWS, _PIECE * len(values) // max(values.nbytes, 1)), 1)
        starts = range(0, len(values), step)
        slices = [function(values.slice(start, step)) for start in starts]
        return pa.concat_arrays(slices) if slices else pa.array([], result_type)

    chunks = [column] if isinstance(column, pa.Array) else column.chunks
    is_dictionary = pa.types.is_dictionary(column.type)
    if is_dictionary and 0 < 2 * sum(len(chunk.dictionary) for chunk in chunks) < len(column):
        # The dictionaries of chunks have most entries in common.
        entries = pa.chunked_array([chunk.dictionary for chunk in chunks]).dictionary_encode()
        results = apply(entries.chunk(0).dictionary)
        pairs = zip(entries.chunks, chunks, strict=True)
        applied = [results.take(own.indices).take(chunk.indices) for own, chunk in pairs]
    else:  # hardly a row repeats another
        applied = [apply(chunk.cast(_value_type(column))) for chunk in chunks]
    return applied[0] if isinstance(column, pa.Array) else pa.chunked_array(applied, result_type)


# --- some rows: `large_string`, `large_binary` or binary of 16 bytes -----------------------------


def _python(values: Any) -> list[Any]:
    """Return values as Python objects; of a text that is not UTF-8, wrong bytes as surrogates."""
    try:
        return list(values.to_pylist())
    except UnicodeDecodeError:
        rows = values.cast(pa.large_binary()).to_pylist()
        return [None if row is None else row.decode(errors="surrogateescape") for row in rows]


def _packed(texts: Any) -> Any:
    """Return the 16 bytes of the IPv6 addresses in texts; null for other texts."""
    pending = map(inet_pton, repeat(AF_INET6), _python(texts))
    packed: list[bytes | None] = []
    while len(packed) < len(texts):
        try:
            packed.extend(pending)  # up to a text that is refused; what came before it stays
        except (OSError, ValueError, TypeError):
            packed.append(None)
    return pa.array(packed, _PACKED)


def _ids(values: Any) -> Any:
    if not _is_binary(values):
        values = _packed(values)
    elif values.type != _PACKED:
        is_address = pc.equal(pc.binary_length(values), ADDRESS_BYTES)
        values = pc.if_else(is_address, values, None).cast(_PACKED)
    numbers = array("I", pc.binary_slice(values, 2, 6).buffers()[1].to_pybytes())
    if sys.byteorder == "little":
        numbers.byteswap()
    ids = pa.Array.from_buffers(pa.uint32(), len(values), [None, pa.py_buffer(numbers)])
    return pc.if_else(pc.equal(pc.binary_slice(values, 0, 2), FDAA_BYTES), ids, None)


def _networks(values: Any) -> Any:
    """Return the texts of network IDs: the two groups of each are looked up."""
    ids, groups = _ids(values), _hex_groups()
    high, low = pc.divide(ids, 65536), pc.bit_wise_and(ids, 65535)
    colon = pa.scalar(":", pa.large_string())
    return pc.binary_join_element_wise(groups.take(high), groups.take(low), colon)


@cache
def _hex_groups() -> Any:
    return pa.array(hex_groups(), pa.large_string())


def _refusals(values: Any) -> Any:
    return pa.array(map(refusal, _python(values)), pa.large_string())


def _found(values: Any) -> Any:
    rows = _python(values)
    found = find_in_rows(rows)
    counts = Counter(found.pop("row"))
    structs = pa.RecordBatch.from_pydict(found, schema=pa.schema(_FOUND)).to_struct_array()
    offsets = accumulate(map(counts.__getitem__, range(len(rows))), initial=0)
    offsets = pa.array(offsets, pa.int64())
    return pa.LargeListArray.from_arrays(offsets, structs, mask=values.is_null())


def _hidden_packed(values: Any, *, pseudonyms: Pseudonyms) -> Any:
    return pa.array([_hide_packed(row, pseudonyms) for row in values.to_pylist()], _PACKED)


def _hide_packed(packed: bytes | None, pseudonyms: Pseudonyms) -> bytes | None:
    """Return the 16 bytes of the pseudonym; other bytes as they are."""
    if packed is None or not packed.startswith(FDAA_BYTES):
        return packed
    return pseudonyms.hide(Address.from_bytes(packed)).packed


def _hidden(values: Any, *, pseudonyms: Pseudonyms) -> Any:
    if _is_binary(values):
        is_packed = pc.equal(pc.binary_length(values), ADDRESS_BYTES)
        is_packed = pc.and_(is_packed, pc.starts_with(values, FDAA_BYTES))
        packed = _hidden_packed(values.filter(is_packed).cast(_PACKED), pseudonyms=pseudonyms)
        texts = _hidden_texts(pc.if_else(is_packed, b"", values), pseudonyms)
        return pc.replace_with_mask(texts, is_packed.fill_null(False), packed.cast(texts.type))
    return _hidden_texts(values, pseudonyms)


def _hidden_texts(values: Any, pseudonyms: Pseudonyms) -> Any:
    rows = [row or b"" for row in values.cast(pa.large_binary()).to_pylist()]
    hidden = pseudonyms.hide_text(b"\n".join(rows).decode(errors="surrogateescape"))
    lines = iter(hidden.encode(errors="surrogateescape").split(b"\n"))
    texts = [b"\n".join(islice(lines, row.count(b"\n") + 1)) for row in rows]
    # Not checked: text that was not UTF-8 before is not UTF-8 now.
    texts = pa.array(texts, pa.large_binary(), mask=values.is_null())
    return texts if _is_binary(values) else texts.cast(pa.large_string(), safe=False)
