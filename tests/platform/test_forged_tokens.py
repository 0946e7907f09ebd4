"""Every kind of forged token, with the reason that it is refused for."""

from __future__ import annotations

import base64
import json
import re
import string
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from token_issuer import (
    AUDIENCE,
    Issuer,
    b64,
    refusal,
    refused,
    rsa_jwk,
    rsa_key,
    short_jwk,
    sign,
    verifier,
)

from fdaa.platform import TokenRefusedError, Verifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = int(time.time())
EVIL = "https://evil.example"


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("aud", [AUDIENCE]),
        ("aud", AUDIENCE.upper()),
        ("sub", "acme:web:cold:sun"),
        ("app_name", "api"),
        ("org_name", "evil"),
        ("exp", NOW - 31),  # a second beyond the leeway
        ("exp", None),
        ("exp", True),
        ("exp", float(NOW + 60)),  # 3.0 is an integer for some, and 3 alone for us
        ("jti", "urn:uuid:0e6b3cbb-9f2e-4c0e-a1d3-3e1a3c1f7d55"),
        ("image_digest", "00"),
    ],
    ids=range(11),  # times differ between processes
)
def test_a_claim_that_is_wrong_is_refused_and_shown(
    issuer: Issuer, claim: str, value: object
) -> None:
    """Which claims are wrong stands in the rows of docs/vectors/tokens.jsonl."""
    shown: str | None = None
    if isinstance(value, str):
        shown = repr(value)
    elif value is not None:
        shown = json.dumps(value)
    changed: dict[str, Any] = {claim: value}
    assert refusal(issuer, issuer.token(**changed)) == {claim: shown}


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("/oidc/acme", "/oidc/acme/"),
        ("127.0.0.1", "127.0.0.1.evil.example"),
        ("://", "://127.0.0.1@"),
        ("http", "HTTP"),
    ],
)
def test_an_issuer_that_looks_alike_is_refused(issuer: Issuer, part: str, other: str) -> None:
    iss = issuer.url.replace(part, other)
    assert set(refusal(issuer, issuer.token(iss=iss))) == {"iss"}


@pytest.mark.parametrize(
    ("header", "options", "fails"),
    [
        ({"alg": "none"}, {}, {"alg": "'none'"}),
        ({"alg": "HS256"}, {}, {"alg": "'HS256'"}),  # with the public key
        ({"alg": "RS512"}, {}, {"alg": "'RS512'"}),
        ({"alg": None}, {}, {"alg": None}),
        ({"alg": ["RS256"]}, {}, {"alg": '["RS256"]'}),
        ({"kid": "key-2"}, {}, {"alg": "RS256"}),
        ({"crit": ["x"], "x": 1}, {}, {"crit": None}),
        ({"jku": EVIL}, {}, {"jku": None}),
        ({"x5u": EVIL}, {}, {"x5u": None}),
        ({"jwk": rsa_jwk("evil"), "kid": "evil"}, {"key": "evil"}, {"jwk": None, "kid": "'evil'"}),
        ({}, {"key": "other-org"}, {"signature": None}),
        ({"kid": "other-org"}, {"key": "other-org"}, {"kid": "'other-org'"}),
        ({"kid": 1}, {}, {"kid": "1"}),
        ({"kid": "short"}, {"signed_by": "short"}, {"kid": None}),
        ({"kid": "leaked"}, {}, {"kid": None}),
        ({"kid": "twice"}, {}, {"kid": None}),
        ({"kid": "prime"}, {"key": "prime"}, {"kid": None}),
        ({"kid": "wraps"}, {"key": "wraps"}, {"kid": None}),
        ({"kid": "secret"}, {"key": "secret"}, {"kid": "'secret'"}),
        ({"x5c": [EVIL]}, {}, {"x5c": None}),
        ({"b64": False}, {}, {"b64": None}),
        ({"typ": "logout+jwt"}, {}, {"typ": "'logout+jwt'"}),
        ({"typ": 1}, {}, {"typ": "1"}),
        ({}, {"payload": "[1]"}, {"payload": None}),
        (
            {},
            {"sub": "acme::cold-sun-17", "app_name": ""},
            {"sub": "'acme::cold-sun-17'", "app_name": "''"},
        ),
    ],
)
def test_a_wrong_header_or_key_is_refused_with_the_reason(
    issuer: Issuer, header: dict[str, object], options: dict[str, str], fails: dict[str, str | None]
) -> None:
    """512-bit RSA, a private key or prime that is published, one ID of two keys, and others."""
    twice = [rsa_jwk("a", kid="twice"), rsa_jwk("b", kid="twice")]
    issuer.keys["keys"] += [short_jwk("short"), rsa_jwk("key-1", kid="leaked", d="AQAB"), *twice]
    issuer.keys["keys"] += [rsa_jwk("prime", p="AQAB"), rsa_jwk("wraps", key_ops=["wrapKey"])]
    issuer.keys["keys"] += [rsa_jwk("strange", key_ops=5)]
    issuer.keys["keys"] += [rsa_jwk("secret", use="enc")]
    assert refusal(issuer, issuer.token(header=header, **options)) == fails


@pytest.mark.parametrize("bits", [2047, 8193])
def test_an_rsa_key_has_2048_to_8192_bits(issuer: Issuer, bits: int) -> None:
    number = (1 << bits - 1) + 1
    packed = number.to_bytes((bits + 7) // 8, "big")
    issuer.keys["keys"] += [{"kty": "RSA", "kid": "other", "n": b64(packed), "e": "AQAB"}]
    error = refused(verifier(issuer), issuer.token(header={"kid": "other"}))
    reason = f"the RSA key must have 2048 to 8192 bits, and it has {bits}"
    assert [str(failure) for failure in error.failures] == [f"kid: {reason}"]


def test_a_key_whose_modulus_has_a_small_factor_is_refused(issuer: Issuer) -> None:
    modulus = rsa_key("key-1").public_key().public_numbers().n
    for number, kid in ((modulus - 1, "even"), (modulus - modulus % 6 + 3, "three")):
        packed = number.to_bytes(256, "big")
        issuer.keys["keys"] += [{"kty": "RSA", "kid": kid, "n": b64(packed), "e": "AQAB"}]
        with pytest.raises(TokenRefusedError, match=r"kid: the modulus .* has a small factor"):
            verifier(issuer).verify(issuer.token(header={"kid": kid}))


def with_payload_of_another(issuer: Issuer) -> str:
    (header, _, signature), (_, payload, _) = (
        issuer.token(sub=sub).split(".") for sub in ("acme:web:m", "a:b:c")
    )
    return f"{header}.{payload}.{signature}"


@pytest.mark.parametrize(
    ("make", "fails"),
    [
        (lambda i: i.token()[:-2], {"signature"}),
        (lambda i: i.token().rpartition(".")[0] + ".", {"signature"}),
        (with_payload_of_another, {"signature", "org_name", "app_name", "machine_name"}),
        (lambda _: "nonsense", {"token"}),
        (lambda _: "", {"token"}),
        (lambda i: i.token() + ".a.b", {"token"}),
        (lambda i: i.token() + "\n", {"token"}),
        (lambda i: i.token() + "=", {"token"}),
        (lambda i: i.token(x="x" * 20_000), {"token"}),
    ],
    ids=range(9),
)
def test_a_changed_text_is_refused(
    issuer: Issuer, make: Callable[[Issuer], str], fails: set[str]
) -> None:
    found = refusal(issuer, make(issuer))
    assert set(found) == fails
    assert set(found.values()) == {None}


def test_every_check_that_fails_is_reported(issuer: Issuer) -> None:
    wrong: dict[str, Any] = {
        "aud": "x",
        "exp": NOW - 3600,
        "nbf": NOW + 3600,
        "sub": "a:web:m",
        "region": 1,
    }
    found = refusal(issuer, issuer.token(**wrong))
    assert set(found) == {"aud", "exp", "nbf", "org_name", "machine_name", "region"}


@pytest.mark.parametrize(
    ("header", "key", "fails"),
    [
        ({"jku": "https://evil.example"}, "evil", {"jku", "signature"}),
        ({"crit": ["x"], "kid": "unknown"}, "key-1", {"crit", "kid"}),
        ({"crit": ["x"], "x": 1}, "key-1", {"crit"}),
        ({"alg": "none", "kid": "unknown"}, "key-1", {"alg", "kid"}),
        ({"alg": "HS256", "kid": 7}, "key-1", {"alg", "kid"}),
        ({"x5u": "https://evil.example", "alg": "ES256"}, "key-2", {"x5u", "alg"}),
    ],
)
def test_a_wrong_header_hides_no_wrong_key_or_signature(
    issuer: Issuer, header: dict[str, object], key: str, fails: set[str]
) -> None:
    assert set(refusal(issuer, issuer.token(header=header, key=key, aud="x"))) == {*fails, "aud"}


@pytest.mark.parametrize(
    ("made", "failed"),
    [
        ({"header": {"jku": "https://evil.example"}}, {"jku"}),
        ({"aud": "x", "sub": "a:web:m", "exp": 1}, {"aud", "exp", "org_name", "machine_name"}),
        ({"payload": "{"}, {"payload"}),
    ],
)
def test_what_is_wrong_in_any_case_is_refused_where_no_keys_can_be_fetched(
    issuer: Issuer, made: dict[str, Any], failed: set[str], kind: str
) -> None:
    issuer.status = 500
    error = refused(verifier(issuer, kind=kind), issuer.token(**made))
    assert {failure.claim for failure in error.failures} == {*failed, "signature"}
    assert re.search(r"signature: not checked: GET .*/openid-configuration: status 500", str(error))


@pytest.mark.parametrize("leeway", [0, 300])
@pytest.mark.parametrize("first", ["nbf", "iat"])
def test_a_token_that_expires_before_it_begins_is_refused_whatever_the_leeway(
    issuer: Issuer, first: str, leeway: int, kind: str
) -> None:
    changed: dict[str, Any] = {"iat": NOW - 10, "nbf": NOW - 10, "exp": NOW + 50, first: NOW + 60}
    error = refused(verifier(issuer, kind=kind, leeway=leeway), issuer.token(**changed))
    assert f"exp: must not be before {first}, got {NOW + 50}" in str(error)
    assert issuer.fetches == 1  # the signature was good


@pytest.mark.parametrize("part", ["header", "payload", "signature"])
def test_a_part_with_surplus_bits_is_refused(issuer: Issuer, part: str) -> None:
    """Python's decoder drops them: one token would have several texts."""
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    at = ("header", "payload", "signature").index(part)
    for fill in ("", "7", "77"):
        parts = issuer.token(header={"x": fill}, y=fill).split(".")
        if len(parts[at]) % 4:
            break  # not all bits of the last character are used
    last = alphabet.index(parts[at][-1])
    changed = parts[at][:-1] + alphabet[last + 1]
    assert base64.urlsafe_b64decode(changed + "==") == base64.urlsafe_b64decode(parts[at] + "==")
    parts[at] = changed
    if part != "signature":
        parts[2] = b64(sign("RS256", "key-1", f"{parts[0]}.{parts[1]}".encode()))
    error = refused(verifier(issuer), ".".join(parts))
    assert [str(failure) for failure in error.failures] == [
        f"{part}: must be base64url of whole bytes"
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a.b", "token: must be three base64url parts"),
        ("a.e30.AAAA", "header: must be base64url of whole bytes"),
        ("e30.e30.A", "signature: must be base64url of whole bytes"),
        (b64(b'{"kid":"a","kid":"b"}') + ".e30.AAAA", "header: must be a strict JSON object"),
        (b64(b"[]") + ".e30.AAAA", "header: must be a JSON object"),
        (b64(b'{"alg":"none"}') + ".a.AAAA", "payload: malformed"),
    ],
)
def test_text_that_is_not_a_token_is_refused_with_what_a_token_has(
    issuer: Issuer, text: str, reason: str
) -> None:
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer).verify(text)
    assert reason in [str(failure)[: len(reason)] for failure in info.value.failures]


def test_claims_are_quoted_only_where_the_signature_holds(issuer: Issuer) -> None:
    token = issuer.token(key="evil", aud="canary-1", sub="canary:2:3:4", region=7)
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer).verify(token)
    failed = {failure.claim for failure in info.value.failures}
    assert failed == {"signature", "aud", "sub", "region"}
    assert "canary:2" not in str(info.value)
    for failure in info.value.failures:
        assert (failure.got is None) == (failure.claim != "aud")
    assert f"aud: must be {AUDIENCE!r}, got 'canary-1'" in str(info.value)
    twice = '{"canary": 1, "canary": 2}'
    for key, is_shown in (("evil", False), ("key-1", True)):
        with pytest.raises(TokenRefusedError) as info:
            verifier(issuer).verify(issuer.token(twice, key=key))
        assert ("the key 'canary' appears twice" in str(info.value)) == is_shown


# --- of any kind ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


@pytest.fixture(scope="module")
def checker(running: Issuer) -> Verifier:
    """Its keys are given: what a new key might have signed is refused too."""
    checker = verifier(running, keys=running.keys)
    assert isinstance(checker, Verifier)
    return checker


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


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


few = settings(max_examples=settings().max_examples // 3)  # JSON takes long to draw


@few
@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "b64", "crit"]), json_values))
def test_any_header_is_refused_and_nothing_else(
    checker: Verifier, header: dict[str, object]
) -> None:
    text = f"{b64(json.dumps(header).encode())}.e30.AAAA"
    with pytest.raises(TokenRefusedError):
        checker.verify(text)


@few
@given(st.data())
def test_any_payload_is_refused_and_nothing_else(
    running: Issuer, checker: Verifier, data: st.DataObject
) -> None:
    names = ["iss", "aud", "sub", "exp", "nbf", "iat", "org_name", "app_name", "jti"]
    claims = data.draw(st.dictionaries(st.sampled_from(names), json_values))
    token = running.token(json.dumps(claims))
    with pytest.raises(TokenRefusedError):
        checker.verify(token)
