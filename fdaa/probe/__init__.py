"""What can be seen of a target from here, and every cause that fits it.

    own address -> lookup of the name -> a connection to each address -> the causes that fit

`probe` yields each of these when it is finished, as data. What this computer itself knows (its
routes, interfaces and files) excludes causes, or makes them the first. No data is sent over a
connection, and only the given ports are tried. `_causes.py` is the table of evidence and causes.
"""

from fdaa._lazy import publish_on_first_use as _publish_on_first_use

# Each command reads the own address, and few of them probe.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from fdaa.probe._causes import Cause
    from fdaa.probe._checks import Check
    from fdaa.probe._circumstances import Circumstance
    from fdaa.probe._conclusion import Conclusion, Explanation
    from fdaa.probe._evidence import Connection, Evidence, Lookup
    from fdaa.probe._own_address import OwnAddress, read_own_address
    from fdaa.probe._round import Step, probe
    from fdaa.probe._target import AnyAddress, Target, TargetError

__all__ = [
    "AnyAddress",
    "Cause",
    "Check",
    "Circumstance",
    "Conclusion",
    "Connection",
    "Evidence",
    "Explanation",
    "Lookup",
    "OwnAddress",
    "Step",
    "Target",
    "TargetError",
    "probe",
    "read_own_address",
]

_MODULES = (
    "_causes",
    "_checks",
    "_circumstances",
    "_conclusion",
    "_evidence",
    "_round",
    "_target",
)

_publish_on_first_use(__name__, ("_own_address",), _MODULES)
