"""The holder of an address: its Machine, app and network in documents or in a book."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from fdaa._id_text import id_fields
from fdaa.address import Address
from fdaa.networks._model import Machine

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import Origin


class Holding(StrEnum):
    """How an address is held."""

    MACHINE = "machine"  # by a Machine
    ALLOCATED = "cross-network-address"  # by an app, for the clients of the network in it
    BOOK = "book"  # by an app, when a book learned it
    STALE = "stale"  # by no one: the Machine lists are available, and do not have it
    CONTRADICTION = "contradiction"  # documents disagree
    SERVICE = "service"  # network ID 0, and no app's: a service of the platform
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has an address, as far as that is known.

    Args:
        address: the address.
        holding: how it is held.
        machine: the Machine's identifier.
        app: the app; for a stale address, the one that had it when a book learned it.
        network: the name of the network in the address; for an allocated address, the network of
            the clients.
        looked_at: the apps whose Machine lists do not have a stale address.
        learned_on: when a book learned that the app had it.
        origins: the places in documents that it was read from.
    """

    address: Address
    holding: Holding
    machine: str | None = None
    app: str | None = None
    network: NetworkName | None = None
    looked_at: tuple[str, ...] = ()
    learned_on: str | None = None
    origins: tuple[Origin, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the holder as a dictionary for JSON."""
        return {
            "kind": "holder",
            "address": str(self.address),
            "holding": self.holding,
            "machine": self.machine,
            "app": self.app,
            "network": self.network,
            **id_fields(self.address.network_id),
            "looked_at": list(self.looked_at),
            "learned_on": self.learned_on,
            "origins": [origin.to_dict() for origin in self.origins],
        }


def find_holder(address: Address, networks: NetworkMap) -> Holder:
    """Return who has an address.

    It is stale if its app's Machine list is available and does not have it. Its app is the one
    that had it when the book learned it; else it could be any app on its network, so the Machine
    lists of all of them are needed.

    Args:
        address: the address.
        networks: the joined documents and book.

    >>> from fdaa import Address
    >>> from fdaa.networks import NetworkMap, parse_document
    >>> machines = '[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([parse_document(machines, "web.json", app="web")])
    >>> holder = find_holder(Address("fdaa:2:45b::3"), joined)
    >>> print(holder.holding, holder.machine, holder.app)
    machine 148e1 web
    """
    if not isinstance(address, Address):
        raise TypeError(f"expected an Address, not {type(address).__name__}")
    network = networks.by_id(address.network_id)
    found = Holder(address, Holding.UNKNOWN, network=None if network is None else network.name)
    if address in networks.facts.disputed:
        return replace(found, holding=Holding.CONTRADICTION)
    if holder := networks.holder_at(address):
        is_machine = isinstance(holder, Machine)
        return replace(
            found,
            holding=Holding.MACHINE if is_machine else Holding.ALLOCATED,
            machine=holder.id if isinstance(holder, Machine) else None,
            app=holder.app,
            origins=(holder.origin,),
        )
    entry = networks.book.with_address(address)
    apps: tuple[str, ...] = () if network is None else networks.searched(network)
    if entry is not None and entry.app is not None:
        found = replace(found, holding=Holding.BOOK, app=entry.app, learned_on=entry.learned_on)
        is_complete = networks.facts.has_all_addresses(entry.app)
        apps = (entry.app,) if is_complete else ()
    if apps:
        return replace(found, holding=Holding.STALE, looked_at=apps)
    if entry is None and found.network is None and address.network_id == 0:
        return replace(found, holding=Holding.SERVICE)
    return found
