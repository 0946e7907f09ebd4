"""The API of the sandbox (specification, sections 4.1 to 4.3 and 5)."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sandbox_calls import call, create, listed

from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from pathlib import Path

    import trustme


def test_an_app_is_created_on_its_network_and_listed(sandbox: Sandbox) -> None:
    assert create(sandbox, "listed", "customer-17", org="lists").status == 201
    assert listed(sandbox, "lists") == {
        "listed": {
            "id": listed(sandbox, "lists")["listed"]["id"],
            "name": "listed",
            "machine_count": 0,
            "volume_count": 0,
            "network": "customer-17",
        }
    }


def test_a_destroyed_app_is_gone_and_its_name_is_free_again(sandbox: Sandbox) -> None:
    create(sandbox, "short", "blue", org="short")
    first = listed(sandbox, "short")["short"]
    response = call(sandbox, "DELETE", "/v1/apps/short")
    assert (response.status, response.body) == (202, b"")
    assert listed(sandbox, "short") == {}
    assert create(sandbox, "short", org="short").status == 201
    assert listed(sandbox, "short")["short"]["id"] != first["id"]
    assert listed(sandbox, "short")["short"]["network"] == "default"


def test_the_name_of_an_app_is_unique_over_all_organizations(sandbox: Sandbox) -> None:
    create(sandbox, "taken", org="first")
    response = create(sandbox, "taken", org="second")
    assert (response.status, response.json["status"]) == (422, "name_taken")


def test_the_name_of_a_destroyed_app_is_one_escaped_segment(sandbox: Sandbox) -> None:
    create(sandbox, "segment")
    assert call(sandbox, "DELETE", "/v1/apps/segment%3Fx").status == 404
    assert call(sandbox, "DELETE", "/v1/apps/%2e%2e%2Fapps%2Fsegment").status == 404
    assert call(sandbox, "DELETE", "/v1/apps/segm%65nt").status == 202


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({}, "none"),
        ({"Authorization": "Bearer wrong"}, "another token"),
        ({"Authorization": "Basic d3Jvbmc="}, "another scheme"),
        ({"Authorization": "Bearer "}, "an empty token"),
        ({"Authorization": "Bearer"}, "no token"),
    ],
)
@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "/v1/apps?org_slug=acme"),
        ("POST", "/v1/apps"),
        ("DELETE", "/v1/apps/web"),
        ("POST", "/sandbox/machines"),
        ("GET", "/nowhere"),
    ],
)
def test_every_request_needs_the_token(
    sandbox: Sandbox, method: str, target: str, headers: dict[str, str], why: str
) -> None:
    response = call(sandbox, method, target, headers=headers)
    assert (response.status, response.headers["www-authenticate"]) == (401, "Bearer"), why


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"app_name": "x", "org_slug": "o"}, 201),
        ({"app_name": "x" * 64, "org_slug": "o"}, 422),
        ({"app_name": "", "org_slug": "o"}, 422),
        ({"app_name": "a:b", "org_slug": "o"}, 422),
        ({"app_name": "a\n", "org_slug": "o"}, 422),
        ({"app_name": "\ud800", "org_slug": "o"}, 422),
        ({"app_name": "ä", "org_slug": "o"}, 422),
        ({"app_name": "y", "org_slug": "o/../p"}, 422),
        ({"app_name": "y", "org_slug": "o", "network": "17-customer"}, 422),
        ({"app_name": "y", "org_slug": "o", "network": ""}, 422),
        ({"app_name": "y", "org_slug": "o", "network": None}, 422),
        ({"app_name": "y", "org_slug": "o", "color": "red"}, 422),
        ({"app_name": "y"}, 422),
        ({"app_name": ["y"], "org_slug": "o"}, 422),
        ([], 400),
        (b"", 422),
        (b"{", 400),
        (b'{"app_name": NaN}', 400),
        (b"\xff", 400),
        (b'{"app_name": "y", "app_name": "z", "org_slug": "o"}', 400),
        (b"[" * 60000, 400),
        (b" " * 65537, 413),
    ],
)
def test_what_is_no_creation_is_refused_without_a_traceback(
    sandbox: Sandbox, body: object, status: int
) -> None:
    response = call(sandbox, "POST", "/v1/apps", body)
    assert response.status == status
    assert "error" in response.json or status == 201
    assert b"Traceback" not in response.body
    assert b'"y"' not in call(sandbox, "GET", "/v1/apps?org_slug=o").body


def test_a_body_of_another_type_is_refused(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}", "Content-Type": "text/plain"}
    assert call(sandbox, "POST", "/v1/apps", b"{}", headers).status == 415


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/v1/apps", 400),
        ("GET", "/v1/apps?org_slug=acme&org_slug=acme", 400),
        ("GET", "/v1/apps?org_slug=nobody", 404),
        ("GET", "/v1/apps?org_slug=%00", 404),
        ("DELETE", "/v1/apps/nobody", 404),
        ("DELETE", "/v1/apps/", 404),
        ("PATCH", "/v1/apps", 405),
        ("GET", "/", 404),
        ("GET", "/oidc/nobody/keys", 404),
        ("GET", "/oidc/acme/keys/", 404),
        ("POST", "/sandbox/machines/", 404),
        ("DELETE", "/sandbox/machines/1", 404),
    ],
)
def test_other_requests_are_refused(
    sandbox: Sandbox, method: str, target: str, status: int
) -> None:
    response = call(sandbox, method, target)
    assert response.status == status
    assert response.json["error"]


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /v1/apps HTTP/1.1\r\nHost: a\r\n" + b"X: " + b"y" * 70000,
        b"POST /v1/apps HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/apps HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_is_no_request_does_not_stop_the_server(sandbox: Sandbox, sent: bytes) -> None:
    address = urlsplit(sandbox.base_url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(sent)
        first = connection.recv(100)
    assert first.startswith(b"HTTP/1.1 4")
    assert create(sandbox, f"after-{len(sent)}").status == 201


def test_the_scheme_may_have_any_case_and_options_lists_every_method(sandbox: Sandbox) -> None:
    create(sandbox, "case", org="case")
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {sandbox.token}"}
        assert call(sandbox, "GET", "/v1/apps?org_slug=case", headers=headers).status == 200
    allowed = call(sandbox, "OPTIONS", "/v1/apps").headers["allow"]
    assert {"GET", "POST"} <= set(allowed.split(", "))


def test_the_server_listens_on_loopback_by_default(sandbox: Sandbox) -> None:
    assert urlsplit(sandbox.base_url).hostname == "127.0.0.1"
    with Sandbox(host="0.0.0.0") as everywhere:  # noqa: S104 - what is tested
        assert urlsplit(everywhere.base_url).hostname == "127.0.0.1"
        assert create(everywhere, "web").status == 201


def test_an_issuer_has_the_url_under_which_relying_parties_reach_it() -> None:
    with Sandbox(oidc_issuer="http://host.docker.internal:8080/oidc/") as sandbox:
        issuer = sandbox.ensure_issuer("acme")
        assert issuer == "http://host.docker.internal:8080/oidc/acme"
        assert sandbox.environment["FDAA_OIDC_ISSUER"] == "http://host.docker.internal:8080/oidc"
        target = "/oidc/acme/.well-known/openid-configuration"
        published = call(sandbox, "GET", target, headers={}).json
        assert (published["issuer"], published["jwks_uri"]) == (issuer, f"{issuer}/keys")
        create(sandbox, "web")
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token()
        assert token.claims().iss == issuer


def test_with_a_certificate_everything_goes_over_tls(
    certificate_authority: trustme.CA,
    tls_trust: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = str(tmp_path / "certificate-and-key")
    certificate_authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(file)
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
    with (
        Sandbox(certificate=(file, file)) as sandbox,
        Client(sandbox.base_url, sandbox.token) as client,
    ):
        assert sandbox.ensure_issuer("acme").startswith("https://127.0.0.1:")
        client.create_app("web", org="acme", network="blue")
        assert client.list_apps(org="acme")[0].network == "blue"
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token(aud="someone")
        verifier = Verifier(issuer=sandbox.ensure_issuer("acme"), aud="someone", sub="acme:web:*")
        assert verifier.verify(token.reveal()).app_name == "web"
        client.destroy_app("web")
