"""Real databases, each with the functions of `fdaa sql`: a record for each, and how it starts.

Every test of all databases follows from `DATABASES`. A new one needs a record in
`fdaa/columns/_engines/`, which is listed there, and a record here; and its program in `.ci/run`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mariadb_server import MARIADB, server
from sql_servers import POSTGRESQL, Program, cluster, lines_of, need, psql

from fdaa.columns import inline_sql, sql
from fdaa.columns._engines import Use  # private: documents are made of them
from fdaa.columns.sqlite import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    Rows = Sequence[tuple[str | None, str | None]]


class Session(NamedTuple):
    """A database that runs.

    Args:
        select: takes an expression over the columns `a` and `b`, and rows; returns the results.
        run: takes statements; returns the first cell of the last result, as text.
    """

    select: Callable[[str, Rows], list[Any]]
    run: Callable[[str], str]


_REQUESTS = """CREATE TABLE requests (ip VARCHAR(50));
INSERT INTO requests VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4')"""


class Database(NamedTuple):
    """What the tests know of a database.

    Args:
        start: starts it and defines the functions of fdaa.
        modules: the packages of Python that it needs.
        programs: the programs that it needs.
        hex: an expression's bytes as hex digits, in any case.
        types: its types, besides text, that hold addresses -> one made of hex digits in `{}`.
        uses: the scripts of test_uses.py in its SQL, where they differ from those of others: the
            last result is `2:45b`.
        list_: a list of texts; empty where the database has none.
        requests: creates the table of these scripts, with two addresses on that network.
        holds: whether it can hold a text at all.
    """

    start: Callable[[], AbstractContextManager[Session]]
    modules: tuple[str, ...]
    programs: tuple[Program, ...]
    hex: str
    types: dict[str, str]
    uses: dict[Use, str]
    list_: str = ""
    requests: str = _REQUESTS
    holds: Callable[[str], bool] = lambda _: True

    def need(self) -> None:
        """Skip, and say why, where something is missing."""
        for module in self.modules:
            need(module)
        for program in self.programs:
            program.need()


def need_engines() -> None:
    """Skip unless every engine from PyPI can run."""
    for module in ("polars", "pandas", "pyarrow"):
        need(module)
    for database in DATABASES.values():
        database.need()
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of Spark's workers


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


@contextmanager
def sqlite() -> Iterator[Session]:
    connection = sqlite3.connect(":memory:")
    register(connection)
    connection.create_function("unhex", 1, _unhex, deterministic=True)  # SQLite 3.41 has it

    def select(expression: str, rows: Rows) -> list[Any]:
        connection.execute("CREATE TEMPORARY TABLE texts (i INTEGER PRIMARY KEY, a, b)")
        connection.executemany("INSERT INTO texts (a, b) VALUES (?, ?)", rows)
        answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
        connection.execute("DROP TABLE texts")
        return [answer for (answer,) in answers]

    def run(script: str) -> str:
        *statements, last = _statements(script)
        for statement in statements:
            connection.execute(statement)
        parameters = ("fdaa:2:45b::3",) * last.count("?")
        return _first_cell(connection.execute(last, parameters).fetchall())

    yield Session(select, run)
    connection.close()


def _unhex(digits: str | None) -> bytes | None:
    return None if digits is None else bytes.fromhex(digits)


def _statements(script: str) -> list[str]:
    return [statement for statement in script.split(";\n") if statement.strip()]


def as_table(rows: Rows) -> Any:
    import pyarrow as pa

    first = pa.array([a for a, _ in rows], "string")
    second = pa.array([b for _, b in rows], "string")
    return pa.table({"i": range(len(rows)), "a": first, "b": second})


@contextmanager
def parquet(rows: Rows) -> Iterator[str]:
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as directory:
        pq.write_table(as_table(rows), f"{directory}/texts.parquet")
        yield f"{directory}/texts.parquet"


@contextmanager
def duckdb() -> Iterator[Session]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(sql("duckdb"))

        def select(expression: str, rows: Rows) -> list[Any]:
            connection.register("texts", as_table(rows))
            answers = connection.execute(f"SELECT {expression} FROM texts ORDER BY i").fetchall()
            return [answer for (answer,) in answers]

        def run(script: str) -> str:
            return _first_cell(connection.execute(script).fetchall())

        yield Session(select, run)


@contextmanager
def clickhouse() -> Iterator[Session]:
    import pyarrow as pa
    from chdb.session import Session as Embedded

    session = Embedded()
    session.query(sql("clickhouse"))

    def select(expression: str, rows: Rows) -> list[Any]:
        with parquet(rows) as file:
            query = f"SELECT {expression} AS answer FROM file('{file}') ORDER BY i"
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
    if session.version >= "4":  # earlier ones have no functions in SQL
        for statement in sql("spark").split("\n\n"):
            session.sql(statement)

    def select(expression: str, rows: Rows) -> list[Any]:
        with parquet(rows) as file:
            session.read.parquet(file).repartition(4).createOrReplaceTempView("texts")
            answers = session.sql(f"SELECT i, {expression} AS answer FROM texts").collect()
        return [row.answer for row in sorted(answers)]

    def run(script: str) -> str:
        for statement in _statements(script):
            rows = session.sql(statement).collect()
        return _first_cell(rows)

    yield Session(select, run)


# --- in a process of its own ----------------------------------------------------------------------


@contextmanager
def postgresql() -> Iterator[Session]:
    with cluster() as variables:
        psql(sql("postgresql"), variables)

        def select(expression: str, rows: Rows) -> list[Any]:
            script = [
                "CREATE TEMPORARY TABLE texts (i int, a text, b text);",
                "COPY texts FROM STDIN;",
                *lines_of(rows),
                r"\.",
                f"SELECT coalesce(to_json({expression})::text, 'null') FROM texts",
                "ORDER BY i;",
            ]
            return [json.loads(line) for line in psql("\n".join(script), variables).splitlines()]

        def run(script: str) -> str:
            return psql(script, variables).rstrip("\n").split("\n")[-1]

        yield Session(select, run)


@contextmanager
def mariadb() -> Iterator[Session]:
    with tempfile.TemporaryDirectory() as directory:
        database = server()
        file = Path(directory, "texts")

        def select(expression: str, rows: Rows) -> list[Any]:
            file.write_text("".join(line + "\n" for line in lines_of(rows)), "utf-8", newline="")
            script = [
                "SET NAMES utf8mb4;",
                "CREATE TEMPORARY TABLE texts (i int, a longtext, b longtext) CHARSET=utf8mb4;",
                f"LOAD DATA LOCAL INFILE '{file}' INTO TABLE texts CHARACTER SET utf8mb4;",
                f"SELECT json_compact(json_array({without_functions('mariadb', expression)}))",
                "FROM texts ORDER BY i;",
            ]
            output = database.run("\n".join(script))
            return [json.loads(line)[0] for line in output.splitlines()]

        def run(script: str) -> str:
            script = without_functions("mariadb", script)
            return database.run(script).rstrip("\n").split("\n")[-1]

        yield Session(select, run)


def without_functions(dialect: Any, script: str) -> str:
    """Return a script with expressions in the place of calls, as users write it with `--inline`."""
    first, call, rest = script.partition("fdaa_")
    if not call:
        return script
    operation: Any
    operation, _, rest = rest.partition("(")
    end = _end_of_call(rest)
    arguments = rest[:end]
    if operation == "same_network":
        ids = [inline_sql(dialect, each) for each in arguments.split(", ")]
        expression = " = ".join(ids)
    else:
        expression = inline_sql(dialect, arguments, operation)
    return f"{first}({expression}){without_functions(dialect, rest[end + 1 :])}"


def _end_of_call(text: str) -> int:
    depth = 1
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return at
    raise ValueError(f"a parenthesis is missing: {text}")


# --- records -------------------------------------------------------------------------------------

_ASK = "SELECT fdaa_network_id('fdaa:2:45b::3')"
_IN_ANOTHER = "CREATE DATABASE other;\nUSE other;\n" + _ASK
_JAVA = Program("/usr/bin/java", "default-jre-headless")

DATABASES = {
    "duckdb": Database(
        duckdb,
        modules=("duckdb", "pyarrow"),
        programs=(),
        hex="hex({})",
        types={"BLOB": "unhex({})"},
        list_="['fdaa::1']",
        uses={
            Use.LAMBDA: "SELECT list_transform(['fdaa:2:45b::3'], lambda x: fdaa_network_id(x))[1]",
            Use.PARAMETER: """PREPARE one AS SELECT fdaa_network_id(?);
EXECUTE one('fdaa:2:45b::3')""",
            Use.ELSEWHERE: "ATTACH ':memory:' AS other;\nUSE other;\n" + _ASK,
        },
    ),
    "spark": Database(
        spark,
        modules=("pyspark", "pyarrow"),
        programs=(_JAVA,),
        hex="hex({})",
        types={"BINARY": "unhex({})"},
        list_="array('fdaa::1')",
        uses={
            Use.VIEW: """CREATE OR REPLACE TEMPORARY VIEW named
AS SELECT fdaa_network_id(ip) AS n FROM requests;
SELECT max(n) FROM named""",
            Use.PARAMETER: "EXECUTE IMMEDIATE 'SELECT fdaa_network_id(?)' USING 'fdaa:2:45b::3'",
            Use.ELSEWHERE: _IN_ANOTHER,
        },
        requests="""USE default;
CREATE OR REPLACE TEMPORARY VIEW requests AS
SELECT * FROM VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4') AS t(ip)""",
    ),
    "postgresql": Database(
        postgresql,
        modules=(),
        programs=(POSTGRESQL,),
        hex="encode({}, 'hex')",
        types={"bytea": "decode({}, 'hex')"},
        list_="ARRAY['fdaa::1']",
        uses={
            Use.GENERATED: """CREATE TABLE generated
(ip VARCHAR(50), n VARCHAR(50) GENERATED ALWAYS AS (fdaa_network_id(ip)) STORED);
INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
SELECT n FROM generated""",
            Use.PARAMETER: """PREPARE one(text) AS SELECT fdaa_network_id($1);
EXECUTE one('fdaa:2:45b::3')""",
            Use.ELSEWHERE: "CREATE SCHEMA other;\nSET search_path TO other;\n" + _ASK,
        },
        holds=lambda text: "\0" not in text,
    ),
    "clickhouse": Database(
        clickhouse,
        modules=("chdb", "pyarrow"),
        programs=(),
        hex="hex({})",
        types={
            "String": "unhex({})",
            "FixedString(16)": "CAST(unhex({}) AS Nullable(FixedString(16)))",
            "IPv6": "CAST(CAST(unhex({}) AS Nullable(FixedString(16))) AS Nullable(IPv6))",
        },
        list_="['fdaa::1']",
        uses={
            Use.WINDOW: """SELECT max(n) FROM
(SELECT fdaa_network_id(lagInFrame(ip) OVER (ORDER BY ip)) AS n FROM requests) AS t""",
            Use.LAMBDA: "SELECT arrayMap(x -> fdaa_network_id(x), ['fdaa:2:45b::3'])[1]",
            Use.GENERATED: """CREATE TABLE generated
(ip String, n String MATERIALIZED assumeNotNull(fdaa_network_id(ip))) ENGINE = Memory;
INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
SELECT n FROM generated""",
            Use.CHECK: """CREATE TABLE checked
(ip String, CONSTRAINT c CHECK fdaa_network_id_int(ip) = 132187) ENGINE = Memory;
INSERT INTO checked VALUES ('fdaa:2:45b::3');
SELECT '2:45b' FROM checked""",
            Use.INDEX: """CREATE TABLE indexed
(ip String, INDEX n assumeNotNull(fdaa_network_id_int(ip)) TYPE minmax)
ENGINE = MergeTree ORDER BY ip;
INSERT INTO indexed VALUES ('fdaa:2:45b::3');
SELECT fdaa_network_id(ip) FROM indexed WHERE fdaa_network_id_int(ip) = 132187""",
            Use.PARAMETER: "SET param_ip = 'fdaa:2:45b::3';\nSELECT fdaa_network_id({ip:String})",
            Use.ELSEWHERE: _IN_ANOTHER,
        },
        requests="""CREATE TABLE requests (ip String) ENGINE = Memory;
INSERT INTO requests VALUES ('fdaa:2:45b::3'), ('fdaa:2:45b::4')""",
    ),
    "mariadb": Database(
        mariadb,
        modules=(),
        programs=(MARIADB,),
        hex="hex({})",
        types={
            "BINARY(16)": "inet6_ntoa(unhex({}))",
            "INET6": "CAST(CAST(unhex({}) AS INET6) AS CHAR)",
        },
        uses={
            Use.GENERATED: """CREATE TABLE generated
(ip VARCHAR(50), n VARCHAR(50) GENERATED ALWAYS AS (fdaa_network_id(ip)) STORED);
INSERT INTO generated (ip) VALUES ('fdaa:2:45b::3');
SELECT n FROM generated""",
            Use.PARAMETER: """SET @given = 'fdaa:2:45b::3';
SELECT fdaa_network_id(@given)""",
            Use.ELSEWHERE: _IN_ANOTHER,
        },
    ),
    "sqlite": Database(
        sqlite,
        modules=(),
        programs=(),
        hex="nullif(hex({}), '')",
        types={"BLOB": "unhex({})"},
        uses={
            Use.PARAMETER: "SELECT fdaa_network_id(?1)",
            Use.ELSEWHERE: "ATTACH ':memory:' AS other;\n" + _ASK,
        },
    ),
}
