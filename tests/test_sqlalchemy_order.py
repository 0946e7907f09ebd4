"""Columns are compared and sorted alike in every database: as Python compares the values."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import pytest
from databases import DATABASES, database
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, MetaData, Table, insert, select

from fdaa import Address, Prefix
from fdaa.sqlalchemy import (
    AddressType,
    NetworkIDType,
    NetworkNameType,
    PrefixType,
    covers,
    on_network,
)
from fdaa.strategies import address_texts, addresses, network_ids, network_names, prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

METADATA = MetaData()
TABLES = {
    "address": Table("addresses", METADATA, Column("value", AddressType)),
    "prefix": Table("prefixes", METADATA, Column("value", PrefixType)),
    "network ID": Table("network_ids", METADATA, Column("value", NetworkIDType)),
    "network name": Table("network_names", METADATA, Column("value", NetworkNameType(100))),
}
MACHINES = Table("machines", METADATA, Column("address", AddressType))

# The name of a comparison -> it of a column, or of a value, with two others.
COMPARISONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "<": lambda value, first, _: operator.lt(value, first),
    "<=": lambda value, first, _: operator.le(value, first),
    ">": lambda value, first, _: operator.gt(value, first),
    ">=": lambda value, first, _: operator.ge(value, first),
    "=": lambda value, first, _: operator.eq(value, first),
    "!=": lambda value, first, _: operator.ne(value, first),
    "BETWEEN": lambda value, first, second: between(value, first, second),
    "IN": lambda value, first, second: is_in(value, [first, second]),
}


def between(value: Any, first: Any, second: Any) -> Any:
    if isinstance(value, Column):
        return value.between(first, second)
    return first <= value <= second


def is_in(value: Any, others: list[Any]) -> Any:
    if isinstance(value, Column):
        return value.in_(others)
    return value in others


@pytest.fixture(scope="module", params=DATABASES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with database(request.param) as engine:
        METADATA.create_all(engine)
        yield engine


def rows(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Return a strategy for the different values of a column; the first two are compared with."""
    return st.lists(values, min_size=2, max_size=30, unique=True)


def check(engine: Engine, kind: str, values: list[Any], first: Any, second: Any) -> None:
    """Compare what a database answers with what Python does.

    Args:
        engine: the database.
        kind: which table.
        values: what is stored; the first two are those with which all are compared.
        first, second: they, as they are written in the conditions.
    """
    table = TABLES[kind]
    column = table.c.value
    with engine.connect() as connection:
        connection.execute(insert(table), [{"value": value} for value in values])
        for name, compare in COMPARISONS.items():
            condition = compare(column, first, second)
            found = connection.scalars(select(column).where(condition)).all()
            expected = [value for value in values if compare(value, values[0], values[1])]
            assert sorted(found) == sorted(expected), name
        ascending = connection.scalars(select(column).order_by(column)).all()
        assert ascending == sorted(values)
        descending = connection.scalars(select(column).order_by(column.desc())).all()
        assert descending == sorted(values, reverse=True)
        connection.rollback()


@given(rows(addresses()), st.data())
def test_addresses_sort_and_compare_in_a_database_as_in_python(
    engine: Engine, values: list[Any], data: st.DataObject
) -> None:
    first = data.draw(address_texts(st.just(values[0])))
    check(engine, "address", values, first, values[1])


@given(rows(prefixes()))
def test_prefixes_sort_and_compare_in_a_database_as_in_python(
    engine: Engine, values: list[Any]
) -> None:
    check(engine, "prefix", values, str(values[0]).upper(), values[1])


@given(rows(prefixes()), st.data())
def test_the_prefixes_that_cover_an_address_are_those_that_contain_it(
    engine: Engine, values: list[Any], data: st.DataObject
) -> None:
    first, last = values[0].address, values[0].last
    address = Address.from_int(data.draw(st.integers(int(first), int(last))))
    table = TABLES["prefix"]
    with engine.connect() as connection:
        connection.execute(insert(table), [{"value": value} for value in values])
        found = connection.scalars(select(table).where(covers(table.c.value, address))).all()
        connection.rollback()
    assert sorted(found) == sorted(value for value in values if address in value)


@given(rows(network_ids()))
def test_network_ids_sort_and_compare_in_a_database_as_in_python(
    engine: Engine, values: list[Any]
) -> None:
    check(engine, "network ID", values, str(values[0]), values[1])


@given(rows(network_names()))
def test_network_names_sort_and_compare_in_a_database_as_in_python(
    engine: Engine, values: list[Any]
) -> None:
    check(engine, "network name", values, str(values[0]), values[1])


def test_addresses_of_one_network_are_a_range(engine: Engine) -> None:
    texts = ["fdaa:2:45a:ffff::1", "fdaa:2:45b::10", "fdaa:2:45b::3", "fdaa:2:45c::"]
    column = TABLES["address"].c.value
    network_id = Address("fdaa:2:45b::3").network_id
    part = Prefix("fdaa:2:45b::/124")
    with engine.connect() as connection:
        connection.execute(insert(TABLES["address"]), [{"value": value} for value in texts])
        for network, expected in ((network_id, [2, 1]), (network_id.prefix, [2, 1]), (part, [2])):
            query = select(column).where(on_network(column, network)).order_by(column)
            found = connection.scalars(query).all()
            assert list(map(str, found)) == [texts[index] for index in expected]
        connection.rollback()
