"""Is this token to be trusted? For relying parties (specification, sections 2.4 and 5)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import jwt

from fdaa.errors import quote
from fdaa.platform._claims import Claims, FormError, read_object, split
from fdaa.platform._errors import CannotVerifyError, Check, Failure, TokenRefusedError
from fdaa.platform._jwks import ALGORITHMS, read_keys
from fdaa.platform._keys import Issuer, KeyCache, find_key
from fdaa.platform._policy import Policy, checked_bound, shown
from fdaa.platform._settings import checked_timeout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fdaa.platform._jwks import Key

DAY = 86_400.0  # seconds
# What would let a token name the key that verifies it, or change what is signed.
_FORBIDDEN = ("crit", "jku", "jwk", "x5u", "x5c", "b64")


@dataclass(frozen=True, slots=True)
class _Opened:
    """A token that has the form of one."""

    header: dict[str, Any]
    payload: str  # still encoded
    signed: bytes
    signature: bytes

    @property
    def key_id(self) -> str | None:
        """The ID of its key; None where it has none that is text."""
        key_id = self.header.get("kid")
        return key_id if isinstance(key_id, str) else None


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
        if not isinstance(issuer, str):
            raise TypeError(f"the issuer must be str, not {type(issuer).__name__}")
        limits = (checked_bound(bound), max_lifetime, require_jti)
        self.policy = Policy(issuer, audience, subject, leeway, *limits)
        self._static: dict[str, Key] | None = None
        if keys is None:
            seconds = checked_timeout(timeout)
            source = Issuer(issuer, allow_plain_http=allow_plain_http, timeout=seconds)
            self._keys = KeyCache(source, keys_fresh_for, keys_usable_for)
        else:
            self._static = read_keys(keys)
            if not any(key.public for key in self._static.values()):
                raise ValueError("keys must be a JWK set with a key for RS256 or ES256")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.policy.issuer} for {self.policy.audience}>"

    def _verified(self, token: _Opened, found: Key | CannotVerifyError | None) -> Claims:
        """Return the claims of a token that passes every check."""
        failures = list(_header_failures(token.header))
        if isinstance(found, CannotVerifyError):
            if not failures:
                raise found
        elif token.key_id is not None or "kid" not in token.header:
            failures += _signature_failures(token, found)
        has_signature = not failures
        try:
            payload = read_object(token.payload, "payload")
        except FormError as error:
            detail = error.detail if has_signature else None
            failures.append(Failure(Check.PAYLOAD, None, str(error), detail))
        else:
            failed = self.policy.failures(payload, time.time())
            failures += failed if has_signature else (replace(each, got=None) for each in failed)
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
        subject: the required `sub`, `<org_name>:<app_name>:<machine_name>`; a `*` is any characters
            within one of the three. Without it, every Machine of the issuer passes.
        bound: claims with the value, or the values, that they may have: `{"app_id": "app-1"}`. IDs
            are safer than names, which can be given to another app later.
        max_lifetime: seconds from `iat` to `exp` at most.
        require_jti: refuse tokens without `jti`.
        leeway: seconds by which clocks may differ, at most 300.
        keys: a JWK set (RFC 7517), to fetch nothing.
        keys_fresh_for: seconds for which fetched keys are used without another fetch.
        keys_usable_for: seconds for which they are used where the issuer cannot be reached.
        timeout: seconds for fetching keys.
        allow_plain_http: for an issuer on this machine, and for tests.

    Raises:
        TypeError: an argument is of another type.
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
        token = _open(text)
        if self._static is not None:
            return self._verified(token, find_key(self._static, token.key_id))
        return self._verified(token, self._keys.find(token.key_id))


class AsyncVerifier(_Verifier):
    """`Verifier` for asynchronous code: the same arguments, and `verify` is a coroutine."""

    async def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check; see `Verifier.verify`."""
        token = _open(text)
        if self._static is not None:
            return self._verified(token, find_key(self._static, token.key_id))
        return self._verified(token, await self._keys.find_async(token.key_id))


def _open(text: str) -> _Opened:
    """Return the parts of a token.

    Raises:
        TokenRefusedError: it does not have the form of one.
    """
    if not isinstance(text, str):
        raise TypeError(f"a token must be str, not {type(text).__name__}")
    try:
        header, payload, signature = split(text)
        fields = read_object(header, "header")
    except FormError as error:
        failure = Failure(Check.FORM, None, str(error), error.detail)
        raise TokenRefusedError((failure,)) from None
    return _Opened(fields, payload, f"{header}.{payload}".encode(), signature)


def _header_failures(header: dict[str, Any]) -> Iterator[Failure]:
    if header.get("alg") not in ALGORITHMS:
        reason = f"must be {' or '.join(ALGORITHMS)}"
        yield Failure(Check.HEADER, "alg", reason, shown(header.get("alg")))
    if _media_type(header.get("typ", "JWT")) != "jwt":  # RFC 8725, section 3.11
        yield Failure(Check.HEADER, "typ", "must be JWT", shown(header["typ"]))
    for name in _FORBIDDEN:
        if name in header:
            yield Failure(Check.HEADER, name, "not allowed in the header", None)
    if not isinstance(header.get("kid", ""), str):
        yield Failure(Check.HEADER, "kid", "must be text", shown(header["kid"]))


def _media_type(value: object) -> str | None:
    """Return a `typ` without what may be left out (RFC 7515, section 4.1.9)."""
    return value.lower().removeprefix("application/") if isinstance(value, str) else None


def _signature_failures(token: _Opened, key: Key | None) -> Iterator[Failure]:
    algorithm = token.header.get("alg")
    if key is None and token.key_id is None:
        yield Failure(Check.KEY, "kid", "required, as the issuer publishes several keys", None)
    elif key is None:
        reason = "no published key has this ID"
        yield Failure(Check.KEY, "kid", reason, quote(token.key_id or ""))
    elif key.public is None:
        yield Failure(Check.KEY, "kid", key.fault or "", None)
    elif algorithm not in ALGORITHMS:
        return
    elif key.algorithm != algorithm:
        yield Failure(Check.KEY, "alg", f"the key is for {key.algorithm}", algorithm)
    elif not jwt.get_algorithm_by_name(algorithm).verify(token.signed, key.public, token.signature):
        yield Failure(Check.SIGNATURE, None, "does not match the issuer's key", None)
