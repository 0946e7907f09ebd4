"""Every kind of forged token, with the reason that it is refused for."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from token_issuer import AUDIENCE, Issuer, b64, refusal, rsa_jwk, short_jwk, verifier

from fdaa.platform import TokenRefusedError, Verifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = int(time.time())


class Forged(NamedTuple):
    why: str
    make: Callable[[Issuer], str]
    fails: dict[str | None, str | None]


FORGED = (
    Forged("none", lambda i: i.token(header={"alg": "none"}), {"alg": "'none'"}),
    Forged(
        "HS256 with the public key", lambda i: i.token(header={"alg": "HS256"}), {"alg": "'HS256'"}
    ),
    Forged(
        "an algorithm that is not allowed",
        lambda i: i.token(header={"alg": "RS512"}),
        {"alg": "'RS512'"},
    ),
    Forged("no algorithm", lambda i: i.token(header={"alg": None}), {"alg": None}),
    Forged("algorithms", lambda i: i.token(header={"alg": ["RS256"]}), {"alg": '["RS256"]'}),
    Forged(
        "RS256 for a key of ES256", lambda i: i.token(header={"kid": "key-2"}), {"alg": "RS256"}
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
    Forged("aud as a list", lambda i: i.token(aud=[AUDIENCE]), {"aud": f'["{AUDIENCE}"]'}),
    Forged("aud as a prefix", lambda i: i.token(aud=AUDIENCE[:-1]), {"aud": repr(AUDIENCE[:-1])}),
    Forged(
        "aud that goes on", lambda i: i.token(aud=AUDIENCE + "/"), {"aud": repr(AUDIENCE + "/")}
    ),
    Forged(
        "aud in other case",
        lambda i: i.token(aud=AUDIENCE.upper()),
        {"aud": repr(AUDIENCE.upper())},
    ),
    Forged("no aud", lambda i: i.token(aud=None), {"aud": None}),
    Forged(
        "sub with an extra colon",
        lambda i: i.token(sub="acme:web:cold:sun"),
        {"sub": "'acme:web:cold:sun'"},
    ),
    Forged("sub with a colon too few", lambda i: i.token(sub="acme:web"), {"sub": "'acme:web'"}),
    Forged(
        "sub of an empty app",
        lambda i: i.token(sub="acme::cold-sun-17", app_name=""),
        {"sub": "'acme::cold-sun-17'", "app_name": "''"},
    ),
    Forged("sub of another app", lambda i: i.token(app_name="api"), {"app_name": "'api'"}),
    Forged(
        "sub of another organization", lambda i: i.token(org_name="evil"), {"org_name": "'evil'"}
    ),
    Forged("sub of another Machine", lambda i: i.token(machine_name="x"), {"machine_name": "'x'"}),
    Forged("no org_name", lambda i: i.token(org_name=None), {"org_name": None}),
    Forged(
        "expired by a second beyond leeway",
        lambda i: i.token(exp=NOW - 31, iat=NOW - 600, nbf=NOW - 600),
        {"exp": str(NOW - 31)},
    ),
    Forged("not yet valid", lambda i: i.token(nbf=NOW + 3600), {"nbf": str(NOW + 3600)}),
    Forged("issued in the future", lambda i: i.token(iat=NOW + 3600), {"iat": str(NOW + 3600)}),
    Forged("never expires", lambda i: i.token(exp=None), {"exp": None}),
    Forged("expires as text", lambda i: i.token(exp="9999999999"), {"exp": "'9999999999'"}),
    Forged("expires when true", lambda i: i.token(exp=True), {"exp": "true"}),
    Forged("a claim of another type", lambda i: i.token(region=7), {"region": "7"}),
    Forged(
        "duplicate aud",
        lambda i: i.token(json.dumps(i.claims())[:-1] + f', "aud": "{AUDIENCE}"}}'),
        {"payload": None},
    ),
    Forged(
        "a payload that is no object",
        lambda i: i.token("[1]"),
        {"payload": None},
    ),
    Forged("unknown crit", lambda i: i.token(header={"crit": ["x"], "x": 1}), {"crit": None}),
    Forged("jku", lambda i: i.token(header={"jku": "https://evil.example"}), {"jku": None}),
    Forged("x5u", lambda i: i.token(header={"x5u": "https://evil.example"}), {"x5u": None}),
    Forged(
        "an embedded key",
        lambda i: i.token(header={"jwk": rsa_jwk("evil"), "kid": "evil"}, key="evil"),
        {"jwk": None, "kid": "'evil'"},
    ),
    Forged(
        "the key of another organization", lambda i: i.token(key="other-org"), {"signature": None}
    ),
    Forged(
        "the key ID of another organization",
        lambda i: i.token(header={"kid": "other-org"}, key="other-org"),
        {"kid": "'other-org'"},
    ),
    Forged("a key ID that is no text", lambda i: i.token(header={"kid": 1}), {"kid": "1"}),
    Forged(
        "512-bit RSA", lambda i: i.token(header={"kid": "short"}, signed_by="short"), {"kid": None}
    ),
    Forged(
        "a private key that is published",
        lambda i: i.token(header={"kid": "leaked"}),
        {"kid": None},
    ),
    Forged("an ID of two keys", lambda i: i.token(header={"kid": "twice"}), {"kid": None}),
    Forged(
        "a private prime that is published",
        lambda i: i.token(header={"kid": "prime"}, key="prime"),
        {"kid": None},
    ),
    Forged(
        "a key for encryption only",
        lambda i: i.token(header={"kid": "wraps"}, key="wraps"),
        {"kid": None},
    ),
    Forged(
        "another type of token",
        lambda i: i.token(header={"typ": "logout+jwt"}),
        {"typ": "'logout+jwt'"},
    ),
    Forged("a type that is no text", lambda i: i.token(header={"typ": 1}), {"typ": "1"}),
    Forged(
        "valid for 100 years",
        lambda i: i.token(exp=NOW + 100 * 365 * 86_400),
        {"exp": str(NOW + 100 * 365 * 86_400)},
    ),
    Forged("a signature cut off", lambda i: i.token()[:-2], {"signature": None}),
    Forged("no signature", lambda i: i.token().rpartition(".")[0] + ".", {"signature": None}),
    Forged(
        "a payload from another token",
        lambda i: ".".join(
            (i.token().split(".")[0], i.token(sub="a:b:c").split(".")[1], i.token().split(".")[2])
        ),
        {"signature": None, "org_name": None, "app_name": None, "machine_name": None},
    ),
    Forged("no token", lambda _: "nonsense", {"token": None}),
    Forged("nothing", lambda _: "", {"token": None}),
    Forged("five parts", lambda i: i.token() + ".a.b", {"token": None}),
    Forged("white space", lambda i: i.token() + "\n", {"token": None}),
    Forged("padding", lambda i: i.token() + "=", {"token": None}),
    Forged(
        "a header with a key twice",
        lambda i: b64(b'{"alg":"none","alg":"RS256"}') + i.token()[i.token().index(".") :],
        {"header": None},
    ),
    Forged("too long", lambda i: i.token(x="x" * 20_000), {"token": None}),
)


@pytest.mark.parametrize("forged", FORGED, ids=[each.why for each in FORGED])
def test_a_forged_token_is_refused_with_the_reason(issuer: Issuer, forged: Forged) -> None:
    twice = [rsa_jwk("a", kid="twice"), rsa_jwk("b", kid="twice")]
    issuer.keys["keys"] += [short_jwk("short"), rsa_jwk("key-1", kid="leaked", d="AQAB"), *twice]
    issuer.keys["keys"] += [rsa_jwk("prime", p="AQAB"), rsa_jwk("wraps", key_ops=["wrapKey"])]
    expected = {k: v(issuer) if callable(v) else v for k, v in forged.fails.items()}
    assert refusal(issuer, forged.make(issuer)) == expected


def test_every_check_that_fails_is_reported(issuer: Issuer) -> None:
    wrong = {"aud": "x", "exp": NOW - 3600, "nbf": NOW + 3600, "sub": "a:web:m", "region": 1}
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


def test_a_wrong_header_is_refused_where_no_keys_can_be_fetched(issuer: Issuer) -> None:
    issuer.status = 500
    assert set(refusal(issuer, issuer.token(header={"jku": "https://evil.example"}))) == {"jku"}


@pytest.mark.parametrize(
    ("text", "said"),
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
    issuer: Issuer, text: str, said: str
) -> None:
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer).verify(text)
    assert said in [str(each)[: len(said)] for each in info.value.failures]


def test_claims_are_quoted_only_where_the_signature_holds(issuer: Issuer) -> None:
    token = issuer.token(key="evil", aud="canary-1", sub="canary:2:3:4", region=7)
    with pytest.raises(TokenRefusedError) as info:
        verifier(issuer).verify(token)
    failed = {failure.claim for failure in info.value.failures}
    assert failed == {"signature", "aud", "sub", "region"}
    assert "canary" not in str(info.value)
    assert all(failure.got is None for failure in info.value.failures)
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
    return verifier(running)


@pytest.fixture(scope="module")
def good(running: Issuer) -> str:
    return running.token()


@given(st.data())
def test_a_changed_token_is_refused_and_nothing_else(
    checker: Verifier, good: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(good) - 1))
    other = data.draw(st.sampled_from("AZaz09-_.=\n "))
    changed = good[:at] + other + good[at + 1 :]
    if changed == good:
        checker.verify(good)
    else:
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
