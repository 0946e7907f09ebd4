"""What can be seen of a target from here.

Provisional: a minor release may change it (docs/api/index.md lists what is promised).

    own address -> lookup of the name -> a connection to each address -> facts of this computer

`probe` yields each of these when it is finished, as data: how far it got (`fdaa.lines.Phase`), and
what this computer itself knows. `fdaa.explain` has the sentences. No data is sent over a
connection, and only the given ports are tried.
"""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa.probe._fact_kinds import FactKind
    from fdaa.probe._own_address import ThisComputer
    from fdaa.probe._round import Step, probe
    from fdaa.probe._seen import Conclusion, Connection, LocalFact, Lookup, conclude_rounds
    from fdaa.probe._target import AnyAddress, Target

__all__ = [
    "AnyAddress",
    "Conclusion",
    "Connection",
    "FactKind",
    "LocalFact",
    "Lookup",
    "Step",
    "Target",
    "ThisComputer",
    "conclude_rounds",
    "probe",
]

_publish_on_first_use(
    __name__,
    "fdaa.probe._fact_kinds",
    "fdaa.probe._own_address",
    "fdaa.probe._target",
    "fdaa.probe._seen",
    "fdaa.probe._round",
)
