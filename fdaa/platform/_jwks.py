"""The keys in a JWK set (RFC 7517): which of them may verify a token, and why others may not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jwt

if TYPE_CHECKING:
    from jwt.algorithms import AllowedPublicKeys

ALGORITHMS = ("RS256", "ES256")
_RSA_BITS = range(2048, 8192 + 1)  # longer ones are slow
_PRIVATE = frozenset(("d", "p", "q", "dp", "dq", "qi", "oth", "k"))  # RFC 7518, section 6


@dataclass(frozen=True, slots=True)
class Key:
    """A published key, or why it cannot be used."""

    algorithm: str
    public: AllowedPublicKeys | None
    fault: str | None = None


Keys = dict[str, Key]  # by their IDs


def read_keys(published: object) -> Keys:
    """Return the keys of a JWK set by their IDs; those for other uses are left out."""
    keys: Keys = {}
    if not isinstance(published, dict):
        return keys
    jwks = published.get("keys")
    if not isinstance(jwks, list):
        return keys
    for jwk in jwks:
        if not isinstance(jwk, dict) or jwk.get("use", "sig") != "sig":
            continue
        key = _read_key(jwk)
        key_id = jwk.get("kid", "")
        if key is None or not isinstance(key_id, str):
            continue
        if key_id in keys:
            key = Key(key.algorithm, None, "two published keys have this ID")
        keys[key_id] = key
    return keys


def _read_key(jwk: dict[str, Any]) -> Key | None:
    """Return a key for one of our algorithms, with its fault; None for another kind of key."""
    if jwk.get("kty") == "RSA":
        algorithm = "RS256"
    elif jwk.get("kty") == "EC" and jwk.get("crv") == "P-256":
        algorithm = "ES256"
    else:
        return None
    if jwk.get("alg", algorithm) != algorithm:
        return None
    if not _PRIVATE.isdisjoint(jwk):
        return Key(algorithm, None, "the private key is published")
    uses = jwk.get("key_ops", ["verify"])
    if not isinstance(uses, list) or "verify" not in uses:
        return Key(algorithm, None, "the published key is not for verification (key_ops)")
    try:
        public = jwt.PyJWK(jwk, algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return Key(algorithm, None, "the published key cannot be read")
    if algorithm == "RS256" and public.key_size not in _RSA_BITS:
        reason = f"the RSA key must have {_RSA_BITS[0]} to {_RSA_BITS[-1]} bits"
        return Key(algorithm, None, f"{reason}, and it has {public.key_size}")
    return Key(algorithm, public)
