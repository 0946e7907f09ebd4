"""Can this reach that, by which rule, and what are the ways around?

A verdict is about networks: an address proves membership of one, not that anything listens there.
All names are taken to be of one organization, as network names are unique within one only.

This module loads nothing but the values, as the face of the package imports it: `fdaa.networks._reachability` is the
function, and `from fdaa.networks._reachability import Verdict` works beside it.
"""

from __future__ import annotations

from fdaa.address import Address, NetworkID

TYPE_CHECKING = False  # as typing has it; importing typing would double the cost of `import fdaa`
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fdaa.network_name import NetworkName
    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import AllocatedAddress, Network

# The outcomes.
SAME_NETWORK = "same-network"
DIFFERENT_NETWORKS = "different-networks"
CROSS_NETWORK_ADDRESS = "cross-network-address"
OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
UNKNOWN = "unknown"
OUTCOMES: dict[str, bool | None] = {  # whether the target can be reached
    SAME_NETWORK: True,
    DIFFERENT_NETWORKS: False,
    CROSS_NETWORK_ADDRESS: True,
    OWN_CROSS_NETWORK_ADDRESS: False,
    UNKNOWN: None,
}

# The ways around.
PUBLIC_ADDRESS = "public-address"
REPLAY = "replay"

_RULES = {  # reason -> the specification's rule
    "same-id": "2.3, rule 2",
    "different-ids": "2.3, rule 3; Networking rules, 1",
    "same-name": "2.2; 2.1, rule 1",
    "different-names": "2.2; Networking rules, 1",
    "allocated-for-source": "2.3, rule 4; Networking rules, 3",
    "allocated-for-another": "2.3, rule 4; Networking rules, 3",
    "asked-from-own-network": "Networking rules, 3",
    "own-network-unknown": "Networking rules, 3",
    "service-address": "2.3, rule 2",
    "source-is-allocated": "2.3, rule 4; Networking rules, 3",
    "membership-only": "2.3, rule 2",
    "missing": "4.3; 2.3, rule 5",
    "contradiction": "2.1, rule 1; 2.2",
    PUBLIC_ADDRESS: "Networking rules, 2",
    CROSS_NETWORK_ADDRESS: "Networking rules, 3",
    REPLAY: "Networking rules, 4",
}


class Finding:
    """A reason of a verdict, or a way around: what it is, the rule it follows, and the facts.

    Attributes:
        kind: which reason or way it is.
        rule: the place in the specification that says so.
        facts: what it speaks of, as `json.dumps` takes it.
    """

    __slots__ = ("facts", "kind", "rule")

    def __init__(self, kind: str, facts: Mapping[str, object]) -> None:
        self.kind = kind
        self.rule = _RULES[kind]
        self.facts = facts

    def to_json(self) -> dict[str, object]:
        """Return the finding as what `json.dumps` takes."""
        return {"kind": self.kind, "rule": self.rule, **self.facts}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self.kind} {dict(self.facts)}>"


class Verdict:
    """Whether a source can reach a target, and why.

    Attributes:
        source, target: what was asked, as text.
        outcome: one of `OUTCOMES`.
        reachable: True, False, or None where it is not known.
        reasons: what the outcome follows from; of an unknown one, what is missing.
        ways: ways around, where the target cannot be reached.

    >>> reach("fdaa:2:45b::3", "fdaa:2:45b::4")
    <Verdict 'fdaa:2:45b::3' -> 'fdaa:2:45b::4': same-network>
    """

    __module__ = "fdaa"
    __slots__ = ("outcome", "reachable", "reasons", "source", "target", "ways")

    def __init__(
        self,
        source: str,
        target: str,
        outcome: str,
        reasons: tuple[Finding, ...],
        ways: tuple[Finding, ...] = (),
    ) -> None:
        self.source = source
        self.target = target
        self.outcome = outcome
        self.reachable = OUTCOMES[outcome]
        self.reasons = reasons
        self.ways = ways

    def to_json(self) -> dict[str, object]:
        """Return the verdict as what `json.dumps` takes."""
        return {
            "source": self.source,
            "target": self.target,
            "reachable": self.reachable,
            "outcome": self.outcome,
            "reasons": [reason.to_json() for reason in self.reasons],
            "ways": [way.to_json() for way in self.ways],
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Verdict {self.source!a} -> {self.target!a}: {self.outcome}>"


class _Place:
    """What is known of the network that an end is on; of an allocated address, that it serves."""

    __slots__ = ("allocated", "app", "disputed", "findings", "name", "network_id")

    def __init__(self, app: str | None = None) -> None:
        self.app = app
        self.name: NetworkName | None = None
        self.network_id: NetworkID | None = None
        self.disputed = False  # documents disagree about its network's name or ID
        self.allocated: AllocatedAddress | None = None
        self.findings: list[Finding] = []  # why it is not known

    def take(self, network: Network | None) -> None:
        """Fill in what a row of the map knows; of a disputed one, only what nothing else tells."""
        if network is None:
            return
        self.disputed = network.is_disputed
        if self.disputed and self.network_id is not None:
            return
        self.name = network.name
        self.network_id = network.network_id if self.network_id is None else self.network_id

    def is_service(self) -> bool:
        """Whether its network ID is 0, as the platform's services have it, and it is no app's."""
        return self.network_id == 0 and self.app is None

    def facts(self) -> dict[str, object]:
        network_id = None if self.network_id is None else str(self.network_id)
        return {"network": self.name, "network_id": network_id}


def reach(source: str | Address, target: str | Address, map: NetworkMap | None = None) -> Verdict:  # noqa: A002
    """Return whether the source can reach the target over the private network, and why.

    An end is an address, an app's name, or a Machine's identifier; an app as the target is its
    Machines, so an address allocated to it for cross-network access is a way around, not a verdict.

    An address of which no document says whose it is is taken for a Machine's. More documents never
    turn a verdict round, unless the map reports a contradiction.

    Args:
        source: where the request comes from. Text with a colon is an address.
        target: what it is for.
        map: the joined documents, or None.

    Raises:
        AddressError: an end is empty, or text with a colon that is no private address.
        TypeError: an end is neither `str` nor `Address`.

    >>> verdict = reach("fdaa:2:45b::3", "fdaa:2:45c::3")
    >>> verdict.outcome, verdict.reachable, [way.kind for way in verdict.ways]
    ('different-networks', False, ['public-address', 'cross-network-address', 'replay'])
    """
    one, two = _find(source, "source", map), _find(target, "target", map)
    outcome, reasons = _judge(one, two, map)
    around = OUTCOMES[outcome] is False and not two.is_service()
    ways = _ways(outcome, one, two, map) if around else ()
    return Verdict(str(source), str(target), outcome, tuple(reasons), ways)


def _find(end: str | Address, role: str, joined: NetworkMap | None) -> _Place:
    """Return what is known of an end; where that is nothing, its findings say what is missing."""
    if not isinstance(end, (str, Address)):
        raise TypeError(f"the {role} is a str or an Address, not {type(end).__name__}")
    if isinstance(end, Address) or ":" in end or not end:
        return _find_address(Address.parse(end) if isinstance(end, str) else end, role, joined)
    if joined is None:
        place = _Place()
        needs = "documents that list this app or Machine"
        place.findings.append(Finding("missing", {"end": role, "needs": needs}))
        return place
    machines, new_of = joined.machines(end), joined.apps_of_unaddressed(end)
    if joined.has_app(end) and not machines and not new_of:
        return _find_app(end, role, joined)
    place = _Place()
    if not machines and new_of <= {None}:
        needs = "an app list or a Machine list with this name (a book keeps networks, not apps)"
        if new_of:
            needs = (
                "which app's Machine list it stands in (--machines APP=FILE), as it has no address"
            )
        place.findings.append(Finding("missing", {"end": role, "needs": needs}))
        return place
    # An app and a Machine of one name, or one Machine on two networks: nothing says which is meant.
    rules = ["app-and-machine"] if joined.has_app(end) else []
    if len({machine.network_id for machine in machines}) > 1:
        rules.append("machine-on-two-networks")
    if not machines and len(new_of - {None}) > 1:
        rules.append("machine-of-two-apps")
    if rules:
        place.findings.append(Finding("contradiction", {"end": role, "rules": rules}))
        return place
    if not machines:  # it is on its app's network, whatever address it will have
        (app,) = (each for each in new_of if each is not None)
        return _find_app(app, role, joined)
    # One of them that is certainly a Machine's; all are on one network.
    addresses = [each.address for each in machines if each.address is not None]
    sure = (each for each in addresses if not joined.may_be_allocated(each))
    return _find_address(next(sure, addresses[0]), role, joined)


def _find_address(address: Address, role: str, joined: NetworkMap | None) -> _Place:
    place = _Place()
    place.network_id = address.network_id
    if joined is not None:
        place.take(joined.by_id(address.network_id))
        machine, place.allocated = joined.machine_at(address), joined.allocation_at(address)
        holder = machine or place.allocated
        place.app = None if holder is None else holder.app
        if joined.may_be_allocated(address):
            facts = {"end": role, "rules": joined.doubts_at(address)}
            place.findings.append(Finding("contradiction", facts))
    return place


def _find_app(app: str, role: str, joined: NetworkMap) -> _Place:
    place = _Place(app)
    if doubts := joined.doubts_of(app):
        facts = {"end": role, "app": app, "rules": doubts}
        place.findings.append(Finding("contradiction", facts))
        return place
    place.network_id = joined.id_of_app(app)
    place.take(joined.of_app(app))
    return place


def _judge(one: _Place, two: _Place, joined: NetworkMap | None) -> tuple[str, list[Finding]]:
    if one.findings or two.findings:
        return UNKNOWN, one.findings + two.findings
    if one.allocated is not None:
        return UNKNOWN, [Finding("source-is-allocated", {"app": one.app, **one.facts()})]
    same, reasons = _compare(one, two)
    if two.allocated is None:
        outcome = {True: SAME_NETWORK, False: DIFFERENT_NETWORKS, None: UNKNOWN}[same]
        if one.is_service() or two.is_service():
            ends = {"source": one.is_service(), "target": two.is_service()}
            reasons.append(Finding("service-address", ends))
        if same is not None:
            reasons.append(Finding("membership-only", {}))
        return outcome, reasons
    return _judge_allocated(one, two, joined, same, reasons)


def _judge_allocated(
    one: _Place, two: _Place, joined: NetworkMap | None, same: bool | None, reasons: list[Finding]
) -> tuple[str, list[Finding]]:
    """Judge an address for cross-network access: its ID is where requests come from."""
    facts = {"app": two.app, "serves": two.facts(), "source": one.facts()}
    own = _Place(two.app)
    if joined is not None and two.app is not None and joined.has_app(two.app):
        own = _find_app(two.app, "target", joined)
    from_own = None if own.findings else _compare(one, own)[0]
    if from_own:
        return OWN_CROSS_NETWORK_ADDRESS, [Finding("asked-from-own-network", facts)]
    if same is None:
        return UNKNOWN, reasons
    if not same:
        return DIFFERENT_NETWORKS, [Finding("allocated-for-another", facts), *reasons]
    found = [Finding("allocated-for-source", facts)]
    if from_own is None:  # on its own network it would not be reachable there
        return UNKNOWN, [*found, Finding("own-network-unknown", {"app": two.app})]
    return CROSS_NETWORK_ADDRESS, [*found, Finding("membership-only", {})]


def _compare(one: _Place, two: _Place) -> tuple[bool | None, list[Finding]]:
    """Tell whether two places are one network, by what both of them have: an ID, a name."""
    facts = {"source": one.facts(), "target": two.facts()}
    found: dict[bool, str] = {}
    if one.name is not None and two.name is not None:
        same = one.name == two.name
        found[same] = "same-name" if same else "different-names"
    if one.network_id is not None and two.network_id is not None:
        same = one.network_id == two.network_id
        found[same] = "same-id" if same else "different-ids"
    if len(found) == 1:
        ((same, reason),) = found.items()
        return same, [Finding(reason, facts)]
    if found:
        return None, [Finding("contradiction", facts)]
    needs = "the ID of both networks, or the name of both: app lists and Machine lists"
    if one.disputed or two.disputed:
        needs = "documents, and a book, that agree which name has which ID"
    return None, [Finding("missing", {**facts, "needs": needs})]


def _ways(outcome: str, one: _Place, two: _Place, joined: NetworkMap | None) -> tuple[Finding, ...]:
    app = two.app
    public: list[str] = []
    allocated: list[AllocatedAddress] = []
    if joined is not None and app is not None:
        public, allocated = joined.public_addresses(app), joined.allocated_to(app)
    ways = [Finding(PUBLIC_ADDRESS, {"app": app, "addresses": list(public)})]
    if outcome == DIFFERENT_NETWORKS:
        # The network to name when the address is allocated is the one the requests come from.
        addresses = [str(each.address) for each in allocated if each.network_id == one.network_id]
        facts = {"app": app, **one.facts(), "addresses": addresses}
        ways.append(Finding(CROSS_NETWORK_ADDRESS, facts))
    ways.append(Finding(REPLAY, {"app": app}))
    return tuple(ways)
