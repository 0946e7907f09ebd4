"""The keys in a JWK set (RFC 7517): which of them may verify a token, and why others may not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import jwt

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
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
    fault = _rsa_fault(public) if algorithm == "RS256" else None
    if fault is not None:
        return Key(algorithm, None, fault)
    return Key(algorithm, public)


def _rsa_fault(public: RSAPublicKey) -> str | None:
    """Return why an RSA key is too weak; None if it is not."""
    if public.key_size not in _RSA_BITS:
        reason = f"the RSA key must have {_RSA_BITS[0]} to {_RSA_BITS[-1]} bits"
        return f"{reason}, and it has {public.key_size}"
    modulus = public.public_numbers().n
    if modulus % 2 == 0 or any(modulus % prime == 0 for prime in _small_primes()):
        return "the modulus of the RSA key has a small factor"
    if _has_weak_primes(modulus):
        reason = "the RSA key can be factored, because its generator had the flaw ROCA"
        return f"{reason} (CVE-2017-15361)"
    return None


def _has_weak_primes(modulus: int) -> bool:
    """Whether an RSA key was made by the library with the flaw ROCA.

    Both primes of such a key are powers of 65537, modulo each of the first 126 primes (for 2,048
    bits and more). So is their product. The chance is below 2^-160 for any other key.
    """
    return all(_is_power_of_65537(modulus, prime) for prime in _small_primes())


def _is_power_of_65537(number: int, prime: int) -> bool:
    power = 1
    while True:
        if power == number % prime:
            return True
        power = power * 65537 % prime
        if power == 1:
            return False


@cache
def _small_primes() -> list[int]:
    """Return the first 126 primes but for 2, modulo which every odd number is 1."""
    found: list[int] = []
    for number in range(3, 702, 2):
        if all(number % prime for prime in found):
            found.append(number)
    return found
