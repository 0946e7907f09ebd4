"""The private address of this computer: what an interface has, compared with PLATFORM_PRIVATE_IP.

Each command that needs it asks `read_this_computer`, so `self` is one address for all of them.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields

from fdaa._values.address import Address
from fdaa._values.errors import AddressError, OwnAddressNotSetError
from fdaa._values.id_text import id_fields
from fdaa._values.membership import is_service, own_address

# Linux: a line for each address: 32 hex digits, four hex numbers, the interface. The fourth number
# has the flags of the address (linux/if_addr.h); an optimistic one is used, though tentative.
_INTERFACES = "/proc/net/if_inet6"
_OPTIMISTIC = 0x04
_DUPLICATE = 0x08
_TENTATIVE = 0x40


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

    def has_other_network(self, address: object) -> bool | None:
        """Return whether an address is known to be on another network than this computer.

        None without an own address, for an address that is not private, and where either has
        network ID 0 (assumed: a service of the platform).
        """
        own = self.address
        if own is None or not isinstance(address, Address):
            return None
        if is_service(own.network_id, None) or is_service(address.network_id, None):
            return None
        return own.network_id != address.network_id

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        found: dict[str, object] = {"kind": "own-address"}
        for field in fields(self):
            value = getattr(self, field.name)
            found[field.name] = str(value) if isinstance(value, Address) else value
        return found | id_fields(self.address and self.address.network_id)


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
    configured = list(_private_addresses(lines))
    # That of the variable; else the first that the system connects from; else the first.
    configured.sort(key=lambda each: (each[0] != claimed, each[2] is not None))
    address, interface, unusable = configured[0] if configured else (claimed, None, None)
    return ThisComputer(
        address,
        interface=interface,
        platform_private_ip=claimed,
        unusable=unusable,
        invalid=invalid,
        elsewhere=claimed is not None and (interface is None or address != claimed),
    )


def _private_addresses(lines: list[bytes]) -> Iterator[tuple[Address, str, str | None]]:
    """Yield the private addresses, each with its interface, and why it is not connected from.

    The name of an interface is any bytes without white space.
    """
    for line in lines:
        fields = line.split()
        if len(fields) != 6:
            continue
        flags = int(fields[4], 16)
        unusable = None
        if flags & _DUPLICATE:
            unusable = "duplicate"
        elif flags & _TENTATIVE and not flags & _OPTIMISTIC:
            unusable = "tentative"
        with suppress(AddressError):
            address = Address.from_bytes(bytes.fromhex(fields[0].decode("ascii")))
            yield address, fields[5].decode("utf-8", "backslashreplace"), unusable
