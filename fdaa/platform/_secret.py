"""A text that shows itself nowhere but where it is asked for."""

from __future__ import annotations

import json
import logging
import re
import threading
from typing import NoReturn
from weakref import WeakSet

from fdaa.platform._errors import ArgumentError

_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")
_NO_NAME = 16  # characters from which on a token is no word that a list has for another reason
_REDACTED = "[redacted]"


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
        with _LOCK:
            _KNOWN.add(self)

    def reveal(self) -> str:
        """Return the text."""
        return self._text

    def redact(self, text: str) -> str:
        """Return `text` with the secret blacked out; all of it if blanks split the secret."""
        others = text.split(self._text)
        if any(self._text in "".join(other.split()) for other in others):
            return _REDACTED
        return _REDACTED.join(others)

    def redact_bytes(self, data: bytes) -> bytes:
        """Return a body with the secret in it blacked out, also where JSON has escaped it.

        A short secret is left, as it may be a name in a list.
        """
        if len(self._text) < _NO_NAME:
            return data
        data = data.replace(rb"\\", rb"\u005c").replace(rb"\/", b"/")  # so each \ begins an escape
        for character in {*self._text} if rb"\u00" in data else ():
            for escaped in (b"\\u00%02x", b"\\u00%02X"):
                data = data.replace(escaped % ord(character), _in_json(character))
        return data.replace(_in_json(self._text), _REDACTED.encode()).replace(rb"\u005c", rb"\\")

    def __repr__(self) -> str:
        return "<Secret>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


def _in_json(text: str) -> bytes:
    r"""Return a text as it stands in JSON, with its backslashes as \u005c."""
    return json.dumps(text).encode()[1:-1].replace(rb"\\", rb"\u005c")


_KNOWN: WeakSet[Secret] = WeakSet()
_LOCK = threading.RLock()  # of _KNOWN; what is collected while a thread has it may log as well


class _Redaction(logging.Filter):
    """Blacks our secrets out of what the HTTP libraries log: a server may send one back."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        with _LOCK:
            known = list(_KNOWN)
        for secret in known:
            message = secret.redact(message)
        record.msg, record.args = message, ()
        return True


for _name in ("httpcore2.http11", "httpx2"):
    logging.getLogger(_name).addFilter(_Redaction())
