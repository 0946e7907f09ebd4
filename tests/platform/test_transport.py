"""One deadline for a whole call: what comes byte by byte, or never, ends on time."""

from __future__ import annotations

import time

import pytest
from client_calls import call
from hostile_server import HostileServer, Received

from fdaa.platform import UnreachableError


def late(server: HostileServer, kind: str, operation: str = "apps") -> UnreachableError:
    started = time.monotonic()
    with server, pytest.raises(UnreachableError, match="within") as info:
        call(kind, server, operation, "web", timeout=0.1)
    assert time.monotonic() - started < 5  # and not 20, as a limit for each read allows
    return info.value


@pytest.mark.parametrize(
    ("at_once", "dripping"),
    [
        (b"", b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        (b"HTTP/1.1 200 OK\r\n\r\n", b'{"apps": [' + b" " * 1000),
        (b"HTTP/1.1 500 Oops\r\n\r\n", b"x" * 1000),
    ],
    ids=["head", "informational", "body", "error"],
)
def test_an_answer_that_drips_ends_on_time(kind: str, at_once: bytes, dripping: bytes) -> None:
    def script(connection, _: Received) -> None:
        connection.sendall(at_once)
        server.drip(connection, dripping)

    server = HostileServer(script)
    late(server, kind)


def test_an_answer_that_drips_over_tls_ends_on_time(
    kind: str, tls_server, tls_trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)

    def script(connection, _: Received) -> None:
        server.drip(connection, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000)

    server = HostileServer(script, tls=tls_server)
    late(server, kind)


def test_silence_ends_on_time_and_a_deletion_may_have_happened(kind: str) -> None:
    server = HostileServer(lambda *_: server.stopped.wait(1))
    error = late(server, kind, "destroy_app")
    assert error.may_have_happened or not server.received
