"""Every error of the core.

    Exception
    └── FdaaError                       every error of this package
        ├── InputError                  invalid input, a ValueError too: .text  .reason  .at
        │   ├── AddressError            not a private address
        │   │   └── PrefixError         a valid IPv6 address outside fdaa::/16
        │   ├── NetworkIDError          not a network ID
        │   └── NetworkNameError        not a network name
        └── OwnAddressNotSetError       the Machine's own address is not set, a LookupError too

An argument of the wrong *type* is a `TypeError`, as everywhere in Python. The library guide has the
tree with the errors of `fdaa.networks` and `fdaa.platform`.
"""

from __future__ import annotations

PRIVATE_IP_VARIABLE = "PLATFORM_PRIVATE_IP"  # specification, section 2.3, rule 5
QUOTED = 60  # characters of the input that a message repeats at most


def quote(text: str) -> str:
    r"""Return `text` as an ASCII literal, cut after 60 characters: safe to print anywhere.

    >>> print(quote("fdaa::1\x1b[31m"))
    'fdaa::1\x1b[31m'
    """
    shown = ascii(text[:QUOTED])
    return shown if len(text) <= QUOTED else shown + "..."


def printable(text: str, keep: str = "") -> str:
    r"""Return `text` with non-printable characters and line ends escaped, except those in `keep`.

    >>> print(printable("a\x1b[31mb"))
    a\x1b[31mb
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text
    )


class FdaaError(Exception):
    """The base of every error of this package."""


class InputError(FdaaError, ValueError):
    """Invalid input: the text, the reason and the place.

    Args:
        text: the input; a number or bytes as text.
        reason: what is wrong, and what would be right.
        at: the index of the first wrong character, or None where it is not one character.

    >>> import fdaa
    >>> try:
    ...     fdaa.Address.parse("fdaa::1g")
    ... except fdaa.InputError as error:
    ...     print(error)
    'fdaa::1g' is not a private address: 'g' is not a hex digit (index 7)
    """

    _kind = "valid input"

    def __init__(self, text: str, reason: str, at: int | None = None) -> None:
        super().__init__(text, reason, at)
        self.text = text
        self.reason = reason
        self.at = at

    def __str__(self) -> str:
        where = "" if self.at is None else f" (index {self.at})"
        return f"{quote(self.text)} is not a {self._kind}: {self.reason}{where}"


class AddressError(InputError):
    """Not a private address."""

    _kind = "private address"


class PrefixError(AddressError):
    """A valid IPv6 address that is not a private address: it does not start with `fdaa`."""


class NetworkIDError(InputError):
    """Not a network ID."""

    _kind = "network ID"


class NetworkNameError(InputError):
    """Not a network name."""

    _kind = "network name"


class OwnAddressNotSetError(FdaaError, LookupError):
    """The environment variable with this Machine's own address is not set."""
