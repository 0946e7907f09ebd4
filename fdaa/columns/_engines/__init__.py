"""The engines, a record each. What documents, tests and benchmarks say of one comes from here."""

from fdaa.columns._engines._engine import (
    AS_TEXT,
    DIALECTS,
    IN_SQL,
    Definitions,
    Dialect,
    Engine,
    Function,
    InSQL,
    Operation,
    Use,
)
from fdaa.columns._engines.clickhouse_sql import CLICKHOUSE
from fdaa.columns._engines.duckdb_sql import DUCKDB
from fdaa.columns._engines.in_python import ARROW, PANDAS, POLARS, SQLITE
from fdaa.columns._engines.mariadb_sql import MARIADB
from fdaa.columns._engines.postgresql_sql import POSTGRESQL
from fdaa.columns._engines.spark_sql import SPARK

__all__ = [
    "AS_TEXT",
    "DIALECTS",
    "ENGINES",
    "IN_SQL",
    "Definitions",
    "Dialect",
    "Engine",
    "Function",
    "InSQL",
    "Operation",
    "Use",
]

_RECORDS = (
    ARROW,
    PANDAS,
    POLARS,
    DUCKDB,
    SPARK,
    POSTGRESQL,
    CLICKHOUSE,
    MARIADB,
    SQLITE,
)
ENGINES = {record.name: record for record in _RECORDS}
