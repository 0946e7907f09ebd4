"""What documents add to the conclusion of a probe: a verdict, and the order of its causes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa._address import Address
from fdaa.networks import Reason, find_holder, reach
from fdaa.probe import Cause

if TYPE_CHECKING:
    from fdaa.networks import NetworkMap, Verdict
    from fdaa.probe import Conclusion, Explanation

# Reason of a verdict -> the causes that are the likeliest then.
_LIKELIEST = {
    Reason.DIFFERENT_IDS: (Cause.NAME_OF_OTHER_NETWORK,),
    Reason.DIFFERENT_NAMES: (Cause.NAME_OF_OTHER_NETWORK,),
    Reason.NO_MACHINE: (Cause.NO_STARTED_MACHINE,),
    Reason.STALE: (Cause.STALE_ADDRESS, Cause.STALE_NAME),
    Reason.ASKED_FROM_OWN_NETWORK: (Cause.OWN_CROSS_NETWORK_ADDRESS,),
}


def add_documents(
    conclusion: Conclusion, own: Address | None, networks: NetworkMap
) -> tuple[Conclusion, list[Verdict]]:
    """Return a conclusion with its causes as the documents order them, and what `reach` returns.

    Args:
        conclusion: the conclusion.
        own: the address of this computer.
        networks: the documents and the book.
    """
    if own is None or conclusion.is_open:
        return conclusion, []
    verdicts: dict[str, Verdict] = {}
    explanations = []
    for explanation in conclusion.explanations:
        source = explanation.source
        if not isinstance(source, Address):
            source = own
        found = []
        for end in _ends(explanation, conclusion.target.app):
            verdict = reach(source, end, networks)
            found.append(verdict)
            verdicts.setdefault(str(end), verdict)
        explanations.append(_in_order(explanation, found, networks))
    return replace(conclusion, explanations=tuple(explanations)), list(verdicts.values())


def _ends(explanation: Explanation, app: str | None) -> list[Address | str]:
    """Return what `reach` is asked about: an address of each network, or else the app."""
    ends: dict[str, Address | str] = {}
    for address in explanation.addresses:
        if isinstance(address, Address):
            ends.setdefault(str(address.network_id), address)
    if not ends and app is not None:
        return [app]
    return list(ends.values())


def _in_order(
    explanation: Explanation, verdicts: list[Verdict], networks: NetworkMap
) -> Explanation:
    """Return an explanation whose causes are ordered by the documents.

    Where the network IDs of both ends differ, that stays first. Left out is only what documents
    exclude forever: an app stays on its network, and a Machine's address is not an app's.
    """
    likeliest = {Cause.OTHER_NETWORK}
    excluded = set()
    for verdict in verdicts:
        for reason in verdict.reasons:
            if isinstance(reason.kind, Reason):
                likeliest.update(_LIKELIEST.get(reason.kind, ()))
        if verdict.same_network:
            excluded.add(Cause.NAME_OF_OTHER_NETWORK)
    for address in explanation.addresses:
        if isinstance(address, Address):
            holder = find_holder(address, networks)
            if holder.holding == "machine":
                excluded.add(Cause.OWN_CROSS_NETWORK_ADDRESS)
    first = []
    others = []
    for cause in explanation.causes:
        if cause in likeliest:
            first.append(cause)
        elif cause not in excluded:
            others.append(cause)
    return replace(explanation, causes=(*first, *others))
