"""The live platform: a call of the client beside httpx2, and `Verifier` beside PyJWT."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import httpx2
import jwt

from benchmarks.measure import Row, compare, require_same
from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

AUDIENCE = "https://storage.example"
CALLS = 200


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area: processor time, with a sandbox in this process."""
    rounds = 7
    if small:
        rounds = 1
    with Sandbox() as sandbox:
        with Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme", network="blue")
            yield from _call(client, sandbox, rounds)
        yield from _verify(sandbox, rounds)


def _call(client: Client, sandbox: Sandbox, rounds: int) -> Iterator[Row]:
    """The sandbox has a thread of its own, whose time is not counted."""
    headers = {"Authorization": f"Bearer {sandbox.token}", "Accept": "application/json"}
    place = f"{sandbox.base_url}/v1/apps?org_slug=acme"
    with httpx2.Client(headers=headers) as bare:
        answers = {"fdaa": [app.name for app in client.list_apps(org="acme")]}
        answers["httpx2"] = [app["name"] for app in bare.get(place).json()["apps"]]
        require_same(answers)
        calls = {
            "fdaa": lambda: [client.list_apps(org="acme") for _ in range(CALLS)],
            "httpx2": lambda: [bare.get(place).json() for _ in range(CALLS)],
        }
        job = "`Client.list_apps`"
        yield from compare(job, calls, answers=CALLS, rounds=rounds, clock=time.thread_time)


def _verify(sandbox: Sandbox, rounds: int) -> Iterator[Row]:
    issuer = sandbox.ensure_issuer("acme")
    machine = sandbox.start_machine("web")
    token = MachineIdentity(socket=machine.socket).token(aud=AUDIENCE).reveal()
    uri = httpx2.get(f"{issuer}/.well-known/openid-configuration").json()["jwks_uri"]
    key = jwt.PyJWKClient(uri).get_signing_key_from_jwt(token)
    verifier = Verifier(issuer=issuer, aud=AUDIENCE, allow_plain_http=True)
    plain = partial(jwt.decode, token, key, ["RS256"], audience=AUDIENCE, issuer=issuer)
    require_same({"fdaa": [verifier.verify(token).sub], "PyJWT": [plain()["sub"]]})
    calls = {
        "fdaa": lambda: [verifier.verify(token) for _ in range(CALLS)],
        "PyJWT": lambda: [plain() for _ in range(CALLS)],
    }
    yield from compare("`Verifier.verify`", calls, answers=CALLS, rounds=rounds)
