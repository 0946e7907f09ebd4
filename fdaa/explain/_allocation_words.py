"""Cross-network addresses in words: warnings, and what is unknown."""

from dataclasses import replace

from fdaa._support.escapes import inline
from fdaa._values.checks import check_type
from fdaa.explain._missing import ADDRESS_LIST, APP_LIST, MACHINE_LIST, Remark
from fdaa.networks import AllocationWarning, CheckedAllocation


def explain_allocation(checked: CheckedAllocation) -> list[Remark]:
    """Return the remarks about a cross-network address: a warning, and what is unknown."""
    check_type(checked, "checked", CheckedAllocation)
    app = inline(checked.allocated.app)
    remarks: list[Remark] = []
    if checked.warning is AllocationWarning.UNKNOWN_NETWORK:
        remarks.append(Remark("unknown network", missing=(APP_LIST, MACHINE_LIST)))
    elif checked.warning is not None:
        remarks.append(Remark(_WARNINGS[checked.warning].format(app=app)))
    if checked.allocated.app is None:
        unknown = "unknown whether this is the app's own network"
        remarks.append(Remark(unknown, missing=(ADDRESS_LIST,)))
    elif checked.own_network is None:
        unknown = f"unknown whether {app} itself is on this network"
        machines = replace(MACHINE_LIST, app=checked.allocated.app)
        remarks.append(Remark(unknown, missing=(machines,)))
    return remarks


_WARNINGS = {
    AllocationWarning.OWN_NETWORK: (
        "warning: {app} itself is on this network, where the address does not work (assumed: not "
        "in the platform's specification); allocate one for the network of the clients"
    ),
    AllocationWarning.NO_APP_ON_NETWORK: (
        "warning: no app in these documents is on this network (assumed: they are complete); check "
        "which network its clients are on"
    ),
}
