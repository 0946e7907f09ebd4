"""The holder of an address: its Machine, app and network in documents."""

from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum

from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.membership import is_service
from fdaa._values.network_name import NetworkName
from fdaa.networks._model import (
    ListedMachine,
    Origin,
    Rule,
    is_started,
    network_fields,
)
from fdaa.networks._network_map import NetworkMap, knowledge_of


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
            "origins": [origin.to_dict() for origin in self.origins],
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
    name = None if network is None else network.name
    found = Holder(address, holding=Holding.UNKNOWN, network_name=name)
    knowledge = knowledge_of(networks)
    row = knowledge.holder(address)
    if isinstance(row, Rule):
        return replace(found, holding=Holding.CONTRADICTION)
    if isinstance(row, ListedMachine):
        return replace(
            found,
            holding=Holding.MACHINE,
            machine_id=row.id,
            state=networks.state_of(row.id),
            app=row.app,
            origins=(row.origin,),
        )
    if row is not None:
        return replace(
            found,
            holding=Holding.CROSS_NETWORK_ADDRESS,
            app=row.app,
            origins=(row.origin,),
        )
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
