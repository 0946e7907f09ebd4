"""An address as it should be written, where a program could not read it as it is."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Sequence
from urllib.parse import unquote

from fdaa._values.address import Address
from fdaa._values.hosts import Host
from fdaa.lines._ends import Mention
from fdaa.lines._phases import Phase
from fdaa.lines._places import PortOrGroup

_SCHEME = r"(?ai)[a-z][a-z0-9+.-]{0,20}://(?:[^\s/@]{1,64}@)?\Z"
_LONGEST = 100  # characters of the scheme and the user
_PORT_INSIDE = r"(?ai)\[((?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}):([0-9]{1,5})\]"
_ESCAPED = r"(?ai)\bfdaa(?:%3a[0-9a-f]{0,4}){2,8}"


def corrected(
    text: str,
    phase: Phase | None,
    mentions: Sequence[Mention],
    remarks: Sequence[PortOrGroup],
) -> str | None:
    """Return the first address of a text as it should be written; None if there is none.

    Args:
        text: the text.
        phase: how far a program had come, or None; an address is corrected only where it could not
            be read. Without a phase, one in a URL is: it requires brackets.
        mentions: its addresses and names.
        remarks: its texts that may be an address, or a shorter one and its port.
    """
    if phase is None:
        for mention in mentions:
            if isinstance(mention.end, Address) and _scheme_before(text, mention):
                return _in_brackets(text, mention, remarks)
        return None
    if phase is not Phase.ADDRESS:
        return None
    escaped = re.search(_ESCAPED, text)
    if escaped is not None:
        return unquote(escaped[0])
    inside = re.search(_PORT_INSIDE, text)
    if inside is not None:
        return f"[{inside[1]}]:{inside[2]}"
    for mention in mentions:
        if isinstance(mention.end, Address):
            if text[: mention.start].endswith("["):  # they were read as a part of a name
                return str(mention.end)
            return _in_brackets(text, mention, remarks)
    return None


def _in_brackets(text: str, mention: Mention, remarks: Sequence[PortOrGroup]) -> str:
    """Return an address in brackets, with its port, after the scheme of its URL."""
    address = mention.end
    digits = mention.digits
    for either in remarks:
        if either.longer == address and not isinstance(address, Host):
            address = either.shorter
            digits = either.digits
    before = _scheme_before(text, mention)
    if digits is None:
        return f"{before}[{address}]"
    return f"{before}[{address}]:{digits}"


def _scheme_before(text: str, mention: Mention) -> str:
    """Return the scheme and the user of a URL that are directly before an address, or ""."""
    scheme = re.search(_SCHEME, text[max(0, mention.start - _LONGEST) : mention.start])
    if scheme is None:
        return ""
    return scheme[0]
