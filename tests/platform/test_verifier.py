"""Tokens that hold: which claims, subjects and times do, and what a verifier is made with."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from token_issuer import AUDIENCE, Issuer, refusal, rsa_jwk, verifier

from fdaa.platform import Claims, Token, UnverifiedClaims, Verifier
from fdaa.platform._verifier import _matches

NOW = int(time.time())


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


# --- the subject ----------------------------------------------------------------------------------


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


# --- times ----------------------------------------------------------------------------------------


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
    with pytest.raises(ValueError, match=said):
        Verifier(**given_)
