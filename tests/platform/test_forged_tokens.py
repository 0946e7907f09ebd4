"""Forged tokens, by claim and by header: each is refused, with every check that it fails."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jwt.algorithms import RSAAlgorithm
from token_issuer import AUDIENCE, Issuer, b64, refusal, refused, rsa_jwk, rsa_key, verifier

from fdaa.platform import TokenRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.platform import Verifier

NOW = int(time.time())
EVIL = "https://evil.example"


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    """An issuer that also publishes keys that are not good for tokens."""
    with Issuer() as issuer:
        private = {**RSAAlgorithm.to_jwk(rsa_key("leaked"), as_dict=True), "kid": "leaked"}
        del private["key_ops"]
        others = [rsa_jwk("short"), private, rsa_jwk("secret", use="enc")]
        issuer.keys["keys"] += [*others, {"kty": "oct", "k": "AAAA", "kid": "oct"}]
        yield issuer


# Changed claims, and the claims that fail; a change to None takes a claim away.
CLAIMS: list[tuple[dict[str, Any], set[str]]] = [
    ({"iss": None}, {"iss"}),
    ({"exp": None}, {"exp"}),
    ({"iss": EVIL}, {"iss"}),
    ({"iss": "http://127.0.0.1/oidc/acme"}, {"iss"}),  # without its port
    ({"aud": [AUDIENCE]}, {"aud"}),
    ({"aud": AUDIENCE + "/"}, {"aud"}),
    ({"sub": "acme:web"}, {"sub"}),
    ({"sub": "acme:web:cold:sun"}, {"sub"}),
    ({"sub": "acme::cold-sun-17", "app_name": ""}, {"sub", "app_name"}),
    ({"sub": "acme:api:m"}, {"app_name", "machine_name"}),
    ({"org_name": "evil"}, {"org_name"}),
    ({"exp": True}, {"exp"}),
    ({"exp": float(NOW + 60)}, {"exp"}),
    ({"exp": -(10**400), "nbf": 10**400}, {"exp", "nbf"}),
    ({"nbf": NOW + 3600, "exp": NOW + 7200}, {"nbf"}),
    ({"iat": NOW + 3600, "exp": NOW + 7200}, {"iat"}),
    ({"iat": NOW - 10, "nbf": NOW + 20, "exp": NOW + 10}, {"exp"}),  # before it is valid
    ({"jti": "urn:uuid:0e6b3cbb-9f2e-4c0e-a1d3-3e1a3c1f7d55"}, {"jti"}),
    ({"image_digest": "md5:00"}, {"image_digest"}),
    (
        {"aud": "x", "exp": NOW - 3600, "nbf": NOW + 3600, "sub": "a:web:m", "region": 1},
        {"aud", "exp", "nbf", "org_name", "machine_name", "region"},
    ),
]

# A changed header, how it is signed, and what fails.
HEADERS: list[tuple[dict[str, Any], dict[str, Any], set[str]]] = [
    ({"alg": "none"}, {}, {"alg"}),
    ({"alg": "HS256"}, {}, {"alg"}),  # with the public key as the secret
    ({"alg": None}, {}, {"alg"}),
    ({"alg": "ES256"}, {"key": "key-2"}, {"alg"}),  # with the ID of the RSA key
    ({"kid": "key-2"}, {}, {"alg"}),
    ({"typ": "logout+jwt"}, {}, {"typ"}),
    ({"kid": None}, {}, {"kid"}),
    ({"kid": "unknown"}, {}, {"kid"}),
    ({"kid": "evil", "jwk": rsa_jwk("evil")}, {"key": "evil"}, {"kid"}),
    ({"kid": "short"}, {}, {"kid"}),
    ({"kid": "leaked"}, {"key": "leaked"}, {"kid"}),
    ({"kid": "secret"}, {"key": "secret"}, {"kid"}),
    ({"kid": "oct"}, {}, {"kid"}),
    ({}, {"key": "evil"}, {"signature"}),
    ({"jku": EVIL, "jwk": rsa_jwk("evil")}, {"key": "evil"}, {"signature"}),
    ({"alg": "none", "kid": "unknown"}, {"aud": "x"}, {"alg", "kid", "aud"}),
    # What PyJWT refuses is no token.
    ({"kid": 1}, {}, {"token"}),
    ({"crit": ["x"], "x": 1}, {}, {"token"}),
    ({}, {"payload": "[1]"}, {"token"}),
]


@pytest.mark.parametrize(("changed", "fails"), CLAIMS, ids=range(len(CLAIMS)))
def test_a_wrong_claim_is_refused(
    running: Issuer, changed: dict[str, Any], fails: set[str]
) -> None:
    assert set(refusal(running, running.token(**changed))) == fails


@pytest.mark.parametrize(("header", "options", "fails"), HEADERS, ids=range(len(HEADERS)))
def test_a_wrong_header_or_key_is_refused(
    running: Issuer, header: dict[str, Any], options: dict[str, Any], fails: set[str]
) -> None:
    token = running.token(header=header, **options)
    assert set(refusal(running, token, keys=running.keys)) == fails


def with_payload_of_another(issuer: Issuer) -> str:
    header, _, signature = issuer.token(sub="acme:web:m").split(".")
    payload = issuer.token(sub="a:b:c").split(".")[1]
    return f"{header}.{payload}.{signature}"


@pytest.mark.parametrize(
    ("make", "fails"),
    [
        (lambda i: i.token()[:-2], {"signature"}),
        (lambda i: i.token().rpartition(".")[0] + ".", {"signature"}),
        (with_payload_of_another, {"signature", "org_name", "app_name", "machine_name"}),
        (lambda _: "a.b", {"token"}),
        (lambda _: b64(b"[]") + ".e30.AAAA", {"token"}),
        (lambda i: i.token() + ".a.b", {"token"}),
        (lambda i: i.token() + "\n", {"token"}),
        (lambda i: i.token(x="x" * 20_000), {"token"}),
    ],
    ids=range(8),
)
def test_a_changed_text_is_refused(
    running: Issuer, make: Callable[[Issuer], str], fails: set[str]
) -> None:
    found = refusal(running, make(running))
    assert set(found) == fails
    assert set(found.values()) == {None}


def test_a_failure_shows_what_the_token_has_only_where_the_signature_holds(
    running: Issuer,
) -> None:
    """It may be anyone's; wrong issuers and audiences are frequent mistakes of callers."""
    wrong: dict[str, Any] = {"aud": "canary-1", "sub": "canary:2:3:4", "region": 7}
    signed = refusal(running, running.token(**wrong))
    assert signed == {"aud": "'canary-1'", "sub": "'canary:2:3:4'", "region": "7"}
    forged = refusal(running, running.token(key="evil", **wrong))
    assert forged == {"signature": None, "aud": "'canary-1'", "sub": None, "region": None}


def test_what_is_wrong_in_any_case_is_refused_where_no_keys_can_be_fetched(issuer: Issuer) -> None:
    issuer.status = 500
    error = refused(verifier(issuer), issuer.token(header={"alg": "none"}, aud="x", exp=1))
    assert {failure.claim for failure in error.failures} == {"alg", "aud", "exp", "signature"}
    assert re.search(r"signature: not checked: GET .*/openid-configuration: status 500", str(error))


@pytest.fixture(scope="module")
def checker(running: Issuer) -> Verifier:
    """Its keys are given: what a new key might have signed is refused, too."""
    return verifier(running, keys=running.keys)


@pytest.fixture(scope="module")
def good(running: Issuer) -> str:
    return running.token()


@given(st.data())
def test_a_changed_token_is_never_accepted(
    checker: Verifier, good: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(good) - 1))
    other = data.draw(st.sampled_from("AZaz09-_.=\n "))
    changed = good[:at] + other + good[at + 1 :]
    if changed == good:
        checker.verify(good)
        return
    with pytest.raises(TokenRefusedError):
        checker.verify(changed)


json_values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())
headers = st.dictionaries(st.sampled_from(["alg", "kid", "typ", "b64", "crit"]), json_values)


@given(headers)
def test_any_header_is_refused_and_nothing_else(
    checker: Verifier, header: dict[str, object]
) -> None:
    with pytest.raises(TokenRefusedError):
        checker.verify(f"{b64(json.dumps(header).encode())}.e30.AAAA")
