"""The private address of this computer: PLATFORM_PRIVATE_IP, checked against its interfaces."""

from contextlib import suppress
from pathlib import Path

from fdaa.address import Address
from fdaa.errors import AddressError, OwnAddressNotSetError
from fdaa.membership import own_address
from fdaa.probe._evidence import OwnAddress

# Linux: a line for each address: 32 hex digits, four numbers, the interface.
_INTERFACES = Path("/proc/net/if_inet6")


def read_own_address() -> OwnAddress:
    """Return the private address of this computer.

    Raises:
        AddressError: PLATFORM_PRIVATE_IP does not contain a private address.
    """
    claimed = None
    with suppress(OwnAddressNotSetError):
        claimed = own_address()
    try:
        lines = _INTERFACES.read_bytes().split(b"\n")
    except OSError:
        return OwnAddress(claimed, None, claimed)
    interfaces = _private_addresses(lines)
    if claimed in interfaces:
        return OwnAddress(claimed, interfaces[claimed], claimed)
    for address, interface in interfaces.items():
        return OwnAddress(address, interface, claimed)
    return OwnAddress(None, None, claimed)


def _private_addresses(lines: list[bytes]) -> dict[Address | None, str]:
    """Return the private addresses, each with its interface.

    The name of an interface is any bytes without white space.
    """
    found: dict[Address | None, str] = {}
    for line in lines:
        fields = line.split()
        if len(fields) != 6:
            continue
        packed = bytes.fromhex(fields[0].decode("ascii"))
        with suppress(AddressError):
            found[Address.from_bytes(packed)] = fields[5].decode("utf-8", "backslashreplace")
    return found
