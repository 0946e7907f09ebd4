"""Column types for SQLAlchemy: addresses and network IDs (extra `sqlalchemy`).

>>> from sqlalchemy import Column, MetaData, Table
>>> from fdaa.sqlalchemy import AddressType, NetworkIDType
>>> columns = Column("address", AddressType), Column("network_id", NetworkIDType)
>>> peers = Table("peers", MetaData(), *columns)
>>> print(peers.c.address == "FDAA:2:45b::3")
peers.address = :address_1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fdaa._extras import missing_extra
from fdaa.address import Address, NetworkID

try:
    from sqlalchemy import BigInteger, String
    from sqlalchemy.dialects.postgresql import INET
    from sqlalchemy.types import TypeDecorator
except ModuleNotFoundError as error:
    raise missing_extra("fdaa.sqlalchemy", "sqlalchemy", error) from error

if TYPE_CHECKING:
    from sqlalchemy import Dialect
    from sqlalchemy.types import TypeEngine

__all__ = ["AddressType", "NetworkIDType"]

_LONGEST = len("fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff")


class AddressType(TypeDecorator[Address]):
    """A column of addresses: INET on PostgreSQL, elsewhere VARCHAR(39) with the canonical text.

    It is compared with an Address or with text in any spelling; text that is not a private address
    raises an `AddressError` inside SQLAlchemy's `StatementError`. INET sorts by number, VARCHAR as
    text.
    """

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database stores."""
        stored = INET() if dialect.name == "postgresql" else String(_LONGEST)
        return dialect.type_descriptor(stored)

    def process_bind_param(self, value: Address | str | None, _dialect: Dialect) -> str | None:
        """Return the canonical text of a statement's parameter."""
        return None if value is None else str(Address(value))

    def process_result_value(self, value: object, _dialect: Dialect) -> Address | None:
        """Return the Address of a stored value, which psycopg makes an object of `ipaddress`."""
        return None if value is None else Address(str(value))


class NetworkIDType(TypeDecorator[NetworkID]):
    """A column of network IDs, stored as their numbers (BIGINT).

    It is compared with a NetworkID, its number, or text in any form that `NetworkID` accepts.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(
        self, value: NetworkID | int | str | None, _dialect: Dialect
    ) -> int | None:
        """Return the number of a statement's parameter."""
        return None if value is None else int(NetworkID(value))

    def process_result_value(self, value: int | None, _dialect: Dialect) -> NetworkID | None:
        """Return the NetworkID of a stored number."""
        return None if value is None else NetworkID(value)
