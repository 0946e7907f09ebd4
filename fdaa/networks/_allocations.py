"""Which network each address for cross-network access serves, and common mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from fdaa._id_text import id_fields
from fdaa.networks._model import Requirement

if TYPE_CHECKING:
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import AllocatedAddress, Network


class AllocationWarning(StrEnum):
    """A likely mistake in an address allocated for cross-network access."""

    OWN_NETWORK = "own-network"  # it serves the network that its own app is on
    NO_APP_ON_NETWORK = "no-app-on-network"  # it serves a network that no known app is on
    UNKNOWN_NETWORK = "unknown-network"  # no document has the name of the network it serves


@dataclass(frozen=True, slots=True)
class CheckedAllocation:
    """An address for cross-network access, and the network that it serves.

    Args:
        allocated: the address and its app.
        network: the network whose clients it serves.
        own: whether that is the network that its app is on itself; None where that is not known.
        warning: a likely mistake, or None.
    """

    allocated: AllocatedAddress
    network: Network
    own: bool | None
    warning: AllocationWarning | None

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        allocated = self.allocated
        return {
            "kind": "cross-network-address",
            "address": str(allocated.address),
            "app": allocated.app,
            "network": self.network.name,
            **id_fields(allocated.network_id),
            "warning": self.warning,
            "own_network": self.own,
        }


def check_allocations(networks: NetworkMap) -> list[CheckedAllocation]:
    """Return which network each address allocated for cross-network access serves.

    It warns if that is the app's own network, from which the address does not work (specification,
    Networking rules, 3), and if no listed app is on that network.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> addresses = parse_document('["fdaa:2:45b:0:1::23"]', "ips.json", app="billing")
    >>> [checked] = check_allocations(NetworkMap([addresses]))
    >>> print(checked.network.network_id, checked.warning)
    2:45b unknown-network
    """
    incomplete = {Requirement.MACHINE_LIST, Requirement.MACHINE_WITH_ADDRESS}
    # Only an app list shows that no app is on a network without a name, if the others have an ID.
    all_listed = networks.facts.all_apps_listed
    all_have_ids = incomplete.isdisjoint(network.requires for network in networks.networks)
    found = []
    for allocated in networks.allocated:
        network = networks.by_id(allocated.network_id)
        assert network is not None  # noqa: S101 - the map has a row for each allocated address
        own = _serves_own(allocated, network, networks)
        is_seen = network.requires is not Requirement.MACHINE_LIST_ON_IT
        warning = None
        if own:
            warning = AllocationWarning.OWN_NETWORK
        elif network.apps:
            pass
        elif network.name is None and (is_seen or not (all_listed and all_have_ids)):
            warning = AllocationWarning.UNKNOWN_NETWORK
        elif all_listed:
            warning = AllocationWarning.NO_APP_ON_NETWORK
        found.append(CheckedAllocation(allocated, network, own, warning))
    return found


def _serves_own(allocated: AllocatedAddress, served: Network, networks: NetworkMap) -> bool | None:
    """Return whether a network is that of the app itself, or None where that is not known."""
    if allocated.app is None:
        return None
    own, network_id = networks.of_app(allocated.app), networks.facts.app(allocated.app).network_id
    if network_id is None and own is not None:
        network_id = own.network_id
    if network_id is not None:
        return network_id == allocated.network_id
    # If they had the same name, the ID would be known.
    return False if own and own.name and served.name else None
