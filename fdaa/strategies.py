"""Hypothesis strategies for tests of code that handles these addresses.

Hypothesis itself finds the strategies of values where both packages are installed:
`from_type(fdaa.Address)` works without an import. Half of the examples are uniform, half are edge
cases for code that splits addresses.
"""

from __future__ import annotations

import re
import string

from fdaa._support.extras import needs_package
from fdaa._values import bits
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.network_name import NetworkName

with needs_package("fdaa.strategies", "hypothesis"):
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = [
    "address_texts",
    "addresses",
    "network_ids",
    "network_names",
    "not_addresses",
    "prefixes",
]

# No custom network; the largest; IDs with a group of zeros, which "::" can swallow.
_EDGE_IDS = (0, bits.MAX_NETWORK_ID, 0x10000, 1, 0xFFFF0000, 0xFFFF, 0x2045B)
_EDGE_RESTS = (
    0,
    1,
    0x10000,
    0x1_0000_0000_0000_0023,
    0x1_0000_0000_0002,
    0xFFFF_0000_0000_0000_0000,
    0x8000_0000_0000_0000_0000,
    bits.MAX_REST,
)

_NETWORK_IDS = (st.sampled_from(_EDGE_IDS) | st.integers(0, bits.MAX_NETWORK_ID)).map(NetworkID)
# Rests in which whole groups are zero, so that "::" has several places to go.
_GROUPS = st.lists(st.just(0) | st.integers(0, bits.MAX_GROUP), min_size=5, max_size=5)


def _rest_of_groups(groups: list[int]) -> int:
    digits = "".join(f"{group:04x}" for group in groups)
    return int(digits, 16)


_SPARSE_RESTS = _GROUPS.map(_rest_of_groups)
_RESTS = st.sampled_from(_EDGE_RESTS) | st.integers(0, bits.MAX_REST) | _SPARSE_RESTS
_ADDRESSES = st.builds(Address.build, _NETWORK_IDS, _RESTS)
# A whole network as often as all its parts together.
_LENGTHS = st.just(bits.NETWORK_PREFIX_LENGTH) | st.integers(
    bits.NETWORK_PREFIX_LENGTH, bits.ADDRESS_BITS - 1
)


def network_ids() -> SearchStrategy[NetworkID]:
    """Return a strategy for network IDs.

    >>> from hypothesis import given
    >>> @given(network_ids())
    ... def text_round_trips(network_id):
    ...     assert NetworkID(str(network_id)) == network_id
    >>> text_round_trips()
    """
    return _NETWORK_IDS


def addresses(
    network_ids: SearchStrategy[NetworkID] | SearchStrategy[int] | None = None,
) -> SearchStrategy[Address]:
    """Return a strategy for addresses.

    Args:
        network_ids: a strategy for the network IDs; all of them, if not given.

    Raises:
        TypeError: `network_ids` is no strategy.

    >>> from hypothesis import given, strategies
    >>> @given(addresses(network_ids=strategies.just(NetworkID(7))))
    ... def all_are_on_network_7(address):
    ...     assert address.network_id == 7
    >>> all_are_on_network_7()
    """
    if network_ids is None:
        return _ADDRESSES
    check_type(network_ids, "network_ids", SearchStrategy)
    return st.builds(Address.build, network_ids, _RESTS)


def prefixes() -> SearchStrategy[Prefix]:
    """Return a strategy for prefixes: networks, and parts of networks.

    >>> from hypothesis import given
    >>> @given(prefixes())
    ... def lies_inside_one_network(prefix):
    ...     assert prefix in prefix.network_id.prefix
    >>> lies_inside_one_network()
    """
    return st.builds(_first_of, _ADDRESSES, _LENGTHS)


def _first_of(address: Address, length: int) -> Prefix:
    """Return the prefix of a length that an address is in."""
    first = bits.first_of(int(address), length)
    return Prefix.build(Address.from_int(first), length)


def network_names() -> SearchStrategy[NetworkName]:
    """Return a strategy for valid network names, `default` among them.

    >>> from hypothesis import given
    >>> @given(network_names())
    ... def starts_with_a_letter(name):
    ...     assert name[0].isalpha()
    >>> starts_with_a_letter()
    """
    letters = st.sampled_from(string.ascii_letters)
    others = st.text(string.ascii_letters + string.digits + "-", max_size=80)
    made = st.builds(str.__add__, letters, others)
    risky = st.sampled_from(("default", "Default", "default-", "a", "Z", "a--", "x" * 64))
    return (risky | made).map(NetworkName)


def address_texts(addresses: SearchStrategy[Address] | None = None) -> SearchStrategy[str]:
    """Return a strategy for texts of addresses, in every spelling that RFC 4291 allows.

    Any case, leading zeros or none, `::` for any run of zero groups or for none, a dotted quad at
    the end or not.

    Args:
        addresses: a strategy for the addresses; all of them, if not given.

    Raises:
        TypeError: `addresses` is no strategy.

    >>> from hypothesis import given
    >>> @given(address_texts())
    ... def parses(text):
    ...     assert Address(text)
    >>> parses()
    """
    if addresses is None:
        addresses = _ADDRESSES
    check_type(addresses, "addresses", SearchStrategy)
    return _spellings(addresses)


# The digits of each group, leading zeros included.
_WIDTHS = st.lists(st.integers(1, 4), min_size=8, max_size=8)


@st.composite
def _spellings(draw: DrawFn, addresses: SearchStrategy[Address]) -> str:
    address = draw(addresses)
    if draw(st.integers(0, 3)) == 0:
        return str(address)
    values = [int(group, 16) for group in address.exploded.split(":")]
    groups = [f"{value:x}".zfill(width) for value, width in zip(values, draw(_WIDTHS), strict=True)]
    if draw(st.integers(0, 3)) == 0:
        groups[6:] = [".".join(map(str, address.packed[-4:]))]
        values[6:] = [1]  # no "::" over the quad, or next to nothing
    zeros = [i for i, value in enumerate(values) if value == 0]
    text = ":".join(groups)
    if draw(st.booleans()) and zeros:
        start = draw(st.sampled_from(zeros))
        stop = start + 1
        while stop in zeros and draw(st.integers(0, 3)):
            stop += 1
        text = ":".join(groups[:start]) + "::" + ":".join(groups[stop:])
    return draw(st.sampled_from((str.lower, str.upper, str.title)))(text)


def not_addresses() -> SearchStrategy[str]:
    """Return a strategy for texts that look like private addresses but are not.

    Each is a valid address with one fault: something around it, as in logs (a zone,
    brackets, a port, a prefix length, white space), a group too many, too few or too long, a second
    `::`, a character that is not a hex digit, another prefix, an IPv4 address. Some texts have a
    NUL character or a lone surrogate, which not every file, database or encoding takes.

    >>> from hypothesis import given
    >>> @given(not_addresses())
    ... def is_refused(text):
    ...     try:
    ...         Address(text)
    ...     except ValueError:
    ...         return
    ...     raise AssertionError(text)
    >>> is_refused()
    """
    return st.one_of(
        st.builds(str.format, st.sampled_from(_AROUND), address_texts()),
        st.builds(_spoiled, st.sampled_from(_FAULTS), addresses()),
        st.builds(_with_stray, address_texts(), st.sampled_from(_STRAYS), st.floats(0, 1)),
        st.sampled_from(_OTHERS),
    )


# What stands around an address in logs and configurations.
_AROUND = (
    "{}%eth0",
    "{}%",
    "[{}]",
    "[{}]:80",
    "{}/48",
    " {}",
    "{}\n",
    "\ufeff{}",
    "{}\0",
    "{}.",
    '"{}"',
    ":{}",
    "{}:::",
    "0x{}",
    "{}#53",
    "{}:00000",
)

# A fault in the text of eight whole groups: an expression, and what stands in its place.
_FAULTS = (
    (r"$", ":0"),  # a group too many
    (r"$", ":"),
    (r"$", ".1"),
    (r":....$", ""),  # a group too few
    (r"^", "0"),
    (r"^(....):", r"\1::"),  # no group left for "::"
    (r"^(....):(....):", r"\1::\2::"),
    (r"....:....$", "1.2.3.256"),
    (r"^....", "fdab"),  # another prefix
)


def _spoiled(fault: tuple[str, str], address: Address) -> str:
    expression, replacement = fault
    return re.sub(expression, replacement, address.exploded, count=1)


# Digits of other scripts, look-alikes of hex digits and of the colon, what int(x, 16) would take.
_STRAYS = tuple("gGxX_+-\u0661\u0966\uff11\u0410\u0421\uff21\uff1a\u02d0\u2236\u00b2;,'\\\"\udc80")


def _with_stray(text: str, stray: str, where: float) -> str:
    at = int(where * len(text))
    return text[:at] + stray + text[at:]


_OTHERS = (
    "",
    "::",
    ":::",
    "::1",
    "10.0.0.1",
    "::ffff:10.0.0.1",
    "2001:db8::1",
    "fdaa:0:and:so:on",
    "::fdaa",
    "localhost",
    "fdaa::" * 9,
)
