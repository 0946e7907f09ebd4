"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS, and from documents that show that nothing can
respond.

A yes is about networks: an address proves that it belongs to one, not that anything listens there.
All names are assumed to belong to one organization, because names are unique only within one.
"""

from dataclasses import replace
from typing import NamedTuple

from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import End
from fdaa.networks._allocated import Allocated, AllocatedRow, find_allocated
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._comparison import compare
from fdaa.networks._findings import (
    AllocatedFor,
    BrokenRules,
    ComparedNetworks,
    CrossNetworkWay,
    DisputedAddress,
    MaybeAllocated,
    NoAddressList,
    PlainWay,
    PublicAddressWay,
    Reason,
    ReasonFinding,
    SilentApp,
    SourceIsAllocated,
    UnclearEnd,
    Way,
    WayFinding,
)
from fdaa.networks._knowledge import Knowledge
from fdaa.networks._known_ends import KnownEnd
from fdaa.networks._model import Rule, assumed_by
from fdaa.networks._network_map import NetworkMap
from fdaa.networks._verdict import Outcome, Verdict


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
        networks: the joined documents and book, or None. The book is used for apps whose network is
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
    start = KnownEnd("source", networks)
    end = KnownEnd("target", networks)
    start.find(source)
    end.find(target)
    allocated = find_allocated(start, end)
    found = _judge(start, end, allocated)
    if end.silent is not None:
        found = _with_silence(found, end.silent, start, end)
    return Verdict(
        source=source,
        target=target,
        outcome=found.outcome,
        permitted=found.permitted,
        same_network=found.same_network,
        reasons=(*found.reasons, *_remarks(found, start, end)),
        ways=_ways(found.outcome, start, end, allocated),
        via=found.via,
        unless=found.unless,
    )


def _remarks(found: "_Judged", source: KnownEnd, target: KnownEnd) -> list[ReasonFinding]:
    """Return what is reported after the reasons of an outcome."""
    remarks: list[ReasonFinding] = []
    if found.outcome in _YES:
        remarks.extend(filter(None, (source.unlisted, target.unlisted)))
    remarks += source.remarks
    remarks += target.remarks
    ends = [source, target]
    if target.own is not None:
        ends.append(target.own)
    rules: set[Rule] = set()
    assumed: Assumed = ()
    for end in ends:
        rules |= end.rules
        assumed = together(assumed, end.rules_assumed)
    if rules and found.outcome is not Outcome.UNKNOWN:
        remarks.append(_contradiction(rules, assumed))
    return remarks


def _contradiction(rules: set[Rule], assumed: Assumed) -> BrokenRules:
    return BrokenRules(
        rules=tuple(sorted(rules)),
        assumptions=together(assumed, assumed_by(rules)),
    )


# --- the rules ------------------------------------------------------------------------------------

_MEMBERSHIP_ONLY = UnclearEnd(Reason.MEMBERSHIP_ONLY, end="target")
_YES = (Outcome.SAME_NETWORK, Outcome.CROSS_NETWORK_ADDRESS)
_NO = (Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS)  # whatever responds


class _Judged(NamedTuple):
    """What a rule makes of two ends.

    Args:
        outcome: the outcome.
        permitted: whether the configuration permits it; None where that is not known.
        same_network: whether they are on one network; None where that is not known.
        reasons: the reasons of the outcome.
        via: the cross-network addresses of an app or a network to use.
        unless: what may reverse a no.
    """

    outcome: Outcome
    permitted: bool | None
    same_network: bool | None
    reasons: tuple[ReasonFinding, ...]
    via: tuple[Address, ...] = ()
    unless: NoAddressList | DisputedAddress | None = None


def _judge(source: KnownEnd, target: KnownEnd, allocated: Allocated) -> _Judged:
    """Apply the rules in their order; the first that applies makes the outcome."""
    # An end whose network is not known, or on which documents disagree.
    unclear = [end.unclear for end in (source, target) if end.unclear is not None]
    if unclear:
        return _Judged(Outcome.UNKNOWN, None, None, tuple(unclear))
    # Requests go to a cross-network address, and none come from it.
    if source.own is not None:
        reason = SourceIsAllocated(app=source.app, network=source.network)
        return _Judged(Outcome.UNKNOWN, None, None, (reason,))
    if target.own is not None:
        return _judge_allocated(source, target, target.own)
    same, compared = _compare(source, target)
    if same is None:
        return _Judged(Outcome.UNKNOWN, None, None, (compared,))
    # One network: its members reach each other (specification, section 1).
    if same:
        permitted = None if target.unlisted is not None else _yes_from(source)
        judged = _Judged(Outcome.SAME_NETWORK, permitted, same, (compared, _MEMBERSHIP_ONLY))
    else:
        judged = _judge_apart(source, target, allocated, compared)
    # A cross-network address is on the network of its app, which may be any.
    if target.unlisted is not None:
        return judged._replace(same_network=None)
    return judged


def _yes_from(source: KnownEnd) -> bool | None:
    """Return what a yes permits to a source.

    An address in no document may be a cross-network address, from which no request comes.
    """
    if source.unlisted is not None:
        return None
    return True


def _judge_apart(
    source: KnownEnd, target: KnownEnd, allocated: Allocated, compared: ReasonFinding
) -> _Judged:
    """Judge two ends on different networks: is anything configured?"""
    # Cross-network addresses of the target are for clients on the source's network.
    if allocated.certain:
        return _judge_configured(source, target, allocated, compared)
    others = _judge_others(source, allocated, compared)
    if others is not None:
        return others
    # Different networks, and nothing is configured: no, as far as the lists are given.
    permitted = None if allocated.unless is not None else False
    return _Judged(
        Outcome.DIFFERENT_NETWORKS, permitted, False, (compared,), unless=allocated.unless
    )


def _judge_others(
    source: KnownEnd, allocated: Allocated, compared: ReasonFinding
) -> _Judged | None:
    """Judge cross-network addresses that may let the source in; None if there are none."""
    # They may be for clients on the source's network.
    if allocated.possible:
        missing = [
            MaybeAllocated(
                app=app,
                source=source.network,
                addresses=tuple(row.address for row in rows),
                assumptions=together(*(row.assumed for row in rows)),
            )
            for app, rows in _by_app(allocated.possible).items()
        ]
        return _Judged(Outcome.UNKNOWN, None, False, (*missing, compared))
    # They may be on the target's network.
    if allocated.elsewhere:
        apps = dict.fromkeys(row.app for row in allocated.elsewhere)
        unknown = [UnclearEnd(Reason.OWN_NETWORK_UNKNOWN, end="target", app=app) for app in apps]
        found = _allocated_for(source, allocated.elsewhere)
        return _Judged(Outcome.UNKNOWN, None, False, (*found, *unknown, compared))
    return None


def _judge_configured(
    source: KnownEnd, target: KnownEnd, allocated: Allocated, compared: ReasonFinding
) -> _Judged:
    """Judge a target that has cross-network addresses for the source's network."""
    permitted = _yes_from(source)
    rows = allocated.certain
    silent: dict[str | None, SilentApp] = {}
    if target.is_network:  # of an app, `_with_silence` judges it
        silent = _silent_apps(rows, target.knowledge)
    awake = [row for row in rows if row.app not in silent]
    if awake:
        configured = _allocated_for(source, awake)
        reasons = (*configured, compared, _MEMBERSHIP_ONLY)
        via = tuple(row.address for row in awake)
        return _Judged(Outcome.CROSS_NETWORK_ADDRESS, permitted, False, reasons, via)
    # Nothing responds at these addresses. Others may be of an app of the network, and for the
    # source's network.
    others = _judge_others(source, allocated, compared)
    if others is not None:
        return others._replace(permitted=permitted)
    configured = _allocated_for(source, rows)
    return _Judged(
        Outcome.NOTHING_RESPONDS,
        permitted,
        False,
        (*silent.values(), *configured, compared),
        unless=allocated.unless,
    )


def _silent_apps(rows: list[AllocatedRow], knowledge: Knowledge) -> dict[str | None, SilentApp]:
    """Return why nothing can respond at these apps, without those at which something may."""
    silent: dict[str | None, SilentApp] = {}
    for row in rows:
        if row.app is None:
            continue
        reason = knowledge.silence_of(row.app)
        if reason is not None:
            silent[row.app] = reason
    return silent


def _by_app(rows: list[AllocatedRow]) -> dict[str | None, list[AllocatedRow]]:
    of_app: dict[str | None, list[AllocatedRow]] = {}
    for row in rows:
        of_app.setdefault(row.app, []).append(row)
    return of_app


def _allocated_for(source: KnownEnd, rows: list[AllocatedRow]) -> list[AllocatedFor]:
    """Return, for each app, its addresses that serve the source's network."""
    return [
        AllocatedFor(
            Reason.ALLOCATED_FOR_SOURCE,
            app=app,
            source=source.network,
            serves=source.network,
            addresses=tuple(row.address for row in its),
            assumptions=together(*(row.assumed for row in its)),
        )
        for app, its in _by_app(rows).items()
    ]


def _judge_allocated(source: KnownEnd, target: KnownEnd, own: KnownEnd) -> _Judged:
    """Judge a cross-network address as the target: its ID is its clients'."""
    from_own = compare(source.placed, own.placed)
    served = compare(source.placed, target.placed)
    _, compared = _compare(source, target)
    reason = AllocatedFor(
        Reason.ALLOCATED_FOR_SOURCE,
        app=target.app,
        source=source.network,
        serves=target.network,
        assumptions=served.assumed,
    )
    # Asked from the app's own network: not through this address.
    if from_own.same:
        reason = replace(reason, kind=Reason.ASKED_FROM_OWN_NETWORK, assumptions=from_own.assumed)
        return _Judged(Outcome.OWN_CROSS_NETWORK_ADDRESS, False, True, (reason,))
    if served.same is None:
        return _Judged(Outcome.UNKNOWN, None, from_own.same, (compared,))
    # Asked from a network that the address is not for.
    if not served.same:
        reason = replace(reason, kind=Reason.ALLOCATED_FOR_ANOTHER)
        return _Judged(Outcome.DIFFERENT_NETWORKS, False, from_own.same, (reason, compared))
    # It could be the app's own network, from which it is not reachable.
    if from_own.same is None:
        unknown = UnclearEnd(Reason.OWN_NETWORK_UNKNOWN, end="target", app=target.app)
        return _Judged(Outcome.UNKNOWN, None, None, (reason, unknown))
    # It is another one: that rests on how the two were compared.
    reason = replace(reason, assumptions=together(reason.assumptions, from_own.assumed))
    reasons = (reason, _MEMBERSHIP_ONLY)
    return _Judged(Outcome.CROSS_NETWORK_ADDRESS, _yes_from(source), False, reasons)


def _with_silence(
    judged: _Judged, silent: ReasonFinding, source: KnownEnd, target: KnownEnd
) -> _Judged:
    """Add that nothing can respond at the target, which is the outcome unless that is no already.

    A no that a list may reverse is none yet. Where an end is not clear, the outcome stays unknown:
    a misspelled name gets no verdict. What the configuration permits stays, too, for when something
    is started.
    """
    is_unclear = source.unclear is not None or target.unclear is not None
    is_no = judged.outcome in _NO and judged.unless is None
    if is_unclear or is_no:
        return judged._replace(reasons=(*judged.reasons, silent))
    reasons: list[ReasonFinding] = [silent]
    reasons.extend(reason for reason in judged.reasons if reason is not _MEMBERSHIP_ONLY)
    return judged._replace(
        outcome=Outcome.NOTHING_RESPONDS,
        reasons=tuple(reasons),
        via=(),
        unless=None,
    )


def _compare(
    source: KnownEnd, target: KnownEnd
) -> tuple[bool | None, ComparedNetworks | BrokenRules]:
    """Return whether two ends are on one network, and the reason."""
    compared = compare(source.placed, target.placed)
    if compared.kind is None:
        return None, _not_comparable(source, target)
    found = ComparedNetworks(
        compared.kind,
        source=source.network,
        target=target.network,
        assumptions=compared.assumed,
    )
    return compared.same, found


def _not_comparable(source: KnownEnd, target: KnownEnd) -> ComparedNetworks | BrokenRules:
    rules = source.rules | target.rules
    if not rules:
        return ComparedNetworks(Reason.NOT_COMPARABLE, source=source.network, target=target.network)
    found = _contradiction(rules, together(source.rules_assumed, target.rules_assumed))
    return replace(found, source=source.network, target=target.network)


def _ways(
    outcome: Outcome, source: KnownEnd, target: KnownEnd, allocated: Allocated
) -> tuple[WayFinding, ...]:
    if outcome not in _NO:
        return ()
    app = target.app
    public = tuple(target.knowledge.facts.app(app).public)
    ways: list[WayFinding] = [PublicAddressWay(app=app, public=public)]
    # The network to name when an address is allocated is the one the requests come from.
    if outcome is Outcome.DIFFERENT_NETWORKS and allocated.of_app:
        existing = CrossNetworkWay(
            Way.EXISTING_CROSS_NETWORK_ADDRESS,
            app=app,
            addresses=tuple(row.address for row in allocated.of_app),
            network=source.network,
        )
        ways.append(existing)
    elif outcome is Outcome.DIFFERENT_NETWORKS:
        new = CrossNetworkWay(
            Way.CROSS_NETWORK_ADDRESS,
            app=app,
            apps=allocated.without_list,
            network=source.network,
        )
        ways.append(new)
    ways.append(PlainWay(Way.REPLAY, app=app))
    ways.append(PlainWay(Way.ADMINISTRATOR, app=app))
    return tuple(ways)
