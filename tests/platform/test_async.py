"""The asynchronous classes: calls at once, calls that are cancelled, and the threads they use."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from client_calls import GOOD, TOKEN
from hostile_server import HostileServer, answers, silent
from jwt.algorithms import RSAAlgorithm
from token_issuer import AUDIENCE, Issuer

from fdaa.platform import AsyncClient, AsyncVerifier
from fdaa.platform._threads import start  # private: how often a thread is used

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hostile_server import Received

DOUBT = "the change may still have been made"


def verifier_of(issuer: Issuer, **options: Any) -> AsyncVerifier:
    return AsyncVerifier(issuer=issuer.url, aud=AUDIENCE, **options)


# --- cancelled ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "call"),
    [
        (lambda client: client.destroy_app("web"), "DELETE /v1/apps/web"),
        (lambda client: client.create_app("web", org="acme"), "POST /v1/apps"),
        (lambda client: client.ensure_app("web", org="acme"), "POST /v1/apps"),
    ],
)
def test_a_cancelled_change_says_that_it_may_have_been_made(
    change: Callable[[AsyncClient], Awaitable[object]], call: str
) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, timeout=0.5) as client:
            running = asyncio.ensure_future(change(client))
            await asyncio.to_thread(server.arrived.wait, 30)
            running.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await running
        assert info.value.__notes__ == [f"{call}: {DOUBT}"]

    with HostileServer(silent) as server:
        asyncio.run(main())


def test_a_change_that_is_cancelled_before_it_began_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one thread in place of a hundred, a second call waits for the first."""

    async def main() -> None:
        async with AsyncClient(server.url, TOKEN, timeout=0.5) as client:
            first = asyncio.ensure_future(client.list_apps(org="acme"))
            await asyncio.to_thread(server.arrived.wait, 30)
            second = asyncio.ensure_future(client.destroy_app("web"))
            await asyncio.sleep(0)
            second.cancel()
            with pytest.raises(asyncio.CancelledError) as info:
                await second
            assert not hasattr(info.value, "__notes__")
            first.cancel()

    with ThreadPoolExecutor(1) as pool, HostileServer(silent) as server:
        monkeypatch.setattr("fdaa.platform._threads._POOL", pool)
        asyncio.run(main())
        pool.shutdown()
        assert [request.method for request in server.received] == ["GET"]


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


def test_a_call_runs_in_the_context_of_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """As tracing needs it."""
    span = contextvars.ContextVar("span", default="none")
    seen: list[str] = []

    def listing(*_: object, **__: object) -> None:
        seen.append(span.get())

    async def main() -> None:
        span.set("mine")
        async with AsyncClient("https://api.invalid", TOKEN) as client:
            monkeypatch.setattr("fdaa.platform._client.Client.list_apps", listing)
            await client.list_apps(org="acme")

    asyncio.run(main())
    assert seen == ["mine"]


def test_a_verifier_uses_a_thread_only_where_keys_are_fetched(
    issuer: Issuer, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    fetches: list[int] = []
    checks: list[int] = []
    verify = RSAAlgorithm.verify

    def checking(*arguments: Any) -> bool:
        checks.append(threading.get_ident())
        return verify(*arguments)

    def started(function: Callable[..., object], *arguments: object) -> object:
        fetches.append(1)
        return start(function, *arguments)

    monkeypatch.setattr(RSAAlgorithm, "verify", checking)
    monkeypatch.setattr("fdaa.platform._keys.start", started)

    async def main() -> None:
        checker = verifier_of(issuer)
        for _ in range(5):
            await checker.verify(issuer.token())
        assert fetches == [1]
        clock[0] += 3600
        await checker.verify(issuer.token())
        assert fetches == [1, 1]

    asyncio.run(main())
    assert set(checks) == {threading.get_ident()}


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


def test_tasks_with_a_known_key_do_not_wait_for_a_renewal(issuer: Issuer) -> None:
    async def main() -> None:
        checker = verifier_of(issuer, keys_fresh_for=0)
        await checker.verify(issuer.token())
        issuer.answers.clear()
        slow = asyncio.ensure_future(checker.verify(issuer.token()))
        await asyncio.to_thread(issuer.wait_for_requests, 3)
        for _ in range(8):
            await checker.verify(issuer.token())
        assert not slow.done()
        issuer.answers.set()
        assert (await slow).app_name == "web"
        assert len(issuer.server.received) == 4

    asyncio.run(main())


def test_a_verifier_is_used_in_one_event_loop_after_another(issuer: Issuer) -> None:
    checker = verifier_of(issuer, keys_fresh_for=0)
    for _ in range(3):
        assert asyncio.run(checker.verify(issuer.token())).app_name == "web"
    assert issuer.fetches == 3


def test_a_loop_that_ends_during_a_fetch_leaves_the_keys_to_the_next_one(issuer: Issuer) -> None:
    async def gives_up() -> None:
        first = asyncio.ensure_future(checker.verify(issuer.token()))
        await asyncio.to_thread(issuer.wait_for_requests, 1)
        first.cancel()

    checker = verifier_of(issuer, timeout=60)
    issuer.answers.clear()
    asyncio.run(gives_up())
    issuer.answers.set()
    assert asyncio.run(checker.verify(issuer.token())).app_name == "web"
    assert issuer.fetches == 1
