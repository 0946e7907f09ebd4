"""The network IDs of a Polars column, as an expression of native operations.

Importing this module adds the namespace `fdaa` to expressions.

>>> import polars as pl, fdaa.columns.polars
>>> frame = pl.DataFrame({"ip": ["fdaa:2:45b::3", "10.0.0.1", None]})
>>> frame.select(pl.col("ip").fdaa.network_id())["ip"].to_list()
[132187, None, None]
"""

from __future__ import annotations

import polars as pl

from fdaa._text import MAX_LENGTH, extract_network_id
from fdaa.columns._grammar import ADDRESS, ZERO


@pl.api.register_expr_namespace("fdaa")
class FdaaExpressions:
    """What `pl.col("ip").fdaa` offers."""

    def __init__(self, expression: pl.Expr) -> None:
        self._text = expression

    def network_id(self, *, strict: bool = False) -> pl.Expr:
        """Return the network IDs (specification, section 2.3) as `UInt32`.

        Args:
            strict: raise the error of the first text that is refused, instead of null for it.
        """
        text = pl.when(self._text.str.len_bytes() <= MAX_LENGTH).then(self._text)
        parts = text.str.splitn(":", 4)
        high, low = (
            parts.struct.field(f"field_{i}")
            .str.to_integer(base=16, dtype=pl.UInt32, strict=False)
            .fill_null(0)
            for i in (1, 2)
        )
        ids: pl.Expr = (
            pl.when(text.str.contains(ZERO))
            .then(pl.lit(0, pl.UInt32))
            .when(text.str.contains(ADDRESS))
            .then(high * 65536 + low)
        )
        if strict:
            ids = pl.struct(self._text.alias("text"), ids.alias("id")).map_batches(
                _refuse_none, return_dtype=pl.UInt32, is_elementwise=True
            )
        return ids.name.keep()


def _refuse_none(rows: pl.Series) -> pl.Series:
    refused = rows.struct.field("text").filter(rows.struct.field("id").is_null()).drop_nulls()
    if len(refused):
        extract_network_id(refused[0])  # raises
    return rows.struct.field("id")
