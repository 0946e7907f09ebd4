"""Each database answers as `Address` does, value for value: texts, and the types of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sql_engines import DATABASES, called, started

from fdaa.columns import OPERATIONS, inline_sql
from tests.columns.column_texts import answers, column, packed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sql_engines import Session

ENGINES = [pytest.param(name, marks=pytest.mark.engines) for name in DATABASES if name != "sqlite"]


@pytest.fixture(scope="module", params=["sqlite", *ENGINES])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def database(name: str) -> Iterator[Session]:
    with started(name) as session:
        yield session


def held(name: str) -> list[str | None]:
    """Return the texts as the database can hold them."""
    holds = DATABASES[name].holds
    return [text if text is None or holds(text) else None for text in column()]


def readable(name: str, operation: str, expression: str) -> str:
    """Return the SQL of an operation; for a key, of its digits."""
    if operation == "key":
        return DATABASES[name].hex.format(expression)
    return expression


def expected(operation: str, values: list[Any]) -> list[Any]:
    right = answers(operation, values)
    if operation == "key":
        right = [None if key is None else key.hex() for key in right]
    return right


def wrong(given: list[Any], results: list[Any], right: list[Any]) -> list[Any]:
    lower = [result.lower() if isinstance(result, str) else result for result in results]
    rows = zip(given, lower, right, strict=True)
    return [row for row in rows if row[1] != row[2]]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_texts_get_the_answers_of_the_parser(name: str, database: Session, operation: str) -> None:
    texts = held(name)
    expression = readable(name, operation, called(name, operation, "a"))
    results = database.select(expression, texts)
    assert wrong(texts, results, expected(operation, texts)) == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_expression_without_functions_gives_the_same_answers(
    name: Any, database: Session, operation: Any
) -> None:
    texts = held(name)[:1000]
    expression = readable(name, operation, inline_sql(name, "a", operation))
    results = database.select(expression, texts)
    assert wrong(texts, results, expected(operation, texts)) == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_bytes_get_the_answers_of_from_bytes(name: Any, database: Session, operation: Any) -> None:
    """Where bytes may be text as well, the 16 characters of an address are read as one."""
    for type_, made in DATABASES[name].types.items():
        values = packed()[:1000]
        if "16" in type_ or type_ == "IPv6":
            values = [value for value in values if value is None or len(value) == 16]
        rows = [None if value is None else value.hex() for value in values]
        right = expected(operation, values)
        if type_ in ("BINARY", "String"):
            text = values.index(b"fdaa:0:18::1:234")
            right[text] = expected(operation, ["fdaa:0:18::1:234"])[0]
        given = made.format("a")
        results = database.select(readable(name, operation, called(name, operation, given)), rows)
        assert wrong(values, results, right) == [], type_
        inline = readable(name, operation, inline_sql(name, given, operation))
        if name == "postgresql":
            with pytest.raises(Exception, match=r"."):  # never null in silence
                database.select(inline, rows)
        else:
            assert wrong(values, database.select(inline, rows), right) == [], type_


def test_a_literal_is_a_text_too(name: str, database: Session) -> None:
    number = called(name, "network_id_int", "'FDAA:0:1::'")
    other = called(name, "network_id_int", "a")
    assert database.select(f"{other} + {number}", ["fdaa:0:2::", None]) == [3, None]
    assert database.select(called(name, "network_id_int", "NULL"), [None]) == [None]


# What no SQL reads as an address: a number, and a list where there are lists.
LISTS = {"duckdb": "['fdaa::1']", "spark": "array('fdaa::1')", "clickhouse": "['fdaa::1']"}


def test_what_is_no_text_is_null_and_an_error_in_postgresql(name: str, database: Session) -> None:
    if name == "postgresql":
        with pytest.raises(Exception, match=r"."):
            database.run("SELECT fdaa_network_id_int(5)")
        return
    for given in ("7", LISTS.get(name, "7")):
        for operation in ("network_id_int", "address"):
            found = database.run(f"SELECT {called(name, operation, given)}")
            assert found in ("None", "\\N"), given
