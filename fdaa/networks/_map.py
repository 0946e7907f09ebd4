"""`NetworkMap`: what documents show together."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type, text_of
from fdaa.networks._knowledge import Knowledge
from fdaa.networks._model import (
    Contradiction,
    Document,
    KnownNetwork,
    ListedMachine,
    Network,
    SavedNetwork,
    Unused,
)


class NetworkMap:
    """The join of documents.

    Where documents disagree, their facts are a contradiction, and no conclusion is drawn from
    them; docs/rules-networks.md states the rules.

    Args:
        documents: documents from `read_document` and `parse_document`, in any order.

    Raises:
        TypeError: one of them is something else.

    Attributes:
        networks: a row for each network, sorted by name; those without a name follow, by ID.
        contradictions: facts that cannot all be true.
        unused: everything in the documents that was not used, each with its kind: rows and values
            that are wrong, network names that break the rules, and what a list without its app
            shows about the app.
        left_out: the number of rows that could not be used.
        saved: the names with their IDs that were known before, each once.

    >>> from fdaa.networks import parse_document
    >>> apps = parse_document('{"apps": [{"name": "web", "network": "blue"}]}', file="apps.json")
    >>> machines = '[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, file="web.json", app="web")])
    >>> print(joined.by_name("blue").network_id, joined.by_id("2:45b").name)
    2:45b blue
    """

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        check_type(documents, "documents", Iterable)
        documents = list(documents)
        for document in documents:
            check_type(document, "each of documents", Document)
        self._knowledge = Knowledge(documents)
        self.saved: tuple[SavedNetwork, ...] = tuple(self._knowledge.saved.values())
        self.networks: tuple[Network, ...] = self._knowledge.networks
        self.contradictions: tuple[Contradiction, ...] = tuple(self._knowledge.contradictions)
        self.unused: tuple[Unused, ...] = tuple(self._knowledge.unused)
        self.left_out: int = self._knowledge.left_out

    def __repr__(self) -> str:
        networks = f"{len(self.networks)} networks, {len(self.contradictions)} contradictions"
        return f"<NetworkMap {networks}, {len(self.apps)} apps, {len(self.addresses)} addresses>"

    # --- the content of the documents -------------------------------------------------------------

    @property
    def names(self) -> Collection[str]:
        """The names of all networks in the documents."""
        return self._knowledge.by_name.keys()

    @property
    def apps(self) -> Collection[str]:
        """The names of all apps in the documents."""
        return self._knowledge.apps.keys()

    @property
    def machines(self) -> Mapping[str, Sequence[ListedMachine]]:
        """The rows of each Machine in the documents, by its identifier."""
        return MappingProxyType(self._knowledge.machines)

    @property
    def addresses(self) -> Collection[Address]:
        """All addresses of Machines, and all cross-network addresses, in the documents."""
        return self._knowledge.holders.keys()

    def has_name(self, name: str) -> bool:
        """Return whether an app or a Machine has this name, in the lists or in what was saved."""
        knowledge = self._knowledge
        return name in knowledge.apps or name in knowledge.machines or name in knowledge.saved_of

    @property
    def has_all_apps(self) -> bool:
        """Whether an app list lists apps, and no app list is incomplete."""
        return self._knowledge.all_apps_listed

    def has_network_name(self, app: str) -> bool:
        """Return whether a list has a name, valid or not, of the network of an app."""
        return bool(self._knowledge.app(text_of(app, "app")).listings)

    def has_machine_list(self, app: str) -> bool:
        """Return whether a list shows all Machines of an app, or that it has none."""
        facts = self._knowledge.app(text_of(app, "app"))
        return facts.has_machine_list or 0 in facts.counts

    # --- lookups ----------------------------------------------------------------------------------

    def by_name(self, name: str) -> Network | None:
        """Return the network of this name, or None."""
        return self._knowledge.by_name.get(text_of(name, "name"))

    def by_id(self, network_id: NetworkID | int | str) -> Network | None:
        """Return the network with this ID, or None.

        Args:
            network_id: in any form that `NetworkID` accepts.

        Raises:
            NetworkIDError: it is not a network ID.
        """
        return self._knowledge.by_id.get(NetworkID(network_id))

    def known_network(self, app: str) -> KnownNetwork:
        """Return the network that an app is on, by documents, as `reach` uses it.

        It has neither name nor ID where they are not known, or where documents disagree.

        >>> from fdaa.networks import parse_document
        >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
        >>> print(NetworkMap([apps]).known_network("web").name)
        blue
        """
        app = text_of(app, "app")
        return self._knowledge.app_network(app).network

    def addresses_of(self, app: str) -> tuple[Address, ...]:
        """Return the addresses of an app: those of its Machines, then its cross-network addresses.

        >>> from fdaa.networks import parse_document
        >>> machines = '[{"id": "148e1", "private_ip": "fdaa:2:45b::3"}]'
        >>> networks = NetworkMap([parse_document(machines, file="web.json", app="web")])
        >>> networks.addresses_of("web")
        (Address('fdaa:2:45b::3'),)
        """
        app = text_of(app, "app")
        facts = self._knowledge.app(app)
        addresses: dict[Address, None] = {}  # each once
        for machine in facts.rows:
            if machine.address is not None:
                addresses[machine.address] = None
        for allocated in facts.allocated:
            addresses[allocated.address] = None
        return tuple(addresses)

    def state_of(self, machine_id: str) -> str | None:
        """Return the state of a Machine; None where no document has it, or documents differ.

        A Machine in any other state than `started` is assumed not to respond.

        >>> from fdaa.networks import parse_document
        >>> machines = parse_document('[{"id": "148e1", "state": "stopped"}]', file="web.json")
        >>> NetworkMap([machines]).state_of("148e1")
        'stopped'
        """
        machine_id = text_of(machine_id, "machine_id")
        return self._knowledge.state_of(machine_id)


def knowledge_of(networks: NetworkMap) -> Knowledge:
    """Return what the modules beside this one read: users have the questions of `NetworkMap`."""
    return networks._knowledge
