"""Columns of addresses in pandas, through Arrow.

Importing this module adds the accessor `fdaa` to `Series`: its methods call `fdaa.columns.arrow`.
Results keep the index and the name. Where a value is null or not an address, they are null: `NaN`
in texts (`str` of pandas), else `NA`. Type checkers cannot see an added accessor, but they can see
the class: `FdaaAccessor(series).network_id_int()`.

>>> import pandas as pd, fdaa.columns.pandas
>>> ip = pd.Series(["fdaa:2:45b::3", "10.0.0.1", None], index=[7, 8, 9], name="ip")
>>> ip.fdaa.network_id_int()
7    132187
8      <NA>
9      <NA>
Name: ip, dtype: UInt32
"""

from typing import Any

from fdaa._support.exports import publish
from fdaa._support.extras import needs_package
from fdaa.columns import arrow
from fdaa.columns._arrow_values import Column
from fdaa.columns._versions import require
from fdaa.scan import Pseudonyms

with needs_package("fdaa.columns.pandas", "pandas"):
    import pandas as pd
    import pyarrow as pa  # it is there: `arrow` has it

require(pd, "2.3")

__all__ = ["FdaaAccessor"]

_READABLE = ("string", "bytes", "empty")  # of a series of Python objects; the last one has nulls


@pd.api.extensions.register_series_accessor("fdaa")
class FdaaAccessor:
    """The accessor `fdaa` of a `Series` of texts, or of the 16 bytes of addresses.

    Raises:
        TypeError: a method is called, and the series has other values.
    """

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def network_id_int(self, *, strict: bool = False) -> pd.Series:
        """Return the network IDs (specification, section 2.3) as numbers, `UInt32`.

        Args:
            strict: raise the error of the first refused value.

        Raises:
            AddressError: with `strict`, a value is not a private address.
        """
        ids = arrow.network_id_ints(self._column(), strict=strict)
        return self._as_series(ids, pd.UInt32Dtype())

    def network_id(self) -> pd.Series:
        """Return the network IDs as fdaa prints them: `2:45b`."""
        return self._as_series(arrow.network_ids(self._column()))

    def address(self) -> pd.Series:
        """Return each address in the spelling of RFC 5952."""
        return self._as_series(arrow.addresses(self._column()))

    def key(self) -> pd.Series:
        """Return the 16 bytes of each address, as `binary(16)` of Arrow: to merge on, to sort."""
        return self._as_series(arrow.keys(self._column()))

    def refusals(self) -> pd.Series:
        """Return why each value is not a private address; null where it is one."""
        return self._as_series(arrow.refusals(self._column()))

    def find(self) -> pd.Series:
        """Return a list of the addresses in each text, as `fdaa.columns.arrow.find` does."""
        return self._as_series(arrow.find(self._column()))

    def pseudonymize(self, pseudonyms: Pseudonyms) -> pd.Series:
        """Replace each address in each row by its pseudonym, as `fdaa scan --pseudonymize` does."""
        return self._as_series(arrow.pseudonymize(self._column(), pseudonyms))

    def _column(self) -> Any:
        """Return the series as Arrow, or raise: of texts and bytes in one, Arrow makes bytes."""
        if self._series.dtype == "object":
            kind = pd.api.types.infer_dtype(self._series)
            if kind not in _READABLE:
                raise TypeError(f"expected a Series of str or of bytes, got {kind} values")
        return pa.array(self._series)  # pandas 2 has no interface for Arrow

    def _as_series(self, column: Column, dtype: Any = None) -> pd.Series:
        """Return a column as a series of a type; text as `str`, and others as Arrow's."""
        if dtype is None:
            dtype = pd.ArrowDtype(column.type)
            if column.type == "large_string":
                dtype = pd.StringDtype(na_value=float("nan"))
        made = column.to_pandas(types_mapper=lambda _: dtype)
        return pd.Series(made.array, index=self._series.index, name=self._series.name)


publish(__name__)
del publish
