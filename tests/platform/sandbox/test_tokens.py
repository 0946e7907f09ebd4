"""Machines of the sandbox, their tokens, the issuer and its keys, and faults (2.3, 2.4, 4.4)."""

from __future__ import annotations

import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import jwt
import pytest
from sandbox_calls import ask_token, call

from fdaa.platform import (
    Claims,
    Client,
    MachineIdentity,
    RateLimitError,
    TokenRefusedError,
    UnreachableError,
    Verifier,
)
from fdaa.platform.sandbox import Fault, Machine, Sandbox, SandboxError

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def machine(sandbox: Sandbox) -> Machine:
    sandbox.create_app("web", org="acme", network="blue")
    return sandbox.start_machine("web")


def verify(sandbox: Sandbox, token: str) -> Claims:
    return Verifier(issuer=sandbox.ensure_issuer("acme"), aud="someone").verify(token)


def test_a_token_has_the_claims_of_the_specification(sandbox: Sandbox, machine: Machine) -> None:
    response = ask_token(machine, {"aud": "someone"})
    assert response.headers["content-type"].startswith("text/plain")
    header = jwt.get_unverified_header(response.text)
    assert (header["alg"], header["typ"], bool(header["kid"])) == ("RS256", "JWT", True)
    claims = verify(sandbox, response.text)
    assert len(claims.to_dict()) == 17
    assert claims.other == {}
    assert claims.sub == f"acme:web:{claims.machine_name}"
    assert (claims.exp - claims.iat, claims.nbf) == (600, claims.iat)  # rule 2
    assert abs(claims.iat - time.time()) < 60
    assert claims.machine_id == machine.id
    with Client(sandbox.base_url, sandbox.token) as client:
        assert claims.app_id == client.list_apps(org="acme")[0].id
    again = jwt.decode(ask_token(machine).text, options={"verify_signature": False})
    assert uuid.UUID(again["jti"]) != uuid.UUID(claims.jti)  # rule 1
    assert again["aud"] == f"{sandbox.base_url}/acme"  # a URL that contains the organization


def test_other_requests_for_a_token_are_refused(machine: Machine) -> None:
    assert ask_token(machine, {"aud": ["x"]}).status_code == 422
    assert ask_token(machine, []).status_code == 400
    assert ask_token(machine, {}, "evil.example").status_code == 400


@pytest.mark.parametrize(
    "end",
    [
        lambda sandbox, machine: sandbox.destroy_machine(machine),
        lambda sandbox, _: call(sandbox, "DELETE", "/v1/apps/ended"),
    ],
)
def test_a_destroyed_machine_has_no_socket(end: Callable[[Sandbox, Machine], object]) -> None:
    with Sandbox() as sandbox:
        sandbox.create_app("ended", org="acme")
        machine = sandbox.start_machine("ended")
        end(sandbox, machine)
        assert not Path(machine.socket).exists()
        with pytest.raises(SandboxError, match="there is no Machine"):
            sandbox.destroy_machine(machine)


def test_a_rotated_key_is_published_until_its_tokens_have_expired(
    sandbox: Sandbox, machine: Machine, clock: list[float]
) -> None:
    """Ten minutes, the life of a token, and five more."""

    def published() -> list[str]:
        keys = call(sandbox, "GET", "/oidc/acme/keys").json()["keys"]
        assert all("d" not in key for key in keys)
        return [key["kid"] for key in keys]

    old = ask_token(machine, {"aud": "someone"}).text
    (first,) = published()
    sandbox.rotate_key("acme")
    second, _ = published()
    new = ask_token(machine, {"aud": "someone"}).text
    assert jwt.get_unverified_header(new)["kid"] == second != first
    clock[0] += 899.9
    assert published() == [second, first]
    assert verify(sandbox, old).app_name == verify(sandbox, new).app_name == "web"
    clock[0] += 0.1
    assert published() == [second]


@pytest.mark.parametrize(
    ("fault", "claims"),
    [
        (Fault.EXPIRED_TOKEN, {"exp"}),
        (Fault.TOKEN_NOT_VALID_YET, {"nbf", "iat"}),
        (Fault.UNPUBLISHED_KEY, {"kid"}),
    ],
)
def test_the_next_token_is_refused_and_the_one_after_it_is_not(
    sandbox: Sandbox, machine: Machine, fault: Fault, claims: set[str]
) -> None:
    identity = MachineIdentity(socket=machine.socket)
    sandbox.inject_fault(fault)
    with pytest.raises(TokenRefusedError) as info:
        verify(sandbox, identity.token(aud="someone").reveal())
    assert {failure.claim for failure in info.value.failures} == claims
    assert verify(sandbox, identity.token(aud="someone").reveal()).app_name == "web"


def test_a_client_meets_each_fault_as_its_own_error(sandbox: Sandbox) -> None:
    with Client(sandbox.base_url, sandbox.token) as client:
        sandbox.inject_fault(Fault.RATE_LIMIT, seconds=3600)
        with pytest.raises(RateLimitError) as limited:
            client.create_app("limited", org="acme")
        assert (limited.value.retry_after, limited.value.may_have_happened) == (3600, False)
        sandbox.inject_fault(Fault.CUT_OFF)
        with pytest.raises(UnreachableError) as cut:
            client.create_app("cut", org="acme")
        assert cut.value.may_have_happened
        assert "cut" in client.list_apps(org="acme")
        sandbox.inject_fault(Fault.UNAVAILABLE, count=2)
        assert "limited" not in client.list_apps(org="acme")  # at the third attempt


def test_a_delay_is_longer_than_a_client_waits_and_ends_with_the_sandbox(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Sandbox() as sandbox:
        sandbox.inject_fault(Fault.DELAY, seconds=100)
        client = Client(sandbox.base_url, sandbox.token, timeout=0.1)
        with client, pytest.raises(UnreachableError, match=r"within 0\.1 seconds"):
            client.list_apps(org="acme")
    assert caplog.messages == []
