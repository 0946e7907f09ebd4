"""The network IDs of a Polars column, as an expression of native operations.

Importing this module adds the namespace `fdaa` to expressions.

>>> import polars as pl, fdaa.columns.polars
>>> frame = pl.DataFrame({"ip": ["fdaa:2:45b::3", "10.0.0.1", None]})
>>> frame.select(pl.col("ip").fdaa.network_id())["ip"].to_list()
[132187, None, None]
"""

from __future__ import annotations

import polars as pl

from fdaa._text import extract_network_id
from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.errors import AddressError

# Where the second and the third part of an address stand, however long a text is. The expressions
# look no further than an address can reach either.
_TWO_GROUPS = (len("fdaa:"), len("ffff:ffff"))


@pl.api.register_expr_namespace("fdaa")
class FdaaExpressions:
    """What `pl.col("ip").fdaa` offers."""

    def __init__(self, expression: pl.Expr) -> None:
        self._text = expression

    def network_id(self, *, strict: bool = False) -> pl.Expr:
        """Return the network IDs (specification, section 2.3) as `UInt32`.

        Args:
            strict: let the query fail with the error of the first text that is refused, as a
                `ComputeError`. This calls Python, once for each batch of rows.
        """
        if strict:
            return self._text.map_batches(_strict, pl.UInt32, is_elementwise=True)
        parts = self._text.str.slice(*_TWO_GROUPS).str.splitn(":", 3)
        high, low = (
            pl.field(f"field_{i}").str.to_integer(base=16, strict=False).fill_null(0)
            for i in (0, 1)
        )
        network_id = (high * 65536 + low).cast(pl.UInt32, strict=False).alias("id")
        read = parts.struct.with_fields(network_id).struct.field(
            "id"
        )  # cut once: GROUP BY needs it
        zero = self._text.str.find(ZERO)  # where it matches: at 0, which is the network ID
        is_no_other = self._text.str.contains(ADDRESS).ne_missing(True)
        return pl.when(is_no_other).then(zero).otherwise(read)


def _strict(texts: pl.Series) -> pl.Series:
    """Return the network IDs, or raise the error of the first text that is refused.

    Polars makes an error anew from its message alone, so it has to be one of Polars' own.
    """
    ids = texts.to_frame("text").select(FdaaExpressions(pl.col("text")).network_id()).to_series()
    for text in texts.filter(ids.is_null()).drop_nulls().head(1):
        try:
            extract_network_id(text)
        except AddressError as error:
            raise pl.exceptions.ComputeError(str(error)) from None
    return ids
