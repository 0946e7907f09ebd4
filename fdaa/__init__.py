"""Private IPv6 addresses of the platform: which network is this, and are these on the same one?

>>> import fdaa
>>> fdaa.Address.parse("FDAA:2:45b:a7b:174:db43:d3c6:2").network_id
NetworkID.parse('2:45b')
>>> fdaa.same_network("fdaa:2:45b::3", "fdaa:0002:045B::4")
True
"""

from fdaa.address import Address, NetworkID
from fdaa.errors import (
    AddressError,
    BookConflictError,
    BookError,
    DocumentError,
    FdaaError,
    NetworkIDError,
    NetworkNameError,
    PrefixError,
)
from fdaa.membership import own_address, same_network
from fdaa.network_name import DEFAULT_NETWORK, NetworkName
from fdaa.reach import Verdict, reach
from fdaa.text import extract_network_id

TYPE_CHECKING = False  # from typing it would take several times as long as all of fdaa
if TYPE_CHECKING:
    from fdaa.scan import Match, find_addresses

__all__ = [
    "DEFAULT_NETWORK",
    "Address",
    "AddressError",
    "BookConflictError",
    "BookError",
    "DocumentError",
    "FdaaError",
    "Match",
    "NetworkID",
    "NetworkIDError",
    "NetworkName",
    "NetworkNameError",
    "PrefixError",
    "Verdict",
    "extract_network_id",
    "find_addresses",
    "own_address",
    "reach",
    "same_network",
]


def __getattr__(name: str) -> object:
    # The scanner needs `re`, which takes longer to import than all of this.
    if name in ("Match", "find_addresses"):
        from fdaa import scan

        return getattr(scan, name)
    raise AttributeError(f"module 'fdaa' has no attribute {name!r}")
