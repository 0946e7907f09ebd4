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

from fdaa._support.exports import publish
from fdaa._support.extras import needs_extra
from fdaa._values.bits import ADDRESS_BYTES, FDAA_BYTES, ID_BYTES
from fdaa._values.errors import AddressError
from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.columns._rows import (
    SAMPLE,
    Replacement,
    check,
    find_in_rows,
    hex_groups,
    is_packed,
    is_repetitive,
    packed_ip,
    refusals,
    written,
)
from fdaa.columns._search import ANY_PLACE, BEFORE_RUN, NOT_PLAIN, PLACE, PLAIN_RUN
from fdaa.columns._versions import require
from fdaa.scan import Pseudonyms

with needs_extra("fdaa.columns.polars", "polars"):
    import polars as pl

require(pl, "2.1")

__all__ = ["FdaaExpr", "FdaaSeries"]

# Where the second and the third part of an address stand, however long a text is. The expressions
# look no further than an address can reach either.
_TWO_GROUPS = (len("fdaa:"), len("ffff:ffff"))
_FOUND = {
    "kind": pl.String,
    "address": pl.String,
    "network_id": pl.String,
    "network_id_int": pl.UInt32,
    "prefix": pl.String,
    "start": pl.Int64,
}


@pl.api.register_expr_namespace("fdaa")
class FdaaExpr:
    """The namespace `fdaa` of an expression: `pl.col("ip").fdaa`.

    A column of another type raises a `TypeError` when the query is planned. `network_id_int`,
    `network_id`, `prefix` and `same_network` are native; the others call Python, once for each
    batch of rows.
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

    def prefix(self) -> pl.Expr:
        """Return the /48 of each address's network: `fdaa:2:45b::/48`."""
        return self._expression.pipe_with_dtype(_prefix)

    def address(self) -> pl.Expr:
        """Return each address in the spelling of RFC 5952."""
        return self._by_batch(_address, pl.String())

    def key(self) -> pl.Expr:
        """Return the 16 bytes of each address as `Binary`: to join on, and to sort."""
        return self._by_batch(_key, pl.Binary())

    def same_network(self, other: pl.Expr | str) -> pl.Expr:
        """Return whether both addresses are on one network; null where one is not an address.

        Args:
            other: an expression or the name of a column.
        """
        if isinstance(other, str):
            other = pl.col(other)
        return self.network_id_int() == FdaaExpr(other).network_id_int()

    def refusals(self) -> pl.Expr:
        """Return why each value is not a private address, else null."""
        return self._by_batch(partial(_by_distinct, _refusals), pl.String())

    def find(self) -> pl.Expr:
        """Return a list of the addresses in each text, as `fdaa.scan.find_addresses` finds them.

        Each has `kind` ("address" or "prefix"), `address` (its canonical text; null for a prefix),
        `network_id` (text), `network_id_int`, `prefix` (of an address: the /48 of its network) and
        `start` (in characters of a `String`, in bytes of `Binary`).
        """
        return self._by_batch(partial(_by_distinct, _find), pl.List(pl.Struct(_FOUND)))

    def find_network_id_ints(self) -> pl.Expr:
        """Return a list of the network IDs of what `find` finds in a text, as numbers.

        For counts: native where a text is plain around its addresses, as most lines of logs are.
        Only the other texts are searched in Python.
        """
        return self._by_batch(_find_network_id_ints, pl.List(pl.UInt32()))

    def pseudonymize(self, pseudonyms: Pseudonyms) -> pl.Expr:
        """Replace each address in each row by its pseudonym, as `fdaa scan --pseudonymize` does.

        Args:
            pseudonyms: made with a secret.
        """
        return self._replaced(Replacement.pseudonymize(pseudonyms))

    def reveal(self, pseudonyms: Pseudonyms) -> pl.Expr:
        """Replace each pseudonym in each row by its address, in one spelling (RFC 5952).

        Args:
            pseudonyms: made with the secret that was used to pseudonymize.
        """
        return self._replaced(Replacement.reveal(pseudonyms))

    def _replaced(self, replacement: Replacement) -> pl.Expr:
        values = self._expression.pipe_with_dtype(_readable)
        replace = partial(_by_distinct, partial(_replace, replacement))
        return values.map_batches(replace, is_elementwise=True)

    def _by_batch(self, function: Callable[[pl.Series], pl.Series], result: pl.DataType) -> pl.Expr:
        values = self._expression.pipe_with_dtype(_readable)
        return values.map_batches(function, result, is_elementwise=True)


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

    def prefix(self) -> pl.Series:
        """Return the /48 of each address's network: `fdaa:2:45b::/48`."""
        return self._select(FdaaExpr(pl.first()).prefix())

    def address(self) -> pl.Series:
        """Return each address in the spelling of RFC 5952."""
        return self._select(FdaaExpr(pl.first()).address())

    def key(self) -> pl.Series:
        """Return the 16 bytes of each address as `Binary`."""
        return self._select(FdaaExpr(pl.first()).key())

    def same_network(self, other: pl.Series) -> pl.Series:
        """Return whether both addresses are on one network; null where one is not an address."""
        return self._select(FdaaExpr(pl.first()).same_network(pl.lit(other)))

    def refusals(self) -> pl.Series:
        """Return why each value is not a private address; null where it is one."""
        return self._select(FdaaExpr(pl.first()).refusals())

    def find(self) -> pl.Series:
        """Return a list of the addresses in each text."""
        return self._select(FdaaExpr(pl.first()).find())

    def find_network_id_ints(self) -> pl.Series:
        """Return a list of the network IDs of what `find` finds in each text, as numbers."""
        return self._select(FdaaExpr(pl.first()).find_network_id_ints())

    def pseudonymize(self, pseudonyms: Pseudonyms) -> pl.Series:
        """Replace each address in each row by its pseudonym."""
        return self._select(FdaaExpr(pl.first()).pseudonymize(pseudonyms))

    def reveal(self, pseudonyms: Pseudonyms) -> pl.Series:
        """Replace each pseudonym in each row by its address."""
        return self._select(FdaaExpr(pl.first()).reveal(pseudonyms))

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


def _prefix(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    network_id = _network_id(values, dtype)
    whole = pl.concat_str(pl.lit("fdaa:"), network_id, pl.lit("::/48"))
    return _named_as(values, whole.str.replace("(:0)+::", "::"))


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


def _strict(values: pl.Series) -> pl.Series:
    """Return the network IDs, or raise the error of the first refused value.

    Polars rebuilds an error from its message alone, so it must be one of Polars' own types.
    """
    ids = FdaaSeries(values).network_id_int()
    for value in values.filter(ids.is_null()).drop_nulls().head(1):
        try:
            check(value)
        except AddressError as error:
            raise pl.exceptions.ComputeError(str(error)) from None
    return ids


def _key(values: pl.Series) -> pl.Series:
    return pl.Series(values.name, _keys(values), pl.Binary)


def _address(values: pl.Series) -> pl.Series:
    return pl.Series(values.name, written(_keys(values)), pl.String)


def _keys(values: pl.Series) -> list[bytes | None]:
    rows = values.to_list()
    if values.dtype == pl.String:
        rows = packed_ip(rows)
    return [row if is_packed(row) else None for row in rows]


def _by_distinct(function: Callable[[pl.Series], pl.Series], values: pl.Series) -> pl.Series:
    """Apply a function that calls Python, once to equal values where many are equal."""
    sample = values.head(SAMPLE)
    if not is_repetitive(sample.n_unique(), len(sample)):
        return function(values)
    distinct = values.unique()
    results = pl.DataFrame({"value": distinct, "result": function(distinct)})
    rows = values.to_frame("value")
    joined = rows.join(results, on="value", how="left", nulls_equal=True, maintain_order="left")
    return joined["result"].alias(values.name)


def _refusals(values: pl.Series) -> pl.Series:
    return pl.Series(values.name, refusals(values.to_list()), pl.String)


def _replace(replacement: Replacement, values: pl.Series) -> pl.Series:
    return pl.Series(values.name, replacement.of_rows(values.to_list()), values.dtype)


def _find_network_id_ints(values: pl.Series) -> pl.Series:
    frame = values.to_frame("text").with_row_index("row")
    if values.dtype == pl.Binary:
        return _found_ids(frame)["ids"].alias(values.name)
    text = pl.col("text")
    has_some = text.str.contains(ANY_PLACE)
    list_type = pl.List(pl.UInt32)
    nulls = frame.filter(text.is_null()).select("row", ids=pl.lit(None, list_type))
    without = frame.filter(has_some.not_()).select("row", ids=pl.lit([], list_type))
    frame = frame.filter(has_some).with_columns(runs=text.str.extract_all(PLAIN_RUN))
    ids = pl.col("runs").list.eval(_of_texts(pl.element().str.replace(BEFORE_RUN, "")))
    frame = frame.with_columns(ids=ids)
    has_each_run = text.str.count_matches(PLACE) == pl.col("runs").list.len()
    is_refused = text.str.contains(NOT_PLAIN).or_(pl.col("ids").list.contains(None))
    frame = frame.with_columns(is_plain=has_each_run.and_(is_refused.not_()))
    plain = frame.filter("is_plain").select("row", "ids")
    others = _found_ids(frame.filter(pl.col("is_plain").not_()))
    found = pl.concat([nulls, without, plain, others])
    return found.sort("row")["ids"].alias(values.name)


def _found_ids(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the network IDs of what is found in texts, and their rows."""
    texts = frame["text"].to_list()
    found = find_in_rows(texts)
    ids: list[list[int] | None] = []
    for text in texts:
        if text is None:
            ids.append(None)
        else:
            ids.append([])
    for row, network_id in zip(found["row"], found["network_id_int"], strict=True):
        ids[row].append(network_id)
    return frame.select("row", ids=pl.Series(ids, dtype=pl.List(pl.UInt32)))


def _find(values: pl.Series) -> pl.Series:
    found = find_in_rows(values.to_list())
    index_type = pl.get_index_type()
    addresses = pl.DataFrame({"row": found.pop("row")}, {"row": index_type})
    addresses = addresses.with_columns(found=pl.DataFrame(found, _FOUND).to_struct())
    lists = addresses.group_by("row").agg("found")
    by_row = values.to_frame("value").with_row_index("row")
    by_row = by_row.join(lists, on="row", how="left", maintain_order="left")
    or_empty = pl.when(pl.col("value").is_not_null()).then(pl.col("found").fill_null([]))
    return by_row.select(or_empty.alias(values.name)).to_series()


publish(__name__)
del publish
