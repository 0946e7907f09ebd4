"""The Machine that the command runs on: the word `self` wherever an address is accepted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fdaa.cli._exit_status import CommandError
from fdaa.errors import AddressError, OwnAddressNotSetError
from fdaa.membership import PRIVATE_IP_VARIABLE, own_address

if TYPE_CHECKING:
    from fdaa.address import Address

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


def wrong_own_address(error: AddressError) -> CommandError:
    """Return the error for a variable whose text is not a private address."""
    return CommandError(f"{PRIVATE_IP_VARIABLE}: {error}")
