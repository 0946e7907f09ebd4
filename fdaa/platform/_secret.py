"""A text that shows itself nowhere but where it is asked for."""

from __future__ import annotations

import logging
import re
from typing import NoReturn
from weakref import WeakSet

from fdaa.platform._errors import ArgumentError

_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")
_NO_NAME = 16  # characters from which on a token is no word that a list has for another reason


class Secret:
    """A text that shows itself nowhere but where it is asked for.

    Args:
        text: the secret.
        what: its name, for errors.
    """

    __slots__ = ("__weakref__", "_text")

    def __init__(self, text: str, what: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"{what} must be str, not {type(text).__name__}")
        if not _HEADER_VALUE.fullmatch(text):
            raise ArgumentError(f"{what} must be visible ASCII characters without spaces")
        self._text = text
        _KNOWN.add(self)

    def reveal(self) -> str:
        """Return the text."""
        return self._text

    def redact(self, text: str) -> str:
        """Return `text` with the secret in it blacked out."""
        return text.replace(self._text, "[redacted]")

    def redact_bytes(self, data: bytes) -> bytes:
        """Return `data` with the secret in it blacked out; a short one may be a name in it."""
        if len(self._text) < _NO_NAME:
            return data
        return data.replace(self._text.encode(), b"[redacted]")

    def __repr__(self) -> str:
        return "<Secret>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


_KNOWN: WeakSet[Secret] = WeakSet()


class _Redaction(logging.Filter):
    """Blacks our secrets out of what the HTTP libraries log: a server may send one back."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        for secret in list(_KNOWN):
            message = secret.redact(message)
        record.msg, record.args = message, ()
        return True


for _name in ("httpcore2.http11", "httpx2"):
    logging.getLogger(_name).addFilter(_Redaction())
