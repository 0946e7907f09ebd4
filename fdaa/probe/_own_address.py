"""The private address of this computer: PLATFORM_PRIVATE_IP, checked against its interfaces."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from enum import IntFlag
from pathlib import Path

from fdaa._address import Address
from fdaa._errors import AddressError, OwnAddressNotSetError
from fdaa._membership import own_address
from fdaa.probe._evidence import OwnAddress

# Linux: a line for each address: 32 hex digits, four hex numbers, the interface. The fourth number
# has the flags of the address.
_INTERFACES = Path("/proc/net/if_inet6")


class _Flag(IntFlag):
    OPTIMISTIC = 0x04  # usable, though tentative
    DUPLICATE = 0x08
    TENTATIVE = 0x40


def read_own_address() -> OwnAddress:
    """Return the private address of this computer."""
    claimed = None
    invalid = None
    try:
        claimed = own_address()
    except OwnAddressNotSetError:
        pass
    except AddressError as error:
        invalid = str(error)
    try:
        lines = _INTERFACES.read_bytes().split(b"\n")
    except OSError:
        return OwnAddress(claimed, None, claimed, invalid=invalid)
    usable = []
    unusable = []
    for found in _private_addresses(lines):
        own = replace(found, platform_private_ip=claimed, invalid=invalid)
        if own.address == claimed:
            return own
        if own.unusable is None:
            usable.append(own)
        else:
            unusable.append(own)
    for own in usable + unusable:
        return own
    return OwnAddress(None, None, claimed, invalid=invalid)


def _private_addresses(lines: list[bytes]) -> Iterator[OwnAddress]:
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
            yield OwnAddress(address, interface, unusable=_why_unusable(_Flag(int(fields[4], 16))))


def _why_unusable(flags: _Flag) -> str | None:
    if _Flag.DUPLICATE in flags:
        return "duplicate"
    if _Flag.TENTATIVE in flags and _Flag.OPTIMISTIC not in flags:
        return "tentative"
    return None
