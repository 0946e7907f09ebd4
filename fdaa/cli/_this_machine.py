"""The Machine that the command runs on: the word `self` wherever an address is accepted."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fdaa._errors import AddressError, OwnAddressNotSetError
from fdaa._membership import PRIVATE_IP_VARIABLE, own_address
from fdaa.cli._exit_status import CommandError

if TYPE_CHECKING:
    from collections.abc import Container

    from fdaa._address import Address

SELF = "self"


def known_machine() -> Address | None:
    """Return the address of the Machine that the command runs on; None where it is not set."""
    if not os.environ.get(PRIVATE_IP_VARIABLE):
        return None
    return this_machine()


def this_machine() -> Address:
    """Return the address of the Machine that the command runs on, or raise a CommandError."""
    try:
        return own_address()
    except OwnAddressNotSetError as error:
        raise CommandError(str(error)) from None
    except AddressError as error:
        raise wrong_own_address(error) from None


@dataclass(frozen=True, slots=True)
class KnownAddresses:
    """Addresses that exist: those in the documents, and this Machine's own."""

    documents: Container[Address]
    own: Address | None

    def __contains__(self, address: object) -> bool:
        return address == self.own or address in self.documents


NONE_KNOWN = KnownAddresses((), None)


def known_addresses(documents: Container[Address] = ()) -> KnownAddresses:
    """Return the addresses in the documents, and this Machine's own if it is set."""
    own = None
    with suppress(CommandError):  # a variable that is no address says nothing about this Machine
        own = known_machine()
    return KnownAddresses(documents, own)


def wrong_own_address(error: AddressError) -> CommandError:
    """Return the error for a variable whose text is not a private address."""
    return CommandError(f"{PRIVATE_IP_VARIABLE}: {error}")
