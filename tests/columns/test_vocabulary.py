"""One vocabulary: each operation, in each engine of Python, says what the core and the scanner do.

The operations in SQL are in `test_sql.py`, and SQLite's in `test_rows.py`.
"""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import PSEUDONYMS
from sql_engines import DATABASES, spark_session

import fdaa
from tests.columns.column_texts import (
    ANSWERS,
    answers,
    column,
    edge_texts,
    found_in,
    packed,
    reason_of,
)
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.engines
Values = list[Any]


# --- how each engine is called --------------------------------------------------------------------

ARROW_NAMES = {
    "network_id_int": "network_id_ints",
    "network_id": "network_ids",
    "address": "addresses",
    "key": "keys",
}


def arguments(operation: str) -> tuple[Any, ...]:
    if operation == "pseudonymize":
        return (PSEUDONYMS,)
    return ()


def in_arrow(operation: str, values: Values) -> Values:
    pa = pytest.importorskip("pyarrow")
    from fdaa.columns import arrow

    function = getattr(arrow, ARROW_NAMES.get(operation, operation))
    return list(function(pa.array(values), *arguments(operation)).to_pylist())


def in_pandas(operation: str, values: Values) -> Values:
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    from fdaa.columns.pandas import FdaaAccessor

    accessor = FdaaAccessor(pd.Series(values, dtype="object"))
    result = getattr(accessor, operation)(*arguments(operation))
    return list(pa.array(result).to_pylist())


def in_polars(operation: str, values: Values) -> Values:
    pl = pytest.importorskip("polars")
    from fdaa.columns.polars import FdaaExpr

    expression = getattr(FdaaExpr(pl.col("ip")), operation)(*arguments(operation))
    result = pl.LazyFrame({"ip": values}).select(expression).collect(engine="streaming")
    return list(result["ip"].to_list())


def in_duckdb(operation: str, values: Values) -> Values:
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    from fdaa.columns.duckdb import register

    with duckdb.connect() as connection:
        for _ in range(2):  # twice is no error
            register(connection, pseudonyms=PSEUDONYMS)
        connection.execute("ATTACH ':memory:' AS other; USE other")
        connection.register("given", pa.table({"i": range(len(values)), "ip": values}))
        query = f"SELECT fdaa_{operation}(ip) FROM given ORDER BY i"
        return [row[0] for row in connection.execute(query).fetchall()]


def in_spark(operation: str, values: Values) -> Values:
    DATABASES["spark"].need()
    import pyarrow as pa

    from fdaa.columns.spark import register

    session = spark_session()
    register(session, pseudonyms=PSEUDONYMS)
    given = session.createDataFrame(pa.table({"i": range(len(values)), "ip": values}))
    given.repartition(4).createOrReplaceTempView("given")
    rows = session.sql(f"SELECT i, fdaa_{operation}(ip) AS answer FROM given").collect()
    results = [row.answer for row in sorted(rows, key=lambda row: row.i)]
    if operation == "find":
        return [None if row is None else [each.asDict() for each in row] for row in results]
    return results


CALLS: dict[str, Callable[[str, Values], Values]] = {
    "arrow": in_arrow,
    "pandas": in_pandas,
    "polars": in_polars,
    "duckdb": in_duckdb,
    "spark": in_spark,
}
IN_FRAMES = ("arrow", "pandas", "polars")


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", ANSWERS)
@pytest.mark.parametrize("engine", [*IN_FRAMES, "duckdb"])
@pytest.mark.parametrize("given", [column, packed])
def test_addresses_get_the_answers_of_the_core(
    engine: str, operation: str, given: Callable[[], Values]
) -> None:
    """Spark reads other bytes as text, and is asked for them below."""
    assert CALLS[engine](operation, given()) == answers(operation, given())


# --- texts ----------------------------------------------------------------------------------------

EDGES = [
    "\nfdaa::1\n\nfdaa:0:18::/48\n",
    "caf\xe9 fdaa::1 \u65e5\u672c \U0001f600 fdaa:0:2::3",
    "\xe9fdaa::1\xe9 \u0130 fdaa::2",
    "a" * 1_000_000 + " fdaa:2:45b::3 " + "\xe9" * 1000 + " fdaa:2:45b::4",
    " ".join(f"fdaa:0:{i:x}::1" for i in range(5000)),
    "fdaa::1\x00fdaa::2",
]


@cache
def lines() -> list[str | None]:
    """Return lines of logs, edges, and pairs of lines in one row; some are null."""
    rng = random.Random(4291)
    texts = [text for text, _, _ in ROWS]
    mixed = [rng.choice((" ", "\n", "")).join(rng.sample(texts, 2)) for _ in range(300)]
    return [*EDGES, *texts, *edge_texts(), *mixed, None]


def hidden() -> Values:
    return [line and PSEUDONYMS.pseudonymize_text(line) for line in lines()]


# Operation -> what it gets, and what it gives.
OF_TEXTS: dict[str, tuple[Callable[[], Values], Callable[[], Values]]] = {
    "refusals": (column, lambda: [reason_of(text) for text in column()]),
    "find": (lines, lambda: [found_in(line) for line in lines()]),
    "pseudonymize": (lines, hidden),
}


@pytest.mark.parametrize("operation", OF_TEXTS)
@pytest.mark.parametrize("engine", CALLS)
def test_texts_get_the_answers_of_the_parser_and_of_the_scanner(
    engine: str, operation: str
) -> None:
    given, right = OF_TEXTS[operation]
    assert CALLS[engine](operation, given()) == right()


# --- bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", IN_FRAMES)
def test_bytes_are_the_16_of_an_address_or_text(engine: str) -> None:
    """Other bytes around an address stay as they are, whether they are UTF-8 or not."""
    address = fdaa.Address("fdaa:2::3")
    other = PSEUDONYMS.pseudonymize(address)
    text = str(other).encode()
    rows = [b"\xff fdaa:2::3\n\xed\xb3\xbf", None, b"\n", b"fdaa:2::3\xc3", b""]
    assert CALLS[engine]("find", rows) == list(map(found_in, rows))
    right = [b"\xff " + text + b"\n\xed\xb3\xbf", None, b"\n", text + b"\xc3", b""]
    packed = [address.packed, bytes(16)]
    hidden = CALLS[engine]("pseudonymize", [*rows, *packed])
    assert hidden == [*right, other.packed, bytes(16)]


def test_bytes_in_spark_are_refused_where_they_have_no_network() -> None:
    """What is not 16 bytes of an address is read as text there, by all functions."""
    values = [b"fdaa:2:45b::3", b"fdaa::g", b"\xfd\xaa::1", b"", None, *packed()[:100]]
    networks = in_spark("network_id", values)
    reasons = in_spark("refusals", values)
    for value, network, reason in zip(values, networks, reasons, strict=True):
        assert (network is None and value is not None) == (reason is not None), value
    invalid = "it is not valid UTF-8"
    assert reasons[:5] == [None, "'g' is not a hex digit", invalid, "it is empty", None]


def test_an_older_package_is_an_error_that_names_the_version_that_is_needed() -> None:
    pytest.importorskip("pyarrow")
    script = "import pyarrow; pyarrow.__version__ = '17.0.0'; import fdaa.columns.arrow"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    said = "ImportError: fdaa.columns needs pyarrow 18.0 or later, not 17.0.0"
    assert done.stderr.splitlines()[-1] == said
