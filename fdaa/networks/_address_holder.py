"""Who has an address: the Machine, app and network that documents or a book know for it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import Address
from fdaa.networks._argument_types import one_of
from fdaa.networks._book import Book
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import Machine

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName
    from fdaa.networks._model import Origin


class Holding(StrEnum):
    """How an address is held."""

    MACHINE = "machine"  # by a Machine
    ALLOCATED = "cross-network-address"  # by an app, for the clients of the network in it
    BOOK = "book"  # by an app, when a book learned it
    STALE = "stale"  # by nobody: the Machine lists are there, and do not have it
    CONTRADICTION = "contradiction"  # documents disagree
    SERVICE = "service"  # network ID 0, and no app's: a service of the platform
    UNKNOWN = "unknown"


class Holder(NamedTuple):
    """Who has an address, as far as that is known.

    Args:
        address: the address.
        holding: how it is held.
        machine: the Machine's identifier.
        app: the app; of a stale address, the one that had it when a book learned it.
        network: the name of the network in the address; of one that is allocated, it is the network
            of the clients.
        looked_at: the apps whose Machine lists do not have a stale address.
        learned_on: when a book learned that the app had it.
        origins: where documents say so.
    """

    address: Address
    holding: Holding
    machine: str | None = None
    app: str | None = None
    network: NetworkName | None = None
    looked_at: tuple[str, ...] = ()
    learned_on: str | None = None
    origins: tuple[Origin, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return it as what `json.dumps` takes."""
        network_id = self.address.network_id
        return {
            "kind": "holder",
            "address": str(self.address),
            "holding": self.holding,
            "machine": self.machine,
            "app": self.app,
            "network": self.network,
            "network_id": str(network_id),
            "network_id_int": int(network_id),
            "looked_at": list(self.looked_at),
            "learned_on": self.learned_on,
            "sources": [{"file": file, "place": place} for file, place in self.origins],
        }


def find_holder(address: Address, networks: NetworkMap, book: Book | None = None) -> Holder:
    """Return who has an address.

    It is stale where the Machine list of its app is there and does not have it. Its app is the one
    that had it when the book learned it; else it could be any app on its network, so the Machine
    lists of all of them are needed.

    Args:
        address: the address.
        networks: the joined documents, with what the book knows.
        book: it is asked who had the address.

    >>> from fdaa import Address
    >>> from fdaa.networks import NetworkMap, parse_document
    >>> machines = b'[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([parse_document(machines, "web.json", app="web")])
    >>> holder = find_holder(Address.parse("fdaa:2:45b::3"), joined)
    >>> print(holder.holding, holder.machine, holder.app)
    machine 148e1 web
    """
    one_of(Address, address, "find_holder")
    network = one_of(NetworkMap, networks, "find_holder").by_id(address.network_id)
    found = Holder(address, Holding.UNKNOWN, network=None if network is None else network.name)
    if address in networks.statements.disputed:
        return found._replace(holding=Holding.CONTRADICTION)
    if holder := networks.holder_at(address):
        found = found._replace(app=holder.app, origins=(holder.origin,))
        if isinstance(holder, Machine):
            return found._replace(holding=Holding.MACHINE, machine=holder.id)
        return found._replace(holding=Holding.ALLOCATED)
    told = None if book is None else one_of(Book, book, "find_holder").told_from(address)
    apps: tuple[str, ...] = ()
    if told is not None and told.app is not None:
        apps = (told.app,)
        found = found._replace(holding=Holding.BOOK, app=told.app, learned_on=told.learned_on)
    elif network is not None and network.apps and networks.statements.all_apps_listed:
        unplaced = (app for app in networks.statements.app_names if networks.of_app(app) is None)
        apps = (*network.apps, *sorted(unplaced))
    if apps and all(map(networks.has_all_addresses, apps)):
        return found._replace(holding=Holding.STALE, looked_at=apps)
    if told is None and found.network is None and address.network_id == 0:
        return found._replace(holding=Holding.SERVICE)
    return found
