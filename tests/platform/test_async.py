"""The asynchronous classes: calls that are cancelled, tasks that share a loop, loops that end."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from client_calls import GOOD, TOKEN
from hostile_server import HostileServer, answers, silent
from token_issuer import AUDIENCE, Issuer

from fdaa.platform import (
    AsyncClient,
    AsyncMachineIdentity,
    AsyncVerifier,
    Claims,
    PlatformError,
    UnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path


def verifier_of(issuer: Issuer, timeout: float = 10) -> AsyncVerifier:
    return AsyncVerifier(issuer=issuer.url, aud=AUDIENCE, allow_plain_http=True, timeout=timeout)


async def cancelled(call: Coroutine[object, object, object], seconds: float = 0.002) -> None:
    """Run a call, and cancel it soon; a server that is too slow to accept it refuses it."""
    with suppress(TimeoutError, UnreachableError):
        await asyncio.wait_for(call, seconds)


def threads() -> int:
    """Return the number of threads, without those of test servers."""
    return sum("(_serve)" not in thread.name for thread in threading.enumerate())


def descriptors() -> int:
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - a number is enough


# --- calls that are cancelled ---------------------------------------------------------------------

CALLS = pytest.mark.parametrize("calls", [50, pytest.param(3000, marks=pytest.mark.campaign)])


@CALLS
def test_a_cancelled_call_for_a_token_leaves_no_thread_and_no_connection(
    tmp_path: Path, calls: int
) -> None:
    async def main() -> None:
        identity = AsyncMachineIdentity(socket=path)
        opened = descriptors()
        with HostileServer(silent, path=path):
            before = threads()
            for _ in range(calls):
                await cancelled(identity.token(aud="a"))
                assert threads() <= before
        assert descriptors() == opened

    path = str(tmp_path / "api")
    asyncio.run(main())


@CALLS
def test_a_cancelled_list_leaves_no_thread_at_work(calls: int) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, TOKEN) as client:
            before = threads()
            for number in range(calls):
                await cancelled(client.list_apps(org="acme"), number % 10 / 1000)
                assert threads() <= before + 10  # those that read look whether to end
            assert len(await client.list_apps(org="acme")) == 3500

    body = json.dumps(
        {"apps": [{"name": f"app-{i}", "network": "n" * 60} for i in range(3500)]}
    ).encode()
    with HostileServer(answers(200, body)) as server:
        asyncio.run(main())


@CALLS
def test_callers_that_are_cancelled_share_one_fetch_of_the_keys(issuer: Issuer, calls: int) -> None:
    async def main() -> None:
        async with verifier_of(issuer, timeout=60) as checker:  # a busy computer
            token = issuer.token()
            before = threads()
            for _ in range(calls):
                await cancelled(checker.verify(token))
                assert threads() <= before
            assert issuer.server.connections == 1
            issuer.answers.set()
            assert (await checker.verify(token)).app_name == "web"
            assert issuer.fetches == 1

    issuer.answers.clear()
    asyncio.run(main())


def test_a_fetch_goes_on_when_the_only_caller_is_cancelled(issuer: Issuer) -> None:
    async def main() -> None:
        checker = verifier_of(issuer)
        token = issuer.token()
        first = asyncio.create_task(checker.verify(token))
        await asyncio.to_thread(issuer.wait_for_requests, 1)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        issuer.answers.set()
        await asyncio.to_thread(issuer.wait_for_requests, 1)  # for the keys, which no one waits for
        assert (await checker.verify(token)).app_name == "web"
        assert issuer.fetches == 1

    issuer.answers.clear()
    asyncio.run(main())


def test_all_who_wait_get_the_keys_of_one_fetch(issuer: Issuer) -> None:
    async def main() -> None:
        checker = verifier_of(issuer)
        token = issuer.token()
        waiting = [asyncio.create_task(checker.verify(token)) for _ in range(20)]
        await asyncio.to_thread(issuer.wait_for_requests, 1)
        for task in waiting[:10]:
            task.cancel()
        issuer.answers.set()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        for result in done[:10]:
            assert isinstance(result, asyncio.CancelledError)
        for result in done[10:]:
            assert isinstance(result, Claims)
            assert result.app_name == "web"
        assert issuer.fetches == 1

    issuer.answers.clear()
    asyncio.run(main())


# --- the turn of other tasks ----------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [100, pytest.param(5000, marks=pytest.mark.campaign)])
def test_verified_tokens_leave_other_tasks_their_turn(issuer: Issuer, tokens: int) -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def main() -> None:
        checker = verifier_of(issuer)
        token = issuer.token()
        await checker.verify(token)
        other = asyncio.create_task(count_turns())
        calls = [checker.verify(token) for _ in range(tokens)]
        await asyncio.gather(*calls)
        assert turns >= tokens
        before = turns
        for _ in range(tokens):
            await checker.verify(token)
        assert turns >= before + tokens
        other.cancel()

    asyncio.run(main())


# --- loops and ends -------------------------------------------------------------------------------


def test_a_verifier_serves_one_loop_after_another(issuer: Issuer) -> None:
    """Also where a loop ended in the middle of a fetch."""
    checker = verifier_of(issuer)
    token = issuer.token()

    async def begin() -> None:
        await cancelled(checker.verify(token), 0.1)

    async def verify() -> None:
        calls = [checker.verify(token) for _ in range(10)]
        assert len(await asyncio.gather(*calls)) == 10

    issuer.answers.clear()
    asyncio.run(begin())
    left = asyncio.new_event_loop()  # unlike `run`, it ends with a fetch that is not cancelled
    left.run_until_complete(begin())
    issuer.answers.set()
    for _ in range(3):
        asyncio.run(verify())
    left.close()


def test_a_client_in_a_second_loop_says_that_each_loop_needs_one() -> None:
    async def main() -> None:
        for call in (client.list_apps(org="acme"), client.destroy_app("web"), client.aclose()):
            with pytest.raises(PlatformError, match="make one in each loop"):
                await call

    with HostileServer(GOOD) as server, asyncio.Runner() as first:
        client = AsyncClient(server.url, TOKEN)
        assert len(first.run(client.list_apps(org="acme"))) == 2
        asyncio.run(main())
        assert len(first.run(client.list_apps(org="acme"))) == 2  # its own loop goes on
        first.run(client.aclose())


def test_a_verifier_that_closes_ends_its_fetch(issuer: Issuer) -> None:
    async def main() -> None:
        checker = verifier_of(issuer)
        token = issuer.token()
        waiting = asyncio.create_task(checker.verify(token))
        await asyncio.to_thread(issuer.wait_for_requests, 1)
        await checker.aclose()
        with pytest.raises(PlatformError):
            await waiting
        with pytest.raises(PlatformError, match="the verifier is closed"):
            await checker.verify(token)

    issuer.answers.clear()
    asyncio.run(main())
    issuer.answers.set()
