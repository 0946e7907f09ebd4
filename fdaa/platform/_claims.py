"""The claims of an identity token (specification, section 2.4)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, fields
from typing import Self

from fdaa import _json

MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)")  # RFC 7515, 7.1


class FormError(Exception):
    """A text that does not have the form of a token; its text is the reason.

    Args:
        reason: what is wrong.
        detail: what is wrong with a JSON text; it may quote a key of it.
    """

    def __init__(self, reason: str, detail: str | None = None) -> None:
        super().__init__(reason)
        self.detail = detail


@dataclass(frozen=True, kw_only=True, slots=True)
class UnverifiedClaims:
    """The claims of a token that no one has verified: use `Verifier` for that.

    The seventeen claims are attributes, None where a token has none of that type; `other` has the
    rest.
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
    other: dict[str, object] = field(default_factory=dict)

    @classmethod
    def from_payload(cls, payload: dict[str, object]) -> Self:
        """Return the claims in a token's payload."""
        typed = {name: payload[name] for name in payload if _is_typed(name, payload[name])}
        other = {name: value for name, value in payload.items() if name not in typed}
        return cls(other=other, **typed)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """Return the claims that the token has."""
        known = {name: getattr(self, name) for name in CLAIMS}
        return {**{name: value for name, value in known.items() if value is not None}, **self.other}


@dataclass(frozen=True, kw_only=True, slots=True)
class Claims(UnverifiedClaims):
    """The claims of a verified token: its issuer has signed them.

    The seventeen claims are attributes, those that a token may lack None; `other` has the rest.
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


CLAIMS = tuple(field.name for field in fields(UnverifiedClaims) if field.name != "other")
NUMBERS = ("iat", "nbf", "exp")
NAMES = ("org_name", "app_name", "machine_name")  # the parts of `sub`
REQUIRED = ("iss", "aud", "sub", *NUMBERS, *NAMES)


def _is_typed(name: str, value: object) -> bool:
    return name in CLAIMS and type(value) is (int if name in NUMBERS else str)


def split(text: str) -> tuple[str, str, bytes]:
    """Return a token's header and payload, still encoded, and its signature (RFC 7515, 7.1).

    Raises:
        FormError: it is not three parts in base64url.
    """
    parts = _COMPACT.fullmatch(text)
    if parts is None or len(text) > MAX_TOKEN:
        raise FormError("must be three base64url parts with dots between, at most 16 KiB")
    return parts[1], parts[2], _decode(parts[3], "signature")


def read_object(part: str, what: str) -> dict[str, object]:
    """Return the JSON object in the header or the payload of a token.

    Raises:
        FormError: there is none, or it has a duplicate key.
    """
    try:
        value = _json.load(_json.decode(_decode(part, what)))
    except _json.JSONError as error:
        raise FormError(f"the {what} must be a strict JSON object", str(error)) from None
    if not isinstance(value, dict):
        raise FormError(f"the {what} must be a JSON object", "another JSON value")
    return value


def _decode(part: str, what: str) -> bytes:
    try:
        data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except binascii.Error:
        data = b""
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != part:  # or surplus bits at its end
        raise FormError(f"the {what} must be base64url of whole bytes")
    return data
