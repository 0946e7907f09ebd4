"""What no engine is needed for: rows in Python, and what is printed for each database.

The answers of the engines are in the other files; these find the same faults without them.
"""

from __future__ import annotations

import json
import re
import sqlite3

import pytest
from scan_output import PSEUDONYMS

import fdaa
from fdaa.columns import DIALECTS, OPERATIONS, Dialect, inline_sql
from fdaa.columns._rows import pseudonymize_rows  # private: engines share it
from fdaa.columns.sqlite import register
from tests.columns.column_texts import ANSWERS, answers, column, found_in, reason_of

# A row with line feeds, before and after others: each row keeps its place.
ROWS = ["fdaa::1", "a fdaa::2\nb fdaa::3\n", None, "", "fdaa:2:45b::4 \n", "x", "to fdaa:0:18::5"]


def test_each_row_gets_its_own_pseudonyms() -> None:
    right = [row and PSEUDONYMS.pseudonymize_text(row) for row in ROWS]
    assert pseudonymize_rows(ROWS, PSEUDONYMS) == right


def test_a_null_of_arrow_stays_null() -> None:
    pa = pytest.importorskip("pyarrow")
    from fdaa.columns import arrow

    texts = pa.array([None, "fdaa:2:45b::3", "fdaa::3", "2001:db8::1"])
    repeated = pa.chunked_array([texts, texts] * 20)
    for given, times in ((texts, 1), (texts.dictionary_encode(), 1), (repeated, 40)):
        assert arrow.network_id_ints(given).to_pylist() == [None, 0x2045B, 0, None] * times
        assert arrow.network_ids(given).to_pylist() == [None, "2:45b", "0:0", None] * times
        assert arrow.refusals(given).null_count == 3 * times


# --- SQL ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_expression_says_what_it_reads_and_takes_any_column(dialect: Dialect) -> None:
    for operation in OPERATIONS:
        text = inline_sql(dialect, "requests.src", operation)
        comment, _, expression = text.partition(" */ ")
        assert comment.startswith(f"/* fdaa {fdaa.__version__}, for ")
        assert "\nReads " in comment
        assert ("text only" in comment) == (dialect == "postgresql")
        assert "fdaa_" not in expression
        # What a backslash means depends on a setting in most databases.
        assert "\\" not in expression or dialect in ("duckdb", "sqlite")
        of_expression = inline_sql(dialect, "trim(a, '{$1}\\')", operation)
        assert of_expression == text.replace("requests.src", "(trim(a, '{$1}\\'))")


def test_a_network_id_is_cut_where_it_stands() -> None:
    """Each database counts the bits or the bytes in its own way."""
    of_clickhouse = inline_sql("clickhouse", "a", "network_id_int")
    cut = (
        r"toUInt32\(bitAnd\(bitShiftRight\(byteSwap\(reinterpretAsUInt64\(.*\)\), 16\), 0xFFFFFFFF"
    )
    assert len(re.findall(cut, of_clickhouse)) == 4
    assert "substring(inet_send(a::inet), 7, 4)" in inline_sql("postgresql", "a")


# --- SQLite ---------------------------------------------------------------------------------------


def test_the_functions_of_sqlite_give_the_answers_of_the_core() -> None:
    connection = sqlite3.connect(":memory:")
    register(connection, pseudonyms=PSEUDONYMS)
    connection.execute("CREATE TABLE given (i INTEGER PRIMARY KEY, ip)")
    texts = column()[::8]
    connection.executemany("INSERT INTO given (ip) VALUES (?)", [(text,) for text in texts])
    right = {operation: answers(operation, texts) for operation in ANSWERS}
    right["refusals"] = [reason_of(text) for text in texts]
    right["pseudonymize"] = [text and PSEUDONYMS.pseudonymize_text(text) for text in texts]
    for operation, results in right.items():
        query = f"SELECT fdaa_{operation}(ip) FROM given ORDER BY i"
        assert [row[0] for row in connection.execute(query)] == results
    key = fdaa.Address("fdaa:2:45b::3").packed
    query = "SELECT fdaa_network_id(:a), fdaa_address(:a), fdaa_key(:a), fdaa_key(7), fdaa_find(7)"
    row = connection.execute(query, {"a": key}).fetchone()
    assert row == ("2:45b", "fdaa:2:45b::3", key, None, None)
    (found,) = connection.execute("SELECT fdaa_find('to fdaa::3')").fetchone()
    assert json.loads(found) == found_in("to fdaa::3")
    connection.execute("CREATE INDEX by_network ON given (fdaa_network_id_int(ip))")
    plan = "EXPLAIN QUERY PLAN SELECT * FROM given WHERE fdaa_network_id_int(ip) = 7"
    assert "by_network" in str(connection.execute(plan).fetchall())
    connection.close()
