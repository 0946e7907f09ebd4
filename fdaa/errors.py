"""Every error that fdaa raises on bad input.

    ValueError
    └── FdaaError               .text  .reason  .at
        ├── AddressError        no private address
        │   └── PrefixError     a good IPv6 address, but outside fdaa::/16
        ├── NetworkIDError      no network ID
        └── NetworkNameError    no network name

An argument of the wrong *type* is a `TypeError`, as everywhere in Python.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it; importing typing would double the cost of `import fdaa`

QUOTED = 60  # characters of the input that a message repeats at most


def quote(text: str) -> str:
    r"""Return `text` as an ASCII literal, cut after 60 characters: safe to print anywhere.

    >>> print(quote("fdaa::1\x1b[31m"))
    'fdaa::1\x1b[31m'
    """
    # str's own slice, and so a plain str: ascii() would ask a subclass how it wants to be shown.
    shown = ascii(str.__getitem__(text, slice(QUOTED)))
    return shown if len(text) <= QUOTED else shown + "..."


class FdaaError(ValueError):
    """Input that is wrong: what it was, why it is refused, and where.

    Args:
        text: the input; what was no text to begin with, as text.
        reason: what is wrong, and what would be right.
        at: the index of the first wrong character, or None where no single one is.

    >>> import fdaa
    >>> try:
    ...     fdaa.Address.parse("fdaa::1g")
    ... except fdaa.FdaaError as error:
    ...     print(error)
    'fdaa::1g' is not a private address: 'g' is not a hex digit, at index 7
    """

    __module__ = "fdaa"
    _kind = "valid input"

    def __init__(self, text: str, reason: str, at: int | None = None) -> None:
        super().__init__(text, reason, at)
        self.text = text
        self.reason = reason
        self.at = at

    def __str__(self) -> str:
        where = "" if self.at is None else f", at index {self.at}"
        return f"{quote(self.text)} is not a {self._kind}: {self.reason}{where}"


class AddressError(FdaaError):
    """Input that is not a private address."""

    __module__ = "fdaa"
    _kind = "private address"


class PrefixError(AddressError):
    """A good IPv6 address that is not a private address, because it does not start with `fdaa`."""

    __module__ = "fdaa"


class NetworkIDError(FdaaError):
    """Input that is no network ID."""

    __module__ = "fdaa"
    _kind = "network ID"


class NetworkNameError(FdaaError):
    """Input that is no network name."""

    __module__ = "fdaa"
    _kind = "network name"
