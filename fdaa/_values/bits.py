"""The 128 bits of a private address (specification, section 2.3).

    bit 0            16                              48                                      128
        +------------+-------------------------------+----------------------------------------+
        |    fdaa    |          network ID           |                  rest                  |
        +------------+-------------------------------+----------------------------------------+
           16 bits                32 bits                             80 bits
    group   1            2               3              4      5      6      7      8

Bit 0 is the first on the wire. The specification leaves the rest unspecified, so nothing here
reads it. Only this file shifts and masks; the others call it.
"""

from __future__ import annotations

from struct import Struct

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable

FDAA = 0xFDAA  # the first group of every private address
FDAA_BITS = 16
NETWORK_ID_BITS = 32
REST_BITS = 80
GROUP_BITS = 16

NETWORK_PREFIX_LENGTH = FDAA_BITS + NETWORK_ID_BITS  # the /48 of one network
ADDRESS_BITS = NETWORK_PREFIX_LENGTH + REST_BITS
ADDRESS_BYTES = ADDRESS_BITS // 8

FDAA_BYTES = FDAA.to_bytes(FDAA_BITS // 8)
BYTE_0, BYTE_1 = FDAA_BYTES  # to compare one by one, faster than a slice or startswith
ID_BYTES = slice(2, 6)  # of 16: the network ID
NETWORK_BYTES = slice(0, NETWORK_PREFIX_LENGTH // 8)  # of 16: the prefix and the network ID

MAX_NETWORK_ID = (1 << NETWORK_ID_BITS) - 1
MAX_GROUP = (1 << GROUP_BITS) - 1
MAX_REST = (1 << REST_BITS) - 1
MIN_ADDRESS = FDAA << (ADDRESS_BITS - FDAA_BITS)

# 16 bytes -> (prefix, network ID): one call, where slices and int.from_bytes are three.
unpack_head: Callable[[bytes], tuple[int, int]] = Struct(">HI10x").unpack


def join(network_id: int, rest: int) -> int:
    """Return the address with this network ID and this rest, as a number."""
    return MIN_ADDRESS | network_id << REST_BITS | rest


def rest_of(address: int) -> int:
    """Return the 80 bits after the network ID of an address given as a number."""
    return address & MAX_REST


def zeros_at_the_end(rest: int) -> int:
    """Return the number of trailing zero bits in the 80 bits after a network ID."""
    if rest == 0:
        return REST_BITS
    last_one = rest & -rest
    return last_one.bit_length() - 1


def is_prefix(packed: bytes, length: int) -> bool:
    """Whether the text of an address with `/length` is a prefix: whether all later bits are zero.

    If one is not, the text is an address with the prefix length of its link. With /128 it is an
    address, too. The bits of `fdaa` do not count: `fdaa::/8` is a prefix.
    """
    if length >= ADDRESS_BITS:
        return False
    later = ADDRESS_BITS - max(length, FDAA_BITS)
    later_bits = (1 << later) - 1
    return not int.from_bytes(packed) & later_bits


def first_of(address: int, length: int) -> int:
    """Return the first address of the prefix of this length that an address is in."""
    free = ADDRESS_BITS - length
    return address >> free << free


def last_of(first: int, length: int) -> int:
    """Return the last address of a prefix, given its first one and its length."""
    return first | (1 << (ADDRESS_BITS - length)) - 1


def starts_alike(first: int, second: int, length: int) -> bool:
    """Whether two addresses have their first `length` bits in common."""
    return not (first ^ second) >> (ADDRESS_BITS - length)


def groups_of(network_id: int) -> tuple[int, int]:
    """Return the two 16-bit groups of a network ID."""
    return network_id >> GROUP_BITS, network_id & MAX_GROUP


def from_groups(high: int, low: int) -> int:
    """Return the network ID in two 16-bit groups."""
    return high << GROUP_BITS | low
