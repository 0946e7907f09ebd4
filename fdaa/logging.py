"""Pseudonyms in place of the addresses in log records.

>>> import logging, sys
>>> from fdaa.logging import PseudonymFilter
>>> handler = logging.StreamHandler(sys.stdout)
>>> handler.addFilter(PseudonymFilter("the key of this test"))
>>> log = logging.Logger("example")
>>> log.addHandler(handler)
>>> log.error("no answer from [%s]:80", "fdaa:2:45b::3")
no answer from [fdaa:3d97:8d81:5b51:b3b:c494:415b:22b5]:80
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fdaa.scan import Pseudonyms

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PseudonymFilter"]

_STANDARD = vars(logging.makeLogRecord({})).keys()
_DONE = "fdaa_pseudonymized"  # a name that no `extra` is likely to have


class PseudonymFilter(logging.Filter):
    """A filter for handlers that puts pseudonyms in place of addresses in each record.

    They are replaced in the message with its arguments, in the text of exceptions and stacks, and
    in fields from `extra`. The same key gives the pseudonyms that `fdaa scan --pseudonymize` gives:
    addresses on one network stay on one. A network ID without an address (`2:45b`) is not
    replaced, nor is the name of a logger or a thread.

    The record itself is changed, once: handlers that come later get the pseudonyms too, its
    arguments become part of the message, and its `exc_info` becomes `exc_text`.

    Args:
        key: the key of the pseudonyms. Anyone who has it can reveal the addresses.

    Raises:
        TypeError: `key` is neither text nor bytes.
        ValueError: `key` is empty.
    """

    def __init__(self, key: str | bytes) -> None:
        super().__init__()
        self._pseudonyms = Pseudonyms(key)

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and accept it."""
        if _DONE in vars(record):  # a pseudonym of a pseudonym would be another one
            return True
        try:
            message = record.getMessage()
        except Exception:  # wrong arguments must not end a program, here as in logging itself
            message = f"{_text(record.msg)} {_text(record.args, repr)}"
        record.msg, record.args = self._hide(message), None
        if record.exc_info:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
            record.exc_info = None
        for name in ("exc_text", "stack_info", *(vars(record).keys() - _STANDARD)):
            setattr(record, name, self._hide(getattr(record, name)))
        setattr(record, _DONE, True)
        return True

    def _hide(self, value: object) -> object:
        """Return a value, or its text with pseudonyms if that contains an address."""
        text = _text(value)
        hidden = self._pseudonyms.hide_text(text)
        return value if hidden == text else hidden


def _text(value: object, convert: Callable[[object], str] = str) -> str:
    """Return a value as text; if the value's own method raises an error, only its type."""
    try:
        return convert(value)
    except Exception:  # as above: a logging call must not raise
        return f"<unprintable {type(value).__name__} object>"
