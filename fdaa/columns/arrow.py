"""Columns of addresses in Arrow.

A column of strings has texts of addresses; one of binary has their 16 bytes, or for `find` any
text. Everything here takes an `Array`, a `ChunkedArray`, or any object with the Arrow PyCapsule
interface: a column of pandas or Polars, a DuckDB result of one column. Other arguments, and columns
of another type, raise a `TypeError`. In a column with many equal values, each value is read once.
The result is an `Array` for an `Array`, else a `ChunkedArray`. Null gives null; where addresses are
read, so does a value that is not a private address.

>>> import pyarrow as pa
>>> column = pa.array(["fdaa:2:45b::3", "10.0.0.1", None])
>>> network_id_ints(column).to_pylist()
[132187, None, None]
>>> network_ids(column).to_pylist()
['2:45b', None, None]
>>> refusals(column).to_pylist()
[None, 'this is an IPv4 address; private addresses are IPv6', None]
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from fdaa._support.exports import publish
from fdaa._values.checks import check_type
from fdaa.columns import _arrow_values
from fdaa.columns._arrow_values import Column
from fdaa.columns._rows import check
from fdaa.scan import Pseudonyms

__all__ = [
    "addresses",
    "find",
    "keys",
    "network_id_ints",
    "network_ids",
    "pseudonymize",
    "refusals",
]


def network_id_ints(column: Any, *, strict: bool = False) -> Column:
    """Return the network IDs (specification, section 2.3) of a column as numbers, `uint32`.

    Args:
        column: strings, or binary of 16 bytes.
        strict: raise the error of the first refused value.

    Raises:
        AddressError: with `strict`, a value is not a private address.
    """
    column = _arrow_values.read(column)
    ids = _of_addresses(column, _arrow_values.ids, _arrow_values.ID)
    if strict:
        refused = column.filter(ids.is_null()).cast(_arrow_values.value_type(column)).drop_null()
        for value in _arrow_values.python_values(refused[:1]):
            check(value)
    return ids


def network_ids(column: Any) -> Column:
    """Return the network IDs of a column as `large_string`, as fdaa prints them: `2:45b`."""
    column = _arrow_values.read(column)
    return _of_addresses(column, _arrow_values.network_ids, _arrow_values.TEXT)


def addresses(column: Any) -> Column:
    """Return each address in the spelling of RFC 5952, as `large_string`.

    >>> import pyarrow as pa
    >>> addresses(pa.array(["FDAA:2:045B::3", "x"])).to_pylist()
    ['fdaa:2:45b::3', None]
    """
    column = _arrow_values.read(column)
    return _arrow_values.apply(column, _arrow_values.addresses, _arrow_values.TEXT)


def keys(column: Any) -> Column:
    """Return the 16 bytes of each address as `binary(16)`: to join on, and to sort.

    >>> import pyarrow as pa
    >>> keys(pa.array(["FDAA:2:045B::3"]))[0].as_py().hex()
    'fdaa0002045b00000000000000000003'
    """
    column = _arrow_values.read(column)
    return _of_addresses(column, _arrow_values.keys, _arrow_values.PACKED)


def _of_addresses(column: Column, function: Callable[[Any], Any], result_type: Any) -> Column:
    """Apply a function that calls Python for text only: bytes are cut by functions of Arrow."""
    is_text = _arrow_values.value_type(column) == _arrow_values.TEXT
    return _arrow_values.apply(column, function, result_type, encode=is_text)


def refusals(column: Any) -> Column:
    """Return why each value is not a private address, as `large_string`; null where it is one."""
    column = _arrow_values.read(column)
    return _arrow_values.apply(column, _arrow_values.refusals, _arrow_values.TEXT)


def find(column: Any) -> Column:
    """Find the addresses in the text of each row, as `fdaa.scan.find_addresses` does.

    It needs memory for a megabyte of the column, or for its longest row; and up to 40 MB for the
    addresses that it remembers between calls.

    Args:
        column: strings or binary of any length, but not the 16 bytes of addresses.

    Returns:
        For each row a list of `kind` ("address" or "prefix"), `address` (its canonical text; null
        for a prefix), `network_id` (text), `network_id_int`, `prefix` (of an address: the /48 of
        its network) and `start` (in characters of a string, in bytes of binary).

    Raises:
        TypeError: `column` is the 16 bytes of addresses, or has another type.

    >>> import pyarrow as pa
    >>> ((match,), nothing, null) = find(pa.array(["[FDAA:2:45b::3]:80", "", None])).to_pylist()
    >>> match["kind"], match["address"], match["network_id"], match["network_id_int"]
    ('address', 'fdaa:2:45b::3', '2:45b', 132187)
    >>> match["prefix"], match["start"]
    ('fdaa:2:45b::/48', 1)
    """
    column = _arrow_values.read(column)
    if _arrow_values.value_type(column) == _arrow_values.PACKED:
        raise TypeError("binary(16) contains packed addresses, not text: use `addresses` or `keys`")
    return _arrow_values.apply(column, _arrow_values.found, _arrow_values.FOUND)


def pseudonymize(column: Any, pseudonyms: Pseudonyms) -> Column:
    """Replace each address in each row by its pseudonym.

    Equal keys give equal pseudonyms, here as in `fdaa scan --pseudonymize`. Two addresses are on
    one network exactly if their pseudonyms are. `Pseudonyms.reveal` returns the address of one.

    Args:
        column: strings or binary of any length, in which addresses are searched; or the 16 bytes of
            addresses, of which the 16 bytes of pseudonyms are made.
        pseudonyms: made with a secret.

    Returns:
        `large_string`, of binary `large_binary`, of `binary(16)` the same.

    >>> import pyarrow as pa
    >>> pseudonyms = Pseudonyms(b"a secret")
    >>> hidden = pseudonymize(pa.array(["fdaa:2:45b::3 to fdaa:2:45b::4"]), pseudonyms)
    >>> first, second = find(hidden)[0].as_py()
    >>> first["network_id_int"] == second["network_id_int"] != 0x2045b
    True
    >>> pseudonyms.reveal_text(hidden[0].as_py())
    'fdaa:2:45b::3 to fdaa:2:45b::4'
    """
    check_type(pseudonyms, "pseudonyms", Pseudonyms)
    column = _arrow_values.read(column)
    function = partial(_arrow_values.pseudonymized, pseudonyms=pseudonyms)
    return _arrow_values.apply(column, function, _arrow_values.value_type(column))


publish(__name__)
del publish
