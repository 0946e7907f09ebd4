"""Can A reach B over the private network, by which rule, and what are the ways around?

`_judge` has the rules, in their order: the first one that applies makes the outcome. *No* comes
from DIFFERENT_NETWORKS and OWN_CROSS_NETWORK_ADDRESS, and from documents that show that nothing can
respond.

A yes is about networks: an address proves that it belongs to one, not that anything listens there.
All names are assumed to belong to one organization, because names are unique only within one.
"""

from typing import NamedTuple

from fdaa._address import Address
from fdaa._checks import check_type
from fdaa.networks._end_values import End
from fdaa.networks._ends import KnownEnd
from fdaa.networks._network_map import NetworkMap
from fdaa.networks._verdict import Finding, KnownNetwork, Outcome, Reason, Verdict, Way


def reach(source: End, target: End, networks: NetworkMap | None = None) -> Verdict:
    """Return whether the source can reach the target over the private network, and why.

    A source or target is a value that `parse_end` returns: an `Address`, a network by its
    `NetworkID` or `NetworkName`, an `App`, or a `Host`. An app is all of its addresses: its
    Machines' own, and those allocated to it for cross-network access.

    An address that is not in any document is treated as a Machine's. More documents do not change
    yes to no, or no to yes, unless the map reports a contradiction, or they show an address that is
    allocated to the target's app for the source's network, or that nothing can respond: the
    target's app has no Machine, its address is stale, or its Machines are not started. Membership
    stays in `same_network`.

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
    """
    if networks is None:
        networks = NetworkMap()
    check_type(networks, "networks", NetworkMap)
    start = KnownEnd("source", networks)
    end = KnownEnd("target", networks)
    start.find(source)
    end.find(target)
    allocated = _allocated_for(start, end)
    found = _judge(start, end, allocated)
    if end.silent is not None:
        found = _with_silence(found, end.silent, start, end)
    reasons = (*found.reasons, *start.remarks, *end.remarks)
    rules = start.rules | end.rules
    if end.own is not None:
        rules |= end.own.rules
    if rules and found.outcome is not Outcome.UNKNOWN:
        reasons = (*reasons, Finding(Reason.CONTRADICTION, rules=tuple(sorted(rules))))
    via: tuple[Address, ...] = ()
    if found.outcome is Outcome.CROSS_NETWORK_ADDRESS and end.is_app:
        via = allocated.certain
    ways = _ways(found.outcome, start, end, allocated)
    return Verdict(source, target, found.outcome, found.same_network, reasons, ways, via)


# --- the rules ------------------------------------------------------------------------------------

_MEMBERSHIP_ONLY = Finding(Reason.MEMBERSHIP_ONLY)
_NO = (Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS)  # whatever responds


class _Judged(NamedTuple):
    """What a rule makes of two ends.

    Args:
        outcome: the outcome.
        same_network: whether they are on one network; None where that is not known.
        reasons: the reasons of the outcome.
    """

    outcome: Outcome
    same_network: bool | None
    reasons: tuple[Finding, ...]


class _Allocated(NamedTuple):
    """The cross-network addresses of the target's app.

    Args:
        certain: those for the source's network.
        possible: those for which that is not known.
    """

    certain: tuple[Address, ...]
    possible: tuple[Address, ...]


def _judge(source: KnownEnd, target: KnownEnd, allocated: _Allocated) -> _Judged:
    """Apply the rules in their order; the first that applies makes the outcome."""
    # An end whose network is not known, or on which documents disagree.
    unclear = tuple(filter(None, (source.unclear, target.unclear)))
    if unclear:
        return _Judged(Outcome.UNKNOWN, None, unclear)
    # Requests go to a cross-network address, and none come from it.
    if source.own is not None:
        reason = Finding(
            Reason.SOURCE_IS_ALLOCATED,
            end="source",
            app=source.app,
            network=source.network,
        )
        return _Judged(Outcome.UNKNOWN, None, (reason,))
    if target.own is not None:
        return _judge_allocated(source, target, target.own)
    same, compared = _compare(source, target)
    if same is None:
        return _Judged(Outcome.UNKNOWN, None, (compared,))
    # One network: its members reach each other (specification, section 1).
    if same:
        return _Judged(Outcome.SAME_NETWORK, same, (compared, _MEMBERSHIP_ONLY))
    if target.is_app and (allocated.certain or allocated.possible):
        return _judge_app(source, target, allocated, compared)
    # Different networks, and nothing is configured: no.
    return _Judged(Outcome.DIFFERENT_NETWORKS, same, (compared, _MEMBERSHIP_ONLY))


def _judge_app(
    source: KnownEnd, target: KnownEnd, allocated: _Allocated, compared: Finding
) -> _Judged:
    """Judge an app on another network that has cross-network addresses."""
    # An address of the app is for clients on the source's network.
    if allocated.certain:
        configured = Finding(
            Reason.ALLOCATED_FOR_SOURCE,
            app=target.app,
            source=source.network,
            serves=source.network,
            addresses=allocated.certain,
        )
        reasons = (configured, compared, _MEMBERSHIP_ONLY)
        return _Judged(Outcome.CROSS_NETWORK_ADDRESS, False, reasons)
    # An address of the app may be for the source's.
    missing = Finding(
        Reason.SOURCE_ID_UNKNOWN,
        app=target.app,
        source=source.network,
        addresses=allocated.possible,
    )
    return _Judged(Outcome.UNKNOWN, False, (missing, compared))


def _judge_allocated(source: KnownEnd, target: KnownEnd, own: KnownEnd) -> _Judged:
    """Judge a cross-network address as the target: its ID is its clients'."""
    from_own, _ = _compare(source, own)
    same, compared = _compare(source, target)
    # Asked from the app's own network: not through this address.
    if from_own:
        reason = _about_allocation(Reason.ASKED_FROM_OWN_NETWORK, source, target)
        return _Judged(Outcome.OWN_CROSS_NETWORK_ADDRESS, from_own, (reason,))
    if same is None:
        return _Judged(Outcome.UNKNOWN, from_own, (compared,))
    # Asked from a network that the address is not for.
    if not same:
        reason = _about_allocation(Reason.ALLOCATED_FOR_ANOTHER, source, target)
        return _Judged(Outcome.DIFFERENT_NETWORKS, from_own, (reason, compared))
    reason = _about_allocation(Reason.ALLOCATED_FOR_SOURCE, source, target)
    # It could be the app's own network, from which it is not reachable.
    if from_own is None:
        unknown = Finding(Reason.OWN_NETWORK_UNKNOWN, app=target.app)
        return _Judged(Outcome.UNKNOWN, None, (reason, unknown))
    return _Judged(Outcome.CROSS_NETWORK_ADDRESS, from_own, (reason, _MEMBERSHIP_ONLY))


def _with_silence(judged: _Judged, silent: Finding, source: KnownEnd, target: KnownEnd) -> _Judged:
    """Add that nothing can respond at the target, which is the outcome unless that is no already.

    Where an end is not clear, the outcome stays unknown: a misspelled name gets no verdict.
    """
    is_unclear = source.unclear is not None or target.unclear is not None
    if is_unclear or judged.outcome in _NO:
        return judged._replace(reasons=(*judged.reasons, silent))
    reasons = [silent]
    reasons.extend(reason for reason in judged.reasons if reason is not _MEMBERSHIP_ONLY)
    return _Judged(Outcome.NOTHING_RESPONDS, judged.same_network, tuple(reasons))


def _about_allocation(kind: Reason, source: KnownEnd, target: KnownEnd) -> Finding:
    return Finding(
        kind,
        app=target.app,
        source=source.network,
        serves=target.network,
    )


def _same_network(source: KnownNetwork, target: KnownNetwork) -> bool | None:
    """Return whether two networks are one, by their IDs, else by their names; None if not known.

    The ID is in the address itself (specification, 2.3), whatever name documents have for it.
    """
    if source.network_id is not None and target.network_id is not None:
        return source.network_id == target.network_id
    if source.name is not None and target.name is not None:
        return source.name == target.name
    return None


def _compare(source: KnownEnd, target: KnownEnd) -> tuple[bool | None, Finding]:
    """Return whether two ends are on one network, and the reason."""
    same = _same_network(source.network, target.network)
    if same is None:
        return None, _not_comparable(source, target)
    has_ids = source.network_id is not None and target.network_id is not None
    if has_ids:
        kind = Reason.SAME_ID if same else Reason.DIFFERENT_IDS
    else:
        kind = Reason.SAME_NAME if same else Reason.DIFFERENT_NAMES
    is_listed = not has_ids and source.has_listed_name and target.has_listed_name
    found = Finding(kind, source=source.network, target=target.network, is_listed=is_listed)
    return same, found


def _not_comparable(source: KnownEnd, target: KnownEnd) -> Finding:
    rules = source.rules | target.rules
    if not rules:
        return Finding(Reason.NOT_COMPARABLE, source=source.network, target=target.network)
    return Finding(
        Reason.CONTRADICTION,
        source=source.network,
        target=target.network,
        rules=tuple(sorted(rules)),
    )


def _allocated_for(source: KnownEnd, target: KnownEnd) -> _Allocated:
    networks = target.networks
    from_network = source.network
    certain = []
    possible = []
    for row in networks._allocated_to(target.app):
        name = None
        clients = networks.by_id(row.network_id)
        if clients is not None:
            name = clients.name
        served = KnownNetwork(name, row.network_id)
        same = _same_network(from_network, served)
        if same:
            certain.append(row.address)
        elif same is None:
            possible.append(row.address)
    return _Allocated(tuple(certain), tuple(possible))


def _ways(
    outcome: Outcome, source: KnownEnd, target: KnownEnd, allocated: _Allocated
) -> tuple[Finding, ...]:
    if outcome not in _NO:
        return ()
    app = target.app
    public = target.networks._public_addresses_of(app)
    ways = [Finding(Way.PUBLIC_ADDRESS, app=app, public=public)]
    if outcome is Outcome.DIFFERENT_NETWORKS:
        # The network to name when an address is allocated is the one the requests come from.
        way = Finding(Way.CROSS_NETWORK_ADDRESS, app=app, network=source.network)
        if allocated.certain:
            way = Finding(
                Way.EXISTING_CROSS_NETWORK_ADDRESS,
                app=app,
                network=source.network,
                addresses=allocated.certain,
            )
        ways.append(way)
    ways.append(Finding(Way.REPLAY, app=app))
    ways.append(Finding(Way.ADMINISTRATOR, app=app))
    return tuple(ways)
