"""A text that is hidden unless `reveal` is called."""

import re
from typing import NoReturn

from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError

_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")


class Secret:
    """A text that is hidden unless `reveal` is called.

    Args:
        text: the secret.
        label: its name, for errors.
    """

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
