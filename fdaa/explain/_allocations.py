"""Cross-network addresses in words: warnings, and what is unknown."""

from fdaa._checks import check_type
from fdaa._escapes import inline
from fdaa.networks import AllocationWarning, CheckedAllocation


def explain_allocation(checked: CheckedAllocation) -> list[str]:
    """Return the remarks about a cross-network address: a warning, and what is unknown."""
    check_type(checked, "checked", CheckedAllocation)
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
