"""Holders of addresses, and cross-network addresses, as sentences."""

from fdaa._escapes import inline
from fdaa.explain._names import describe_apps
from fdaa.networks import AllocationWarning, CheckedAllocation, Holder


def explain_holder(holder: Holder) -> str | None:
    """Return the remark about how an address is held, or None where its row says all."""
    if holder.holding == "machine":
        if not holder.is_stopped:
            return None
        return f"{inline(holder.state)}: such a Machine does not respond (assumed)"
    when = ""
    if holder.learned_on is not None:
        when = f" on {inline(holder.learned_on[:10])}"
    had_it = ""
    if holder.app is not None:
        had_it = f"; {inline(holder.app)} had it when the book learned it{when}"
    words = {"looked_at": describe_apps(holder.looked_at), "when": when, "had_it": had_it}
    return _HOLDINGS[holder.holding].format_map(words)


_HOLDINGS = {
    "cross-network-address": "allocated to the app for clients on this network",
    "book": "the app had this address when the book learned it{when}",
    "stale": "stale: no Machine of {looked_at} has this address{had_it}",
    "contradiction": "unknown: the documents disagree; `fdaa networks` shows how",
    "service": "unknown: services of the platform are assumed to have network ID 0",
    "unknown": "unknown: not in any document or book",
}


def explain_allocation(checked: CheckedAllocation) -> list[str]:
    """Return the remarks about a cross-network address: a warning, and what is unknown."""
    app = inline(checked.allocated.app)
    remarks: list[str] = []
    if checked.warning is not None:
        remarks.append(_WARNINGS[checked.warning].format(app=app))
    if checked.allocated.app is None:
        remarks.append("unknown whether this is the app's own network; use --addresses APP=FILE")
    elif checked.own_network is None:
        unknown = f"unknown whether {app} itself is on this network"
        remarks.append(f"{unknown}; add --machines {app}=FILE")
    return remarks


_WARNINGS = {
    AllocationWarning.OWN_NETWORK: (
        "warning: {app} itself is on this network, from which the address does not work (assumed); "
        "allocate one for the network of the clients"
    ),
    AllocationWarning.NO_APP_ON_NETWORK: (
        "warning: no app in these documents is on this network (assumed); is the address for "
        "clients on the right one?"
    ),
    AllocationWarning.UNKNOWN_NETWORK: (
        "unknown network; add an app list (--apps) and a Machine list of an app on it (--machines)"
    ),
}
