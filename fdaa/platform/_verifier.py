"""Verification of tokens, for relying parties (specification, sections 2.4 and 5)."""

from __future__ import annotations

import time
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import jwt

from fdaa.platform._claims import Claims, Parts, read_object, split
from fdaa.platform._errors import CannotVerifyError, Failure, TokenRefusedError
from fdaa.platform._jwks import ALGORITHMS, Key, read_keys
from fdaa.platform._keys import Issuer, KeyCache
from fdaa.platform._policy import Policy, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


DAY = 86_400.0  # seconds
# Header fields with which a token could choose its own key, or change what is signed.
_FORBIDDEN = ("crit", "jku", "jwk", "x5u", "x5c", "b64")


class _Verifier:
    """All but the lookup of the key."""

    def __init__(
        self,
        issuer: str,
        audience: str,
        subject: str | None = None,
        *,
        bound: Mapping[str, str | Iterable[str]] | None = None,
        max_lifetime: float = DAY,
        require_jti: bool = False,
        leeway: float = 30,
        keys: dict[str, Any] | None = None,
        keys_fresh_for: float = 3600,
        keys_usable_for: float = DAY,
        timeout: float = 10,
        allow_plain_http: bool = False,
    ) -> None:
        self._policy = Policy(issuer, audience, subject, bound, leeway, max_lifetime, require_jti)
        self._shown = f"<{type(self).__name__} {issuer} for {audience}>"
        if keys is None:
            fetch = Issuer(issuer, allow_plain_http=allow_plain_http, timeout=timeout).fetch
            self._keys = KeyCache(fetch, keys_fresh_for, keys_usable_for)
            return
        own = read_keys(keys)
        if not any(key.public for key in own.values()):
            raise ValueError("keys must be a JWK set with a key for RS256 or ES256")
        self._keys = KeyCache(lambda: own, inf, inf)

    def __repr__(self) -> str:
        return self._shown

    def _verified(self, token: Parts, found: Key | CannotVerifyError | None) -> Claims:
        """Return the claims of a token that passes every check."""
        failures = list(_header_failures(token.header))
        if isinstance(found, CannotVerifyError):
            if not failures:
                raise found
        elif isinstance(token.header.get("kid", ""), str):
            failures += _signature_failures(token, found)
        has_signature = not failures
        try:
            payload = read_object(token.payload, "payload")
        except TokenRefusedError as error:
            failures += error.failures if has_signature else [Failure("payload", "malformed", None)]
        else:
            failed = self._policy.failures(payload, time.time())
            failures += failed if has_signature else (replace(f, got=None) for f in failed)
        if failures:
            raise TokenRefusedError(tuple(failures))
        return Claims.from_payload(payload)


class Verifier(_Verifier):
    """Verifies the tokens of one issuer for one audience; threads may share it.

    Reuse one Verifier: it caches the issuer's keys. A key ID that is not among them is looked up at
    once, and then at most every 30 seconds.

    Args:
        issuer: `{oidc_issuer}/<org_slug>`, exactly as in the tokens.
        audience: the required `aud`.
        subject: the required `sub`, `<org_name>:<app_name>:<machine_name>`; a `*` matches any
            characters within one of the three. Without it, every Machine of the issuer passes.
        bound: claims with the value, or the values, that they may have: `{"app_id": "app-1"}`. IDs
            are safer than names, which can be given to another app later.
        max_lifetime: the longest time from `iat` to `exp`, in seconds.
        require_jti: refuse tokens without `jti`.
        leeway: seconds by which clocks may differ, at most 300.
        keys: a JWK set (RFC 7517), to fetch nothing.
        keys_fresh_for: seconds for which fetched keys are used without another fetch.
        keys_usable_for: seconds for which they are used if the issuer cannot be reached.
        timeout: seconds for fetching keys.
        allow_plain_http: for an issuer on this machine, and for tests.

    Raises:
        TypeError: an argument has another type.
        ValueError: an argument cannot be used.

    >>> Verifier("https://oidc.example/acme", "https://vault.example", "acme:web:*")
    <Verifier https://oidc.example/acme for https://vault.example>
    """

    def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check.

        Raises:
            TokenRefusedError: it fails checks; `.failures` has all of them.
            CannotVerifyError: the issuer's keys cannot be fetched; the token may be valid.
        """
        token = split(text)
        return self._verified(token, self._keys.find(token.key_id))


class AsyncVerifier(_Verifier):
    """`Verifier` for asynchronous code: the same arguments, and `verify` is a coroutine."""

    async def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check; see `Verifier.verify`."""
        token = split(text)
        return self._verified(token, await self._keys.find_async(token.key_id))


def _header_failures(header: dict[str, object]) -> Iterator[Failure]:
    if header.get("alg") not in ALGORITHMS:
        reason = f"must be {' or '.join(ALGORITHMS)}"
        yield Failure("alg", reason, shown(header.get("alg")))
    typ = header.get("typ", "JWT")  # RFC 8725, section 3.11; "application/" may be left out
    if not isinstance(typ, str) or typ.lower().removeprefix("application/") != "jwt":
        yield Failure("typ", "must be JWT", shown(typ))
    for name in _FORBIDDEN:
        if name in header:
            yield Failure(name, "not allowed in the header", None)
    if not isinstance(header.get("kid", ""), str):
        yield Failure("kid", "must be text", shown(header["kid"]))


def _signature_failures(token: Parts, key: Key | None) -> Iterator[Failure]:
    algorithm, key_id = token.header.get("alg"), token.header.get("kid")
    if key is None and key_id is None:
        yield Failure("kid", "required, because the issuer publishes several keys", None)
    elif key is None:
        yield Failure("kid", "no published key has this ID", shown(key_id))
    elif key.public is None:
        yield Failure("kid", key.fault or "", None)
    elif algorithm not in ALGORITHMS:
        return
    elif key.algorithm != algorithm:
        yield Failure("alg", f"the key is for {key.algorithm}", algorithm)
    elif not jwt.get_algorithm_by_name(algorithm).verify(token.signed, key.public, token.signature):
        yield Failure("signature", "does not match the issuer's key", None)
