"""Each database answers as `Address` does, value for value: texts, and the types of its own."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sql_engines import DATABASES, started

from fdaa.columns import (
    DIALECTS,
    _engines,  # private: the records that documents are made of
    inline_sql,
)
from fdaa.columns._engines import AS_TEXT, ENGINES, IN_SQL, Use
from tests.columns.column_texts import ANSWERS, answers, column, packed, same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sql_engines import Session

ROOT = Path(__file__).parent.parent.parent
Rows = list[tuple[str | None, str | None]]


def marked(name: str) -> object:
    """Return a database as a parameter; SQLite needs nothing and is always asked."""
    return pytest.param(name, marks=() if name == "sqlite" else pytest.mark.engines)


@pytest.fixture(scope="module", params=[marked(name) for name in DATABASES])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def database(name: str) -> Iterator[Session]:
    with started(name) as session:
        yield session


def test_every_dialect_is_tested_on_a_real_database() -> None:
    """A definition that no test runs is a guess."""
    with_sql = {name for name, engine in ENGINES.items() if engine.definitions is not None}
    files = Path(_engines.__file__).parent.glob("*_sql.py")
    assert {file.stem.removesuffix("_sql") for file in files} == with_sql == set(DIALECTS)
    untried = with_sql - DATABASES.keys()
    assert not untried, f"{untried}: an engine needs a Database in tests/support/sql_engines.py"
    assert DATABASES.keys() <= ENGINES.keys()
    for database in DATABASES.values():
        assert database.uses.keys() >= {Use.PARAMETER, Use.ELSEWHERE}  # no two write them alike


def test_the_gate_installs_what_the_databases_need() -> None:
    gate = (ROOT / ".ci" / "run").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages = [each for extra in extras["optional-dependencies"].values() for each in extra]
    names = {re.split(r"\W", each)[0] for each in packages}
    for database in DATABASES.values():
        assert names >= set(database.modules)
        for program in database.programs:
            assert re.search(rf"\b{program.package}\b", gate), program.package


def held(name: str) -> list[str | None]:
    """Return the texts as the database can hold them."""
    holds = DATABASES[name].holds
    return [text if text is None or holds(text) else None for text in column()]


def pairs(values: list[str | None]) -> Rows:
    """Return each text with the one that stands seven rows before it."""
    return list(zip(values, values[-7:] + values[:-7], strict=True))


def called(name: str, operation: str, argument: str) -> str:
    """Return the SQL of an operation; for a key, of its digits."""
    call = f"fdaa_{operation}({argument})"
    if operation == "key":
        return DATABASES[name].hex.format(call)
    return call


def expected(operation: str, values: list[Any]) -> list[Any]:
    right = answers(operation, values)
    if operation == "key":
        right = [None if key is None else key.hex() for key in right]
    return right


def lower(results: list[Any]) -> list[Any]:
    return [result.lower() if isinstance(result, str) else result for result in results]


def wrong(given: list[Any], results: list[Any], right: list[Any]) -> list[Any]:
    rows = zip(given, lower(results), right, strict=True)
    return [row for row in rows if row[1] != row[2]]


@pytest.mark.parametrize("operation", ANSWERS)
def test_texts_get_the_answers_of_the_parser(name: str, database: Session, operation: str) -> None:
    texts = held(name)
    results = database.select(called(name, operation, "a"), pairs(texts))
    assert wrong(texts, results, expected(operation, texts)) == []


def test_expressions_without_functions_give_the_same_answers(name: str, database: Session) -> None:
    texts = held(name)[:6000]
    dialects = [each for each in DIALECTS if each == name]
    for dialect, operation in itertools.product(dialects, IN_SQL):
        expression = inline_sql(dialect, "a", operation)
        assert "fdaa_" not in expression
        if operation == "key":
            expression = DATABASES[name].hex.format(expression)
        results = database.select(expression, pairs(texts))
        assert wrong(texts, results, expected(operation, texts)) == [], operation


def test_same_network_compares_where_both_are_addresses(name: str, database: Session) -> None:
    rows = pairs(held(name))
    first = answers("network_id_int", [a for a, _ in rows])
    second = answers("network_id_int", [b for _, b in rows])
    assert {None, True, False} <= set(same(first, second))
    assert database.select("fdaa_same_network(a, b)", rows) == same(first, second)


@pytest.mark.parametrize("operation", ANSWERS)
def test_bytes_get_the_answers_of_from_bytes(name: str, database: Session, operation: str) -> None:
    """Where bytes may be text as well, the 16 characters of an address are read as one."""
    for type_, made in DATABASES[name].types.items():
        values = packed()
        if "16" in type_ or type_ in ("IPv6", "INET6"):
            values = [value for value in values if value is None or len(value) == 16]
        rows: Rows = [(None if value is None else value.hex(), None) for value in values]
        results = database.select(called(name, operation, made.format("a")), rows)
        right = expected(operation, values)
        is_text = ENGINES[name].other_bytes == AS_TEXT
        if is_text and b"" in values:
            text = values.index(b"fdaa:0:18::1:234")
            right[text] = expected(operation, ["fdaa:0:18::1:234"])[0]
        assert wrong(values, results, right) == [], type_


def test_an_expression_and_a_literal_are_texts_too(database: Session) -> None:
    expression = "fdaa_network_id_int(a) + fdaa_network_id_int('FDAA:0:1::')"
    assert database.select(expression, [("fdaa:0:2::", None), (None, None)]) == [3, None]
    assert database.select("fdaa_network_id_int(NULL)", [("fdaa::", None)]) == [None]


def test_columns_may_have_the_names_that_the_definitions_use(database: Session) -> None:
    texts = [("fdaa:0:1::", "fdaa:0:2::"), ("fdaa:0:1::", "fdaa:0:1::")]
    assert database.select("fdaa_same_network(b, a)", texts) == [False, True]
    assert database.select("fdaa_same_network(b, b)", texts) == [True, True]


def test_keys_sort_and_compare_as_addresses_do(name: str, database: Session) -> None:
    texts = ["fdaa:10::1", "FDAA:2:45b::10", "fdaa::3", "fdaa:2:45b::3", "fdaa:2:045b::0.0.0.10"]
    keys = database.select(called(name, "key", "a"), [(text, None) for text in texts])
    numbers = answers("key", texts)
    assert sorted(range(5), key=keys.__getitem__) == sorted(range(5), key=numbers.__getitem__)
    assert database.select("fdaa_key(a) = fdaa_key(b)", [("fdaa::3", "FDAA:0::0003")]) == [True]


def test_what_is_no_text_is_null_or_an_error_as_the_guide_says(
    name: str, database: Session
) -> None:
    engine = ENGINES[name]
    for given, says in (("5", engine.of_number), (DATABASES[name].list_, engine.of_list)):
        if not given:
            continue
        query = f"SELECT fdaa_network_id_int({given}), fdaa_address({given})"
        if says == "error":
            with pytest.raises(Exception, match=r"."):
                database.run(query)
        else:
            assert database.run(query) in ("None", "NULL\tNULL", "\\N\t\\N"), given


# How a query fails instead of giving null, where the database can do that in an expression.
STRICT = {
    "duckdb": "coalesce(fdaa_network_id_int(a), error('no address: ' || a))",
    "spark": "coalesce(fdaa_network_id_int(a), raise_error('no address: ' || a))",
    "clickhouse": "if(throwIf(isNull(fdaa_prefix(a)), 'no address'), NULL, fdaa_network_id_int(a))",
}


def test_a_query_can_fail_on_a_refused_text(name: str, database: Session) -> None:
    """Each database has an error of its own."""
    if name not in STRICT:
        return
    assert database.select(STRICT[name], [("fdaa:0:1::", None)]) == [1]
    with pytest.raises(Exception, match="no address"):
        database.select(STRICT[name], [("fdaa:0:1::", None), ("fe80::1", None)])
