"""Two questions about addresses: which network am I on, and are these on the same one?"""

from __future__ import annotations

import os
from _collections_abc import Mapping  # collections.abc loads more; this is loaded by os

from fdaa._text import extract_network_id
from fdaa.address import Address
from fdaa.errors import PRIVATE_IP_VARIABLE, OwnAddressNotSetError, printable


def same_network(first: str | Address, second: str | Address, /, *others: str | Address) -> bool:
    """Return whether all these addresses are on one private network.

    Two Machines are on different networks when their network IDs differ (specification, section
    2.3, rule 3), and apps on different networks cannot communicate privately unless explicitly
    configured (Networking rules, 1). Another network does not mean another organization: one
    organization has many.

    Only the addresses are compared. No one is authenticated: anyone can write an address.

    Args:
        first, second, others: texts or Addresses, in any mix. All are checked, even after one that
            differs.

    Raises:
        AddressError: a text is not a private address.
        TypeError: an argument is neither `str` nor `Address`.

    >>> same_network("fdaa:2:45b:a7b:174:db43:d3c6:2", "FDAA:2:045B::3")
    True
    >>> same_network("fdaa:2:45b::3", "fdaa::3")
    False
    """
    first_id = _network_id(first)
    same = _network_id(second) == first_id
    for other in others:
        same = (_network_id(other) == first_id) and same
    return same


def _network_id(text_or_address: str | Address) -> int:
    if isinstance(text_or_address, Address):
        return text_or_address.network_id
    return extract_network_id(text_or_address)


def own_address(
    environ: Mapping[str, str] | None = None, variable: str = PRIVATE_IP_VARIABLE
) -> Address:
    """Return the private address of the Machine that this runs on.

    Args:
        environ: the mapping to look the variable up in; `os.environ` if not given.
        variable: its name; the platform's own is `PLATFORM_PRIVATE_IP` (specification, section
            2.3, rule 5).

    Raises:
        OwnAddressNotSetError: the variable is not set, or empty.
        AddressError: it does not hold a private address.
        TypeError: `environ` is not a mapping.

    >>> own_address({"PLATFORM_PRIVATE_IP": "fdaa:2:45b:a7b:174:db43:d3c6:2"}).network_id
    NetworkID('2:45b')
    """
    if environ is None:  # not a default of the signature: help() would print the environment
        environ = os.environ
    if not isinstance(environ, Mapping):
        raise TypeError(f"environ must be a mapping, not {type(environ).__name__}")
    value = environ.get(variable)
    if value in (None, ""):
        hint = "; the platform sets it inside a Machine" if variable == PRIVATE_IP_VARIABLE else ""
        raise OwnAddressNotSetError(f"{printable(variable)} is not set{hint}")
    return Address.parse(value)
