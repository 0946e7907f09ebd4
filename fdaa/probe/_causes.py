"""Conclusions from the facts about a target: whether anything answers, and the possible causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa.address import Address
from fdaa.probe._steps import Cause, Conclusion, Connection, LookUp, Outcome, OwnAddress

if TYPE_CHECKING:
    from fdaa.probe._target import AnyAddress, Target

_REPLIES = (Outcome.OPEN, Outcome.REFUSED, Outcome.RESET)  # of the address itself
# With one of these, that no connection is open does not mean that nothing answers.
_UNDECIDED = {Cause.NO_RESOLVER, Cause.NOT_TRIED, Cause.NO_OWN_ADDRESS, Cause.NO_PORT}
_CERTAIN = {
    Outcome.OPEN: (),
    Outcome.REFUSED: (Cause.NOT_LISTENING,),
    Outcome.RESET: (Cause.RESET,),
    Outcome.FAILED: (Cause.NOT_TRIED,),
}


def conclude(target: Target, own: OwnAddress, facts: list[LookUp | Connection]) -> Conclusion:
    """Return the conclusion for one target from the facts about all of them."""
    connections = [fact for fact in facts if isinstance(fact, Connection)]
    replied = {made.address for made in connections if made.outcome in _REPLIES}
    made = tuple(connection for connection in connections if connection.target == target)
    causes: dict[Cause, tuple[AnyAddress, ...]] = {}
    look_up = next((f for f in facts if isinstance(f, LookUp) and f.host == target.host), None)
    if look_up is not None and not look_up.addresses:
        causes = dict.fromkeys(_causes_of_look_up(target, own, look_up), ())
    for connection in made:
        for cause in _causes_of(connection, own, connection.address in replied):
            causes[cause] = (*causes.get(cause, ()), connection.address)
    if target.with_brackets is not None:
        causes[Cause.NO_BRACKETS] = ()
    is_open = any(connection.outcome is Outcome.OPEN for connection in made)
    answers = is_open or (None if _UNDECIDED.intersection(causes) else False)
    in_order = {cause: causes[cause] for cause in Cause if cause in causes}
    return Conclusion(target, look_up, made, answers, in_order)


def _causes_of_look_up(target: Target, own: OwnAddress, look_up: LookUp) -> list[Cause]:
    """Return why a look-up found no IPv6 address."""
    if look_up.ipv4:
        return [Cause.IPV4_ONLY]
    if look_up.outcome is not Outcome.NOT_FOUND:
        return [Cause.NO_RESOLVER]
    # Names of apps resolve on their own network only (specification, section 1).
    outside = own.address is None and target.app is not None
    return [Cause.NAME_NOT_FOUND, Cause.NO_OWN_ADDRESS] if outside else [Cause.NAME_NOT_FOUND]


def _causes_of(connection: Connection, own: OwnAddress, replied: bool) -> tuple[Cause, ...]:
    """Return the causes of an outcome that no fact excludes.

    Args:
        connection: how it ended.
        own: this Machine's own address.
        replied: whether the address replied, on whatever port.
    """
    outcome, address, target = connection.outcome, connection.address, connection.target
    if outcome in _CERTAIN:
        return _CERTAIN[outcome]
    same_network = own.same_network(address)
    isolated = same_network is False and not replied
    if outcome is Outcome.ROUTED and not isolated:
        return (Cause.NO_PORT,)
    if replied:  # so it is not the network, and the Machine exists
        return (Cause.FIREWALL,)
    if own.address is None and isinstance(address, Address):
        return (Cause.NO_OWN_ADDRESS,)
    # An app's name has addresses of Machines that exist now; other texts may be out of date.
    allocated = () if target.app else (Cause.OWN_CROSS_NETWORK_ADDRESS,)
    if isolated:
        return (Cause.RESOLVED_ELSEWHERE if target.host else Cause.ISOLATED, *allocated)
    unreachable = Cause.NO_ROUTE if outcome is Outcome.NO_ROUTE else Cause.FIREWALL
    if same_network and not target.app:
        return (Cause.MACHINE_GONE, unreachable, *allocated)
    return (unreachable,)
