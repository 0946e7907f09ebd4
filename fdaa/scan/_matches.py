"""Addresses with their places in a text."""

# Without `annotations` from `__future__`: annotations of public names must be objects.
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from fdaa._values.address import Address, Prefix
from fdaa._values.checks import wrong_type
from fdaa._values.id_text import id_fields
from fdaa.scan._expression import find_matches, judge
from fdaa.scan._once import Once

Result = TypeVar("Result")


# A frozen dataclass takes 0.4 us to create and a named tuple 0.24, of the 1.9 us of a match. Values
# by name would take 0.15 more.
@dataclass(frozen=True, slots=True)
class Match:
    """An address or a network in a text.

    Args:
        value: an `Address`; or a `Prefix`, for a network (`fdaa:0:18::/48`) or a part of one. Both
            have a `network_id`.
        start, end: where its text begins and ends; in characters of a `str`, in bytes of `bytes`.

    >>> match = next(find_addresses("from [fdaa:0:18::3]:53"))
    >>> match
    Match(value=Address('fdaa:0:18::3'), start=6, end=18)
    >>> match.value.network_id
    NetworkID('0:18')
    """

    value: Address | Prefix
    start: int
    end: int

    def __str__(self) -> str:
        """Return the canonical text of the value."""
        return str(self.value)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a line of `fdaa scan --json` that a text has, and the place.

        >>> next(find_addresses("[fdaa:0:18::3]:53")).to_dict() == {
        ...     "start": 1,
        ...     "end": 13,
        ...     "kind": "address",
        ...     "address": "fdaa:0:18::3",
        ...     "network_id": "0:18",
        ...     "network_id_int": 24,
        ...     "prefix": "fdaa:0:18::/48",
        ... }
        True
        """
        return {"start": self.start, "end": self.end, **value_fields(self.value)}


def value_fields(value: Address | Prefix) -> dict[str, Any]:
    """Return the fields of an address or a network; the prefix of an address is its network's."""
    fields: dict[str, Any] = {"kind": "address", "address": str(value)}
    prefix = value.network_id.prefix
    if isinstance(value, Prefix):
        fields = {"kind": "prefix", "address": None}
        prefix = value
    return {**fields, **id_fields(value.network_id), "prefix": str(prefix)}


def find_addresses(text: str | bytes) -> Iterator[Match]:
    r"""Find the private addresses in a text (specification, section 2.3), from left to right.

    Every match parses. A port, a zone, brackets and punctuation are left out, and so is the prefix
    length of a link after an address (`fdaa:0:18::2/64`). A prefix of /48 or longer is reported as
    a `Prefix`, a shorter one is skipped. A text that continues like an address but is not one is
    skipped as a whole.

    Args:
        text: `str` or `bytes`. In bytes that are not UTF-8, the ASCII characters are read.

    Raises:
        TypeError: `text` is neither.

    >>> log = "listening on [fdaa:0:18::2]:22 (DNS: [FDAA::3]:53), route fdaa:0:18::/48"
    >>> [match.value for match in find_addresses(log)]
    [Address('fdaa:0:18::2'), Address('fdaa::3'), Prefix('fdaa:0:18::/48')]
    >>> list(find_addresses(b"2001:db8:fdaa::1 fdaa::1::2 fdaa::1g fdaa::/16"))
    []
    """
    if isinstance(text, str):
        return _in_text(text.encode(errors="surrogatepass"), text.isascii())
    if isinstance(text, bytes):
        return _in_text(text, is_counted=True)
    raise wrong_type(text, "text", "str or bytes")


def _in_text(data: bytes, is_counted: bool) -> Iterator[Match]:
    for start, (value, length) in search(data, is_counted, Once(judge)):
        yield Match(value, start, start + length)


def search(
    data: bytes, is_counted: bool, table: Once[Result | None]
) -> Iterator[tuple[int, Result]]:
    """Yield where each match begins, and what a table has for it.

    Args:
        data: a text, as UTF-8.
        is_counted: whether its characters are its bytes; else they are counted.
        table: has None for a run that is not a match.
    """
    lower = b"\n" + data.lower()
    before = 0
    start = 0
    for run in find_matches(lower, 1, len(lower)):
        result = table[run.group()]
        if result is None:
            continue
        at = run.start() - 1
        if is_counted:
            start = at
        else:
            start += len(data[before:at].decode(errors="surrogatepass"))
            before = at
        yield start, result
