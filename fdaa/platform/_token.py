"""Secrets: the API token, and identity tokens with their parts."""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import jwt

from fdaa._support.escapes import quote
from fdaa._values.checks import text_of, wrong_type
from fdaa._values.errors import ArgumentError
from fdaa.platform._claims import UnverifiedClaims
from fdaa.platform._errors import FailedCheck, TokenRefusedError

_MAX_TOKEN = 16 * 1024  # characters; the specification names no limit
_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")


class Secret:
    """A text that is hidden unless `reveal` is called; `label` is its name in errors."""

    __slots__ = ("_text",)

    def __init__(self, text: str, label: str) -> None:
        text = text_of(text, label)
        if not _HEADER_VALUE.fullmatch(text):
            raise ArgumentError(f"{label} must be visible ASCII characters without spaces")
        self._text = text

    def reveal(self) -> str:
        """Return the text."""
        return self._text

    def redact(self, text: str) -> str:
        """Return a text without the secret."""
        return text.replace(self._text, "[redacted]")

    def __repr__(self) -> str:
        return "<Secret>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled")


@dataclass(frozen=True, slots=True)
class TokenParts:
    """The parts of a token; nothing in them is verified. The signature is over `signed`."""

    header: dict[str, Any]
    claims: UnverifiedClaims
    signed: bytes
    signature: bytes

    @property
    def key_id(self) -> str | None:
        """The ID of the key in the header; None if there is none."""
        return self.header.get("kid")


def parse_token(text: str) -> TokenParts:
    """Return the parts of a token.

    Raises:
        TokenRefusedError: it is not a JSON Web Token.
        TypeError: it is not `str`.
    """
    if not isinstance(text, str):
        hint = "use token.reveal()" if isinstance(text, Token) else ""
        raise wrong_type(text, "text", "str", hint)
    if len(text) > _MAX_TOKEN:
        raise _no_token("longer than 16 KiB")
    try:
        parts = jwt.decode_complete(text, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        kind = type(error).__name__  # its text may have a part of the token in it
    else:
        signed, _, _ = text.rpartition(".")
        claims = UnverifiedClaims.from_payload(parts["payload"])
        return TokenParts(parts["header"], claims, signed.encode(), parts["signature"])
    raise _no_token(f"not a JSON Web Token ({kind})")


def _no_token(reason: str) -> TokenRefusedError:
    return TokenRefusedError((FailedCheck("token", reason=reason),))


class Token(Secret):
    """An identity token as received, not verified.

    Its `repr` is `<Token sub=... exp=...>`, and it is not pickled.

    Args:
        text: the token.

    Raises:
        TypeError: it is not `str`.
        TokenRefusedError: it is not a JSON Web Token.
    """

    __slots__ = ("_claims",)

    def __init__(self, text: str) -> None:
        self._claims = parse_token(text).claims
        super().__init__(text, "a token")

    def claims(self) -> UnverifiedClaims:
        """Return the token's claims."""
        return self._claims

    def __repr__(self) -> str:
        return f"<Token sub={quote(self._claims.sub or '')} exp={self._claims.exp}>"
