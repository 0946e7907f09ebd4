"""TCP connections to addresses, all at once and without a thread; no data is sent.

An error of `connect` itself is this system's own: nothing was sent. A later one was caused by a
packet; for ICMPv6, Linux 5.8 and later show the message and its sender.
"""

from __future__ import annotations

import errno
import os
import selectors
import socket
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from fdaa.lines import Evidence
from fdaa.probe._icmp import keep_messages, received_message
from fdaa.probe._observations import Connection
from fdaa.probe._target import any_address

if TYPE_CHECKING:
    from typing import Self

    from fdaa.probe._target import AnyAddress, Target

_DISCARD = 9  # the port of a datagram socket that only requests a route

_CLOSED = "the other end closed it immediately"

# Seconds after the handshake, and after one more round trip, in which a reset is waited for.
_WATCHED = 0.1

# Errors of `connect` itself.
_NOTHING_SENT = {
    errno.ENETUNREACH: Evidence.NO_ROUTE,
    errno.EHOSTUNREACH: Evidence.NO_ROUTE,  # a route of type `unreachable`
    errno.EINVAL: Evidence.NO_ROUTE,  # a route of type `blackhole`
    errno.EADDRNOTAVAIL: Evidence.NO_SOURCE_ADDRESS,
    errno.EAFNOSUPPORT: Evidence.NO_SOURCE_ADDRESS,  # IPv6 is switched off
    errno.EACCES: Evidence.NOT_PERMITTED,  # a route of type `prohibit`
    errno.EPERM: Evidence.NOT_PERMITTED,
}
# Errors that a packet caused, where the system does not show which.
_RETURNED = {
    errno.ECONNREFUSED: Evidence.REFUSED,
    errno.ECONNRESET: Evidence.RESET,  # so soon that the handshake was not seen
    errno.EACCES: Evidence.PROHIBITED,
    errno.EHOSTUNREACH: Evidence.ADDRESS_UNREACHABLE,
    errno.ENETUNREACH: Evidence.NO_ROUTE_REPORTED,
    errno.ETIMEDOUT: Evidence.TIMED_OUT,
}


class _Attempt:
    """A connection whose SYN was sent.

    Args:
        target: the target.
        address: the address.
        connecting: the socket.
        started: when the SYN was sent.
    """

    def __init__(
        self, target: Target, address: AnyAddress, connecting: socket.socket, started: float
    ) -> None:
        self.socket = connecting
        self.watched_until: float | None = None  # once it is open
        self._target = target
        self._address = address
        self._started = started
        self._source = _source_of(connecting)
        self._handshake = 0.0  # seconds

    def advance(self) -> Connection | None:
        """Return what was seen, if the socket's event decides it."""
        if self.watched_until is not None:
            return self.end()
        message = received_message(self.socket)
        if message is not None:
            return self._seen(message.evidence, message.sender, message.text)
        number = self._error()
        if number:
            evidence = _RETURNED.get(number, Evidence.UNREACHABLE)
            return self._seen(evidence, error=os.strerror(number))
        self._handshake = monotonic() - self._started
        self.watched_until = monotonic() + self._handshake + _WATCHED
        return None

    def end(self) -> Connection:
        """Return what was seen until now."""
        if self.watched_until is None:
            return self._seen(Evidence.TIMED_OUT)
        number = self._error()
        if number:
            return self._seen(Evidence.RESET, error=os.strerror(number))
        seen = self._seen(Evidence.OPEN, error=_CLOSED if self._is_closed() else None)
        return replace(seen, seconds=self._handshake)

    def _is_closed(self) -> bool:
        """Return whether the other end has closed the connection, and sent no data."""
        with suppress(OSError):  # there is nothing to read
            return self.socket.recv(1, socket.MSG_PEEK) == b""
        return False

    def _error(self) -> int:
        return self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)

    def _seen(
        self, evidence: Evidence, reported_by: AnyAddress | None = None, error: str | None = None
    ) -> Connection:
        return Connection(
            target=self._target,
            address=self._address,
            evidence=evidence,
            seconds=monotonic() - self._started,
            source=self._source,
            reported_by=reported_by,
            error=error,
        )


class Attempts:
    """The connections of one round.

    Args:
        deadline: when all of them end, by `time.monotonic`.
        wake: a socket whose data end a wait, or None.
    """

    def __init__(self, deadline: float, wake: socket.socket | None) -> None:
        self._deadline = deadline
        self._wake = wake
        self._running: list[_Attempt] = []
        self._ended: list[Connection] = []
        self._selector = selectors.PollSelector()  # needs no file descriptor of its own
        if wake is not None:
            self._selector.register(wake, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections that have not ended."""
        for attempt in self._running:
            attempt.socket.close()
        self._selector.close()

    def __bool__(self) -> bool:
        return bool(self._running or self._ended)

    def start(self, target: Target, address: AnyAddress) -> None:
        """Send a SYN to an address; without a port, only request a route."""
        started = monotonic()
        try:
            if target.port is None:
                self._ended.append(_route(target, address, started))
                return
            connecting = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
            keep_messages(connecting)
            connecting.setblocking(False)
            number = connecting.connect_ex((str(address), target.port))
        except OSError as error:
            self._ended.append(_nothing_sent(target, address, started, error.errno))
            return
        if number not in (0, errno.EINPROGRESS):
            connecting.close()
            self._ended.append(_nothing_sent(target, address, started, number))
            return
        attempt = _Attempt(target, address, connecting, started)
        self._running.append(attempt)
        self._selector.register(connecting, selectors.EVENT_WRITE, attempt)

    def wait(self) -> None:
        """Wait until something is seen, or a lookup ends; at most until the deadline."""
        if self._ended:
            return
        until = self._deadline
        for attempt in self._running:
            if attempt.watched_until is not None:
                until = min(until, attempt.watched_until)
        for key, _ in self._selector.select(max(0.0, until - monotonic())):
            if key.data is None:
                key.fileobj.recv(4096)  # type: ignore[union-attr]  # it is `wake`
            else:
                self._advance(key.data)

    def take_ended(self) -> list[Connection]:
        """Return the connections that have ended since the last call."""
        now = monotonic()
        for attempt in list(self._running):
            if attempt.watched_until is not None and attempt.watched_until <= now:
                self._end(attempt, attempt.end())
        ended = self._ended
        self._ended = []
        return ended

    def end_all(self) -> list[Connection]:
        """End all connections, and return them."""
        for attempt in list(self._running):
            self._end(attempt, attempt.end())
        return self.take_ended()

    def _advance(self, attempt: _Attempt) -> None:
        connection = attempt.advance()
        if connection is None:
            self._selector.modify(attempt.socket, selectors.EVENT_READ, attempt)
        else:
            self._end(attempt, connection)

    def _end(self, attempt: _Attempt, connection: Connection) -> None:
        self._selector.unregister(attempt.socket)
        attempt.socket.close()
        self._running.remove(attempt)
        self._ended.append(connection)


def _route(target: Target, address: AnyAddress, started: float) -> Connection:
    """Return a connection without a port, to which there is a route.

    Raises:
        OSError: there is none.
    """
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as datagrams:
        datagrams.connect((str(address), _DISCARD))
        source = _source_of(datagrams)
    return Connection(
        target=target,
        address=address,
        evidence=Evidence.ROUTED,
        seconds=monotonic() - started,
        source=source,
    )


def _nothing_sent(
    target: Target, address: AnyAddress, started: float, number: int | None
) -> Connection:
    """Return a connection that the own system did not start."""
    number = number or 0
    evidence = _NOTHING_SENT.get(number, Evidence.NOT_TRIED)
    if number == errno.EADDRNOTAVAIL:
        with suppress(OSError):
            _route(target, address, started)  # there is an address to connect from
            evidence = Evidence.NO_FREE_PORT
    return Connection(
        target=target,
        address=address,
        evidence=evidence,
        seconds=monotonic() - started,
        error=os.strerror(number),
    )


def _source_of(connecting: socket.socket) -> AnyAddress | None:
    """Return the address that the system connects from."""
    with suppress(OSError):
        return any_address(connecting.getsockname()[0].partition("%")[0])
    return None
