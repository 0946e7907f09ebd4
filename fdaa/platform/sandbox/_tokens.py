"""The identity tokens of the sandbox's Machines (specification, section 2.4), and their keys."""

from __future__ import annotations

import uuid
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jwt.algorithms import RSAAlgorithm

from fdaa.platform.sandbox._state import TOKEN_LIFE

if TYPE_CHECKING:
    from fdaa.platform.sandbox._state import Key

ALGORITHM = "RS256"


def new_private_key() -> str:
    """Make a key and return it as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def public_jwk(key: Key) -> dict[str, Any]:
    """Return a key's public half as the issuer publishes it (RFC 7517)."""
    jwk = RSAAlgorithm.to_jwk(_load(key).public_key(), as_dict=True)
    del jwk["key_ops"]  # `use` has the same meaning
    return {**jwk, "kid": key.id, "use": "sig", "alg": ALGORITHM}


def issue(identity: dict[str, str], key: Key, issuer: str, audience: str, issued: int) -> str:
    """Return a token with the seventeen claims of section 2.4.

    Args:
        identity: the claims that identify a Machine, its app and its organization.
        key: signs it.
        issuer: `iss`.
        audience: `aud`.
        issued: `iat`, in Unix seconds.
    """
    claims = {
        **identity,
        "iss": issuer,
        "aud": audience,
        "iat": issued,
        "nbf": issued,
        "exp": issued + TOKEN_LIFE,
        "jti": str(uuid.uuid4()),
    }
    return jwt.encode(claims, _load(key), ALGORITHM, headers={"kid": key.id})


@lru_cache(maxsize=64)  # reading an RSA key checks it, which takes far longer than signing
def _load(key: Key) -> rsa.RSAPrivateKey:
    private = RSAAlgorithm(RSAAlgorithm.SHA256).prepare_key(key.private)
    assert isinstance(private, rsa.RSAPrivateKey)  # noqa: S101
    return private
