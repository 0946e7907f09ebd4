"""The engines, a record each. What documents, tests and benchmarks say of one comes from here."""

from fdaa.columns._engines._engine import Definitions, Engine, Operation, Use
from fdaa.columns._engines.clickhouse import CLICKHOUSE
from fdaa.columns._engines.duckdb import DUCKDB
from fdaa.columns._engines.in_python import ARROW, PANDAS, POLARS, SQLITE
from fdaa.columns._engines.mariadb import MARIADB
from fdaa.columns._engines.postgresql import POSTGRESQL
from fdaa.columns._engines.spark import SPARK

__all__ = ["ENGINES", "Definitions", "Engine", "Operation", "Use"]

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
