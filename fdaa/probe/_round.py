"""One round of a probe: own address, lookups and connections, all within one deadline."""

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from types import NoneType
from typing import Any, TypeAlias

from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.probe._connections import connect
from fdaa.probe._facts import read_facts
from fdaa.probe._lookups import look_up
from fdaa.probe._own_address import ThisComputer, read_this_computer
from fdaa.probe._seen import Conclusion, Connection, Lookup
from fdaa.probe._target import Target

Step: TypeAlias = ThisComputer | Lookup | Connection | Conclusion

MAX_ADDRESSES = 64  # of one target that are tried

# A router reports an address that no one has after three seconds (RFC 4861, section 10).
TIMEOUT = 4.0
_GRACE = 1.0  # seconds after the deadline, at which each connection ends by itself


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
    >>> print(conclusion.is_open, *conclusion.phases)
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
    seen: list[Lookup | Connection] = []
    for step in _seen(targets, monotonic() + timeout):
        yield step
        seen.append(step)
    for target in targets:  # now that each attempt has left its mark
        lookup = None
        made: list[Connection] = []
        for step in seen:
            if isinstance(step, Connection) and step.target == target:
                made.append(step)
            elif isinstance(step, Lookup) and step.host == target.host:
                lookup = step
        facts = read_facts(target, own, lookup, made)
        yield Conclusion(target, lookup=lookup, connections=tuple(made), facts=facts)


def _seen(targets: list[Target], deadline: float) -> Iterator[Lookup | Connection]:
    """Yield lookups and connections when they end; each runs in a thread.

    The system's resolver has no timeout: a lookup that has not ended at the deadline goes on, in a
    thread that does not keep this process from ending.
    """
    ended: SimpleQueue[Lookup | Connection] = SimpleQueue()

    def start(attempt: Any, *arguments: object) -> None:
        def run() -> None:
            ended.put(attempt(*arguments))

        Thread(target=run, daemon=True).start()

    started = monotonic()
    looked_up = list(dict.fromkeys(target.host for target in targets if target.host is not None))
    for host in looked_up:
        start(look_up, host)
    connecting = 0
    for target in targets:
        if target.address is not None:
            start(connect, target, target.address, deadline)
            connecting += 1
    while looked_up or connecting:
        patience = max(0.0, deadline - monotonic())
        if connecting:
            patience += _GRACE
        try:
            step = ended.get(timeout=patience)
        except Empty:
            break
        yield step
        if isinstance(step, Connection):
            connecting -= 1
            continue
        looked_up.remove(step.host)
        for target in targets:
            if target.host == step.host:
                for address in step.addresses[:MAX_ADDRESSES]:
                    start(connect, target, address, deadline)
                    connecting += 1
    for host in looked_up:
        seconds = monotonic() - started
        yield Lookup(host, seconds=seconds, error="no response")
