"""What the facts about a target mean: whether anything answers, and which causes are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa.probe._facts import Cause, Conclusion, Finding, Outcome, Relation

if TYPE_CHECKING:
    from collections.abc import Container

    from fdaa.probe._facts import AnyAddress, Connection, LookUp, OwnAddress, Target

REPLIED = (Outcome.OPEN, Outcome.REFUSED, Outcome.RESET)  # the address itself did
# With one of these, that no connection is open does not mean that nothing answers.
_UNDECIDED = {Cause.NO_RESOLVER, Cause.NOT_TRIED, Cause.NO_OWN_ADDRESS, Cause.NO_PORT}


def conclude(
    target: Target,
    own: OwnAddress,
    look_up: LookUp | None,
    connections: list[Connection],
    replied: Container[AnyAddress],
) -> Conclusion:
    """Return what the facts about a target mean.

    Args:
        target: what was asked.
        own: this Machine's own address.
        look_up: that of the target's name.
        connections: those to its addresses.
        replied: the addresses that replied, on whatever port.
    """
    found: dict[Cause, list[AnyAddress]] = {}
    if look_up is not None and not look_up.peers:
        found = {cause: [] for cause in _causes_of_look_up(target, own, look_up)}
    for each in connections:
        for cause in _causes_of(each, each.peer.address in replied):
            found.setdefault(cause, []).append(each.peer.address)
    if target.with_brackets is not None:
        found[Cause.NO_BRACKETS] = []
    answers = None if _UNDECIDED.intersection(found) else False
    if any(each.outcome is Outcome.OPEN for each in connections):
        answers = True
    causes = tuple(Finding(kind, tuple(found[kind])) for kind in Cause if kind in found)
    return Conclusion(target, answers, causes)


def _causes_of_look_up(target: Target, own: OwnAddress, look_up: LookUp) -> list[Cause]:
    """Return why a look-up found no IPv6 address."""
    if look_up.ipv4:
        return [Cause.IPV4_ONLY]
    if look_up.outcome is not Outcome.NOT_FOUND:
        return [Cause.NO_RESOLVER]
    # Names of apps resolve on their own network only (specification, section 1).
    outside = own.address is None and target.app is not None
    return [Cause.NAME_NOT_FOUND, Cause.NO_OWN_ADDRESS] if outside else [Cause.NAME_NOT_FOUND]


_CERTAIN = {
    Outcome.OPEN: (),
    Outcome.REFUSED: (Cause.NOT_LISTENING,),
    Outcome.RESET: (Cause.RESET,),
    Outcome.FAILED: (Cause.NOT_TRIED,),
}


def _causes_of(connection: Connection, replied: bool) -> tuple[Cause, ...]:
    """Return the causes of one outcome that nothing else excludes.

    Args:
        connection: how it ended.
        replied: whether the address replied, on whatever port.
    """
    outcome, relation, target = connection.outcome, connection.peer.relation, connection.target
    if outcome in _CERTAIN:
        return _CERTAIN[outcome]
    isolated = relation is Relation.OTHER_NETWORK and not replied
    if outcome is Outcome.ROUTED and not isolated:
        return (Cause.NO_PORT,)
    if replied:  # so it is not the network, and the Machine exists
        return (Cause.FIREWALL,)
    if relation is Relation.UNKNOWN:
        return (Cause.NO_OWN_ADDRESS,)
    # An app's name has addresses of Machines that exist now; other texts may be out of date.
    allocated = () if target.app else (Cause.OWN_CROSS_NETWORK_ADDRESS,)
    if isolated:
        return (Cause.RESOLVED_ELSEWHERE if target.host else Cause.ISOLATED, *allocated)
    unreachable = Cause.NO_ROUTE if outcome is Outcome.NO_ROUTE else Cause.FIREWALL
    if relation is Relation.SAME_NETWORK and not target.app:
        return (Cause.MACHINE_GONE, unreachable, *allocated)
    return (unreachable,)
