"""Text to bits and back: RFC 4291 section 2.2 in, RFC 5952 out. Functions only, no classes.

The system's `inet_pton` and `inet_ntop` are used where they do exactly that, and Python code
elsewhere: the accepted and the printed text are the same on every system.
"""

from __future__ import annotations

from fdaa import _bits
from fdaa._bits import FDAA, unpack_head
from fdaa._checks import check_text
from fdaa.errors import QUOTED, AddressError, PrefixError, quote

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable

# The longest address text there is: six groups of four digits and a dotted-quad tail.
MAX_LENGTH = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

_GROUPS = _bits.ADDRESS_BITS // _bits.GROUP_BITS
HEX = frozenset("0123456789abcdefABCDEF")
DECIMAL = frozenset("0123456789")


# --- any IPv6 address, read with reasons ----------------------------------------------------------


def read(text: str) -> bytes:
    """Return the 16 bytes of any IPv6 text (RFC 4291, section 2.2), or raise the error.

    If a port follows an address, the error reports the port, too.
    """
    try:
        return _read_groups(text)
    except AddressError as error:
        address, _, port = text[: MAX_LENGTH + len(":65535") + 1].rpartition(":")
        if address.endswith(":") or not (decimal(port, 65535) and _is_address(address)):
            raise
        reason = f"{error.reason}; a port (':{port}') is not part of an address"
        raise AddressError(text, reason, len(address)) from None


def _read_groups(text: str) -> bytes:
    """Return the 16 bytes of any IPv6 text.

    It reads from left to right and stops at the first character that cannot be there. No address is
    longer than 45 characters, so the error is within the first 46.
    """
    if not text:
        raise AddressError(text, "it is empty")
    head = text[: MAX_LENGTH + 1]
    end = len(head)
    groups: list[bytes] = []
    # The number of groups before the "::", and where reading continues.
    gap, at = (0, 2) if head.startswith("::") else (None, 0)
    while at < end:
        start = at
        while at < end and at - start < 4 and head[at] in HEX:
            at += 1
        if at == start:
            raise _stray(text, head, at)
        if head[at : at + 1] == ".":
            groups += _read_dotted_quad(text, head, start)
            at = end
        else:
            groups.append(bytes.fromhex(head[start:at].zfill(4)))
        if head[at : at + 2] == "::":
            if gap is not None:
                raise AddressError(text, "'::' may appear only once", at)
            gap = len(groups)
            at += 2
        elif head[at : at + 1] == ":":
            at += 1
            if at == end:
                raise AddressError(text, "it ends in a single colon", at - 1)
        elif at < end:
            raise _stray(text, head, at)
        if gap is None and len(groups) > _GROUPS:
            raise AddressError(text, "too many groups: an address has 8", start - 1)
        if gap is not None and len(groups) >= _GROUPS:
            reason = "too many groups: '::' stands for at least one of the 8"
            raise AddressError(text, reason, start - 1)
    if gap is not None:
        groups[gap:gap] = [bytes(_bits.GROUP_BITS // 8)] * (_GROUPS - len(groups))
    elif len(groups) < _GROUPS:
        raise AddressError(text, f"only {len(groups)} of 8 groups, and no '::'")
    return b"".join(groups)


def _read_dotted_quad(text: str, head: str, start: int) -> tuple[bytes, bytes]:
    """Return the two groups that the dotted quad from `start` to the end of a text stands for."""
    octets = head[start:].split(".")
    quad = bytes(n for n in (decimal(octet, 255) for octet in octets) if n is not None)
    if not len(quad) == len(octets) == 4:
        reason = "'.' is allowed only between four numbers (0 to 255, no leading zeros) at the end"
        raise AddressError(text, reason, head.index("."))
    if start == 0:
        raise AddressError(text, "this is an IPv4 address; private addresses are IPv6")
    return quad[:2], quad[2:]


def _stray(text: str, head: str, at: int) -> AddressError:
    """Return the error for a character where only a hex digit or a colon can stand."""
    character = head[at]
    if character in "%/":
        what = "a zone" if character == "%" else "a prefix length"
        reason = f"{what} ({quote(text[at : at + QUOTED + 1])}) is not part of an address"
    elif character in "[]":
        reason = f"brackets ({quote(character)}) are not part of an address"
    elif character.isspace():
        reason = f"white space ({quote(character)}) is not part of an address"
    elif character == ":":
        reason = "expected hex digits, not a colon"
    elif character in HEX:
        reason = "a group has at most 4 hex digits"
    else:
        reason = f"{quote(character)} is not a hex digit"
    return AddressError(text, reason, at)


def decimal(digits: str, largest: int) -> int | None:
    """Return a decimal number without leading zeros, or None if this is none up to `largest`."""
    if not 0 < len(digits) <= len(str(largest)) or not DECIMAL.issuperset(digits):
        return None
    number = int(digits)
    return number if number <= largest and str(number) == digits else None


def _is_address(text: str) -> bool:
    try:
        _read_groups(text)
    except AddressError:
        return False
    return True


# --- the system's own functions, where they are exact ---------------------------------------------


def _read(_family: int, text: str) -> bytes:
    return pack(text)


def _write(_family: int, packed: bytes) -> str:
    """Return the text of 16 bytes (RFC 5952, section 4)."""
    from ipaddress import IPv6Address  # it takes longer to load than all of fdaa

    return str(IPv6Address(packed))


# Accepted by the inet_pton of some system, now or earlier, but not by RFC 4291.
_LAX = (
    *("fdaa::00001", "0fdaa::1", "fdaa::0x1", "fdaa::01.2.3.4", "fdaa:1:2:3::4:5:6:7"),
    *("fdaa::1%0", "fdaa::1%lo", "[fdaa::1]", "fdaa::1/64", " fdaa::1", "fdaa::1 ", "fdaa::1\n"),
)
# Printed by the inet_ntop of some system differently from RFC 5952: a single zero group, two runs
# of one length, a shape with an IPv4 address inside.
_CANONICAL = (
    *("fdaa:0:1:1:1:1:1:1", "fdaa::1:0:0:1:1"),
    *("fdaa::200:5efe:102:304", "fdaa:1:1:1:0:5efe:102:304"),
)


def _reads_exactly(inet_pton: Callable[[int, str], bytes]) -> bool:
    for text in _LAX:
        try:
            inet_pton(_socket.AF_INET6, text)
        except (OSError, ValueError):
            continue
        return False
    return True


def _writes_exactly(inet_ntop: Callable[[int, bytes], str]) -> bool:
    return all(inet_ntop(_socket.AF_INET6, read(text)) == text for text in _CANONICAL)


AF_INET6 = 0
inet_pton: Callable[[int, str], bytes] = _read
inet_ntop: Callable[[int, bytes], str] = _write
try:
    import _socket  # the module under `socket`: the same functions, a tenth of the import time

    AF_INET6 = int(_socket.AF_INET6)
    if _reads_exactly(_socket.inet_pton):
        inet_pton = _socket.inet_pton
    if _writes_exactly(_socket.inet_ntop):
        inet_ntop = _socket.inet_ntop
except (ImportError, AttributeError):  # a Python without sockets, or without IPv6
    pass


# --- a private address ----------------------------------------------------------------------------


def pack(text: str) -> bytes:
    """Return the 16 bytes of a private address's text, or say what is wrong with it.

    This is the strict parser. Where speed counts, callers try `inet_pton` first and call this with
    the text that it rejects.
    """
    check_text(text, "an address")
    packed = read(text)
    if not packed.startswith(_bits.FDAA_BYTES):
        raise PrefixError(text, "this IPv6 address does not start with 'fdaa'", 0)
    return packed


def extract_network_id(text: str, /) -> int:
    """Return the network ID in the text of a private address (specification, section 2.3).

    The fast way for networking code: the same checks and errors as `Address.parse`, without
    creating an object.

    Args:
        text: an address in any spelling of RFC 4291, section 2.2.

    Raises:
        AddressError: `text` is not a private address; `PrefixError` where it is IPv6 outside
            fdaa::/16.
        TypeError: `text` is not a `str`.

    >>> extract_network_id("fdaa:2:45b:a7b:174:db43:d3c6:2") == 0x2045B
    True
    >>> extract_network_id("fdaa::3")
    0
    """
    try:
        if len(text) <= MAX_LENGTH:
            prefix, network_id = unpack_head(inet_pton(AF_INET6, text))
            if prefix == FDAA:
                return network_id
    except (OSError, ValueError, TypeError):
        pass
    return unpack_head(pack(text))[1]


_POINTER_DIGITS = _bits.ADDRESS_BYTES * 2
_LONGEST_POINTER = 2 * _POINTER_DIGITS + len("ip6.arpa.")


def reverse_pointer(packed: bytes) -> str:
    """Return the reverse pointer of 16 bytes (RFC 3596, section 2.5)."""
    return ".".join(packed.hex()[::-1]) + ".ip6.arpa"


def pack_reverse_pointer(text: str) -> bytes:
    """Return the 16 bytes of a private address's reverse pointer (RFC 3596, section 2.5)."""
    check_text(text, "a reverse pointer")
    name = text[: _LONGEST_POINTER + 1].lower().removesuffix(".")
    digits = name[: 2 * _POINTER_DIGITS : 2][::-1]
    is_hex = len(digits) == _POINTER_DIGITS and HEX.issuperset(digits)
    packed = bytes.fromhex(digits) if is_hex else b""
    if not packed or reverse_pointer(packed) != name:
        reason = "a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa'"
        raise AddressError(text, reason)
    if not packed.startswith(_bits.FDAA_BYTES):
        raise PrefixError(text, "this IPv6 address does not start with 'fdaa'")
    return packed
