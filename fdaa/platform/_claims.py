"""The claims of an identity token (specification, section 2.4), and the requirements of a role."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Self

from fdaa._support.escapes import QUOTED, printable, quote
from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa.platform._errors import FailedCheck

NUMBERS = ("iat", "nbf", "exp")
NAMES = ("org_name", "app_name", "machine_name")  # the parts of `sub`
REQUIRED = ("iss", "aud", "sub", "iat", "nbf", "exp", "org_name", "app_name", "machine_name")

# Claims whose form is given, and what it is called.
_FORMS = {
    "jti": (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE), "a UUID"),
    "image_digest": (re.compile(r"sha256:[0-9a-f]+", re.IGNORECASE), "sha256:<hex>"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class UnverifiedClaims:
    """The claims of a token that has not been verified; to verify one, use `Verifier`.

    The seventeen claims are attributes, None where a token has none of the type and the form that
    the specification gives it; `other` has the rest.
    """

    iss: str | None = None
    aud: str | None = None
    sub: str | None = None
    iat: int | None = None
    nbf: int | None = None
    exp: int | None = None
    jti: str | None = None
    app_id: str | None = None
    app_name: str | None = None
    org_id: str | None = None
    org_name: str | None = None
    machine_id: str | None = None
    machine_name: str | None = None
    machine_version: str | None = None
    image: str | None = None
    image_digest: str | None = None
    region: str | None = None
    other: Mapping[str, object] = field(default_factory=dict, hash=False)

    @classmethod
    def from_payload(cls, payload: dict[str, object]) -> Self:
        """Return the claims in a token's payload."""
        check_type(payload, "payload", dict)
        known: dict[str, object] = {}
        other: dict[str, object] = {}
        for name, value in payload.items():
            if name in CLAIMS and has_its_form(name, value):
                known[name] = value
            else:
                other[name] = value
        return cls(other=other, **known)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """Return the claims that the token has."""
        present = {}
        for name in CLAIMS:
            value = getattr(self, name)
            if value is not None:
                present[name] = value
        return {**present, **self.other}

    def __str__(self) -> str:
        """Return a table for people: a line for each claim that the token has."""
        claims = self.to_dict()
        width = max(map(len, claims), default=0)
        lines = []
        for name, value in claims.items():
            line = f"{printable(name):{width}}  {printable(str(value))}"
            if name in CLAIMS and name in self.other:
                line += "  (unexpected form)"
            lines.append(line)
        return "\n".join(lines)


CLAIMS = tuple(claim.name for claim in fields(UnverifiedClaims) if claim.name != "other")


@dataclass(frozen=True, kw_only=True, slots=True)
class Claims(UnverifiedClaims):
    """The claims of a verified token, signed by its issuer.

    The seventeen claims are attributes, optional ones may be None; `other` has the rest.
    """

    iss: str
    aud: str
    sub: str
    iat: int
    nbf: int
    exp: int
    org_name: str
    app_name: str
    machine_name: str

    def __str__(self) -> str:
        # `super()` does not work in a class with slots that a decorator makes anew.
        return UnverifiedClaims.__str__(self)

    def failures(
        self,
        *,
        sub: str | None = None,
        bound: Mapping[str, str | Iterable[str] | None] | None = None,
    ) -> tuple[FailedCheck, ...]:
        """Return the requirements of a role that this token does not meet; none if it has the role.

        Args:
            sub: the required `sub`, a pattern as in `Verifier`.
            bound: claims with the value, or the values, that they must have, as in `Verifier`.

        Raises:
            TypeError: an argument has another type.
            fdaa.ArgumentError: an argument cannot be used.
        """
        return tuple(Requirements(sub, bound).failures(self))


def verified(claims: UnverifiedClaims) -> Claims:
    """Return claims that have passed every check as those of a verified token."""
    return Claims(**{field.name: getattr(claims, field.name) for field in fields(claims)})


# --- forms ----------------------------------------------------------------------------------------


def has_its_form(name: str, value: object) -> bool:
    """Whether a claim has the type and the form that the specification gives it."""
    if name in NUMBERS:
        return type(value) is int
    if not isinstance(value, str):
        return False
    if name not in _FORMS:
        return True
    form, _ = _FORMS[name]
    return form.fullmatch(value) is not None


def form_of(name: str) -> str:
    """Describe the type and the form that a claim must have."""
    if name in NUMBERS:
        return "an integer"
    if name in _FORMS:
        _, description = _FORMS[name]
        return description
    return "text"


def shown(value: object) -> str | None:
    """Return a value from a token for a message."""
    if value is None:
        return None
    if isinstance(value, str):
        return quote(value)
    return json.dumps(value)[:QUOTED]


def must_be_issuer(expected: str, got: object) -> str:
    """Describe the required issuer; a slash at the end is a frequent mistake of callers."""
    reason = f"must be {quote(expected)}"
    if got in (f"{expected}/", expected.removesuffix("/")):
        reason += " (the required issuer differs by a slash; use the issuer as it is published)"
    return reason


# --- requirements ---------------------------------------------------------------------------------


class Requirements:
    """A pattern for `sub`, and values for other claims; see `Verifier` for the arguments."""

    def __init__(
        self, sub: str | None, bound: Mapping[str, str | Iterable[str] | None] | None
    ) -> None:
        if sub is not None:
            sub = text_of(sub, "sub")
            if not is_subject(sub):
                reason = "must be three parts with colons between, like 'acme:web:*'"
                raise ArgumentError(f"sub {reason}, not {quote(sub)}")
        self._sub = sub
        self._bound = _checked_bound(bound)

    def failures(self, claims: UnverifiedClaims) -> Iterator[FailedCheck]:
        """Yield the requirements that claims do not meet."""
        for name, values in self._bound.items():
            value = getattr(claims, name)
            if name in claims.other:
                continue  # it has another form, which is a failure of its own
            if value is None:
                yield FailedCheck(name, reason="missing")
            elif value not in values:
                allowed = " or ".join(map(quote, sorted(values)))
                yield FailedCheck(name, reason=f"must be {allowed}", got=shown(value))
        if self._sub is not None and claims.sub and not _matches(self._sub, claims.sub):
            yield FailedCheck("sub", reason=f"must match {quote(self._sub)}", got=quote(claims.sub))


def is_subject(text: str) -> bool:
    """Whether a text has the three parts of `sub`, none of them empty."""
    parts = text.split(":")
    return len(parts) == len(NAMES) and "" not in parts


def _checked_bound(
    bound: Mapping[str, str | Iterable[str] | None] | None,
) -> dict[str, frozenset[str]]:
    """Return the values that each bound claim may have."""
    if bound is None:
        return {}
    check_type(bound, "bound", Mapping)
    checked: dict[str, frozenset[str]] = {}
    for name, given in bound.items():
        if name not in CLAIMS or name in (*NUMBERS, "iss", "aud"):
            raise ArgumentError(f"bound: {quote(name)} is not a text claim that can be bound")
        if given is None:  # as the ID of an app that the platform did not send
            raise ArgumentError(f"bound: {name} has no value")
        check_type(given, f"bound[{name!r}]", str, Iterable)
        texts: Iterable[str] = given
        if isinstance(given, str):
            texts = [given]
        values = frozenset(text_of(value, f"each of bound[{name!r}]") for value in texts)
        if not values:
            raise ArgumentError(f"bound: {name} has no value")
        checked[name] = values
    return checked


def _matches(pattern: str, subject: str) -> bool:
    """Whether a subject matches a pattern, part by part; in a pattern only `*` has a meaning."""
    patterns = pattern.split(":")
    parts = subject.split(":")
    if len(parts) != len(patterns):
        return False
    return all(map(_matches_part, patterns, parts))


def _matches_part(pattern: str, part: str) -> bool:
    literal = re.sub(r"[?[]", r"[\g<0>]", pattern)  # these have a meaning for fnmatch, too
    return fnmatchcase(part, literal)
