"""Questions about addresses: who holds one, and which network each cross-network address serves."""

from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum

from fdaa._support.escapes import inline
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.membership import is_service
from fdaa._values.network_name import NetworkName
from fdaa.networks._knowledge import Knowledge, compare
from fdaa.networks._map import NetworkMap, knowledge_of
from fdaa.networks._model import (
    CrossNetworkAddress,
    ListedMachine,
    Network,
    Origin,
    Rule,
    dictionaries,
    is_started,
    network_fields,
    text_or_none,
)


class Holding(StrEnum):
    """How an address is held, as far as that is known."""

    MACHINE = "machine"
    CROSS_NETWORK_ADDRESS = "cross-network-address"  # of an app, for clients on the network in it
    SAVED = "saved"  # by an app, when it was saved
    STALE = "stale"  # complete lists do not have it
    CONTRADICTION = "contradiction"  # documents disagree
    SERVICE = "service"  # it has network ID 0 and is in no document
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has an address, as far as that is known.

    Args:
        address: the address.
        holding: how it is held.
        machine_id: the Machine's identifier.
        state: the Machine's state, if a document has it.
        app: the app; for a stale address, the one that had it when it was saved.
        network_name: the name of the network in the address; for a cross-network address, the
            clients' network.
        looked_at: the apps whose Machine lists do not have a stale address.
        learned_on: when it was learned that the app had it.
        origins: the places in documents that it was read from.
    """

    address: Address
    _: KW_ONLY
    holding: Holding
    machine_id: str | None = None
    state: str | None = None
    app: str | None = None
    network_name: NetworkName | None = None
    looked_at: tuple[str, ...] = ()
    learned_on: str | None = None
    origins: tuple[Origin, ...] = ()

    def __str__(self) -> str:
        words = f"{self.address}: {self.holding.value}"
        if self.machine_id is not None:
            words += f", Machine {inline(self.machine_id)}"
        if self.app is not None:
            words += f", app {inline(self.app)}"
        if self.network_name is not None:
            words += f", network {self.network_name}"
        return words

    @property
    def is_in_documents(self) -> bool:
        """Whether a list shows a holder; what was saved may be no longer so."""
        shown = (Holding.MACHINE, Holding.CROSS_NETWORK_ADDRESS, Holding.CONTRADICTION)
        return self.holding in shown

    @property
    def is_stopped(self) -> bool:
        """Whether documents show that its Machine is not started, so that nothing responds."""
        return self.state is not None and not is_started(self.state)

    def to_dict(self) -> dict[str, object]:
        """Return the holder as a dictionary for JSON."""
        return {
            "kind": "holder",
            "address": str(self.address),
            "holding": self.holding.value,
            "machine_id": self.machine_id,
            "state": self.state,
            "app": self.app,
            **network_fields(self.network_name, self.address.network_id),
            "looked_at": list(self.looked_at),
            "learned_on": self.learned_on,
            "origins": dictionaries(self.origins),
        }


def find_holder(address: Address, networks: NetworkMap) -> Holder:
    """Return who has an address.

    It is stale if no document has it, and no list that could have it is missing: the Machine list
    of each app that may be on its network, and the address list of every app. Where it was
    saved with an app that may be on its network, only the lists of that app are needed.

    Args:
        address: the address.
        networks: the joined documents.

    >>> from fdaa import Address
    >>> from fdaa.networks import NetworkMap, parse_document
    >>> machines = '[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([parse_document(machines, file="web.json", app="web")])
    >>> holder = find_holder(Address("fdaa:2:45b::3"), joined)
    >>> print(holder.holding, holder.machine_id, holder.app)
    machine 148e1 web
    """
    check_type(address, "address", Address)
    check_type(networks, "networks", NetworkMap)
    network = networks.by_id(address.network_id)
    found = Holder(address, holding=Holding.UNKNOWN)
    if network is not None:
        found = replace(found, network_name=network.name)
    knowledge = knowledge_of(networks)
    row = knowledge.holder(address)
    if isinstance(row, Rule):
        return replace(found, holding=Holding.CONTRADICTION)
    if isinstance(row, ListedMachine):
        found = replace(found, app=row.app, origins=(row.origin,), machine_id=row.id)
        return replace(found, holding=Holding.MACHINE, state=networks.state_of(row.id))
    if row is not None:
        found = replace(found, app=row.app, origins=(row.origin,))
        return replace(found, holding=Holding.CROSS_NETWORK_ADDRESS)
    entry = knowledge.saved_with.get(address)
    # A network of an organization may have ID 0 by documents; this address is in none of them.
    if entry is None and is_service(address.network_id, None):
        return replace(found, holding=Holding.SERVICE)
    if entry is not None and entry.app is not None:
        found = replace(found, holding=Holding.SAVED, app=entry.app, learned_on=entry.learned_on)
    if network is None:
        return found
    looked_at = knowledge.looked_at(found.app, network)
    if looked_at:
        return replace(found, holding=Holding.STALE, looked_at=looked_at)
    return found


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

    def __str__(self) -> str:
        clients = self.network.name or self.allocated.network_id
        return f"{self.allocated.address} of {inline(self.allocated.app)} for clients on {clients}"

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
        own = compare(knowledge.own_network(allocated), knowledge.served_network(allocated))
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
