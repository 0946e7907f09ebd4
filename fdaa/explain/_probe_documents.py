"""What documents add to evidence: verdicts, and the order of its causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._values.address import Address
from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import supported_causes
from fdaa.networks import App, Holding, Reason, find_holder, reach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.lines import Circumstance
    from fdaa.networks import NetworkMap, Verdict, Way
    from fdaa.probe import Observation

# Reason of a verdict -> the causes that are the likeliest then, the first of all first.
_LIKELIEST = {
    Reason.ASKED_FROM_OWN_NETWORK: (Cause.OWN_CROSS_NETWORK_ADDRESS,),
    Reason.DIFFERENT_IDS: (Cause.OTHER_NETWORK, Cause.NAME_OF_OTHER_NETWORK),
    Reason.DIFFERENT_NAMES: (Cause.OTHER_NETWORK, Cause.NAME_OF_OTHER_NETWORK),
    Reason.NO_MACHINE: (Cause.NO_STARTED_MACHINE,),
    Reason.NO_STARTED_MACHINE: (Cause.NO_STARTED_MACHINE,),
    Reason.STOPPED: (Cause.MACHINE_DOWN,),
    Reason.STALE: (Cause.STALE_ADDRESS, Cause.REFUSED_BY_HOST, Cause.STALE_NAME),
}


def causes_by_documents(
    causes: tuple[Cause, ...],
    verdicts: list[Verdict],
    networks: NetworkMap | None,
    *,
    addresses: tuple[object, ...],
    checked: frozenset[Circumstance] = frozenset(),
) -> tuple[Cause, ...]:
    """Return the causes of what was seen, in the order that documents give them.

    What was read on this computer is newer than documents, so it stays first. Left out is what
    documents exclude: an app stays on its network, an address that a Machine has is not stale and
    not an app's, and a cross-network address is no address of a Machine that is gone.

    Args:
        causes: those that fit it.
        verdicts: what `reach` returns for it.
        networks: the documents and the book; None if there are none.
        addresses: the addresses where it was seen.
        checked: what was read on this computer.
    """
    kinds: set[Reason | Way] = set()
    for verdict in verdicts:
        kinds.update(reason.kind for reason in verdict.reasons if reason.end != "source")
    likeliest: list[Cause] = []
    if Cause.NO_BRACKETS in causes[:1]:  # the target is another one than was meant
        likeliest.append(Cause.NO_BRACKETS)
    likeliest.extend(supported_causes(causes, checked))
    for reason, fitting in _LIKELIEST.items():
        if reason in kinds:
            likeliest.extend(fitting)
    excluded: set[Cause] = set()
    for verdict in verdicts:
        if verdict.same_network or verdict.outcome == "same-network":
            excluded.update((Cause.NAME_OF_OTHER_NETWORK, Cause.SOURCE_ON_OTHER_NETWORK))
    if addresses and networks is not None:
        excluded.update(_excluded_by_holders(addresses, networks))
    ordered = [cause for cause in likeliest if cause in causes]
    ordered.extend(causes)
    return tuple(cause for cause in dict.fromkeys(ordered) if cause not in excluded)


def verdicts_of(
    observation: Observation, app: str | None, own: Address, networks: NetworkMap
) -> list[Verdict]:
    """Return what `reach` returns for the ends of an observation: one for each network.

    Args:
        observation: what was seen.
        app: the app of the target, if it has one.
        own: the address of this computer.
        networks: the documents and the book.
    """
    source = observation.source if isinstance(observation.source, Address) else own
    return [reach(source, end, networks) for end in _ends(observation, app)]


def _ends(observation: Observation, app: str | None) -> list[Address | App]:
    """Return what `reach` is asked about: an address of each network, or else the app."""
    ends: dict[str, Address | App] = {}
    for address in observation.addresses:
        if isinstance(address, Address):
            ends.setdefault(str(address.network_id), address)
    if not ends and app is not None:
        return [App(app)]
    return list(ends.values())


def started_machines(app: str, networks: NetworkMap) -> int:
    """Return how many Machines of an app are started and have an address, by documents."""
    started = 0
    for address in networks.addresses_of(app):
        holder = find_holder(address, networks)
        if holder.holding is not Holding.MACHINE or holder.state is None:
            continue
        if not holder.is_stopped:
            started += 1
    return started


def _excluded_by_holders(addresses: Iterable[object], networks: NetworkMap) -> frozenset[Cause]:
    """Return the causes that documents exclude, as they list each of the addresses."""
    holdings = set()
    for address in addresses:
        if not isinstance(address, Address):
            return frozenset()
        holdings.add(find_holder(address, networks).holding)
    if holdings == {Holding.MACHINE}:
        return _NOT_OF_A_MACHINE
    if holdings <= {Holding.MACHINE, Holding.CROSS_NETWORK_ADDRESS}:
        return _NOT_STALE
    return frozenset()


_NOT_STALE = frozenset((Cause.REFUSED_BY_HOST, Cause.STALE_ADDRESS, Cause.STALE_NAME))
_NOT_OF_A_MACHINE = _NOT_STALE | {Cause.OWN_CROSS_NETWORK_ADDRESS}
