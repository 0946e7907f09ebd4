"""Column types for SQLAlchemy: addresses, network IDs and network names (extra `sqlalchemy`).

>>> from sqlalchemy import Column, MetaData, Table
>>> from fdaa.sqlalchemy import AddressType, on_network
>>> peers = Table("peers", MetaData(), Column("address", AddressType))
>>> print(peers.c.address == "FDAA:2:45b::3")
peers.address = :address_1
>>> print(on_network(peers.c.address, "2:45b"))
peers.address BETWEEN :address_1 AND :address_2
"""

from typing import Any

from fdaa._support.extras import needs_extra
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import ADDRESS_BITS, NETWORK_PREFIX_LENGTH, first_of
from fdaa._values.checks import check_type
from fdaa._values.network_name import NetworkName

with needs_extra("fdaa.sqlalchemy", "sqlalchemy"):
    from sqlalchemy import BigInteger, ColumnElement, Dialect, SQLColumnExpression, String
    from sqlalchemy.dialects.postgresql import CIDR, INET
    from sqlalchemy.sql import operators
    from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = [
    "AddressType",
    "NetworkIDType",
    "NetworkNameType",
    "PrefixType",
    "covers",
    "on_network",
]

_EXPLODED = len("fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff")
# By the name of a dialect: the collation that compares and sorts text by its exact characters.
_EXACT = {
    "postgresql": "C",
    "mysql": "utf8mb4_bin",
    "mariadb": "utf8mb4_bin",
    "mssql": "Latin1_General_BIN2",
}
# The operators that compare a column with a whole value; all others take text, or a part of one.
_COMPARISONS = (
    operators.eq,
    operators.ne,
    operators.lt,
    operators.le,
    operators.gt,
    operators.ge,
    operators.is_,
    operators.is_not,
    operators.is_distinct_from,
    operators.is_not_distinct_from,
    operators.in_op,
    operators.not_in_op,
    operators.and_,  # of `between`
)


def on_network(
    column: SQLColumnExpression[Address | None], network: NetworkID | Prefix | str
) -> ColumnElement[bool]:
    """Return the condition that an address is on a network, or in a part of one.

    It is a range, for which every database can use an index.

    Args:
        column: a column of `AddressType`.
        network: a network ID, also as text, or a prefix.

    Raises:
        TypeError: `network` has another type.
        NetworkIDError: `network` is a text that is not a network ID.
    """
    check_type(network, "network", NetworkID, Prefix, str)
    if isinstance(network, Prefix):
        return column.between(network.address, network.last)
    prefix = NetworkID(network).prefix
    return column.between(prefix.address, prefix.last)


def covers(
    column: SQLColumnExpression[Prefix | None], address: Address | str
) -> ColumnElement[bool]:
    """Return the condition that an address is in a prefix.

    It compares with all 80 prefixes that the address can be in, from its /48 to its /127, for which
    every database can use an index.

    Args:
        column: a column of `PrefixType`.
        address: an address, also as text.

    Raises:
        TypeError, AddressError: as `Address`.
    """
    number = int(Address(address))
    prefixes = []
    for length in range(NETWORK_PREFIX_LENGTH, ADDRESS_BITS):
        first = Address.from_int(first_of(number, length))
        prefixes.append(Prefix.build(first, length))
    return column.in_(prefixes)


def _same_type(type_: TypeEngine[Any], op: Any, message: str) -> TypeEngine[Any]:
    """Return the type of what a column is compared with, or raise: it is the pattern of a text."""
    if op in _COMPARISONS or isinstance(op, operators.custom_op):
        return type_
    raise TypeError(message)


class AddressType(TypeDecorator[Address]):
    """A column of addresses: INET on PostgreSQL, elsewhere VARCHAR(39) with all eight groups.

    It is compared with an Address or with text in any spelling; text that is not a private address
    raises an `AddressError` inside SQLAlchemy's `StatementError`. In every database it sorts by the
    bits. A pattern (`like`, `startswith`) raises a TypeError, because each database stores another
    text or none: use `on_network`.
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = String
    cache_ok: bool | None = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database stores."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(INET())
        return dialect.type_descriptor(String(_EXPLODED))

    def coerce_compared_value(self, op: Any, value: Any) -> TypeEngine[Any]:
        """Return the type of what the column is compared with."""
        message = f"an address is not text: use on_network(column, network), not {value!r:.60}"
        return _same_type(self, op, message)

    def process_bind_param(self, value: Address | str | None, _dialect: Dialect) -> str | None:
        """Return the text of a statement's parameter: the same for all spellings of an address."""
        if value is None:
            return None
        return Address(value).exploded

    def process_result_value(self, value: object, _dialect: Dialect) -> Address | None:
        """Return the Address of a stored value, which psycopg makes an object of `ipaddress`."""
        if value is None:
            return None
        return Address(str(value))


class PrefixType(TypeDecorator[Prefix]):
    """A column of prefixes: CIDR on PostgreSQL, elsewhere VARCHAR(43), as `.../048`.

    It is compared with a Prefix, or with text in any spelling. In every database it sorts by the
    address and then by the length. A pattern raises a TypeError: use `covers`.
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = String
    cache_ok: bool | None = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database stores."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(CIDR())
        return dialect.type_descriptor(String(_EXPLODED + len("/048")))

    def coerce_compared_value(self, op: Any, value: Any) -> TypeEngine[Any]:
        """Return the type of what the column is compared with."""
        return _same_type(
            self, op, f"a prefix is not text: use covers(column, address), not {value!r:.60}"
        )

    def process_bind_param(self, value: Prefix | str | None, dialect: Dialect) -> str | None:
        """Return the text of a statement's parameter: the same for all spellings of a prefix."""
        if value is None:
            return None
        prefix = Prefix(value)
        if dialect.name == "postgresql":
            return str(prefix)
        return f"{prefix.address.exploded}/{prefix.length:03}"  # so that text sorts by the length

    def process_result_value(self, value: object, _dialect: Dialect) -> Prefix | None:
        """Return the Prefix of a stored value, which psycopg makes an object of `ipaddress`."""
        if value is None:
            return None
        return Prefix(str(value).replace("/0", "/"))


class NetworkIDType(TypeDecorator[NetworkID]):
    """A column of network IDs, stored as their numbers (BIGINT).

    It is compared with a NetworkID, its number, or text in any form that `NetworkID` accepts.
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger
    cache_ok: bool | None = True

    def process_bind_param(
        self, value: NetworkID | int | str | None, _dialect: Dialect
    ) -> int | None:
        """Return the number of a statement's parameter."""
        if value is None:
            return None
        return int(NetworkID(value))

    def process_result_value(self, value: int | None, _dialect: Dialect) -> NetworkID | None:
        """Return the NetworkID of a stored number."""
        if value is None:
            return None
        return NetworkID(value)


class NetworkNameType(TypeDecorator[NetworkName]):
    """A column of network names, stored as text (VARCHAR).

    Names are compared and sorted by their exact characters in every database: `Default` is not
    `default`, also where text is compared without case otherwise. Text that breaks a rule for
    names raises a `NetworkNameError` inside SQLAlchemy's `StatementError`. Patterns (`like`,
    `startswith`, `regexp_match`) and what is added with `+` are any text.

    Args:
        length: the most characters; without one, as many as the database allows. MySQL and MariaDB
            require it. The platform states no limit.
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = String
    cache_ok: bool | None = True

    def __init__(self, length: int | None = None) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that a database stores, with its exact collation."""
        stored = String(self.length, collation=_EXACT.get(dialect.name))
        return dialect.type_descriptor(stored)

    def coerce_compared_value(self, op: Any, _value: Any) -> TypeEngine[Any]:
        """Return the type of what the column is compared with: a name, or the pattern of one."""
        if op in _COMPARISONS:
            return self
        return String()

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Return the text of a statement's parameter."""
        if value is None:
            return None
        return str(NetworkName(value))

    def process_result_value(self, value: str | None, _dialect: Dialect) -> NetworkName | None:
        """Return the NetworkName of a stored text."""
        if value is None:
            return None
        return NetworkName(value)
