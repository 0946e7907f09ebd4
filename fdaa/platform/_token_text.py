"""The text of a token: three parts in base64url (RFC 7515, section 7.1). It verifies nothing."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

from fdaa._support import strict_json
from fdaa._values.checks import wrong_type
from fdaa.platform._errors import FailedCheck, TokenRefusedError

MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_COMPACT = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)")


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a token; nothing in them is verified."""

    header: dict[str, object]
    payload: str  # still encoded
    signed: bytes
    signature: bytes

    @property
    def key_id(self) -> str | None:
        """The ID of its key; None if that is missing or not text."""
        key_id = self.header.get("kid")
        if isinstance(key_id, str):
            return key_id
        return None


def split(text: str) -> Parts:
    """Return the parts of a token.

    Raises:
        TokenRefusedError: it is not three parts in base64url, or its header is not a JSON object.
        TypeError: it is not `str`.
    """
    if not isinstance(text, str):
        hint = "use token.reveal()" if type(text).__name__ == "Token" else ""
        raise wrong_type(text, "text", "str", hint)
    parts = _COMPACT.fullmatch(text)
    if parts is None or len(text) > MAX_TOKEN:
        raise _malformed("token", "must be three base64url parts with dots between, at most 16 KiB")
    header, payload, signature = parts.groups()
    return Parts(
        header=read_object(header, "header"),
        payload=payload,
        signed=f"{header}.{payload}".encode(),
        signature=_decode(signature, "signature"),
    )


def read_object(encoded: str, part: str) -> dict[str, object]:
    """Return the JSON object in the header or the payload of a token.

    Raises:
        TokenRefusedError: there is none, or it has a duplicate key.
    """
    data = _decode(encoded, part)
    try:
        value = strict_json.load(strict_json.decode(data))
    except strict_json.JSONError as error:
        raise _malformed(part, f"must be a strict JSON object: {error}") from None
    if not isinstance(value, dict):
        raise _malformed(part, "must be a JSON object")
    return value


def _decode(encoded: str, part: str) -> bytes:
    padding = "=" * (-len(encoded) % 4)
    try:
        data = base64.urlsafe_b64decode(encoded + padding)
    except binascii.Error:
        data = b""
    again = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    if again != encoded:  # also one with surplus bits at its end
        raise _malformed(part, "must be base64url of whole bytes")
    return data


def _malformed(part: str, reason: str) -> TokenRefusedError:
    return TokenRefusedError((FailedCheck(part, reason=reason),))
