"""Columns of addresses, network IDs and network names, in real databases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from databases import DATABASES, database
from hypothesis import given
from hypothesis import strategies as st
from sql_servers import need
from sqlalchemy import bindparam, event, insert, inspect, literal, select, text
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from fdaa import (
    Address,
    AddressError,
    NetworkID,
    NetworkIDError,
    NetworkName,
    NetworkNameError,
    Prefix,
)
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
    from collections.abc import Iterator

    from sqlalchemy import Engine

FIRST = Address("fdaa:2:45b::3")
SECOND = Address("fdaa:0:18:a7b:7d:f066:3418:2")
PREFIX = Prefix("fdaa:2:45b::/64")
NAME = NetworkName("customer-17")


class Base(DeclarativeBase):
    """Fields of these types have these columns."""

    type_annotation_map = {  # noqa: RUF012
        Address: AddressType,
        Prefix: PrefixType,
        NetworkID: NetworkIDType,
        NetworkName: NetworkNameType(80),
    }


class Peer(Base):
    """A row with and without values."""

    __tablename__ = "peers"

    number: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[Address | None] = mapped_column(index=True)
    prefix: Mapped[Prefix | None] = mapped_column(index=True)
    network_id: Mapped[NetworkID | None]
    network_name: Mapped[NetworkName | None]


@pytest.fixture(scope="module", params=DATABASES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with database(request.param) as engine:
        Base.metadata.create_all(engine)
        yield engine


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    first = {"prefix": PREFIX, "network_id": 0x2045B, "network_name": NAME}
    second = {"network_id": "0:18", "network_name": "default"}
    with Session(engine) as session:
        session.add(Peer(number=1, address=FIRST, **first))
        session.add(Peer(number=2, address=str(SECOND).upper(), **second))
        session.add(Peer(number=3))
        session.flush()
        session.expunge_all()
        yield session
        session.rollback()


def numbers(session: Session, condition: Any) -> list[int]:
    """Return the rows for which a condition is true."""
    return list(session.scalars(select(Peer.number).where(condition).order_by(Peer.number)))


def test_what_was_stored_is_read_back(session: Session) -> None:
    columns = (Peer.address, Peer.prefix, Peer.network_id, Peer.network_name)
    rows = session.execute(select(*columns).order_by(Peer.number)).all()
    assert [tuple(row) for row in rows] == [
        (FIRST, PREFIX, FIRST.network_id, NAME),
        (SECOND, None, SECOND.network_id, "default"),
        (None, None, None, None),
    ]
    assert isinstance(rows[1].network_name, NetworkName)


def test_other_programs_find_what_the_guide_says(session: Session) -> None:
    types = {}
    for column in inspect(session.connection()).get_columns("peers"):
        types[column["name"]] = str(column["type"]).partition(" ")[0]  # without a collation
    query = "SELECT address, prefix, network_id, network_name FROM peers WHERE number = 1"
    if session.get_bind().dialect.name == "postgresql":
        assert (types["address"], types["prefix"]) == ("INET", "CIDR")
        query = query.replace("address, prefix", "host(address), text(prefix)")
        stored = [str(FIRST), str(PREFIX)]
    else:
        assert (types["address"], types["prefix"]) == ("VARCHAR(39)", "VARCHAR(43)")
        stored = [FIRST.exploded, FIRST.exploded[:-1] + "0/064"]
    assert (types["network_id"], types["network_name"]) == ("BIGINT", "VARCHAR(80)")
    assert list(session.execute(text(query)).one()) == [*stored, 0x2045B, "customer-17"]


def test_a_network_id_is_compared_in_any_form(session: Session) -> None:
    for form in (FIRST.network_id, 0x2045B, "0x2045b", "fdaa:2:45b::/48"):
        assert numbers(session, Peer.network_id == form) == [1]


def test_null_literals_and_patterns_are_as_in_any_column(session: Session) -> None:
    assert numbers(session, Peer.address.is_(None) & (Peer.network_id == None)) == [3]  # noqa: E711
    assert session.scalar(select(literal("FDAA::3", AddressType))) == Address("fdaa::3")
    assert numbers(session, Peer.network_name.icontains("R-1")) == [1]
    assert numbers(session, Peer.network_name.like(bindparam("pattern", "%-17"))) == [1]


@pytest.mark.parametrize("method", ["like", "regexp_match"])
def test_an_address_and_a_prefix_have_no_pattern(method: str) -> None:
    """Each database stores another text: a part of an address that is one too would find no row."""
    with pytest.raises(TypeError, match=r"an address is not text: use on_network\(column, network"):
        getattr(Peer.address, method)("fdaa:2:45b::")
    with pytest.raises(TypeError, match=r"a prefix is not text: use covers\(column, address\)"):
        getattr(Peer.prefix, method)("fdaa:2:45b::")


def test_wrong_input_is_refused_before_it_reaches_the_database(session: Session) -> None:
    for condition, error in (
        (Peer.address == "10.0.0.1", AddressError),
        (Peer.network_id == "18", NetworkIDError),
        (Peer.network_name.between("1", "2"), NetworkNameError),
    ):
        with pytest.raises(StatementError) as caught:
            numbers(session, condition)
        assert isinstance(caught.value.orig, error), condition


def test_a_row_that_is_no_private_address_is_refused_when_it_is_read(session: Session) -> None:
    session.execute(text("UPDATE peers SET address = '2001:db8::1' WHERE number = 1"))
    with pytest.raises(AddressError, match="2001:db8::1"):
        session.scalars(select(Peer.address)).all()


# --- conditions -----------------------------------------------------------------------------------


def test_the_rows_on_a_network_and_in_a_part_of_it(session: Session) -> None:
    for network in ("2:45b", FIRST.network_id, FIRST.network_id.prefix, PREFIX):
        assert numbers(session, on_network(Peer.address, network)) == [1]
    assert numbers(session, on_network(Peer.address, Prefix("fdaa:2:45b:1::/64"))) == []
    assert numbers(session, covers(Peer.prefix, str(FIRST).upper())) == [1]


def test_both_conditions_use_an_index(engine: Engine) -> None:
    explain = "EXPLAIN"
    plan = "Index (Only )?Scan"
    if engine.dialect.name == "sqlite":
        explain = "EXPLAIN QUERY PLAN"
        plan = r"SEARCH \w+ USING (COVERING )?INDEX"
    prefixes = [{"number": n, "prefix": NetworkID(n).prefix} for n in range(200)]
    sent: list[tuple[str, Any]] = []
    with engine.connect() as connection:
        connection.execute(insert(Peer), prefixes)
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # the table is small
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        for condition in (on_network(Peer.address, "2:45b"), covers(Peer.prefix, FIRST)):
            connection.execute(select(Peer.number).where(condition)).all()
            statement, parameters = sent.pop()
            rows = connection.exec_driver_sql(f"{explain} {statement}", parameters).all()
            assert re.search(plan, str(rows)), rows
        connection.rollback()


# --- order ----------------------------------------------------------------------------------------

# Field -> its values, and the texts of one of them.
VALUES: dict[str, tuple[st.SearchStrategy[Any], Any]] = {
    "address": (addresses(), lambda value: address_texts(st.just(value))),
    "prefix": (prefixes(), lambda value: st.just(str(value).upper())),
    "network_id": (network_ids(), lambda value: st.just(str(value))),
    "network_name": (network_names(), lambda value: st.just(str(value))),
}


@pytest.mark.parametrize("field", VALUES)
@given(data=st.data())
def test_values_sort_and_compare_in_a_database_as_in_python(
    engine: Engine, field: str, data: st.DataObject
) -> None:
    strategy, texts_of = VALUES[field]
    values = data.draw(st.lists(strategy, min_size=2, max_size=6, unique=True))
    first, second, *_ = values
    text = data.draw(texts_of(first))
    column = getattr(Peer, field)
    with Session(engine) as session:
        session.execute(insert(Peer), [{field: value} for value in values])

        def found(condition: Any) -> list[Any]:
            return list(session.scalars(select(column).where(condition).order_by(column)))

        assert found(column < text) == [value for value in sorted(values) if value < first]
        between = [value for value in sorted(values) if first <= value <= second]
        assert found(column.between(text, second)) == between
        assert found(column.in_([text, second])) == sorted([first, second])
        if field == "prefix":
            last = Address.from_int(data.draw(st.integers(int(first.address), int(first.last))))
            assert found(covers(column, last)) == [each for each in sorted(values) if last in each]


# --- other tools ----------------------------------------------------------------------------------


@pytest.mark.engines
def test_alembic_sees_no_change_and_writes_the_types(engine: Engine) -> None:
    need("alembic")
    from alembic.autogenerate import compare_metadata, produce_migrations, render_python_code
    from alembic.migration import MigrationContext

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    with database("sqlite") as empty, empty.connect() as connection:
        migration = produce_migrations(MigrationContext.configure(connection), Base.metadata)
    assert migration.upgrade_ops is not None
    code = render_python_code(migration.upgrade_ops)
    for type_ in ("AddressType()", "NetworkIDType()", "NetworkNameType(length=80)", "PrefixType()"):
        assert f"fdaa.sqlalchemy.{type_}" in code
