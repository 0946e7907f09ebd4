"""The two ends of a question, source and target, and what documents show of each."""

from dataclasses import replace

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import wrong_type
from fdaa._values.ends import AddressPort, App, End, ThisMachine
from fdaa._values.hosts import EndError, Host
from fdaa._values.membership import is_service, own_address
from fdaa._values.network_name import NetworkName
from fdaa.networks._knowledge import completed
from fdaa.networks._map import NetworkMap, knowledge_of
from fdaa.networks._model import KnownNetwork, Network, Rule, is_started
from fdaa.networks._questions import Holding, find_holder
from fdaa.networks._verdict import Finding, Reason, Role


def without_self(end: End) -> End:
    """Return an end, with this Machine's address in place of `ThisMachine`.

    Raises:
        OwnAddressNotSetError: PLATFORM_PRIVATE_IP is not set.
        AddressError: it does not hold a private address.
    """
    if not isinstance(end, ThisMachine):
        return end
    if end.port is None:
        return own_address()
    return AddressPort(own_address(), port=end.port)


class KnownEnd:
    """The source or the target, and the known facts about it.

    Args:
        role: which of them it is.
        networks: the joined documents.

    Attributes:
        knowledge: the same, for the modules of this room.
        network: its network, as far as it is known; of a cross-network address, the clients'.
        app: the app that it is, or that its address belongs to.
        is_app, is_network: whether the app itself was given, or a whole network.
        own: of a cross-network address, the app that has it.
        rules: the rules that documents break about its app or its network.
        unclear: why its network is not known.
        silent: of the target, why nothing can respond at it.
        is_listed: False for an address that is in no list.
        unlisted: that it is in none, and may be no Machine's.
        remarks: to report beside the outcome.
    """

    def __init__(self, role: Role, networks: NetworkMap) -> None:
        self.role = role
        self.networks = networks
        self.knowledge = knowledge_of(networks)
        self.network = KnownNetwork()
        self.app: str | None = None
        self.is_app = False
        self.is_network = False
        self.own: KnownEnd | None = None
        self.rules: set[Rule] = set()
        self.unclear: Finding | None = None
        self.silent: Finding | None = None
        self.is_listed = True
        self.unlisted: Finding | None = None
        self.remarks: list[Finding] = []

    def find(self, end: End) -> None:
        """Find its network and app; if that is not possible, `unclear` has the reason.

        Raises:
            EndError: it is a host of no app.
            TypeError: it is of another type.
        """
        match end:
            case Address():
                self._find_address(end)
            case AddressPort(address):
                self._find_address(address)
            case NetworkID():
                self.is_network = True
                self._find_id(end)
            case Prefix():
                self._find_id(end.network_id)
            case NetworkName():
                self.is_network = True
                row = self.networks.by_name(end)
                if row is None:
                    self._is_unclear(Reason.NETWORK_NOT_IN_DOCUMENTS)
                self._complete(KnownNetwork(name=end), row)
            case App(name):
                self._find_app_or_machine(name)
            case Host():
                self._find_host(end)
            case _:
                hint = ""
                if isinstance(end, str):
                    hint = "use App(name) for an app, and parse_end(text) for other text"
                expected = "an Address, NetworkID, NetworkName, App or Host"
                raise wrong_type(end, self.role, expected, hint)

    def _is_unclear(self, kind: Reason) -> None:
        self.unclear = Finding(kind, end=self.role)

    # --- networks and addresses -------------------------------------------------------------------

    def _complete(self, known: KnownNetwork, row: Network | None) -> None:
        """Add what a row of the map shows: the name or the ID that is missing, and its rules."""
        self.network = completed(known, row)
        if row is None:
            return
        self.rules.update(row.disputed_by)
        saved = self.knowledge.only_saved(row)
        if saved is not None and self.network != known:
            day = saved.learned_on
            finding = Finding(
                Reason.NAME_FROM_SAVED, end=self.role, learned_on=day, network=self.network
            )
            self.remarks.append(finding)

    def _find_id(self, network_id: NetworkID) -> None:
        known = KnownNetwork(network_id=network_id)
        self._complete(known, self.networks.by_id(network_id))
        if is_service(network_id, self.network.name):
            self._is_unclear(Reason.SERVICE_ADDRESS)

    def _find_address(self, address: Address) -> None:
        """Find the network in an address, and the app that has it."""
        network = self.networks.by_id(address.network_id)
        self._complete(KnownNetwork(network_id=address.network_id), network)
        disputed = self.knowledge.disputed.get(address)
        if disputed is not None:
            self.rules.add(disputed)
            if self.knowledge.is_allocated(address):
                kind = Reason.ADDRESS_DISPUTED
                self.unclear = Finding(kind, end=self.role, rules=(disputed,))
            return
        holder = find_holder(address, self.networks)
        self.is_listed = holder.is_in_documents
        match holder.holding:
            case Holding.SERVICE:
                self._is_unclear(Reason.SERVICE_ADDRESS)
            case Holding.STALE:
                stale = Finding(Reason.STALE, end=self.role, looked_at=holder.looked_at)
                if self.role == "target":
                    self.silent = stale
                else:
                    self.remarks.append(stale)
            case Holding.MACHINE:
                self._add_app(holder.app)
                self._add_state(holder.state)
            case Holding.CROSS_NETWORK_ADDRESS:
                self._add_own(holder.app)
            case _:  # no list has it
                kind = Reason.UNLISTED_ADDRESS
                self.unlisted = Finding(kind, end=self.role, app=holder.app)

    def _add_own(self, app: str | None) -> None:
        """Add the app that has a cross-network address."""
        self.app = app
        self.own = KnownEnd(self.role, self.networks)
        if app is not None:
            self.own._find_app(app)
        if self.role == "target":
            self.remarks += self.own.remarks
            self.silent = self.own.silent

    def _add_app(self, app: str | None) -> None:
        """Add what documents show of the app of a Machine, as if the app itself was given."""
        self.app = app
        if app is None:
            return
        self.rules |= self.knowledge.app(app).rules
        if self.network.name is None:
            name = self.knowledge.app_network(app).network.name
            self.network = replace(self.network, name=name)

    def _add_state(self, state: str | None) -> None:
        """Add the state of the Machine, if it is not started."""
        self.silent = None
        if self.role == "target" and state is not None and not is_started(state):
            self.silent = Finding(Reason.STOPPED, end="target", app=self.app, states=(state,))

    # --- apps and Machines ------------------------------------------------------------------------

    def _find_host(self, host: Host) -> None:
        """Find the app of a host, or the Machine whose identifier begins its name."""
        if host.app is None:
            raise EndError(str(host), "only names that end in .internal are those of apps")
        if host.first_part is not None and host.first_part in self.networks.machines:
            self._find_machine(host.first_part)
        elif "." in host.name:
            self._find_app(host.app)
        else:
            self._find_app_or_machine(host.app)

    def _find_app_or_machine(self, text: str) -> None:
        if text in self.networks.machines:
            self._find_machine(text)
        else:
            self._find_app(text)

    def _find_machine(self, machine_id: str) -> None:
        """Find a Machine: its network is the one of its addresses, else of its app."""
        rows = self.networks.machines[machine_id]
        addresses = sorted(row.address for row in rows if row.address is not None)
        apps = {row.app for row in rows if row.app is not None}
        if machine_id in self.networks.apps:
            self._is_unclear(Reason.APP_OR_MACHINE)
        elif len({address.network_id for address in addresses}) > 1:
            self._is_unclear(Reason.MACHINE_ON_TWO_NETWORKS)
        elif len(apps) > 1:
            self._is_unclear(Reason.MACHINE_OF_TWO_APPS)
        elif addresses:
            self._find_address(self._certain(addresses))
            if self.unclear is not None:
                return
            if self.app is None and apps:
                self._add_app(apps.pop())
            self._add_state(self.networks.state_of(machine_id))
        elif apps:  # it will get an address on its app's network
            self._find_app(apps.pop())
            self.is_app = False
            self._add_state(self.networks.state_of(machine_id))
        else:
            self._is_unclear(Reason.APP_UNKNOWN)

    def _certain(self, addresses: list[Address]) -> Address:
        """Return the first that is certainly a Machine's; another Machine may have it, too."""
        for address in addresses:
            is_disputed = address in self.knowledge.disputed
            if not is_disputed or not self.knowledge.is_allocated(address):
                return address
        return addresses[0]

    def _find_app(self, app: str) -> None:
        """Find an app in the lists; where they do not have its network, in what was saved."""
        found = self.knowledge.app_network(app)
        entry = found.saved
        self.app = app
        self.is_app = True
        self.rules |= self.knowledge.app(app).rules
        row = self.knowledge.network_of(app)
        if entry is not None:
            row = self.networks.by_id(entry.network_id)
        self._complete(self.knowledge.app(app).network, row)
        self.network = found.network
        if self.role == "target":
            self.silent = why_silent(app, self.networks)
        if found.disputed_by:
            kind = Reason.CONTRADICTION
            self.unclear = Finding(kind, end=self.role, app=app, rules=found.disputed_by)
        elif entry is not None:
            day = entry.learned_on
            network = found.network
            remark = Finding(
                Reason.KNOWN_FROM_SAVED, end=self.role, app=app, learned_on=day, network=network
            )
            self.remarks = [remark]
        elif app not in self.networks.apps:
            self._is_unclear(Reason.NOT_IN_DOCUMENTS)
            if self.networks.by_name(app) is not None:
                self._is_unclear(Reason.NAME_OF_NETWORK)


def why_silent(app: str | None, networks: NetworkMap) -> Finding | None:
    """Return why none of an app's Machines can respond, or None where one may."""
    if app is None:
        return None
    knowledge = knowledge_of(networks)
    if knowledge.app(app).has_no_machine:
        return Finding(Reason.NO_MACHINE, end="target", app=app)
    states = knowledge.states_without_started(app)
    if states:
        return Finding(Reason.NO_STARTED_MACHINE, end="target", app=app, states=states)
    return None
