"""One round of a probe: own address, lookups and connections, all within one deadline."""

from collections.abc import Iterator
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
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

# A router reports an address that no one has after three seconds (RFC 4861, section 10).
TIMEOUT = 4.0
_GRACE = 1.0  # seconds after the deadline, at which each connection ends by itself


def probe(*targets: str | Target, timeout: float = TIMEOUT) -> "Iterator[Step]":
    """Look names up and connect once to each address, all at once; yield each step when it ends.

    Yields the own address; each lookup and each connection when it ends, at the latest at the
    deadline; and a conclusion for each target.

    Args:
        targets: `Target`s, or texts that `Target.parse` accepts.
        timeout: seconds, for all of it together.

    Raises:
        fdaa.InputError: a text is not a target.
        fdaa.ArgumentError: the timeout is below 0, or longer than an hour.

    >>> *_, conclusion = probe("[::1]:1", timeout=5)
    >>> print(conclusion.is_open, *conclusion.phases)
    False refused
    """
    if not 0 <= timeout <= 3600:
        raise ArgumentError("timeout must be from 0 to 3600 seconds")
    parsed = dict.fromkeys(map(_as_target, targets))
    return _steps(list(parsed), timeout)


def _as_target(target: str | Target) -> Target:
    if isinstance(target, Target):
        return target
    check_type(target, "each of targets", str, Target)
    return Target.parse(target)


def _steps(targets: list[Target], timeout: float) -> Iterator[Step]:
    own = read_this_computer()
    yield own
    lookups: dict[str, Lookup] = {}
    connections: list[Connection] = []
    for step in _seen(targets, monotonic() + timeout):
        yield step
        if isinstance(step, Lookup):
            lookups[step.host] = step
        else:
            connections.append(step)
    for target in targets:  # now that each attempt has left its mark
        of_target = tuple(each for each in connections if each.target == target)
        conclusion = Conclusion(target, connections=of_target)
        if target.host is not None:
            conclusion = replace(conclusion, lookups=(lookups[target.host],))
        yield replace(conclusion, facts=read_facts(conclusion, own))


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
                for address in step.addresses:
                    start(connect, target, address, deadline)
                    connecting += 1
    for host in looked_up:
        seconds = monotonic() - started
        yield Lookup(host, seconds=seconds, error="no response")
