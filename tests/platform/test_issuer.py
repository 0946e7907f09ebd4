"""Where an issuer's keys are: its configuration, its hosts, and how they are reached."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest
from hostile_server import HostileServer, Received, answer, answers
from token_issuer import AUDIENCE, Awaited, Issuer, refused, verifier

from fdaa.platform import CannotVerifyError, Verifier

SLASH = "the required issuer differs by a slash; use the issuer as it is published"

if TYPE_CHECKING:
    import socket
    import ssl


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"issuer": "https://other.example"}, r"issuer: must be .*, got 'https://other\.example'"),
        ({"issuer": None}, r"issuer: must be .*, got nothing"),
        ({"jwks_uri": "http://other.example/keys"}, "jwks_uri: must be an https URL"),
        ({"jwks_uri": "https://a:b@127.0.0.1/keys"}, "jwks_uri"),
        ({"jwks_uri": "https://127.0.0.1/keys#1"}, "jwks_uri"),
        ({"jwks_uri": "https://127.0.0.1\\@other.example/keys"}, "jwks_uri"),
        ({"jwks_uri": "http://127.0.0.1:1/keys"}, "jwks_uri"),
        ({"jwks_uri": "file:///etc/passwd"}, "jwks_uri"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"jwks_uri": "http://a:b@127.0.0.1/keys"}, "jwks_uri"),
        ({"jwks_uri": "http://[/keys"}, "jwks_uri"),
        ({"jwks_uri": "OWN/\ud800"}, "jwks_uri"),
        ({"jwks_uri": "OWN/\0"}, "jwks_uri"),
        ({"jwks_uri": "ORIGIN0/keys"}, "jwks_uri"),  # another port
        ({"jwks_uri": "ORIGIN.evil.example/keys"}, "jwks_uri"),
        ({"x": "x" * 300_000}, "longer than 256 KiB"),
    ],
)
def test_a_configuration_that_is_wrong_decides_nothing(
    issuer: Issuer, changed: dict[str, object], reason: str
) -> None:
    uri = changed.get("jwks_uri")
    issuer.changed = changed
    if isinstance(uri, str):
        origin = issuer.server.url
        issuer.changed = {"jwks_uri": uri.replace("OWN", issuer.url).replace("ORIGIN", origin)}
    with pytest.raises(CannotVerifyError, match=reason):
        verifier(issuer).verify(issuer.token())


def test_a_redirect_of_the_keys_is_not_followed(issuer: Issuer) -> None:
    with HostileServer(answers(200, b"{}")) as other:
        with HostileServer(answers(302, b"", f"Location: {other.url}")) as server:
            checker = Verifier(issuer=server.url, aud=AUDIENCE, allow_plain_http=True)
            with pytest.raises(CannotVerifyError, match="redirect") as info:
                checker.verify(issuer.token(iss=server.url))
            assert "as the token" not in str(info.value)  # no token is sent
        assert other.connections == 0


def test_keys_that_drip_end_on_time(issuer: Issuer, kind: str) -> None:
    def script(connection: socket.socket, _: Received) -> None:
        server.drip(connection, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000)

    made = {"sync": Verifier, "async": Awaited}[kind]
    with HostileServer(script) as server:
        checker = made(issuer=server.url, aud=AUDIENCE, timeout=0.1, allow_plain_http=True)
        with pytest.raises(CannotVerifyError, match="within"):
            checker.verify(issuer.token(iss=server.url))


def test_keys_come_over_tls(
    monkeypatch: pytest.MonkeyPatch, tls_server: ssl.SSLContext, tls_trust: str, kind: str
) -> None:
    with Issuer(tls_server) as issuer:
        checker = verifier(issuer, kind=kind, allow_plain_http=False)
        with pytest.raises(CannotVerifyError, match="CERTIFICATE"):
            checker.verify(issuer.token())
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        trusting = verifier(issuer, kind=kind, allow_plain_http=False)
        assert trusting.verify(issuer.token()).region == "ams"


def test_keys_may_be_on_another_host_with_https_alone(
    monkeypatch: pytest.MonkeyPatch,
    issuer: Issuer,
    tls_server: ssl.SSLContext,
    tls_trust: str,
    kind: str,
) -> None:
    """OpenID Connect Discovery 1.0, section 3: a `jwks_uri` must have https, and any host."""
    with Issuer(tls_server) as other:
        issuer.changed = {"jwks_uri": f"{other.url}/keys"}
        with pytest.raises(CannotVerifyError, match="CERTIFICATE"):
            verifier(issuer, kind=kind).verify(issuer.token())
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        checker = verifier(issuer, kind=kind, keys_fresh_for=0)
        for _ in range(2):
            assert checker.verify(issuer.token()).region == "ams"
        assert (issuer.fetches, other.fetches) == (0, 2)
        monkeypatch.setenv("SSL_CERT_FILE", "no-such-file")
        with pytest.raises(CannotVerifyError, match=r"/keys: .*SSL_CERT_FILE cannot be used"):
            verifier(issuer, kind=kind).verify(issuer.token())


def test_both_hosts_together_have_one_deadline(
    monkeypatch: pytest.MonkeyPatch,
    issuer: Issuer,
    tls_server: ssl.SSLContext,
    tls_trust: str,
    kind: str,
) -> None:
    """Each takes more than half of it."""

    def keys(connection: socket.socket, _: Received) -> None:
        never.wait(0.7)
        answer(connection, 200, json.dumps(issuer.keys).encode())

    def configuration(connection: socket.socket, _: Received) -> None:
        never.wait(0.7)
        fields = {"issuer": server.url, "jwks_uri": f"{other.url}/keys"}
        answer(connection, 200, json.dumps(fields).encode())

    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
    never = threading.Event()
    made = {"sync": Verifier, "async": Awaited}[kind]
    with HostileServer(keys, tls_server) as other, HostileServer(configuration) as server:
        checker = made(issuer=server.url, aud=AUDIENCE, timeout=1.2, allow_plain_http=True)
        with pytest.raises(CannotVerifyError, match=r"/keys: no complete response within 1\.2 s"):
            checker.verify(issuer.token(iss=server.url))


def test_a_redirect_from_the_other_host_is_not_followed(
    monkeypatch: pytest.MonkeyPatch,
    issuer: Issuer,
    tls_server: ssl.SSLContext,
    tls_trust: str,
    kind: str,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
    elsewhere = answers(302, b"", f"Location: {issuer.url}/keys")
    with HostileServer(elsewhere, tls_server) as other:
        issuer.changed = {"jwks_uri": f"{other.url}/keys"}
        with pytest.raises(CannotVerifyError, match="redirects are not followed"):
            verifier(issuer, kind=kind).verify(issuer.token())
        assert (issuer.fetches, other.connections) == (0, 1)


@pytest.mark.parametrize(("required", "published"), [("/", ""), ("", "/")])
def test_an_issuer_that_differs_by_a_slash_is_the_callers_mistake(
    issuer: Issuer, required: str, published: str, kind: str
) -> None:
    base = issuer.url
    issuer.changed = {"issuer": base + published}
    checker = verifier(issuer, kind=kind, issuer=base + required)
    with pytest.raises(CannotVerifyError) as info:
        checker.verify(issuer.token(iss=base + required))
    assert f"must be {base + required!r} exactly, got {base + published!r}; the req" in str(
        info.value
    )
    assert "differs by a slash; use the issuer as it is published" in str(info.value)
    given = verifier(issuer, kind=kind, issuer=base + required, keys=issuer.keys)
    error = refused(given, issuer.token(iss=base + published))
    assert f"({SLASH}), got {base + published!r}" in str(error)


def test_a_long_place_of_keys_is_quoted_in_part(issuer: Issuer, kind: str) -> None:
    """The keys are at the issuer's own address, where the path may have any length."""
    long = "x" * 60_000
    issuer.changed = {"jwks_uri": f"{issuer.url}/{long}"}
    issuer.keys = b"{}"
    with pytest.raises(CannotVerifyError) as info:
        verifier(issuer, kind=kind).verify(issuer.token())
    assert "/oidc/acme/xxx" in str(info.value)
    assert "x" * 61 not in str(info.value)


def test_a_slash_at_the_issuers_end_is_part_of_its_name(issuer: Issuer) -> None:
    issuer.url += "/"
    issuer.changed = {"jwks_uri": f"{issuer.url}keys?version=2"}  # which may have a query
    verifier(issuer).verify(issuer.token())
    targets = [request.target for request in issuer.server.received]
    assert targets == ["/oidc/acme/.well-known/openid-configuration", "/oidc/acme/keys?version=2"]
