"""Can A reach B over the private network, by which rule, and what are the ways around?

`_Question.judge` has the rules, in their order: the first one that applies makes the outcome. A yes
is about networks: an address proves that it belongs to one, not that anything listens there. All
names are assumed to belong to one organization, because names are unique only within one.

Verdicts are data; `fdaa.explain` has the prose.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields, replace
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Literal, Self, TypeAlias

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type, wrong_type
from fdaa._values.ends import AddressPort, App, End, ThisMachine, end_text
from fdaa._values.hosts import EndError, Host
from fdaa._values.membership import is_service
from fdaa._values.network_name import NetworkName
from fdaa.networks._address_holder import Holding, find_holder
from fdaa.networks._knowledge import completed
from fdaa.networks._model import CrossNetworkAddress, KnownNetwork, Network, Rule, is_started
from fdaa.networks._network_map import NetworkMap, knowledge_of

Role: TypeAlias = Literal["source", "target"]


class Outcome(StrEnum):
    """How a source relates to a target."""

    SAME_NETWORK = "same-network"
    CROSS_NETWORK_ADDRESS = "cross-network-address"
    DIFFERENT_NETWORKS = "different-networks"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
    NOTHING_RESPONDS = "nothing-responds"  # the networks do not prevent it
    UNKNOWN = "unknown"


class Sourced(StrEnum):
    """Members with what supports them; docs/platform-rules.md has both kinds of support.

    Attributes:
        section: the section of the specification that says it, or None.
        assumed: the name of the assumption, where no section says it, or None.
    """

    section: str | None
    assumed: str | None

    def __new__(cls, value: str, section: str | None = None, assumed: str | None = None) -> Self:
        """Return the member with what supports it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.section = section
        member.assumed = assumed
        return member


class Reason(Sourced):
    """A reason of an outcome, or a remark beside it."""

    # The two networks are known, by ID or by name.
    SAME_ID = "same-id", "1; 2.3, rule 2"
    DIFFERENT_IDS = "different-ids", "2.3, rule 3; Networking rules, 1"
    SAME_NAME = "same-name", "4.3; 1"
    DIFFERENT_NAMES = "different-names", "4.3; Networking rules, 1"
    # The target has a cross-network address, or is one; or the source is one.
    ALLOCATED_FOR_SOURCE = "allocated-for-source", None, "clients-network-id"
    ALLOCATED_FOR_ANOTHER = "allocated-for-another", None, "clients-network-id"
    ASKED_FROM_OWN_NETWORK = "asked-from-own-network", "Networking rules, 3"
    OWN_NETWORK_UNKNOWN = "own-network-unknown", "Networking rules, 3"
    SOURCE_ID_UNKNOWN = "source-id-unknown", None, "clients-network-id"
    SOURCE_IS_ALLOCATED = "source-is-allocated", None, "no-requests-from-cross-network-addresses"
    # A network is not known.
    NOT_COMPARABLE = "not-comparable", "2.2; 2.3, rule 2"
    NOT_IN_DOCUMENTS = "not-in-documents", "4.3; 2.3, rule 5"
    NAME_OF_NETWORK = "name-of-network", "2.1; 2.2"
    NETWORK_NOT_IN_DOCUMENTS = "network-not-in-documents", "4.3"
    APP_UNKNOWN = "app-unknown", "2.3, rule 5"
    SERVICE_ADDRESS = "service-address", None, "network-id-0"
    # Documents disagree.
    CONTRADICTION = "contradiction", "2.1, rule 1; 2.2"
    ADDRESS_DISPUTED = "address-disputed", None, "one-holder"
    APP_OR_MACHINE = "app-or-machine", None, "names-of-apps-and-machines"
    MACHINE_OF_TWO_APPS = "machine-of-two-apps", None, "one-app-of-a-machine"
    MACHINE_ON_TWO_NETWORKS = "machine-on-two-networks", "2.1, rule 1; 2.3, rule 3"
    # Nothing can respond at the target; a stale address is a remark of the source, too.
    NO_MACHINE = "no-machine", "2.1"
    STALE = "stale", None, "complete-documents"
    STOPPED = "stopped", None, "stopped-machines"
    NO_STARTED_MACHINE = "no-started-machine", None, "stopped-machines"
    # The target may be configured for the source, by a list that is not given.
    NO_ADDRESS_LIST = "no-address-list", "Networking rules, 1; Networking rules, 3"
    # Remarks.
    UNLISTED_ADDRESS = "unlisted-address", None, "unlisted-addresses"
    KNOWN_FROM_SAVED = "known-from-saved", "2.1, rule 1"
    MEMBERSHIP_ONLY = "membership-only", None, "listening"


class Way(Sourced):
    """A way around, where the target cannot be reached."""

    PUBLIC_ADDRESS = "public-address", "Networking rules, 2; 2.1, rule 2"
    CROSS_NETWORK_ADDRESS = "cross-network-address", "Networking rules, 3"
    EXISTING_CROSS_NETWORK_ADDRESS = "existing-cross-network-address", None, "clients-network-id"
    REPLAY = "replay", "Networking rules, 4"
    ADMINISTRATOR = "administrator", "Networking rules, 5"


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason of a verdict, or a way around: its kind, and the facts that it has.

    docs/api/networks.md has the fields of each kind; the others are None.

    Args:
        kind: the reason or the way.
        end: the end that it is about; None where it is about both.
        app: the app that it is about; None where documents do not name it.
        source: the network of the source, as far as it is known.
        target: the network of the target, likewise.
        network: the network that it is about.
        serves: the network whose clients the addresses serve.
        addresses: cross-network addresses; of a way, empty where one must be allocated.
        public: the public addresses of the app.
        apps: the apps whose address lists are not given.
        rules: the rules that documents break.
        states: the states of the Machines.
        looked_at: the apps whose Machine lists do not have the address.
        learned_on: when it was saved.
    """

    kind: Reason | Way
    _: KW_ONLY
    end: Role | None = None
    app: str | None = None
    source: KnownNetwork | None = None
    target: KnownNetwork | None = None
    network: KnownNetwork | None = None
    serves: KnownNetwork | None = None
    addresses: tuple[Address, ...] | None = None
    public: tuple[IPv4Address | IPv6Address, ...] | None = None
    apps: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] | None = None
    states: tuple[str, ...] | None = None
    looked_at: tuple[str, ...] | None = None
    learned_on: str | None = None

    @property
    def section(self) -> str | None:
        """The sections of the specification that say it, or None where it is assumed."""
        return self.kind.section

    @property
    def assumed(self) -> str | None:
        """The name of the assumption that it rests on, or None where a section says it."""
        return self.kind.assumed

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON, without the facts that are not known."""
        found: dict[str, object] = {"kind": self.kind.value}
        if self.assumed is not None:
            found["assumed"] = self.assumed
        else:
            found["section"] = self.section
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if field.name == "network" and value is not None:
                found.update(value.to_dict())
            elif isinstance(value, KnownNetwork):
                found[field.name] = value.to_dict()
            elif isinstance(value, tuple):
                found[field.name] = [str(member) for member in value]
            elif value is not None:
                found[field.name] = value
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a source can reach a target, and why.

    `reachable` is about now, `permitted` about the configuration.

    Args:
        source: the source that was given.
        target: the target that was given.
        outcome: how they relate to each other.
        permitted: whether the source may reach the target by the configuration, whatever runs now:
            they are on one network, or the target has a cross-network address for the source's.
            None where that is not known. Public addresses and `platform-replay` are ways around.
        same_network: whether they are on one network, even if nothing can respond; of a
            cross-network address, the network of its app. None where that is not known, as of a
            target in no document that may be a cross-network address.
        reasons: the reasons of the outcome; if it is unknown, what is missing.
        ways: ways around, if the target cannot be reached.
        via: the addresses to use where the target's own cannot be reached, but these can.
        unless: what may reverse a no: an address list that is not given, or that is disputed.

    >>> from fdaa import Address
    >>> from fdaa.networks import reach
    >>> verdict = reach(Address("fdaa:2:45b::3"), Address("fdaa:2:45b::4"))
    >>> print(verdict.outcome, verdict.reachable)
    same-network True
    """

    source: End
    target: End
    outcome: Outcome
    permitted: bool | None
    same_network: bool | None
    reasons: tuple[Finding, ...]
    ways: tuple[Finding, ...] = ()
    via: tuple[Address, ...] = ()
    unless: Finding | None = None

    @property
    def reachable(self) -> bool | None:
        """True, False, or None where it is not known."""
        if self.outcome is Outcome.UNKNOWN:
            return None
        return self.outcome in _YES

    def __bool__(self) -> bool:  # with NoReturn, type checkers would skip what follows an `if`
        raise TypeError("a Verdict is neither true nor false; use .reachable, which may be None")

    def to_dict(self) -> dict[str, object]:
        """Return the fields that `fdaa reach --json` prints, but without sentences.

        `fdaa reach` accepts both ends as they are written here. `fdaa.explain.explain_verdict`
        adds the sentences: the `text` of each reason and way.
        """
        return {
            "kind": "verdict",
            "source": end_text(self.source),
            "target": end_text(self.target),
            "reachable": self.reachable,
            "permitted": self.permitted,
            "unless": self.unless and self.unless.to_dict(),
            "outcome": self.outcome.value,
            "same_network": self.same_network,
            "via": [str(address) for address in self.via],
            "reasons": [reason.to_dict() for reason in self.reasons],
            "ways": [way.to_dict() for way in self.ways],
        }


_YES = (Outcome.SAME_NETWORK, Outcome.CROSS_NETWORK_ADDRESS)
_NO = (Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS)  # whatever responds
_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY, end="target")


def reach(source: End, target: End, networks: NetworkMap | None = None) -> Verdict:
    """Return whether the source can reach the target over the private network, and why.

    A source or target is a value that `parse_end` returns: an `Address`, a network by its
    `NetworkID` or `NetworkName`, an `App`, or a `Host`. An app is all of its addresses: its
    Machines' own, and those allocated to it for cross-network access.

    `permitted` is about the configuration alone: more documents do not reverse it, unless the map
    reports a contradiction. `reachable` is about now. A no that an address list may reverse has
    this condition in `unless`. A yes may be reversed where documents show that nothing can respond,
    or where it rests on an address that is in no document and is taken for a Machine's: then it has
    the reason `unlisted-address`.

    Args:
        source: where the request comes from.
        target: where the request goes to.
        networks: the joined documents, or None. What was saved is used for apps whose network is
            in no document.

    Raises:
        EndError: a host is no app's: its name does not end in `.internal`.
        TypeError: a source or target is of another type, such as text.

    >>> from fdaa import Address, NetworkID
    >>> verdict = reach(Address("fdaa:2:45b::3"), NetworkID("2:45c"))
    >>> print(verdict.outcome, verdict.reachable, *[way.kind for way in verdict.ways])
    different-networks False public-address cross-network-address replay administrator
    >>> print(verdict.permitted, verdict.unless.kind)
    None no-address-list
    """
    if networks is None:
        networks = NetworkMap()
    check_type(networks, "networks", NetworkMap)
    question = _Question(_End("source", networks), _End("target", networks))
    question.source.find(source)
    question.target.find(target)
    question.find_allocated()
    found = question.judge()
    if question.target.silent is not None:
        found = question.with_silence(found, question.target.silent)
    return Verdict(
        source=source,
        target=target,
        outcome=found.outcome,
        permitted=found.permitted,
        same_network=found.same_network,
        reasons=(*found.reasons, *question.remarks(found.outcome)),
        ways=question.ways(found.outcome),
        via=found.via,
        unless=found.unless,
    )


def compare(first: KnownNetwork, second: KnownNetwork) -> tuple[bool | None, Reason]:
    """Return whether two networks are one, by their IDs, else by their names; and what shows it.

    The ID is in the address itself (specification, 2.3), whatever name documents have for it.
    """
    if first.network_id is not None and second.network_id is not None:
        same = first.network_id == second.network_id
        return same, Reason.SAME_ID if same else Reason.DIFFERENT_IDS
    if first.name is not None and second.name is not None:
        same = first.name == second.name
        return same, Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES
    return None, Reason.NOT_COMPARABLE


# --- the ends -------------------------------------------------------------------------------------


class _End:
    """The source or the target, and the known facts about it.

    Attributes:
        network: its network, as far as it is known; of a cross-network address, the clients'.
        app: the app that it is, or that its address belongs to.
        is_app, is_network: whether the app itself was given, or a whole network.
        own: of a cross-network address, the app that has it.
        rules: the rules that documents break about its app or its network.
        unclear: why its network is not known.
        silent: of the target, why nothing can respond at it.
        unlisted: that no document has the address, which may be no Machine's.
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
        self.own: _End | None = None
        self.rules: set[Rule] = set()
        self.unclear: Finding | None = None
        self.silent: Finding | None = None
        self.unlisted: Finding | None = None
        self.remarks: list[Finding] = []

    def _finding(self, kind: Reason, **facts: Any) -> Finding:
        return Finding(kind, end=self.role, **facts)

    def find(self, end: End) -> None:
        """Find its network and app; if that is not possible, `unclear` has the reason."""
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
                    self.unclear = self._finding(Reason.NETWORK_NOT_IN_DOCUMENTS)
                self._complete(KnownNetwork(name=end), row)
            case App(name):
                self._find_app_or_machine(name)
            case Host():
                self._find_host(end)
            case _:
                hint = ""
                if isinstance(end, str):
                    hint = "use App(name) for an app, and parse_end(text) for other text"
                elif isinstance(end, ThisMachine):
                    hint = "use fdaa.own_address()"
                expected = "an Address, NetworkID, NetworkName, App or Host"
                raise wrong_type(end, self.role, expected, hint)

    def _complete(self, known: KnownNetwork, row: Network | None) -> None:
        self.network = completed(known, row)
        if row is not None:
            self.rules.update(row.disputed_by)

    def _find_id(self, network_id: NetworkID) -> None:
        known = KnownNetwork(network_id=network_id)
        self._complete(known, self.networks.by_id(network_id))
        if is_service(network_id, self.network.name):
            self.unclear = self._finding(Reason.SERVICE_ADDRESS)

    def _find_address(self, address: Address) -> None:
        """Find the network in an address, and the app that has it."""
        network = self.networks.by_id(address.network_id)
        self._complete(KnownNetwork(network_id=address.network_id), network)
        disputed = self.knowledge.disputed.get(address)
        if disputed is not None:
            self.rules.add(disputed)
            if self.knowledge.is_allocated(address):
                self.unclear = self._finding(Reason.ADDRESS_DISPUTED, rules=(disputed,))
            return
        holder = find_holder(address, self.networks)
        match holder.holding:
            case Holding.SERVICE:
                self.unclear = self._finding(Reason.SERVICE_ADDRESS)
            case Holding.STALE:
                stale = self._finding(Reason.STALE, looked_at=holder.looked_at)
                if self.role == "target":
                    self.silent = stale
                else:
                    self.remarks.append(stale)
            case Holding.MACHINE:
                self._add_app(holder.app)
                self._add_state(holder.state)
            case Holding.CROSS_NETWORK_ADDRESS:
                self.app = holder.app
                self.own = _End(self.role, self.networks)
                if self.app is not None:
                    self.own._find_app(self.app)
                if self.role == "target":
                    self.remarks += self.own.remarks
                    self.silent = self.own.silent
            case _:  # no document has it
                if self.knowledge.may_be_allocated(holder.app, network):
                    self.unlisted = self._finding(Reason.UNLISTED_ADDRESS)

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
        state = self.networks.state_of(machine_id)
        if machine_id in self.networks.apps:
            self.unclear = self._finding(Reason.APP_OR_MACHINE)
        elif len({address.network_id for address in addresses}) > 1:
            self.unclear = self._finding(Reason.MACHINE_ON_TWO_NETWORKS)
        elif len(apps) > 1:
            self.unclear = self._finding(Reason.MACHINE_OF_TWO_APPS)
        elif addresses:
            # The first that is certainly a Machine's. Another Machine may have it, too.
            disputed = self.knowledge.disputed
            is_allocated = self.knowledge.is_allocated
            certain = [each for each in addresses if each not in disputed or not is_allocated(each)]
            self._find_address((certain or addresses)[0])
            if self.unclear is None:
                if self.app is None and apps:
                    self._add_app(apps.pop())
                self._add_state(state)
        elif apps:  # it will get an address on its app's network
            self._find_app(apps.pop())
            self.is_app = False
            self._add_state(state)
        else:
            self.unclear = self._finding(Reason.APP_UNKNOWN)

    def _find_app(self, app: str) -> None:
        """Find an app in the lists; where they do not have its network, in what was saved."""
        found = self.knowledge.app_network(app)
        entry = found.saved
        self.app = app
        self.is_app = True
        self.network = found.network
        self.rules |= self.knowledge.app(app).rules
        self._complete(self.network, self.knowledge.network_of(app))
        if entry is not None:
            self._complete(self.network, self.networks.by_id(entry.network_id))
        if self.role == "target":
            self.silent = _silence_of(app, self.networks)
        if found.disputed_by:
            self.unclear = self._finding(Reason.CONTRADICTION, app=app, rules=found.disputed_by)
        elif entry is not None:
            kind, day = Reason.KNOWN_FROM_SAVED, entry.learned_on
            self.remarks.append(self._finding(kind, app=app, learned_on=day, network=self.network))
        elif app not in self.networks.apps:
            is_network = self.networks.by_name(app) is not None
            kind = Reason.NAME_OF_NETWORK if is_network else Reason.NOT_IN_DOCUMENTS
            self.unclear = self._finding(kind)


def _silence_of(app: str | None, networks: NetworkMap) -> Finding | None:
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


# --- the rules ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a rule makes of two ends: fields of a `Verdict`."""

    outcome: Outcome
    permitted: bool | None
    same_network: bool | None
    reasons: tuple[Finding, ...]
    via: tuple[Address, ...] = ()
    unless: Finding | None = None


class _Question:
    """Two ends, and the cross-network addresses of the target that may be for the source's network.

    Attributes:
        of_app: those of the target's app for the source, also where the target is an address of it.
        certain: those of the target, which is an app or a network.
        possible: those of the target of which it is not known whether they are for that network.
        elsewhere: those for that network of which it is not known whether their app is on the
            target, a network.
        without_list: the apps of the target whose address lists are not given, so that there may
            be more; None if all are given.
        unless: why a no may be wrong: an address list is not given, or documents disagree.
    """

    def __init__(self, source: _End, target: _End) -> None:
        self.source = source
        self.target = target
        self.of_app: list[CrossNetworkAddress] = []
        self.certain: list[CrossNetworkAddress] = []
        self.possible: list[CrossNetworkAddress] = []
        self.elsewhere: list[CrossNetworkAddress] = []
        self.without_list: tuple[str, ...] | None = None
        self.unless: Finding | None = None

    def find_allocated(self) -> None:
        """Find the cross-network addresses of the target.

        Two apps on different networks cannot communicate unless it is configured (specification,
        Networking rules, 1), and an address list is where the configuration can be read. So a list
        that is not given leaves the answer open.
        """
        source, target = self.source, self.target
        knowledge = target.knowledge
        if target.is_network:
            apps = set(knowledge.possible(target.network))
            rows = [row for row in knowledge.allocated if row.app is None or row.app in apps]
            is_complete = knowledge.all_apps_listed
        else:
            apps = set() if target.app is None else {target.app}
            rows = knowledge.app(target.app).allocated
            is_complete = target.app is not None
        without = tuple(app for app in sorted(apps) if not knowledge.app(app).has_address_list)
        if without or not is_complete:
            self.without_list = without
        disputed: list[Address] = []
        for row in rows:
            serves, _ = compare(source.network, knowledge.served_network(row))
            if serves is False:
                continue
            if row.address in knowledge.disputed:
                disputed.append(row.address)
            elif target.is_network:
                is_own, _ = compare(knowledge.own_network(row), target.network)
                kept = self.certain if is_own else self.elsewhere
                (self.possible if serves is None else kept).append(row)
            else:
                if serves:
                    self.of_app.append(row)
                if target.is_app:
                    (self.certain if serves else self.possible).append(row)
        if not target.is_app and not target.is_network:
            return
        if disputed:
            self.unless = Finding(
                Reason.ADDRESS_DISPUTED,
                end="target",
                app=target.app,
                addresses=tuple(dict.fromkeys(disputed)),
                rules=tuple(sorted({knowledge.disputed[address] for address in disputed})),
            )
        elif self.without_list is not None:
            self.unless = Finding(
                Reason.NO_ADDRESS_LIST,
                end="target",
                app=target.app,
                apps=without,
                network=source.network,
            )

    def judge(self) -> _Judged:
        """Apply the rules in their order; the first that applies makes the outcome."""
        source, target = self.source, self.target
        # An end whose network is not known, or on which documents disagree.
        unclear = tuple(end.unclear for end in (source, target) if end.unclear is not None)
        if unclear:
            return _Judged(Outcome.UNKNOWN, None, None, unclear)
        # Requests go to a cross-network address, and none come from it.
        if source.own is not None:
            kind = Reason.SOURCE_IS_ALLOCATED
            reason = Finding(kind, end="source", app=source.app, network=source.network)
            return _Judged(Outcome.UNKNOWN, None, None, (reason,))
        if target.own is not None:
            return self._judge_allocated(target.own)
        same, compared = self._compare()
        if same is None:
            return _Judged(Outcome.UNKNOWN, None, None, (compared,))
        # One network: its members reach each other (specification, section 1).
        if same:
            permitted = None if target.unlisted is not None else self._yes
            reasons = (compared, _MEMBERSHIP_ONLY)
            judged = _Judged(Outcome.SAME_NETWORK, permitted, same, reasons)
        else:
            judged = self._judge_apart(compared)
        # A cross-network address is on the network of its app, which may be any.
        if target.unlisted is not None:
            return replace(judged, same_network=None)
        return judged

    @property
    def _yes(self) -> bool | None:
        """What a yes permits: a source in no document may be a cross-network address."""
        return None if self.source.unlisted is not None else True

    def _judge_apart(self, compared: Finding) -> _Judged:
        """Judge two ends on different networks: is anything configured?"""
        # Cross-network addresses of the target are for clients on the source's network.
        silent: dict[str | None, Finding] = {}
        if self.target.is_network:  # of an app, `with_silence` judges it
            for app in dict.fromkeys(row.app for row in self.certain):
                reason = _silence_of(app, self.target.networks)
                if reason is not None:
                    silent[app] = reason
        awake = [row for row in self.certain if row.app not in silent]
        if awake:
            reasons = (*self._allocated_for_source(awake), compared, _MEMBERSHIP_ONLY)
            via = tuple(row.address for row in awake)
            return _Judged(Outcome.CROSS_NETWORK_ADDRESS, self._yes, False, reasons, via)
        permitted = self._yes if self.certain else None
        # They may be for clients on the source's network.
        if self.possible:
            missing = self._by_app(Reason.SOURCE_ID_UNKNOWN, self.possible)
            return _Judged(Outcome.UNKNOWN, permitted, False, (*missing, compared))
        # They may be on the target's network.
        if self.elsewhere:
            apps = dict.fromkeys(row.app for row in self.elsewhere)
            unknown = [Finding(Reason.OWN_NETWORK_UNKNOWN, end="target", app=app) for app in apps]
            found = self._allocated_for_source(self.elsewhere)
            return _Judged(Outcome.UNKNOWN, permitted, False, (*found, *unknown, compared))
        # Nothing responds at those of the target.
        if silent:
            reasons = (*silent.values(), *self._allocated_for_source(self.certain), compared)
            outcome = Outcome.NOTHING_RESPONDS
            return _Judged(outcome, permitted, False, reasons, unless=self.unless)
        # Different networks, and nothing is configured: no, as far as the lists are given.
        permitted = None if self.unless is not None else False
        outcome = Outcome.DIFFERENT_NETWORKS
        return _Judged(outcome, permitted, False, (compared,), unless=self.unless)

    def _by_app(
        self, kind: Reason, rows: Iterable[CrossNetworkAddress], **facts: Any
    ) -> list[Finding]:
        """Return a finding about the addresses of each app."""
        of_app: dict[str | None, list[Address]] = {}
        for row in rows:
            of_app.setdefault(row.app, []).append(row.address)
        source = self.source.network
        return [
            Finding(kind, app=app, source=source, addresses=tuple(addresses), **facts)
            for app, addresses in of_app.items()
        ]

    def _allocated_for_source(self, rows: Iterable[CrossNetworkAddress]) -> list[Finding]:
        return self._by_app(Reason.ALLOCATED_FOR_SOURCE, rows, serves=self.source.network)

    def _judge_allocated(self, own: _End) -> _Judged:
        """Judge a cross-network address as the target: its ID is its clients'."""
        source, target = self.source.network, self.target.network
        is_own, _ = compare(source, own.network)
        is_served, compared = self._compare()

        def allocated(kind: Reason) -> Finding:
            return Finding(kind, app=self.target.app, source=source, serves=target)

        # Asked from the app's own network: not through this address.
        if is_own:
            reason = allocated(Reason.ASKED_FROM_OWN_NETWORK)
            return _Judged(Outcome.OWN_CROSS_NETWORK_ADDRESS, False, True, (reason,))
        if is_served is None:
            return _Judged(Outcome.UNKNOWN, None, is_own, (compared,))
        # Asked from a network that the address is not for.
        if not is_served:
            reasons = (allocated(Reason.ALLOCATED_FOR_ANOTHER), compared)
            return _Judged(Outcome.DIFFERENT_NETWORKS, False, is_own, reasons)
        reason = allocated(Reason.ALLOCATED_FOR_SOURCE)
        # It could be the app's own network, from which it is not reachable.
        if is_own is None:
            unknown = Finding(Reason.OWN_NETWORK_UNKNOWN, end="target", app=self.target.app)
            return _Judged(Outcome.UNKNOWN, None, None, (reason, unknown))
        reasons = (reason, _MEMBERSHIP_ONLY)
        return _Judged(Outcome.CROSS_NETWORK_ADDRESS, self._yes, False, reasons)

    def with_silence(self, judged: _Judged, silent: Finding) -> _Judged:
        """Add that nothing can respond at the target: the outcome, unless that is no already.

        A no that a list may reverse is none yet. Where an end is not clear, the outcome stays
        unknown: a misspelled name gets no verdict. What the configuration permits stays, too, for
        when something is started.
        """
        is_unclear = self.source.unclear is not None or self.target.unclear is not None
        if is_unclear or (judged.outcome in _NO and judged.unless is None):
            return replace(judged, reasons=(*judged.reasons, silent))
        reasons = [reason for reason in judged.reasons if reason is not _MEMBERSHIP_ONLY]
        outcome = Outcome.NOTHING_RESPONDS
        return replace(judged, outcome=outcome, reasons=(silent, *reasons), via=(), unless=None)

    def _compare(self) -> tuple[bool | None, Finding]:
        """Return whether two ends are on one network, and the reason."""
        source, target = self.source.network, self.target.network
        same, kind = compare(source, target)
        rules = tuple(sorted(self.source.rules | self.target.rules))
        if same is None and rules:
            return None, Finding(Reason.CONTRADICTION, rules=rules, source=source, target=target)
        return same, Finding(kind, source=source, target=target)

    def remarks(self, outcome: Outcome) -> list[Finding]:
        """Return what is reported after the reasons of an outcome."""
        source, target = self.source, self.target
        found: list[Finding] = []
        if outcome in _YES:
            found.extend(filter(None, (source.unlisted, target.unlisted)))
        found += source.remarks + target.remarks
        rules = source.rules | target.rules | (target.own.rules if target.own else set())
        if rules and outcome is not Outcome.UNKNOWN:
            found.append(Finding(Reason.CONTRADICTION, rules=tuple(sorted(rules))))
        return found

    def ways(self, outcome: Outcome) -> tuple[Finding, ...]:
        """Return the ways around a no."""
        if outcome not in _NO:
            return ()
        app = self.target.app
        public = tuple(self.target.knowledge.app(app).public)
        ways = [Finding(Way.PUBLIC_ADDRESS, app=app, public=public)]
        # The network to name when an address is allocated is the one the requests come from.
        if outcome is Outcome.DIFFERENT_NETWORKS:
            kind = Way.CROSS_NETWORK_ADDRESS
            apps = self.without_list
            if self.of_app:
                kind = Way.EXISTING_CROSS_NETWORK_ADDRESS
                apps = None
            addresses = tuple(row.address for row in self.of_app)
            network = self.source.network
            ways.append(Finding(kind, app=app, apps=apps, network=network, addresses=addresses))
        ways += [Finding(Way.REPLAY, app=app), Finding(Way.ADMINISTRATOR, app=app)]
        return tuple(ways)
