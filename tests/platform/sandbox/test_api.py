"""The sandbox: its start and its stop, and its API (specification, sections 4.1 to 4.3 and 5)."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sandbox_calls import call

from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    import trustme

    from fdaa import NetworkID


def test_it_starts_empty_each_time_with_another_token() -> None:
    sandbox = Sandbox()
    seen = set()
    for _ in range(2):
        with pytest.raises(SandboxError, match="not running; call start"):
            sandbox.start_machine("web")
        with sandbox, Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme")  # as if for the first time
            machine = sandbox.start_machine("web")
            assert Path(machine.socket).exists()
            seen.add(sandbox.token)
            with pytest.raises(SandboxError, match="already running"):
                sandbox.start()
            assert sandbox.environment == {
                "FDAA_API_URL": sandbox.base_url,
                "FDAA_API_TOKEN": sandbox.token,
                "FDAA_OIDC_ISSUER": f"{sandbox.base_url}/oidc",
            }
        assert not Path(machine.socket).parent.exists()
    sandbox.stop()  # once more is fine
    assert len(seen) == 2


def test_what_cannot_be_used_at_the_start_leaves_nothing_open(tmp_path: Path) -> None:
    file = tmp_path / "pem"
    file.write_text("no certificate")
    with pytest.raises(SandboxError, match="cannot be used"):
        Sandbox(certificate=(str(file), str(file))).start()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SandboxError, match=f"port {port} cannot be used: Address already"):
            Sandbox(port=port).start()


def test_every_request_needs_the_token(sandbox: Sandbox) -> None:
    for method, target in (("GET", "/v1/apps"), ("POST", "/v1/apps"), ("DELETE", "/v1/apps/web")):
        response = call(sandbox, method, target, authorization="Bearer wrong")
        assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    ("method", "target", "body", "status"),
    [
        ("GET", "/v1/apps", None, 400),
        ("GET", "/v1/apps?org_slug=nobody", None, 404),
        ("DELETE", "/v1/apps/nobody", None, 404),
        ("PATCH", "/v1/apps", None, 405),
        ("GET", "/oidc/nobody/keys", None, 404),
        ("POST", "/v1/apps", {"app_name": "x" * 64, "org_slug": "o"}, 422),
        ("POST", "/v1/apps", {"app_name": "y", "org_slug": "o", "network": "17-customer"}, 422),
        ("POST", "/v1/apps", {"app_name": "y", "org_slug": "o", "color": "red"}, 422),
        ("POST", "/v1/apps", {"app_name": "y"}, 422),
        ("POST", "/v1/apps", [], 400),
        ("POST", "/v1/apps", b"[" * 60_000, 400),
    ],
)
def test_a_wrong_request_is_refused(
    sandbox: Sandbox, method: str, target: str, body: object, status: int
) -> None:
    response = call(sandbox, method, target, body)
    assert response.status_code == status
    assert set(response.json()) == {"error", "status"}


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
        published = call(sandbox, "GET", target).json()
        assert (published["issuer"], published["jwks_uri"]) == (issuer, f"{issuer}/keys")
        sandbox.create_app("web", org="acme")
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token()
        assert token.claims().iss == issuer


def test_with_a_certificate_everything_goes_over_tls(trusted: trustme.CA, tmp_path: Path) -> None:
    file = str(tmp_path / "certificate-and-key")
    trusted.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(file)
    with (
        Sandbox(certificate=(file, file)) as sandbox,
        Client(sandbox.base_url, sandbox.token) as client,
    ):
        client.create_app("web", org="acme")
        token = MachineIdentity(socket=sandbox.start_machine("web").socket).token(aud="someone")
        verifier = Verifier(issuer=sandbox.ensure_issuer("acme"), aud="someone")
        assert verifier.verify(token.reveal()).app_name == "web"
