"""The API of the sandbox (specification, sections 4.1 to 4.3 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from sandbox_calls import call, create, listed

from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from pathlib import Path

    import trustme


def test_an_app_is_created_on_its_network_listed_and_destroyed(sandbox: Sandbox) -> None:
    response = create(sandbox, "short", "blue", org="lists")
    app = {"id": response.json["id"], "name": "short", "network": "blue"}
    assert (response.status, response.json) == (201, app)
    expected = {**app, "machine_count": 0, "volume_count": 0}
    assert listed(sandbox, "lists") == {"short": expected}
    response = call(sandbox, "DELETE", "/v1/apps/short")
    assert (response.status, response.body) == (202, b"")
    assert listed(sandbox, "lists") == {}
    assert create(sandbox, "short", org="lists").status == 201  # its name is free again
    again = listed(sandbox, "lists")["short"]
    assert again["id"] != app["id"]
    assert again["network"] == "default"


def test_the_name_of_a_destroyed_app_is_one_escaped_segment(sandbox: Sandbox) -> None:
    create(sandbox, "segment")
    assert call(sandbox, "DELETE", "/v1/apps/segment%3Fx").status == 404
    assert call(sandbox, "DELETE", "/v1/apps/%2e%2e%2Fapps%2Fsegment").status == 404
    assert call(sandbox, "DELETE", "/v1/apps/segm%65nt").status == 202


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic d3Jvbmc="},
        {"Authorization": "Bearer "},
    ],
    ids=range(4),
)
@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "/v1/apps?org_slug=acme"),
        ("POST", "/v1/apps"),
        ("DELETE", "/v1/apps/web"),
    ],
)
def test_every_request_needs_the_token(
    sandbox: Sandbox, method: str, target: str, headers: dict[str, str]
) -> None:
    response = call(sandbox, method, target, headers=headers)
    assert (response.status, response.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"app_name": "x" * 64, "org_slug": "o"}, 422),
        ({"app_name": "", "org_slug": "o"}, 422),
        ({"app_name": "a:b", "org_slug": "o"}, 422),
        ({"app_name": "a\n", "org_slug": "o"}, 422),
        ({"app_name": "\ud800", "org_slug": "o"}, 422),
        ({"app_name": "y", "org_slug": "o/../p"}, 422),
        ({"app_name": "y", "org_slug": "o", "network": "17-customer"}, 422),
        ({"app_name": "y", "org_slug": "o", "network": None}, 422),
        ({"app_name": "y", "org_slug": "o", "color": "red"}, 422),
        ({"app_name": "y"}, 422),
        ({"app_name": ["y"], "org_slug": "o"}, 422),
        ([], 400),
        (b"", 422),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 60000, 400),
        (b" " * 65537, 413),
    ],
)
def test_what_is_no_creation_is_refused_without_a_traceback(
    sandbox: Sandbox, body: object, status: int
) -> None:
    response = call(sandbox, "POST", "/v1/apps", body)
    assert (response.status, "error" in response.json) == (status, True)
    assert b'"y"' not in call(sandbox, "GET", "/v1/apps?org_slug=o").body


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/v1/apps", 400),
        ("GET", "/v1/apps?org_slug=acme&org_slug=acme", 400),
        ("GET", "/v1/apps?org_slug=nobody", 404),
        ("DELETE", "/v1/apps/nobody", 404),
        ("DELETE", "/v1/apps/", 404),
        ("PATCH", "/v1/apps", 405),
        ("GET", "/oidc/nobody/keys", 404),
        ("GET", "/oidc/nobody/.well-known/openid-configuration", 404),
    ],
)
def test_other_requests_are_refused(
    sandbox: Sandbox, method: str, target: str, status: int
) -> None:
    response = call(sandbox, method, target)
    assert (response.status, bool(response.json["error"])) == (status, True)


def test_the_server_listens_on_loopback_by_default(sandbox: Sandbox) -> None:
    assert urlsplit(sandbox.base_url).hostname == "127.0.0.1"
    with Sandbox(host="::") as everywhere:
        assert urlsplit(everywhere.base_url).hostname == "::1"
        with Client(everywhere.base_url, everywhere.token) as client:
            client.create_app("web", org="acme")


def test_an_issuer_has_the_url_under_which_relying_parties_reach_it() -> None:
    with Sandbox(oidc_issuer="http://host.docker.internal:8080/oidc/") as sandbox:
        issuer = sandbox.ensure_issuer("acme")
        assert issuer == "http://host.docker.internal:8080/oidc/acme"
        target = "/oidc/acme/.well-known/openid-configuration"
        published = call(sandbox, "GET", target, headers={}).json
        assert (published["issuer"], published["jwks_uri"]) == (issuer, f"{issuer}/keys")
        sandbox.create_app("web", org="acme")
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token()
        assert token.claims().iss == issuer


def test_with_a_certificate_everything_goes_over_tls(
    certificate_authority: trustme.CA, tmp_path: Path
) -> None:
    file = str(tmp_path / "certificate-and-key")
    certificate_authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(file)
    with (
        Sandbox(certificate=(file, file)) as sandbox,
        Client(sandbox.base_url, sandbox.token) as client,
    ):
        client.create_app("web", org="acme", network="blue")
        assert client.list_apps(org="acme")[0].network == "blue"
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token(aud="someone")
        verifier = Verifier(issuer=sandbox.ensure_issuer("acme"), aud="someone", sub="acme:web:*")
        assert verifier.verify(token.reveal()).app_name == "web"
