"""Text to bits and back: RFC 4291 section 2.2 in, RFC 5952 out. Functions only, no classes.

The platform's `inet_pton` and `inet_ntop` do the work where they do exactly that, and Python code
here where they do not: the language accepted and the text printed are the same everywhere.
"""

from __future__ import annotations

from fdaa import _bits
from fdaa._bits import PREFIX, unpack_head
from fdaa._checks import check_text
from fdaa.errors import QUOTED, AddressError, PrefixError, quote

TYPE_CHECKING = False  # from typing it would take several times as long as all of fdaa
if TYPE_CHECKING:
    from collections.abc import Callable

# The longest address text there is: six groups of four digits and a dotted-quad tail.
MAX_LENGTH = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

_GROUPS = _bits.ADDRESS_BITS // _bits.GROUP_BITS
_GROUP_BYTES = _bits.GROUP_BITS // 8
_NIBBLES = _bits.ADDRESS_BYTES * 2
HEX = frozenset("0123456789abcdefABCDEF")
DECIMAL = frozenset("0123456789")
_NO_ROOM = "too many groups: '::' stands for at least one of the 8"
_REVERSE_SUFFIX = ".ip6.arpa"


# --- any IPv6 address, read with reasons ----------------------------------------------------------


def read(text: str) -> bytes:
    """Return the 16 bytes of any IPv6 text, or say what is wrong with it (RFC 4291, section 2.2).

    It goes from left to right and stops at the first character that no address can have there. No
    address is longer than 45 characters, so the first 46 of a longer text hold what is wrong.
    """
    if not text:
        raise AddressError(text, "it is empty")
    head = text[: MAX_LENGTH + 1]
    end = len(head)
    groups: list[bytes] = []
    # How many groups stand before the "::", and where it is read on.
    gap, at = (0, 2) if head.startswith("::") else (None, 0)
    while at < end:
        start = at
        while at < end and at - start < 4 and head[at] in HEX:
            at += 1
        if at == start:
            raise _stray(text, head, at)
        if gap is not None and len(groups) == _GROUPS - 1:
            raise AddressError(text, _NO_ROOM, start)
        if head[at : at + 1] == ".":
            groups += _read_dotted_quad(text, head, start, len(groups), gap)
            break
        groups.append(bytes.fromhex(head[start:at].zfill(4)))
        if at == end:
            break
        if head[at] != ":":
            raise _stray(text, head, at)
        if head[at + 1 : at + 2] == ":" and len(groups) < _GROUPS:
            if gap is not None:
                raise AddressError(text, "'::' may appear only once", at)
            gap = len(groups)
            at += 2
            continue
        if len(groups) == (_GROUPS if gap is None else _GROUPS - 1):
            raise _too_many(text, at, gap)
        at += 1
        if at == end:
            raise AddressError(text, "it ends in a single colon", at - 1)
    if gap is not None:
        groups[gap:gap] = [bytes(_GROUP_BYTES)] * (_GROUPS - len(groups))
    elif len(groups) < _GROUPS:
        raise AddressError(text, f"only {len(groups)} of 8 groups, and no '::'")
    return b"".join(groups)


def _read_dotted_quad(
    text: str, head: str, start: int, before: int, gap: int | None
) -> tuple[bytes, bytes]:
    """Return the two groups that the dotted quad at `start` stands for; `before` groups precede."""
    if start == 0 and head.count(".") == 3 and DECIMAL.issuperset(head.replace(".", "")):
        raise AddressError(text, "this is an IPv4 address; private addresses are IPv6")
    if before != 6 if gap is None else before > 5:
        reason = "'.' is allowed only in a dotted quad, for the last two groups"
        raise AddressError(text, reason, head.index("."))
    octets: list[int] = []
    at = start
    while True:
        begin = at
        while at < len(head) and head[at] in DECIMAL:
            at += 1
        digits = head[begin:at]
        zero_padded = digits.startswith("0") and digits != "0"
        no_octet = not digits or zero_padded or int(digits) > 255
        if no_octet or (len(octets) < 3 and head[at : at + 1] != "."):
            wrong = begin if no_octet else at
            reason = "a dotted quad is four numbers from 0 to 255, without leading zeros"
            raise AddressError(text, reason, wrong if wrong < len(head) else None)
        octets.append(int(digits))
        if len(octets) == 4:
            break
        at += 1
    if at < len(head):
        if head[at] == ":" and _is_port(text, at + 1):
            raise _port(text, at)
        if head[at] in HEX or head[at] in ":.":
            raise AddressError(text, "nothing may follow a dotted quad", at)
        raise _stray(text, head, at)
    return bytes(octets[:2]), bytes(octets[2:])


def _too_many(text: str, at: int, gap: int | None) -> AddressError:
    reason = _NO_ROOM if gap is not None else "too many groups: an address has 8"
    if _is_port(text, at + 1):
        reason += f", and a port ({_behind(text, at)}) is not part of it"
    return AddressError(text, reason, at)


def _stray(text: str, head: str, at: int) -> AddressError:
    """Say what a character is doing where only a hex digit or a colon can stand."""
    character = head[at]
    if character in "%/":
        what = "a zone" if character == "%" else "a prefix length"
        return AddressError(text, f"{what} ({_behind(text, at)}) is not part of an address", at)
    if character in "[]":
        return AddressError(text, f"brackets ({quote(character)}) are not part of an address", at)
    if character.isspace():
        return AddressError(text, f"white space ({quote(character)}) is not part of an address", at)
    if character == ":":
        return AddressError(text, "expected hex digits, not a colon", at)
    if character not in HEX:
        return AddressError(text, f"{quote(character)} is not a hex digit", at)
    colon = head.rfind(":", 0, at)
    if colon > 0 and _is_port(text, colon + 1) and _is_address(head[:colon]):
        return _port(text, colon)
    return AddressError(text, "a group has at most 4 hex digits", at)


def _is_port(text: str, at: int) -> bool:
    """Whether a port number, and nothing else, stands from `at` on."""
    digits = text[at : at + 6]
    return digits[:1] not in ("", "0") and DECIMAL.issuperset(digits) and int(digits) < 65536


def _is_address(text: str) -> bool:
    try:
        read(text)
    except AddressError:
        return False
    return True


def _port(text: str, colon: int) -> AddressError:
    reason = f"a port ({_behind(text, colon)}) is not part of an address"
    return AddressError(text, reason, colon)


def _behind(text: str, at: int) -> str:
    """Quote what stands from `at` on, of a text of any length."""
    return quote(text[at : at + QUOTED + 1])


# --- the platform's own functions, where they are exact -------------------------------------------


def _read(_family: int, text: str) -> bytes:
    return pack(text)


def _write(_family: int, packed: bytes) -> str:
    """Return the text of 16 bytes (RFC 5952, section 4)."""
    groups = [f"{int.from_bytes(packed[i : i + 2], 'big'):x}" for i in range(0, len(packed), 2)]
    start = length = run = 0  # the longest run of zero groups, the first where two are as long
    for i, group in enumerate(groups):
        run = run + 1 if group == "0" else 0
        if run > length:
            start, length = i + 1 - run, run
    if length < 2:
        return ":".join(groups)
    return ":".join(groups[:start]) + "::" + ":".join(groups[start + length :])


# What some platform's inet_pton takes, or has taken, though RFC 4291 does not.
_LAX = (
    *("fdaa::00001", "0fdaa::1", "fdaa::0x1", "fdaa::01.2.3.4", "fdaa:1:2:3::4:5:6:7"),
    *("fdaa::1%0", "fdaa::1%lo", "[fdaa::1]", "fdaa::1/64", " fdaa::1", "fdaa::1 ", "fdaa::1\n"),
)
# What some platform's inet_ntop prints otherwise than RFC 5952: a single zero group, two runs of
# one length, a shape with an IPv4 address inside.
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
    import _socket  # what `socket` stands on: the same functions, a tenth of the import time

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

    This is the strict parser. Where speed counts, callers try `inet_pton` first and come here with
    what that refuses.
    """
    check_text(text, "an address")
    packed = read(text)
    if not packed.startswith(_bits.PREFIX_BYTES):
        raise PrefixError(text, "this IPv6 address does not start with 'fdaa'", 0)
    return packed


def pack_with_length(text: str) -> tuple[bytes, int]:
    """Return the 16 bytes and the length of a private address followed by `/N`."""
    address, _, digits = text.partition("/")
    try:
        packed = pack(address)
    except AddressError as error:
        raise type(error)(text, error.reason, error.at) from None
    zero_padded = digits.startswith("0") and digits != "0"
    is_number = 0 < len(digits) <= len("128") and DECIMAL.issuperset(digits) and not zero_padded
    if not is_number or int(digits) > _bits.ADDRESS_BITS:
        where = len(address) + 1 if digits else None
        raise AddressError(text, "a prefix length is a number from 0 to 128", where)
    return packed, int(digits)


def extract_network_id(text: str, /) -> int:
    """Return the network ID in the text of a private address (specification, section 2.3).

    The fast way for networking code: the same check and the same errors as `Address.parse`, and no
    object is made.

    Args:
        text: an address as RFC 4291, section 2.2, writes it, in any case and compression.

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
            if prefix == PREFIX:
                return network_id
    except (OSError, ValueError, TypeError):
        pass
    return unpack_head(pack(text))[1]


def pack_reverse_pointer(text: str) -> bytes:
    """Return the 16 bytes of a private address's reverse pointer (RFC 3596, section 2.5)."""
    check_text(text, "a reverse pointer")
    name = text[: 2 * _NIBBLES + len(_REVERSE_SUFFIX) + 1].lower()
    digits = name[: 2 * _NIBBLES : 2]
    for at, character in enumerate(name[: 2 * _NIBBLES - 1]):
        if character not in HEX if at % 2 == 0 else character != ".":
            reason = "a reverse pointer is 32 hex digits, each followed by a dot, and 'ip6.arpa'"
            raise AddressError(text, reason, at)
    if len(digits) < _NIBBLES or name[2 * _NIBBLES - 1 :].removesuffix(".") != _REVERSE_SUFFIX:
        raise AddressError(text, "a reverse pointer has 32 hex digits and ends in '.ip6.arpa'")
    packed = bytes.fromhex(digits[::-1])
    if not packed.startswith(_bits.PREFIX_BYTES):
        reason = "the reverse pointer of an address that does not start with 'fdaa'"
        raise PrefixError(text, reason)
    return packed
