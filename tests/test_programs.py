"""The example programs, each against what it is for; the guides run the others."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx2
from examples import asgi_gate, ci_gate, deploy, registry
from starlette.responses import PlainTextResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from fdaa import Address, NetworkID, Prefix
from fdaa.platform import AsyncVerifier, Client, MachineIdentity

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from fdaa.platform.sandbox import Sandbox

AUDIENCE = "https://gate.example"


def test_the_gate_lets_a_machine_of_its_network_with_a_token_through(fdaa_sandbox: Sandbox) -> None:
    with Client(fdaa_sandbox.base_url, fdaa_sandbox.token) as client:
        client.create_app("web", org="acme")
    machine = fdaa_sandbox.start_machine("web")
    own = str(machine.address)
    identity = MachineIdentity(socket=machine.socket)
    token = {"Authorization": f"Bearer {identity.token(aud=AUDIENCE).reveal()}"}
    other = {"Authorization": f"Bearer {identity.token(aud='https://other.example').reveal()}"}
    requests: list[tuple[str | None, dict[str, str], int]] = [
        # the peer, the headers, the status
        (own, token, 200),
        (own, other, 401),
        (own, {}, 401),
        (own, {"Authorization": "Bearer nonsense"}, 401),
        ("fdaa:ffff:1::3", token, 403),
        ("2001:db8::1", token, 403),
        (None, token, 403),
        # A header may have made the peer.
        ("2001:db8::1", {**token, "X-Forwarded-For": own}, 403),
        (own, {**token, "Forwarded": f'for="[{own}]"'}, 403),
    ]

    async def main() -> list[int]:
        found = []
        issuer = fdaa_sandbox.ensure_issuer("acme")
        verifier = AsyncVerifier(issuer=issuer, aud=AUDIENCE, allow_plain_http=True)
        service: Any = PlainTextResponse("hello")
        gate: Any = asgi_gate.Gate(service, verifier, machine.address.network_id)
        trusting: Any = ProxyHeadersMiddleware(gate, trusted_hosts="*")
        for peer, headers, _ in requests:
            address: Any = peer and (peer, 4000)
            transport = httpx2.ASGITransport(app=trusting, client=address)
            async with httpx2.AsyncClient(transport=transport, base_url="http://gate") as http:
                found.append((await http.get("/", headers=headers)).status_code)
        return found

    assert asyncio.run(main()) == [status for _, _, status in requests]


def test_the_registry_finds_machines_and_gateways() -> None:
    found = registry.Registry("sqlite://")
    for number in (4, 3):
        address = Address(f"fdaa:2:45b::{number}")
        found.add(registry.Machine(id=f"m{number}", address=address))
    found.add(registry.Machine(id="other", address=Address("fdaa:2:45c::3")))
    found.add(registry.Route(prefix=Prefix("fdaa:2:45b::/48"), gateway="first"))
    found.add(registry.Route(prefix=Prefix("fdaa:2:45b::/64"), gateway="second"))
    assert found.machines_on(NetworkID("2:45b")) == ["m3", "m4"]
    assert found.machines_on(Prefix("fdaa:2:45b::4/126")) == ["m4"]
    assert found.gateway_of(Address("fdaa:2:45b::9")) == "second"
    assert found.gateway_of(Address("fdaa:2:45b:1::9")) == "first"
    assert found.gateway_of(Address("fdaa::9")) is None
    found.engine.dispose()


def test_the_deploy_script_creates_apps_once(
    fdaa_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in fdaa_sandbox.environment.items():
        monkeypatch.setenv(name, value)
    for done in ("created", "exists"):
        assert deploy.main(["deploying", "customer-17", "site"]) == 0
        assert capsys.readouterr().out == f"site: {done} on network customer-17\n"
    assert deploy.main(["deploying", "other", "site"]) == 2
    assert "exists on network customer-17" in capsys.readouterr().err
    monkeypatch.delenv("FDAA_API_URL")
    assert deploy.main(["deploying", "customer-17", "site"]) == 2
    assert capsys.readouterr().err == "FDAA_API_URL is not set\n"


def test_the_gate_in_ci_fails_at_what_is_not_possible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apps = tmp_path / "apps.json"
    rows = [{"name": "web", "network": "a"}, {"name": "api", "network": "a"}]
    rows.append({"name": "db", "network": "b"})
    apps.write_text(json.dumps({"apps": rows}))
    assert ci_gate.main([str(apps), "--", "web:api"]) == 0
    assert capsys.readouterr().out == "all connections are permitted\n"
    assert ci_gate.main([str(apps), "--", "web:api", "web:db"]) == 1
    assert "whether web is permitted to reach db" in capsys.readouterr().out
    machines = tmp_path / "web.json"
    machines.write_text('[{"id": "1", "private_ip": "fdaa:2:45b::3"}]')
    assert ci_gate.main([str(apps), str(machines), "--", "web:api"]) == 1  # whose Machines?
    assert ci_gate.main([str(apps), f"web={machines}", "--", "web:api"]) == 0
    assert ci_gate.main([str(tmp_path / "no"), "--"]) == 2
