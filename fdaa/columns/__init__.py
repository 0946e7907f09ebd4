"""Many addresses at once: the columns of an engine, each with one vocabulary.

`inline_sql` returns an expression in SQL, for one of `DIALECTS`; `sql` returns the statements that
keep such expressions as functions of a database. The engines of Python have a module each:
`fdaa.columns.arrow`, `fdaa.columns.pandas` and `fdaa.columns.polars`; and `fdaa.columns.duckdb`,
`fdaa.columns.spark` and `fdaa.columns.sqlite` add what SQL alone cannot do.
"""

from fdaa._support.exports import publish as _publish
from fdaa.columns._engines import DIALECTS, OPERATIONS, Dialect, Operation
from fdaa.columns._sql import inline_sql, sql

__all__ = ["DIALECTS", "OPERATIONS", "Dialect", "Operation", "inline_sql", "sql"]

_publish(__name__)
