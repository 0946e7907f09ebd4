"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from two of them, DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS.

A verdict is about networks: an address proves that it belongs to one, not that anything listens
there. All names are taken to be of one organization, as names are unique within one only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa.address import Address, NetworkID
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import Machine, Requirement, Rule
from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName
    from fdaa.networks._model import Network

NETWORK_END = "network:"  # the text before an end that is a network's name or ID


class _End(NamedTuple):
    """What is known of the source or the target."""

    role: str  # `source` or `target`
    app: str | None = None  # that it is, or that its address belongs to
    is_app: bool = False  # the app itself was asked for, and no certain address
    name: NetworkName | None = None  # of its network; of an allocated address, of that it serves
    network_id: NetworkID | None = None  # of that network
    is_disputed: bool = False  # documents disagree about that network
    own: _End | None = None  # of an address for cross-network access, the app that has it
    unclear: tuple[Finding, ...] = ()  # why its network is not known
    remarks: tuple[Finding, ...] = ()  # to report beside the outcome

    def on(self, network: Network | None) -> _End:
        """Return it with what is known of its network; a disputed one adds no more than the ID."""
        if network is None:
            return self
        known = self._replace(is_disputed=network.is_disputed)
        if self.network_id is None:
            return known._replace(name=network.name, network_id=network.network_id)
        return known if network.is_disputed else known._replace(name=network.name)

    def because(self, reason: Reason, **facts: object) -> _End:
        """Return it with the reason why its network is not known."""
        return self._replace(unclear=(Finding(reason, {"end": self.role, **facts}),))

    def with_remark(self, reason: Reason, **facts: object) -> _End:
        """Return it with a remark about its app, to report beside the outcome."""
        remark = Finding(reason, {"end": self.role, "app": self.app, **facts})
        return self._replace(remarks=(*self.remarks, remark))

    def facts(self) -> dict[str, object]:
        network_id = None if self.network_id is None else str(self.network_id)
        return {"network": self.name, "network_id": network_id}


def reach(
    source: str | Address, target: str | Address, networks: NetworkMap | None = None
) -> Verdict:
    """Return whether the source can reach the target over the private network, and why.

    An end is an address, an app's name, a Machine's identifier, a network's ID or /48 (`2:45b`), or
    a network by name (`network:customer-17`). An app is all of its addresses: its Machines' own,
    and those allocated to it for cross-network access.

    An address that no document has is taken for a Machine's. More documents do not make a yes of a
    no, or a no of a yes, unless the map reports a contradiction, or they show an address that is
    allocated to the target's app for the source's network.

    Args:
        source: where the request comes from. Text with a colon is an address or a network.
        target: what it is for.
        networks: the joined documents and book, or None. The book is used for apps that no
            document has.

    Raises:
        AddressError: an end is empty, or text with a colon that is no private address.
        NetworkIDError: an end is meant as a network's ID, and is none.
        TypeError: an end is neither `str` nor `Address`.

    >>> verdict = reach("fdaa:2:45b::3", "fdaa:2:45c::3")
    >>> print(verdict.outcome, verdict.reachable, *[way.kind for way in verdict.ways])
    different-networks False public-address cross-network-address replay
    """
    networks = NetworkMap() if networks is None else networks
    start = _Finder("source", networks).find(source)
    end = _Finder("target", networks).find(target)
    via, possible = _allocated_for(start, end, networks)
    outcome, reasons = _judge(start, end, via, possible)
    reasons += (*start.remarks, *end.remarks)
    ways = _ways(outcome, start, end, via, networks) if outcome.reachable is False else ()
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
        possible: those of which that is not known.
    """
    # An end whose network is not known, or on which documents disagree.
    if source.unclear or target.unclear:
        return Outcome.UNKNOWN, [*source.unclear, *target.unclear]
    # Requests go to an address for cross-network access, and none come from it.
    if source.own is not None:
        facts = {"end": source.role, "app": source.app, **source.facts()}
        return Outcome.UNKNOWN, [Finding(Reason.SOURCE_IS_ALLOCATED, facts)]
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
        serves = {"serves": source.facts(), "source": source.facts()}
        facts = {"app": target.app, **serves, "addresses": [*via]}
        configured = Finding(Reason.ALLOCATED_FOR_SOURCE, facts)
        return Outcome.CROSS_NETWORK_ADDRESS, [configured, compared, _MEMBERSHIP_ONLY]
    # Different networks, but an address of the app may be for the source's.
    if possible and target.is_app:
        facts = {"app": target.app, "source": source.facts(), "addresses": [*possible]}
        missing = Finding(Reason.MISSING, {**facts, "requires": Requirement.ID_OF_SOURCE})
        return Outcome.UNKNOWN, [missing, compared]
    # Different networks, and nothing is configured: no.
    return Outcome.DIFFERENT_NETWORKS, [compared, _MEMBERSHIP_ONLY]


def _judge_allocated(source: _End, target: _End, own: _End) -> tuple[Outcome, list[Finding]]:
    """Judge an address for cross-network access: its ID is the network requests come from."""
    from_own, _ = _compare(source, own)
    same, compared = _compare(source, target)
    facts = {"app": target.app, "serves": target.facts(), "source": source.facts()}
    # Asked from the app's own network: not through this address.
    if from_own:
        return Outcome.OWN_CROSS_NETWORK_ADDRESS, [Finding(Reason.ASKED_FROM_OWN_NETWORK, facts)]
    if same is None:
        return Outcome.UNKNOWN, [compared]
    # Asked from a network that the address is not for.
    if not same:
        return Outcome.DIFFERENT_NETWORKS, [Finding(Reason.ALLOCATED_FOR_ANOTHER, facts), compared]
    reason = Finding(Reason.ALLOCATED_FOR_SOURCE, facts)
    # It could be the app's own network, from which it is not reachable.
    if from_own is None:
        return Outcome.UNKNOWN, [reason, Finding(Reason.OWN_NETWORK_UNKNOWN, {"app": target.app})]
    return Outcome.CROSS_NETWORK_ADDRESS, [reason, _MEMBERSHIP_ONLY]


def _compare(source: _End, target: _End) -> tuple[bool | None, Finding]:
    """Return whether two ends are on one network, by what is known of both: the IDs, the names."""
    facts: dict[str, object] = {"source": source.facts(), "target": target.facts()}
    found: dict[bool, Reason] = {}
    if source.name is not None and target.name is not None:
        same = source.name == target.name
        found[same] = Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES
    if source.network_id is not None and target.network_id is not None:
        same = source.network_id == target.network_id
        found[same] = Reason.SAME_ID if same else Reason.DIFFERENT_IDS
    for same, reason in found.items():  # where both are known they agree: the map has joined them
        return same, Finding(reason, facts)
    disputed = source.is_disputed or target.is_disputed
    requires = Requirement.AGREEMENT if disputed else Requirement.NAMES_OR_IDS
    return None, Finding(Reason.MISSING, {**facts, "requires": requires})


def _allocated_for(
    source: _End, target: _End, networks: NetworkMap
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the addresses allocated to the target's app for the source's network.

    After them are those that may be: the ID of that network is not known, nor the name of theirs.
    """
    via, possible = [], []
    allocated = () if target.app is None else networks.facts.app(target.app).allocated
    for row in allocated:
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
    public = () if target.app is None else networks.facts.app(target.app).public
    ways = [Finding(Way.PUBLIC_ADDRESS, {"app": target.app, "addresses": [*public]})]
    if outcome is Outcome.DIFFERENT_NETWORKS:
        # The network to name when an address is allocated is the one the requests come from.
        facts = {"app": target.app, **source.facts(), "addresses": [*via]}
        ways.append(Finding(Way.CROSS_NETWORK_ADDRESS, facts))
    return (*ways, Finding(Way.REPLAY, {"app": target.app}))


# --- the ends -------------------------------------------------------------------------------------


class _Finder(NamedTuple):
    """Finds what is known of one end; where that is too little, the end has the reason."""

    role: str
    networks: NetworkMap

    def find(self, end: str | Address) -> _End:
        if isinstance(end, Address):
            return self.address(end)
        if not isinstance(end, str):
            raise TypeError(f"an end is a str or an Address, not {type(end).__name__}")
        if end.startswith(NETWORK_END):
            return self.network(end.removeprefix(NETWORK_END))
        if end.count(":") == 1 or "/" in end:
            return self.network(end)
        if ":" in end or not end:
            return self.address(Address.parse(end))
        return self.machine(end) or self.app(end)

    def network(self, text: str) -> _End:
        """Find a network by its name, which starts with a letter and has no colon, or by its ID."""
        if not text[:1].isalpha() or ":" in text:
            return self.network_with_id(NetworkID(text))
        if network := self.networks.by_name(text):
            return _End(self.role).on(network)
        return _End(self.role).because(Reason.MISSING, requires=Requirement.NETWORK_IN_DOCUMENT)

    def network_with_id(self, network_id: NetworkID) -> _End:
        """Find a network by its ID; ID 0 is that of the platform's services if no name has it."""
        found = _End(self.role, network_id=network_id).on(self.networks.by_id(network_id))
        is_service = network_id == 0 and found.name is None
        return found.because(Reason.SERVICE_ADDRESS) if is_service else found

    def address(self, address: Address) -> _End:
        found = self.network_with_id(address.network_id)
        if self.networks.may_be_allocated(address):
            rules = [self.networks.facts.disputed[address]]
            return found.because(Reason.CONTRADICTION, rules=rules)
        holder = self.networks.holder_at(address)
        if holder is None:
            return found
        found = found._replace(app=holder.app, unclear=())
        if isinstance(holder, Machine):
            return found
        own = _End(self.role) if holder.app is None else self.app(holder.app)
        return self.with_machines(found._replace(own=own))

    def machine(self, machine_id: str) -> _End | None:
        """Find a Machine, or None: its network is that of its addresses, else that of its app."""
        found, rows = _End(self.role), self.networks.facts.machines.get(machine_id)
        if rows is None:
            return None
        addresses = [row.address for row in rows if row.address is not None]
        apps = sorted({row.app for row in rows if row.app is not None})
        if machine_id in self.networks.facts.app_names:
            return found.because(Reason.MISSING, requires=Requirement.APP_OR_MACHINE)
        if len({address.network_id for address in addresses}) > 1:
            return found.because(Reason.MISSING, requires=Requirement.ONE_NETWORK)
        if addresses:  # one that is certainly a Machine's; all are on one network
            return self.address(min(addresses, key=self.networks.may_be_allocated))
        if len(apps) > 1:
            return found.because(Reason.MISSING, requires=Requirement.ONE_APP)
        if apps:  # it will get an address on its app's network
            return self.app(apps[0])._replace(is_app=False)
        return found.because(Reason.MISSING, requires=Requirement.APP_OF_MACHINE_LIST)

    def app(self, app: str) -> _End:
        """Find an app in the documents; where they do not have its network, in the book."""
        found, known = _End(self.role, app, is_app=True), self.networks.facts.app(app)
        if known.doubts:
            rules = sorted(known.doubts)
            return found.because(Reason.CONTRADICTION, app=app, rules=rules)
        found = found._replace(network_id=known.network_id)
        found = self.with_machines(found.on(self.networks.of_app(app)))
        if found.name is not None or found.network_id is not None:
            return found
        entries = self.networks.book.learned_from(app)
        if len(entries) > 1:
            return found.because(Reason.CONTRADICTION, app=app, rules=[Rule.APP_ON_TWO_NETWORKS])
        if entries:  # an app stays on its network for life
            (entry,) = entries
            found = found._replace(network_id=entry.network_id)
            found = found.on(self.networks.by_id(entry.network_id))
            facts = {**found.facts(), "learned_on": entry.learned_on}
            return found.with_remark(Reason.KNOWN_FROM_BOOK, **facts)
        if app in self.networks.facts.app_names:
            return found
        is_network = self.networks.by_name(app) is not None
        requires = Requirement.END_AS_NETWORK if is_network else Requirement.END_IN_DOCUMENT
        return _End(self.role).because(Reason.MISSING, requires=requires)

    def with_machines(self, end: _End) -> _End:
        """Return an end with the remark that nothing answers there if its app has no Machine."""
        is_empty = end.app is not None and self.networks.facts.app(end.app).has_no_machine
        return end.with_remark(Reason.NO_MACHINE) if is_empty and self.role == "target" else end
