"""Questions about addresses: which network, are these on the same one, and which am I on?"""

from __future__ import annotations

import os
from _collections_abc import Mapping  # collections.abc loads more; this is loaded by os

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.bits import FDAA, NETWORK_BYTES, unpack_head
from fdaa._values.checks import check_type, wrong_type
from fdaa._values.errors import AddressError, OutsidePrefixError, OwnAddressNotSetError
from fdaa._values.text import AF_INET6, REFUSED, inet_pton

TYPE_CHECKING = False  # importing typing takes several times as long as importing fdaa
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar, overload

    Default = TypeVar("Default")
else:

    def overload(function: object) -> object:
        """Stand in for `typing.overload`, whose result is replaced."""
        return function


class _NoDefault:
    """Stands for a default that was not given, in what `help` shows."""

    def __repr__(self) -> str:
        return "no default"


_RAISE = _NoDefault()

PRIVATE_IP_VARIABLE = "PLATFORM_PRIVATE_IP"  # specification, section 2.3, rule 5
PRIVATE_IP_NOT_SET = f"{PRIVATE_IP_VARIABLE} is not set; the platform sets it inside a Machine"


@overload
def extract_network_id(address: str | Address, /) -> int: ...
@overload
def extract_network_id(  # noqa: F811 - an overload
    address: str | Address, default: Default, /
) -> int | Default: ...
def extract_network_id(  # noqa: F811 - its code
    address: str | Address, default: object = _RAISE, /
) -> object:
    """Return the network ID of a private address (specification, section 2.3), as its number.

    The fast way for networking code: the same checks and errors as `Address`, without an object.

    - `extract_network_id(address) -> int`: any other text is an error.
    - `extract_network_id(address, default) -> int | Default`: for any other text, the default.

    Args:
        address: a text in any spelling of RFC 4291, section 2.2; or an Address.
        default: what to return for a text that is not a private address; without it, an error.

    Raises:
        AddressError: a text is not a private address; `OutsidePrefixError` where it is IPv6
            outside fdaa::/16.
        TypeError: it is neither a `str` nor an Address.

    **0 is a network ID, and false.** Write `is None`: `if extract_network_id(text, None):` takes
    `fdaa::3` for a text that is no address.

    >>> extract_network_id("fdaa:2:45b:a7b:174:db43:d3c6:2") == 0x2045B
    True
    >>> extract_network_id("fdaa::3")
    0
    >>> print(extract_network_id("10.0.0.1", None))
    None
    """
    if type(address) is Address:  # half the time that isinstance takes for text
        return unpack_head(address._packed)[1]
    try:
        prefix, network_id = unpack_head(inet_pton(AF_INET6, address))
    except REFUSED:
        pass
    except TypeError:
        raise wrong_type(address, "an address", "str or Address") from None
    else:
        if prefix == FDAA:
            return network_id
        if default is _RAISE:
            raise OutsidePrefixError(address)  # it is text
        return default
    if default is _RAISE:
        raise AddressError(address)  # here, because a context takes time
    return default


def same_network(
    first: str | Address | Prefix,
    second: str | Address | Prefix,
    /,
    *others: str | Address | Prefix,
) -> bool:
    """Return whether all these addresses are on one private network.

    Two Machines are on different networks when their network IDs differ (specification, section
    2.3, rule 3), and apps on different networks cannot communicate privately unless explicitly
    configured (Networking rules, 1). Another network does not mean another organization: one
    organization has many.

    Only the addresses are compared. No one is authenticated: anyone can write an address.

    Args:
        first, second, others: texts of addresses, Addresses or Prefixes, in any mix. All are
            checked, even after one that differs.

    Raises:
        AddressError: a text is not a private address.
        TypeError: an argument is neither `str`, `Address` nor `Prefix`.

    >>> same_network("fdaa:2:45b:a7b:174:db43:d3c6:2", "FDAA:2:045B::3")
    True
    >>> same_network("fdaa:2:45b::3", "fdaa::3")
    False
    """
    if type(first) is type(second) is Address and not others:  # a third of the time of two IDs
        return first._packed[NETWORK_BYTES] == second._packed[NETWORK_BYTES]
    network_id = _network_of(first)
    same = _network_of(second) == network_id
    for other in others:
        same = (_network_of(other) == network_id) and same
    return same


def _network_of(value: str | Address | Prefix) -> int:
    if type(value) is Prefix:
        return int(value.network_id)
    try:
        return extract_network_id(value)
    except TypeError:
        if not isinstance(value, NetworkID):
            raise
    hint = "write `address in network_id`"
    raise wrong_type(value, "an address", "str, Address or Prefix", hint)


def is_service(network_id: NetworkID, name: str | None) -> bool:
    """Return whether a network is assumed to belong to the platform's services: ID 0, no name.

    The specification does not say so: docs/platform-rules.md, `network-id-0`. A network of an
    organization has a name in documents.
    """
    return name is None and int(network_id) == 0


def services_among(
    network_ids: Iterable[NetworkID], name_of: Callable[[NetworkID], str | None] | None
) -> frozenset[NetworkID]:
    """Return the network IDs that are assumed to be those of the platform's services.

    `name_of` returns the name of a network, or None where it is not known.
    """
    services = set()
    for network_id in network_ids:
        name = None
        if name_of is not None:
            name = name_of(network_id)
        if is_service(network_id, name):
            services.add(network_id)
    return frozenset(services)


def own_address(environ: Mapping[str, str] | None = None) -> Address:
    """Return the private address of the Machine that this runs on: `PLATFORM_PRIVATE_IP`.

    The platform sets the variable inside a Machine (specification, section 2.3, rule 5).

    Args:
        environ: the mapping to look the variable up in; `os.environ` if not given.

    Raises:
        OwnAddressNotSetError: the variable is not set, or empty.
        AddressError: it does not hold a private address; its text names the variable.
        TypeError: `environ` is not a mapping.

    >>> own_address({"PLATFORM_PRIVATE_IP": "fdaa:2:45b:a7b:174:db43:d3c6:2"}).network_id
    NetworkID('2:45b')
    """
    if environ is None:  # not a default of the signature: help() would print the environment
        environ = os.environ
    check_type(environ, "environ", Mapping)
    value = environ.get(PRIVATE_IP_VARIABLE)
    if not value:
        raise OwnAddressNotSetError(PRIVATE_IP_NOT_SET)
    try:
        return Address(value)
    except AddressError as error:
        reason = f"{error.reason}; it is the value of {PRIVATE_IP_VARIABLE}"
        raise type(error)(value, reason, error.at) from None
