"""Lookups of names by the system's resolver, which has no timeout: each runs in a thread."""

from __future__ import annotations

import errno
import os
import socket
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from ipaddress import IPv4Address
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from fdaa.lines import Evidence
from fdaa.probe._observations import Lookup
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from fdaa.probe._target import AnyAddress

    Pending: TypeAlias = Future[Lookup]

# The shortest time after which glibc gives a resolver up (resolv.conf(5), `timeout`), in seconds.
_SHORTEST_TIMEOUT = 1.0

_EAI_NODATA = getattr(socket, "EAI_NODATA", None)  # not on every system
_EAI_ADDRFAMILY = getattr(socket, "EAI_ADDRFAMILY", None)
_LIMITS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS)

# The lookups of all rounds that have not ended, by host: one that hangs is not started again.
_running: dict[str, Pending] = {}


class Lookups:
    """The lookups of one round.

    Args:
        hosts: the names.
    """

    def __init__(self, hosts: Iterable[str]) -> None:
        self._hosts = list(dict.fromkeys(hosts))
        self._started = monotonic()
        self._pending: dict[str, Pending] = {}
        self._failed: list[Lookup] = []
        self._signal: socket.socket | None = None
        self.wake: socket.socket | None = None  # readable when a lookup has ended

    def __enter__(self) -> Self:
        """Start the lookups."""
        if not self._hosts:
            return self
        try:
            signal, self.wake = socket.socketpair()
        except OSError as error:
            self._failed = [_not_tried(host, error) for host in self._hosts]
            return self
        signal.setblocking(False)  # a byte that has no room is not needed: others wait there
        self._signal = signal
        for host in self._hosts:
            pending = _start(host)
            self._pending[host] = pending
            pending.add_done_callback(partial(_wake_up, signal))
        return self

    def __exit__(self, *_: object) -> None:
        """Stop waiting; lookups that have not ended go on."""
        for end in (self.wake, self._signal):
            if end is not None:
                end.close()

    def __bool__(self) -> bool:
        return bool(self._pending or self._failed)

    def take_ended(self) -> Iterator[Lookup]:
        """Yield each lookup that has ended, once."""
        while self._failed:
            yield self._failed.pop()
        for host, pending in list(self._pending.items()):
            if pending.done():
                del self._pending[host]
                yield pending.result()

    def take_timed_out(self) -> Iterator[Lookup]:
        """Yield a lookup for each that has not ended."""
        seconds = monotonic() - self._started
        for host in self._pending:
            yield Lookup(host, evidence=Evidence.RESOLVER_TIMED_OUT, seconds=seconds)


def _wake_up(signal: socket.socket, _: Pending) -> None:
    with suppress(OSError):  # the round is over, or other bytes wait
        signal.send(b".")


def _start(host: str) -> Pending:
    """Start the lookup of a host, or return the one that is running."""
    running = _running.get(host)
    if running is not None:
        return running
    pending: Pending = Future()
    _running[host] = pending
    try:
        Thread(target=_run, args=(host, pending), daemon=True).start()
    except (RuntimeError, MemoryError) as error:  # a limit of processes or of memory
        del _running[host]
        pending.set_result(_not_tried(host, error))
    return pending


def _run(host: str, pending: Pending) -> None:
    try:
        lookup = _look_up(host)
    except MemoryError as error:
        lookup = _not_tried(host, error)
    del _running[host]
    pending.set_result(lookup)


def _not_tried(host: str, error: Exception) -> Lookup:
    reason = getattr(error, "strerror", None) or str(error) or "not enough memory"
    return Lookup(host, evidence=Evidence.LOOKUP_NOT_TRIED, error=reason)


def _look_up(host: str) -> Lookup:
    started = monotonic()
    try:
        # Bytes, because Python would encode text as an internationalized name.
        entries = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    except OSError as error:
        seconds = monotonic() - started
        limit = _limit_of_files()
        if limit is not None:
            return _not_tried(host, limit)
        return Lookup(
            host, evidence=_evidence_of(error, seconds), seconds=seconds, error=error.strerror
        )
    seconds = monotonic() - started
    ipv6: dict[AnyAddress, None] = {}
    ipv4: dict[IPv4Address, None] = {}
    for family, _, _, _, place in entries:
        text = str(place[0]).partition("%")[0]
        if family == socket.AF_INET6:
            ipv6[any_address(text)] = None
        elif family == socket.AF_INET:
            ipv4[IPv4Address(text)] = None
    evidence = Evidence.FOUND if ipv6 else Evidence.IPV4_ONLY
    return Lookup(host, evidence=evidence, addresses=tuple(ipv6), ipv4=tuple(ipv4), seconds=seconds)


def _limit_of_files() -> OSError | None:
    """Return the error if no file can be opened: getaddrinfo says then that a name is not found."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error
    return None


def _evidence_of(error: OSError, seconds: float) -> Evidence:
    """Return what an error of getaddrinfo shows.

    EAI_AGAIN is all of these: SERVFAIL, REFUSED, a resolver's port that is closed, no route to it,
    no resolver at all, and no response. Only the last takes time.
    """
    is_resolvers = isinstance(error, socket.gaierror)
    if is_resolvers and error.errno == socket.EAI_NONAME:
        return Evidence.NOT_FOUND
    if is_resolvers and error.errno in (_EAI_NODATA, _EAI_ADDRFAMILY):
        return Evidence.NO_ADDRESS
    if is_resolvers and error.errno == socket.EAI_MEMORY:
        return Evidence.LOOKUP_NOT_TRIED
    if not is_resolvers and error.errno in _LIMITS:
        return Evidence.LOOKUP_NOT_TRIED
    if seconds < _SHORTEST_TIMEOUT:
        return Evidence.RESOLVER_FAILED
    return Evidence.RESOLVER_TIMED_OUT
