"""Tokens that hold: which claims, subjects and times do, and what a verifier is made with."""

from __future__ import annotations

import json
import math
import pickle
import time
from typing import Any

import pytest
from token_issuer import AUDIENCE, Issuer, refusal, refused, rsa_jwk, verifier

from fdaa import ArgumentError
from fdaa.platform import Claims, Token, UnverifiedClaims, Verifier

NOW = int(time.time())


@pytest.mark.parametrize(("algorithm", "key"), [("RS256", "key-1"), ("ES256", "key-2")])
def test_a_verified_token_has_typed_claims(issuer: Issuer, algorithm: str, key: str) -> None:
    expected = issuer.claims(note={"a": [1]})
    text = issuer.token(json.dumps(expected), {"alg": algorithm, "kid": key}, key=key)
    claims = verifier(issuer).verify(text)
    unverified = Token(text).claims()
    assert (type(claims), type(unverified)) == (Claims, UnverifiedClaims)
    assert claims.to_dict() == unverified.to_dict() == expected
    assert claims.other == {"note": {"a": [1]}}
    assert len({claims, pickle.loads(pickle.dumps(claims))}) == 1  # a value, with a hash
    for name in set(expected) - {"note"}:
        assert getattr(claims, name) == expected[name]


def test_claims_as_text_escape_what_a_terminal_would_obey(issuer: Issuer) -> None:
    evil: dict[str, Any] = {"\x1b[2Jevil\nrefused:": "\x1b[2J", "region": 7}
    lines = str(Token(issuer.token(**evil)).claims()).splitlines()
    assert all(line.isprintable() for line in lines)
    assert r"\x1b[2Jevil\nrefused:  \x1b[2J" in lines
    assert any(line.split() == ["region", "7", "(unexpected", "form)"] for line in lines)


@pytest.mark.parametrize(
    ("header", "changed"),
    [
        ({}, {"jti": None, "image_digest": None}),
        ({}, {"jti": "0E6B3CBB-9F2E-4C0E-A1D3-3E1A3C1F7D55"}),
        ({"typ": None}, {}),
        ({"typ": "application/jwt"}, {}),
    ],
)
def test_what_may_be_absent_or_differ(
    issuer: Issuer, header: dict[str, object], changed: dict[str, Any]
) -> None:
    assert verifier(issuer).verify(issuer.token(header=header, **changed)).app_name == "web"


def test_a_key_without_an_id_is_fine_where_there_is_one(issuer: Issuer) -> None:
    token = issuer.token(header={"kid": None})
    assert "kid" in refusal(issuer, token)
    issuer.keys = {"keys": [rsa_jwk("key-1", kid="")]}
    assert verifier(issuer).verify(token).app_name == "web"


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*", ["web", "*"], []),
        ("w*b", ["wb", "web"], ["we", "awb", "Web"]),
        ("a*a*b", ["aab", "abab"], ["ab", "aaba"]),
        ("?", ["?"], ["a"]),
        ("[ab]", ["[ab]"], ["a"]),
    ],
)
def test_a_star_is_any_characters(pattern: str, matching: list[str], others: list[str]) -> None:
    values = {"iss": "i", "aud": "a", "org_name": "acme", "machine_name": "m"}
    times = {"iat": 1, "nbf": 1, "exp": 2}
    for app in matching + others:
        claims = Claims(sub=f"acme:{app}:m", app_name=app, **values, **times)  # type: ignore[arg-type]
        assert (claims.failures(sub=f"acme:{pattern}:m") == ()) is (app in matching)
        assert claims.failures(sub="acme:*:other") != ()  # a star stays within its part


def test_the_leeway_is_exact(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    token = issuer.token(exp=NOW, iat=NOW, nbf=NOW)
    for now, holds in ((29.9, True), (30, False), (-30, True), (-30.1, False)):
        monkeypatch.setattr("fdaa.platform._verifier.time.time", lambda now=now: NOW + now)
        if holds:
            verifier(issuer).verify(token)
        else:
            refusal(issuer, token)


def test_the_longest_life_of_a_token_is_a_day_or_what_is_set(issuer: Issuer) -> None:
    day = issuer.token(iat=NOW, exp=NOW + 86_400)
    assert verifier(issuer).verify(day).exp == NOW + 86_400
    longer = issuer.token(iat=NOW, exp=NOW + 86_401)
    assert set(refusal(issuer, longer)) == {"exp"}
    assert verifier(issuer, max_lifetime=86_401).verify(longer).exp == NOW + 86_401
    assert set(refusal(issuer, issuer.token(), max_lifetime=599)) == {"exp"}


def test_claims_are_bound_to_values(issuer: Issuer) -> None:
    bound: dict[str, Any] = {"app_id": "app-1", "org_id": {"org-1", "org-2"}, "region": ["ams"]}
    assert verifier(issuer, bound=bound).verify(issuer.token()).region == "ams"
    bound["region"] = {"fra", "cdg"}
    assert refusal(issuer, issuer.token(), bound=bound) == {"region": "'ams'"}


def test_a_bound_claim_is_required_and_fails_once(issuer: Issuer) -> None:
    token = issuer.token(image_digest=None)
    assert verifier(issuer).verify(token).image_digest is None
    assert refusal(issuer, token, bound={"image_digest": "sha256:00"}) == {"image_digest": None}
    error = refused(verifier(issuer, bound={"region": "ams"}), issuer.token(region=7))
    assert [str(failure) for failure in error.failures] == ["region: must be text, got 7"]


def test_one_verifier_judges_several_roles(issuer: Issuer) -> None:
    claims = verifier(issuer).verify(issuer.token())
    assert claims.failures() == claims.failures(sub="acme:web:*") == ()
    deploy = claims.failures(sub="acme:deploy:*", bound={"region": ["fra", "cdg"]})
    assert [str(failure) for failure in deploy] == [
        "region: must be 'cdg' or 'fra', got 'ams'",
        "sub: must match 'acme:deploy:*', got 'acme:web:cold-sun-17'",
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"issuer": "https://user@issuer.example"}, "user information"),
        ({"issuer": "http://issuer.example"}, "plain http is only for a loopback"),
        ({"aud": ""}, "aud"),
        ({"sub": "acme:web"}, "sub"),
        ({"leeway": 301}, "leeway"),
        ({"max_lifetime": math.inf}, "max_lifetime"),
        ({"bound": {"app": "web"}}, "'app' is not a text claim"),
        ({"bound": {"app_id": []}}, "app_id has no value"),
    ],
)
def test_an_argument_that_cannot_be_used_is_a_value_error(
    arguments: dict[str, Any], reason: str
) -> None:
    options = {"issuer": "https://issuer.example/acme", "aud": AUDIENCE, **arguments}
    with pytest.raises(ArgumentError, match=reason):
        Verifier(**options)
