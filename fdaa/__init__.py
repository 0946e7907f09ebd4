"""Private IPv6 addresses of the platform: which network is this, and are these on the same one?

>>> import fdaa
>>> fdaa.Address("FDAA:2:45b:a7b:174:db43:d3c6:2").network_id
NetworkID('2:45b')
>>> fdaa.same_network("fdaa:2:45b::3", "fdaa:0002:045B::4")
True
"""

from fdaa._text import extract_network_id
from fdaa.address import Address, NetworkID
from fdaa.errors import (
    AddressError,
    FdaaError,
    InputError,
    NetworkIDError,
    NetworkNameError,
    OwnAddressNotSetError,
    PrefixError,
)
from fdaa.membership import own_address, same_network
from fdaa.network_name import DEFAULT_NETWORK, NetworkName

__version__ = "0.2.0"

__all__ = [
    "DEFAULT_NETWORK",
    "Address",
    "AddressError",
    "FdaaError",
    "InputError",
    "NetworkID",
    "NetworkIDError",
    "NetworkName",
    "NetworkNameError",
    "OwnAddressNotSetError",
    "PrefixError",
    "extract_network_id",
    "own_address",
    "same_network",
]

# Messages, representations and pickles name what users import, wherever its file is.
for _public in map(globals().get, __all__):
    if isinstance(_public, type):
        _public.__module__ = __name__
