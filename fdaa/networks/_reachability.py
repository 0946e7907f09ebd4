"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from two of them, DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS.

A verdict is about networks: an address proves that it belongs to one, not that anything listens
there. All names are assumed to belong to one organization, because names are unique only within
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fdaa.address import Address, NetworkID
from fdaa.networks._address_holder import find_holder
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import AllocatedAddress, Requirement, Rule
from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName
    from fdaa.networks._model import Network

NETWORK_END = "network:"  # the text before an end that is a network's name or ID


def reach(
    source: str | Address, target: str | Address, networks: NetworkMap | None = None
) -> Verdict:
    """Return whether the source can reach the target over the private network, and why.

    An end is an address, an app's name, a Machine's identifier, a network's ID or /48 (`2:45b`), or
    a network by name (`network:customer-17`). An app is all of its addresses: its Machines' own,
    and those allocated to it for cross-network access.

    An address that is not in any document is treated as a Machine's. More documents do not change
    yes to no, or no to yes, unless the map reports a contradiction, or they show an address that is
    allocated to the target's app for the source's network.

    Args:
        source: where the request comes from. Text with a colon is an address or a network.
        target: where the request goes to.
        networks: the joined documents and book, or None. The book is used for apps that are in no
            document.

    Raises:
        AddressError: an end is empty, or is text with a colon that is not a private address.
        NetworkIDError: an end looks like a network's ID, but is not valid.
        TypeError: an end is neither `str` nor `Address`.

    >>> verdict = reach("fdaa:2:45b::3", "fdaa:2:45c::3")
    >>> print(verdict.outcome, verdict.reachable, *[way.kind for way in verdict.ways])
    different-networks False public-address cross-network-address replay
    """
    networks = NetworkMap() if networks is None else networks
    start, end = _End("source", networks), _End("target", networks)
    start.find(source)
    end.find(target)
    via, possible = _allocated_for(start, end, networks)
    outcome, reasons = _judge(start, end, via, possible)
    reasons += [*start.remarks, *end.remarks]
    ways = _ways(outcome, start, end, via, networks)
    through = via if outcome is Outcome.CROSS_NETWORK_ADDRESS and end.is_app else ()
    return Verdict(str(source), str(target), outcome, tuple(reasons), ways, through)


# --- the rules ------------------------------------------------------------------------------------

_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY, {})


def _judge(
    source: _End, target: _End, via: tuple[str, ...], possible: tuple[str, ...]
) -> tuple[Outcome, list[Finding]]:
    """Apply the rules in their order; the first that applies makes the outcome.

    Args:
        source: the source.
        target: the target.
        via: the addresses allocated to the target's app for the source's network.
        possible: those for which that is not known.
    """
    # An end whose network is not known, or on which documents disagree.
    if unclear := [end.unclear for end in (source, target) if end.unclear is not None]:
        return Outcome.UNKNOWN, unclear
    # Requests go to an address for cross-network access, and none come from it.
    if source.own is not None:
        details = {"end": source.role, "app": source.app, **source.network()}
        return Outcome.UNKNOWN, [Finding(Reason.SOURCE_IS_ALLOCATED, details)]
    if target.own is not None:
        return _judge_allocated(source, target, target.own)
    same, compared = _compare(source, target)
    # Neither the names nor the IDs of both networks are known.
    if same is None:
        return Outcome.UNKNOWN, [compared]
    # One network: its members reach each other (specification, section 1).
    if same:
        return Outcome.SAME_NETWORK, [compared, _MEMBERSHIP_ONLY]
    # Different networks, but an address of the app is allocated for the source's network.
    if via and target.is_app:
        served = {"serves": source.network(), "source": source.network()}
        details = {"app": target.app, **served, "addresses": [*via]}
        configured = Finding(Reason.ALLOCATED_FOR_SOURCE, details)
        return Outcome.CROSS_NETWORK_ADDRESS, [configured, compared, _MEMBERSHIP_ONLY]
    # Different networks, but an address of the app may be for the source's.
    if possible and target.is_app:
        details = {"app": target.app, "source": source.network(), "addresses": [*possible]}
        missing = Finding(Reason.MISSING, {**details, "requires": Requirement.ID_OF_SOURCE})
        return Outcome.UNKNOWN, [missing, compared]
    # Different networks, and nothing is configured: no.
    return Outcome.DIFFERENT_NETWORKS, [compared, _MEMBERSHIP_ONLY]


def _judge_allocated(source: _End, target: _End, own: _End) -> tuple[Outcome, list[Finding]]:
    """Judge an address for cross-network access: its ID is the network requests come from."""
    from_own, _ = _compare(source, own)
    same, compared = _compare(source, target)
    details = {"app": target.app, "serves": target.network(), "source": source.network()}
    # Asked from the app's own network: not through this address.
    if from_own:
        return Outcome.OWN_CROSS_NETWORK_ADDRESS, [Finding(Reason.ASKED_FROM_OWN_NETWORK, details)]
    if same is None:
        return Outcome.UNKNOWN, [compared]
    # Asked from a network that the address is not for.
    if not same:
        return Outcome.DIFFERENT_NETWORKS, [
            Finding(Reason.ALLOCATED_FOR_ANOTHER, details),
            compared,
        ]
    reason = Finding(Reason.ALLOCATED_FOR_SOURCE, details)
    # It could be the app's own network, from which it is not reachable.
    if from_own is None:
        return Outcome.UNKNOWN, [reason, Finding(Reason.OWN_NETWORK_UNKNOWN, {"app": target.app})]
    return Outcome.CROSS_NETWORK_ADDRESS, [reason, _MEMBERSHIP_ONLY]


def _compare(source: _End, target: _End) -> tuple[bool | None, Finding]:
    """Return whether two ends are on one network, by their IDs, else by their names."""
    details: dict[str, object] = {"source": source.network(), "target": target.network()}
    if source.network_id is not None and target.network_id is not None:
        same = source.network_id == target.network_id
        return same, Finding(Reason.SAME_ID if same else Reason.DIFFERENT_IDS, details)
    if source.name is not None and target.name is not None:
        same = source.name == target.name
        return same, Finding(Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES, details)
    disputed = source.is_disputed or target.is_disputed
    details["requires"] = Requirement.AGREEMENT if disputed else Requirement.NAMES_OR_IDS
    return None, Finding(Reason.MISSING, details)


def _allocated_for(
    source: _End, target: _End, networks: NetworkMap
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the addresses allocated to the target's app for the source's network.

    They are followed by those that may be: that network's ID and their network's name are unknown.
    """
    via, possible = [], []
    for row in networks.facts.app(target.app).allocated:
        if row.address in networks.facts.disputed:
            continue
        served = networks.by_id(row.network_id)
        if row.network_id == source.network_id:
            via.append(str(row.address))
        elif source.network_id is None and (served is None or served.name is None):
            possible.append(str(row.address))
    return tuple(via), tuple(possible)


def _ways(
    outcome: Outcome, source: _End, target: _End, via: tuple[str, ...], networks: NetworkMap
) -> tuple[Finding, ...]:
    if outcome not in (Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS):
        return ()
    public = networks.facts.app(target.app).public
    ways = [Finding(Way.PUBLIC_ADDRESS, {"app": target.app, "addresses": [*public]})]
    if outcome is Outcome.DIFFERENT_NETWORKS:
        # The network to name when an address is allocated is the one the requests come from.
        details = {"app": target.app, **source.network(), "addresses": [*via]}
        ways.append(Finding(Way.CROSS_NETWORK_ADDRESS, details))
    return (*ways, Finding(Way.REPLAY, {"app": target.app}))


# --- the ends -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _End:
    """The source or the target, and the known facts about it."""

    role: str  # `source` or `target`
    networks: NetworkMap
    app: str | None = None  # that it is, or that its address belongs to
    is_app: bool = False  # the app itself was given, not one of its addresses
    name: NetworkName | None = None  # of its network; of an allocated address, of that it serves
    network_id: NetworkID | None = None  # of that network
    is_disputed: bool = False  # documents disagree about that network
    own: _End | None = None  # of an address for cross-network access, the app that has it
    unclear: Finding | None = None  # why its network is not known
    remarks: tuple[Finding, ...] = ()  # to report beside the outcome

    def find(self, end: str | Address) -> None:
        """Find its network and app; if that is not possible, `unclear` has the reason."""
        if isinstance(end, Address):
            self.find_address(end)
        elif not isinstance(end, str):
            raise TypeError(f"an end must be str or Address, not {type(end).__name__}")
        elif end.startswith(NETWORK_END):
            self.find_network(end.removeprefix(NETWORK_END))
        elif end.count(":") == 1 or "/" in end:
            self.find_network(end)
        elif ":" in end or not end:
            self.find_address(Address(end))
        elif end in self.networks.facts.machines:
            self.find_machine(end)
        else:
            self.find_app(end)

    def find_network(self, text: str) -> None:
        """Find a network by its name, which starts with a letter and has no colon, or by its ID."""
        if not text[:1].isalpha() or ":" in text:
            self.find_id(NetworkID(text))
        elif network := self.networks.by_name(text):
            self.set_network(network)
        else:
            self.set_unclear(Reason.MISSING, requires=Requirement.NETWORK_IN_DOCUMENT)

    def find_id(self, network_id: NetworkID) -> None:
        """Find a network by its ID; ID 0 is that of the platform's services if no name has it."""
        self.network_id = network_id
        self.set_network(self.networks.by_id(network_id))
        if network_id == 0 and self.name is None:
            self.set_unclear(Reason.SERVICE_ADDRESS)

    def find_address(self, address: Address) -> None:
        """Find the network in an address, and the app that has it."""
        self.find_id(address.network_id)
        if self.networks.facts.may_be_allocated(address):
            self.set_unclear(Reason.CONTRADICTION, rules=[self.networks.facts.disputed[address]])
        elif holder := self.networks.holder_at(address):
            self.app, self.unclear = holder.app, None
            if isinstance(holder, AllocatedAddress):
                self.own = _End(self.role, self.networks)
                if holder.app is not None:
                    self.own.find_app(holder.app)
                self.check_machines()
        elif apps := find_holder(address, self.networks).looked_at:
            self.add_remark(Reason.STALE, looked_at=[*apps])

    def find_machine(self, machine_id: str) -> None:
        """Find a Machine: its network is that of its addresses, else that of its app."""
        rows = self.networks.facts.machines[machine_id]
        addresses = [row.address for row in rows if row.address is not None]
        apps = sorted({row.app for row in rows if row.app is not None})
        if machine_id in self.networks.facts.apps:
            self.set_unclear(Reason.MISSING, requires=Requirement.APP_OR_MACHINE)
        elif len({address.network_id for address in addresses}) > 1:
            self.set_unclear(Reason.MISSING, requires=Requirement.ONE_NETWORK)
        elif addresses:  # one that is certainly a Machine's; all are on one network
            self.find_address(min(addresses, key=self.networks.facts.may_be_allocated))
        elif len(apps) > 1:
            self.set_unclear(Reason.MISSING, requires=Requirement.ONE_APP)
        elif apps:  # it will get an address on its app's network
            self.find_app(apps[0])
            self.is_app = False
        else:
            self.set_unclear(Reason.MISSING, requires=Requirement.APP_OF_MACHINE_LIST)

    def find_app(self, app: str) -> None:
        """Find an app in the documents; where they do not have its network, in the book."""
        facts = self.networks.facts.app(app)
        self.app, self.is_app, self.network_id = app, True, facts.network_id
        if facts.doubts:
            self.set_unclear(Reason.CONTRADICTION, app=app, rules=sorted({*facts.doubts}))
            return
        self.set_network(self.networks.of_app(app))
        self.check_machines()
        if self.name is None and self.network_id is None:
            self.find_in_book(app)

    def find_in_book(self, app: str) -> None:
        """Find an app in the book: it stays on its network for life."""
        entries = self.networks.book.learned_from(app)
        if len(entries) > 1:
            rules = [Rule.APP_ON_TWO_NETWORKS]
            self.set_unclear(Reason.CONTRADICTION, app=app, rules=rules)
        elif entries:
            self.network_id = entries[0].network_id
            self.set_network(self.networks.by_id(self.network_id))
            details = {**self.network(), "learned_on": entries[0].learned_on}
            self.add_remark(Reason.KNOWN_FROM_BOOK, **details)
        elif app not in self.networks.facts.apps:
            is_network = self.networks.by_name(app) is not None
            requires = Requirement.END_AS_NETWORK if is_network else Requirement.END_IN_DOCUMENT
            self.set_unclear(Reason.MISSING, requires=requires)

    def set_network(self, network: Network | None) -> None:
        """Set its network; a disputed one adds only the ID."""
        if network is None:
            return
        self.is_disputed = network.is_disputed
        if self.network_id is None:
            self.network_id = network.network_id
            self.name = network.name
        elif not network.is_disputed:
            self.name = network.name

    def set_unclear(self, reason: Reason, **details: object) -> None:
        """Set the reason why its network is not known."""
        self.unclear = Finding(reason, {"end": self.role, **details})

    def add_remark(self, reason: Reason, **details: object) -> None:
        """Add a remark about its app."""
        remark = Finding(reason, {"end": self.role, "app": self.app, **details})
        self.remarks = (*self.remarks, remark)

    def check_machines(self) -> None:
        """Add the remark that nothing answers at a target if its app has no Machine."""
        if self.role == "target" and self.networks.facts.app(self.app).has_no_machine:
            self.add_remark(Reason.NO_MACHINE)

    def network(self) -> dict[str, object]:
        """Return the known facts about its network, for the details of a finding."""
        network_id = None if self.network_id is None else str(self.network_id)
        return {"network": self.name, "network_id": network_id}
