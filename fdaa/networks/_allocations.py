"""Which network each cross-network address serves, and common mistakes."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from fdaa._values.checks import check_type
from fdaa.networks._knowledge import Knowledge
from fdaa.networks._model import CrossNetworkAddress, Network, network_fields, text_or_none
from fdaa.networks._network_map import NetworkMap, knowledge_of
from fdaa.networks._verdict import compare


class AllocationWarning(StrEnum):
    """A likely mistake about a cross-network address; docs/rules-reach.md has the rule of each."""

    OWN_NETWORK = "own-network"  # its own app is on the network that it serves
    NO_APP_ON_NETWORK = "no-app-on-network"  # no app may be on that network
    UNKNOWN_NETWORK = "unknown-network"  # no document has the name of that network


@dataclass(frozen=True, slots=True)
class CheckedAllocation:
    """A cross-network address, and the network that it serves.

    Args:
        allocated: the address and its app.
        network: the network whose clients it serves.
        own_network: whether that is the network that its app is on itself; None where that is not
            known.
        warning: a likely mistake, or None.
    """

    allocated: CrossNetworkAddress
    _: KW_ONLY
    network: Network
    own_network: bool | None
    warning: AllocationWarning | None

    @property
    def assumed(self) -> str:
        """The name of the assumption that it rests on; docs/platform-rules.md lists them."""
        if self.warning is AllocationWarning.NO_APP_ON_NETWORK:
            return "complete-documents"
        return "clients-network-id"

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {
            "kind": "cross-network-address",
            "address": str(self.allocated.address),
            "app": self.allocated.app,
            **network_fields(self.network.name, self.allocated.network_id),
            "warning": text_or_none(self.warning),
            "own_network": self.own_network,
            "assumed": self.assumed,
        }


def check_allocations(networks: NetworkMap) -> tuple[CheckedAllocation, ...]:
    """Return which network each cross-network address serves.

    It warns if that is the app's own network, from which the address does not work (specification,
    Networking rules, 3), and if no app may be on that network.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> text = '["fdaa:2:45b:0:1::23"]'
    >>> addresses = parse_document(text, file="addresses-billing.json", app="billing")
    >>> [checked] = check_allocations(NetworkMap([addresses]))
    >>> print(checked.network.network_id, checked.warning)
    2:45b unknown-network
    """
    check_type(networks, "networks", NetworkMap)
    knowledge = knowledge_of(networks)
    found = []
    for allocated in knowledge.allocated:
        network = networks.by_id(allocated.network_id)
        assert network is not None  # noqa: S101 - the map has a row for each cross-network address
        own, _ = compare(knowledge.own_network(allocated), knowledge.served_network(allocated))
        warning = _warning(own, network, knowledge)
        found.append(
            CheckedAllocation(allocated, network=network, own_network=own, warning=warning)
        )
    return tuple(found)


def _warning(own: bool | None, network: Network, knowledge: Knowledge) -> AllocationWarning | None:
    if own:
        return AllocationWarning.OWN_NETWORK
    if network.apps:
        return None
    if knowledge.has_no_app(network):
        return AllocationWarning.NO_APP_ON_NETWORK
    if network.name is None:
        return AllocationWarning.UNKNOWN_NETWORK
    return None
