"""Tokens that hold: which claims, subjects and times do, and what a verifier is made with."""

from __future__ import annotations

import json
import math
import time
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import RSAAlgorithm
from token_issuer import AUDIENCE, Issuer, refusal, refused, rsa_jwk, verifier

from fdaa import ArgumentError
from fdaa.platform import (
    Claims,
    FailedCheck,
    PlatformApp,
    PlatformError,
    Token,
    TokenRefusedError,
    UnverifiedClaims,
    Verifier,
)

NOW = int(time.time())
PLAIN = "issuer: plain http is only for tests; use https, or allow_plain_http=True"

with Issuer() as OFFLINE:
    pass  # it has ended


@pytest.mark.parametrize(("algorithm", "key"), [("RS256", "key-1"), ("ES256", "key-2")])
def test_a_verified_token_has_typed_claims(issuer: Issuer, algorithm: str, key: str) -> None:
    expected = issuer.claims(note={"a": [1]})
    text = issuer.token(json.dumps(expected), {"alg": algorithm, "kid": key}, key=key)
    claims = verifier(issuer).verify(text)
    unverified = Token(text).claims()
    assert (type(claims), type(unverified)) == (Claims, UnverifiedClaims)
    assert claims != unverified
    assert claims.to_dict() == unverified.to_dict() == expected
    assert claims.other == {"note": {"a": [1]}}
    assert len({claims, verifier(issuer).verify(text)}) == 1  # a value, with a hash
    assert len(expected) == 17 + 1
    del expected["note"]
    for name, value in expected.items():
        assert getattr(claims, name) == value


def test_a_token_that_is_not_revealed_gets_the_advice_to_reveal_it(issuer: Issuer) -> None:
    token: Any = Token(issuer.token())
    with pytest.raises(TypeError, match=r"^text must be str, not Token; use token\.reveal\(\)$"):
        verifier(issuer).verify(token)
    assert verifier(issuer).verify(token.reveal())


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
        ("acme:eb:*", False),
        ("Acme:web:*", False),
        ("acme:we?:*", False),  # only a star has a meaning
        ("acme:[w]eb:*", False),
    ],
)
def test_a_star_stays_within_its_segment(issuer: Issuer, pattern: str, fits: bool) -> None:
    if fits:
        verifier(issuer, sub=pattern).verify(issuer.token())
    else:
        assert refusal(issuer, issuer.token(), sub=pattern) == {"sub": "'acme:web:cold-sun-17'"}


def test_a_pattern_does_not_match_a_name_with_a_colon(issuer: Issuer) -> None:
    token = issuer.token(sub="acme:web:x:m", app_name="web:x", machine_name="m")
    assert "sub" in refusal(issuer, token, sub="acme:web*:*")


def matches(pattern: str, text: str) -> bool:
    """The slow definition: a star is any characters."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        return matches(pattern[1:], text) or (bool(text) and matches(pattern, text[1:]))
    return text[:1] == pattern[0] and matches(pattern[1:], text[1:])


@given(st.text("ab*", min_size=1, max_size=8), st.text("ab", min_size=1, max_size=12))
def test_a_star_is_any_characters(pattern: str, app: str) -> None:
    token = OFFLINE.token(sub=f"acme:{app}:m", app_name=app, machine_name="m")
    checker = verifier(OFFLINE, sub=f"acme:{pattern}:m", keys=OFFLINE.keys)
    if matches(pattern, app):
        assert checker.verify(token).app_name == app
    else:
        with pytest.raises(TokenRefusedError, match="must match"):
            checker.verify(token)


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
def test_expiry_with_a_number_of_any_size_is_compared(issuer: Issuer, number: int) -> None:
    found = refusal(issuer, issuer.token(exp=-abs(number), nbf=abs(number)), leeway=1.5)
    assert set(found) == {"exp", "nbf"}


# --- what it is made with -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        # One rule for every host; that of the API's URL allows this computer.
        ({"issuer": "http://issuer.example/acme"}, f"^{PLAIN}$"),
        ({"issuer": "http://127.0.0.1/acme"}, f"^{PLAIN}$"),
        ({"issuer": "https://user@issuer.example"}, "user information"),
        ({"issuer": "issuer.example"}, "URL"),
        ({"aud": ""}, "aud"),
        ({"keys": {}}, "keys must be a JWK set"),
        ({"keys": [{}]}, "keys must be a JWK set"),
        ({"sub": "acme:web"}, "sub"),
        ({"sub": "acme:web:x:y"}, "sub"),
        ({"sub": "acme::x"}, "sub"),
        ({"leeway": -1}, "leeway"),
        ({"leeway": 301}, "leeway"),
        ({"leeway": float("nan")}, "leeway"),
        ({"leeway": 10**400}, "leeway"),
        ({"max_lifetime": 0}, "max_lifetime"),
        ({"max_lifetime": math.inf}, "max_lifetime"),
        ({"bound": {"app": "web"}}, "'app' is not a text claim"),
        ({"bound": {"exp": "1"}}, "'exp' is not a text claim"),
        ({"bound": {"aud": "a"}}, "'aud' is not a text claim"),
        ({"bound": {"app_id": []}}, "app_id has no value"),
        ({"bound": {"app_id": PlatformApp("web").id}}, "app_id has no value"),
    ],
)
def test_an_argument_that_cannot_be_used_is_a_value_error(
    arguments: dict[str, object], reason: str
) -> None:
    options: dict[str, Any] = {
        "issuer": "https://issuer.example/acme",
        "aud": AUDIENCE,
        **arguments,
    }
    with pytest.raises(ArgumentError, match=reason):
        Verifier(**options)


def test_plain_http_to_an_issuer_is_allowed_for_any_host() -> None:
    for host in ("issuer.example", "127.0.0.1"):
        Verifier(issuer=f"http://{host}/acme", aud=AUDIENCE, allow_plain_http=True).close()


@pytest.mark.parametrize(
    "arguments",
    [
        {"issuer": None},
        {"aud": ["a"]},
        {"sub": 5},
        {"leeway": "30"},
        {"bound": "app_id"},
        {"bound": {"app_id": 7}},
        {"bound": {"app_id": [7]}},
    ],
)
def test_an_argument_of_another_type_is_a_type_error(arguments: dict[str, object]) -> None:
    options: dict[str, Any] = {
        "issuer": "https://issuer.example/acme",
        "aud": AUDIENCE,
        **arguments,
    }
    with pytest.raises(TypeError):
        Verifier(**options)


# --- more requirements ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "fails"),
    [
        ({"app_id": "app-1"}, {}),
        ({"app_id": "app-1", "org_id": {"org-1", "org-2"}, "region": ["ams"]}, {}),
        ({"app_id": "app-2"}, {"app_id": "'app-1'"}),
        ({"image_digest": "sha256:" + "1" * 64}, {"image_digest": f"'sha256:{'0' * 53}'..."}),
        ({"region": {"fra", "cdg"}, "app_id": "app-1"}, {"region": "'ams'"}),
    ],
)
def test_claims_are_bound_to_values(
    issuer: Issuer, bound: dict[str, object], fails: dict[str, str], kind: str
) -> None:
    if fails:
        assert refusal(issuer, issuer.token(), kind=kind, bound=bound) == fails
    else:
        assert verifier(issuer, kind=kind, bound=bound).verify(issuer.token()).region == "ams"


def test_one_verifier_judges_several_roles_by_one_check_of_the_signature(
    issuer: Issuer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signatures = 0
    verify = RSAAlgorithm.verify

    def counting(*arguments: Any) -> bool:
        nonlocal signatures
        signatures += 1
        return verify(*arguments)

    monkeypatch.setattr(RSAAlgorithm, "verify", counting)
    claims = verifier(issuer, kind=kind).verify(issuer.token())
    roles: dict[str, dict[str, Any]] = {
        "web": {"sub": "acme:web:*"},
        "deploy": {"sub": "acme:deploy:*"},
        "app": {"bound": {"app_id": {"app-1", "app-2"}}},
        "web abroad": {"sub": "acme:web:*", "bound": {"region": ["fra", "cdg"]}},
        "any": {},
    }
    failures = {}
    for name, role in roles.items():
        failures[name] = [str(failure) for failure in claims.failures(**role)]
    assert failures == {
        "web": [],
        "deploy": ["sub: must match 'acme:deploy:*', got 'acme:web:cold-sun-17'"],
        "app": [],
        "web abroad": ["region: must be 'cdg' or 'fra', got 'ams'"],
        "any": [],
    }
    assert (signatures, issuer.fetches) == (1, 1)


def test_a_role_with_a_claim_that_is_missing_is_not_met(issuer: Issuer) -> None:
    claims = verifier(issuer).verify(issuer.token(image_digest=None))
    (failure,) = claims.failures(bound={"image_digest": "sha256:00"})
    assert failure == FailedCheck("image_digest", reason="missing")


@pytest.mark.parametrize(
    ("role", "error"),
    [
        ({"sub": "acme:web"}, ArgumentError),
        ({"sub": 5}, TypeError),
        ({"bound": {"exp": "1"}}, ArgumentError),
        ({"bound": {"app_id": []}}, ArgumentError),
        ({"bound": {"app_id": 7}}, TypeError),
    ],
)
def test_a_role_that_cannot_be_used_is_an_error(
    issuer: Issuer, role: dict[str, Any], error: type[Exception]
) -> None:
    claims = verifier(issuer).verify(issuer.token())
    with pytest.raises(error):
        claims.failures(**role)


def test_a_bound_claim_is_required(issuer: Issuer) -> None:
    token = issuer.token(image_digest=None)
    assert verifier(issuer).verify(token).image_digest is None
    assert refusal(issuer, token, bound={"image_digest": "sha256:00"}) == {"image_digest": None}


def test_a_bound_claim_of_another_form_fails_once(issuer: Issuer) -> None:
    error = refused(verifier(issuer, bound={"region": "ams"}), issuer.token(region=7))
    assert [str(failure) for failure in error.failures] == ["region: must be text, got 7"]


def test_a_token_may_have_to_have_an_id(issuer: Issuer) -> None:
    token = issuer.token(jti=None)
    assert verifier(issuer).verify(token).jti is None
    assert refusal(issuer, token, require_jti=True) == {"jti": None}
    assert verifier(issuer, require_jti=True).verify(issuer.token()).jti


def test_the_longest_life_of_a_token_is_a_day_or_what_is_set(issuer: Issuer) -> None:
    day = issuer.token(iat=NOW, exp=NOW + 86_400)
    assert verifier(issuer).verify(day).exp == NOW + 86_400
    longer = issuer.token(iat=NOW, exp=NOW + 86_401)
    assert set(refusal(issuer, longer)) == {"exp"}
    assert verifier(issuer, max_lifetime=86_401).verify(longer).exp == NOW + 86_401
    assert set(refusal(issuer, issuer.token(), max_lifetime=599)) == {"exp"}


@pytest.mark.parametrize("typ", [None, "JWT", "jwt", "application/jwt"])
def test_the_type_of_a_token_is_jwt_or_not_given(issuer: Issuer, typ: str | None) -> None:
    assert verifier(issuer).verify(issuer.token(header={"typ": typ})).app_name == "web"


def test_claims_of_another_form_are_shown_but_are_no_attributes() -> None:
    strange: dict[str, Any] = {"jti": "17", "image_digest": "md5:00", "region": 7}
    claims = Token(OFFLINE.token(**strange)).claims()
    assert (claims.jti, claims.image_digest, claims.region) == (None, None, None)
    assert claims.other == strange
    assert claims.to_dict().items() >= strange.items()


def test_a_verifier_that_was_closed_verifies_nothing(issuer: Issuer) -> None:
    for keys in (None, issuer.keys):
        checker = verifier(issuer, keys=keys)
        assert isinstance(checker, Verifier)
        with checker:
            assert checker.verify(issuer.token()).app_name == "web"
        with pytest.raises(PlatformError, match="the verifier is closed"):
            checker.verify(issuer.token())


def test_the_attributes_are_the_seventeen_claims() -> None:
    names = [field.name for field in fields(Claims) if field.name != "other"]
    assert set(names) == set(OFFLINE.claims())
    assert len(names) == 17


def test_required_claims_have_types_without_none() -> None:
    hints = get_type_hints(Claims)
    required = ("iss", "aud", "sub", "org_name", "app_name", "machine_name")
    assert [hints[name] for name in required] == [str] * 6
    assert [hints[name] for name in ("iat", "nbf", "exp")] == [int] * 3
    assert hints["region"] == str | None
