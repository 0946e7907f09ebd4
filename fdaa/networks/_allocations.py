"""Whose requests does each address allocated for cross-network access take?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa.networks._model import Need, Network

if TYPE_CHECKING:
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import AllocatedAddress

# What can be wrong with an address allocated for cross-network access.
OWN_NETWORK = "own-network"  # it serves the network that its own app is on
NO_APP_ON_NETWORK = "no-app-on-network"  # it serves a network that no app is known to be on
UNKNOWN_NETWORK = "unknown-network"  # no Machine with this ID was seen; some networks lack an ID


class Serving(NamedTuple):
    """An address for cross-network access, and whose requests it takes.

    Args:
        allocated: the address and its app.
        network: the network whose clients it serves.
        own: whether that is the network that its app is on itself; None where that is not known.
        warning: what is likely wrong with it (`OWN_NETWORK`, ...), or None.
    """

    allocated: AllocatedAddress
    network: Network
    own: bool | None
    warning: str | None

    def to_json(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        allocated = self.allocated
        network_id = allocated.address.network_id
        return {
            "kind": "cross-network-address",
            "address": str(allocated.address),
            "app": allocated.app,
            "network": self.network.name,
            "network_id": str(network_id),
            "network_id_int": int(network_id),
            "stated": allocated.stated,
            "warning": self.warning,
            "own_network": self.own,
        }


def check(joined: NetworkMap) -> list[Serving]:
    """Return whose requests each address allocated for cross-network access takes.

    A warning where an address serves the network that its own app is on, from where nothing
    reaches the app through it (specification, Networking rules, 3), or a network that no listed app
    is on: the usual mistakes when one is allocated.
    """
    unfinished = any(
        row.needs in (Need.MACHINE_LIST, Need.MACHINE_WITH_ADDRESS) for row in joined.networks
    )
    return [_serving(joined, allocated, unfinished) for allocated in joined.allocated]


def _serving(joined: NetworkMap, allocated: AllocatedAddress, unfinished: bool) -> Serving:
    network = joined.by_id(allocated.network_id)
    assert network is not None  # noqa: S101 - each address that is allocated has a row
    own = joined.serves_own(allocated)
    warning = None
    if own:
        warning = OWN_NETWORK
    elif not network.apps:
        # Only an app list can tell that no app is there, and only where its ID is told from others.
        if network.name is None and (
            unfinished or network.needs != Need.MACHINE_LIST_ON_IT or not joined.has_app_list
        ):
            warning = UNKNOWN_NETWORK
        elif joined.has_app_list:
            warning = NO_APP_ON_NETWORK
    return Serving(allocated, network, own, warning)
