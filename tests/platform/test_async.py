"""The asynchronous classes: calls at once, calls that are cancelled, and the threads they use."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN
from hostile_server import HostileServer, answers, silent
from token_issuer import AUDIENCE, Issuer

from fdaa.platform import AsyncClient, AsyncVerifier

if TYPE_CHECKING:
    from hostile_server import Received

DOUBT = "the change may still have been made"


def verifier_of(issuer: Issuer, **options: Any) -> AsyncVerifier:
    return AsyncVerifier(issuer=issuer.url, aud=AUDIENCE, **options)


# --- cancelled ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "arguments", "notes"),
    [
        ("destroy_app", {"name": "web"}, [f"destroy_app: {DOUBT}"]),
        ("create_app", {"name": "web", "org": "acme"}, [f"create_app: {DOUBT}"]),
        ("ensure_app", {"name": "web", "org": "acme"}, [f"ensure_app: {DOUBT}"]),
        ("list_apps", {"org": "acme"}, []),
    ],
)
def test_a_cancelled_change_says_that_it_may_have_been_made(
    call: str, arguments: dict[str, str], notes: list[str]
) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, timeout=0.2) as client:
            running = asyncio.ensure_future(getattr(client, call)(**arguments))
            await asyncio.to_thread(server.arrived.wait, 30)
            running.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await running
        assert getattr(info.value, "__notes__", []) == notes

    with HostileServer(silent) as server:
        asyncio.run(main())


# --- threads --------------------------------------------------------------------------------------


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


def test_calls_take_no_thread_of_the_event_loop() -> None:
    """Its threads look up the names of hosts."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as pool:
            loop.set_default_executor(pool)
            busy = threading.Event()
            waiting = loop.run_in_executor(None, busy.wait, 30)
            async with AsyncClient(server.url, TOKEN) as client:
                await client.destroy_app("web")
            busy.set()
            await waiting

    with HostileServer(answers(202)) as server:
        asyncio.run(main())
    assert len(server.received) == 1


def test_a_verifier_with_fresh_keys_waits_for_nothing(issuer: Issuer) -> None:
    """A coroutine that never waits ends in its first step, and uses no thread."""
    checker = verifier_of(issuer)
    asyncio.run(checker.verify(issuer.token()))
    with pytest.raises(StopIteration) as info:
        checker.verify(issuer.token()).send(None)
    assert info.value.value.app_name == "web"


# --- keys -----------------------------------------------------------------------------------------


def test_one_thread_fetches_keys_and_all_others_await_its_result(issuer: Issuer) -> None:
    async def main() -> None:
        checker = verifier_of(issuer, timeout=60)
        tokens = [issuer.token() for _ in range(20)]
        calls = [asyncio.ensure_future(checker.verify(token)) for token in tokens]
        await asyncio.to_thread(issuer.wait_for_requests, 1)
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
    checker = verifier_of(issuer, keys_fresh_for=0)
    for _ in range(3):
        assert asyncio.run(checker.verify(issuer.token())).app_name == "web"
    assert issuer.fetches == 3
