"""Many addresses at once: the network IDs of a column, in the engine that holds it.

`ADDRESS` and `ZERO` are the grammar of a private address as two regular expressions, `sql` is what
a database needs to use them. The engines of Python have a module each: `fdaa.columns.arrow` (and
pandas through it), `fdaa.columns.polars` and `fdaa.columns.sqlite`.
"""

from fdaa.columns._grammar import ADDRESS, ZERO
from fdaa.columns._sql import Dialect, sql

__all__ = ["ADDRESS", "ZERO", "Dialect", "sql"]
