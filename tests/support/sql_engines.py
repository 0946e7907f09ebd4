"""Real databases, each with the functions or expressions of `fdaa sql`, and how each one starts.

A new one needs its expressions in `fdaa/columns/_engines/`, a record here, and its program in
`.ci/run`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sql_servers import POSTGRESQL, Program, cluster, need, psql

from fdaa.columns import inline_sql, sql
from fdaa.columns._engines import ENGINES  # private: which of them have functions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    Texts = list[str | None]


class Session(NamedTuple):
    """A database that runs.

    Args:
        select: takes an expression over a column `a`, and its texts; returns the results.
        run: takes statements; returns the first cell of the last result, as text.
    """

    select: Callable[[str, Texts], list[Any]]
    run: Callable[[str], str]


class Database(NamedTuple):
    """What the tests know of a database.

    Args:
        start: starts it and defines the functions of fdaa.
        modules, programs: what it needs.
        hex: an expression's bytes as hex digits, in any case.
        types: its types, besides text, that hold addresses -> one made of hex digits in `{}`.
        holds: whether it can hold a text at all.
    """

    start: Callable[[], AbstractContextManager[Session]]
    hex: str
    types: dict[str, str]
    modules: tuple[str, ...] = ()
    programs: tuple[Program, ...] = ()
    holds: Callable[[str], bool] = lambda _: True

    def need(self) -> None:
        """Skip, and say why, where something is missing."""
        for module in self.modules:
            need(module)
        for program in self.programs:
            program.need()


def called(name: str, operation: Any, argument: str) -> str:
    """Return the SQL of an operation: the call of a function, or where there is none its body."""
    if ENGINES[name].functions:
        return f"fdaa_{operation}({argument})"
    dialect: Any = name
    return inline_sql(dialect, argument, operation)


def need_engines() -> None:
    """Skip unless every engine from PyPI can run."""
    for module in ("polars", "pandas", "pyarrow"):
        need(module)
    for database in DATABASES.values():
        database.need()


@contextmanager
def started(name: str) -> Iterator[Session]:
    """Start a database, or skip."""
    database = DATABASES[name]
    database.need()
    with database.start() as session:
        yield session


# --- in this process ------------------------------------------------------------------------------


def _first_cell(rows: list[Any]) -> str:
    return str(rows[0][0]) if rows else ""


def _statements(script: str) -> list[str]:
    return [statement for statement in script.split(";\n") if statement.strip()]


def as_table(texts: Texts) -> Any:
    import pyarrow as pa

    return pa.table({"i": range(len(texts)), "a": pa.array(texts, "string")})


@contextmanager
def sqlite() -> Iterator[Session]:
    connection = sqlite3.connect(":memory:")
    # SQLite 3.41 has it.
    connection.create_function("unhex", 1, lambda digits: digits and bytes.fromhex(digits))

    def select(expression: str, texts: Texts) -> list[Any]:
        connection.execute("CREATE TEMPORARY TABLE texts (i INTEGER PRIMARY KEY, a)")
        connection.executemany("INSERT INTO texts (a) VALUES (?)", [(text,) for text in texts])
        answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
        connection.execute("DROP TABLE texts")
        return [answer for (answer,) in answers]

    def run(script: str) -> str:
        return _first_cell(connection.execute(script).fetchall())

    yield Session(select, run)
    connection.close()


@contextmanager
def duckdb() -> Iterator[Session]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))

        def select(expression: str, texts: Texts) -> list[Any]:
            connection.register("texts", as_table(texts))
            answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
            return [answer for (answer,) in answers]

        def run(script: str) -> str:
            return _first_cell(connection.execute(script).fetchall())

        yield Session(select, run)


@contextmanager
def clickhouse() -> Iterator[Session]:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from chdb.session import Session as Embedded

    session = Embedded()
    session.query(sql("clickhouse"))

    def select(expression: str, texts: Texts) -> list[Any]:
        with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
            pq.write_table(as_table(texts), file.name)
            query = f"SELECT {expression} AS answer FROM file('{file.name}') ORDER BY i"
            answers = session.query(query, "Arrow").bytes()
        return list(pa.ipc.open_file(answers).read_all()["answer"].to_pylist())

    def run(script: str) -> str:
        for statement in _statements(script):
            result = session.query(statement, "TSV")
        return str(result.bytes().decode().rstrip("\n"))

    yield Session(select, run)
    session.close()


def spark_session() -> Any:
    """Start Spark, or return what runs in this process already; it ends with the process."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of Spark's workers
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(prefix="fdaa-spark-"),
    }
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


@contextmanager
def spark() -> Iterator[Session]:
    session = spark_session()
    for statement in sql("spark").split("\n\n"):
        session.sql(statement)

    def select(expression: str, texts: Texts) -> list[Any]:
        session.createDataFrame(as_table(texts)).createOrReplaceTempView("texts")
        answers = session.sql(f"SELECT i, {expression} AS answer FROM texts").collect()
        return [row.answer for row in sorted(answers)]

    def run(script: str) -> str:
        for statement in _statements(script):
            rows = session.sql(statement).collect()
        return _first_cell(rows)

    yield Session(select, run)


# --- in a process of its own ----------------------------------------------------------------------


# What `COPY` reads in another way.
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


@contextmanager
def postgresql() -> Iterator[Session]:
    with cluster() as variables:
        psql(sql("postgresql"), variables)

        def select(expression: str, texts: Texts) -> list[Any]:
            lines = []
            for i, text in enumerate(texts):
                value = r"\N"
                if text is not None:
                    value = text.translate(_ESCAPES)
                lines.append(f"{i}\t{value}\n")
            script = f"""CREATE TEMPORARY TABLE texts (i int, a text);
COPY texts FROM STDIN;
{"".join(lines)}\\.
SELECT coalesce(to_json({expression})::text, 'null') FROM texts ORDER BY i;"""
            return [json.loads(line) for line in psql(script, variables).splitlines()]

        def run(script: str) -> str:
            return psql(script, variables).rstrip("\n").split("\n")[-1]

        yield Session(select, run)


# --- records -------------------------------------------------------------------------------------

_JAVA = Program("/usr/bin/java", "default-jre-headless")

DATABASES = {
    "duckdb": Database(
        duckdb,
        modules=("duckdb", "pyarrow"),
        hex="hex({})",
        types={"BLOB": "unhex({})"},
    ),
    "spark": Database(
        spark,
        modules=("pyspark", "pyarrow"),
        programs=(_JAVA,),
        hex="hex({})",
        types={"BINARY": "unhex({})"},
    ),
    "postgresql": Database(
        postgresql,
        programs=(POSTGRESQL,),
        hex="encode({}, 'hex')",
        types={"bytea": "decode({}, 'hex')"},
        holds=lambda text: "\0" not in text,
    ),
    "clickhouse": Database(
        clickhouse,
        modules=("chdb", "pyarrow"),
        hex="hex({})",
        types={
            "String": "unhex({})",
            "FixedString(16)": "CAST(unhex({}) AS Nullable(FixedString(16)))",
            "IPv6": "CAST(CAST(unhex({}) AS Nullable(FixedString(16))) AS Nullable(IPv6))",
        },
    ),
    "sqlite": Database(
        sqlite,
        hex="nullif(hex({}), '')",
        types={"BLOB": "unhex({})"},
    ),
}
