"""Tokens that hold, and every kind of forged one with the reason it is refused for."""

from __future__ import annotations

import json
import logging
import pickle
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hostile_server import HostileServer, Received, answers
from hypothesis import given
from hypothesis import strategies as st
from token_issuer import AUDIENCE, Issuer, b64, ec_jwk, rsa_jwk, short_jwk

import fdaa
from fdaa.platform import (
    ArgumentError,
    Claims,
    PlatformError,
    ResponseError,
    Token,
    TokenRefusedError,
    UnexpectedAnswerError,
    UnreachableError,
    UnverifiedClaims,
    Verifier,
)
from fdaa.platform._verifier import _matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = int(time.time())


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


def verifier(issuer: Issuer, subject: str | None = None, **options) -> Verifier:
    return Verifier(issuer.url, AUDIENCE, subject, allow_plain_http=True, **options)


def refusal(issuer: Issuer, token: str, **options) -> dict[str | None, str | None]:
    """Return the claims, or checks, that a token fails, each with what it has."""
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer, **options).verify(token)
    error = info.value
    assert isinstance(error, fdaa.FdaaError)
    assert str(error).isprintable()
    assert all(failure.expected in str(error) for failure in error.failures)
    assert pickle.loads(pickle.dumps(error)).failures == error.failures
    return {failure.claim or failure.check: failure.got for failure in error.failures}


# --- what holds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_a_good_token_tells_its_claims(issuer: Issuer, algorithm: str) -> None:
    key = {"RS256": "key-1", "ES256": "key-2"}[algorithm]
    expected = issuer.claims(note={"a": [1]})
    header = {"alg": algorithm, "kid": key}
    claims = verifier(issuer).verify(issuer.token(json.dumps(expected), header, key=key))
    assert type(claims) is Claims
    assert (claims.sub, claims.exp, claims.app_name) == (
        "acme:web:cold-sun-17",
        expected["exp"],
        "web",
    )
    assert claims.other == {"note": {"a": [1]}}
    assert claims.to_json() == expected


def test_unverified_claims_are_another_type(issuer: Issuer) -> None:
    text = issuer.token()
    unverified = Token(text).claims()
    assert type(unverified) is UnverifiedClaims
    assert not isinstance(unverified, Claims)
    assert unverified != verifier(issuer).verify(text)
    assert unverified.to_json() == verifier(issuer).verify(text).to_json()


def test_all_seventeen_claims_are_typed(issuer: Issuer) -> None:
    expected = issuer.claims()
    claims = verifier(issuer).verify(issuer.token(json.dumps(expected)))
    assert len(expected) == 17
    for name, value in expected.items():
        assert getattr(claims, name) == value
    assert claims.other == {}


def test_a_key_without_an_id_is_fine_where_there_is_one(issuer: Issuer) -> None:
    token = issuer.token(header={"kid": None})
    assert "kid" in refusal(issuer, token)
    issuer.keys = {"keys": [rsa_jwk("key-1", kid="")]}
    assert verifier(issuer).verify(token).app_name == "web"


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("acme:web:*", True),
        ("*:*:*", True),
        ("acme:w*b:cold-*-17", True),
        ("acme:web:cold-sun-17", True),
        ("acme:*we*b*:*1*7", True),
        ("acme:web:c*c*", False),
        ("acme:we:*", False),
        ("acme:eb:*", False),
        ("acme:*web-*:*", False),
        ("acm:web:*", False),
        ("Acme:web:*", False),
        ("acme:web:*18", False),
    ],
)
def test_a_star_stays_within_its_segment(issuer: Issuer, pattern: str, fits: bool) -> None:
    if fits:
        verifier(issuer, pattern).verify(issuer.token())
    else:
        assert refusal(issuer, issuer.token(), subject=pattern) == {"sub": "'acme:web:cold-sun-17'"}


def test_a_pattern_does_not_match_a_look_alike(issuer: Issuer) -> None:
    token = issuer.token(sub="acme:web-evil:m", app_name="web-evil", machine_name="m")
    assert "sub" in refusal(issuer, token, subject="acme:web:*")
    token = issuer.token(sub="acme:web:x:m", app_name="web:x", machine_name="m")
    assert "sub" in refusal(issuer, token, subject="acme:web*:*")


@given(st.text("ab*", max_size=8), st.text("ab", max_size=12))
def test_a_star_is_any_characters(pattern: str, segment: str) -> None:
    def slow(pattern: str, segment: str) -> bool:
        if not pattern:
            return not segment
        if pattern[0] == "*":
            return slow(pattern[1:], segment) or (bool(segment) and slow(pattern, segment[1:]))
        return segment[:1] == pattern[0] and slow(pattern[1:], segment[1:])

    assert _matches(pattern, segment) is slow(pattern, segment)


# --- what is forged -------------------------------------------------------------------------------


class Forged(NamedTuple):
    why: str
    make: Callable[[Issuer], str]
    fails: dict[str | None, str | None]


def part_twice(issuer: Issuer, name: str, value: object) -> str:
    text = json.dumps(issuer.claims())
    return text[:-1] + f', "{name}": {json.dumps(value)}}}'


FORGED = (
    Forged(
        "none",
        lambda i: i.token(header={"alg": "none"}),
        {"alg": "'none'"},
    ),
    Forged(
        "HS256 with the public key",
        lambda i: i.token(header={"alg": "HS256"}),
        {"alg": "'HS256'"},
    ),
    Forged(
        "an algorithm that is not allowed",
        lambda i: i.token(header={"alg": "RS512"}),
        {"alg": "'RS512'"},
    ),
    Forged("no algorithm", lambda i: i.token(header={"alg": None}), {"alg": "none"}),
    Forged("algorithms", lambda i: i.token(header={"alg": ["RS256"]}), {"alg": "an array"}),
    Forged(
        "RS256 for a key of ES256",
        lambda i: i.token(header={"kid": "key-2"}),
        {"alg": "RS256"},
    ),
    Forged(
        "wrong issuer by one slash",
        lambda i: i.token(iss=i.url + "/"),
        {"iss": lambda i: f"'{i.url}/'"},
    ),
    Forged(
        "a host that looks alike",
        lambda i: i.token(iss=i.url.replace("127.0.0.1", "127.0.0.1.evil.example")),
        {"iss": lambda i: repr(i.url.replace("127.0.0.1", "127.0.0.1.evil.example"))},
    ),
    Forged(
        "user information that looks like the host",
        lambda i: i.token(iss=i.url.replace("://", "://127.0.0.1@")),
        {"iss": lambda i: repr(i.url.replace("://", "://127.0.0.1@"))},
    ),
    Forged(
        "a host in other case",
        lambda i: i.token(iss=i.url.upper()),
        {"iss": lambda i: repr(i.url.upper())},
    ),
    Forged("aud as a list", lambda i: i.token(aud=[AUDIENCE]), {"aud": "an array"}),
    Forged("aud as a prefix", lambda i: i.token(aud=AUDIENCE[:-1]), {"aud": repr(AUDIENCE[:-1])}),
    Forged(
        "aud that goes on", lambda i: i.token(aud=AUDIENCE + "/"), {"aud": repr(AUDIENCE + "/")}
    ),
    Forged(
        "aud in other case",
        lambda i: i.token(aud=AUDIENCE.upper()),
        {"aud": repr(AUDIENCE.upper())},
    ),
    Forged("no aud", lambda i: i.token(aud=None), {"aud": "none"}),
    Forged(
        "sub with an extra colon",
        lambda i: i.token(sub="acme:web:cold:sun"),
        {"sub": "'acme:web:cold:sun'"},
    ),
    Forged("sub with a colon too few", lambda i: i.token(sub="acme:web"), {"sub": "'acme:web'"}),
    Forged(
        "sub of an empty app",
        lambda i: i.token(sub="acme::cold-sun-17", app_name=""),
        {"sub": "'acme::cold-sun-17'"},
    ),
    Forged("sub of another app", lambda i: i.token(app_name="api"), {"app_name": "'api'"}),
    Forged(
        "sub of another organization", lambda i: i.token(org_name="evil"), {"org_name": "'evil'"}
    ),
    Forged("sub of another Machine", lambda i: i.token(machine_name="x"), {"machine_name": "'x'"}),
    Forged("no org_name", lambda i: i.token(org_name=None), {"org_name": "none"}),
    Forged(
        "expired by a second beyond leeway",
        lambda i: i.token(exp=NOW - 31, iat=NOW - 600, nbf=NOW - 600),
        {"exp": str(NOW - 31)},
    ),
    Forged("not yet valid", lambda i: i.token(nbf=NOW + 3600), {"nbf": str(NOW + 3600)}),
    Forged("issued in the future", lambda i: i.token(iat=NOW + 3600), {"iat": str(NOW + 3600)}),
    Forged("never expires", lambda i: i.token(exp=None), {"exp": "none"}),
    Forged("expires as text", lambda i: i.token(exp="9999999999"), {"exp": "'9999999999'"}),
    Forged("expires when true", lambda i: i.token(exp=True), {"exp": "True"}),
    Forged("a claim of another type", lambda i: i.token(region=7), {"region": "7"}),
    Forged(
        "duplicate aud",
        lambda i: i.token(part_twice(i, "aud", AUDIENCE)),
        {"payload": "the key 'aud' appears twice in one object"},
    ),
    Forged(
        "a payload that is no object",
        lambda i: i.token("[1]"),
        {"payload": "it is not a JSON object"},
    ),
    Forged(
        "unknown crit", lambda i: i.token(header={"crit": ["x"], "x": 1}), {"crit": "one with it"}
    ),
    Forged(
        "jku", lambda i: i.token(header={"jku": "https://evil.example"}), {"jku": "one with it"}
    ),
    Forged(
        "x5u", lambda i: i.token(header={"x5u": "https://evil.example"}), {"x5u": "one with it"}
    ),
    Forged(
        "an embedded key",
        lambda i: i.token(header={"jwk": rsa_jwk("evil"), "kid": "evil"}, key="evil"),
        {"jwk": "one with it"},
    ),
    Forged(
        "the key of another organization",
        lambda i: i.token(key="other-org"),
        {"signature": None},
    ),
    Forged(
        "the key ID of another organization",
        lambda i: i.token(header={"kid": "other-org"}, key="other-org"),
        {"kid": "'other-org'"},
    ),
    Forged("a key ID that is no text", lambda i: i.token(header={"kid": 1}), {"kid": "1"}),
    Forged(
        "512-bit RSA",
        lambda i: i.token(header={"kid": "short"}, signed_by="short"),
        {"kid": None},
    ),
    Forged(
        "a private key that is published",
        lambda i: i.token(header={"kid": "leaked"}),
        {"kid": None},
    ),
    Forged("an ID of two keys", lambda i: i.token(header={"kid": "twice"}), {"kid": None}),
    Forged("a signature cut off", lambda i: i.token()[:-2], {"signature": None}),
    Forged("no signature", lambda i: i.token().rpartition(".")[0] + ".", {"signature": None}),
    Forged(
        "a payload from another token",
        lambda i: ".".join(
            (i.token().split(".")[0], i.token(sub="a:b:c").split(".")[1], i.token().split(".")[2])
        ),
        {"signature": None, "org_name": None, "app_name": None, "machine_name": None},
    ),
    Forged("no token", lambda _: "nonsense", {"form": None}),
    Forged("nothing", lambda _: "", {"form": None}),
    Forged("five parts", lambda i: i.token() + ".a.b", {"form": None}),
    Forged("white space", lambda i: i.token() + "\n", {"form": None}),
    Forged("padding", lambda i: i.token() + "=", {"form": None}),
    Forged(
        "a header with a key twice",
        lambda i: b64(b'{"alg":"none","alg":"RS256"}') + i.token()[i.token().index(".") :],
        {"form": None},
    ),
    Forged("too long", lambda i: i.token(x="x" * 20_000), {"form": None}),
)


@pytest.mark.parametrize("forged", FORGED, ids=[each.why for each in FORGED])
def test_a_forged_token_is_refused_with_the_reason(issuer: Issuer, forged: Forged) -> None:
    twice = [rsa_jwk("a", kid="twice"), rsa_jwk("b", kid="twice")]
    issuer.keys["keys"] += [short_jwk("short"), rsa_jwk("key-1", kid="leaked", d="AQAB"), *twice]
    expected = {k: v(issuer) if callable(v) else v for k, v in forged.fails.items()}
    assert refusal(issuer, forged.make(issuer)) == expected


def test_every_check_that_fails_is_told(issuer: Issuer) -> None:
    wrong = {"aud": "x", "exp": NOW - 3600, "nbf": NOW + 3600, "sub": "a:web:m", "region": 1}
    found = refusal(issuer, issuer.token(**wrong))
    assert set(found) == {"aud", "exp", "nbf", "org_name", "machine_name", "region"}


def test_claims_are_quoted_only_where_the_signature_holds(issuer: Issuer) -> None:
    token = issuer.token(key="evil", aud="canary-1", sub="canary:2:3:4", region=7)
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer).verify(token)
    assert {failure.claim for failure in info.value.failures} == {None, "aud", "sub", "region"}
    assert "canary" not in str(info.value)
    assert all(failure.got is None for failure in info.value.failures)


def test_the_leeway_is_exact(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    token = issuer.token(exp=NOW, iat=NOW, nbf=NOW)
    for now, holds in ((29.9, True), (30, False), (-30, True), (-30.1, False)):
        monkeypatch.setattr("fdaa.platform._verifier.time.time", lambda now=now: NOW + now)
        if holds:
            verifier(issuer).verify(token)
        else:
            refusal(issuer, token)


@pytest.mark.parametrize("number", [10**400, -(10**400), 2**63])
def test_huge_times_are_compared(issuer: Issuer, number: int) -> None:
    found = refusal(issuer, issuer.token(exp=-abs(number), nbf=abs(number)), leeway=1.5)
    assert set(found) == {"exp", "nbf"}


@given(st.data())
def test_a_changed_token_is_refused_and_nothing_else(data: st.DataObject) -> None:
    text = GOOD[0]
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("AZaz09-_.=\n "))
    changed = text[:at] + other + text[at + 1 :]
    if changed == text:
        VERIFIER[0].verify(text)
    else:
        with pytest.raises(TokenRefusedError):
            VERIFIER[0].verify(changed)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "b64", "crit"]), json_values))
def test_any_header_is_refused_and_nothing_else(header: dict[str, object]) -> None:
    text = f"{b64(json.dumps(header).encode())}.e30.AAAA"
    with pytest.raises(TokenRefusedError):
        VERIFIER[0].verify(text)


@given(st.data())
def test_any_payload_is_refused_and_nothing_else(data: st.DataObject) -> None:
    names = ["iss", "aud", "sub", "exp", "nbf", "iat", "org_name", "app_name", "jti"]
    claims = data.draw(st.dictionaries(st.sampled_from(names), json_values))
    token = ISSUER[0].token(json.dumps(claims))
    with pytest.raises(TokenRefusedError):
        VERIFIER[0].verify(token)


GOOD: list[str] = []
VERIFIER: list[Verifier] = []
ISSUER: list[Issuer] = []


@pytest.fixture(scope="module", autouse=True)
def shared() -> Iterator[None]:
    with Issuer() as running:
        ISSUER.append(running)
        GOOD.append(running.token())
        VERIFIER.append(verifier(running))
        yield


# --- what it is made with -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"issuer": "http://issuer.example/acme"}, "plain http"),
        ({"issuer": "http://127.0.0.1/acme"}, "https"),
        ({"issuer": "https://user@issuer.example"}, "user information"),
        ({"issuer": "issuer.example"}, "URL"),
        ({"audience": ""}, "audience"),
        ({"audience": ["a"]}, "audience"),
        ({"subject": "acme:web"}, "subject"),
        ({"subject": "acme:web:x:y"}, "subject"),
        ({"subject": "acme::x"}, "subject"),
        ({"leeway": -1}, "leeway"),
        ({"leeway": 301}, "leeway"),
        ({"leeway": float("nan")}, "leeway"),
        ({"leeway": 10**400}, "leeway"),
        ({"subject": 5}, "subject"),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(arguments, said: str) -> None:
    given_ = {"issuer": "https://issuer.example/acme", "audience": AUDIENCE, **arguments}
    with pytest.raises(ArgumentError, match=said):
        Verifier(**given_)


# --- keys -----------------------------------------------------------------------------------------


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


def refused(checker: Verifier, token: str) -> TokenRefusedError:
    with pytest.raises(TokenRefusedError) as info:
        checker.verify(token)
    return info.value


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
    ("changed", "error", "said"),
    [
        ({"issuer": "https://other.example"}, UnexpectedAnswerError, "issuer"),
        ({"issuer": None}, UnexpectedAnswerError, "issuer"),
        ({"jwks_uri": "https://other.example/keys"}, UnexpectedAnswerError, "jwks_uri"),
        ({"jwks_uri": "http://127.0.0.1:1/keys"}, UnexpectedAnswerError, "jwks_uri"),
        ({"jwks_uri": "file:///etc/passwd"}, UnexpectedAnswerError, "jwks_uri"),
        ({"jwks_uri": None}, UnexpectedAnswerError, "jwks_uri"),
        ({"x": "x" * 300_000}, UnexpectedAnswerError, "longer than 256 KiB"),
    ],
)
def test_a_configuration_that_is_wrong_decides_nothing(
    issuer: Issuer, changed: dict[str, object], error: type[PlatformError], said: str
) -> None:
    issuer.changed = changed
    with pytest.raises(error, match=said):
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
            with pytest.raises(ResponseError, match="redirect"):
                checker.verify(issuer.token())
        assert other.connections == 0


def test_keys_that_drip_end_on_time(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._keys._TIMEOUT", 0.3)

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
