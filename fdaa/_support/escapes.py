"""Text from outside, made safe to print anywhere."""

from __future__ import annotations

QUOTED = 60  # characters of the input that a message repeats at most
_NOT_PLAIN = frozenset(" \"'\\,;()")  # what would look like a part of the line around it


def as_unicode(text: str) -> str:
    r"""Return a text from the system, such as a file's name: bytes that are not UTF-8 are escaped.

    >>> print(as_unicode("web-\udcff"))
    web-\xff
    """
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def quote(text: str) -> str:
    r"""Return `text` as an ASCII literal, cut after 60 characters.

    >>> print(quote("fdaa::1\x1b[31m"))
    'fdaa::1\x1b[31m'
    """
    shown = ascii(text[:QUOTED])
    if len(text) > QUOTED:
        return shown + "..."
    return shown


def printable(text: str, keep: str = "") -> str:
    r"""Return `text` with non-printable characters and line ends escaped, except those in `keep`.

    >>> print(printable("a\x1b[31mb"))
    a\x1b[31mb
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text
    )


def inline(text: str | None) -> str:
    r"""Return an outside name for use inside a line: unchanged if it is plain, else quoted.

    >>> print(inline("web-1"), inline("a b"), inline("\x1b[31m"), inline(None))
    web-1 'a b' '\x1b[31m' ?
    """
    if text is None:
        return "?"
    is_plain = text.isascii() and text.isprintable() and not _NOT_PLAIN.intersection(text)
    if is_plain and 0 < len(text) <= QUOTED:
        return text
    return quote(text)
