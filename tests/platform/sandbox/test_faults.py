"""Faults on demand: each is what a client, or a relying party, meets in the field."""

from __future__ import annotations

import http.client
import subprocess
import sys
from typing import Any

import pytest
from command import environ
from sandbox_calls import ask_token, call, create, listed

from fdaa.platform import Client, MachineIdentity, TokenRefusedError, UnreachableError, Verifier
from fdaa.platform.sandbox import Fault, InvalidArgumentError, Sandbox, SandboxError


@pytest.mark.parametrize(
    ("fault", "claims"),
    [
        (Fault.EXPIRED_TOKEN, {"exp"}),
        (Fault.TOKEN_NOT_VALID_YET, {"nbf", "iat"}),
        (Fault.UNPUBLISHED_KEY, {"kid"}),
    ],
)
def test_the_next_token_is_refused_and_the_one_after_it_is_not(
    sandbox: Sandbox, fault: Fault, claims: set[str]
) -> None:
    create(sandbox, fault)
    identity = MachineIdentity(socket=sandbox.start_machine(fault).socket)
    iss = sandbox.ensure_issuer("acme")
    verifier = Verifier(issuer=iss, aud="someone", allow_plain_http=True)
    sandbox.inject_fault(fault)
    with pytest.raises(TokenRefusedError) as info:
        verifier.verify(identity.token(aud="someone").reveal())
    assert {failure.claim for failure in info.value.failures} == claims
    assert verifier.verify(identity.token(aud="someone").reveal()).app_name == fault


def test_faults_come_in_their_order_and_on_every_interface(sandbox: Sandbox) -> None:
    create(sandbox, "web", org="orders")
    path = sandbox.ensure_issuer("orders").removeprefix(sandbox.base_url)
    machine = sandbox.start_machine("web")
    sandbox.inject_fault("unavailable", count=2)
    sandbox.inject_fault("rate-limit", count=2, seconds=6.5)
    assert call(sandbox, "GET", f"{path}/keys").status == 503
    sandbox.start_machine("web")  # the sandbox's own request
    assert ask_token(machine).status == 503
    for _ in range(2):
        response = create(sandbox, "limited")
        assert (response.status, response.headers["retry-after"]) == (429, "7")
    assert list(listed(sandbox, "orders")) == ["web"]
    assert listed(sandbox, "orders")["web"]["machine_count"] == 2


def test_a_response_that_is_cut_off_leaves_in_doubt_a_change_that_happened(
    sandbox: Sandbox,
) -> None:
    sandbox.inject_fault(Fault.CUT_OFF)
    with pytest.raises(http.client.IncompleteRead):
        create(sandbox, "cut", org="cut")
    sandbox.inject_fault(Fault.CUT_OFF)
    with Client(sandbox.base_url, sandbox.token) as client:
        with pytest.raises(UnreachableError) as info:
            client.destroy_app("cut")
        assert info.value.may_have_happened
    assert listed(sandbox, "cut") == {}


def test_a_delay_is_longer_than_a_client_waits(sandbox: Sandbox) -> None:
    sandbox.inject_fault(Fault.DELAY, seconds=0.5)
    client = Client(sandbox.base_url, sandbox.token, timeout=0.1)
    with client, pytest.raises(UnreachableError, match=r"within 0\.1 seconds"):
        client.list_apps(org="acme")


ENDING = """
import contextlib
from fdaa.platform import Client, UnreachableError
from fdaa.platform.sandbox import Sandbox
with Sandbox() as sandbox:
    for fault, timeout in (("cut-off", 10), ("delay", 0.1)):
        sandbox.inject_fault(fault, seconds=100)
        with Client(sandbox.base_url, sandbox.token, timeout=timeout) as client:
            with contextlib.suppress(UnreachableError):
                client.create_app("web", org="acme")
"""


@pytest.mark.slow
def test_the_sandbox_ends_without_a_traceback_though_a_response_is_delayed() -> None:
    command = [sys.executable, "-c", ENDING]
    process = subprocess.run(
        command, env=environ(), capture_output=True, text=True, timeout=60, check=True
    )
    assert process.stderr.splitlines() in ([], [CUT_OFF])


CUT_OFF = "ASGI callable returned without completing response."  # uvicorn reports it


@pytest.mark.parametrize(
    "arguments",
    [
        {"fault": "weather"},
        {"fault": "delay", "count": 0},
        {"fault": "delay", "count": 1001},
        {"fault": "delay", "count": 1.5},
        {"fault": "delay", "count": True},
        {"fault": "delay", "seconds": -1},
    ],
)
def test_a_fault_that_makes_no_sense_is_a_value_error(
    sandbox: Sandbox, arguments: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        sandbox.inject_fault(**arguments)
    assert type(caught.value) is InvalidArgumentError
    assert isinstance(caught.value, SandboxError)


@pytest.mark.parametrize("arguments", [{"after": -1}, {"after": "1"}, {"withdraw": 0}])
def test_a_rotation_that_makes_no_sense_is_a_value_error(
    sandbox: Sandbox, arguments: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="must be"):
        sandbox.rotate_key("acme", **arguments)
