"""The asynchronous classes: their calls, calls that are cancelled, and the threads they use."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN
from hostile_server import HostileServer, silent
from token_issuer import AUDIENCE, Issuer

from fdaa.platform import (
    AsyncClient,
    AsyncMachineIdentity,
    AsyncVerifier,
    CannotVerifyError,
    NotFoundError,
    TokenRefusedError,
)

if TYPE_CHECKING:
    from hostile_server import Received

    from fdaa.platform.sandbox import Sandbox


def test_each_class_has_the_calls_of_its_counterpart(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in sandbox.environment.items():
        monkeypatch.setenv(name, value)

    async def main() -> None:
        async with AsyncClient.from_environment() as client:
            made = await client.create_app("web", org="acme", network="blue")
            ensured = await client.ensure_app("web", org="acme")
            assert (ensured.app.id, ensured.created) == (made.id, False)
            assert [app.network for app in await client.list_apps(org="acme")] == ["blue"]
            identity = AsyncMachineIdentity(socket=sandbox.start_machine("web").socket)
            text = (await identity.token(aud=AUDIENCE)).reveal()
            issuer = sandbox.ensure_issuer("acme")
            verifier = AsyncVerifier(issuer=issuer, aud=AUDIENCE)
            assert (await verifier.verify(text)).app_name == "web"
            with pytest.raises(TokenRefusedError):
                await AsyncVerifier(issuer=issuer, aud="other").verify(text)
            await client.destroy_app("web")
            with pytest.raises(NotFoundError):
                await client.destroy_app("web")

    asyncio.run(main())


@pytest.mark.parametrize(
    ("call", "arguments", "doubt"),
    [
        ("destroy_app", {"name": "web"}, True),
        ("ensure_app", {"name": "web", "org": "acme"}, True),
        ("list_apps", {"org": "acme"}, False),
    ],
)
def test_a_cancelled_change_says_that_it_may_have_been_made(
    call: str, arguments: dict[str, str], doubt: bool
) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, timeout=0.2) as client:
            running = asyncio.ensure_future(getattr(client, call)(**arguments))
            await asyncio.to_thread(server.arrived.wait, 30)
            running.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await running
        notes = [f"{call}: the change may still have been made"] if doubt else []
        assert getattr(info.value, "__notes__", []) == notes

    with HostileServer(silent) as server:
        asyncio.run(main())


def test_a_hundred_calls_run_at_once() -> None:
    """No response comes before a hundred requests have."""
    all_here = threading.Barrier(100)

    def script(connection: Any, request: Received) -> None:
        all_here.wait(30)
        GOOD(connection, request)

    async def main() -> int:
        async with AsyncClient(server.url, TOKEN, timeout=30) as client:
            lists = await asyncio.gather(*[client.list_apps(org="acme") for _ in range(100)])
        return sum(map(len, lists))

    with HostileServer(script) as server:
        assert asyncio.run(main()) == 200


def test_one_thread_fetches_keys_and_all_others_await_its_result(issuer: Issuer) -> None:
    async def main() -> None:
        checker = AsyncVerifier(issuer=issuer.url, aud=AUDIENCE, timeout=60)
        tokens = [issuer.token() for _ in range(20)]
        calls = [asyncio.ensure_future(checker.verify(token)) for token in tokens]
        await asyncio.to_thread(issuer.server.arrived.wait, 30)
        # Those that are cancelled, the first among them, do not end the fetch.
        for cancelled in calls[:10]:
            cancelled.cancel()
        issuer.answers.set()
        claims = await asyncio.gather(*calls[10:])
        assert {each.app_name for each in claims} == {"web"}
        assert issuer.fetches == 1

    issuer.answers.clear()
    asyncio.run(main())


def test_a_verifier_is_used_in_one_event_loop_after_another(issuer: Issuer) -> None:
    checker = AsyncVerifier(issuer=issuer.url, aud=AUDIENCE, keys_fresh_for=0)
    for _ in range(3):
        assert asyncio.run(checker.verify(issuer.token())).app_name == "web"
    assert issuer.fetches == 3
    issuer.status = 404
    with pytest.raises(CannotVerifyError):
        asyncio.run(checker.verify(issuer.token(header={"kid": "unknown"})))
