"""The API of the sandbox (specification, sections 4.1 to 4.3 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sandbox_calls import call

from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from pathlib import Path

    import trustme

    from fdaa import NetworkID


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}], ids=range(2))
def test_every_request_needs_the_token(sandbox: Sandbox, headers: dict[str, str]) -> None:
    for method in ("GET", "POST", "DELETE"):
        target = "/v1/apps/web" if method == "DELETE" else "/v1/apps"
        response = call(sandbox, method, target, headers=headers)
        assert (response.status, response.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"app_name": "x" * 64, "org_slug": "o"}, 422),
        ({"app_name": "\ud800", "org_slug": "o"}, 422),
        ({"app_name": "y", "org_slug": "o", "network": "17-customer"}, 422),
        ({"app_name": "y", "org_slug": "o", "color": "red"}, 422),
        ({"app_name": "y"}, 422),
        ([], 400),
        (b"{", 400),
        (b"[" * 60000, 400),
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
        ("PATCH", "/v1/apps", 405),
        ("GET", "/oidc/nobody/keys", 404),
    ],
)
def test_other_requests_are_refused(
    sandbox: Sandbox, method: str, target: str, status: int
) -> None:
    response = call(sandbox, method, target)
    assert (response.status, bool(response.json["error"])) == (status, True)


def test_networks_have_their_ids_forever_and_apps_their_networks(sandbox: Sandbox) -> None:
    ids: dict[object, NetworkID] = {}
    addresses = set()
    with Client(sandbox.base_url, sandbox.token) as client:
        for org, network in (("one", "blue"), ("one", "Blue"), ("two", "blue"), ("one", None)):
            for _ in range(2):  # again, after its first app was destroyed
                made = client.create_app("short", org=org, network=network)
                assert made.network == (network or "default")
                listed = client.list_apps(org=org).by_name("short")
                assert listed is not None
                assert (listed.id, listed.machine_count) == (made.id, 0)  # 2.1, rule 2
                machine = sandbox.start_machine("short")
                known = ids.setdefault((org, network), machine.address.network_id)
                assert known == machine.address.network_id  # 2.2: bound to the name forever
                addresses.add(machine.address)
                client.destroy_app("short")
                assert "short" not in client.list_apps(org=org)
    assert len(set(ids.values())) == 4  # no ID is used twice
    assert len(addresses) == 8


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
