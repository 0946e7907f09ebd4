"""The claims that a verifier requires (specification, sections 2.4 and 5, rule 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from fdaa._escapes import QUOTED, quote
from fdaa.platform._claims import CLAIMS, NAMES, NUMBERS, REQUIRED, UnverifiedClaims
from fdaa.platform._errors import Failure

_MAX_LEEWAY = 300.0


class Policy:
    """The required claims of a token; see `Verifier` for the arguments.

    Raises:
        TypeError: an argument has another type.
        ValueError: an argument cannot be used.
    """

    def __init__(
        self,
        issuer: str,
        audience: str,
        subject: str | None,
        bound: Mapping[str, str | Iterable[str]] | None,
        leeway: float,
        max_lifetime: float,
        require_jti: bool,
    ) -> None:
        for name, value in (("issuer", issuer), ("audience", audience), ("subject", subject)):
            if not isinstance(value, str) and (name, value) != ("subject", None):
                raise TypeError(f"the {name} must be str, not {type(value).__name__}")
        if not audience:
            raise ValueError("the audience is empty")
        if subject is not None and not _is_subject(subject):
            reason = "must be three parts with colons between, like 'acme:web:*'"
            raise ValueError(f"the subject {reason}, not {quote(subject)}")
        if not 0 <= leeway <= _MAX_LEEWAY:
            raise ValueError(f"the leeway must be 0 to {_MAX_LEEWAY:g} seconds")
        if not max_lifetime > 0:
            raise ValueError("max_lifetime must be above 0 seconds")
        self._subject, self._leeway, self._max_lifetime = subject, leeway, max_lifetime
        self._values = {"iss": {issuer}, "aud": {audience}, **_checked_bound(bound)}
        self._required = {*REQUIRED, *self._values, *(("jti",) if require_jti else ())}

    def failures(self, payload: dict[str, object], now: float) -> Iterator[Failure]:
        """Yield the checks that the claims in a payload fail."""
        claims = UnverifiedClaims.from_payload(payload)
        for name in CLAIMS:
            value = getattr(claims, name)
            if value is None and name in payload:
                reason = f"must be {'an integer' if name in NUMBERS else 'text'}"
                yield Failure(name, reason, shown(payload[name]))
            elif name in self._required and value in (None, ""):
                yield Failure(name, "missing" if value is None else "is empty", shown(value))
            elif value is not None and value not in self._values.get(name, (value,)):
                expected = " or ".join(map(quote, sorted(self._values[name])))
                yield Failure(name, f"must be {expected}", shown(value))
        yield from self._subject_failures(claims)
        yield from self._time_failures(claims, now)

    def _subject_failures(self, claims: UnverifiedClaims) -> Iterator[Failure]:
        if not claims.sub:
            return
        if not _is_subject(claims.sub):
            reason = "must be <org_name>:<app_name>:<machine_name>"
            yield Failure("sub", reason, quote(claims.sub))
            return
        segments = claims.sub.split(":")
        for name, segment in zip(NAMES, segments, strict=True):
            if getattr(claims, name) not in (None, "", segment):
                yield Failure(
                    name, f"must be {quote(segment)} as in sub", shown(getattr(claims, name))
                )
        if self._subject is not None and not all(map(_matches, self._subject.split(":"), segments)):
            yield Failure("sub", f"must match {quote(self._subject)}", quote(claims.sub))

    def _time_failures(self, claims: UnverifiedClaims, now: float) -> Iterator[Failure]:
        clock = f"(now {int(now)}, leeway {self._leeway:g} s)"
        if claims.exp is not None and claims.exp <= now - self._leeway:
            yield Failure("exp", f"token has expired {clock}", shown(claims.exp))
        if claims.nbf is not None and claims.nbf > now + self._leeway:
            yield Failure("nbf", f"not valid yet {clock}", shown(claims.nbf))
        if claims.iat is not None and claims.iat > now + self._leeway:
            yield Failure("iat", f"issued in the future {clock}", shown(claims.iat))
        lifetime = 0 if claims.exp is None or claims.iat is None else claims.exp - claims.iat
        if lifetime > self._max_lifetime:
            reason = f"more than {self._max_lifetime:g} seconds after iat"
            yield Failure("exp", reason, shown(claims.exp))


def _checked_bound(bound: Mapping[str, str | Iterable[str]] | None) -> dict[str, set[str]]:
    """Return the values that each bound claim may have.

    Raises:
        TypeError: it is not a mapping, or a value is neither a text nor texts.
        ValueError: a claim cannot be bound, or has no value.
    """
    if not isinstance(bound, Mapping | None):
        raise TypeError(f"bound must be a mapping, not {type(bound).__name__}")
    checked = {}
    for name, values in (bound or {}).items():
        if name not in CLAIMS or name in (*NUMBERS, "iss", "aud"):
            raise ValueError(f"bound: {quote(name)} is not a text claim that can be bound")
        checked[name] = {values} if isinstance(values, str) else set(values)
        if not all(isinstance(value, str) for value in checked[name]):
            raise TypeError(f"bound: the values of {name} must be str")
        if not checked[name]:
            raise ValueError(f"bound: {name} has no value")
    return checked


def shown(value: object) -> str | None:
    """Return a value from a token for a message."""
    if value is None:
        return None
    return quote(value) if isinstance(value, str) else json.dumps(value)[:QUOTED]


def _is_subject(text: str) -> bool:
    parts = text.split(":")
    return len(parts) == len(NAMES) and "" not in parts


def _matches(pattern: str, segment: str) -> bool:
    """Whether a segment matches a pattern, in which only `*` has a meaning."""
    return fnmatchcase(segment, re.sub(r"[?[]", r"[\g<0>]", pattern))
