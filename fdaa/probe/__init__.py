"""What can be seen of a target from here.

Provisional: a minor release may change it (docs/api/index.md has what is promised).

    own address -> lookup of the name -> a connection to each address -> whether the port is open

`probe` yields each of these when it is finished, as data; `fdaa.explain` has the causes that fit.
What this computer itself knows (its routes, interfaces and files) is read, too. No data is sent
over a connection, and only the given ports are tried.
"""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa.probe._check import Check
    from fdaa.probe._conclusion import Conclusion, Observation, conclude_rounds
    from fdaa.probe._observations import Connection, Lookup
    from fdaa.probe._own_address import ThisComputer
    from fdaa.probe._round import Step, probe
    from fdaa.probe._target import AnyAddress, Target

__all__ = [
    "AnyAddress",
    "Check",
    "Conclusion",
    "Connection",
    "Lookup",
    "Observation",
    "Step",
    "Target",
    "ThisComputer",
    "conclude_rounds",
    "probe",
]

_publish_on_first_use(
    __name__,
    "fdaa.probe._own_address",
    "fdaa.probe._target",
    "fdaa.probe._check",
    "fdaa.probe._observations",
    "fdaa.probe._conclusion",
    "fdaa.probe._round",
)
