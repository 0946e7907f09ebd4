"""Keys that are fetched: how often, kept how long, and from whom."""

from __future__ import annotations

import logging
import threading
import time
from types import SimpleNamespace

import pytest
from hostile_server import HostileServer, Received, answers
from token_issuer import AUDIENCE, Issuer, ec_jwk, rsa_jwk, short_jwk, verifier

from fdaa.platform import (
    InvalidResponseError,
    ResponseError,
    TokenRefusedError,
    UnreachableError,
    Verifier,
)


def refused(checker: Verifier, token: str) -> TokenRefusedError:
    with pytest.raises(TokenRefusedError) as info:
        checker.verify(token)
    return info.value


def test_keys_are_fetched_once(issuer: Issuer) -> None:
    checker = verifier(issuer)
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
    issuer.delay = 5
    slow = threading.Thread(target=refused, args=(checker, issuer.token(header={"kid": "x"})))
    slow.start()
    while len(issuer.server.received) < 3:  # its fetch has begun
        time.sleep(0.01)
    checker.verify(issuer.token())
    assert slow.is_alive()
    issuer.delay = 0
    slow.join()


def test_an_unknown_key_costs_one_fetch_however_many_come(issuer: Issuer) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    for i in range(20):
        with pytest.raises(TokenRefusedError):
            checker.verify(issuer.token(header={"kid": f"unknown-{i}"}))
    assert issuer.fetches == 2


def test_unknown_keys_alone_cost_one_fetch(issuer: Issuer) -> None:
    checker = verifier(issuer)
    for i in range(5):
        refused(checker, issuer.token(header={"kid": f"unknown-{i}"}))
    assert issuer.fetches == 1


def test_keys_are_kept_for_five_minutes_and_unknown_ones_looked_up_every_30_seconds(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("fdaa.platform._keys.time", clock)
    checker = verifier(issuer)

    def fetches(at: float, key_id: str = "key-1") -> int:
        now[0] = 1000 + at
        token = issuer.token(header={"kid": key_id})
        checker.verify(token) if key_id == "key-1" else refused(checker, token)
        return issuer.fetches

    assert [fetches(0), fetches(299.9), fetches(300), fetches(599.9)] == [1, 1, 2, 2]
    steps = [fetches(at, "unknown") for at in (400, 429.9, 430, 459.9, 460)]
    assert steps == [3, 3, 4, 4, 5]


def test_a_new_key_is_found_at_once(issuer: Issuer) -> None:
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.keys = {"keys": [rsa_jwk("key-3")]}
    checker.verify(issuer.token(header={"kid": "key-3"}, key="key-3"))
    assert "kid" in dict.fromkeys(
        failure.claim for failure in refused(checker, issuer.token()).failures
    )


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
def test_good_keys_are_never_replaced_by_worse(
    issuer: Issuer, worse: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fdaa.platform._keys._FRESH", 0.0)
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.keys = worse
    checker.verify(issuer.token())
    issuer.status = 500
    checker.verify(issuer.token())


def test_keys_are_asked_for_again_after_a_while(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fdaa.platform._keys._FRESH", 0.0)
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.keys = {"keys": [ec_jwk("key-2")]}  # key-1 is withdrawn
    assert refused(checker, issuer.token()).failures[0].claim == "kid"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"issuer": "https://other.example"}, "issuer"),
        ({"issuer": None}, "issuer"),
        ({"jwks_uri": "https://other.example/keys"}, "jwks_uri"),
        ({"jwks_uri": "http://127.0.0.1:1/keys"}, "jwks_uri"),
        ({"jwks_uri": "file:///etc/passwd"}, "jwks_uri"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"x": "x" * 300_000}, "longer than 256 KiB"),
    ],
)
def test_a_configuration_that_is_wrong_decides_nothing(
    issuer: Issuer, changed: dict[str, object], said: str
) -> None:
    issuer.changed = changed
    with pytest.raises(InvalidResponseError, match=said):
        verifier(issuer).verify(issuer.token())


def test_an_issuer_that_fails_is_not_asked_on_and_on(issuer: Issuer) -> None:
    issuer.status = 404
    checker = verifier(issuer)
    for _ in range(5):
        with pytest.raises(ResponseError):
            checker.verify(issuer.token())
    assert len(issuer.server.received) == 1


def test_a_failure_is_logged_where_old_keys_stay(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("fdaa.platform._keys._FRESH", 0.0)
    checker = verifier(issuer)
    checker.verify(issuer.token())
    issuer.status = 404
    with caplog.at_level(logging.WARNING, "fdaa.platform"):
        checker.verify(issuer.token())
    assert "not renewed" in caplog.text


def test_a_redirect_of_the_keys_is_followed_by_nobody(issuer: Issuer) -> None:
    with HostileServer(answers(200, b"{}")) as other:
        with HostileServer(answers(302, b"", f"Location: {other.url}")) as server:
            checker = Verifier(server.url, AUDIENCE, allow_plain_http=True)
            with pytest.raises(ResponseError, match="redirect") as info:
                checker.verify(issuer.token())
            assert "as the token" not in str(info.value)  # no token is sent
        assert other.connections == 0


def test_an_issuer_without_a_host_decides_nothing(issuer: Issuer) -> None:
    checker = Verifier("https://issuer..example/acme", AUDIENCE)
    with pytest.raises(UnreachableError):
        checker.verify(issuer.token())


def test_keys_that_drip_end_on_time(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._keys._TIMEOUT", 0.1)

    def script(connection, _: Received) -> None:
        server.drip(connection, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000)

    with HostileServer(script) as server, pytest.raises(UnreachableError, match="within"):
        Verifier(server.url, AUDIENCE, allow_plain_http=True).verify(issuer.token())


def test_keys_come_over_tls(monkeypatch: pytest.MonkeyPatch, tls_server, tls_trust) -> None:
    with Issuer(tls_server) as issuer:
        checker = Verifier(issuer.url, AUDIENCE)
        with pytest.raises(UnreachableError, match="CERTIFICATE"):
            checker.verify(issuer.token())
        monkeypatch.setenv("SSL_CERT_FILE", tls_trust)
        assert Verifier(issuer.url, AUDIENCE).verify(issuer.token()).region == "ams"


def test_a_slash_at_the_issuers_end_is_part_of_its_name(issuer: Issuer) -> None:
    issuer.url += "/"
    issuer.changed = {"jwks_uri": f"{issuer.url}keys"}
    verifier(issuer).verify(issuer.token())
    targets = [request.target for request in issuer.server.received]
    assert targets == ["/oidc/acme/.well-known/openid-configuration", "/oidc/acme/keys"]
