"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from two of them, DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS.

A verdict is about networks: an address proves that it belongs to one, not that anything listens
there. All names are taken to be of one organization, as names are unique within one only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fdaa._checks import check_text
from fdaa.address import Address, NetworkID
from fdaa.networks._argument_types import one_of
from fdaa.networks._book import Book
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import Machine, Rule
from fdaa.networks._verdict import Ambiguity, Finding, Lack, Outcome, Reason, Verdict, Way

if TYPE_CHECKING:
    from fdaa.network_name import NetworkName
    from fdaa.networks._model import Network

NETWORK_END = "network:"  # what stands before an end that is a network's name or ID


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
    remarks: tuple[Finding, ...] = ()  # what is to be said beside the outcome

    def on(self, network: Network | None) -> _End:
        """Return it with what is known of its network; a disputed one tells no more than the ID."""
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
        """Return it with something about its app that is to be said beside the outcome."""
        remark = Finding(reason, {"end": self.role, "app": self.app, **facts})
        return self._replace(remarks=(*self.remarks, remark))

    def facts(self) -> dict[str, object]:
        network_id = None if self.network_id is None else str(self.network_id)
        return {"network": self.name, "network_id": network_id}


def reach(
    source: str | Address,
    target: str | Address,
    networks: NetworkMap | None = None,
    book: Book | None = None,
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
        networks: the joined documents, or None.
        book: it is asked about apps that no document has.

    Raises:
        AddressError: an end is empty, or text with a colon that is no private address.
        NetworkIDError: an end is meant as a network's ID, and is none.
        TypeError: an end is neither `str` nor `Address`, or `networks` or `book` is something else.

    >>> verdict = reach("fdaa:2:45b::3", "fdaa:2:45c::3")
    >>> print(verdict.outcome, verdict.reachable, *[way.kind for way in verdict.ways])
    different-networks False public-address cross-network-address replay
    """
    networks = one_of(NetworkMap, NetworkMap() if networks is None else networks, "reach")
    book = one_of(Book, Book("") if book is None else book, "reach")
    source, target = _plain(source), _plain(target)
    one = _Finder("source", networks, book).find(source)
    two = _Finder("target", networks, book).find(target)
    via, possible = _allocated_for(one, two, networks)
    outcome, reasons = _judge(one, two, via, possible)
    reasons += (*one.remarks, *two.remarks)
    ways = _ways(outcome, one, two, via, networks) if outcome.reachable is False else ()
    through = via if outcome is Outcome.CROSS_NETWORK_ADDRESS and two.is_app else ()
    return Verdict(str(source), str(target), outcome, tuple(reasons), ways, through)


def _plain(end: str | Address) -> str | Address:
    """Return an end, or raise a TypeError."""
    if not isinstance(end, Address):
        check_text(end, "an end that is no Address")
    return end


# --- the rules ------------------------------------------------------------------------------------

_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY, {})


def _judge(
    one: _End, two: _End, via: tuple[str, ...], possible: tuple[str, ...]
) -> tuple[Outcome, list[Finding]]:
    """Apply the rules in their order; the first that applies makes the outcome.

    Args:
        one: the source.
        two: the target.
        via: the addresses allocated to the target's app for the source's network.
        possible: those of which that is not known.
    """
    # An end whose network is not known, or on which documents disagree.
    if one.unclear or two.unclear:
        return Outcome.UNKNOWN, [*one.unclear, *two.unclear]
    # Requests go to an address for cross-network access, and none come from it.
    if one.own is not None:
        facts = {"end": one.role, "app": one.app, **one.facts()}
        return Outcome.UNKNOWN, [Finding(Reason.SOURCE_IS_ALLOCATED, facts)]
    if two.own is not None:
        return _judge_allocated(one, two, two.own)
    same, compared = _compare(one, two)
    # Neither the names nor the IDs of both networks are known.
    if same is None:
        return Outcome.UNKNOWN, [compared]
    # One network: its members reach each other (specification, section 1).
    if same:
        return Outcome.SAME_NETWORK, [compared, _MEMBERSHIP_ONLY]
    # Different networks, but an address of the app is allocated for the source's network.
    if via and two.is_app:
        facts = {"app": two.app, "serves": one.facts(), "source": one.facts(), "addresses": [*via]}
        configured = Finding(Reason.ALLOCATED_FOR_SOURCE, facts)
        return Outcome.CROSS_NETWORK_ADDRESS, [configured, compared, _MEMBERSHIP_ONLY]
    # Different networks, but an address of the app may be for the source's.
    if possible and two.is_app:
        facts = {"app": two.app, "source": one.facts(), "addresses": [*possible]}
        missing = Finding(Reason.MISSING, {**facts, "needs": Lack.ID_OF_SOURCE})
        return Outcome.UNKNOWN, [missing, compared]
    # Different networks, and nothing is configured: no.
    return Outcome.DIFFERENT_NETWORKS, [compared, _MEMBERSHIP_ONLY]


def _judge_allocated(one: _End, two: _End, own: _End) -> tuple[Outcome, list[Finding]]:
    """Judge an address for cross-network access: its ID is the network requests come from."""
    from_own, _ = _compare(one, own)
    same, compared = _compare(one, two)
    facts = {"app": two.app, "serves": two.facts(), "source": one.facts()}
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
        return Outcome.UNKNOWN, [reason, Finding(Reason.OWN_NETWORK_UNKNOWN, {"app": two.app})]
    return Outcome.CROSS_NETWORK_ADDRESS, [reason, _MEMBERSHIP_ONLY]


def _compare(one: _End, two: _End) -> tuple[bool | None, Finding]:
    """Tell whether two ends are on one network, by what is known of both: the IDs, the names."""
    facts: dict[str, object] = {"source": one.facts(), "target": two.facts()}
    found: dict[bool, Reason] = {}
    if one.name is not None and two.name is not None:
        same = one.name == two.name
        found[same] = Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES
    if one.network_id is not None and two.network_id is not None:
        same = one.network_id == two.network_id
        found[same] = Reason.SAME_ID if same else Reason.DIFFERENT_IDS
    if len(found) == 1:
        ((same, reason),) = found.items()
        return same, Finding(reason, facts)
    if found:  # the names say one thing, the IDs another
        return None, Finding(Reason.CONTRADICTION, facts)
    disputed = one.is_disputed or two.is_disputed
    needs = Lack.AGREEMENT if disputed else Lack.NAMES_OR_IDS
    return None, Finding(Reason.MISSING, {**facts, "needs": needs})


def _allocated_for(
    one: _End, two: _End, networks: NetworkMap
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the addresses allocated to the target's app for the source's network.

    Behind them are those that may be: the ID of that network is not known, nor the name of theirs.
    """
    via, possible = [], []
    for each in networks.allocated:
        if two.app is None or each.app != two.app or each.address in networks.statements.disputed:
            continue
        served = networks.by_id(each.network_id)
        if each.network_id == one.network_id:
            via.append(str(each.address))
        elif one.network_id is None and (served is None or served.name is None):
            possible.append(str(each.address))
    return tuple(via), tuple(possible)


def _ways(
    outcome: Outcome, one: _End, two: _End, via: tuple[str, ...], networks: NetworkMap
) -> tuple[Finding, ...]:
    public = () if two.app is None else networks.statements.public.get(two.app, ())
    ways = [Finding(Way.PUBLIC_ADDRESS, {"app": two.app, "addresses": [*public]})]
    if outcome is Outcome.DIFFERENT_NETWORKS:
        # The network to name when an address is allocated is the one the requests come from.
        facts = {"app": two.app, **one.facts(), "addresses": [*via]}
        ways.append(Finding(Way.CROSS_NETWORK_ADDRESS, facts))
    return (*ways, Finding(Way.REPLAY, {"app": two.app}))


# --- the ends -------------------------------------------------------------------------------------


class _Finder(NamedTuple):
    """Finds what is known of one end; where that is too little, the end says why."""

    role: str
    networks: NetworkMap
    book: Book

    def find(self, end: str | Address) -> _End:
        if isinstance(end, Address):
            return self.address(end)
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
        return _End(self.role).because(Reason.MISSING, needs=Lack.NETWORK_IN_DOCUMENT)

    def network_with_id(self, network_id: NetworkID) -> _End:
        """Find a network by its ID; ID 0 is that of the platform's services if no name has it."""
        found = _End(self.role, network_id=network_id).on(self.networks.by_id(network_id))
        is_service = network_id == 0 and found.name is None
        return found.because(Reason.SERVICE_ADDRESS) if is_service else found

    def address(self, address: Address) -> _End:
        found = self.network_with_id(address.network_id)
        if self.networks.may_be_allocated(address):
            rules = [self.networks.statements.disputed[address]]
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
        """Find a Machine, or None: its addresses tell its network, else its app does."""
        found, statements = _End(self.role), self.networks.statements
        addresses = statements.addresses_of.get(machine_id, [])
        new_of = statements.apps_of_unaddressed.get(machine_id, ())
        if not addresses and not new_of:
            return None
        apps = sorted(app for app in new_of if app is not None)
        # Nothing says which is meant: an app and a Machine of one name, or two Machines.
        rules = [Ambiguity.APP_AND_MACHINE] if machine_id in statements.app_names else []
        if len({address.network_id for address in addresses}) > 1:
            rules.append(Ambiguity.MACHINE_ON_TWO_NETWORKS)
        if not addresses and len(apps) > 1:
            rules.append(Ambiguity.MACHINE_OF_TWO_APPS)
        if rules:
            return found.because(Reason.CONTRADICTION, rules=rules)
        if addresses:  # one that is certainly a Machine's; all are on one network
            return self.address(min(addresses, key=self.networks.may_be_allocated))
        if apps:  # it will get an address on its app's network
            return self.app(apps[0])._replace(is_app=False)
        return found.because(Reason.MISSING, needs=Lack.APP_OF_MACHINE_LIST)

    def app(self, app: str) -> _End:
        """Find an app in the documents; where they do not tell its network, in the book."""
        found = _End(self.role, app, is_app=True)
        if doubts := self.networks.statements.doubts.get(app):
            return found.because(Reason.CONTRADICTION, app=app, rules=sorted(doubts))
        found = found._replace(network_id=self.networks.id_of_app(app))
        found = self.with_machines(found.on(self.networks.of_app(app)))
        if found.name is not None or found.network_id is not None:
            return found
        told = self.book.told_by(app)
        if len(told) > 1:
            return found.because(Reason.CONTRADICTION, app=app, rules=[Rule.APP_ON_TWO_NETWORKS])
        if told:  # an app stays on its network for life
            (entry,) = told
            found = found._replace(name=entry.name, network_id=entry.network_id)
            facts = {**found.facts(), "learned_on": entry.learned_on}
            return found.with_remark(Reason.KNOWN_FROM_BOOK, **facts)
        if app in self.networks.statements.app_names:
            return found
        is_network = self.networks.by_name(app) is not None
        needs = Lack.END_AS_NETWORK if is_network else Lack.END_IN_DOCUMENT
        return _End(self.role).because(Reason.MISSING, needs=needs)

    def with_machines(self, end: _End) -> _End:
        """Return an end with the remark that nothing answers there if its app has no Machine."""
        is_empty = end.app is not None and self.networks.has_no_machine(end.app)
        return end.with_remark(Reason.NO_MACHINE) if is_empty and self.role == "target" else end
