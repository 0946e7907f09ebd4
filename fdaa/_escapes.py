"""Text from outside, made safe to print anywhere."""

from __future__ import annotations

QUOTED = 60  # characters of the input that a message repeats at most


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
