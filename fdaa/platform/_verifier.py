"""Verification of tokens, for relying parties (specification, sections 2.4 and 5)."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import jwt

from fdaa._support.escapes import quote
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform._claims import (
    CLAIMS,
    NAMES,
    REQUIRED,
    Claims,
    Requirements,
    UnverifiedClaims,
    form_of,
    is_subject,
    must_be_issuer,
    shown,
    verified,
)
from fdaa.platform._errors import CannotVerifyError, FailedCheck, TokenRefusedError
from fdaa.platform._http import checked_timeout
from fdaa.platform._keys import ALGORITHMS, DAY, KeyStore
from fdaa.platform._token import TokenParts, parse_token

_HEADER = ("alg", "typ")
_ALWAYS_SHOWN = ("alg", "typ", "iss", "aud")
_MAX_LEEWAY = 300.0


class _Verifier:
    """All but the call."""

    def __init__(
        self,
        *,
        issuer: str,
        aud: str,
        sub: str | None = None,
        bound: Mapping[str, str | Iterable[str] | None] | None = None,
        max_lifetime: float = DAY,
        leeway: float = 30,
        keys: dict[str, Any] | None = None,
        keys_fresh_for: float = 3600,
        timeout: float = 10,
        allow_plain_http: bool = False,
    ) -> None:
        for name, value in (
            ("leeway", leeway),
            ("max_lifetime", max_lifetime),
            ("keys_fresh_for", keys_fresh_for),
        ):
            check_type(value, name, int, float)
        self._exact = {"iss": text_of(issuer, "issuer"), "aud": text_of(aud, "aud")}
        if not aud:
            raise ArgumentError("aud is empty")
        if not 0 <= leeway <= _MAX_LEEWAY:
            raise ArgumentError(f"the leeway must be 0 to {_MAX_LEEWAY:g} seconds")
        if not 0 < max_lifetime < math.inf:
            raise ArgumentError("max_lifetime must be a number of seconds above 0")
        self._requirements = Requirements(sub, bound)
        self._leeway = leeway
        self._max_lifetime = max_lifetime
        self._keys = KeyStore(
            issuer,
            allow_plain_http=allow_plain_http,
            fresh_for=keys_fresh_for,
            timeout=checked_timeout(timeout),
            given=keys,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._exact['iss']} for {self._exact['aud']}>"

    def _begin(self, text: str) -> tuple[TokenParts, list[FailedCheck]]:
        """Return the parts of a token, and the failed checks of its claims and of its header."""
        token = parse_token(text)
        failures = list(_header_failures(token.header))
        failures.extend(self._failures(token.claims))
        return token, failures

    def _end(
        self,
        token: TokenParts,
        failures: list[FailedCheck],
        key: jwt.PyJWK | CannotVerifyError | None,
    ) -> Claims:
        """Return the claims of a token whose key is known, or raise the error."""
        if isinstance(key, CannotVerifyError):
            if not failures:
                raise key
            of_key = [FailedCheck("signature", reason=f"not checked: {key.reason}")]
        else:
            of_key = list(_key_failures(token, key))
        if of_key or any(failure.claim in _HEADER for failure in failures):
            failures = list(map(_without_its_value, failures))
        if of_key or failures:
            raise TokenRefusedError(tuple(of_key + failures))
        return verified(token.claims)

    def _failures(self, claims: UnverifiedClaims) -> Iterator[FailedCheck]:
        """Yield the checks that claims fail."""
        for name in CLAIMS:
            value = getattr(claims, name)
            expected = self._exact.get(name, value)
            if name in claims.other:
                got = shown(claims.other[name])
                yield FailedCheck(name, reason=f"must be {form_of(name)}", got=got)
            elif name in REQUIRED and value is None:
                yield FailedCheck(name, reason="missing")
            elif name in REQUIRED and value == "":
                yield FailedCheck(name, reason="is empty")
            elif value != expected and name == "iss":
                reason = must_be_issuer(expected, value)
                yield FailedCheck(name, reason=reason, got=shown(value))
            elif value != expected:
                yield FailedCheck(name, reason=f"must be {quote(expected)}", got=shown(value))
        yield from self._requirements.failures(claims)
        yield from _subject_failures(claims)
        if claims.exp is not None and claims.nbf is not None and claims.iat is not None:
            yield from self._time_failures(claims.iat, claims.nbf, claims.exp)

    def _time_failures(self, iat: int, nbf: int, exp: int) -> Iterator[FailedCheck]:
        now = time.time()
        clock = f"(now {int(now)}, leeway {self._leeway:g} s)"
        lifetime = f"more than {self._max_lifetime:g} seconds after iat"
        checks = (
            ("exp", exp, exp <= now - self._leeway, f"token has expired {clock}"),
            ("nbf", nbf, nbf > now + self._leeway, f"not valid yet {clock}"),
            ("iat", iat, iat > now + self._leeway, f"issued in the future {clock}"),
            ("exp", exp, exp < max(nbf, iat), "must not be before nbf and iat"),
            ("exp", exp, exp - iat > self._max_lifetime, lifetime),
        )
        for claim, value, is_wrong, reason in checks:
            if is_wrong:
                yield FailedCheck(claim, reason=reason, got=shown(value))


class Verifier(_Verifier):
    """Verifies the tokens of one issuer for one audience; threads may share it.

    Reuse one Verifier: it caches the issuer's keys. A key ID that is not among them is looked up at
    once, and then at most every 30 seconds.

    Args:
        issuer: the claim `iss`, `{oidc_issuer}/<org_slug>`, exactly as in the tokens.
        aud: the required audience.
        sub: the required subject, `<org_name>:<app_name>:<machine_name>`; a `*` matches any
            characters within one of the three. Without it, every Machine of the issuer passes.
        bound: claims with the value, or the values, that they may have: `{"app_id": "app-1"}`. IDs
            are safer than names, which can be given to another app later. None is refused, as the
            `id` of a `PlatformApp` that the platform sent without one.
        max_lifetime: the longest time from `iat` to `exp`, in seconds.
        leeway: seconds by which clocks may differ, at most 300.
        keys: a JWK set (RFC 7517), to fetch nothing.
        keys_fresh_for: seconds for which fetched keys are used without another fetch. While the
            issuer cannot be reached, they are used until they are a day old.
        timeout: seconds for fetching keys.
        allow_plain_http: allow an issuer with http on another computer than this one.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: an argument cannot be used.

    >>> Verifier(issuer="https://oidc.example/acme", aud="https://vault.example", sub="acme:web:*")
    <Verifier https://oidc.example/acme for https://vault.example>
    """

    def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check.

        To judge it by more than one role, use `Claims.failures`: it needs no key.

        Raises:
            TokenRefusedError: it fails checks; `.failures` has all of them.
            CannotVerifyError: its key is not known; the token may be valid.
        """
        token, failures = self._begin(text)
        key = self._keys.find(token.key_id, look_up=not failures)
        return self._end(token, failures, key)


class AsyncVerifier(_Verifier):
    """`Verifier` for asynchronous code: the same arguments, and `verify` is a coroutine."""

    async def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check; see `Verifier.verify`.

        It uses a thread only where keys must be fetched.
        """
        token, failures = self._begin(text)
        key = await self._keys.afind(token.key_id, look_up=not failures)
        return self._end(token, failures, key)


def _without_its_value(failure: FailedCheck) -> FailedCheck:
    """Return a failure of a token that may be anyone's; frequent mistakes of callers are shown."""
    if failure.claim in _ALWAYS_SHOWN:
        return failure
    return replace(failure, got=None)


def _header_failures(header: dict[str, object]) -> Iterator[FailedCheck]:
    if header.get("alg") not in ALGORITHMS:
        reason = f"must be {' or '.join(ALGORITHMS)}"
        yield FailedCheck("alg", reason=reason, got=shown(header.get("alg")))
    typ = header.get("typ", "JWT")  # RFC 8725, section 3.11; "application/" may be left out
    if not isinstance(typ, str) or typ.lower().removeprefix("application/") != "jwt":
        yield FailedCheck("typ", reason="must be JWT", got=shown(typ))


def _key_failures(token: TokenParts, key: jwt.PyJWK | None) -> Iterator[FailedCheck]:
    algorithm = token.header.get("alg")
    if key is None:
        reason = "no known key has this ID" if "kid" in token.header else "required"
        yield FailedCheck("kid", reason=reason, got=shown(token.header.get("kid")))
    elif algorithm not in ALGORITHMS:
        return  # which is a failure of the header
    elif key.algorithm_name != algorithm:
        yield FailedCheck("alg", reason=f"the key is for {key.algorithm_name}", got=algorithm)
    elif not key.Algorithm.verify(token.signed, key.key, token.signature):
        yield FailedCheck("signature", reason="does not match the issuer's key")


def _subject_failures(claims: UnverifiedClaims) -> Iterator[FailedCheck]:
    """Yield the ways in which `sub` is not made of the three names."""
    if not claims.sub:
        return
    if not is_subject(claims.sub):
        reason = "must be <org_name>:<app_name>:<machine_name>"
        yield FailedCheck("sub", reason=reason, got=quote(claims.sub))
        return
    for name, part in zip(NAMES, claims.sub.split(":"), strict=True):
        value = getattr(claims, name)
        if value not in (None, "", part):
            yield FailedCheck(name, reason=f"must be {quote(part)} as in sub", got=shown(value))
