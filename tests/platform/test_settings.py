"""Where the client goes, with which token, through which proxy and by which certificates."""

from __future__ import annotations

import select
import socket
import ssl
from contextlib import nullcontext as does_not_raise
from math import inf, nan
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN, call
from hostile_server import HostileServer, Received, answers

from fdaa import ArgumentError
from fdaa.platform import AsyncClient, Client, PlainHTTPError, UnreachableError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    import trustme

GOOD_URLS = (
    "https://api.example",
    "https://api.example/base/",
    "https://[2001:db8::1]:8443",
    "http://localhost:1234",
    "http://127.0.0.1:1234/x",
    "http://127.8.8.8",
    "http://[::1]:8000",
)
BAD_URLS = (
    "",
    "api.example",
    "ftp://api.example",
    "http://password.example",
    "http://localhost.api.example",
    "http://api-localhost",
    "http://127.0.0.1.api.example",
    "http://127.1",
    "http://0.0.0.0",
    "http://[fdaa:2:45b::3]:4280",
    "https://",
    "https:///x",
    "https://user:password@api.example",
    "https://user@api.example",
    "https://@api.example",
    "user:password@api.example",
    "https:user:password@api.example",
    TOKEN,
    "https://api.example?password",
    "https://api.example#x",
    "https://api.example/\r\nX: y",
    "https://api.example\\@evil.example",
    "https://api.example/pass word/password",
    "https://api.example:99999",
    "https://api.example:x",
    "https://äpi.example",
    f"https://api.example/{'x' * 9000}",
)


@pytest.fixture(autouse=True)
def one_certificate(tls_trust: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the tests' own authority: to read the system's takes 20 ms for each client."""
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)


@pytest.mark.parametrize("url", GOOD_URLS)
def test_a_base_url_is_https_or_loopback(url: str) -> None:
    with Client(url, TOKEN) as client:
        assert client.base_url == url.rstrip("/")


@pytest.mark.parametrize("url", BAD_URLS)
def test_no_token_goes_anywhere_else(url: str) -> None:
    named = r"^(base_url must|base_url: plain http)"
    for kind in (Client, AsyncClient):
        with pytest.raises(ArgumentError, match=named) as info:
            kind(url, TOKEN)
        assert "password" not in str(info.value)


def test_plain_http_elsewhere_must_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://[fdaa:2:45b::3]:4280"
    with Client(url, TOKEN, allow_plain_http=True) as client:
        assert client.base_url == url
    monkeypatch.setenv("FDAA_API_URL", url)
    monkeypatch.setenv("FDAA_API_TOKEN", TOKEN)
    for value in ("", "0"):
        monkeypatch.setenv("FDAA_ALLOW_PLAIN_HTTP", value)
        with pytest.raises(PlainHTTPError, match=r"allow_plain_http=True$") as info:
            Client.from_environment()
        assert info.value.argument == "base_url"
    monkeypatch.setenv("FDAA_ALLOW_PLAIN_HTTP", "1")
    Client.from_environment().close()


@pytest.mark.parametrize("host", ["api..example", f"{'x' * 64}.example", "..", "."])
def test_a_host_that_no_name_server_can_know_is_not_reached(
    kind: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HostileServer(GOOD) as server:
        server.url = f"https://{host}"
        with pytest.raises(UnreachableError) as info:
            call(kind, server, "destroy_app", "web")
        assert not info.value.may_have_happened
        monkeypatch.setenv("https_proxy", f"http://{host}:3128")
        monkeypatch.delenv("no_proxy", raising=False)
        server.url = "https://api.invalid"
        with pytest.raises(UnreachableError):
            call(kind, server, "destroy_app", "web")


def test_a_path_of_the_base_url_comes_first() -> None:
    with (
        HostileServer(GOOD) as server,
        Client(server.url + "/api/", TOKEN) as client,
    ):
        client.list_apps(org="acme")
    assert server.received[0].target == "/api/v1/apps?org_slug=acme"


@pytest.mark.parametrize("token", ["", "a b", "a\nX: y", "ä", "a\x00"])
def test_a_token_that_is_no_header_value_is_refused(token: str) -> None:
    with pytest.raises(ArgumentError, match="visible ASCII") as info:
        Client("https://api.example", token)
    assert not token or token not in str(info.value)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"timeout": "5"}, TypeError, "timeout must be int or float, not str"),
        ({"timeout": 0}, ArgumentError, "timeout"),
        ({"timeout": -1}, ArgumentError, "timeout"),
        ({"timeout": inf}, ArgumentError, "timeout"),
        ({"timeout": nan}, ArgumentError, "timeout"),
        ({"timeout": 1e308}, ArgumentError, "timeout"),
        ({"timeout": 10**400}, ArgumentError, "timeout"),
        ({"token": b"x"}, TypeError, "token must be str, not bytes"),
        ({"base_url": 5}, TypeError, "base URL must be str, not int"),
    ],
)
def test_an_argument_that_is_wrong_is_a_type_error_or_a_value_error(
    options: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        Client(**{"base_url": "https://api.example", "token": TOKEN, **options})


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FDAA_API_URL", raising=False)
    with pytest.raises(ArgumentError, match="FDAA_API_URL is not set"):
        Client.from_environment()
    with HostileServer(answers(202)) as server:
        monkeypatch.setenv("FDAA_API_URL", server.url)
        monkeypatch.setenv("FDAA_API_TOKEN", TOKEN)
        with Client.from_environment(timeout=7) as client:
            assert client.timeout == 7
            client.destroy_app("web")
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


# --- proxies --------------------------------------------------------------------------------------


def test_loopback_is_never_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer(answers(500)) as proxy, HostileServer(answers(202)) as server:
        for variable in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(variable, proxy.url)
        for kind in ("sync", "async"):
            call(kind, server, "destroy_app", "web")
    assert proxy.connections == 0
    assert len(server.received) == 2


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy"])
def test_a_token_goes_through_no_proxy_in_clear(
    kind: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    with HostileServer(answers(202)) as proxy:
        monkeypatch.setenv(variable, proxy.url)
        proxy.url = "http://api.invalid"
        with pytest.raises(ArgumentError, match=r"could read the token.* api\.invalid to NO_PROXY"):
            call(kind, proxy, "destroy_app", "web", settings={"allow_plain_http": True})
    assert proxy.connections == 0


def test_an_ipv6_address_is_not_asked_for_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example")
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(ArgumentError, match=r"IPv6 address: add fdaa:2:45b::3 to NO_PROXY"):
        Client("https://[fdaa:2:45b::3]", TOKEN)


ADDRESS = "[fdaa::3]:4280"


@pytest.mark.parametrize(
    ("entry", "host", "is_direct"),
    [
        ("*", "api.example", True),
        ("api.example", "api.example", True),
        ("example", "api.example", True),
        (".example", "api.example", True),
        ("*.example", "api.example", True),
        ("*.Example", "api.example", True),
        ("*.example", "example", False),
        ("pi.example", "api.example", False),
        ("api.example:4280", "api.example:4280", True),
        ("api.example:4281", "api.example:4280", False),
        ("api.example:80", "api.example", True),
        ("fdaa::3", ADDRESS, True),
        ("[fdaa::3]", ADDRESS, True),
        ("[fdaa::3]:4280", ADDRESS, True),
        ("[fdaa::3]:4281", ADDRESS, False),
        ("fdaa::/16", ADDRESS, True),
        ("fdab::/16", ADDRESS, False),
        ("fdaa::/x", ADDRESS, False),
        ("10.0.0.0/8", "10.2.3.4:4280", True),
        ("10.0.0.0/8", "api.example", False),
        ("other.example, 10.2.3.4 ", "10.2.3.4", True),
        ("", "api.example", False),
    ],
)
def test_what_no_proxy_has_is_asked_directly(
    entry: str, host: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example")
    monkeypatch.setenv("no_proxy", entry)
    expected: AbstractContextManager[object] = pytest.raises(ArgumentError, match="NO_PROXY")
    if is_direct:
        expected = does_not_raise()
    with expected:
        Client(f"http://{host}", TOKEN, allow_plain_http=True).close()


@pytest.mark.parametrize("proxy", ["socks5://user:word@a:1", "://", "ftp://a", "http://a:x"])
def test_a_proxy_that_cannot_be_used_is_an_error(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    for kind in (Client, AsyncClient):
        with pytest.raises(ArgumentError, match="proxy") as info:
            kind("https://api.invalid", TOKEN)
        assert "word" not in str(info.value)


def tunnel(connection: socket.socket, request: Received) -> None:
    """Do what a proxy does for https: pass bytes on, both ways."""
    _, _, port = request.target.rpartition(":")
    with socket.create_connection(("127.0.0.1", int(port))) as upstream:
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        ends = {connection: upstream, upstream: connection}
        while ready := select.select(list(ends), [], [], 5)[0]:
            for end in ready:
                if not (data := end.recv(65536)):
                    raise EOFError
                ends[end].sendall(data)


@pytest.mark.parametrize("scheme", ["http://", ""])  # without one, as curl reads it
def test_https_goes_through_a_proxy_unread(
    kind: str, scheme: str, certificate_authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate_authority.issue_cert("api.invalid").configure_cert(context)
    with HostileServer(tunnel) as proxy, HostileServer(GOOD, tls=context) as server:
        monkeypatch.setenv("https_proxy", scheme + proxy.url.removeprefix("http://"))
        monkeypatch.delenv("no_proxy", raising=False)
        server.url = f"https://api.invalid:{server.port}"
        assert call(kind, server, "list_apps", org="acme").total == 2
    (seen,) = proxy.received
    assert (seen.method, seen.target) == ("CONNECT", f"api.invalid:{server.port}")
    assert "authorization" not in seen.headers
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_is_reported_and_nothing_was_sent(
    kind: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HostileServer(answers(status)) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        proxy.url = "https://api.invalid"
        with pytest.raises(UnreachableError, match=f"proxy refused .* {status}") as info:
            call(kind, proxy, "create_app", "web", org="acme")
    assert not info.value.may_have_happened
    assert [request.method for request in proxy.received] == ["CONNECT"]


# --- certificates ---------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    if content is not None:
        (tmp_path / "ca.pem").write_text(content)
    with pytest.raises(ArgumentError, match="SSL_CERT_FILE"):
        Client("https://api.invalid", TOKEN)


def test_tls_is_checked(
    kind: str, tls_server: ssl.SSLContext, tls_trust: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with HostileServer(GOOD, tls=tls_server) as server:
        with pytest.raises(UnreachableError, match="CERTIFICATE_VERIFY_FAILED"):
            call(kind, server, "list_apps", org="acme")
        assert (server.received, server.connections) == ([], 1)  # the same each time
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        assert call(kind, server, "list_apps", org="acme").total == 2
    assert server.received[0].headers["authorization"] == f"Bearer {TOKEN}"
