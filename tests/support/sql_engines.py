"""Real databases: each gets rows of two texts and an expression, and gives the answers in order."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fdaa.columns import sql
from fdaa.columns.sqlite import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Rows = Sequence[tuple[str | None, str | None]]
    Select = Callable[[str, Rows], list[Any]]

POSTGRESQL = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def need(module: str) -> None:
    """Skip, and say why, where a package is missing."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed; the extra `engines` has it")


def need_java() -> None:
    """Skip where Spark cannot run; let its workers be of this Python."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed; Debian's package `default-jre-headless` has it")
    os.environ["PYSPARK_PYTHON"] = sys.executable


def need_engines() -> None:
    """Skip unless every engine from PyPI can run."""
    for module in ("duckdb", "polars", "pyarrow", "pandas", "chdb", "pyspark"):
        need(module)
    need_java()


@contextmanager
def sqlite() -> Iterator[Select]:
    connection = sqlite3.connect(":memory:")
    register(connection)

    def select(expression: str, rows: Rows) -> list[Any]:
        connection.execute("CREATE TEMPORARY TABLE texts (i INTEGER PRIMARY KEY, a, b)")
        connection.executemany("INSERT INTO texts (a, b) VALUES (?, ?)", rows)
        answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
        connection.execute("DROP TABLE texts")
        return [answer for (answer,) in answers]

    yield select
    connection.close()


def as_table(rows: Rows) -> Any:
    import pyarrow as pa

    first, second = ([row[i] for row in rows] for i in (0, 1))
    return pa.table(
        {"i": range(len(rows)), "a": pa.array(first, "string"), "b": pa.array(second, "string")}
    )


@contextmanager
def parquet(rows: Rows) -> Iterator[str]:
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as directory:
        pq.write_table(as_table(rows), f"{directory}/texts.parquet")
        yield f"{directory}/texts.parquet"


@contextmanager
def duckdb() -> Iterator[Select]:
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))

        def select(expression: str, rows: Rows) -> list[Any]:
            connection.register("texts", as_table(rows))
            answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
            return [answer for (answer,) in answers]

        yield select


@contextmanager
def clickhouse() -> Iterator[Select]:
    need("chdb")
    import pyarrow as pa
    from chdb.session import Session

    session = Session()
    session.query(sql("clickhouse"))

    def select(expression: str, rows: Rows) -> list[Any]:
        with parquet(rows) as file:
            query = f"SELECT {expression} AS answer FROM file('{file}') ORDER BY i"
            answers = session.query(query, "Arrow").bytes()
        return list(pa.ipc.open_file(answers).read_all()["answer"].to_pylist())

    yield select
    session.close()


@contextmanager
def spark() -> Iterator[Select]:
    need("pyspark")
    need_java()
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    for statement in sql("spark").split("\n\n"):
        session.sql(statement)

    def select(expression: str, rows: Rows) -> list[Any]:
        with parquet(rows) as file:
            session.read.parquet(file).repartition(4).createOrReplaceTempView("texts")
            answers = session.sql(f"SELECT i, {expression} AS answer FROM texts").collect()
        return [row.answer for row in sorted(answers)]

    yield select
    session.stop()


def psql(script: str, variables: dict[str, str]) -> str:
    """Run a script where `cluster` says; return what psql prints."""
    command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, input=script, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


@contextmanager
def postgresql() -> Iterator[Select]:
    with cluster() as variables:
        psql(sql("postgresql"), variables)

        def select(expression: str, rows: Rows) -> list[Any]:
            lines = ["\t".join([str(i), *map(_copied, row)]) for i, row in enumerate(rows)]
            text = psql(
                "\n".join(
                    [
                        "CREATE TEMPORARY TABLE texts (i int, a text, b text);",
                        "COPY texts FROM STDIN;",
                        *lines,
                        r"\.",
                        f"SELECT coalesce(to_json({expression})::text, 'null') FROM texts",
                        "ORDER BY i;",
                        "DROP TABLE texts;",
                    ]
                ),
                variables,
            )
            return [json.loads(line) for line in text.splitlines()]

        yield select


def _copied(text: str | None) -> str:
    if text is None:
        return r"\N"
    return text.replace("\\", "\\\\").replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")


@contextmanager
def cluster() -> Iterator[dict[str, str]]:
    """Start a PostgreSQL of the tests' own; yield the environment in which psql finds it."""
    if not POSTGRESQL:
        pytest.skip("PostgreSQL is not installed; Debian's package `postgresql` has it")
    as_root = os.geteuid() == 0  # and it refuses to run as root
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if as_root else []

    def run(program: str, *arguments: str) -> None:
        command = [*user, str(POSTGRESQL[-1] / program), "-D", data, *arguments]
        subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=True)

    with tempfile.TemporaryDirectory(prefix="fdaa-") as directory:
        data = f"{directory}/data"
        if as_root:
            shutil.chown(directory, "postgres")
        run("initdb", "-A", "trust", "-U", "fdaa", "-N", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-k {directory} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "-w", "-s", "-l", f"{directory}/log", "-o", options, "start")
        try:
            yield {"PGHOST": directory, "PGUSER": "fdaa", "PGDATABASE": "postgres"}
        finally:
            run("pg_ctl", "-w", "-s", "-m", "immediate", "stop")
