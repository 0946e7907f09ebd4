"""One deadline for a whole call: a server that never ends does not keep a client forever."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN, call
from hostile_server import HostileServer, Received, answer, silent
from token_issuer import AUDIENCE, Awaited, Issuer

from fdaa.platform import AsyncClient, CannotVerifyError, UnreachableError, Verifier

if TYPE_CHECKING:
    import ssl


@pytest.mark.parametrize(
    ("at_once", "forever"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"HTTP/1.1 500 Oops\r\n\r\n", b"x"),
    ],
    ids=["head", "informational", "body", "error"],
)
@pytest.mark.parametrize("over", ["TCP", "TLS"])
def test_a_response_that_drips_ends(
    kind: str,
    over: str,
    at_once: bytes,
    forever: bytes,
    tls_server: ssl.SSLContext,
    tls_trust: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)

    def script(connection: socket.socket, _: Received) -> None:
        connection.sendall(at_once)
        server.drip(connection, forever)

    server = HostileServer(script, tls=tls_server if over == "TLS" else None)
    with server, pytest.raises(UnreachableError, match=r"no complete response within 0\.1 s"):
        call(kind, server, "list_apps", org="acme", timeout=0.1)


def test_silence_ends_and_a_deletion_may_have_been_made(kind: str) -> None:
    with HostileServer(silent) as server:
        with pytest.raises(UnreachableError, match=r"within 0\.5 seconds; the change may") as info:
            call(kind, server, "destroy_app", "web", timeout=0.5)
        assert len(server.received) == 1
    assert info.value.may_have_happened


def test_a_connection_without_a_tls_handshake_is_closed_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"

        def read_to_the_end() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(10)
                while connection.recv(65536):
                    pass

        async def main() -> None:
            async with AsyncClient(url, TOKEN, timeout=0.5) as client:
                with pytest.raises(UnreachableError, match=r"within 0\.5 s"):
                    await client.list_apps(org="acme")
                await asyncio.to_thread(read_to_the_end)

        asyncio.run(main())


def test_each_address_of_a_host_is_tried(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lookup is replaced, as not every machine has a name with two addresses."""
    with HostileServer(GOOD) as server:
        rows = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, server.port))
            for address in ("127.0.0.2", "127.0.0.1")
        ]
        lookup = socket.getaddrinfo

        def both(host: str, *args: Any, **options: Any) -> object:
            if host in ("localhost", b"localhost"):
                return rows
            return lookup(host, *args, **options)

        monkeypatch.setattr(socket, "getaddrinfo", both)
        server.url = f"http://localhost:{server.port}"
        assert call(kind, server, "list_apps", org="acme").total == 2
    with pytest.raises(UnreachableError, match=r": Connection refused$"):
        call(kind, server, "list_apps", org="acme")


def test_the_message_about_keys_has_the_whole_time(issuer: Issuer, kind: str) -> None:
    """The configuration takes a part of it, and the keys never come."""

    def script(connection: socket.socket, request: Received) -> None:
        if request.target.endswith("/keys"):
            never.wait(60)
            return
        never.wait(0.1)
        configuration = {"issuer": server.url, "jwks_uri": f"{server.url}/keys"}
        answer(connection, 200, json.dumps(configuration).encode())

    never = threading.Event()
    made = {"sync": Verifier, "async": Awaited}[kind]
    with HostileServer(script) as server:
        checker = made(issuer=server.url, aud=AUDIENCE, timeout=0.5, allow_plain_http=True)
        with pytest.raises(CannotVerifyError, match=r"within 0\.5 seconds"):
            checker.verify(issuer.token(iss=server.url))
        never.set()
