"""One round of a probe: own address, lookups and connections, all within one deadline."""

from collections.abc import Callable, Iterator
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from types import NoneType
from typing import TypeAlias

from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.lines import Phase
from fdaa.probe._attempts import connect, look_up
from fdaa.probe._facts import read_facts
from fdaa.probe._own_address import ThisComputer, read_this_computer
from fdaa.probe._seen import Conclusion, Connection, Lookup
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
    """Yield lookups and connections when they end; a lookup that does not end goes on."""
    ended: SimpleQueue[Lookup | Connection] = SimpleQueue()
    started = monotonic()
    waiting = list(dict.fromkeys(target.host for target in targets if target.host is not None))
    connecting = 0
    for host in waiting:
        if host not in _hanging:  # one of an earlier round is not started again
            _hanging.add(host)
            _start(
                ended, partial(_looked_up, host), Lookup(host, phase=Phase.HERE, error=_NO_THREAD)
            )
    for target in targets:
        if target.address is not None:
            connecting += 1
            _start(ended, partial(connect, target, target.address, deadline))
    while waiting or connecting:
        left = max(0.0, deadline - monotonic())
        try:  # a connection ends by itself at the deadline
            step = ended.get(timeout=left + _GRACE if connecting else left)
        except Empty:
            break
        yield step
        if isinstance(step, Connection):
            connecting -= 1
            continue
        waiting.remove(step.host)
        for target in targets:
            for address in step.addresses[:MAX_ADDRESSES] if target.host == step.host else ():
                connecting += 1
                _start(ended, partial(connect, target, address, deadline))
    for host in waiting:
        seconds = monotonic() - started
        yield Lookup(host, phase=Phase.LOOKUP, seconds=seconds, error="no response")


_GRACE = 1.0  # seconds
_NO_THREAD = "no memory or process for it"


_hanging: set[str] = set()  # the lookups that have not ended, of all rounds


def _looked_up(host: str) -> Lookup:
    try:
        return look_up(host)
    finally:
        _hanging.discard(host)


def _start(
    ended: SimpleQueue[Lookup | Connection],
    attempt: Callable[[], Lookup | Connection],
    without_thread: Lookup | None = None,
) -> None:
    """Try something in a thread. Where a limit forbids one, connect here; a lookup is given up."""

    def run() -> None:
        ended.put(attempt())

    try:
        Thread(target=run, daemon=True).start()
    except (RuntimeError, MemoryError):
        if without_thread is None:
            run()
        else:
            _hanging.discard(without_thread.host)
            ended.put(without_thread)
