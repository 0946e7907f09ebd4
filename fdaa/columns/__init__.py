"""Many addresses at once: the columns of an engine, each with one vocabulary.

`sql` defines the functions of a database in one of `DIALECTS`, and `inline_sql` returns one of them
as an expression. The engines of Python have a module each: `fdaa.columns.arrow`,
`fdaa.columns.pandas`, `fdaa.columns.polars` and `fdaa.columns.sqlite`; and `fdaa.columns.duckdb`
and `fdaa.columns.spark` add what SQL alone cannot do.
"""

from fdaa._public import publish as _publish
from fdaa.columns._engines import DIALECTS
from fdaa.columns._sql import inline_sql, sql

__all__ = ["DIALECTS", "inline_sql", "sql"]

_publish(__name__)
