"""The claims that a verifier requires (specification, sections 2.4 and 5, rule 4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fdaa._support.escapes import quote
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform._claim_forms import (
    ALL,
    NAMES,
    REQUIRED,
    SLASH,
    differ_by_a_slash,
    form_of,
    is_subject,
    shown,
)
from fdaa.platform._claims import Requirements
from fdaa.platform._errors import FailedCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fdaa.platform._claims import UnverifiedClaims

_MAX_LEEWAY = 300.0


class Policy:
    """The required claims of a token; see `Verifier` for the arguments.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: an argument cannot be used.
    """

    def __init__(
        self,
        *,
        issuer: str,
        aud: str,
        sub: str | None,
        bound: Mapping[str, str | Iterable[str] | None] | None,
        leeway: float,
        max_lifetime: float,
        require_jti: bool,
    ) -> None:
        issuer = text_of(issuer, "issuer")
        aud = text_of(aud, "aud")
        check_type(leeway, "leeway", int, float)
        check_type(max_lifetime, "max_lifetime", int, float)
        check_type(require_jti, "require_jti", bool)
        if not aud:
            raise ArgumentError("aud is empty")
        if not 0 <= leeway <= _MAX_LEEWAY:
            raise ArgumentError(f"the leeway must be 0 to {_MAX_LEEWAY:g} seconds")
        if not 0 < max_lifetime < math.inf:
            raise ArgumentError("max_lifetime must be a number of seconds above 0")
        self._exact = {"iss": issuer, "aud": aud}
        self._requirements = Requirements(sub, bound)
        self._leeway = leeway
        self._max_lifetime = max_lifetime
        self._required = set(REQUIRED)
        if require_jti:
            self._required.add("jti")

    def failures(self, claims: UnverifiedClaims, now: float) -> Iterator[FailedCheck]:
        """Yield the checks that claims fail.

        Args:
            claims: those of a token.
            now: the time, in Unix seconds.
        """
        yield from self._form_failures(claims)
        yield from self._requirements.failures(claims)
        yield from _subject_failures(claims)
        yield from self._time_failures(claims, now)

    def _form_failures(self, claims: UnverifiedClaims) -> Iterator[FailedCheck]:
        for name in ALL:
            value = getattr(claims, name)
            if name in claims.other:
                got = claims.other[name]
                yield FailedCheck(name, reason=f"must be {form_of(name)}", got=shown(got))
            elif name in self._required and value is None:
                yield FailedCheck(name, reason="missing")
            elif name in self._required and value == "":
                yield FailedCheck(name, reason="is empty", got=shown(value))
            elif name in self._exact and value != self._exact[name]:
                reason = f"must be {quote(self._exact[name])}"
                if name == "iss" and differ_by_a_slash(value, self._exact[name]):
                    reason += f" ({SLASH})"
                yield FailedCheck(name, reason=reason, got=shown(value))

    def _time_failures(self, claims: UnverifiedClaims, now: float) -> Iterator[FailedCheck]:
        clock = f"(now {int(now)}, leeway {self._leeway:g} s)"
        if claims.exp is not None and claims.exp <= now - self._leeway:
            yield FailedCheck("exp", reason=f"token has expired {clock}", got=shown(claims.exp))
        if claims.nbf is not None and claims.nbf > now + self._leeway:
            yield FailedCheck("nbf", reason=f"not valid yet {clock}", got=shown(claims.nbf))
        if claims.iat is not None and claims.iat > now + self._leeway:
            yield FailedCheck("iat", reason=f"issued in the future {clock}", got=shown(claims.iat))
        if claims.exp is None:
            return
        # Whatever the clocks say, there is no moment at which such a token is valid.
        if claims.nbf is not None and claims.exp < claims.nbf:
            yield FailedCheck("exp", reason="must not be before nbf", got=shown(claims.exp))
        if claims.iat is None:
            return
        if claims.exp < claims.iat:
            yield FailedCheck("exp", reason="must not be before iat", got=shown(claims.exp))
        if claims.exp - claims.iat > self._max_lifetime:
            reason = f"more than {self._max_lifetime:g} seconds after iat"
            yield FailedCheck("exp", reason=reason, got=shown(claims.exp))


def _subject_failures(claims: UnverifiedClaims) -> Iterator[FailedCheck]:
    """Yield the ways in which `sub` is not made of the three names."""
    if not claims.sub:
        return
    if not is_subject(claims.sub):
        reason = "must be <org_name>:<app_name>:<machine_name>"
        yield FailedCheck("sub", reason=reason, got=quote(claims.sub))
        return
    parts = claims.sub.split(":")
    for name, part in zip(NAMES, parts, strict=True):
        value = getattr(claims, name)
        if value not in (None, "", part):
            yield FailedCheck(name, reason=f"must be {quote(part)} as in sub", got=shown(value))
