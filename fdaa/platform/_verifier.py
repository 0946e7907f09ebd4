"""Verification of tokens, for relying parties (specification, sections 2.4 and 5)."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import anyio
import jwt

from fdaa._values.errors import ArgumentError
from fdaa.platform._claim_forms import shown
from fdaa.platform._claims import Claims, UnverifiedClaims, verified
from fdaa.platform._errors import (
    CannotVerifyError,
    FailedCheck,
    PlatformError,
    TokenRefusedError,
)
from fdaa.platform._issuer import AsyncIssuer, Issuer, Published
from fdaa.platform._jwks import ALGORITHMS, Key, Keys, read_keys
from fdaa.platform._keys import AsyncFetchedKeys, AsyncGivenKeys, FetchedKeys, GivenKeys, KeyStore
from fdaa.platform._policy import Policy
from fdaa.platform._token_text import Parts, read_object, split

DAY = 86_400.0  # seconds
# Header fields with which a token could choose its own key, or change what is signed.
_FORBIDDEN = ("crit", "jku", "jwk", "x5u", "x5c", "b64")


@dataclass(frozen=True, slots=True)
class _Examined:
    """A token, and all that is wrong with it, but for its signature.

    Args:
        parts: its parts.
        claims: its claims; None if the payload cannot be read.
        of_header: the failed checks of the header.
        of_payload: the failed checks of the payload.
    """

    parts: Parts
    claims: UnverifiedClaims | None
    of_header: tuple[FailedCheck, ...]
    of_payload: tuple[FailedCheck, ...]

    @property
    def may_be_valid(self) -> bool:
        """Whether only its signature decides."""
        return not self.of_header and not self.of_payload

    @property
    def may_have_another_key(self) -> bool:
        """Whether the key that replaced a known one could have signed it.

        A key ID names one key (RFC 7517, section 4.5), so that is a token without one.
        """
        return self.may_be_valid and self.parts.key_id is None

    def verified(self, key: Key | None) -> Claims:
        """Return the claims if the token passes every check.

        Args:
            key: the key for it; None if there is none.

        Raises:
            TokenRefusedError: it fails a check.
        """
        failures = list(self.of_header)
        if isinstance(self.parts.header.get("kid", ""), str):
            failures += _signature_failures(self.parts, key)
        if failures:
            raise self._refusal(failures)
        if self.of_payload or self.claims is None:
            raise TokenRefusedError(self.of_payload)
        return verified(self.claims)

    def without_keys(self, error: CannotVerifyError) -> CannotVerifyError | TokenRefusedError:
        """Return the error for a token whose key is not known.

        One that fails another check is refused in any case: it is no use to try it again later.
        """
        if self.may_be_valid:
            return error
        unchecked = FailedCheck("signature", reason=f"not checked: {error.reason}")
        return self._refusal([*self.of_header, unchecked])

    def _refusal(self, failures: list[FailedCheck]) -> TokenRefusedError:
        """Return the error for a token that may be anyone's: only two of its values are repeated.

        A wrong `iss` or `aud` is often the caller's mistake, who sees it only beside the right one.
        """
        if self.claims is None:
            return TokenRefusedError((*failures, FailedCheck("payload", reason="malformed")))
        shown_or_not = []
        for failure in self.of_payload:
            if failure.claim in ("iss", "aud"):
                shown_or_not.append(failure)
            else:
                shown_or_not.append(replace(failure, got=None))
        return TokenRefusedError((*failures, *shown_or_not))


class _Verifier:
    """All but the lookup of the key."""

    def __init__(
        self,
        *,
        issuer: str,
        aud: str,
        sub: str | None = None,
        bound: Mapping[str, str | Iterable[str] | None] | None = None,
        max_lifetime: float = DAY,
        require_jti: bool = False,
        leeway: float = 30,
        keys: dict[str, Any] | None = None,
        keys_fresh_for: float = 3600,
        keys_usable_for: float = DAY,
        timeout: float = 10,
        allow_plain_http: bool = False,
    ) -> None:
        self._policy = Policy(
            issuer=issuer,
            aud=aud,
            sub=sub,
            bound=bound,
            leeway=leeway,
            max_lifetime=max_lifetime,
            require_jti=require_jti,
        )
        self._description = f"{str.__str__(issuer)} for {str.__str__(aud)}"
        self._is_closed = False
        if keys is not None:
            self._use_keys(_given(keys))
        else:
            store = KeyStore(keys_fresh_for, keys_usable_for)
            published = Published(issuer, allow_plain_http=allow_plain_http, timeout=timeout)
            self._fetch_keys(store, published)

    def _use_keys(self, keys: Keys) -> None:
        raise NotImplementedError

    def _fetch_keys(self, store: KeyStore, published: Published) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._description}>"

    def _examined(self, text: str) -> _Examined:
        """Return a token with all that is wrong with its header and its payload.

        Raises:
            PlatformError: the verifier was closed.
            TokenRefusedError: this is not a token.
        """
        if self._is_closed:
            raise PlatformError("the verifier is closed")
        parts = split(text)
        of_header = tuple(_header_failures(parts.header))
        try:
            payload = read_object(parts.payload, "payload")
        except TokenRefusedError as error:
            return _Examined(parts, None, of_header, error.failures)
        claims = UnverifiedClaims.from_payload(payload)
        of_payload = tuple(self._policy.failures(claims, time.time()))
        return _Examined(parts, claims, of_header, of_payload)


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
        require_jti: refuse tokens without `jti`.
        leeway: seconds by which clocks may differ, at most 300.
        keys: a JWK set (RFC 7517), to fetch nothing.
        keys_fresh_for: seconds for which fetched keys are used without another fetch.
        keys_usable_for: seconds for which they are used if the issuer cannot be reached.
        timeout: seconds for fetching keys.
        allow_plain_http: allow an issuer with http, for tests.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: an argument cannot be used.

    >>> Verifier(issuer="https://oidc.example/acme", aud="https://vault.example", sub="acme:web:*")
    <Verifier https://oidc.example/acme for https://vault.example>
    """

    _keys: FetchedKeys | GivenKeys

    def _use_keys(self, keys: Keys) -> None:
        self._keys = GivenKeys(keys)

    def _fetch_keys(self, store: KeyStore, published: Published) -> None:
        self._keys = FetchedKeys(store, Issuer(published))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the issuer; then it verifies nothing any more."""
        self._is_closed = True
        self._keys.close()

    def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check.

        To judge it by more than one role, use `Claims.failures`: it needs no key.

        Raises:
            TokenRefusedError: it fails checks; `.failures` has all of them.
            CannotVerifyError: its key is not known; the token may be valid.
            PlatformError: the verifier was closed.
        """
        token = self._examined(text)
        arrived = self._keys.begun
        try:
            key = self._keys.find(token.parts.key_id, look_up=token.may_be_valid)
        except CannotVerifyError as error:
            raise token.without_keys(error) from None
        try:
            return token.verified(key)
        except TokenRefusedError:
            if not token.may_have_another_key:
                raise
        key = self._keys.find_again(arrived)
        return token.verified(key)


class AsyncVerifier(_Verifier):
    """`Verifier` for asyncio: the same arguments, and `verify` is a coroutine."""

    _keys: AsyncFetchedKeys | AsyncGivenKeys

    def _use_keys(self, keys: Keys) -> None:
        self._keys = AsyncGivenKeys(keys)

    def _fetch_keys(self, store: KeyStore, published: Published) -> None:
        self._keys = AsyncFetchedKeys(store, AsyncIssuer(published))

    @cached_property
    def _turn(self) -> anyio.Lock:
        """Held for the work on one token: between two, other tasks have their turn."""
        return anyio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections to the issuer; then it verifies nothing any more."""
        self._is_closed = True
        await self._keys.aclose()

    async def verify(self, text: str) -> Claims:
        """Return the claims of a token that passes every check; see `Verifier.verify`."""
        async with self._turn:
            token = self._examined(text)
        arrived = self._keys.begun
        try:
            key = await self._keys.find(token.parts.key_id, look_up=token.may_be_valid)
        except CannotVerifyError as error:
            raise token.without_keys(error) from None
        try:
            async with self._turn:
                return token.verified(key)
        except TokenRefusedError:
            if not token.may_have_another_key:
                raise
        key = await self._keys.find_again(arrived)
        async with self._turn:
            return token.verified(key)


def _given(published: dict[str, Any]) -> Keys:
    """Return the keys of a JWK set.

    Raises:
        fdaa.ArgumentError: none of them can be used.
    """
    keys = read_keys(published)
    if not any(key.public for key in keys.values()):
        raise ArgumentError("keys must be a JWK set with a key for RS256 or ES256")
    return keys


def _header_failures(header: dict[str, object]) -> Iterator[FailedCheck]:
    algorithm = header.get("alg")
    if algorithm not in ALGORITHMS:
        reason = f"must be {' or '.join(ALGORITHMS)}"
        yield FailedCheck("alg", reason=reason, got=shown(algorithm))
    typ = header.get("typ", "JWT")  # RFC 8725, section 3.11; "application/" may be left out
    if not isinstance(typ, str) or typ.lower().removeprefix("application/") != "jwt":
        yield FailedCheck("typ", reason="must be JWT", got=shown(typ))
    for name in _FORBIDDEN:
        if name in header:
            yield FailedCheck(name, reason="not allowed in the header")
    if not isinstance(header.get("kid", ""), str):
        yield FailedCheck("kid", reason="must be text", got=shown(header["kid"]))


def _signature_failures(parts: Parts, key: Key | None) -> Iterator[FailedCheck]:
    algorithm = parts.header.get("alg")
    key_id = parts.header.get("kid")
    if key is None and key_id is None:
        yield FailedCheck("kid", reason="required, because the issuer publishes several keys")
    elif key is None:
        yield FailedCheck("kid", reason="no known key has this ID", got=shown(key_id))
    elif key.public is None:
        yield FailedCheck("kid", reason=key.fault or "")
    elif algorithm not in ALGORITHMS:
        return
    elif key.algorithm != algorithm:
        yield FailedCheck("alg", reason=f"the key is for {key.algorithm}", got=algorithm)
    elif not jwt.get_algorithm_by_name(algorithm).verify(parts.signed, key.public, parts.signature):
        yield FailedCheck("signature", reason="does not match the issuer's key")
