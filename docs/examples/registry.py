"""A registry of Machines and routes in a database; the same code for SQLite and PostgreSQL."""

from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from fdaa import Address, NetworkID, Prefix
from fdaa.sqlalchemy import AddressType, NetworkIDType, PrefixType, covers, on_network


class Base(DeclarativeBase):
    """Fields of these types have these columns."""

    type_annotation_map = {Address: AddressType, NetworkID: NetworkIDType, Prefix: PrefixType}


class Machine(Base):
    """A Machine, with its address."""

    __tablename__ = "machines"

    id: Mapped[str] = mapped_column(primary_key=True)
    address: Mapped[Address] = mapped_column(index=True)


class Route(Base):
    """A route to a network, or to a part of one."""

    __tablename__ = "routes"

    prefix: Mapped[Prefix] = mapped_column(primary_key=True)
    gateway: Mapped[str]


class Registry:
    """The registry in the database at a URL of SQLAlchemy."""

    def __init__(self, url: str) -> None:
        self.engine = create_engine(url)
        Base.metadata.create_all(self.engine)

    def add(self, *rows: Base) -> None:
        """Add rows, or replace those with the same key."""
        with Session(self.engine) as session, session.begin():
            for row in rows:
                session.merge(row)

    def machines_on(self, network: NetworkID | Prefix) -> list[str]:
        """Return the IDs of the Machines on a network, or in a part of one."""
        query = select(Machine.id).where(on_network(Machine.address, network))
        with Session(self.engine) as session:
            return list(session.scalars(query.order_by(Machine.address)))

    def gateway_of(self, address: Address) -> str | None:
        """Return the gateway of the longest route that covers an address."""
        routes = select(Route).where(covers(Route.prefix, address))
        with Session(self.engine) as session:
            found = sorted(session.scalars(routes), key=lambda route: route.prefix.length)
            return found[-1].gateway if found else None
