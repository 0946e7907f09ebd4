"""Addresses with percent escapes for their colons, as URLs in access logs have them.

    %5Bfdaa%3A0%3A18%3A%3A3%5D     RFC 3986, section 2.1

All rules of `_expression.py` hold for the text with `:` and `/` in place of `%3A` and `%2F`.
"""

from __future__ import annotations

ENCODED_HEAD = b"fdaa%3a"
# One hex digit or colon of a run, and the slash before a prefix length.
ENCODED_DIGIT = rb"(?: [0-9a-f:] | %3a )"
ENCODED_SLASH = rb"(?: / | %2f )"


def is_encoded(run: bytes) -> bool:
    """Return whether a run in lower case has escapes."""
    return run.startswith(ENCODED_HEAD)


def decoded(lower: bytes) -> bytes:
    """Return a text in lower case with colons and slashes in place of their escapes."""
    return lower.replace(b"%3a", b":").replace(b"%2f", b"/")


def encoded(text: bytes, like: bytes) -> bytes:
    """Return an address or a prefix with escapes.

    Args:
        text: the text of an address or a prefix.
        like: a run; the slash is escaped if its slash is.
    """
    if b"%2f" in like:
        text = text.replace(b"/", b"%2F")
    return text.replace(b":", b"%3A")


def encoded_length(run: bytes, length: int) -> int:
    """Return how many bytes of a run its first decoded bytes are."""
    end = 0
    for _ in range(length):
        if run.startswith((b"%3a", b"%2f"), end):
            end += len(b"%3a")
        else:
            end += 1
    return end
