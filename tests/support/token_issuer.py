"""An issuer over real sockets, its tokens, good and forged, and what a verifier says of them."""

from __future__ import annotations

import base64
import functools
import hmac
import json
import threading
import time
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hostile_server import HostileServer, Received, answer
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from fdaa.platform import TokenRefusedError, Verifier

if TYPE_CHECKING:
    import ssl

AUDIENCE = "https://vault.example"


@functools.cache
def rsa_key(name: str) -> rsa.RSAPrivateKey:
    """Return a key: the same for the same name. `short` has too few bits for tokens."""
    bits = 1024 if name == "short" else 2048
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


@functools.cache
def ec_key(_name: str) -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def rsa_jwk(name: str, **fields: object) -> dict[str, object]:
    jwk = RSAAlgorithm.to_jwk(rsa_key(name).public_key(), as_dict=True)
    del jwk["key_ops"]
    return {**jwk, "kid": name, "use": "sig", "alg": "RS256", **fields}


def ec_jwk(name: str) -> dict[str, object]:
    return {**ECAlgorithm.to_jwk(ec_key(name).public_key(), as_dict=True), "kid": name}


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(alg: object, key: str, data: bytes) -> bytes:
    """Return the signature over `data`; other algorithms sign nothing."""
    if alg == "RS256":
        return RSAAlgorithm(RSAAlgorithm.SHA256).sign(data, rsa_key(key))
    if alg == "ES256":
        return ECAlgorithm(ECAlgorithm.SHA256).sign(data, ec_key(key))
    if alg == "HS256":  # with what is public as the secret
        public = rsa_key(key).public_key()
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return hmac.digest(pem, data, "sha256")
    return b""


def without_nones(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


class Issuer:
    """Publishes a configuration and keys, which a test may change."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.keys: Any = {"keys": [rsa_jwk("key-1"), ec_jwk("key-2")]}
        self.changed: dict[str, object] = {}  # in the configuration
        self.status = 200
        self.answers = threading.Event()  # a test may clear it, to let fetches wait
        self.answers.set()
        self.server = HostileServer(self._answer, tls)
        self.url = f"{self.server.url}/oidc/acme"

    def __enter__(self) -> Issuer:
        self.server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.__exit__()

    def _answer(self, connection: Any, request: Received) -> None:
        self.answers.wait(60)
        body = self.keys
        if request.target.endswith("/.well-known/openid-configuration"):
            body = {"issuer": self.url, "jwks_uri": f"{self.url}/keys", **self.changed}
        answer(connection, self.status, json.dumps(body).encode())

    @property
    def fetches(self) -> int:
        """How often the keys were fetched."""
        return sum("/keys" in request.target for request in self.server.received)

    def claims(self, **changed: object) -> dict[str, object]:
        """Return the seventeen claims of a good token; a change to None takes a claim away."""
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "acme:web:cold-sun-17",
            "iat": now,
            "nbf": now,
            "exp": now + 600,
            "jti": str(uuid.uuid4()),
            "app_id": "app-1",
            "app_name": "web",
            "org_id": "org-1",
            "org_name": "acme",
            "machine_id": "148ed193b95948",
            "machine_name": "cold-sun-17",
            "machine_version": "01H",
            "image": "registry.example/web:1",
            "image_digest": "sha256:" + "0" * 64,
            "region": "ams",
            **changed,
        }
        return without_nones(claims)

    def token(
        self,
        payload: str | None = None,
        header: dict[str, object] | None = None,
        key: str = "key-1",
        **changed: object,
    ) -> str:
        """Return a token.

        Args:
            payload: its text, in place of the claims.
            header: changes of the header.
            key: the name of the key that signs.
            changed: changes of the claims.
        """
        fields = without_nones({"alg": "RS256", "kid": "key-1", "typ": "JWT", **(header or {})})
        text = payload
        if text is None:
            text = json.dumps(self.claims(**changed))
        data = f"{b64(json.dumps(fields).encode())}.{b64(text.encode())}"
        return f"{data}.{b64(sign(fields.get('alg'), key, data.encode()))}"


def verifier(issuer: Issuer, /, **options: Any) -> Verifier:
    return Verifier(**{"issuer": issuer.url, "aud": AUDIENCE, **options})


def refused(checker: Verifier, token: str) -> TokenRefusedError:
    """Return the error with which a verifier refuses a token."""
    with pytest.raises(TokenRefusedError) as info:
        checker.verify(token)
    error = info.value
    assert str(error).isprintable()
    assert all(failure.reason in str(error) for failure in error.failures)
    return error


def refusal(issuer: Issuer, token: str, **options: Any) -> dict[str, str | None]:
    """Return the claims, or checks, that a token fails, each with what it has."""
    failures = refused(verifier(issuer, **options), token).failures
    return {failure.claim: failure.got for failure in failures}
