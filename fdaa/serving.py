"""Whose requests does each address allocated for cross-network access take?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa.networks import NEEDS_APP_OF_MACHINES, NEEDS_MACHINES, Network

if TYPE_CHECKING:
    from fdaa.networks import NetworkMap
    from fdaa.records import AllocatedAddress

# What can be wrong with an address allocated for cross-network access.
OWN_NETWORK = "own-network"  # it serves the network that its own app is on
NO_APP_ON_NETWORK = "no-app-on-network"  # it serves a network that no app is known to be on
UNKNOWN_NETWORK = "unknown-network"  # no Machine with this ID was seen; some networks lack an ID


class Serving(NamedTuple):
    """An address for cross-network access, and whose requests it takes.

    Args:
        allocated: the address and its app.
        network: the network whose clients it serves, or None where it is not known.
        warning: what is likely wrong with it (`OWN_NETWORK`, ...), or None.
    """

    allocated: AllocatedAddress
    network: Network | None
    warning: str | None

    def to_json(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        allocated = self.allocated
        network_id = allocated.address.network_id
        return {
            "kind": "cross-network-address",
            "address": str(allocated.address),
            "app": allocated.app,
            "network": None if self.network is None else self.network.name,
            "network_id": str(network_id),
            "network_id_int": int(network_id),
            "stated": allocated.stated,
            "warning": self.warning,
        }


def check(joined: NetworkMap) -> list[Serving]:
    """Return whose requests each address allocated for cross-network access takes.

    A warning where an address serves the network that its own app is on, from where nothing
    reaches the app through it (specification, Networking rules, 3), or a network that no app is
    on: the usual mistakes when one is allocated.
    """
    unfinished = not joined.networks or any(row.needs == NEEDS_MACHINES for row in joined.networks)
    return [_serving(joined, allocated, unfinished) for allocated in joined.allocated]


def _serving(joined: NetworkMap, allocated: AllocatedAddress, unfinished: bool) -> Serving:
    network = joined.by_id(allocated.network_id)
    own = None if allocated.app is None else joined.of_app(allocated.app)
    warning = None
    if network is None:
        warning = UNKNOWN_NETWORK if unfinished else NO_APP_ON_NETWORK
    elif network is own:
        warning = OWN_NETWORK
    elif not network.apps:
        unclear = network.needs == NEEDS_APP_OF_MACHINES
        warning = UNKNOWN_NETWORK if unclear else NO_APP_ON_NETWORK
    return Serving(allocated, network, warning)
