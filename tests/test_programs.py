"""The example programs: each runs against what it is for, and a guide includes it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from databases import database
from examples import asgi_gate, ci_gate, deploy, log_enricher, registry
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from fdaa import Address, NetworkID, Prefix
from fdaa.networks import NetworkMap, read_document
from fdaa.platform import AsyncVerifier, Client, MachineIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from fdaa.platform.sandbox import Sandbox

EXAMPLES = Path(__file__).parent.parent / "docs/examples"
PROGRAMS = ("asgi_gate.py", "ci_gate.py", "deploy.py", "log_enricher.py", "registry.py")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_guide_includes_each_program(program: str) -> None:
    """The site has the program itself in place of the line."""
    line = f'```python\n--8<-- "{program}"\n```\n'
    assert [page for page in EXAMPLES.parent.glob("*.md") if line in page.read_text("utf-8")]


AUDIENCE = "https://gate.example"


def test_the_gate_lets_a_machine_of_its_network_with_a_token_through(fdaa_sandbox: Sandbox) -> None:
    with Client(fdaa_sandbox.base_url, fdaa_sandbox.token) as client:
        client.create_app("web", org="acme")
    machine = fdaa_sandbox.start_machine("web")
    token = MachineIdentity(socket=machine.socket).token(aud=AUDIENCE).reveal()
    other = MachineIdentity(socket=machine.socket).token(aud="https://other.example").reveal()
    issuer = fdaa_sandbox.ensure_issuer("acme")
    requests = (
        # the peer, the token, the status
        (str(machine.address), token, 200),
        (str(machine.address), other, 401),
        (str(machine.address), None, 401),
        (str(machine.address), "nonsense", 401),
        ("fdaa:ffff:1::3", token, 403),
        ("2001:db8::1", token, 403),
    )
    network = machine.address.network_id
    found = asyncio.run(statuses(issuer, network, [request[:2] for request in requests]))
    assert found == [status for _, _, status in requests]


async def statuses(
    issuer: str, network: NetworkID, requests: list[tuple[str, str | None]]
) -> list[int]:
    async def hello(_: Request) -> PlainTextResponse:
        return PlainTextResponse("hello")

    app = Starlette(routes=[Route("/", hello)])
    found = []
    async with AsyncVerifier(issuer=issuer, aud=AUDIENCE, allow_plain_http=True) as verifier:
        gate = asgi_gate.Gate(app, verifier, network)
        for peer, token in requests:
            headers = {}
            if token is not None:
                headers["Authorization"] = f"Bearer {token}"
            transport = httpx2.ASGITransport(app=gate, client=(peer, 1))
            async with httpx2.AsyncClient(transport=transport, base_url="http://gate") as client:
                found.append((await client.get("/", headers=headers)).status_code)
    return found


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ({"X-Forwarded-For": "fdaa:2:45b::3"}, ("2001:db8::1", 4000)),
        ({"Forwarded": 'for="[fdaa:2:45b::3]"'}, ("fdaa:2:45b::3", 4000)),
        ({}, None),
    ],
)
def test_the_gate_refuses_where_a_header_may_have_made_the_peer(
    headers: dict[str, str], client: tuple[str, int] | None
) -> None:
    """Behind a middleware that trusts every forwarder; the token is not looked at."""

    async def main() -> int:
        async with AsyncVerifier(issuer="https://oidc.example/acme", aud=AUDIENCE) as verifier:
            gate: Any = asgi_gate.Gate(PlainTextResponse("hello"), verifier, NetworkID("2:45b"))
            app = ProxyHeadersMiddleware(gate, trusted_hosts="*")
            transport = httpx2.ASGITransport(app=app, client=client)  # type: ignore[arg-type]
            async with httpx2.AsyncClient(transport=transport, base_url="http://gate") as http:
                return (await http.get("/", headers=headers)).status_code

    assert asyncio.run(main()) == 403


def test_the_enricher_names_networks_and_apps() -> None:
    files = [EXAMPLES / "apps.json", EXAMPLES / "instances.txt"]
    networks = NetworkMap(map(read_document, files))
    line = "peer fdaa:2:45b::9 and fdaa:9::1, not 10.0.0.1\n"
    expected = "peer fdaa:2:45b::9 (customer-17) and fdaa:9::1 (network 9:0), not 10.0.0.1\n"
    assert log_enricher.enriched(line, networks) == expected


def test_a_document_that_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert log_enricher.main(["web=no.json"]) == 2
    assert "no.json" in capsys.readouterr().err


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engines)])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with database(request.param) as engine:
        yield engine.url.render_as_string(hide_password=False)


def test_the_registry_finds_machines_and_gateways(url: str) -> None:
    found = registry.Registry(url)
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
    assert deploy.main(["deploying", "customer-17"]) == 2  # it shows how it is called


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
    assert ci_gate.main([str(apps)]) == 2  # it shows how it is called
