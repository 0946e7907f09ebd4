"""The Machine that the command runs on: the word `self` wherever an address is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa._errors import AddressError, OwnAddressNotSetError
from fdaa._membership import PRIVATE_IP_VARIABLE, own_address
from fdaa.cli._exit_status import CommandError

if TYPE_CHECKING:
    from fdaa._address import Address

SELF = "self"


class ThisMachine(NamedTuple):
    """What the environment says about the Machine that the command runs on.

    Args:
        address: its address; None if it is not set, or is no private address.
        why_none: why there is none.
        is_set: whether the environment has a text for it.
    """

    address: Address | None
    why_none: str = ""
    is_set: bool = True

    def required(self) -> Address:
        """Return the address, or raise a CommandError that says why there is none."""
        if self.address is None:
            raise CommandError(self.why_none)
        return self.address


def read_this_machine() -> ThisMachine:
    """Return what the environment says, for a command to pass on."""
    try:
        return ThisMachine(own_address())
    except OwnAddressNotSetError as error:
        return ThisMachine(None, str(error), is_set=False)
    except AddressError as error:
        return ThisMachine(None, str(wrong_own_address(error)))


def wrong_own_address(error: AddressError) -> CommandError:
    """Return the error for a variable whose text is not a private address."""
    return CommandError(f"{PRIVATE_IP_VARIABLE}: {error}")
