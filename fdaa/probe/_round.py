"""One round of a probe: own address, lookups and connections, all within one deadline."""

from collections.abc import Iterator
from functools import cache
from time import monotonic
from types import NoneType
from typing import TypeAlias

from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.lines import Evidence
from fdaa.probe._check import Check  # noqa: TC001 - an annotation of a variable
from fdaa.probe._conclusion import Checks, Conclusion, conclude
from fdaa.probe._connections import Attempts
from fdaa.probe._local_checks import check_connection, check_lookup
from fdaa.probe._lookups import Lookups
from fdaa.probe._observations import Connection, Lookup
from fdaa.probe._own_address import ThisComputer, read_this_computer
from fdaa.probe._system_files import hosts_lines
from fdaa.probe._target import Target

Step: TypeAlias = ThisComputer | Lookup | Connection | Conclusion

MAX_ADDRESSES = 64  # of one target that are tried

# A router reports an address that no one has after three seconds (RFC 4861, section 10).
TIMEOUT = 4.0


def probe(
    *targets: str | Target, timeout: float = TIMEOUT, own: ThisComputer | None = None
) -> Iterator[Step]:
    """Look names up and connect once to each address, all at once; yield each step when it ends.

    Yields the own address; each lookup and each connection when it ends, at the latest at the
    deadline; and a conclusion for each target. At most 64 addresses of a target are tried.

    Args:
        targets: `Target`s, or texts that `Target.parse` accepts.
        timeout: seconds, for all of it together.
        own: what `read_this_computer` returned; it is called if this is None.

    Raises:
        TargetError: a text is not a target.
        fdaa.ArgumentError: the timeout is below 0, or longer than an hour.
        TypeError: `own` is no ThisComputer.

    >>> *_, conclusion = probe("[::1]:1", timeout=5)
    >>> (observation,) = conclusion.observations
    >>> print(conclusion.is_open, observation.evidence)
    False refused
    """
    if not 0 <= timeout <= 3600:
        raise ArgumentError("timeout must be from 0 to 3600 seconds")
    check_type(own, "own", ThisComputer, NoneType)
    parsed = dict.fromkeys(map(_as_target, targets))
    if own is None:
        own = read_this_computer()
    return _steps(own, list(parsed), timeout)


def _as_target(target: str | Target) -> Target:
    if isinstance(target, Target):
        return target
    check_type(target, "each of targets", str, Target)
    return Target.parse(target)


def _steps(own: ThisComputer, targets: list[Target], timeout: float) -> Iterator[Step]:
    yield own
    lookups: list[Lookup] = []
    connections: list[Connection] = []
    for step in _seen(targets, monotonic() + timeout):
        yield step
        if isinstance(step, Lookup):
            lookups.append(step)
        else:
            connections.append(step)
    checks = _read_checks(lookups, connections)
    for target in targets:
        yield conclude(target, own, lookups, connections, checks)


def _read_checks(lookups: list[Lookup], connections: list[Connection]) -> Checks:
    """Read what this computer knows, now that each attempt has left its mark."""
    lines_of = cache(hosts_lines)  # the file may be large, and a name may have many addresses
    checks: dict[Lookup | Connection, tuple[Check, ...]] = {}
    for lookup in lookups:
        if not lookup.addresses:
            checks[lookup] = check_lookup(lookup, lines_of)
    for connection in connections:
        if connection.evidence is not Evidence.OPEN:
            checks[connection] = check_connection(connection, lines_of)
    return checks


def _seen(targets: list[Target], deadline: float) -> Iterator[Lookup | Connection]:
    """Yield lookups and connections when they end."""
    hosts = [target.host for target in targets if target.host is not None]
    with Lookups(hosts) as lookups, Attempts(deadline, lookups.wake) as attempts:
        for target in targets:
            if target.address is not None:
                attempts.start(target, target.address)
        while True:
            for lookup in lookups.take_ended():
                yield lookup
                for target in targets:
                    if target.host == lookup.host:
                        for address in lookup.addresses[:MAX_ADDRESSES]:
                            attempts.start(target, address)
            yield from attempts.take_ended()
            if monotonic() >= deadline or not (lookups or attempts):
                break
            attempts.wait()
        yield from lookups.take_timed_out()
        yield from attempts.end_all()
