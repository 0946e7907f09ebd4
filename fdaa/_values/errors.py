"""Every error of the core; the library guide has the tree of all errors.

An argument of the wrong *type* is a `TypeError`, as everywhere in Python, and one of a wrong value
is an `ArgumentError`. An error about a file has `.file` and `.reason`, and is a ValueError only
where the file was read.
"""

from __future__ import annotations

from fdaa._support.escapes import quote
from fdaa._values.text import explain

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa


class FdaaError(Exception):
    """The base of every error of this package."""

    def __reduce__(self) -> tuple[object, ...]:
        # `Exception` itself would forget the arguments given by name, which are attributes.
        return Exception.__new__, (type(self), *self.args), vars(self)


class InputError(FdaaError, ValueError):
    """Invalid input: the text, the reason and the place.

    Args:
        text: the input; a number or bytes as text.
        reason: what is wrong, and what would be right; may be empty.
        at: the index of the first wrong character, or None where it is not one character.

    >>> import fdaa
    >>> try:
    ...     fdaa.Address("fdaa::1g")
    ... except fdaa.InputError as error:
    ...     print(error)
    'fdaa::1g' is not a private address: 'g' is not a hex digit (index 7)
    """

    _kind = "valid input"

    # Python's own exceptions keep their arguments in `args`. An __init__ would double the time that
    # an error takes, and most texts are refused in filters, where no one reads more than its type.
    if TYPE_CHECKING:

        def __init__(self, text: str, reason: str = "", at: int | None = None, /) -> None: ...

    @property
    def text(self) -> str:
        """The input."""
        text: str = self.args[0]
        return text

    @property
    def reason(self) -> str:
        """What is wrong, and what would be right."""
        return self._fault()[0]

    @property
    def at(self) -> int | None:
        """The index of the first wrong character; None where it is not one character."""
        return self._fault()[1]

    def _fault(self) -> tuple[str, int | None]:
        reason = self.args[1] if len(self.args) > 1 else ""
        at = self.args[2] if len(self.args) > 2 else None
        return reason, at

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        reason, at = self._fault()
        message = self._message(reason)
        if at is not None:
            message += f" (index {at})"
        return message

    def _message(self, reason: str) -> str:
        message = f"{quote(self.text)} is not a {self._kind}"
        if reason:
            message += f": {reason}"
        return message


def without_index(error: InputError) -> str:
    """Return the message of an error that has an index, for use above a caret, without it."""
    return error._message(error.reason)


class AddressError(InputError):
    """Not a private address.

    Args:
        text: the input.
        reason: what is wrong. Without it, the text is read again when someone asks for the reason.
        at: the index of the first wrong character, if a reason is given.
    """

    _kind = "private address"

    def _fault(self) -> tuple[str, int | None]:
        reason, at = super()._fault()
        if not reason:
            return explain(self.text)
        return reason, at


class OutsidePrefixError(AddressError):
    """A valid IPv6 address that is not a private address: it does not start with `fdaa`."""


class PrefixError(InputError):
    """Not the prefix of a network, or of a part of one."""

    _kind = "prefix of a network"


class NetworkIDError(InputError):
    """Not a network ID."""

    _kind = "network ID"


class NetworkNameError(InputError):
    """Not a network name."""

    _kind = "network name"


class ArgumentError(FdaaError, ValueError):
    """An argument or a setting that cannot be used."""


class OwnAddressNotSetError(FdaaError, LookupError):
    """The environment variable with this Machine's own address is not set."""
