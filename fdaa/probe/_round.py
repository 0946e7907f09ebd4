"""One round of a probe: own address, look-ups and connections, all within one deadline."""

from __future__ import annotations

import errno
import queue
import socket
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from fdaa.address import Address
from fdaa.errors import OwnAddressNotSetError
from fdaa.membership import own_address
from fdaa.probe._causes import conclude
from fdaa.probe._steps import Connection, LookUp, Outcome, OwnAddress
from fdaa.probe._target import Target, any_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.probe._steps import Step
    from fdaa.probe._target import AnyAddress

MAX_ADDRESSES = 64  # of one target that are tried

_INTERFACES = Path("/proc/net/if_inet6")  # a line for each address: 32 hex digits, ..., the device
_DISCARD = 9  # the port of a datagram socket that only requests a route

# The last two: no IPv6 address to connect from; a router prohibits it.
_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL, errno.EACCES}
_NOT_FOUND = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


def probe(*targets: str, timeout: float = 3.0) -> Iterator[Step]:
    """Look names up and connect once to each address, all at once; yield each step when it ends.

    Yields the own address; each look-up and each connection when it ends, at the latest at the
    deadline; and a conclusion for each target. At most 64 addresses of a target are tried.

    Args:
        targets: texts that `Target.parse` accepts.
        timeout: seconds, for all of it together.

    Raises:
        TargetError: a text is not a target.
        AddressError: PLATFORM_PRIVATE_IP does not contain a private address.
        ValueError: the timeout is below 0, or longer than an hour.

    >>> *_, conclusion = probe("[::1]:1", timeout=5)
    >>> print(conclusion.answers, *conclusion.causes)
    False not-listening
    """
    if not 0 <= timeout <= 3600:
        raise ValueError("timeout must be from 0 to 3600 seconds")
    return _steps(_own_address(), [*dict.fromkeys(map(Target.parse, targets))], timeout)


def _own_address() -> OwnAddress:
    """Return this Machine's own address: PLATFORM_PRIVATE_IP, else that of an interface.

    Interfaces are read on Linux only.

    Raises:
        AddressError: the variable does not contain a private address.
    """
    with suppress(OwnAddressNotSetError):
        return OwnAddress(own_address())
    with suppress(OSError):
        for line in _INTERFACES.read_text("ascii").splitlines():
            digits, *_, interface = line.split()
            with suppress(ValueError):
                return OwnAddress(Address.from_bytes(bytes.fromhex(digits)), interface)
    return OwnAddress()


def _steps(own: OwnAddress, targets: list[Target], timeout: float) -> Iterator[Step]:
    yield own
    facts = []
    for fact in _facts(targets, timeout):
        yield fact
        facts.append(fact)
    yield from (conclude(target, own, facts) for target in targets)


def _facts(targets: list[Target], timeout: float) -> Iterator[LookUp | Connection]:
    """Yield look-ups and connections as they end; each runs in a thread of its own."""
    deadline = monotonic() + timeout
    ended: queue.SimpleQueue[LookUp | Connection] = queue.SimpleQueue()

    def start(function: Callable[..., LookUp | Connection], *arguments: object) -> None:
        run = threading.Thread(target=lambda: ended.put(function(*arguments)), daemon=True)
        run.start()

    hosts = dict.fromkeys(target.host for target in targets if target.host)
    for host in hosts:
        start(_look_up, host)
    found = [(target, target.address) for target in targets if target.address]
    connecting = 0
    while hosts or found or connecting:
        for target, address in found:
            start(_connect, target, address, deadline)
        connecting += len(found)
        try:
            # A connection ends at the deadline by itself; getaddrinfo has no time-out.
            fact = ended.get(timeout=None if connecting else max(0.0, deadline - monotonic()))
        except queue.Empty:
            break
        yield fact
        found = []
        if isinstance(fact, LookUp):
            del hosts[fact.host]
            named = [target for target in targets if target.host == fact.host]
            found = [(target, a) for target in named for a in fact.addresses[:MAX_ADDRESSES]]
        else:
            connecting -= 1
    for host in hosts:
        yield LookUp(host, Outcome.TIMED_OUT, seconds=timeout, error="timed out")


def _look_up(host: str) -> LookUp:
    started = monotonic()
    outcome, reason, entries = Outcome.FOUND, None, []
    try:
        entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        outcome = Outcome.NOT_FOUND if error.errno in _NOT_FOUND else Outcome.FAILED
        reason = error.strerror
    found = dict.fromkeys((entry[0], str(entry[4][0]).partition("%")[0]) for entry in entries)
    ipv4 = tuple(text for family, text in found if family == socket.AF_INET)
    ipv6 = tuple(any_address(text) for family, text in found if family == socket.AF_INET6)
    return LookUp(host, outcome, ipv6, ipv4, monotonic() - started, reason)


def _connect(target: Target, address: AnyAddress, deadline: float) -> Connection:
    started = monotonic()
    has_port, error = target.port is not None, None
    try:
        kind = socket.SOCK_STREAM if has_port else socket.SOCK_DGRAM
        with socket.socket(socket.AF_INET6, kind) as connection:
            connection.settimeout(max(0.001, deadline - started))
            connection.connect((str(address), target.port or _DISCARD))
        outcome = Outcome.OPEN if has_port else Outcome.ROUTED
    except ConnectionRefusedError:
        outcome = Outcome.REFUSED
    except ConnectionResetError:
        outcome = Outcome.RESET
    except TimeoutError:
        outcome = Outcome.TIMED_OUT
    except OSError as failure:
        outcome = Outcome.NO_ROUTE if failure.errno in _NO_ROUTE else Outcome.FAILED
        error = failure.strerror if outcome is Outcome.FAILED else None
    return Connection(target, address, outcome, monotonic() - started, error)
