"""The keys of the sandbox's issuers, and the tokens that they sign."""

from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ALGORITHM = "RS256"


@dataclass(frozen=True, slots=True)
class Key:
    """A key that signs an organization's tokens."""

    id: str
    private: rsa.RSAPrivateKey = field(repr=False, compare=False)

    def public_jwk(self) -> dict[str, Any]:
        """Return the public half as the issuer publishes it (RFC 7517)."""
        jwk = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        del jwk["key_ops"]  # `use` has the same meaning
        return {**jwk, "kid": self.id, "use": "sig", "alg": ALGORITHM}

    def sign(self, claims: dict[str, Any]) -> str:
        """Return a token with these claims."""
        return jwt.encode(claims, self.private, ALGORITHM, headers={"kid": self.id})


def new_key(id_: str) -> Key:
    """Make a key."""
    return Key(id_, rsa.generate_private_key(public_exponent=65537, key_size=2048))
