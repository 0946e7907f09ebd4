"""Columns of addresses in Polars, as expressions.

Importing this module adds the namespace `fdaa` to expressions and to `Series`. A column of `String`
(or `Categorical`, or `Enum`) has texts of addresses, one of `Binary` their 16 bytes. Type checkers
cannot see an added namespace, but they can see the class: `FdaaExpr(pl.col("ip")).network_id()` is
`pl.col("ip").fdaa.network_id()`.

>>> import polars as pl, fdaa.columns.polars
>>> frame = pl.DataFrame({"ip": ["fdaa:2:45b::3", "10.0.0.1", None]})
>>> frame.select(pl.col("ip").fdaa.network_id_int())["ip"].to_list()
[132187, None, None]
>>> frame["ip"].fdaa.network_id().to_list()
['2:45b', None, None]
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from fdaa._support.exports import publish
from fdaa._support.extras import needs_extra
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES, ID_BYTES
from fdaa._values.checks import check_type
from fdaa._values.errors import AddressError
from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.columns._rows import hex_groups
from fdaa.columns._versions import require
from fdaa.scan import Pseudonyms

with needs_extra("fdaa.columns.polars", "polars"):
    import polars as pl

    from fdaa.columns import arrow

require(pl, "2.1")

__all__ = ["FdaaExpr", "FdaaSeries"]

# Where the second and the third part of an address stand, however long a text is. The expressions
# look no further than an address can reach either.
_TWO_GROUPS = (len("fdaa:"), len("ffff:ffff"))


@pl.api.register_expr_namespace("fdaa")
class FdaaExpr:
    """The namespace `fdaa` of an expression: `pl.col("ip").fdaa`.

    A column of another type raises a `TypeError` when the query is planned. `network_id_int` and
    `network_id` are native; the others call `fdaa.columns.arrow`, once for each batch of rows.
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def network_id_int(self, *, strict: bool = False) -> pl.Expr:
        """Return the network IDs (specification, section 2.3) as numbers, `UInt32`.

        Args:
            strict: fail with the error of the first refused value, as a `ComputeError`. This calls
                Python.
        """
        if strict:
            return self._by_batch(_strict, pl.UInt32())
        return self._expression.pipe_with_dtype(_network_id_int)

    def network_id(self) -> pl.Expr:
        """Return the network IDs as fdaa prints them: `2:45b`."""
        return self._expression.pipe_with_dtype(_network_id)

    def address(self) -> pl.Expr:
        """Return each address in the spelling of RFC 5952."""
        return self._by_batch(arrow.addresses, pl.String())

    def key(self) -> pl.Expr:
        """Return the 16 bytes of each address as `Binary`: to join on, and to sort."""
        return self._by_batch(arrow.keys, pl.Binary())

    def refusals(self) -> pl.Expr:
        """Return why each value is not a private address, else null."""
        return self._by_batch(arrow.refusals, pl.String())

    def find(self) -> pl.Expr:
        """Return a list of the addresses in each text, as `fdaa.columns.arrow.find` does."""
        return self._by_batch(arrow.find, _found())

    def pseudonymize(self, pseudonyms: Pseudonyms) -> pl.Expr:
        """Replace each address in each row by its pseudonym, as `fdaa scan --pseudonymize` does."""
        check_type(pseudonyms, "pseudonyms", Pseudonyms)
        return self._by_batch(partial(arrow.pseudonymize, pseudonyms=pseudonyms), None)

    def _by_batch(self, function: Callable[[Any], Any], result: pl.DataType | None) -> pl.Expr:
        values = self._expression.pipe_with_dtype(_readable)
        return values.map_batches(partial(_by_arrow, function), result, is_elementwise=True)


@pl.api.register_series_namespace("fdaa")
class FdaaSeries:
    """The namespace `fdaa` of a `Series`; the methods are those of `FdaaExpr`."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def network_id_int(self, *, strict: bool = False) -> pl.Series:
        """Return the network IDs as numbers, `UInt32`."""
        return self._select(FdaaExpr(pl.first()).network_id_int(strict=strict))

    def network_id(self) -> pl.Series:
        """Return the network IDs as fdaa prints them: `2:45b`."""
        return self._select(FdaaExpr(pl.first()).network_id())

    def address(self) -> pl.Series:
        """Return each address in the spelling of RFC 5952."""
        return self._select(FdaaExpr(pl.first()).address())

    def key(self) -> pl.Series:
        """Return the 16 bytes of each address as `Binary`."""
        return self._select(FdaaExpr(pl.first()).key())

    def refusals(self) -> pl.Series:
        """Return why each value is not a private address; null where it is one."""
        return self._select(FdaaExpr(pl.first()).refusals())

    def find(self) -> pl.Series:
        """Return a list of the addresses in each text."""
        return self._select(FdaaExpr(pl.first()).find())

    def pseudonymize(self, pseudonyms: Pseudonyms) -> pl.Series:
        """Replace each address in each row by its pseudonym."""
        return self._select(FdaaExpr(pl.first()).pseudonymize(pseudonyms))

    def _select(self, expression: pl.Expr) -> pl.Series:
        return self._series.to_frame().select(expression).to_series()


# --- expressions ----------------------------------------------------------------------------------


def _readable(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Return values as `String` or `Binary`."""
    if dtype in (pl.String, pl.Binary):
        return values
    if dtype in (pl.Categorical, pl.Enum, pl.Null):
        return values.cast(pl.String)
    raise TypeError(f"expected a column of String or Binary, got {dtype}")


def _network_id_int(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    values = _readable(values, dtype)
    if dtype == pl.Binary:
        return _of_packed(values)
    return _of_texts(values)


def _network_id(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    groups = pl.lit(_hex_groups())
    high = groups.gather(pl.field("id") // 65536)
    low = groups.gather(pl.field("id") % 65536)
    text = pl.concat_str(high, pl.lit(":"), low)
    read = pl.struct(id=_network_id_int(values, dtype))  # once
    return _named_as(values, read.struct.with_fields(text=text).struct.field("text"))


def _named_as(values: pl.Expr, results: pl.Expr) -> pl.Expr:
    name = values.meta.output_name(raise_if_undetermined=False)
    if name is None:  # the elements of a list have none
        return results
    return results.alias(name)


def _of_packed(packed: pl.Expr) -> pl.Expr:
    is_address = packed.bin.size() == ADDRESS_BYTES
    is_private = is_address.and_(packed.bin.starts_with(FDAA_BYTES))
    cut = packed.bin.slice(ID_BYTES.start, ID_BYTES.stop - ID_BYTES.start)
    return pl.when(is_private).then(cut.bin.reinterpret(dtype=pl.UInt32, endianness="big"))


def _of_texts(texts: pl.Expr) -> pl.Expr:
    parts = texts.str.slice(*_TWO_GROUPS).str.splitn(":", 3)
    network_id = (_group("field_0") * 65536 + _group("field_1")).cast(pl.UInt32, strict=False)
    read = parts.struct.with_fields(id=network_id).struct.field("id")  # once: GROUP BY needs it
    zero = texts.str.find(ZERO)  # where it matches: at 0, which is the network ID
    is_no_other = texts.str.contains(ADDRESS).ne_missing(True)
    return pl.when(is_no_other).then(zero).otherwise(read)


def _group(field: str) -> pl.Expr:
    """Return the number of a part; an empty one is 0."""
    return pl.field(field).str.to_integer(base=16, strict=False).fill_null(0)


@cache
def _hex_groups() -> pl.Series:
    return pl.Series(hex_groups())


# --- batches of rows ------------------------------------------------------------------------------


@cache
def _found() -> pl.DataType:
    """Return the type of what `arrow.find` returns."""
    return _by_arrow(arrow.find, pl.Series(dtype=pl.String)).dtype


def _strict(column: Any) -> Any:
    """Return the network IDs of a column of Arrow, or raise the error of the first refused value.

    Polars rebuilds an error from its message alone, so it must be one of Polars' own types.
    """
    try:
        return arrow.network_id_ints(column, strict=True)
    except AddressError as error:
        raise pl.exceptions.ComputeError(str(error)) from None


def _by_arrow(function: Callable[[Any], Any], values: pl.Series) -> pl.Series:
    """Apply a function of Arrow to a batch."""
    return pl.Series(values.name, function(values.to_arrow()))


publish(__name__)
del publish
