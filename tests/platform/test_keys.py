"""Keys that are fetched: how often, kept how long, and from where."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hostile_server import HostileServer, silent
from token_issuer import Issuer, refused, rsa_jwk, verifier

from fdaa.platform import CannotVerifyError, TokenRefusedError

if TYPE_CHECKING:
    import ssl


def test_a_known_key_does_not_wait_for_a_fetch_that_another_token_began(issuer: Issuer) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.answers.clear()
    issuer.server.arrived.clear()
    unknown = issuer.token(header={"kid": "unknown"})
    slow = threading.Thread(target=refused, args=(checker, unknown))
    slow.start()
    assert issuer.server.arrived.wait(30)
    checker.verify(issuer.token())
    assert slow.is_alive()
    issuer.answers.set()
    slow.join()
    assert issuer.fetches == 2


def test_keys_are_fresh_for_an_hour_and_unknown_ones_are_looked_up_every_30_seconds(
    issuer: Issuer, clock: list[float]
) -> None:
    checker = verifier(issuer)

    def fetches(at: float, key_id: str = "key-1") -> int:
        clock[0] = 1000 + at
        with suppress(TokenRefusedError, CannotVerifyError):
            checker.verify(issuer.token(header={"kid": key_id}))
        return issuer.fetches

    assert [fetches(0), fetches(3599.9), fetches(3600), fetches(7199.9)] == [1, 1, 2, 2]
    steps = [fetches(at, "unknown") for at in (4000, 4029.9, 4030, 4059.9, 4060)]
    assert steps == [3, 3, 4, 4, 5]


def test_old_keys_are_used_for_a_day_in_an_outage_and_then_nothing_is_verified(
    issuer: Issuer, clock: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "fdaa.platform")
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.status = 404
    for at in (3600, 50_000, 86_399):
        clock[0] = 1000 + at
        assert checker.verify(issuer.token()).app_name == "web"
    assert "not renewed" in caplog.text
    clock[0] = 1000 + 86_400
    with pytest.raises(CannotVerifyError, match="status 404"):
        checker.verify(issuer.token())
    issuer.status = 200
    clock[0] += 30
    assert checker.verify(issuer.token()).app_name == "web"


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="no clock counts sleep here")
def test_keys_age_while_a_machine_is_suspended(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sleep is a leap of the clock that counts it; `time.monotonic` stops meanwhile."""
    slept = [0]
    read_clock = time.clock_gettime

    def clock_gettime(clock: int) -> float:
        return read_clock(clock) + slept[0] * (clock == time.CLOCK_BOOTTIME)

    monkeypatch.setattr(time, "clock_gettime", clock_gettime)
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.status = 404
    slept[0] = 86_400
    with pytest.raises(CannotVerifyError, match="status 404"):
        checker.verify(issuer.token())


def with_a_new_key(issuer: Issuer) -> str:
    """Let an issuer publish another key alone, and return a token that it signed."""
    issuer.keys = {"keys": [rsa_jwk("key-3")]}
    return issuer.token(header={"kid": "key-3"}, key="key-3")


def test_an_unknown_key_that_was_not_looked_up_cannot_be_verified(
    issuer: Issuer, clock: list[float]
) -> None:
    """Anyone can make a token that only its signature refuses: it costs one fetch, hides no key."""
    checker = verifier(issuer)
    checker.verify(issuer.token())
    refused(checker, issuer.token(header={"kid": "forged"}))
    new = with_a_new_key(issuer)
    clock[0] += 29
    for _ in range(2):
        with pytest.raises(CannotVerifyError, match=r"its key 'key-3' is unknown.* again in 1 s"):
            checker.verify(new)
    assert issuer.fetches == 2
    clock[0] += 1
    assert checker.verify(new).app_name == "web"


@pytest.mark.parametrize(
    "made",
    [
        {"iss": "https://oidc.example/rival"},
        {"exp": 1},
        {"header": {"kid": "foreign", "alg": "none"}},
    ],
)
@pytest.mark.usefixtures("clock")
def test_a_token_that_is_refused_in_any_case_spends_no_lookup(
    issuer: Issuer, made: dict[str, Any]
) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    refused(checker, issuer.token(**{"header": {"kid": "foreign"}, **made}))
    assert issuer.fetches == 1
    assert checker.verify(with_a_new_key(issuer)).app_name == "web"


@pytest.mark.parametrize(
    "worse",
    [
        [],
        [{"kty": "oct", "k": "AAAA", "kid": "key-1"}],
        [rsa_jwk("short", kid="key-1")],
        [{"kty": "RSA", "n": "!!", "e": {}, "kid": "key-1"}],
    ],
    ids=range(4),
)
def test_good_keys_are_never_replaced_by_worse(issuer: Issuer, worse: list[object]) -> None:
    checker = verifier(issuer, keys_fresh_for=0)
    checker.verify(issuer.token())
    issuer.keys = {"keys": worse}
    checker.verify(issuer.token())


def test_a_key_set_of_ones_own_needs_no_network(issuer: Issuer) -> None:
    checker = verifier(issuer, keys=issuer.keys)
    assert checker.verify(issuer.token()).app_name == "web"
    (failure,) = refused(checker, issuer.token(header={"kid": "key-3"})).failures
    assert str(failure) == "kid: no known key has this ID, got 'key-3'"
    assert issuer.server.connections == 0


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"issuer": "https://other.example"}, r"issuer: must be .*, got 'https://other\.example'"),
        ({"jwks_uri": "http://other.example/keys"}, "jwks_uri: must be an https URL"),
        ({"jwks_uri": "http://127.0.0.1:1/keys"}, "jwks_uri"),  # another port
    ],
)
def test_a_configuration_that_is_wrong_decides_nothing(
    issuer: Issuer, changed: dict[str, Any], reason: str
) -> None:
    issuer.changed = changed
    with pytest.raises(CannotVerifyError, match=reason):
        verifier(issuer).verify(issuer.token())


def test_an_issuer_that_is_silent_ends_at_the_timeout(issuer: Issuer) -> None:
    with HostileServer(silent) as server:
        checker = verifier(issuer, issuer=server.url, timeout=0.1)
        with pytest.raises(CannotVerifyError, match=r"no complete response within 0\.1 seconds"):
            checker.verify(issuer.token(iss=server.url))


def test_keys_may_be_on_another_host_with_https_alone(
    issuer: Issuer, tls_server: ssl.SSLContext
) -> None:
    """OpenID Connect Discovery 1.0, section 3: a `jwks_uri` must have https, and any host."""
    with Issuer(tls_server) as other, Issuer(tls_server) as secure:
        issuer.changed = {"jwks_uri": f"{other.url}/keys"}
        with pytest.raises(CannotVerifyError, match="https URL, as the issuer must"):
            verifier(issuer).verify(issuer.token())
        secure.changed = {"jwks_uri": f"{other.url}/keys?version=2"}
        assert verifier(secure).verify(secure.token()).region == "ams"
    assert (secure.fetches, other.fetches) == (0, 1)
