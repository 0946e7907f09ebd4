"""`Address`, `Prefix` and `NetworkID`, in one file because each creates the others."""

from __future__ import annotations

import ipaddress
import sys

from fdaa._values import bits
from fdaa._values.bits import BYTE_0, BYTE_1, ID_BYTES
from fdaa._values.checks import check_bits, check_type, text_of, wrong_type
from fdaa._values.errors import AddressError, NetworkIDError, OutsidePrefixError
from fdaa._values.id_text import check_prefix, id_text, read_network_id, read_prefix
from fdaa._values.text import (
    AF_INET6,
    IS_IPV4,
    OUTSIDE,
    REFUSED,
    TextError,
    inet_ntop,
    inet_pton,
    read_reverse_pointer,
    reverse_pointer,
)

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
    from typing import final as closed  # so that a subclass is an error for type checkers, too

    import netaddr
else:
    from fdaa._values.closed import closed


@closed
class NetworkID:
    """The 32 bits that identify a private network (specification, section 2.3, rule 2).

    Its text is the two groups after `fdaa`. It sorts, compares and hashes as its number, and
    converts to it (`int`, `hex`, `struct`). It is not an `int`.

    Args:
        value: the number, 0 to 0xffffffff; or a text in one of these forms:

            | form       | example                                                        |
            |------------|----------------------------------------------------------------|
            | two groups | `2:45b`; or with both colons, as cut out of an address         |
            | hex number | `0x2045b`: `0x` in either case, then 1 to 8 hex digits         |
            | prefix     | `fdaa:2:45b::/48`: the network, or a part of it; see `Prefix`  |

    Raises:
        NetworkIDError: the number has more than 32 bits, or the text has none of these forms; a
            bare number (`18`) could be hex or decimal.
        TypeError: `value` is neither `int`, `str` nor a NetworkID, or it is a `bool`.

    >>> NetworkID(132187)
    NetworkID('2:45b')
    >>> NetworkID("2:45b") == NetworkID("fdaa:2:45b::/48") == 132187 == 0x2045b
    True
    >>> NetworkID("18")
    Traceback (most recent call last):
        ...
    fdaa.NetworkIDError: '18' is not a network ID: a bare number is ambiguous: write 0x18 if it is \
hex, or 0x12 if it is decimal
    """

    __slots__ = ("__weakref__", "_number")
    __match_args__ = ("high", "low")

    _number: int

    def __new__(cls, value: int | str | NetworkID, /) -> NetworkID:
        """Check the number, or read the text."""
        if isinstance(value, NetworkID):
            return value
        if isinstance(value, str):
            return _make_id(read_network_id(value))
        types = "int, str or NetworkID"
        check_bits(value, "a network ID", bits.NETWORK_ID_BITS, NetworkIDError, types)
        return _make_id(int(value))

    @classmethod
    def from_groups(cls, high: int, low: int) -> NetworkID:
        """Return the network ID in an address's second and third group, each 0 to 0xffff.

        Raises:
            NetworkIDError: a group has more than 16 bits.

        >>> NetworkID.from_groups(0x2, 0x45b)
        NetworkID('2:45b')
        """
        for group in (high, low):
            check_bits(group, "a group", bits.GROUP_BITS, NetworkIDError)
        return _make_id(bits.from_groups(high, low))

    @property
    def high(self) -> int:
        """The upper 16 bits: the second group of the network's addresses."""
        return bits.groups_of(self._number)[0]

    @property
    def low(self) -> int:
        """The lower 16 bits: the third group of the network's addresses."""
        return bits.groups_of(self._number)[1]

    @property
    def prefix(self) -> Prefix:
        """The network's /48, for a route or a firewall.

        >>> NetworkID("2:45b").prefix
        Prefix('fdaa:2:45b::/48')
        """
        first = bits.join(self._number, 0).to_bytes(bits.ADDRESS_BYTES)
        return _make_prefix(_make(first), bits.NETWORK_PREFIX_LENGTH)

    def __contains__(self, other: Address | Prefix) -> bool:
        if isinstance(other, Prefix):  # a prefix is of one network
            other = other._address
        if not isinstance(other, Address):
            raise wrong_type(other, "the left operand of 'in'", "Address or Prefix")
        return bits.unpack_head(other._packed)[1] == self._number

    def __int__(self) -> int:
        return self._number

    __index__ = __int__

    def __bytes__(self) -> bytes:
        """Return the four bytes, as on the wire."""
        return self._number.to_bytes(bits.NETWORK_ID_BITS // 8)

    def __hash__(self) -> int:
        return hash(self._number)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NetworkID | int):
            return self._number == int(other)
        return NotImplemented

    def __lt__(self, other: NetworkID) -> bool:
        if type(other) is NetworkID:
            return self._number < other._number
        return NotImplemented

    def __le__(self, other: NetworkID) -> bool:
        if type(other) is NetworkID:
            return self._number <= other._number
        return NotImplemented

    def __str__(self) -> str:
        return id_text(self._number)

    def __repr__(self) -> str:
        return f"NetworkID('{self}')"

    def __format__(self, spec: str) -> str:
        """Format as a number where `spec` ends in an integer type (`d`, `#x`), else as text."""
        if spec.endswith(("b", "d", "n", "o", "x", "X")):
            return format(self._number, spec)
        return format(str(self), spec)

    def __replace__(self, **changes: int) -> NetworkID:
        return NetworkID.from_groups(**{"high": self.high, "low": self.low, **changes})

    def __reduce__(self) -> tuple[object, ...]:
        return NetworkID, (self._number,)


@closed
class Prefix:
    """A network, or a part of one: a prefix of /48 to /127 inside fdaa::/16.

    It equals and sorts with other prefixes only, by address and then by length. Whether an address
    is in it is asked with `in`.

    Args:
        text: an address, a slash, and a length without leading zeros; all later bits are 0.

    Raises:
        PrefixError: `text` is no prefix, or is one of many networks (`fdaa::/16`). With `/128`, and
            with later bits that are not 0 (`fdaa:2:45b::3/64`), it is an address.
        TypeError: it is neither a `str` nor a Prefix.

    >>> prefix = Prefix("FDAA:2:45b:a7b::/64")
    >>> prefix, prefix.address, prefix.length, prefix.network_id
    (Prefix('fdaa:2:45b:a7b::/64'), Address('fdaa:2:45b:a7b::'), 64, NetworkID('2:45b'))
    >>> Address("fdaa:2:45b:a7b::3") in prefix, prefix in prefix.network_id.prefix
    (True, True)
    """

    __slots__ = ("__weakref__", "_address", "_length")
    __match_args__ = ("address", "length")

    _address: Address
    _length: int

    def __new__(cls, text: str | Prefix, /) -> Prefix:
        """Read the text of a network, `fdaa:2:45b::/48`, or of a part of one."""
        if isinstance(text, Prefix):
            return text
        if not isinstance(text, str):
            raise wrong_type(text, "a prefix", "str or Prefix")
        packed, length = read_prefix(text)
        return _make_prefix(_make(packed), length)

    @classmethod
    def build(cls, address: Address, length: int) -> Prefix:
        """Return the prefix with this first address and this length.

        Raises:
            PrefixError: the length is not 48 to 127, or bits of the address after it are not 0.

        >>> Prefix.build(Address("fdaa:2:45b::"), 48)
        Prefix('fdaa:2:45b::/48')
        """
        check_type(address, "address", Address)
        if type(length) is not int:  # True is an int, too
            raise wrong_type(length, "length", "int")
        check_prefix(f"{address}/{length}", address.packed, length)
        return _make_prefix(address, length)

    @property
    def address(self) -> Address:
        """The first address."""
        return self._address

    @property
    def last(self) -> Address:
        """The last address; addresses sort, so `address` and `last` are the ends of a range.

        >>> Prefix("fdaa:2:45b::/48").last
        Address('fdaa:2:45b:ffff:ffff:ffff:ffff:ffff')
        """
        return _make(bits.last_of(int(self._address), self._length).to_bytes(bits.ADDRESS_BYTES))

    @property
    def length(self) -> int:
        """How many bits all its addresses have in common: 48 for a whole network."""
        return self._length

    @property
    def network_id(self) -> NetworkID:
        """The ID of the network."""
        return self._address.network_id

    def to_ipaddress(self) -> ipaddress.IPv6Network:
        """Return the standard library's object for this prefix."""
        return ipaddress.IPv6Network((self._address.packed, self._length))

    def __contains__(self, other: Address | Prefix) -> bool:
        if isinstance(other, Prefix):
            return other._length >= self._length and other._address in self
        if not isinstance(other, Address):
            raise wrong_type(other, "the left operand of 'in'", "Address or Prefix")
        return bits.starts_alike(int(other), int(self._address), self._length)

    def __hash__(self) -> int:
        return hash((self._address, self._length))

    def __lt__(self, other: Prefix) -> bool:
        if type(other) is Prefix:
            return (self._address, self._length) < (other._address, other._length)
        return NotImplemented

    def __le__(self, other: Prefix) -> bool:
        if type(other) is Prefix:
            return (self._address, self._length) <= (other._address, other._length)
        return NotImplemented

    def __str__(self) -> str:
        return f"{self._address!s}/{self._length}"

    def __repr__(self) -> str:
        return f"Prefix('{self}')"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __replace__(self, **changes: Any) -> Prefix:
        return Prefix.build(**{"address": self._address, "length": self._length, **changes})

    def __reduce__(self) -> tuple[object, ...]:
        return Prefix, (str(self),)

    if not TYPE_CHECKING:  # so that a type checker sees a comparison with another type

        def __eq__(self, other: object) -> bool:
            if type(other) is Prefix:
                return self._address == other._address and self._length == other._length
            return NotImplemented


@closed
class Address:
    """A private address: 128 bits that start with `fdaa` (specification, section 2.3).

    Immutable, hashable, ordered by number, and equal to another Address with the same bits only.
    Every other kind of input has its own constructor: `build`, `from_int`, `from_bytes`,
    `from_ip`, `from_reverse_pointer`.

    Args:
        text: an address as defined in RFC 4291, section 2.2, with nothing around it; or an Address,
            which is returned unchanged.

    Raises:
        AddressError: `text` is not a private address; `.reason` says why, `.at` where.
        OutsidePrefixError: it is IPv6 outside fdaa::/16.
        TypeError: it is neither a `str` nor an Address.

    >>> a = Address("FDAA:2:45b:a7b:174:db43:d3c6:2")
    >>> a, a.network_id
    (Address('fdaa:2:45b:a7b:174:db43:d3c6:2'), NetworkID('2:45b'))
    >>> Address("[fdaa::3]:53")
    Traceback (most recent call last):
        ...
    fdaa.AddressError: '[fdaa::3]:53' is not a private address: brackets ('[') are not part of an \
address (index 0)
    """

    __slots__ = ("__weakref__", "_packed")
    __match_args__ = ("network_id", "rest")

    _packed: bytes

    def __new__(cls, text: str | Address, /) -> Address:
        """Read the text of an address, in any spelling of RFC 4291."""
        if type(text) is Address:  # half the time that isinstance takes for text
            return text
        try:
            packed = inet_pton(AF_INET6, text)
        except REFUSED:
            pass
        except TypeError:
            raise wrong_type(text, "an address", "str or Address") from None
        else:
            if packed[0] == BYTE_0 and packed[1] == BYTE_1:
                address = _new(Address)  # as in `_make`; a call takes an eighth of the whole time
                _set_packed(address, packed)
                return address
            raise OutsidePrefixError(text)  # it is text
        raise AddressError(text)  # here, because a context takes time

    @classmethod
    def build(cls, network_id: int | str | NetworkID, rest: int = 0) -> Address:
        """Return the address with this network ID and these 80 bits after it.

        Raises:
            NetworkIDError: `network_id` has more than 32 bits, or is not the text of a network ID.
            AddressError: `rest` has more than 80 bits.

        >>> Address.build(NetworkID("2:45b"), 0x1_0000_0000_0000_0023)
        Address('fdaa:2:45b:1::23')
        """
        check_bits(rest, "the rest", bits.REST_BITS, AddressError)
        number = bits.join(int(NetworkID(network_id)), rest)
        return _make(number.to_bytes(bits.ADDRESS_BYTES))

    @classmethod
    def from_int(cls, number: int, /) -> Address:
        """Return the address whose 128 bits are this number; the inverse is `int(address)`.

        Raises:
            AddressError: the number has more than 128 bits; `OutsidePrefixError` where it is
                outside fdaa::/16.

        >>> Address.from_int(0xfdaa_0002_045b_0000_0000_0000_0000_0003)
        Address('fdaa:2:45b::3')
        """
        check_bits(number, "an address", bits.ADDRESS_BITS, AddressError)
        return cls.from_bytes(number.to_bytes(bits.ADDRESS_BYTES))

    @classmethod
    def from_bytes(cls, packed: bytes, /) -> Address:
        """Return the address in 16 bytes, as on the wire; the inverse is `.packed`.

        Raises:
            AddressError: there are not 16 bytes; `OutsidePrefixError` where they do not start with
                fd aa.
            TypeError: `packed` is not `bytes`.

        >>> Address.from_bytes(bytes.fromhex("fdaa0002045b00000000000000000003"))
        Address('fdaa:2:45b::3')
        """
        if not isinstance(packed, bytes):
            raise wrong_type(packed, "packed", "bytes")
        if len(packed) != bits.ADDRESS_BYTES:
            head = packed[: bits.ADDRESS_BYTES + 1].hex()
            raise AddressError(head, f"an address has 16 bytes, not {len(packed)}")
        if not packed.startswith(bits.FDAA_BYTES):
            raise OutsidePrefixError(packed.hex(), "an address starts with the bytes fd aa", 0)
        return _make(packed)

    @classmethod
    def from_ip(cls, ip: ipaddress.IPv6Address | netaddr.IPAddress, /) -> Address:
        """Return the address of an `ipaddress.IPv6Address` or a `netaddr.IPAddress`.

        Subclasses are accepted, such as `ipaddress.IPv6Interface`, whose prefix length is left out.
        The inverses are `to_ipaddress` and `to_netaddr`.

        Raises:
            AddressError: it has a zone, or is IPv4; `OutsidePrefixError` where it is outside
                fdaa::/16.
            TypeError: it is an object of another type.

        >>> import ipaddress
        >>> Address.from_ip(ipaddress.ip_address("fdaa:2:45b::3"))
        Address('fdaa:2:45b::3')
        """
        is_standard = isinstance(ip, ipaddress.IPv6Address | ipaddress.IPv4Address)
        other = sys.modules.get("netaddr")  # a package that no one has loaded has made no object
        is_netaddr = other is not None and isinstance(ip, other.IPAddress)
        if not (is_standard or is_netaddr):
            raise wrong_type(ip, "ip", "an IPv6Address of ipaddress or an IPAddress of netaddr")
        if ip.version == 4:
            raise AddressError(str(ip), IS_IPV4)
        if getattr(ip, "scope_id", None) is not None:  # netaddr has no zones
            raise AddressError(str(ip))
        packed = int(ip).to_bytes(bits.ADDRESS_BYTES)
        if not packed.startswith(bits.FDAA_BYTES):
            raise OutsidePrefixError(str(ip), OUTSIDE)
        return _make(packed)

    @classmethod
    def from_reverse_pointer(cls, name: str, /) -> Address:
        """Return the address of a reverse pointer (RFC 3596, section 2.5), in any case.

        A final dot is accepted. The inverse is `.reverse_pointer`.

        Raises:
            AddressError: it is not a reverse pointer; `OutsidePrefixError` where its address is
                outside fdaa::/16.
            TypeError: it is not a `str`.
        """
        name = text_of(name, "a reverse pointer")
        try:
            packed = read_reverse_pointer(name)
        except TextError as error:
            raise AddressError(name, error.reason) from None
        if not packed.startswith(bits.FDAA_BYTES):
            raise OutsidePrefixError(name, OUTSIDE)
        return _make(packed)

    @property
    def network_id(self) -> NetworkID:
        """The network ID; for a cross-network address, the ID of its clients' network."""
        return _network_ids[self._packed[ID_BYTES]]

    @property
    def rest(self) -> int:
        """The 80 bits after the network ID. The specification gives them no meaning."""
        return bits.rest_of(int(self))

    @property
    def packed(self) -> bytes:
        """The 16 bytes, as on the wire."""
        return self._packed

    @property
    def exploded(self) -> str:
        """The text with all eight groups and all leading zeros."""
        return self._packed.hex(":", bits.GROUP_BITS // 8)

    @property
    def reverse_pointer(self) -> str:
        """The DNS name of the address's PTR record (RFC 3596, section 2.5)."""
        return reverse_pointer(self._packed)

    def to_ipaddress(self) -> ipaddress.IPv6Address:
        """Return the standard library's object for this address."""
        return ipaddress.IPv6Address(self._packed)

    def to_netaddr(self) -> netaddr.IPAddress:
        """Return netaddr's object for this address."""
        import netaddr

        return netaddr.IPAddress(int(self))

    def __int__(self) -> int:
        return _from_bytes(self._packed)

    def __bytes__(self) -> bytes:
        return self._packed

    def __hash__(self) -> int:
        return hash(self._packed)

    # The bytes are big-endian, so they sort like the numbers; Python derives > and >=.
    def __lt__(self, other: Address) -> bool:
        if type(other) is Address:
            return self._packed < other._packed
        return NotImplemented

    def __le__(self, other: Address) -> bool:
        if type(other) is Address:
            return self._packed <= other._packed
        return NotImplemented

    def __str__(self) -> str:
        return inet_ntop(AF_INET6, self._packed)

    def __repr__(self) -> str:
        return f"Address('{self}')"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __replace__(self, **changes: Any) -> Address:
        return Address.build(**{"network_id": self.network_id, "rest": self.rest, **changes})

    def __reduce__(self) -> tuple[object, ...]:
        return Address, (str(self),)

    if not TYPE_CHECKING:  # as for a prefix

        def __eq__(self, other: object) -> bool:
            if type(other) is Address:
                return self._packed == other._packed
            return NotImplemented


# --- values of what is already checked ------------------------------------------------------------

_from_bytes = int.from_bytes
_new = object.__new__
# They bypass the __setattr__ above, in three fifths of the time of object.__setattr__.
_set_number: Callable[[NetworkID, int], None] = NetworkID.__dict__["_number"].__set__
_set_address: Callable[[Prefix, Address], None] = Prefix.__dict__["_address"].__set__
_set_length: Callable[[Prefix, int], None] = Prefix.__dict__["_length"].__set__
_set_packed: Callable[[Address, bytes], None] = Address.__dict__["_packed"].__set__


def _make_id(number: int) -> NetworkID:
    network_id = _new(NetworkID)
    _set_number(network_id, number)
    return network_id


def _make_prefix(address: Address, length: int) -> Prefix:
    prefix = _new(Prefix)
    _set_address(prefix, address)
    _set_length(prefix, length)
    return prefix


def _make(packed: bytes) -> Address:
    address = _new(Address)
    _set_packed(address, packed)
    return address


class _NetworkIDs(dict[bytes, NetworkID]):
    """The network IDs of addresses, by their four bytes.

    Networks are few and addresses many: a lookup takes half the time of another object.
    """

    _MOST = 131_072  # networks, about 25 MB; then it is emptied and filled again

    def __missing__(self, packed: bytes) -> NetworkID:
        if len(self) >= self._MOST:
            self.clear()
        network_id = _make_id(_from_bytes(packed))
        self[packed] = network_id
        return network_id


_network_ids = _NetworkIDs()
