"""The claims of an identity token (specification, section 2.4)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, fields
from typing import Self

from fdaa import _json
from fdaa.platform._errors import Failure, TokenRefusedError

MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)")  # RFC 7515, 7.1


@dataclass(frozen=True, kw_only=True, slots=True)
class UnverifiedClaims:
    """The claims of a token that has not been verified; to verify one, use `Verifier`.

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
        present = {name: getattr(self, name) for name in CLAIMS if getattr(self, name) is not None}
        return {**present, **self.other}


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


CLAIMS = tuple(field.name for field in fields(UnverifiedClaims) if field.name != "other")
NUMBERS = ("iat", "nbf", "exp")
NAMES = ("org_name", "app_name", "machine_name")  # the parts of `sub`
REQUIRED = ("iss", "aud", "sub", *NUMBERS, *NAMES)


def _is_typed(name: str, value: object) -> bool:
    return name in CLAIMS and type(value) is (int if name in NUMBERS else str)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a token (RFC 7515, section 7.1); nothing in them is verified."""

    header: dict[str, object]
    payload: str  # still encoded
    signed: bytes
    signature: bytes

    @property
    def key_id(self) -> str | None:
        """The ID of its key; None if that is missing or not text."""
        key_id = self.header.get("kid")
        return key_id if isinstance(key_id, str) else None


def split(text: str) -> Parts:
    """Return the parts of a token.

    Raises:
        TokenRefusedError: it is not three parts in base64url, or its header is not a JSON object.
        TypeError: it is not `str`.
    """
    if not isinstance(text, str):
        raise TypeError(f"a token must be str, not {type(text).__name__}")
    parts = _COMPACT.fullmatch(text)
    if parts is None or len(text) > MAX_TOKEN:
        raise _malformed("token", "must be three base64url parts with dots between, at most 16 KiB")
    header, payload, signature = parts.groups()
    signed = f"{header}.{payload}".encode()
    return Parts(read_object(header, "header"), payload, signed, _decode(signature, "signature"))


def read_object(encoded: str, part: str) -> dict[str, object]:
    """Return the JSON object in the header or the payload of a token.

    Raises:
        TokenRefusedError: there is none, or it has a duplicate key.
    """
    try:
        value = _json.load(_json.decode(_decode(encoded, part)))
    except _json.JSONError as error:
        raise _malformed(part, f"must be a strict JSON object: {error}") from None
    if not isinstance(value, dict):
        raise _malformed(part, "must be a JSON object")
    return value


def _decode(encoded: str, part: str) -> bytes:
    try:
        data = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except binascii.Error:
        data = b""
    if (
        base64.urlsafe_b64encode(data).rstrip(b"=").decode() != encoded
    ):  # or surplus bits at its end
        raise _malformed(part, "must be base64url of whole bytes")
    return data


def _malformed(part: str, reason: str) -> TokenRefusedError:
    return TokenRefusedError((Failure(part, reason, None),))
