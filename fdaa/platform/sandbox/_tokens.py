"""The identity tokens of the sandbox's Machines (specification, section 2.4), and their keys."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

if TYPE_CHECKING:
    from fdaa.platform.sandbox._state import Key, MachineRecord

TOKEN_LIFETIME = 600  # seconds; section 2.4, rule 2
ALGORITHM = "RS256"


def new_private_key() -> str:
    """Make a key and return it as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return pem.decode()


def public_jwk(key: Key) -> dict[str, Any]:
    """Return a key's public half as the issuer publishes it (RFC 7517)."""
    jwk = json.loads(jwt.get_algorithm_by_name(ALGORITHM).to_jwk(_load(key).public_key()))
    jwk.pop("key_ops", None)  # `use` says it
    return {**jwk, "kid": key.id, "use": "sig", "alg": ALGORITHM}


def sign(claims: dict[str, Any], key: Key) -> str:
    """Return the token that carries these claims."""
    return jwt.encode(claims, _load(key), ALGORITHM, headers={"kid": key.id})


def claims_of(record: MachineRecord, issuer: str, audience: str) -> dict[str, Any]:
    """Return the seventeen claims of section 2.4 for a Machine, with a `jti` of their own."""
    now = int(time.time())
    name = f"machine-{record.number}"
    image = f"sandbox.invalid/{record.app}:latest"
    return {
        "iss": issuer,
        "aud": audience,
        "sub": f"{record.organization}:{record.app}:{name}",
        "iat": now,
        "nbf": now,
        "exp": now + TOKEN_LIFETIME,
        "jti": str(uuid.uuid4()),
        "app_id": f"app-{record.app_number}",
        "app_name": record.app,
        "org_id": f"org-{record.organization_number}",
        "org_name": record.organization,
        "machine_id": record.id,
        "machine_name": name,
        "machine_version": "1",
        "image": image,
        "image_digest": f"sha256:{hashlib.sha256(image.encode()).hexdigest()}",
        "region": "sandbox",
    }


@lru_cache(maxsize=64)  # reading an RSA key checks it, which takes far longer than signing
def _load(key: Key) -> rsa.RSAPrivateKey:
    private = serialization.load_pem_private_key(key.private.encode(), None)
    assert isinstance(private, rsa.RSAPrivateKey)  # noqa: S101
    return private
