"""Private IPv6 addresses of the platform: which network is this, and are these on the same one?

>>> import fdaa
>>> fdaa.Address("FDAA:2:45b:a7b:174:db43:d3c6:2").network_id
NetworkID('2:45b')
>>> fdaa.same_network("fdaa:2:45b::3", "fdaa:0002:045B::4")
True
"""

from fdaa._support.exports import find_rooms as _find_rooms
from fdaa._support.exports import publish as _publish
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.errors import (
    AddressError,
    ArgumentError,
    FdaaError,
    InputError,
    NetworkIDError,
    NetworkNameError,
    OutsidePrefixError,
    OwnAddressNotSetError,
    PrefixError,
)
from fdaa._values.membership import extract_network_id, own_address, same_network
from fdaa._values.network_name import DEFAULT_NETWORK, NetworkName

__version__ = "1.0.0rc3"

__all__ = [
    "DEFAULT_NETWORK",
    "Address",
    "AddressError",
    "ArgumentError",
    "FdaaError",
    "InputError",
    "NetworkID",
    "NetworkIDError",
    "NetworkName",
    "NetworkNameError",
    "OutsidePrefixError",
    "OwnAddressNotSetError",
    "Prefix",
    "PrefixError",
    "extract_network_id",
    "own_address",
    "same_network",
]

_publish(__name__)
_ROOMS = (
    "columns",
    "explain",
    "lines",
    "logging",
    "networks",
    "platform",
    "probe",
    "scan",
    "sqlalchemy",
    "strategies",
)
_find_rooms(__name__, _ROOMS)
