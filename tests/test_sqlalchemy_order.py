"""Columns are compared and sorted alike in every database: as Python compares the values."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import pytest
from databases import DATABASES, database
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, MetaData, Table, insert, select

from fdaa import Address
from fdaa.sqlalchemy import (
    AddressType,
    NetworkIDType,
    NetworkNameType,
    PrefixType,
    covers,
)
from fdaa.strategies import addresses, network_ids, network_names, prefixes

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

COMPARISONS: list[Callable[[Any, Any], Any]]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.fixture(scope="module", params=DATABASES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with database(request.param) as engine:
        METADATA.create_all(engine)
        yield engine


def rows(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Return a strategy for the different values of a column; the first two are compared with."""
    return st.lists(values, min_size=2, max_size=30, unique=True)


# The table, and its values.
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "address": addresses(),
    "prefix": prefixes(),
    "network ID": network_ids(),
    "network name": network_names(),
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_database_sorts_and_compares_as_python_does(
    engine: Engine, kind: str, data: st.DataObject
) -> None:
    values = data.draw(rows(KINDS[kind]))
    first, second, *_ = values
    written = str(first)
    if kind != "network name":  # the case of all others makes no difference
        written = written.upper()
    table = TABLES[kind]
    column = table.c.value
    with engine.connect() as connection:
        connection.execute(insert(table), [{"value": value} for value in values])

        def found(condition: Any) -> list[Any]:
            return list(connection.scalars(select(column).where(condition).order_by(column)))

        for compare in COMPARISONS:
            right = [value for value in sorted(values) if compare(value, first)]
            assert found(compare(column, written)) == right, compare
        between = [value for value in sorted(values) if first <= value <= second]
        assert found(column.between(written, second)) == between
        assert found(column.in_([written, second])) == sorted([first, second])
        descending = connection.scalars(select(column).order_by(column.desc())).all()
        assert descending == sorted(values, reverse=True)
        connection.rollback()


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
