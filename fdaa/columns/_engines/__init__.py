"""The databases: for each one a file with its expressions."""

from fdaa.columns._engines._engine import DIALECTS, OPERATIONS, Dialect, Engine, Operation
from fdaa.columns._engines.clickhouse_sql import CLICKHOUSE
from fdaa.columns._engines.duckdb_sql import DUCKDB
from fdaa.columns._engines.postgresql_sql import POSTGRESQL
from fdaa.columns._engines.spark_sql import SPARK
from fdaa.columns._engines.sqlite_sql import SQLITE

__all__ = ["DIALECTS", "ENGINES", "OPERATIONS", "Dialect", "Engine", "Operation"]

ENGINES: dict[str, Engine] = {
    "clickhouse": CLICKHOUSE,
    "duckdb": DUCKDB,
    "postgresql": POSTGRESQL,
    "spark": SPARK,
    "sqlite": SQLITE,
}
