"""The name of a private network (specification, sections 2.2 and 8)."""

from __future__ import annotations

from fdaa._support.escapes import quote
from fdaa._values.checks import text_of
from fdaa._values.closed import closed
from fdaa._values.errors import NetworkNameError

_LETTER = "a letter (a to z, A to Z)"


@closed
class NetworkName(str):
    """A valid network name: ASCII letters, digits and dashes, the first a letter.

    A name is a `str`: it compares, hashes and sorts like one, by its exact characters. `Default`
    and `default` are different networks. There is no limit on length, and a name may end in a dash.

    Args:
        text: the name.

    Raises:
        NetworkNameError: `text` breaks a rule; `.at` says where.
        TypeError: `text` is not a `str`.

    >>> NetworkName("customer-17")
    NetworkName('customer-17')
    >>> NetworkName("customer-17") == "customer-17"
    True
    >>> NetworkName("17-customer")
    Traceback (most recent call last):
        ...
    fdaa.NetworkNameError: '17-customer' is not a network name: it must start with a letter \
(a to z, A to Z), not with '1' (index 0)
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, text: str, /) -> NetworkName:
        """Check the text and make it a network name."""
        text = text_of(text, "a network name")
        # For ASCII, isalpha and isalnum are exactly the specification's letters and digits.
        if text.isascii() and text[:1].isalpha() and text.replace("-", "").isalnum():
            return str.__new__(cls, text)
        raise _refusal(text)

    @property
    def is_default(self) -> bool:
        """Whether this is `default`, the network that every organization has.

        >>> NetworkName("default").is_default, NetworkName("Default").is_default
        (True, False)
        """
        return self == "default"

    def __repr__(self) -> str:
        return f"NetworkName({str.__repr__(self)})"

    def __reduce__(self) -> tuple[object, ...]:
        return NetworkName, (str(self),)


def _refusal(text: str) -> NetworkNameError:
    if not text:
        return NetworkNameError(text, f"it is empty; it must start with {_LETTER}")
    if not (text[0].isascii() and text[0].isalpha()):
        reason = f"it must start with {_LETTER}, not with {_named(text[0])}"
        return NetworkNameError(text, reason, 0)
    at = 0
    while text[at] == "-" or (text[at].isascii() and text[at].isalnum()):
        at += 1
    reason = f"only ASCII letters, digits and dashes are allowed, not {_named(text[at])}"
    return NetworkNameError(text, reason, at)


def _named(character: str) -> str:
    """Return a name for a character that distinguishes it from look-alikes."""
    if character.isascii():
        return quote(character)
    from unicodedata import name  # a table of 1 MB, for the error alone

    return f"U+{ord(character):04X} ({name(character, 'unnamed')})"


def risks(name: NetworkName) -> list[str]:
    """Return the risks of a valid name, one sentence each; usually there are none."""
    found = []
    if name.lower() == "default" and not name.is_default:
        found.append("it differs from 'default' only in case, but is a different network (assumed)")
    if name.endswith("-"):
        found.append("it ends in a dash, which is easily lost")
    if len(name) > _DNS_LABEL:
        found.append(f"it has {len(name)} characters; a DNS label has at most {_DNS_LABEL}")
    return found


_DNS_LABEL = 63  # RFC 1035, section 2.3.4
DEFAULT_NETWORK = NetworkName("default")
