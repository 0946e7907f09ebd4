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

Values = list[Any]
ENGINES = [pytest.param(name, marks=pytest.mark.engines) for name in DATABASES if name != "sqlite"]


@pytest.fixture(scope="module", params=["sqlite", *ENGINES])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def database(name: str) -> Iterator[Session]:
    with started(name) as session:
        yield session


def check(name: str, database: Session, operation: str, expression: str, values: Values) -> None:
    """Compare what an expression returns with the answers of the core.

    Args:
        name, database: where it runs.
        operation: what it does; a key is compared by its digits.
        expression: over a column `a` of texts, or of the hex digits of bytes.
        values: texts or bytes.
    """
    if operation == "key":
        expression = DATABASES[name].hex.format(expression)
    given = [value.hex() if isinstance(value, bytes) else value for value in values]
    results = database.select(expression, given)
    for value, result, right in zip(values, results, answers(operation, values), strict=True):
        if operation == "key" and result is not None:
            result = bytes.fromhex(result)
        assert result == right, value


@pytest.mark.parametrize("operation", OPERATIONS)
def test_texts_get_the_answers_of_the_parser(name: Any, database: Session, operation: Any) -> None:
    holds = DATABASES[name].holds
    texts = [text for text in column() if text is None or holds(text)]
    check(name, database, operation, called(name, operation, "a"), texts)
    check(name, database, operation, inline_sql(name, "a", operation), texts[:1000])


@pytest.mark.parametrize("operation", OPERATIONS)
def test_bytes_get_the_answers_of_from_bytes(name: Any, database: Session, operation: Any) -> None:
    for type_, made in DATABASES[name].types.items():
        values = packed()[:1000]
        if "16" in type_ or type_ == "IPv6":
            values = [value for value in values if value is None or len(value) == 16]
        if type_ in ("BINARY", "String"):  # the 16 characters of an address are read as one
            values = [value for value in values if value != b"fdaa:0:18::1:234"]
            call = called(name, operation, made.format("a"))
            (read,) = database.select(f"{call} IS NOT NULL", [b"fdaa:0:18::1:234".hex()])
            assert read
        given = made.format("a")
        check(name, database, operation, called(name, operation, given), values)
        inline = inline_sql(name, given, operation)
        if name == "postgresql":
            with pytest.raises(Exception, match=r"."):  # never null in silence
                database.select(inline, ["00"])
        else:
            check(name, database, operation, inline, values)


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
