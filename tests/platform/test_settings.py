"""Where the client goes, with which token, through which proxy and by which certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from client_calls import GOOD, TOKEN, call
from hostile_server import HostileServer, answers

from fdaa import ArgumentError
from fdaa.platform import Client, UnreachableError

if TYPE_CHECKING:
    import ssl


@pytest.mark.parametrize(
    "url",
    [
        "api.example",
        "ftp://api.example",
        "http://localhost.api.example",
        "https://user:password@api.example",
        TOKEN,
        "https://api.example?password",
        "https://api.example/\r\nX: y",
        "https://api.example\\@evil.example",
    ],
)
def test_no_token_goes_anywhere_else(url: str) -> None:
    with pytest.raises(ArgumentError, match=r"^base_url(:| must)") as info:
        Client(url, TOKEN)
    assert "password" not in str(info.value)


def test_plain_http_elsewhere_must_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("https://[2001:db8::1]:8443", "http://localhost:1234/x/", "http://[::1]:8000"):
        with Client(url, TOKEN) as client:
            assert client.base_url == url.rstrip("/")
    url = "http://[fdaa:2:45b::3]:4280"
    with Client(url, TOKEN, allow_plain_http=True) as client:
        assert client.base_url == url
    monkeypatch.setenv("FDAA_API_URL", url)
    monkeypatch.setenv("FDAA_API_TOKEN", TOKEN)
    for value in ("", "0"):
        monkeypatch.setenv("FDAA_ALLOW_PLAIN_HTTP", value)
        with pytest.raises(ArgumentError, match=r"^FDAA_API_URL: .*, or allow_plain_http=True$"):
            Client.from_environment()
    monkeypatch.setenv("FDAA_ALLOW_PLAIN_HTTP", "1")
    Client.from_environment().close()


@pytest.mark.parametrize("token", ["", "a\nX: y", "ä"])
def test_a_token_that_is_no_header_value_is_refused(token: str) -> None:
    with pytest.raises(ArgumentError, match="visible ASCII") as info:
        Client("https://api.example", token)
    assert not token or token not in str(info.value)


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for variable in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.upper(), raising=False)
    return monkeypatch


def test_neither_this_computer_nor_plain_http_is_reached_through_a_proxy(
    proxied: pytest.MonkeyPatch,
) -> None:
    """A proxy could read the token."""
    with HostileServer(answers(500)) as proxy, HostileServer(answers(202)) as server:
        for variable in ("http_proxy", "https_proxy", "all_proxy"):
            proxied.setenv(variable, proxy.url)
        call(server, "destroy_app", "web")
        with (
            Client("http://api.invalid", TOKEN, allow_plain_http=True) as client,
            pytest.raises(UnreachableError, match=r"api\.invalid"),
        ):
            client.destroy_app("web")
    assert (proxy.connections, len(server.received)) == (0, 1)


@pytest.mark.parametrize(
    ("host", "excluded", "proxied_calls"),
    [
        ("api.invalid", "", 1),
        ("api.invalid", "*", 0),
        ("api.invalid", "invalid", 0),
        ("[::]:1", "::", 0),
    ],
)
def test_no_proxy_excludes_names_and_addresses(
    proxied: pytest.MonkeyPatch, host: str, excluded: str, proxied_calls: int
) -> None:
    proxied.setenv("NO_PROXY", excluded)
    with HostileServer(answers(403)) as proxy:
        proxied.setenv("https_proxy", proxy.url)
        with Client(f"https://{host}", TOKEN) as client, pytest.raises(UnreachableError):
            client.destroy_app("web")
    assert proxy.connections == proxied_calls


@pytest.mark.parametrize("proxy", ["socks5://user:word@a:1", "http://a:x"])
def test_a_proxy_that_cannot_be_used_is_an_error(proxied: pytest.MonkeyPatch, proxy: str) -> None:
    proxied.setenv("https_proxy", proxy)
    with pytest.raises(ArgumentError, match="proxy") as info:
        Client("https://api.invalid", TOKEN)
    assert "word" not in str(info.value)


def test_tls_is_checked(tls_server: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer(GOOD, tls=tls_server) as server:
        assert call(server, "list_apps", org="acme").total == 2
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(UnreachableError, match="CERTIFICATE_VERIFY_FAILED") as info:
            call(server, "create_app", "web", org="acme")
    assert not info.value.may_have_happened
    assert len(server.received) == 1
