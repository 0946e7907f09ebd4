"""`Address` and `NetworkID`, in one file because each creates the other."""

from __future__ import annotations

from fdaa import _bits
from fdaa._bits import BYTE_0, BYTE_1
from fdaa._checks import check_bits, pydantic_json_schema, pydantic_schema, pydantic_serializer
from fdaa._id_text import id_text, read_network_id
from fdaa._text import (
    AF_INET6,
    MAX_LENGTH,
    inet_ntop,
    inet_pton,
    pack,
    pack_reverse_pointer,
    reverse_pointer,
)
from fdaa.errors import AddressError, NetworkIDError

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    import ipaddress
    from collections.abc import Callable

    import netaddr
else:

    class _Late:
        """Packages that annotations name, imported for `typing.get_type_hints` only."""

        def __getattr__(self, name: str) -> object:
            import ipaddress

            import netaddr

            return getattr(netaddr if name == "IPAddress" else ipaddress, name)

    ipaddress = netaddr = _Late()


class NetworkID(int):
    """The 32 bits that identify a private network: a number with a text form.

    It hashes, sorts and compares like the `int` that it is; its text is the two groups after
    `fdaa` (specification, section 2.3, rule 2).

    Args:
        value: the number, 0 to 0xffffffff; or a text in one of these forms:

            | form       | example                                              |
            |------------|------------------------------------------------------|
            | two groups | `2:45b`, `:2:45b:`                                   |
            | hex number | `0x2045b`                                            |
            | network    | `fdaa:2:45b::/48`, or a longer prefix inside the /48 |

    Raises:
        NetworkIDError: the number has more than 32 bits, or the text has none of these forms; a
            bare number (`18`) could be hex or decimal.
        TypeError: `value` is neither `int` nor `str`, or it is a `bool`.

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

    __slots__ = ()
    __match_args__ = ("high", "low")

    def __new__(cls, value: int | str, /) -> NetworkID:
        """Check the number, or read the text, and make it a network ID."""
        if isinstance(value, str):
            return int.__new__(NetworkID, read_network_id(value))
        check_bits(value, "a network ID", _bits.NETWORK_ID_BITS, NetworkIDError, "int or str")
        return int.__new__(NetworkID, value)

    def __init_subclass__(cls) -> None:
        raise TypeError("NetworkID is final")

    @classmethod
    def from_groups(cls, high: int, low: int) -> NetworkID:
        """Return the network ID in an address's second and third group, each 0 to 0xffff.

        Raises:
            NetworkIDError: a group has more than 16 bits.

        >>> NetworkID.from_groups(0x2, 0x45b)
        NetworkID('2:45b')
        """
        for group in (high, low):
            check_bits(group, "a group", _bits.GROUP_BITS, NetworkIDError)
        return int.__new__(NetworkID, _bits.from_groups(high, low))

    @property
    def high(self) -> int:
        """The upper 16 bits: the second group of the network's addresses."""
        return _bits.groups_of(self)[0]

    @property
    def low(self) -> int:
        """The lower 16 bits: the third group of the network's addresses."""
        return _bits.groups_of(self)[1]

    @property
    def cidr(self) -> str:
        """The text of the network's /48, for a route or a firewall: `fdaa:2:45b::/48`."""
        return f"{Address.build(self)}/{_bits.NETWORK_PREFIX_LENGTH}"

    @property
    def prefix(self) -> ipaddress.IPv6Network:
        """The network's /48 as an object; `cidr` is its text.

        >>> NetworkID("2:45b").prefix
        IPv6Network('fdaa:2:45b::/48')
        """
        import ipaddress

        return ipaddress.IPv6Network((_bits.join(self, 0), _bits.NETWORK_PREFIX_LENGTH))

    def __contains__(self, address: Address) -> bool:
        if not isinstance(address, Address):
            raise TypeError(f"'in' requires an Address, not {type(address).__name__}")
        return address.network_id == self

    def __str__(self) -> str:
        return id_text(self)

    def __repr__(self) -> str:
        return f"NetworkID('{self}')"

    def __format__(self, spec: str) -> str:
        """Format as a number where `spec` ends in an integer type (`d`, `#x`), else as text."""
        if spec.endswith(("b", "d", "n", "o", "x", "X")):
            return int.__format__(self, spec)
        return format(str(self), spec)

    __get_pydantic_core_schema__ = classmethod(pydantic_schema)
    __get_pydantic_json_schema__ = classmethod(pydantic_json_schema)
    __pydantic_serializer__ = property(pydantic_serializer)


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
        PrefixError: it is IPv6 outside fdaa::/16.
        TypeError: it is neither a `str` nor an Address.

    >>> a = Address("FDAA:2:45b:a7b:174:db43:d3c6:2")
    >>> a, a.network_id
    (Address('fdaa:2:45b:a7b:174:db43:d3c6:2'), NetworkID('2:45b'))
    """

    __slots__ = ("_packed",)
    __match_args__ = ("network_id", "rest")

    _packed: bytes

    def __new__(cls, text: str | Address, /) -> Address:
        """Read the text."""
        try:  # costs nothing where it is text, which is the usual case
            return cls.parse(text)  # type: ignore[arg-type]  # a TypeError says so
        except TypeError:
            if isinstance(text, Address):
                return text
            raise

    def __init_subclass__(cls) -> None:
        raise TypeError("Address is final")

    @classmethod
    def parse(cls, text: str, /) -> Address:
        """Return the address in a text: the same as `Address(text)`, but slightly faster.

        >>> Address.parse("[fdaa::3]:53")
        Traceback (most recent call last):
            ...
        fdaa.AddressError: '[fdaa::3]:53' is not a private address: brackets ('[') are not part of \
an address (index 0)
        """
        try:
            if len(text) <= MAX_LENGTH:
                packed = inet_pton(AF_INET6, text)
                if packed[0] == BYTE_0 and packed[1] == BYTE_1:
                    return _make(packed)
        except (OSError, ValueError, TypeError):
            pass
        return _make(pack(text))

    @classmethod
    def build(cls, network_id: int | str, rest: int = 0) -> Address:
        """Return the address with this network ID and these 80 bits after it.

        Raises:
            NetworkIDError: `network_id` has more than 32 bits, or is not the text of a network ID.
            AddressError: `rest` has more than 80 bits.

        >>> Address.build(NetworkID("2:45b"), 0x1_0000_0000_0000_0023)
        Address('fdaa:2:45b:1::23')
        """
        check_bits(rest, "the rest", _bits.REST_BITS, AddressError)
        return _make(_bits.join(NetworkID(network_id), rest).to_bytes(_bits.ADDRESS_BYTES))

    @classmethod
    def from_int(cls, number: int, /) -> Address:
        """Return the address whose 128 bits are this number; the inverse is `int(address)`.

        Raises:
            AddressError: the number is outside fdaa::/16.

        >>> Address.from_int(0xfdaa_0002_045b_0000_0000_0000_0000_0003)
        Address('fdaa:2:45b::3')
        """
        check_bits(number, "an address", _bits.ADDRESS_BITS, AddressError)
        return cls.from_bytes(number.to_bytes(_bits.ADDRESS_BYTES))

    @classmethod
    def from_bytes(cls, packed: bytes, /) -> Address:
        """Return the address in 16 bytes, as on the wire; the inverse is `.packed`.

        Raises:
            AddressError: there are not 16 bytes, or they do not start with fd aa.
            TypeError: `packed` is not `bytes`.

        >>> Address.from_bytes(bytes.fromhex("fdaa0002045b00000000000000000003"))
        Address('fdaa:2:45b::3')
        """
        if not isinstance(packed, bytes):
            raise TypeError(f"a packed address must be bytes, not {type(packed).__name__}")
        if len(packed) != _bits.ADDRESS_BYTES:
            head = packed[: _bits.ADDRESS_BYTES + 1].hex()
            raise AddressError(head, f"it has {len(packed)} bytes; an address has 16")
        if not packed.startswith(_bits.FDAA_BYTES):
            raise AddressError(packed.hex(), "an address starts with the bytes fd aa", 0)
        return _make(packed)

    @classmethod
    def from_ip(cls, ip: ipaddress.IPv6Address | netaddr.IPAddress, /) -> Address:
        """Return the address of an `ipaddress.IPv6Address` or a `netaddr.IPAddress`.

        The inverses are `to_ipaddress` and `to_netaddr`.

        Raises:
            AddressError: it has a zone, is IPv4, or lies outside fdaa::/16.
            TypeError: it is an object of another type.

        >>> import ipaddress
        >>> Address.from_ip(ipaddress.ip_address("fdaa:2:45b::3"))
        Address('fdaa:2:45b::3')
        """
        # By name, because then the type's module need not be loaded.
        package, name = type(ip).__module__.partition(".")[0], type(ip).__name__
        if f"{package}.{name}" not in _IP_TYPES:
            raise TypeError(f"from_ip takes an IP address object, not {name}")
        return cls.parse(str(ip))

    @classmethod
    def from_reverse_pointer(cls, name: str, /) -> Address:
        """Return the address of a reverse pointer (RFC 3596, section 2.5), in any case.

        A final dot is accepted. The inverse is `.reverse_pointer`.

        Raises:
            AddressError: it is not the reverse pointer of a private address.
            TypeError: it is not a `str`.
        """
        return _make(pack_reverse_pointer(name))

    @property
    def network_id(self) -> NetworkID:
        """The network ID; for a cross-network address, that of the clients' network."""
        return _make_id(NetworkID, _bits.unpack_head(self._packed)[1])

    @property
    def rest(self) -> int:
        """The 80 bits after the network ID. The specification gives them no meaning."""
        return _bits.rest_of(int(self))

    @property
    def packed(self) -> bytes:
        """The 16 bytes, as on the wire."""
        return self._packed

    @property
    def exploded(self) -> str:
        """The text with all eight groups and all leading zeros."""
        return self._packed.hex(":", _bits.GROUP_BITS // 8)

    @property
    def reverse_pointer(self) -> str:
        """The DNS name of the address's PTR record (RFC 3596, section 2.5)."""
        return reverse_pointer(self._packed)

    def to_ipaddress(self) -> ipaddress.IPv6Address:
        """Return the standard library's object for this address."""
        import ipaddress

        return ipaddress.IPv6Address(self._packed)

    def to_netaddr(self) -> netaddr.IPAddress:
        """Return netaddr's object for this address."""
        import netaddr

        return netaddr.IPAddress(int(self))

    def __eq__(self, other: object) -> bool:
        if type(other) is Address:
            return self._packed == other._packed
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._packed)

    # The bytes are big-endian, so they sort like the numbers; Python derives > and >=.
    def __lt__(self, other: Address) -> bool:
        return self._packed < other._packed if type(other) is Address else NotImplemented

    def __le__(self, other: Address) -> bool:
        return self._packed <= other._packed if type(other) is Address else NotImplemented

    def __int__(self) -> int:
        return int.from_bytes(self._packed)

    def __str__(self) -> str:
        return inet_ntop(AF_INET6, self._packed)

    def __repr__(self) -> str:
        return f"Address('{self}')"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Address cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Address cannot be changed: {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return Address, (str(self),)

    __get_pydantic_core_schema__ = classmethod(pydantic_schema)
    __get_pydantic_json_schema__ = classmethod(pydantic_json_schema)
    __pydantic_serializer__ = property(pydantic_serializer)


_IP_TYPES = ("ipaddress.IPv6Address", "ipaddress.IPv4Address", "netaddr.IPAddress")
_make_id: Callable[[type[NetworkID], int], NetworkID] = int.__new__
_new = object.__new__
# Bypasses the __setattr__ above, in three fifths of the time of object.__setattr__.
_set_packed: Callable[[Address, bytes], None] = Address.__dict__["_packed"].__set__


def _make(packed: bytes) -> Address:
    """Return the Address of 16 bytes that are already checked."""
    address: Address = _new(Address)
    _set_packed(address, packed)
    return address
