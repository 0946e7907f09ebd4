"""What documents add to the conclusion of a probe: verdicts, and the order of its causes."""

from dataclasses import replace
from ipaddress import IPv6Address

from fdaa._address import Address
from fdaa._checks import check_type
from fdaa.networks import App, NetworkMap, Reason, Verdict, Way, find_holder, reach
from fdaa.probe import Cause, Conclusion, Explanation

# Reason of a verdict -> the causes that are the likeliest then, the first of all first.
_LIKELIEST = {
    Reason.ASKED_FROM_OWN_NETWORK: (Cause.OWN_CROSS_NETWORK_ADDRESS,),
    Reason.DIFFERENT_IDS: (Cause.OTHER_NETWORK, Cause.NAME_OF_OTHER_NETWORK),
    Reason.DIFFERENT_NAMES: (Cause.OTHER_NETWORK, Cause.NAME_OF_OTHER_NETWORK),
    Reason.NO_MACHINE: (Cause.NO_STARTED_MACHINE,),
    Reason.NO_STARTED_MACHINE: (Cause.NO_STARTED_MACHINE,),
    Reason.STOPPED: (Cause.MACHINE_DOWN,),
    Reason.STALE: (Cause.STALE_ADDRESS, Cause.STALE_NAME),
}


def add_documents(
    conclusion: Conclusion, own: Address | None, networks: NetworkMap
) -> tuple[Conclusion, list[Verdict]]:
    """Return a conclusion with its causes as the documents order them, and what `reach` returns.

    Args:
        conclusion: the last step of a probe.
        own: the address of this computer; without it, nothing is added.
        networks: the documents and the book.
    """
    check_type(conclusion, "conclusion", Conclusion)
    check_type(networks, "networks", NetworkMap)
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


def _ends(explanation: Explanation, app: str | None) -> list[Address | App]:
    """Return what `reach` is asked about: an address of each network, or else the app."""
    ends: dict[str, Address | App] = {}
    for address in explanation.addresses:
        if isinstance(address, Address):
            ends.setdefault(str(address.network_id), address)
    if not ends and app is not None:
        return [App(app)]
    return list(ends.values())


def _in_order(
    explanation: Explanation, verdicts: list[Verdict], networks: NetworkMap
) -> Explanation:
    """Return an explanation whose causes are ordered by the documents.

    What was read on this computer is newer than documents, so it stays first. Left out is what
    documents exclude: an app stays on its network, and an address that a Machine has is not stale
    and not an app's.
    """
    kinds: set[Reason | Way] = set()
    for verdict in verdicts:
        kinds.update(reason.kind for reason in verdict.reasons if reason.end != "source")
    likeliest = list(explanation.supported)
    for reason, causes in _LIKELIEST.items():
        if reason in kinds:
            likeliest.extend(causes)
    excluded = set()
    for verdict in verdicts:
        if verdict.same_network:
            excluded.add(Cause.NAME_OF_OTHER_NETWORK)
    if explanation.addresses and all(
        _is_of_a_machine(address, networks) for address in explanation.addresses
    ):
        excluded.update(_NOT_OF_A_MACHINE)
    ordered = [cause for cause in likeliest if cause in explanation.causes]
    ordered.extend(cause for cause in explanation.causes if cause not in ordered)
    left = [cause for cause in dict.fromkeys(ordered) if cause not in excluded]
    return replace(explanation, causes=tuple(left))


def _is_of_a_machine(address: Address | IPv6Address, networks: NetworkMap) -> bool:
    """Return whether a document lists the address for a Machine."""
    if not isinstance(address, Address):
        return False
    return find_holder(address, networks).holding == "machine"


_NOT_OF_A_MACHINE = (Cause.OWN_CROSS_NETWORK_ADDRESS, Cause.STALE_ADDRESS, Cause.STALE_NAME)
