"""The claims that a verifier requires (specification, sections 2.4 and 5, rule 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fdaa.errors import QUOTED, quote
from fdaa.platform._claims import CLAIMS, NAMES, NUMBERS, REQUIRED, UnverifiedClaims
from fdaa.platform._errors import Check, Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MAX_LEEWAY = 300.0


@dataclass(frozen=True, slots=True)
class Policy:
    """What the claims of a token must be; see `Verifier` for the fields.

    Raises:
        TypeError: a field is of another type.
        ValueError: a field cannot be used.
    """

    issuer: str
    audience: str
    subject: str | None
    leeway: float
    bound: Mapping[str, frozenset[str]]
    max_lifetime: float
    require_jti: bool

    def __post_init__(self) -> None:
        for name in ("audience", "subject"):
            value = getattr(self, name)
            if not isinstance(value, str) and (name, value) != ("subject", None):
                raise TypeError(f"the {name} must be str, not {type(value).__name__}")
        if not self.audience:
            raise ValueError("the audience is empty")
        if self.subject is not None and not _is_subject(self.subject):
            reason = "must be three parts with colons between, like 'acme:web:*'"
            raise ValueError(f"the subject {reason}, not {quote(self.subject)}")
        if not 0 <= self.leeway <= _MAX_LEEWAY:
            raise ValueError(f"the leeway must be 0 to {_MAX_LEEWAY:g} seconds")
        if not self.max_lifetime > 0:
            raise ValueError("max_lifetime must be above 0 seconds")

    def failures(self, payload: dict[str, object], now: float) -> Iterator[Failure]:
        """Yield the checks that the claims in a payload fail."""
        claims = UnverifiedClaims.from_payload(payload)
        required = {*REQUIRED, *self.bound, *(("jti",) if self.require_jti else ())}
        for name in CLAIMS:
            if getattr(claims, name) is None and (name in payload or name in required):
                kind = "an integer" if name in NUMBERS else "text"
                reason = f"must be {kind}" if name in payload else "missing"
                yield _claim(name, reason, payload.get(name))
        for name, value in (("iss", self.issuer), ("aud", self.audience)):
            if getattr(claims, name) not in (None, value):
                yield _claim(name, f"must be {quote(value)} exactly", getattr(claims, name))
        yield from self._subject_failures(claims)
        yield from self._time_failures(claims, now)
        for name, values in self.bound.items():
            if getattr(claims, name) not in (None, *values):
                one_of = "one of " if len(values) > 1 else ""
                reason = f"must be {one_of}{', '.join(map(quote, sorted(values)))}"
                yield _claim(name, reason, getattr(claims, name))

    def _subject_failures(self, claims: UnverifiedClaims) -> Iterator[Failure]:
        if claims.sub is None:
            return
        if not _is_subject(claims.sub):
            yield _claim("sub", "must be <org_name>:<app_name>:<machine_name>", claims.sub)
            return
        segments = claims.sub.split(":")
        for name, segment in zip(NAMES, segments, strict=True):
            if getattr(claims, name) not in (None, segment):
                yield _claim(name, f"must be {quote(segment)} as in sub", getattr(claims, name))
        if self.subject is not None and not all(map(_matches, self.subject.split(":"), segments)):
            yield _claim("sub", f"must match {quote(self.subject)}", claims.sub)

    def _time_failures(self, claims: UnverifiedClaims, now: float) -> Iterator[Failure]:
        clock = f"(now {int(now)}, leeway {self.leeway:g} s)"
        if claims.exp is not None and claims.exp <= now - self.leeway:
            yield _claim("exp", f"token has expired {clock}", claims.exp)
        if claims.nbf is not None and claims.nbf > now + self.leeway:
            yield _claim("nbf", f"not valid yet {clock}", claims.nbf)
        if claims.iat is not None and claims.iat > now + self.leeway:
            yield _claim("iat", f"issued in the future {clock}", claims.iat)
        if claims.exp is not None and claims.iat is not None:
            lifetime = claims.exp - claims.iat
            if lifetime > self.max_lifetime:
                reason = f"more than {self.max_lifetime:g} seconds after iat"
                yield _claim("exp", reason, claims.exp)


def checked_bound(bound: Mapping[str, str | Iterable[str]] | None) -> dict[str, frozenset[str]]:
    """Return the values that each bound claim may have.

    Raises:
        TypeError: a value is neither a text nor texts.
        ValueError: it is not a claim that is text, or has no value.
    """
    checked = {}
    for name, values in (bound or {}).items():
        if name not in CLAIMS or name in NUMBERS:
            raise ValueError(f"bound: {quote(name)} is not a claim of the platform that is text")
        checked[name] = frozenset((values,) if isinstance(values, str) else values)
        if not all(isinstance(value, str) for value in checked[name]):
            raise TypeError(f"bound: the values of {name} must be str")
        if not checked[name]:
            raise ValueError(f"bound: {name} has no value")
    return checked


def shown(value: object) -> str | None:
    """Return a value from a token for a message."""
    if value is None:
        return None
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    return quote(value) if isinstance(value, str) else str(value)[:QUOTED]


def _claim(name: str, reason: str, got: object) -> Failure:
    return Failure(Check.CLAIM, name, reason, shown(got))


def _is_subject(text: str) -> bool:
    parts = text.split(":")
    return len(parts) == len(NAMES) and "" not in parts


def _matches(pattern: str, segment: str) -> bool:
    """Whether a segment matches a pattern, in which only `*` has a meaning."""
    return fnmatchcase(segment, re.sub(r"[?[]", r"[\g<0>]", pattern))
