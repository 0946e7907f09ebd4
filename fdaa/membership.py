"""The two questions asked of addresses: which network am I on, and are these on the same one?"""

from __future__ import annotations

import os

from fdaa._bits import PREFIX, unpack_head
from fdaa._text import AF_INET6, MAX_LENGTH, extract_network_id, inet_pton
from fdaa.address import Address
from fdaa.errors import AddressError, quote

TYPE_CHECKING = False  # from typing it would take several times as long as all of fdaa
if TYPE_CHECKING:
    from collections.abc import Mapping

PRIVATE_IP_VARIABLE = "PLATFORM_PRIVATE_IP"  # specification, section 2.3, rule 5


def same_network(first: str | Address, second: str | Address, /, *others: str | Address) -> bool:
    """Return whether all these addresses are on one private network.

    Two Machines are on different networks when their network IDs differ (specification, section
    2.3, rule 3), and apps on different networks cannot communicate privately unless explicitly
    configured (Networking rules, 1). Another network does not mean another organization: one
    organization has many.

    This compares what the addresses say. It authenticates nobody: anyone can write an address.

    Args:
        first, second, others: texts or Addresses, mixed as you like. All of them are checked, also
            behind one that differs.

    Raises:
        AddressError: a text is not a private address.
        TypeError: an argument is neither `str` nor `Address`.

    >>> same_network("fdaa:2:45b:a7b:174:db43:d3c6:2", "FDAA:2:045B::3")
    True
    >>> same_network("fdaa:2:45b::3", "fdaa::3")
    False
    """
    # Two texts, the usual case, in one go: a call for each would take a sixth longer.
    if type(first) is str and type(second) is str and not others:
        try:
            if len(first) <= MAX_LENGTH and len(second) <= MAX_LENGTH:
                prefix, first_id = unpack_head(inet_pton(AF_INET6, first))
                other_prefix, second_id = unpack_head(inet_pton(AF_INET6, second))
                if prefix == PREFIX == other_prefix:
                    return first_id == second_id
        except (OSError, ValueError):
            pass
    texts_or_addresses = (first, second, *others)
    ids = [
        each.network_id if isinstance(each, Address) else extract_network_id(each)
        for each in texts_or_addresses
    ]
    return ids.count(ids[0]) == len(ids)


def own_address(
    environ: Mapping[str, str] | None = None, variable: str = PRIVATE_IP_VARIABLE
) -> Address:
    """Return the private address of the Machine that this runs on.

    Args:
        environ: where to look the variable up; in `os.environ`, if not given.
        variable: its name; the platform's own is `PLATFORM_PRIVATE_IP` (specification, section
            2.3, rule 5).

    Raises:
        AddressError: the variable is missing, or holds no private address.

    >>> own_address({"PLATFORM_PRIVATE_IP": "fdaa:2:45b:a7b:174:db43:d3c6:2"}).network_id
    NetworkID.parse('2:45b')
    """
    # Not a default of the signature, where a help page would print the whole environment.
    value = (os.environ if environ is None else environ).get(variable)
    if value is None:
        reason = f"the variable {quote(variable)} is not set"
        if variable == PRIVATE_IP_VARIABLE:
            reason += "; the platform sets it inside a Machine"
        raise AddressError("", reason)
    return Address.parse(value)
