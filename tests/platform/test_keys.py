"""Keys that are fetched: how often, kept how long, and from whom."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from token_issuer import (
    AUDIENCE,
    WEAK_N,
    Issuer,
    ec_jwk,
    refused,
    rsa_jwk,
    short_jwk,
    verifier,
)

from fdaa import ArgumentError
from fdaa.platform import AsyncVerifier, CannotVerifyError, TokenRefusedError


def test_keys_are_fetched_once(issuer: Issuer, kind: str) -> None:
    checker = verifier(issuer, kind=kind)
    for _ in range(5):
        checker.verify(issuer.token())
    assert issuer.fetches == 1
    assert all("authorization" not in request.headers for request in issuer.server.received)


def test_one_fetch_at_a_time(issuer: Issuer) -> None:
    checker = verifier(issuer)
    tokens = [issuer.token() for _ in range(8)]
    threads = [threading.Thread(target=checker.verify, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert issuer.fetches == 1


def test_a_known_key_does_not_wait_for_an_unknown_one(issuer: Issuer) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.answers.clear()
    slow = threading.Thread(target=refused, args=(checker, issuer.token(header={"kid": "x"})))
    slow.start()
    issuer.wait_for_requests(3)
    checker.verify(issuer.token())
    assert slow.is_alive()
    issuer.answers.set()
    slow.join()


@pytest.mark.usefixtures("clock")
def test_unknown_keys_cost_one_fetch_however_many_come(issuer: Issuer, kind: str) -> None:
    """Only for the first of them is it known that there is no such key."""
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    refused(checker, issuer.token(header={"kid": "unknown"}))
    for i in range(20):
        with pytest.raises(CannotVerifyError, match="try again in 30 seconds"):
            checker.verify(issuer.token(header={"kid": f"unknown-{i}"}))
    assert issuer.fetches == 2


# Tokens that are refused whatever their key is.
FOREIGN: dict[str, dict[str, object]] = {
    "another issuer": {"iss": "https://oidc.example/rival"},
    "another audience": {"aud": "https://other.example"},
    "another organization": {"sub": "rival:web:m"},
    "an app that is not meant": {"sub": "acme:api:m", "app_name": "api", "machine_name": "m"},
    "an ID that is not meant": {"app_id": "app-7"},
    "expired": {"exp": 1},
    "not JSON": {"payload": "{"},
    "a key of its own": {"header": {"kid": "foreign", "jku": "https://evil.example"}},
    "another algorithm": {"header": {"kid": "foreign", "alg": "none"}},
}


@pytest.mark.parametrize("made", FOREIGN.values(), ids=FOREIGN)
def test_a_token_that_is_refused_in_any_case_spends_no_lookup(
    issuer: Issuer, clock: list[float], kind: str, made: dict[str, Any]
) -> None:
    checker = verifier(issuer, kind=kind, sub="acme:web:*", bound={"app_id": "app-1"})
    checker.verify(issuer.token())
    for _ in range(5):
        refused(checker, issuer.token(**{"header": {"kid": "foreign"}, **made}))
    assert issuer.fetches == 1
    issuer.keys = {"keys": [rsa_jwk("key-3")]}
    new = issuer.token(header={"kid": "key-3"}, key="key-3")
    assert checker.verify(new).app_name == "web"
    assert issuer.fetches == 2
    clock[0] += 3600
    refused(checker, issuer.token(**{"header": {"kid": "foreign"}, **made}))
    issuer.keys = {"keys": [rsa_jwk("key-4")]}
    new = issuer.token(header={"kid": "key-4"}, key="key-4")
    assert checker.verify(new).app_name == "web"


def test_a_token_with_a_key_that_was_not_looked_up_cannot_be_verified(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    """Anyone can make a token that only its signature refuses. It hides no new key."""
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    refused(checker, issuer.token(header={"kid": "forged"}))
    issuer.keys = {"keys": [rsa_jwk("key-3")]}
    new = issuer.token(header={"kid": "key-3"}, key="key-3")
    clock[0] += 29
    with pytest.raises(CannotVerifyError, match=r"its key 'key-3' is unknown.* in 1 seconds"):
        checker.verify(new)
    clock[0] += 1
    assert checker.verify(new).app_name == "web"


def test_keys_are_fresh_for_an_hour_and_unknown_ones_are_looked_up_every_30_seconds(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    checker = verifier(issuer, kind=kind)

    def fetches(at: float, key_id: str = "key-1") -> int:
        clock[0] = 1000 + at
        token = issuer.token(header={"kid": key_id})
        with suppress(TokenRefusedError, CannotVerifyError):
            checker.verify(token)
        return issuer.fetches

    assert [fetches(0), fetches(3599.9), fetches(3600), fetches(7199.9)] == [1, 1, 2, 2]
    steps = [fetches(at, "unknown") for at in (4000, 4029.9, 4030, 4059.9, 4060)]
    assert steps == [3, 3, 4, 4, 5]


def test_old_keys_are_used_for_a_day_where_the_issuer_fails_and_then_nothing_is_verified(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    issuer.status = 404
    for at in (3600, 50_000, 86_399):
        clock[0] = 1000 + at
        assert checker.verify(issuer.token()).app_name == "web"
    for at in (86_400, 86_401, 30 * 86_400):
        clock[0] = 1000 + at
        with pytest.raises(CannotVerifyError, match="status 404"):
            checker.verify(issuer.token())
    issuer.status = 200
    clock[0] += 30
    assert checker.verify(issuer.token()).app_name == "web"


def test_keys_age_from_the_moment_at_which_their_fetch_began(
    issuer: Issuer, clock: list[float]
) -> None:
    """They may have been withdrawn since then."""
    checker = verifier(issuer)
    issuer.answers.clear()
    slow = threading.Thread(target=checker.verify, args=(issuer.token(),))
    slow.start()
    issuer.wait_for_requests(1)
    clock[0] += 100
    issuer.answers.set()
    slow.join()
    assert issuer.fetches == 1
    clock[0] += 3500
    checker.verify(issuer.token())
    assert issuer.fetches == 2


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="no clock counts sleep here")
def test_keys_age_while_a_machine_is_suspended(
    issuer: Issuer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sleep is a leap of the clock that counts it; `time.monotonic` stops meanwhile."""
    slept = [0]
    read_clock = time.clock_gettime

    def clock_gettime(clock: int) -> float:
        seconds = read_clock(clock)
        if clock == time.CLOCK_BOOTTIME:
            seconds += slept[0]
        return seconds

    monkeypatch.setattr(time, "clock_gettime", clock_gettime)
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    issuer.status = 404
    slept[0] = 86_400
    with pytest.raises(CannotVerifyError, match="status 404"):
        checker.verify(issuer.token())


def test_how_long_keys_are_used_can_be_set(issuer: Issuer, clock: list[float], kind: str) -> None:
    checker = verifier(issuer, kind=kind, keys_fresh_for=60, keys_usable_for=120)
    checker.verify(issuer.token())
    clock[0] += 60
    issuer.status = 500
    checker.verify(issuer.token())
    assert len(issuer.server.received) > 2
    clock[0] += 60
    with pytest.raises(CannotVerifyError, match="status 500"):
        checker.verify(issuer.token())


def test_an_unknown_key_in_an_outage_is_not_refused(
    issuer: Issuer, clock: list[float], kind: str
) -> None:
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    issuer.status = 404
    for _ in range(2):
        with pytest.raises(CannotVerifyError, match="status 404"):
            checker.verify(issuer.token(header={"kid": "key-3"}))
    assert len(issuer.server.received) == 3
    issuer.status = 200
    clock[0] += 30
    refused(checker, issuer.token(header={"kid": "key-3"}))


def test_one_thread_renews_keys_and_the_others_use_those_they_have(issuer: Issuer) -> None:
    checker = verifier(issuer, keys_fresh_for=0)
    checker.verify(issuer.token())
    issuer.answers.clear()
    slow = threading.Thread(target=checker.verify, args=(issuer.token(),))
    slow.start()
    issuer.wait_for_requests(3)
    for _ in range(8):
        checker.verify(issuer.token())
    assert slow.is_alive()
    assert len(issuer.server.received) == 3
    issuer.answers.set()
    slow.join()


def test_one_task_renews_keys_and_the_others_use_those_they_have(issuer: Issuer) -> None:
    checker = AsyncVerifier(
        issuer=issuer.url, aud=AUDIENCE, keys_fresh_for=0, allow_plain_http=True
    )

    async def main() -> None:
        await checker.verify(issuer.token())
        issuer.answers.clear()
        slow = asyncio.create_task(checker.verify(issuer.token()))
        await asyncio.to_thread(issuer.wait_for_requests, 3)
        for _ in range(8):
            await checker.verify(issuer.token())
        assert not slow.done()
        assert len(issuer.server.received) == 3
        issuer.answers.set()
        assert (await slow).app_name == "web"

    asyncio.run(main())


def test_a_key_set_of_ones_own_needs_no_network(kind: str) -> None:
    with Issuer() as issuer:
        pass  # it has ended
    checker = verifier(issuer, kind=kind, keys=issuer.keys, allow_plain_http=False)
    assert checker.verify(issuer.token()).app_name == "web"
    unknown = refused(checker, issuer.token(header={"kid": "key-3"}))
    assert [str(failure) for failure in unknown.failures] == [
        "kid: no known key has this ID, got 'key-3'"
    ]
    assert issuer.server.connections == 0


def test_a_new_key_is_found_at_once(issuer: Issuer, kind: str) -> None:
    checker = verifier(issuer, kind=kind)
    checker.verify(issuer.token())
    issuer.keys = {"keys": [rsa_jwk("key-3")]}
    checker.verify(issuer.token(header={"kid": "key-3"}, key="key-3"))
    (failure,) = refused(checker, issuer.token()).failures
    assert failure.claim == "kid"


@pytest.mark.parametrize(
    "worse",
    [
        {"keys": []},
        {"keys": None},
        {"keys": [{"kty": "oct", "k": "AAAA", "kid": "key-1"}]},
        {"keys": [short_jwk("key-1")]},
        {"keys": [{"kty": [], "crv": {}, "kid": []}, 7, None]},
        {"keys": [{"kty": "RSA", "n": "!!", "e": {}, "kid": "key-1"}]},
        {},
        [],
        b"",
        b"<html>",
        b'{"keys": [], "keys": []}',
    ],
)
def test_good_keys_are_never_replaced_by_worse(issuer: Issuer, worse: object, kind: str) -> None:
    checker = verifier(issuer, kind=kind, keys_fresh_for=0)
    checker.verify(issuer.token())
    issuer.keys = worse
    checker.verify(issuer.token())
    issuer.status = 500
    checker.verify(issuer.token())


def test_a_failure_is_logged_where_old_keys_stay(
    issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    checker = verifier(issuer, keys_fresh_for=0)
    checker.verify(issuer.token())
    issuer.status = 404
    with caplog.at_level(logging.WARNING, "fdaa.platform"):
        checker.verify(issuer.token())
    assert "not renewed" in caplog.text


def test_a_key_that_can_be_factored_is_refused(issuer: Issuer) -> None:
    """A key as the library with the flaw ROCA made them, with primes of its form."""
    issuer.keys = {"keys": [rsa_jwk("key-1"), rsa_jwk("key-3", n=WEAK_N)]}
    (failure,) = refused(verifier(issuer), issuer.token(header={"kid": "key-3"})).failures
    assert "ROCA" in failure.reason
    verifier(issuer).verify(issuer.token())
    with pytest.raises(ArgumentError, match="JWK set with a key for RS256 or ES256"):
        verifier(issuer, keys={"keys": [rsa_jwk("key-3", n=WEAK_N)]})


def test_an_id_of_two_keys_is_reported_as_such(issuer: Issuer) -> None:
    issuer.keys = {"keys": [rsa_jwk("key-1"), rsa_jwk("key-3", kid="key-1"), ec_jwk("key-2")]}
    (failure,) = refused(verifier(issuer), issuer.token()).failures
    assert str(failure) == "kid: two published keys have this ID"
    issuer.keys = {"keys": [rsa_jwk("key-1"), rsa_jwk("key-3", kid="key-1")]}
    with pytest.raises(CannotVerifyError, match="two published keys have this ID"):
        verifier(issuer).verify(issuer.token())


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"keys_fresh_for": -1}, ArgumentError),
        ({"keys_fresh_for": 100, "keys_usable_for": 99}, ArgumentError),
        ({"timeout": 0}, ArgumentError),
        ({"timeout": "1"}, TypeError),
        ({"keys": {}}, ArgumentError),
        ({"keys": {"keys": [{"kty": "oct"}]}}, ArgumentError),
    ],
)
def test_keys_that_could_verify_nothing_are_an_error_at_once(
    issuer: Issuer, options: dict[str, object], error: type[Exception], kind: str
) -> None:
    with pytest.raises(error):
        verifier(issuer, kind=kind, **options)
