"""The two ends of a question, source and target, and what is known about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import wrong_type
from fdaa._values.ends import AddressPort, App, ThisMachine
from fdaa._values.hosts import EndError, Host
from fdaa._values.membership import is_service
from fdaa._values.network_name import NetworkName
from fdaa.networks._address_holder import find_holder
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._comparison import PlacedNetwork
from fdaa.networks._findings import (
    BrokenRules,
    DisputedAddress,
    KnownFromBook,
    Reason,
    StaleAddress,
    StoppedMachine,
    UnclearEnd,
)
from fdaa.networks._model import Rule, assumed_by, is_started
from fdaa.networks._network_map import knowledge_of

if TYPE_CHECKING:
    from fdaa._values.ends import End
    from fdaa.networks._findings import KnownNetwork, ReasonFinding, Role, SilentApp
    from fdaa.networks._model import Network
    from fdaa.networks._network_map import NetworkMap


def _hint(end: object) -> str:
    """Return what to write in place of an end of another type, or an empty text."""
    if isinstance(end, str):
        return "use App(name) for an app, and parse_end(text) for other text"
    if isinstance(end, ThisMachine):
        return "use fdaa.own_address()"
    return ""


class KnownEnd:
    """The source or the target, and the known facts about it.

    Args:
        role: which of them it is.
        networks: the joined documents and book.

    Attributes:
        knowledge: the same for the modules of this room.
        placed: its network, as far as it is known; of a cross-network address, the clients'.
        app: the app that it is, or that its address belongs to.
        is_app: whether the app itself was given, not one of its addresses.
        is_network: whether a whole network was given.
        own: of a cross-network address, the app that has it.
        rules: the rules that documents break about its app or its network.
        rules_assumed: the assumptions that the facts which break them rest on.
        unclear: why its network is not known.
        silent: of the target, why nothing can respond at it.
        unlisted: that no document has the address, which may be no Machine's.
        remarks: to report beside the outcome.
    """

    def __init__(self, role: Role, networks: NetworkMap) -> None:
        self.role = role
        self.networks = networks
        self.knowledge = knowledge_of(networks)
        self.placed = PlacedNetwork()
        self.app: str | None = None
        self.is_app = False
        self.is_network = False
        self.own: KnownEnd | None = None
        self.rules: set[Rule] = set()
        self.rules_assumed: Assumed = ()
        self.unclear: ReasonFinding | None = None
        self.silent: SilentApp | StoppedMachine | StaleAddress | None = None
        self.unlisted: UnclearEnd | None = None
        self.remarks: list[ReasonFinding] = []

    @property
    def network(self) -> KnownNetwork:
        """Its network, as far as it is known."""
        return self.placed.known

    def find(self, end: End) -> None:
        """Find its network and app; if that is not possible, `unclear` has the reason.

        Raises:
            EndError: it is a host of no app.
            TypeError: it is of another type.
        """
        if isinstance(end, Address):
            self.find_address(end)
        elif isinstance(end, NetworkID):
            self.is_network = True
            self.find_id(end)
        elif isinstance(end, AddressPort):
            self.find_address(end.address)
        elif isinstance(end, Prefix):
            self.find_id(end.network_id)
        elif isinstance(end, NetworkName):
            self.find_name(end)
        elif isinstance(end, App):
            self.find_app_or_machine(end.name)
        elif isinstance(end, Host):
            self.find_host(end)
        else:
            expected = "an Address, NetworkID, NetworkName, App or Host"
            raise wrong_type(end, self.role, expected, _hint(end))

    # --- networks ---------------------------------------------------------------------------------

    def find_name(self, name: NetworkName) -> None:
        """Find a network by its name."""
        network = self.networks.by_name(name)
        if network is None:
            self.unclear = UnclearEnd(Reason.NETWORK_NOT_IN_DOCUMENTS, end=self.role)
        self.is_network = True
        self.placed = PlacedNetwork(name)
        self.add_network(network)

    def find_id(self, network_id: NetworkID) -> None:
        """Find a network by its ID."""
        self.placed = PlacedNetwork(network_id=network_id)
        self.add_network(self.networks.by_id(network_id))
        if is_service(network_id, self.placed.name):
            self.unclear = UnclearEnd(Reason.SERVICE_ADDRESS, end=self.role)

    def add_network(self, network: Network | None) -> None:
        """Add what a row shows: the name or the ID that is missing, and the rules broken."""
        if network is None:
            return
        if network.disputed_by:
            self.rules.update(network.disputed_by)
            self.rules_assumed = together(self.rules_assumed, network.assumed)
        self.placed = self.placed.completed(network)

    # --- addresses and Machines -------------------------------------------------------------------

    def find_address(self, address: Address) -> None:
        """Find the network in an address, and the app that has it."""
        network = self.networks.by_id(address.network_id)
        self.placed = PlacedNetwork(network_id=address.network_id)
        self.add_network(network)
        row = self.knowledge.holder(address)
        if isinstance(row, Rule):
            self.rules.add(row)
        broken = self.knowledge.disputes.of_allocation(address)
        if broken is not None:
            self.unclear = DisputedAddress(end=self.role, rules=(broken,))
            return
        holder = find_holder(address, self.networks)
        if holder.holding == "service":
            self.unclear = UnclearEnd(Reason.SERVICE_ADDRESS, end=self.role)
        elif holder.holding == "stale":
            self.add_stale(holder.looked_at)
        elif holder.holding == "machine":
            self.app = holder.app
            self.add_app()
            self.add_state(holder.state)
        elif holder.holding == "cross-network-address":
            self.app = holder.app
            self.find_own()
        elif holder.holding != "contradiction":  # no document has it
            self.add_unlisted(holder.app, network)

    def add_app(self) -> None:
        """Add what documents show of the app of a Machine, as if the app itself was given."""
        if self.app is None:
            return
        found = self.knowledge.app_network(self.app)
        self.rules.update(self.knowledge.disputes.of_app.get(self.app, ()))
        if self.placed.name is None:
            name = found.network.name
            assumed = found.network.name_assumed
            self.placed = self.placed._replace(name=name, name_assumed=assumed)

    def add_stale(self, looked_at: tuple[str, ...]) -> None:
        """Add that no Machine has the address."""
        stale = StaleAddress(end=self.role, looked_at=looked_at)
        if self.role == "target":
            self.silent = stale
        else:
            self.remarks.append(stale)

    def add_unlisted(self, app: str | None, network: Network | None) -> None:
        """Add that the address may be no Machine's, unless all lists that could have it are given.

        Args:
            app: the app that had it when a book learned it, if one did.
            network: the network in it.
        """
        if self.knowledge.whereabouts.may_be_allocated(app, network):
            self.unlisted = UnclearEnd(Reason.UNLISTED_ADDRESS, end=self.role)

    def add_state(self, state: str | None) -> None:
        """Add the state of the Machine, if it is not started."""
        if self.role == "target" and state is not None and not is_started(state):
            self.silent = StoppedMachine(app=self.app, states=(state,))

    def find_own(self) -> None:
        """Find the network that the app of a cross-network address is on itself."""
        self.own = KnownEnd(self.role, self.networks)
        if self.app is not None:
            self.own.find_app(self.app)
        if self.role == "target":
            self.remarks += self.own.remarks
            self.silent = self.own.silent

    def find_app_or_machine(self, text: str) -> None:
        """Find an app by its name, or a Machine by its identifier."""
        if text in self.networks.machines:
            self.find_machine(text)
        else:
            self.find_app(text)

    def find_host(self, host: Host) -> None:
        """Find the app of a host, or the Machine whose identifier begins its name."""
        if host.app is None:
            reason = "only names that end in .internal are those of apps"
            raise EndError(str(host), reason)
        first = host.first_part
        if first is not None and first in self.networks.machines:
            self.find_machine(first)
        elif "." in host.name:
            self.find_app(host.app)
        else:
            self.find_app_or_machine(host.app)

    def find_machine(self, machine_id: str) -> None:
        """Find a Machine: its network is the one of its addresses, else of its app."""
        addresses: list[Address] = []
        ids: set[NetworkID] = set()
        apps: set[str] = set()
        for row in self.networks.machines[machine_id]:
            if row.address is not None:
                addresses.append(row.address)
                ids.add(row.address.network_id)
            if row.app is not None:
                apps.add(row.app)
        if machine_id in self.networks.apps:
            self.unclear = UnclearEnd(Reason.APP_OR_MACHINE, end=self.role)
        elif len(ids) > 1:
            self.unclear = UnclearEnd(Reason.MACHINE_ON_TWO_NETWORKS, end=self.role)
        elif len(apps) > 1:
            self.unclear = UnclearEnd(Reason.MACHINE_OF_TWO_APPS, end=self.role)
        elif addresses:  # all are on one network
            self.find_address(self.clearest(addresses))
            self.add_machine(machine_id, apps)
        elif apps:  # it will get an address on its app's network
            self.find_app(apps.pop())
            self.is_app = False
            self.silent = None
            self.add_state(self.networks.state_of(machine_id))
        else:
            self.unclear = UnclearEnd(Reason.APP_UNKNOWN, end=self.role)

    def add_machine(self, machine_id: str, apps: set[str]) -> None:
        """Add the app and the state of a Machine, also if another one has its address, too."""
        if self.unclear is not None:
            return
        if self.app is None and apps:
            self.app = apps.pop()
            self.add_app()
        self.silent = None
        self.add_state(self.networks.state_of(machine_id))

    def clearest(self, addresses: list[Address]) -> Address:
        """Return the first of a Machine's addresses that is certainly a Machine's, or the first."""
        addresses = sorted(addresses)
        for address in addresses:
            if self.knowledge.disputes.of_allocation(address) is None:
                return address
        return addresses[0]

    # --- apps -------------------------------------------------------------------------------------

    def find_app(self, app: str) -> None:
        """Find an app in the documents; where they do not have its network, in the book."""
        found = self.knowledge.app_network(app)
        self.app = app
        self.is_app = True
        self.placed = found.network
        self.rules.update(self.knowledge.disputes.of_app.get(app, ()))
        self.add_network(self.knowledge.network_of(app))
        if found.entry is not None:
            self.add_network(self.networks.by_id(found.entry.network_id))
        if self.role == "target":
            self.silent = self.knowledge.silence_of(app)
        if found.disputed_by:
            rules = found.disputed_by
            self.unclear = BrokenRules(
                end=self.role,
                app=app,
                rules=rules,
                assumptions=assumed_by(rules),
            )
        elif found.entry is not None:
            learned = KnownFromBook(
                end=self.role,
                app=app,
                learned_on=found.entry.learned_on,
                network=self.network,
            )
            self.remarks.append(learned)
        elif app not in self.networks.apps:
            self.unclear = UnclearEnd(Reason.NOT_IN_DOCUMENTS, end=self.role)
            if self.networks.by_name(app) is not None:
                self.unclear = UnclearEnd(Reason.NAME_OF_NETWORK, end=self.role)
