"""Does anything answer: own address, names, networks, one connection to each address.

    own address -> look-up of the name -> a connection to each address -> what it means

`probe` yields each of these when it is finished, as data. No byte is sent over a connection, and
only the given ports are tried.
"""

from fdaa.probe._round import probe
from fdaa.probe._steps import Cause, Conclusion, Connection, LookUp, Outcome, OwnAddress, Step
from fdaa.probe._target import Target, TargetError

__all__ = [
    "Cause",
    "Conclusion",
    "Connection",
    "LookUp",
    "Outcome",
    "OwnAddress",
    "Step",
    "Target",
    "TargetError",
    "probe",
]
