"""Is this token to be trusted? For those who get tokens (specification, sections 2.4 and 5)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import jwt

from fdaa.errors import QUOTED, quote
from fdaa.platform._claims import CLAIMS, NUMBERS, Claims, FormError, read_object, split
from fdaa.platform._errors import Check, Failure, PlatformError, TokenRefusedError
from fdaa.platform._keys import ALGORITHMS, Keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform._keys import Key

_MAX_LEEWAY = 300.0
_SEGMENTS = ("org_name", "app_name", "machine_name")  # of `sub`
_REQUIRED = ("iss", "aud", "sub", "iat", "nbf", "exp", *_SEGMENTS)
# What would let a token name the key that it is checked with, or change what is signed.
_FORBIDDEN = ("crit", "jku", "jwk", "x5u", "x5c", "b64")


class Verifier:
    """Checks tokens of one issuer for one audience; threads may share it.

    The keys are those that the issuer publishes. They are kept for five minutes; a key ID that is
    not among them is looked up at once, and then at most every 30 seconds.

    Args:
        issuer: `{oidc_issuer}/<org_slug>`, exactly as in the tokens.
        audience: who the tokens must be for.
        subject: `<org_name>:<app_name>:<machine_name>`; a `*` stands for any characters within
            one of the three. Without it, every Machine of the issuer is fine.
        leeway: seconds by which clocks may differ.
        allow_plain_http: for an issuer on this machine, and for tests.

    Raises:
        ValueError: one of them cannot be used.

    >>> Verifier("https://oidc.example/acme", "https://vault.example", "acme:web:*")
    <Verifier https://oidc.example/acme for https://vault.example>
    """

    __module__ = "fdaa.platform"

    def __init__(
        self,
        issuer: str,
        audience: str,
        subject: str | None = None,
        leeway: float = 30,
        allow_plain_http: bool = False,
    ) -> None:
        if not isinstance(audience, str) or not audience:
            raise ValueError("the audience must be a text")
        if not isinstance(subject, str | None):
            raise ValueError("the subject must be a text")
        if subject is not None and (subject.count(":") != 2 or "" in subject.split(":")):
            reason = "the subject must be three parts with a colon between, as 'acme:web:*'"
            raise ValueError(f"{reason}, not {quote(subject)}")
        if not 0 <= leeway <= _MAX_LEEWAY:
            raise ValueError(f"the leeway must be 0 to {_MAX_LEEWAY:g} seconds")
        self.issuer, self.audience, self.subject, self.leeway = issuer, audience, subject, leeway
        self._keys = Keys(issuer, allow_plain_http=allow_plain_http)

    def __repr__(self) -> str:
        return f"<Verifier {self.issuer} for {self.audience}>"

    def verify(self, text: str) -> Claims:
        """Return what a token says, if all of it holds.

        Raises:
            TokenRefusedError: it fails checks; `.failures` has all of them.
            PlatformError: it cannot be decided, as the issuer's keys cannot be fetched.
        """
        if not isinstance(text, str):
            raise TypeError(f"a token must be str, not {type(text).__name__}")
        packed_header, packed_payload, signature = _parts(text)
        header = _header(packed_header)
        failures = list(_check_header(header))
        try:
            data = f"{packed_header}.{packed_payload}".encode()
            failures += self._check_signature(header, data, signature)
        except PlatformError:
            if not failures:
                raise  # else it is refused, whatever the keys are
        signed = not failures
        try:
            payload = read_object(packed_payload)
        except FormError as error:
            got = error.got if signed else None
            failures.append(Failure(Check.PAYLOAD, None, str(error), got))
        else:
            found = self._check_claims(payload, time.time())
            failures += [each if signed else each._replace(got=None) for each in found]
        if failures:
            raise TokenRefusedError(tuple(failures))
        return Claims.from_payload(payload)

    def _check_signature(
        self, header: dict[str, Any], data: bytes, signature: bytes
    ) -> Iterator[Failure]:
        if not isinstance(header.get("kid", ""), str):
            return
        algorithm, key_id = header.get("alg"), header.get("kid")
        key: Key | None = self._keys.find(key_id)
        if key is None:
            got = "a token without a key ID" if key_id is None else quote(key_id)
            yield Failure(Check.KEY, "kid", "the ID of a key that the issuer publishes", got)
        elif key.public is None:
            yield Failure(Check.KEY, "kid", key.fault or "a key that can be used", None)
        elif algorithm not in ALGORITHMS:
            return
        elif key.algorithm != algorithm:
            yield Failure(Check.KEY, "alg", f"{key.algorithm}, as the key is for", algorithm)
        elif not jwt.get_algorithm_by_name(algorithm).verify(data, key.public, signature):
            expected = "one that the issuer's key has made over this token"
            yield Failure(Check.SIGNATURE, None, expected, None)

    def _check_claims(self, payload: dict[str, object], now: float) -> Iterator[Failure]:
        claims = Claims.from_payload(payload)
        for name in CLAIMS:
            if getattr(claims, name) is None and (name in payload or name in _REQUIRED):
                expected = "a whole number" if name in NUMBERS else "a text"
                yield _claim(name, expected, payload.get(name))
        if claims.iss not in (None, self.issuer):
            yield _claim("iss", f"{quote(self.issuer)} exactly", claims.iss)
        if claims.aud not in (None, self.audience):
            yield _claim("aud", f"{quote(self.audience)} exactly", claims.aud)
        yield from self._check_subject(claims)
        yield from self._check_times(claims, now)

    def _check_subject(self, claims: Claims) -> Iterator[Failure]:
        if claims.sub is None:
            return
        segments = claims.sub.split(":")
        if len(segments) != len(_SEGMENTS) or "" in segments:
            expected = "<org_name>:<app_name>:<machine_name>, with two colons"
            yield _claim("sub", expected, claims.sub)
            return
        for name, segment in zip(_SEGMENTS, segments, strict=True):
            told = getattr(claims, name)
            if told not in (None, segment):
                yield _claim(name, f"{quote(segment)}, as in sub", told)
        patterns = ["*"] * 3 if self.subject is None else self.subject.split(":")
        if not all(map(_matches, patterns, segments)):
            yield _claim("sub", f"{quote(self.subject or '')}", claims.sub)

    def _check_times(self, claims: Claims, now: float) -> Iterator[Failure]:
        with_leeway = f"with {self.leeway:g} seconds of leeway; it is {int(now)}"
        if claims.exp is not None and claims.exp <= now - self.leeway:
            yield _claim("exp", f"a time to come, {with_leeway}", claims.exp)
        for name in ("nbf", "iat"):
            moment = getattr(claims, name)
            if moment is not None and moment > now + self.leeway:
                yield _claim(name, f"a time that has come, {with_leeway}", moment)


def _parts(text: str) -> tuple[str, str, bytes]:
    try:
        return split(text)
    except FormError as error:
        raise TokenRefusedError((Failure(Check.FORM, None, str(error), error.got),)) from None


def _header(packed: str) -> dict[str, Any]:
    try:
        return read_object(packed)
    except FormError as error:
        expected = f"a header that is {error}"
        raise TokenRefusedError((Failure(Check.FORM, None, expected, error.got),)) from None


def _check_header(header: dict[str, Any]) -> Iterator[Failure]:
    algorithm = header.get("alg")
    if algorithm not in ALGORITHMS:
        yield Failure(Check.HEADER, "alg", " or ".join(ALGORITHMS), _shown(algorithm))
    for name in _FORBIDDEN:
        if name in header:
            yield Failure(Check.HEADER, name, "a header without it", "one with it")
    if not isinstance(header.get("kid", ""), str):
        yield Failure(Check.HEADER, "kid", "a text", _shown(header["kid"]))


def _claim(name: str, expected: str, got: object) -> Failure:
    return Failure(Check.CLAIM, name, expected, _shown(got))


def _shown(value: object) -> str:
    """Return a value from a token for a message."""
    if value is None:
        return "none"
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    return quote(value) if isinstance(value, str) else str(value)[:QUOTED]


def _matches(pattern: str, segment: str) -> bool:
    """Whether a segment is as a pattern says, in which `*` stands for any characters."""
    first, *others = pattern.split("*")
    if not others:
        return segment == pattern
    *middle, last = others
    if not segment.startswith(first):
        return False
    rest = segment[len(first) :]
    for part in middle:  # each at its first place leaves the most to what follows
        _, found, rest = rest.partition(part) if part else ("", "*", rest)
        if not found:
            return False
    return rest.endswith(last)
