"""Many addresses at once: the columns of an engine, each with one vocabulary.

`sql` defines the functions of a database in one of `DIALECTS`; `inline_sql` returns one of them as
an expression, and `dbt_macros` all of them as macros of dbt. The engines of Python have a module
each: `fdaa.columns.arrow`, `fdaa.columns.pandas`, `fdaa.columns.polars` and `fdaa.columns.sqlite`;
and `fdaa.columns.duckdb` and `fdaa.columns.spark` add what SQL alone cannot do.
"""

from fdaa._support.exports import publish as _publish
from fdaa.columns._engines import DIALECTS, Dialect
from fdaa.columns._sql import dbt_macros, inline_sql, sql

__all__ = ["DIALECTS", "Dialect", "dbt_macros", "inline_sql", "sql"]

_publish(__name__)
