"""IPv6 text to 16 bytes and back: RFC 4291 section 2.2 in, RFC 5952 out; and what is wrong with it.

The system's `inet_pton` and `inet_ntop` are used where they do exactly that, and Python code
elsewhere: the accepted and the printed text are the same on every system. Functions only.
"""

from __future__ import annotations

from fdaa._support.escapes import QUOTED, quote
from fdaa._values import bits

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable

# The longest address text there is: six groups of four digits and a dotted-quad tail.
MAX_LENGTH = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

OUTSIDE = "this IPv6 address does not start with 'fdaa'"
HEX = frozenset("0123456789abcdefABCDEF")
DECIMAL = frozenset("0123456789")
HIGHEST_PORT = 0xFFFF
IS_IPV4 = "this is an IPv4 address; private addresses are IPv6"
_GROUPS = bits.ADDRESS_BITS // bits.GROUP_BITS


class TextError(ValueError):
    """A text that cannot be read; callers raise an error of `fdaa._values.errors` in its place.

    Args:
        reason: what is wrong.
        at: the index of the first wrong character, or None where it is not one character.
    """

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def pack(text: str) -> bytes:
    """Return the 16 bytes of a private address's text.

    Where speed counts, callers use `inet_pton`, which gives no reason.

    Raises:
        TextError: it is not a private address.
    """
    packed = read(text)
    if not packed.startswith(bits.FDAA_BYTES):
        raise TextError(OUTSIDE, 0)
    return packed


def explain(text: str) -> tuple[str, int | None]:
    """Return why a text that was refused is not a private address, and at which index."""
    try:
        pack(text)
    except TextError as error:
        return error.reason, error.at
    return "it is not valid", None


# --- any IPv6 address, read with reasons ----------------------------------------------------------


def read(text: str) -> bytes:
    """Return the 16 bytes of any IPv6 text (RFC 4291, section 2.2).

    If a port follows an address, the error reports the port, too.

    Raises:
        TextError: it is not an IPv6 address.
    """
    try:
        return _read_groups(text)
    except TextError as error:
        address, _, port = text[: MAX_LENGTH + len(":65535") + 1].rpartition(":")
        if address.endswith(":") or decimal(port, HIGHEST_PORT) is None or not is_ipv6(address):
            raise
        reason = f"{error.reason}; a port (':{port}') is not part of an address"
        raise TextError(reason, len(address)) from None


def _read_groups(text: str) -> bytes:
    """Return the 16 bytes of any IPv6 text.

    It reads from left to right and stops at the first character that cannot be there. No address is
    longer than 45 characters, so the error is within the first 46.
    """
    if not text:
        raise TextError("it is empty")
    head = text[: MAX_LENGTH + 1]
    end = len(head)
    groups: list[bytes] = []
    gap = None  # the number of groups before the "::"
    at = 0
    if head.startswith("::"):
        gap = 0
        at = 2
    while at < end:
        start = at
        while at < end and at - start < 4 and head[at] in HEX:
            at += 1
        if at == start:
            raise _stray(text, head, at)
        if head[at : at + 1] == ".":
            groups += _read_dotted_quad(head, start)
            at = end
        else:
            groups.append(bytes.fromhex(head[start:at].zfill(4)))
        if head[at : at + 2] == "::":
            if gap is not None:
                raise TextError("'::' may appear only once", at)
            gap = len(groups)
            at += 2
        elif head[at : at + 1] == ":":
            at += 1
            if at == end:
                raise TextError("it ends in a single colon", at - 1)
        elif at < end:
            raise _stray(text, head, at)
        _check_number(groups, gap, start - 1)
    if gap is not None:
        groups[gap:gap] = [bytes(bits.GROUP_BITS // 8)] * (_GROUPS - len(groups))
    elif len(groups) < _GROUPS:
        raise TextError(f"only {len(groups)} of 8 groups, and no '::'")
    return b"".join(groups)


def _check_number(groups: list[bytes], gap: int | None, at: int) -> None:
    """Raise the error for a group too many, which the colon at an index begins."""
    if gap is None and len(groups) > _GROUPS:
        raise TextError("too many groups: an address has 8", at)
    if gap is not None and len(groups) >= _GROUPS:
        raise TextError("too many groups: '::' stands for at least one of the 8", at)


def _read_dotted_quad(head: str, start: int) -> tuple[bytes, bytes]:
    """Return the two groups that the dotted quad from `start` to the end of a text stands for."""
    octets = head[start:].split(".")
    numbers = [decimal(octet, 255) for octet in octets]
    quad = bytes(number for number in numbers if number is not None)
    if not len(quad) == len(octets) == 4:
        reason = "'.' is allowed only between four numbers (0 to 255, no leading zeros) at the end"
        raise TextError(reason, head.index("."))
    if start == 0:
        raise TextError(IS_IPV4)
    return quad[:2], quad[2:]


def _stray(text: str, head: str, at: int) -> TextError:
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
    return TextError(reason, at)


def decimal(digits: str, largest: int) -> int | None:
    """Return a decimal number without leading zeros, or None if this is none up to `largest`."""
    if not 0 < len(digits) <= len(str(largest)) or not DECIMAL.issuperset(digits):
        return None
    number = int(digits)
    if number > largest or str(number) != digits:
        return None
    return number


def is_ipv6(text: str) -> bool:
    """Return whether a text is an IPv6 address (RFC 4291, section 2.2)."""
    try:
        _read_groups(text)
    except TextError:
        return False
    return True


# --- the system's own functions, where they are exact ---------------------------------------------


def _read(_family: int, text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError("an address must be str")
    return read(text)


def _write(_family: int, packed: bytes) -> str:
    """Return the text of 16 bytes (RFC 5952, section 4)."""
    from ipaddress import IPv6Address  # it takes longer to load than all of fdaa

    return str(IPv6Address(packed))


# Accepted by the inet_pton of some system, now or earlier, but not by RFC 4291.
_LAX = (
    "fdaa::00001",
    "0fdaa::1",
    "fdaa::0x1",
    "fdaa::01.2.3.4",
    "fdaa:1:2:3::4:5:6:7",
    "fdaa::1%0",
    "fdaa::1%lo",
    "[fdaa::1]",
    "fdaa::1/64",
    " fdaa::1",
    "fdaa::1 ",
    "fdaa::1\n",
)
# Accepted by RFC 4291; a system that refuses one of these refuses addresses.
_VALID = ("FDAA:2:45B::1", "fdaa:1:2:3:4:5:6::", "fdaa:0001::", "fdaa::1.2.3.4", "::")
# Printed by the inet_ntop of some system differently from RFC 5952: a single zero group, two runs
# of one length, a shape with an IPv4 address inside.
_CANONICAL = (
    "fdaa:0:1:1:1:1:1:1",
    "fdaa::1:0:0:1:1",
    "fdaa::200:5efe:102:304",
    "fdaa:1:1:1:0:5efe:102:304",
)


def _reads_exactly(inet_pton: Callable[[int, str], bytes]) -> bool:
    try:
        if any(inet_pton(AF_INET6, text) != read(text) for text in _VALID):
            return False
    except (OSError, ValueError):  # a ValueError for a system without IPv6
        return False
    for text in _LAX:
        try:
            inet_pton(AF_INET6, text)
        except (OSError, ValueError):
            continue
        return False
    return True


def _writes_exactly(inet_ntop: Callable[[int, bytes], str]) -> bool:
    try:
        return all(inet_ntop(AF_INET6, read(text)) == text for text in _CANONICAL)
    except (OSError, ValueError):
        return False


REFUSED = (OSError, ValueError)  # what `inet_pton` raises for a text
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


# --- reverse pointers -----------------------------------------------------------------------------

_POINTER_DIGITS = bits.ADDRESS_BYTES * 2
_LONGEST_POINTER = 2 * _POINTER_DIGITS + len("ip6.arpa.")


def reverse_pointer(packed: bytes) -> str:
    """Return the reverse pointer of 16 bytes (RFC 3596, section 2.5)."""
    return ".".join(packed.hex()[::-1]) + ".ip6.arpa"


def read_reverse_pointer(text: str) -> bytes:
    """Return the 16 bytes of a reverse pointer (RFC 3596, section 2.5), in any case.

    Raises:
        TextError: it is not the reverse pointer of an IPv6 address.
    """
    name = text[: _LONGEST_POINTER + 1].lower().removesuffix(".")
    digits = name[: 2 * _POINTER_DIGITS : 2][::-1]
    if len(digits) == _POINTER_DIGITS and HEX.issuperset(digits):
        packed = bytes.fromhex(digits)
        if reverse_pointer(packed) == name:
            return packed
    reason = "a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa'"
    raise TextError(reason)
