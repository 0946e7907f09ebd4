"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS, and from documents that show that nothing can
respond.

A yes is about networks: an address proves that it belongs to one, not that anything listens there.
All names are assumed to belong to one organization, because names are unique only within one.
"""

from dataclasses import replace
from typing import NamedTuple

from fdaa._address import Address
from fdaa._checks import check_type
from fdaa._ends import End
from fdaa.networks._allocated import Allocated, AllocatedRow, find_allocated
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._comparison import compare
from fdaa.networks._ends import KnownEnd
from fdaa.networks._knowledge import Knowledge
from fdaa.networks._model import Rule, assumed_by
from fdaa.networks._network_map import NetworkMap
from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way


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


def _remarks(found: "_Judged", source: KnownEnd, target: KnownEnd) -> list[Finding]:
    """Return what is reported after the reasons of an outcome."""
    remarks: list[Finding] = []
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


def _contradiction(rules: set[Rule], assumed: Assumed) -> Finding:
    return Finding(
        Reason.CONTRADICTION,
        rules=tuple(sorted(rules)),
        assumptions=together(assumed, assumed_by(rules)),
    )


# --- the rules ------------------------------------------------------------------------------------

_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY)
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
    reasons: tuple[Finding, ...]
    via: tuple[Address, ...] = ()
    unless: Finding | None = None


def _judge(source: KnownEnd, target: KnownEnd, allocated: Allocated) -> _Judged:
    """Apply the rules in their order; the first that applies makes the outcome."""
    # An end whose network is not known, or on which documents disagree.
    unclear = tuple(filter(None, (source.unclear, target.unclear)))
    if unclear:
        return _Judged(Outcome.UNKNOWN, None, None, unclear)
    # Requests go to a cross-network address, and none come from it.
    if source.own is not None:
        reason = Finding(
            Reason.SOURCE_IS_ALLOCATED,
            end="source",
            app=source.app,
            network=source.network,
        )
        return _Judged(Outcome.UNKNOWN, None, None, (reason,))
    if target.own is not None:
        return _judge_allocated(source, target, target.own)
    same, compared = _compare(source, target)
    if same is None:
        return _Judged(Outcome.UNKNOWN, None, None, (compared,))
    # One network: its members reach each other (specification, section 1).
    if same:
        permitted = _yes_from(source)
        if target.unlisted is not None:
            permitted = None
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
    source: KnownEnd, target: KnownEnd, allocated: Allocated, compared: Finding
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


def _judge_others(source: KnownEnd, allocated: Allocated, compared: Finding) -> _Judged | None:
    """Judge cross-network addresses that may let the source in; None if there are none."""
    # They may be for clients on the source's network.
    if allocated.possible:
        missing = _by_app(Reason.SOURCE_ID_UNKNOWN, source, allocated.possible)
        return _Judged(Outcome.UNKNOWN, None, False, (*missing, compared))
    # They may be on the target's network.
    if allocated.elsewhere:
        apps = dict.fromkeys(row.app for row in allocated.elsewhere)
        unknown = [Finding(Reason.OWN_NETWORK_UNKNOWN, app=app) for app in apps]
        reasons = (*_by_app(Reason.ALLOCATED_FOR_SOURCE, source, allocated.elsewhere), *unknown)
        return _Judged(Outcome.UNKNOWN, None, False, (*reasons, compared))
    return None


def _judge_configured(
    source: KnownEnd, target: KnownEnd, allocated: Allocated, compared: Finding
) -> _Judged:
    """Judge a target that has cross-network addresses for the source's network."""
    permitted = _yes_from(source)
    rows = allocated.certain
    silent: dict[str | None, Finding] = {}
    if target.is_network:  # of an app, `_with_silence` judges it
        silent = _silent_apps(rows, target.knowledge)
    awake = [row for row in rows if row.app not in silent]
    if awake:
        configured = _by_app(Reason.ALLOCATED_FOR_SOURCE, source, awake)
        reasons = (*configured, compared, _MEMBERSHIP_ONLY)
        via = tuple(row.address for row in awake)
        return _Judged(Outcome.CROSS_NETWORK_ADDRESS, permitted, False, reasons, via)
    # Nothing responds at these addresses. Others may be of an app of the network, and for the
    # source's network.
    others = _judge_others(source, allocated, compared)
    if others is not None:
        return others._replace(permitted=permitted)
    configured = _by_app(Reason.ALLOCATED_FOR_SOURCE, source, rows)
    return _Judged(
        Outcome.NOTHING_RESPONDS,
        permitted,
        False,
        (*silent.values(), *configured, compared),
        unless=allocated.unless,
    )


def _silent_apps(rows: list[AllocatedRow], knowledge: Knowledge) -> dict[str | None, Finding]:
    """Return why nothing can respond at these apps, without those at which something may."""
    silent: dict[str | None, Finding] = {}
    for row in rows:
        if row.app is None:
            continue
        reason = knowledge.silence_of(row.app)
        if reason is not None:
            silent[row.app] = replace(reason, end="target")
    return silent


def _by_app(kind: Reason, source: KnownEnd, rows: list[AllocatedRow]) -> list[Finding]:
    """Return a finding for the cross-network addresses of each app."""
    of_app: dict[str | None, list[AllocatedRow]] = {}
    for row in rows:
        of_app.setdefault(row.app, []).append(row)
    found = []
    for app, its in of_app.items():
        finding = Finding(
            kind,
            app=app,
            source=source.network,
            addresses=tuple(row.address for row in its),
            assumptions=together(*(row.assumed for row in its)),
        )
        if kind is Reason.ALLOCATED_FOR_SOURCE:
            finding = replace(finding, serves=source.network)
        found.append(finding)
    return found


def _judge_allocated(source: KnownEnd, target: KnownEnd, own: KnownEnd) -> _Judged:
    """Judge a cross-network address as the target: its ID is its clients'."""
    from_own = compare(source.placed, own.placed)
    served = compare(source.placed, target.placed)
    _, compared = _compare(source, target)
    # Asked from the app's own network: not through this address.
    if from_own.same:
        kind = Reason.ASKED_FROM_OWN_NETWORK
        reason = _about_allocation(kind, source, target, from_own.assumed)
        return _Judged(Outcome.OWN_CROSS_NETWORK_ADDRESS, False, True, (reason,))
    if served.same is None:
        return _Judged(Outcome.UNKNOWN, None, from_own.same, (compared,))
    # Asked from a network that the address is not for.
    if not served.same:
        kind = Reason.ALLOCATED_FOR_ANOTHER
        reason = _about_allocation(kind, source, target, served.assumed)
        return _Judged(Outcome.DIFFERENT_NETWORKS, False, from_own.same, (reason, compared))
    reason = _about_allocation(Reason.ALLOCATED_FOR_SOURCE, source, target, served.assumed)
    # It could be the app's own network, from which it is not reachable.
    if from_own.same is None:
        unknown = Finding(Reason.OWN_NETWORK_UNKNOWN, app=target.app)
        return _Judged(Outcome.UNKNOWN, None, None, (reason, unknown))
    # It is another one: that rests on how the two were compared.
    reason = replace(reason, assumptions=together(reason.assumptions, from_own.assumed))
    reasons = (reason, _MEMBERSHIP_ONLY)
    return _Judged(Outcome.CROSS_NETWORK_ADDRESS, _yes_from(source), False, reasons)


def _with_silence(judged: _Judged, silent: Finding, source: KnownEnd, target: KnownEnd) -> _Judged:
    """Add that nothing can respond at the target, which is the outcome unless that is no already.

    A no that a list may reverse is none yet. Where an end is not clear, the outcome stays unknown:
    a misspelled name gets no verdict. What the configuration permits stays, too, for when something
    is started.
    """
    is_unclear = source.unclear is not None or target.unclear is not None
    is_no = judged.outcome in _NO and judged.unless is None
    if is_unclear or is_no:
        return judged._replace(reasons=(*judged.reasons, silent))
    reasons = [silent]
    reasons.extend(reason for reason in judged.reasons if reason is not _MEMBERSHIP_ONLY)
    return judged._replace(
        outcome=Outcome.NOTHING_RESPONDS,
        reasons=tuple(reasons),
        via=(),
        unless=None,
    )


def _about_allocation(
    kind: Reason, source: KnownEnd, target: KnownEnd, assumed: Assumed
) -> Finding:
    return Finding(
        kind,
        app=target.app,
        source=source.network,
        serves=target.network,
        assumptions=assumed,
    )


def _compare(source: KnownEnd, target: KnownEnd) -> tuple[bool | None, Finding]:
    """Return whether two ends are on one network, and the reason."""
    compared = compare(source.placed, target.placed)
    if compared.same is None:
        return None, _not_comparable(source, target)
    if compared.is_by_id:
        kind = Reason.SAME_ID if compared.same else Reason.DIFFERENT_IDS
    else:
        kind = Reason.SAME_NAME if compared.same else Reason.DIFFERENT_NAMES
    found = Finding(
        kind, source=source.network, target=target.network, assumptions=compared.assumed
    )
    return compared.same, found


def _not_comparable(source: KnownEnd, target: KnownEnd) -> Finding:
    rules = source.rules | target.rules
    if not rules:
        return Finding(Reason.NOT_COMPARABLE, source=source.network, target=target.network)
    found = _contradiction(rules, together(source.rules_assumed, target.rules_assumed))
    return replace(found, source=source.network, target=target.network)


def _ways(
    outcome: Outcome, source: KnownEnd, target: KnownEnd, allocated: Allocated
) -> tuple[Finding, ...]:
    if outcome not in _NO:
        return ()
    app = target.app
    public = tuple(target.knowledge.facts.app(app).public)
    ways = [Finding(Way.PUBLIC_ADDRESS, app=app, public=public)]
    if outcome is Outcome.DIFFERENT_NETWORKS:
        # The network to name when an address is allocated is the one the requests come from.
        way = Finding(
            Way.CROSS_NETWORK_ADDRESS,
            app=app,
            network=source.network,
            apps=allocated.without_list,
        )
        if allocated.of_app:
            way = Finding(
                Way.EXISTING_CROSS_NETWORK_ADDRESS,
                app=app,
                network=source.network,
                addresses=tuple(row.address for row in allocated.of_app),
            )
        ways.append(way)
    ways.append(Finding(Way.REPLAY, app=app))
    ways.append(Finding(Way.ADMINISTRATOR, app=app))
    return tuple(ways)
