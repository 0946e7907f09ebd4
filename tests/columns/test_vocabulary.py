"""One vocabulary: each operation, in each engine of Python, says what the core and the scanner do.

The operations in SQL are in `test_sql.py`; a hole is a record's, with its reason.
"""

from __future__ import annotations

import inspect
import json
import random
import subprocess
import sys
import typing
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from sql_engines import DATABASES, spark_session
from sql_servers import need

import fdaa
from fdaa.columns._engines import ENGINES, Operation  # private: documents are made of them
from fdaa.scan import Pseudonyms
from tests.columns.column_texts import (
    ANSWERS,
    answers,
    column,
    found_in,
    hard_texts,
    packed,
    reason_of,
    same,
)
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.engines
Values = list[Any]


@cache
def pseudonyms() -> Pseudonyms:
    return Pseudonyms(b"a key")


# --- how each engine is called --------------------------------------------------------------------

ARROW_NAMES = {
    "network_id_int": "network_id_ints",
    "network_id": "network_ids",
    "address": "addresses",
    "key": "keys",
    "prefix": "prefixes",
}
WITH_KEY = ("pseudonymize", "reveal")


def arguments(operation: str) -> tuple[Any, ...]:
    if operation in WITH_KEY:
        return (pseudonyms(),)
    return ()


def in_arrow(operation: str, values: Values) -> Values:
    need("pyarrow")
    import pyarrow as pa

    from fdaa.columns import arrow

    function = getattr(arrow, ARROW_NAMES.get(operation, operation))
    return list(function(pa.array(values), *arguments(operation)).to_pylist())


def in_pandas(operation: str, values: Values) -> Values:
    need("pandas")
    import pandas as pd
    import pyarrow as pa

    import fdaa.columns.pandas  # noqa: F401 (it adds the accessor)

    index = range(7, 7 + len(values))
    series = pd.Series(values, index=index, name="ip", dtype="object")
    result = getattr(series.fdaa, operation)(*arguments(operation))
    assert result.index.equals(series.index)
    assert result.name == "ip"
    return list(pa.array(result).to_pylist())


def in_polars(operation: str, values: Values) -> Values:
    need("polars")
    import polars as pl

    from fdaa.columns.polars import FdaaExpr

    expression = getattr(FdaaExpr(pl.col("ip")), operation)(*arguments(operation))
    result = pl.LazyFrame({"ip": values}).select(expression).collect(engine="streaming")
    assert result.columns == ["ip"]
    return list(result["ip"].to_list())


def in_duckdb(operation: str, values: Values) -> Values:
    need("duckdb")
    import duckdb
    import pyarrow as pa

    from fdaa.columns.duckdb import register

    with duckdb.connect() as connection:
        register(connection, pseudonyms=pseudonyms())
        register(connection, pseudonyms=pseudonyms())  # twice is no error
        connection.register("given", pa.table({"i": range(len(values)), "ip": values}))
        query = f"SELECT fdaa_{operation}(ip) FROM given ORDER BY i"
        return [row[0] for row in connection.execute(query).fetchall()]


def in_spark(operation: str, values: Values) -> Values:
    DATABASES["spark"].need()
    import pyarrow as pa

    from fdaa.columns.spark import register

    session = spark_session()
    register(session, pseudonyms=pseudonyms())
    given = session.createDataFrame(pa.table({"i": range(len(values)), "ip": values}))
    given.repartition(4).createOrReplaceTempView("given")
    rows = session.sql(f"SELECT i, fdaa_{operation}(ip) AS answer FROM given").collect()
    results = [row.answer for row in sorted(rows, key=lambda row: row.i)]
    if operation == "find":
        return [None if row is None else [each.asDict() for each in row] for row in results]
    return results


def in_sqlite(operation: str, values: Values) -> Values:
    import sqlite3

    from fdaa.columns.sqlite import register

    connection = sqlite3.connect(":memory:")
    register(connection, pseudonyms=pseudonyms())
    connection.execute("CREATE TABLE given (i INTEGER PRIMARY KEY, ip)")
    connection.executemany("INSERT INTO given (ip) VALUES (?)", [(value,) for value in values])
    query = f"SELECT fdaa_{operation}(ip) FROM given ORDER BY i"
    results = [row[0] for row in connection.execute(query)]
    connection.close()
    if operation == "find":
        return [None if row is None else json.loads(row) for row in results]
    return results


CALLS: dict[str, Callable[[str, Values], Values]] = {
    "arrow": in_arrow,
    "pandas": in_pandas,
    "polars": in_polars,
    "duckdb": in_duckdb,
    "spark": in_spark,
    "sqlite": in_sqlite,
}
IN_FRAMES = ("arrow", "pandas", "polars")
WITH_BYTES = (*IN_FRAMES, "sqlite")


def test_an_operation_is_there_or_has_its_reason() -> None:
    for name, engine in ENGINES.items():
        if name in CALLS:
            assert engine.missing == {}, name
        else:
            in_sql = {*ANSWERS, "same_network"}
            assert set(engine.missing) == set(Operation) - in_sql, name
            assert all(engine.missing.values())


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", ANSWERS)
@pytest.mark.parametrize("engine", IN_FRAMES)
@pytest.mark.parametrize("given", [column, packed])
def test_addresses_get_the_answers_of_the_core(
    engine: str, operation: str, given: Callable[[], Values]
) -> None:
    assert CALLS[engine](operation, given()) == answers(operation, given())


@pytest.mark.parametrize("given", [column, packed])
def test_same_network_compares_where_both_are_addresses(
    pa: Any, pd: Any, pl: Any, arrow: Any, given: Callable[[], Values]
) -> None:
    first = given()
    second = first[7:] + first[:7]
    ids = answers("network_id_int", first)
    right = same(ids, ids[7:] + ids[:7])
    assert {None, True, False} <= set(right)
    assert arrow.same_network(pa.array(first), pa.array(second)).to_pylist() == right
    frame = pl.DataFrame({"a": first, "b": second})
    a = pl.col("a").fdaa
    frame = frame.with_columns(x=a.same_network("b"), y=a.same_network(pl.col("b")))
    assert frame["x"].to_list() == frame["y"].to_list() == right
    assert frame["a"].fdaa.same_network(frame["b"]).to_list() == right
    series = pd.Series(first, dtype="object").fdaa.same_network(pd.Series(second, dtype="object"))
    assert series.dtype == "boolean"
    assert [None if value is pd.NA else value for value in series] == right


# --- texts ----------------------------------------------------------------------------------------

EDGES = [
    "",
    None,
    "fdaa::1",
    "\nfdaa::1\n\nfdaa:0:18::/48\n",
    "12:fdaa::3",
    "caf\xe9 fdaa::1 \u65e5\u672c \U0001f600 fdaa:0:2::3",
    "\xe9fdaa::1\xe9 \u0130 fdaa::2",
    "a" * 1_000_000 + " fdaa:2:45b::3 " + "\xe9" * 1000 + " fdaa:2:45b::4",
    " ".join(f"fdaa:0:{i:x}::1" for i in range(5000)),
    "fdaa:",
    ":fdaa::1",
    "fdaa::1\x00fdaa::2",
]


@cache
def lines() -> list[str | None]:
    """Return lines of logs, edges, hard texts, and pairs of them in one row; some are null."""
    rng = random.Random(4291)
    texts = [text for text, _, _ in ROWS]
    mixed = [rng.choice((" ", "\n", "")).join(rng.sample(texts, 2)) for _ in range(2000)]
    return [*EDGES, *texts, *hard_texts(), *mixed, None]


@cache
def hidden() -> Values:
    return [None if line is None else pseudonyms().pseudonymize_text(line) for line in lines()]


@cache
def revealed() -> Values:
    return [None if line is None else pseudonyms().reveal_text(line) for line in hidden()]


# Operation -> what it gets, and what it gives.
OF_TEXTS: dict[str, tuple[Callable[[], Values], Callable[[], Values]]] = {
    "refusals": (column, lambda: [reason_of(text) for text in column()]),
    "find": (lines, lambda: [found_in(line) for line in lines()]),
    "pseudonymize": (lines, hidden),
    "reveal": (hidden, revealed),
}


@pytest.mark.parametrize("operation", OF_TEXTS)
@pytest.mark.parametrize("engine", CALLS)
def test_texts_get_the_answers_of_the_parser_and_of_the_scanner(
    engine: str, operation: str
) -> None:
    given, right = OF_TEXTS[operation]
    assert CALLS[engine](operation, given()) == right()


@pytest.mark.parametrize("operation", OF_TEXTS)
@pytest.mark.parametrize("engine", IN_FRAMES)
def test_equal_texts_get_equal_answers(engine: str, operation: str) -> None:
    """A column with many equal values is read by its different ones."""
    given, right = OF_TEXTS[operation]
    texts = given()[:100] * 3
    assert CALLS[engine](operation, texts) == right()[:100] * 3


@pytest.mark.parametrize("engine", WITH_BYTES)
def test_bytes_of_addresses_get_the_bytes_of_pseudonyms(engine: str) -> None:
    values = [value for value in packed()[:1000] if value != b"fdaa:0:18::1:234"]
    right = []
    for value in values:
        if reason_of(value) is None and value is not None:
            address = fdaa.Address.from_bytes(value)
            value = pseudonyms().pseudonymize(address).packed
        right.append(value)
    assert CALLS[engine]("pseudonymize", values) == right
    assert CALLS[engine]("reveal", right) == values


@pytest.mark.parametrize("engine", WITH_BYTES)
def test_text_in_bytes_is_text(engine: str) -> None:
    """Its other bytes stay as they are, whether they are UTF-8 or not."""
    hidden = {
        text: str(pseudonyms().pseudonymize(fdaa.Address(text)))
        for text in ("fdaa::1", "fdaa:2::3")
    }
    first = hidden["fdaa::1"].encode()
    second = hidden["fdaa:2::3"].encode()
    rows = [b"\xff fdaa::1\n\xed\xb3\xbf", None, b"\n", b"fdaa:2::3\xc3", b""]
    right = [b"\xff " + first + b"\n\xed\xb3\xbf", None, b"\n", second + b"\xc3", b""]
    assert CALLS[engine]("pseudonymize", rows) == right
    found = [None if row is None else found_in(row) for row in rows]
    assert CALLS[engine]("find", rows) == found


def test_bytes_in_spark_are_refused_where_they_have_no_network() -> None:
    """What is not 16 bytes of an address is read as text there, by all functions."""
    text = fdaa.Address("fdaa::1").packed[:2] + b"::1"
    values = [*packed()[:1000], b"fdaa:2:45b::3", b"fdaa::g", text, b"", None]
    networks = in_spark("network_id", values)
    reasons = in_spark("refusals", values)
    for value, network, reason in zip(values, networks, reasons, strict=True):
        assert (network is None and value is not None) == (reason is not None), value
    assert reasons[-5:] == [
        None,
        "'g' is not a hex digit",
        "it is not valid UTF-8",
        "it is empty",
        None,
    ]


@pytest.mark.parametrize("name", ["arrow.pseudonymize", "arrow.reveal", "polars", "pandas"])
def test_a_raw_key_is_a_type_error(pa: Any, pd: Any, pl: Any, arrow: Any, name: str) -> None:
    calls = {
        "arrow.pseudonymize": lambda: arrow.pseudonymize(pa.array(["fdaa::1"]), b"a key"),
        "arrow.reveal": lambda: arrow.reveal(pa.array(["fdaa::1"]), "a key"),
        "polars": lambda: pl.col("ip").fdaa.pseudonymize(b"a key"),
        "pandas": lambda: pd.Series(["fdaa::1"]).fdaa.reveal(b"a key"),
    }
    with pytest.raises(TypeError, match=r"^pseudonyms must be Pseudonyms, not \w+$"):
        calls[name]()


@pytest.mark.parametrize("name", CALLS)
def test_the_types_of_a_face_are_objects(name: str) -> None:
    """So that tools can read them; and what is exported names the face."""
    face = pytest.importorskip(f"fdaa.columns.{name}")
    for exported in map(face.__dict__.get, face.__all__):
        assert exported.__module__ == f"fdaa.columns.{name}"
        functions = [exported]
        if isinstance(exported, type):
            functions = [each for each in vars(exported).values() if inspect.isfunction(each)]
        for function in functions:
            assert "return" in typing.get_type_hints(function), function


VERSIONS = [("arrow", "pyarrow", "17.0.0", "18.0"), ("polars", "polars", "1.31.0", "2.1")]
VERSIONS += [("pandas", "pandas", "2.2.3", "2.3"), ("duckdb", "duckdb", "1.3.2", "1.4")]


@pytest.mark.parametrize(("face", "package", "older", "lowest"), VERSIONS)
def test_an_older_package_is_an_error_that_names_the_version_that_is_needed(
    face: str, package: str, older: str, lowest: str
) -> None:
    need(package)
    script = f"import {package}; {package}.__version__ = '{older}'; import fdaa.columns.{face}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    said = f"ImportError: fdaa.columns needs {package} {lowest} or later, not {older}"
    assert done.stderr.splitlines()[-1] == said
