"""Tests of the service in `allow_list.py`."""

from collections.abc import Callable, Iterator

import pytest
from allow_list import create_service
from fastapi.testclient import TestClient
from httpx2 import Response

from fdaa.platform import AsyncVerifier, Client, MachineIdentity
from fdaa.platform.sandbox import Sandbox

AUDIENCE = "https://reports.example"
pytest_plugins = ["fdaa.pytest_plugin"]  # `fdaa_sandbox`

Ask = Callable[[str], Response]


@pytest.fixture
def ask(fdaa_sandbox: Sandbox) -> Iterator[Ask]:
    """Ask for the report as a Machine of an app; `web` is on the list."""
    with Client(fdaa_sandbox.base_url, fdaa_sandbox.token) as client:
        web = client.create_app("web", org="acme")
        client.create_app("other", org="acme")
    issuer = fdaa_sandbox.ensure_issuer("acme")
    verifier = AsyncVerifier(issuer=issuer, aud=AUDIENCE, allow_plain_http=True)
    with TestClient(create_service(verifier, {web.id})) as service:

        def ask(app: str) -> Response:
            identity = MachineIdentity(socket=fdaa_sandbox.start_machine(app).socket)
            token = identity.token(aud=AUDIENCE).reveal()
            return service.get("/report", headers={"Authorization": f"Bearer {token}"})

        yield ask


def test_an_app_on_the_list_gets_the_report(ask: Ask) -> None:
    response = ask("web")
    assert (response.status_code, response.json()["app"]) == (200, "web")


def test_another_app_does_not(ask: Ask) -> None:
    assert ask("other").status_code == 403


@pytest.mark.parametrize("fault", ["expired-token", "token-not-valid-yet", "unpublished-key"])
def test_a_token_that_is_not_valid_is_refused(ask: Ask, fdaa_sandbox: Sandbox, fault: str) -> None:
    fdaa_sandbox.inject_fault(fault)
    assert ask("web").status_code == 401
