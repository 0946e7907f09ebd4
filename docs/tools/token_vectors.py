"""Vectors of identity tokens: key sets, tokens with what a verifier says, and patterns of `sub`.

The keys here are for these files alone; everyone has them.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest.mock import patch

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from token_issuer import WEAK_N, b64, short_jwk, without_nones

from fdaa.platform import Claims, TokenRefusedError, Verifier
from fdaa.platform._jwks import read_keys  # private: a verifier does not show what it can use

if TYPE_CHECKING:
    from collections.abc import Iterator

Vector: TypeAlias = dict[str, Any]

# The primes of the RSA key.
_P = int(
    "dc8447e5b5d3a267136decf6a21be70abbcd416e8802144cb1ca916fae84b2b16a73f602cbed9ce325278127"
    "3f75f10b458505f82081db613f6e9a3ff98426a1ff6547abbbb6b7def900eca46f990e780930f9ecc387a73c"
    "ec2e6407dd9fa62b33270ae63c02ff19e4fabfe9b214c6e9a109dd7a1997afead1ef1a1ad0113d9b",
    16,
)
_Q = int(
    "c9f873a3c46d752240da35245d050648aac93a8fe6e66adc65eaf537f0edecb4f09fcc6bae7fa14f8db7608f"
    "80c2168061b7e28f4fb8412386b2b0b7cf80f208622f62c968957a66f0a1781d136e1b088dfc2b53bc0229b4"
    "6714445e35d64c0360be43359f24bfa47b65ce588f26acf0f0eb15c5c49aca4a9cf7ea7c88cc3951",
    16,
)

NOW = 1_800_000_000
ISS = "https://oidc.example/acme"
AUD = "https://vault.example"
DIGEST = f"sha256:{'0' * 64}"
UUID = "0e6b3cbb-9f2e-4c0e-a1d3-3e1a3c1f7d55"


# --- keys -----------------------------------------------------------------------------------------


@cache
def rsa_key() -> rsa.RSAPrivateKey:
    """Return the key that signs for RS256."""
    public = rsa.RSAPublicNumbers(65537, _P * _Q)
    d = pow(65537, -1, (_P - 1) * (_Q - 1))
    dp = rsa.rsa_crt_dmp1(d, _P)
    dq = rsa.rsa_crt_dmq1(d, _Q)
    qi = rsa.rsa_crt_iqmp(_P, _Q)
    return rsa.RSAPrivateNumbers(_P, _Q, d, dp, dq, qi, public).private_key()


@cache
def ec_key() -> ec.EllipticCurvePrivateKey:
    """Return the key that signs for ES256."""
    return ec.derive_private_key(0xFDAA, ec.SECP256R1())


def rsa_jwk(**fields: object) -> Vector:
    """Return the public RSA key as a JWK, with other fields in place of some of its own."""
    n = b64((_P * _Q).to_bytes(256, "big"))
    return without_nones({"kty": "RSA", "kid": "rsa", "use": "sig", "n": n, "e": "AQAB", **fields})


def ec_jwk(**fields: object) -> Vector:
    """Return the public EC key as a JWK, with other fields in place of some of its own."""
    numbers = ec_key().public_key().public_numbers()
    x = b64(numbers.x.to_bytes(32, "big"))
    y = b64(numbers.y.to_bytes(32, "big"))
    return without_nones({"kty": "EC", "crv": "P-256", "kid": "ec", "x": x, "y": y, **fields})


KEY_SETS: list[list[Any]] = [
    [rsa_jwk(), ec_jwk()],
    [rsa_jwk(kid=None)],
    [rsa_jwk(alg="RS256"), ec_jwk(alg="ES256", key_ops=["verify"])],
    [rsa_jwk(alg="RS512"), ec_jwk(use="enc"), {"kty": "oct", "kid": "secret", "k": "AAAA"}],
    [rsa_jwk(d="AQAB"), ec_jwk(key_ops=["sign"])],
    [rsa_jwk(), ec_jwk(kid="rsa"), ec_jwk()],
    [short_jwk("rsa"), rsa_jwk(kid="weak", n=WEAK_N), ec_jwk()],
    [rsa_jwk(n="!"), ec_jwk(x="AAAA"), rsa_jwk(kid=7), "text", None, {}],
    [ec_jwk(crv="P-384"), ec_jwk(crv=None), rsa_jwk(e="AQAB", kid="")],
    [rsa_jwk(n=b64((_P * _Q - 1).to_bytes(256, "big"))), ec_jwk()],  # an even modulus
]


def key_sets() -> Iterator[Vector]:
    """Yield key sets, and the algorithm of each key that can be used; null for any other."""
    for number, keys in enumerate(KEY_SETS, 1):
        found = read_keys({"keys": keys})
        usable = []
        for key_id, key in found.items():
            algorithm = key.algorithm if key.public is not None else None
            usable.append({"kid": key_id, "alg": algorithm})
        yield {"key_set": number, "jwks": {"keys": keys}, "usable": usable}


# --- tokens ---------------------------------------------------------------------------------------


def sign(key: str, data: bytes) -> bytes:
    """Return the signature over data, which is the same each time."""
    if key == "rsa":
        return rsa_key().sign(data, padding.PKCS1v15(), hashes.SHA256())
    signature = ec_key().sign(data, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    r, s = decode_dss_signature(signature)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def token(header: Vector, payload: str, key: str) -> str:
    """Return a token with this header and payload, signed by a key."""
    fields = without_nones({"alg": "RS256", "kid": "rsa", "typ": "JWT", **header})
    data = f"{b64(json.dumps(fields).encode())}.{b64(payload.encode())}"
    return f"{data}.{b64(sign(key, data.encode()))}"


def payload(**changed: object) -> str:
    """Return the claims of a good token as JSON, some of them changed, or left out by None."""
    claims = {
        "iss": ISS,
        "aud": AUD,
        "sub": "acme:web:cold-sun-17",
        "iat": NOW,
        "nbf": NOW,
        "exp": NOW + 600,
        "jti": UUID,
        "app_id": "app-1",
        "app_name": "web",
        "org_id": "org-1",
        "org_name": "acme",
        "machine_id": "148ed193b95948",
        "machine_name": "cold-sun-17",
        "machine_version": "01H",
        "image": "registry.example/web:1",
        "image_digest": DIGEST,
        "region": "ams",
    }
    return json.dumps(without_nones({**claims, **changed}))


# What is changed in the claims of a good token.
CLAIMS: list[Vector] = [
    {},
    {"note": {"a": [1]}},
    {"jti": None, "region": None, "image_digest": None, "app_id": None},
    *({name: None} for name in ("iss", "aud", "sub", "iat", "nbf", "exp", "org_name")),
    *({"iss": iss} for iss in (f"{ISS}/", ISS.upper(), "https://oidc.example/rival", 7)),
    *({"aud": aud} for aud in (f"{AUD}/", [AUD], AUD[:-1])),
    *({"sub": sub} for sub in ("acme:web", "acme:web:m:n", "acme::cold-sun-17", "acme:api:m", "")),
    *({"exp": exp} for exp in (NOW - 29, NOW - 30, NOW + 86_400, NOW + 86_401, "9", True, 1.5)),
    {"iat": NOW - 600, "nbf": NOW - 600, "exp": NOW - 29},
    *({"nbf": nbf} for nbf in (NOW + 30, NOW + 31, None, "0")),
    *({"nbf": NOW + 9, "exp": exp} for exp in (NOW + 8, NOW + 9)),
    *({"iat": NOW + 9, "exp": exp} for exp in (NOW + 8, NOW + 9)),
    *({"iat": iat} for iat in (NOW + 30, NOW + 31, NOW - 86_400)),
    *({"jti": jti} for jti in ("17", "", UUID.upper(), UUID.replace("-", ""))),
    *({"image_digest": digest} for digest in ("md5:00", "sha256:", "sha256:xyz", "sha256:ab")),
    *({name: 7} for name in ("region", "app_name", "machine_id", "image")),
    {"machine_name": "other"},
    {"aud": "x", "exp": NOW - 3600, "sub": "a:web:m", "region": 1},
]
# Headers, the key that signs, and the number of the key set.
HEADERS: list[tuple[Vector, str, int]] = [
    ({"alg": "ES256", "kid": "ec"}, "ec", 1),
    ({"typ": None}, "rsa", 1),
    ({"typ": "application/jwt"}, "rsa", 1),
    ({"typ": "at+jwt"}, "rsa", 1),
    ({"kid": None}, "rsa", 2),
    ({"kid": None}, "rsa", 1),
    ({"kid": "other"}, "rsa", 1),
    ({"kid": 7}, "rsa", 1),
    ({"alg": "none"}, "rsa", 1),
    ({"alg": "RS512"}, "rsa", 1),
    ({"alg": "ES256"}, "rsa", 1),
    ({"kid": "ec"}, "rsa", 1),
    ({}, "ec", 1),
    ({"crit": ["exp"]}, "rsa", 1),
    ({"jku": "https://evil.example"}, "rsa", 1),
    ({"jwk": rsa_jwk()}, "rsa", 1),
    ({}, "rsa", 6),
    ({}, "rsa", 7),
    ({"kid": "weak"}, "rsa", 7),
]
PAYLOADS = ("[1]", "{", '{"iss": "a", "iss": "b"}', "")
ROLES: list[Vector] = [
    {"sub": "acme:web:*"},
    {"sub": "acme:api:*"},
    {"bound": {"app_id": ["app-1"]}},
    {"bound": {"app_id": ["app-2", "app-3"], "region": ["ams"]}},
    {"require_jti": True},
]


def tokens() -> Iterator[Vector]:
    """Yield tokens, what is required of them, and the checks that each fails."""
    good = token({}, payload(), "rsa")
    for changes in CLAIMS:
        yield judged(token({}, payload(**changes), "rsa"))
    for header, key, key_set in HEADERS:
        yield judged(token(header, payload(), key), key_set)
    for text in PAYLOADS:
        yield judged(token({}, text, "rsa"))
    for text in ("", "a.b", f"{good}=", f"{good}\n", f"{good}.a", good[:-2], good[:-1] + "*"):
        yield judged(text)
    surplus = {"A": "B", "Q": "R", "g": "h", "w": "x"}  # the last character has two bits
    yield judged(good[:-1] + surplus[good[-1]])
    for role in ROLES:
        yield judged(good, **role)
    yield judged(token({}, payload(jti=None), "rsa"), require_jti=True)
    yield judged(token({}, payload(app_id=None), "rsa"), bound={"app_id": ["app-1"]})


def judged(
    text: str,
    key_set: int = 1,
    *,
    sub: str | None = None,
    bound: dict[str, list[str]] | None = None,
    require_jti: bool = False,
) -> Vector:
    """Return a token, what is required of it, and the checks that it fails."""
    verifier = Verifier(
        issuer=ISS,
        aud=AUD,
        sub=sub,
        bound=bound,
        require_jti=require_jti,
        keys={"keys": KEY_SETS[key_set - 1]},
    )
    failures: set[str] = set()
    with verifier, patch("time.time", return_value=NOW):
        try:
            verifier.verify(text)
        except TokenRefusedError as error:
            failures = {failure.claim for failure in error.failures}
    return {
        "key_set": key_set,
        "token": text,
        "now": NOW,
        "iss": ISS,
        "aud": AUD,
        "sub": sub,
        "bound": bound or {},
        "require_jti": require_jti,
        "failures": sorted(failures),
    }


# --- subjects -------------------------------------------------------------------------------------

PATTERNS = (
    "acme:web:*",
    "*:*:*",
    "acme:web:cold-sun-17",
    "acme:*we*b*:*1*7",
    "acme:w**b:*",
    "acme:we?:*",
    "acme:[w]eb:*",
    "acme:*web-*:*",
    "Acme:web:*",
    "acme:eb:*",
    "acme:web:c*c*",
)
NO_PATTERNS = ("", "*", "acme:web", "acme::*", "acme:web:*:*")
SUBJECTS = (
    "acme:web:cold-sun-17",
    "acme:web-2:m",
    "acme:we?:m",
    "acme:[w]eb:m",
    "acme:w*b:m",
    "rival:web:cold-sun-17",
)


def subjects() -> Iterator[Vector]:
    """Yield patterns and subjects, and whether they match; null where it is no pattern."""
    for pattern in PATTERNS:
        for subject in SUBJECTS:
            org, app, machine = subject.split(":")
            claims = Claims(
                iss=ISS,
                aud=AUD,
                sub=subject,
                iat=NOW,
                nbf=NOW,
                exp=NOW,
                org_name=org,
                app_name=app,
                machine_name=machine,
            )
            yield {"pattern": pattern, "sub": subject, "matches": not claims.failures(sub=pattern)}
    for pattern in NO_PATTERNS:
        try:
            Verifier(issuer=ISS, aud=AUD, sub=pattern, keys={"keys": KEY_SETS[0]})
        except ValueError:
            yield {"pattern": pattern, "sub": SUBJECTS[0], "matches": None}
