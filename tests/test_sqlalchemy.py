"""Columns of addresses, network IDs and network names, in real databases."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
from typing import TYPE_CHECKING, Any

import pytest
from databases import DATABASES, database
from sql_servers import need
from sqlalchemy import (
    Column,
    MetaData,
    Table,
    bindparam,
    event,
    insert,
    inspect,
    literal,
    select,
    text,
    update,
)
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

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine

FIRST = Address("fdaa:2:45b::3")
SECOND = Address("fdaa:0:18:a7b:7d:f066:3418:2")
NAME = NetworkName("customer-17")


class Base(DeclarativeBase):
    """Fields of these types have these columns."""

    type_annotation_map = {  # noqa: RUF012
        Address: AddressType,
        NetworkID: NetworkIDType,
        NetworkName: NetworkNameType(80),
    }


class Peer(Base):
    """A row with and without values."""

    __tablename__ = "peers"

    number: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[Address | None] = mapped_column(index=True)
    network_id: Mapped[NetworkID | None]
    network_name: Mapped[NetworkName | None]


@pytest.fixture(scope="module", params=DATABASES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with database(request.param) as engine:
        Base.metadata.create_all(engine)
        yield engine


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    first: dict[str, Any] = {"address": FIRST, "network_id": FIRST.network_id, "network_name": NAME}
    second = {"address": str(SECOND).upper(), "network_id": "0:18", "network_name": "default"}
    third = {"address": None, "network_id": None, "network_name": None}
    rows = [{"number": 1, **first}, {"number": 2, **second}, {"number": 3, **third}]
    with Session(engine) as session:
        session.execute(insert(Peer), rows)
        yield session
        session.rollback()


def test_what_was_stored_is_read_back(session: Session) -> None:
    columns = (Peer.address, Peer.network_id, Peer.network_name)
    rows = session.execute(select(*columns).order_by(Peer.number)).all()
    assert [tuple(row) for row in rows] == [
        (FIRST, FIRST.network_id, NAME),
        (SECOND, SECOND.network_id, "default"),
        (None, None, None),
    ]
    assert {type(row.network_id) for row in rows} == {NetworkID, type(None)}
    assert {type(row.network_name) for row in rows} == {NetworkName, type(None)}


@pytest.mark.parametrize("spelling", [FIRST, "FDAA:2:45B:0:0::3", FIRST.exploded])
def test_an_address_is_compared_in_any_spelling(session: Session, spelling: Any) -> None:
    for condition in (Peer.address == spelling, Peer.address.in_([spelling])):
        assert session.scalars(select(Peer.number).where(condition)).all() == [1]
    statement = update(Peer).where(Peer.address == spelling).values(address="FDAA::9")
    session.execute(statement)
    assert session.scalar(select(Peer.address).where(Peer.number == 1)) == Address("fdaa::9")


@pytest.mark.parametrize(
    "form", [0x2045B, NetworkID("2:45b"), "2:45b", "0x2045b", str(FIRST.network_id.prefix)]
)
def test_a_network_id_is_compared_in_any_form(session: Session, form: Any) -> None:
    for condition in (Peer.network_id == form, Peer.network_id.in_([form])):
        assert session.scalars(select(Peer.number).where(condition)).all() == [1]


def test_a_network_name_is_compared_by_its_exact_characters(session: Session) -> None:
    for text_, numbers in (("customer-17", [1]), ("Customer-17", []), ("default", [2])):
        for condition in (Peer.network_name == text_, Peer.network_name.in_([text_])):
            assert session.scalars(select(Peer.number).where(condition)).all() == numbers


def test_the_pattern_of_a_network_name_is_any_text(session: Session) -> None:
    name = Peer.network_name
    for condition in (
        name.like("customer-%"),
        name.not_like("_e%"),
        name.ilike("CUSTOMER-1_"),
        name.startswith("customer-"),
        name.contains("-17"),
        name.endswith("17"),
        name.icontains("R-1"),
        name.like(bindparam("pattern", "%-17")),
        name.regexp_match("-[0-9]+$"),
        name.bool_op("LIKE")("%-17"),
        name + "-x" == "customer-17-x",
        name.concat("-x").in_(["customer-17-x"]),
    ):
        assert session.scalars(select(Peer.number).where(condition)).all() == [1], condition
    longer = session.scalars(select(name + "-x").order_by(Peer.number)).all()
    assert longer == ["customer-17-x", "default-x", None]


def test_a_comparison_of_network_names_takes_a_name(session: Session) -> None:
    name = Peer.network_name
    for condition in (
        name.between("customer", "customer-18"),
        name.in_(["customer-17", "other"]),
        name.is_distinct_from("default") & name.is_not(None),
        name < "d",
    ):
        assert session.scalars(select(Peer.number).where(condition)).all() == [1], condition
    for condition in (
        name.between("1", "2"),
        name.in_(["17-customer"]),
        name.not_in(["-"]),
        name.is_distinct_from(""),
        name <= "1",
    ):
        with pytest.raises(StatementError) as caught:
            session.scalars(select(Peer).where(condition))
        assert isinstance(caught.value.orig, NetworkNameError), condition


@pytest.mark.parametrize("method", ["like", "ilike", "startswith", "contains", "regexp_match"])
def test_an_address_has_no_pattern_and_the_error_says_what_it_has(method: str) -> None:
    pattern = "fdaa:0000:"
    message = r"an address is not text: use on_network\(column, network\), not 'fdaa:0000:'"
    with pytest.raises(TypeError, match=message):
        getattr(Peer.address, method)(pattern)


def test_the_addresses_of_a_network_are_between_two(session: Session) -> None:
    first = FIRST.network_id.prefix.address
    last = FIRST.network_id.prefix.last
    for condition in (
        on_network(Peer.address, FIRST.network_id),
        Peer.address.between(first, last),
    ):
        assert session.scalars(select(Peer.number).where(condition)).all() == [1]


def test_null_and_literals_are_compared_as_in_any_column(session: Session) -> None:
    nothing = select(Peer.number).where(Peer.address.is_(None), Peer.network_id == None)  # noqa: E711
    assert session.scalars(nothing).all() == [3]
    assert session.scalar(select(literal("FDAA::3", AddressType))) == Address("fdaa::3")
    assert session.scalar(select(literal("0:7", NetworkIDType))) == NetworkID(7)
    assert session.scalar(select(literal("blue", NetworkNameType(80)))) == NetworkName("blue")


def test_ids_are_stored_as_numbers_and_addresses_as_inet_or_exploded_text(
    session: Session,
) -> None:
    query = "SELECT address, network_id, network_name FROM peers ORDER BY number"
    texts = (FIRST.exploded, SECOND.exploded)
    if session.get_bind().dialect.name == "postgresql":
        query = query.replace("address", "host(address)")
        texts = (str(FIRST), str(SECOND))
    assert [tuple(row) for row in session.execute(text(query))] == [
        (texts[0], 0x2045B, "customer-17"),
        (texts[1], 0x18, "default"),
        (None, None, None),
    ]


def test_the_columns_are_what_the_documents_say(engine: Engine) -> None:
    found = {}
    for column in inspect(engine).get_columns("peers"):
        found[column["name"]] = str(column["type"]).partition(" ")[0]  # without a collation
    if engine.dialect.name == "postgresql":
        assert found["address"] == "INET"
    else:
        assert found["address"] == "VARCHAR(39)"
    assert found["network_id"].partition("(")[0] == "BIGINT"
    assert found["network_name"] == "VARCHAR(80)"


def test_wrong_input_is_refused_before_it_reaches_the_database(session: Session) -> None:
    for condition, error in (
        (Peer.address == "10.0.0.1", AddressError),
        (Peer.network_id == "18", NetworkIDError),
        (Peer.network_name == "17-customer", NetworkNameError),
    ):
        with pytest.raises(StatementError) as caught:
            session.scalars(select(Peer).where(condition))
        assert isinstance(caught.value.orig, error)


def test_a_row_that_is_no_private_address_is_refused_when_it_is_read(session: Session) -> None:
    session.execute(text("UPDATE peers SET address = '2001:db8::1' WHERE number = 1"))
    with pytest.raises(AddressError, match="2001:db8::1"):
        session.scalars(select(Peer.address)).all()


def test_statements_are_compiled_once(engine: Engine) -> None:
    with engine.connect() as connection:
        cache: dict[Any, Any] = {}
        for spelling in ("fdaa::3", "fdaa::4"):
            statement = select(Peer).where(Peer.address == spelling, Peer.network_id == "0:0")
            connection.execute(statement, execution_options={"compiled_cache": cache})
        assert len(cache) == 1


EXPLAIN = {
    # dialect -> how it is asked for its plan, and what the plan has with an index
    "sqlite": ("EXPLAIN QUERY PLAN", r"SEARCH \w+ USING (COVERING )?INDEX"),
    "postgresql": ("EXPLAIN", "Index (Only )?Scan"),
}


def test_the_conditions_of_addresses_and_prefixes_use_an_index(engine: Engine) -> None:
    routes = Table("routes", MetaData(), Column("prefix", PrefixType, index=True))
    network = FIRST.network_id
    values = [Prefix.build(NetworkID(number).prefix.address, 48) for number in range(200)]
    explain, plan = EXPLAIN[engine.dialect.name]
    sent: list[tuple[str, Any]] = []
    with engine.connect() as connection:
        routes.create(connection)
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # the tables are small
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        connection.execute(insert(routes), [{"prefix": prefix} for prefix in values])
        for query in (
            select(Peer.address).where(on_network(Peer.address, network)),
            select(routes).where(covers(routes.c.prefix, FIRST)),
        ):
            connection.execute(query).all()
            statement, parameters = sent.pop()
            rows = connection.exec_driver_sql(f"{explain} {statement}", parameters).all()
            assert re.search(plan, str(rows)), rows
        connection.rollback()
        routes.drop(connection, checkfirst=True)
        connection.commit()


@pytest.mark.parametrize("network", ["2:45b", FIRST.network_id, FIRST.network_id.prefix])
def test_the_network_of_a_condition_may_be_text(session: Session, network: Any) -> None:
    statement = select(Peer.number).where(on_network(Peer.address, network))
    assert session.scalars(statement).all() == [1]


@pytest.mark.parametrize("wrong", [7, None, FIRST])
def test_a_condition_takes_no_other_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match="network must be NetworkID or Prefix or str, not"):
        on_network(Peer.address, wrong)
    with pytest.raises(NetworkIDError):
        on_network(Peer.address, "17")
    with pytest.raises(AddressError):
        covers(Column("prefix", PrefixType), "10.0.0.1")
    with pytest.raises(TypeError, match="a prefix is not text"):
        Column("prefix", PrefixType).like("fdaa:%")


@pytest.mark.engines
def test_alembic_sees_no_change_and_its_migration_makes_the_same_table(engine: Engine) -> None:
    need("alembic")
    from alembic.autogenerate import compare_metadata, produce_migrations, render_python_code
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    import fdaa.sqlalchemy

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
        connection.execute(text("DROP TABLE peers"))
        migration = produce_migrations(context, Base.metadata)
        assert migration.upgrade_ops is not None
        code = render_python_code(migration.upgrade_ops)
        assert "fdaa.sqlalchemy.AddressType()" in code
        assert "fdaa.sqlalchemy.NetworkIDType()" in code
        assert "fdaa.sqlalchemy.NetworkNameType(length=80)" in code
        import sqlalchemy as sa

        operations = Operations(context)
        function = "def upgrade(op, sa, fdaa):\n    " + code
        names: dict[str, Any] = {}
        exec(function, names)  # noqa: S102 - the migration, as alembic writes it to a file
        names["upgrade"](operations, sa, fdaa)
        assert compare_metadata(context, Base.metadata) == []
        connection.rollback()


@pytest.mark.parametrize("type_", [AddressType, NetworkIDType, NetworkNameType])
def test_type_hints_can_be_evaluated(type_: type) -> None:
    for name in ("process_bind_param", "process_result_value"):
        assert typing.get_type_hints(getattr(type_, name)).keys() >= {"value", "return"}


USER = """\
from sqlalchemy import Column, ColumnElement
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from fdaa import Address, NetworkID, NetworkName
from fdaa.sqlalchemy import (
    AddressType, NetworkIDType, NetworkNameType, PrefixType, covers, on_network
)


class Base(DeclarativeBase):
    pass


class Peer(Base):
    __tablename__ = "peers"

    address: Mapped[Address] = mapped_column(AddressType, primary_key=True)
    network_id: Mapped[NetworkID | None] = mapped_column(NetworkIDType)
    network_name: Mapped[NetworkName] = mapped_column(NetworkNameType(80))


condition: ColumnElement[bool] = Peer.address == "FDAA::3"
addresses: Column[Address] = Column("address", AddressType)
network_ids: Column[NetworkID] = Column("network_id", NetworkIDType())
network_names: Column[NetworkName] = Column("network_name", NetworkNameType())
on_it: ColumnElement[bool] = on_network(Peer.address, "2:45b")
nullable: ColumnElement[bool] = on_network(addresses, NetworkID("2:45b"))
covered: ColumnElement[bool] = covers(Column("prefix", PrefixType), Address("fdaa::1"))
on_network(Peer.network_name, "2:45b")
on_network(Peer.address, 7)
wrong: Column[str] = Column("address", AddressType)
"""


@pytest.mark.engines
def test_a_strict_type_checker_knows_what_the_columns_hold(tmp_path: Path) -> None:
    need("mypy")
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--strict", "user.py"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = [line for line in found.stdout.splitlines() if ": error: " in line]
    last = USER.count("\n")
    lines = [error.partition(": ")[0] for error in errors]
    assert lines == [f"user.py:{line}" for line in (last - 2, last - 1, last)]
