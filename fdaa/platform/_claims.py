"""The claims of an identity token (specification, section 2.4)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from fdaa import _json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)")  # RFC 7515, 7.1


class FormError(Exception):
    """What is not in the form of a token.

    Args:
        expected: what would be right.
        got: what is wrong with a JSON text; it may quote a key of it.
    """

    def __init__(self, expected: str, got: str | None = None) -> None:
        super().__init__(expected)
        self.got = got


@dataclass(frozen=True, kw_only=True)
class _TokenClaims:
    """The seventeen claims, each None where a token has none of its type; `other` has the rest."""

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
    other: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def from_payload(cls, payload: Mapping[str, object]) -> Self:
        """Return the claims in a token's payload."""
        typed = {name: payload[name] for name in payload if _is_typed(name, payload[name])}
        other = {name: value for name, value in payload.items() if name not in typed}
        return cls(other=other, **typed)  # type: ignore[arg-type]

    def to_json(self) -> dict[str, object]:
        """Return the claims that the token has."""
        known = {name: getattr(self, name) for name in CLAIMS if getattr(self, name) is not None}
        return {**known, **self.other}


class UnverifiedClaims(_TokenClaims):
    """What a token says. Nobody has checked that it is true: use `Verifier` for that."""

    __module__ = "fdaa.platform"


class Claims(_TokenClaims):
    """What a token says, and its issuer has signed."""

    __module__ = "fdaa.platform"


NUMBERS = ("iat", "nbf", "exp")
CLAIMS = tuple(each.name for each in fields(_TokenClaims) if each.name != "other")


def _is_typed(name: str, value: object) -> bool:
    return name in CLAIMS and type(value) is (int if name in NUMBERS else str)


def split(text: str) -> tuple[str, str, bytes]:
    """Return a token's header and payload, still packed, and its signature (RFC 7515, section 7.1).

    Raises:
        FormError: it is not three parts in base64url.
    """
    parts = _COMPACT.fullmatch(text)
    if parts is None or len(text) > MAX_TOKEN:
        raise FormError("three parts in base64url with a dot between, at most 16 KiB in all")
    return parts[1], parts[2], _unpack(parts[3])


def read_object(part: str) -> dict[str, object]:
    """Return the JSON object in the header or the payload of a token.

    Raises:
        FormError: it is none, or has a key twice.
    """
    expected = "a JSON object in which no key is twice"
    try:
        value = _json.load(_json.decode(_unpack(part)))
    except _json.JSONError as error:
        raise FormError(expected, str(error)) from None
    if not isinstance(value, dict):
        raise FormError(expected, "another JSON value")
    return value


def _unpack(part: str) -> bytes:
    try:
        data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except binascii.Error:
        data = b""
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != part:  # or bits behind the last byte
        raise FormError("base64url of whole bytes")
    return data
