"""The private address of this computer: what an interface has, compared with PLATFORM_PRIVATE_IP.

Each command that needs it asks `read_this_computer`, so `self` is one address for all of them.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from enum import IntFlag
from typing import NamedTuple

from fdaa._values.address import Address
from fdaa._values.errors import AddressError, OwnAddressNotSetError
from fdaa._values.id_text import id_fields
from fdaa._values.membership import is_service, own_address

# Linux: a line for each address: 32 hex digits, four hex numbers, the interface. The fourth number
# has the flags of the address.
_INTERFACES = "/proc/net/if_inet6"


@dataclass(frozen=True, slots=True)
class ThisComputer:
    """The private address of this computer.

    Args:
        address: the address that an interface has. Where none has a private one, or the interfaces
            cannot be read (not on Linux), that in PLATFORM_PRIVATE_IP; None without one.
        interface: the name of the interface; None where `address` is not an interface's.
        platform_private_ip: the address in PLATFORM_PRIVATE_IP; None where it is not set.
        unusable: why the system connects from no such address: "duplicate" or "tentative" (RFC
            4862, section 5.4); else None.
        invalid: why the text in PLATFORM_PRIVATE_IP is no private address; else None.
        elsewhere: whether no interface has the address in PLATFORM_PRIVATE_IP.
    """

    address: Address | None = None
    _: KW_ONLY
    interface: str | None = None
    platform_private_ip: Address | None = None
    unusable: str | None = None
    invalid: str | None = None
    elsewhere: bool = False

    @property
    def on_interface(self) -> Address | None:
        """The address, unless it is known that no interface has it."""
        if self.elsewhere and self.interface is None:
            return None
        return self.address

    def shares_network(self, address: object) -> bool:
        """Return whether an address is known to be on the network of this computer.

        False without an own address, for an address that is not private, and where either has
        network ID 0 (assumed: a service of the platform).
        """
        return share_network(self.address, address)

    def has_other_network(self, address: object) -> bool:
        """Return whether an address is known to be on another network.

        False in the same cases as `shares_network`.
        """
        return have_other_networks(self.address, address)

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "kind": "own-address",
            "address": _text_or_none(self.address),
            **id_fields(self.address and self.address.network_id),
            "interface": self.interface,
            "platform_private_ip": _text_or_none(self.platform_private_ip),
            "unusable": self.unusable,
            "invalid": self.invalid,
            "elsewhere": self.elsewhere,
        }


def _text_or_none(address: Address | None) -> str | None:
    if address is None:
        return None
    return str(address)


def read_this_computer() -> ThisComputer:
    """Return the private address of this computer, and what PLATFORM_PRIVATE_IP says of it.

    The interface counts where it has another private address than the variable. The variable counts
    where no interface has a private address, or the interfaces cannot be read.
    """
    claimed = None
    invalid = None
    try:
        claimed = own_address()
    except OwnAddressNotSetError:
        pass
    except AddressError as error:
        invalid = str(error)
    try:
        with open(_INTERFACES, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import
            lines = file.read().split(b"\n")
    except OSError:
        return ThisComputer(claimed, platform_private_ip=claimed, invalid=invalid)
    found = _best(list(_private_addresses(lines)), claimed)
    if found is None:
        elsewhere = claimed is not None
        return ThisComputer(
            claimed, platform_private_ip=claimed, invalid=invalid, elsewhere=elsewhere
        )
    return ThisComputer(
        found.address,
        interface=found.interface,
        platform_private_ip=claimed,
        unusable=_why_unusable(found.flags),
        invalid=invalid,
        elsewhere=claimed not in (None, found.address),
    )


class _Flag(IntFlag):
    OPTIMISTIC = 0x04  # usable, though tentative
    DUPLICATE = 0x08
    TENTATIVE = 0x40


class _Configured(NamedTuple):
    """An address that an interface has."""

    address: Address
    interface: str
    flags: _Flag


def _best(configured: list[_Configured], claimed: Address | None) -> _Configured | None:
    """Return that of the variable; else the first that the system connects from; else the first."""
    for found in configured:
        if found.address == claimed:
            return found
    for found in configured:
        if _why_unusable(found.flags) is None:
            return found
    return next(iter(configured), None)


def _private_addresses(lines: list[bytes]) -> Iterator[_Configured]:
    """Yield the private addresses, each with its interface.

    The name of an interface is any bytes without white space.
    """
    for line in lines:
        fields = line.split()
        if len(fields) != 6:
            continue
        packed = bytes.fromhex(fields[0].decode("ascii"))
        interface = fields[5].decode("utf-8", "backslashreplace")
        with suppress(AddressError):
            address = Address.from_bytes(packed)
            yield _Configured(address, interface, _Flag(int(fields[4], 16)))


def _why_unusable(flags: _Flag) -> str | None:
    if _Flag.DUPLICATE in flags:
        return "duplicate"
    if _Flag.TENTATIVE in flags and _Flag.OPTIMISTIC not in flags:
        return "tentative"
    return None


def share_network(first: object, second: object) -> bool:
    """Return whether two addresses are known to be on one network."""
    if not isinstance(first, Address) or not isinstance(second, Address):
        return False
    return _is_of_network(first) and first.network_id == second.network_id


def have_other_networks(first: object, second: object) -> bool:
    """Return whether two addresses are known to be on different networks."""
    if not isinstance(first, Address) or not isinstance(second, Address):
        return False
    if not _is_of_network(first) or not _is_of_network(second):
        return False
    return first.network_id != second.network_id


def _is_of_network(address: Address) -> bool:
    """Return whether the ID of an address says on which network it is; no documents are needed."""
    return not is_service(address.network_id, None)
