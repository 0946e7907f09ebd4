"""The usual calls of `fdaa scan`, understood without click.

To load click takes a third of the time in which the command starts, and grep reads 12 MB in that.
Only what is in the table here goes past it. Any other call is click's, and so is whatever is wrong
with one, as it tells what: the answer here is None then. The tests compare what both understand.
"""

from __future__ import annotations

import getopt
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from fdaa.cli.naming import BOOK_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_FLAGS = {
    "-c": ("count", True),
    "--count": ("count", True),
    "-n": ("numbered", True),
    "--line-number": ("numbered", True),
    "--with-filename": ("with_name", True),
    "--no-filename": ("with_name", False),
    "--json": ("as_json", True),
    "-r": ("recursive", True),
    "--recursive": ("recursive", True),
    "--no-progress": ("no_progress", True),
}
_JOBS = "--jobs"
_LETTERS = "".join(flag[1] for flag in _FLAGS if len(flag) == 2)
_WORDS = [*(flag[2:] for flag in _FLAGS if len(flag) > 2), "jobs="]
# What changes the meaning of a call: of click's, or of getopt's.
_VARIABLES = (BOOK_VARIABLE, "FDAA_KEY", "_FDAA_COMPLETE", "POSIXLY_CORRECT")


def scan_call(arguments: list[str], environ: Mapping[str, str]) -> Callable[[], int] | None:
    """Return what runs a call of `fdaa scan` and returns its exit status, or None for click's.

    Args:
        arguments: those of the process, without its name.
        environ: its variables.
    """
    understood = None
    if arguments[:1] == ["scan"] and sys.platform != "win32":  # there click expands the names
        understood = options(arguments[1:], environ)
    if understood is None:
        return None
    from fdaa.cli.scan_files import scan_files

    names, named = understood
    return partial(scan_files, names, **named)


def options(
    arguments: list[str], environ: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """Return the files and the options that a plain call of `fdaa scan` has, or None.

    >>> options(["-c", "--jobs=2", "app.log"], {})
    (('app.log',), {'count': True, 'jobs': 2})
    >>> options(["--pseudonymize", "app.log"], {})
    """
    try:
        given, names = getopt.gnu_getopt(arguments, _LETTERS, _WORDS)
    except getopt.GetoptError:
        return None
    words = {word.partition("=")[0] for word in arguments if word.startswith("--")}
    if not names or not words <= {*_FLAGS, _JOBS} or any(name in environ for name in _VARIABLES):
        return None  # a word may be one that getopt has completed
    named: dict[str, Any] = {}
    for flag, value in given:
        if flag == _JOBS:
            if not (value.isascii() and value.isdecimal() and 0 < int(value[:5]) < 10000):
                return None
            named["jobs"] = int(value)
        else:
            option, setting = _FLAGS[flag]
            named[option] = setting
    return None if {"count", "numbered"} <= named.keys() else (tuple(names), named)
