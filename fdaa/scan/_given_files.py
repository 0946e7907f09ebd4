"""The files that a program gives: paths, as `fdaa scan` reads them, and open files."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fdaa._values.checks import text_of
from fdaa.scan._sources import STANDARD_INPUT, open_source

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator


def name_of_path(path: str | os.PathLike[str], argument: str) -> str:
    """Return the name of a file.

    In a program, `-` is a file as any other: standard input is `sys.stdin.buffer`.
    """
    name = text_of(os.fspath(path), argument)
    if name == STANDARD_INPUT:
        return f"./{name}"
    return name


def name_of_open_file(file: object) -> str:
    """Return the name of an open file, for its places."""
    name = getattr(file, "name", None)
    if isinstance(name, str):
        return name
    return "stream"  # a descriptor is no name


@contextmanager
def opened_path(name: str) -> Iterator[io.RawIOBase]:
    """Open a file, decompressed and in an encoding that is searched.

    Raises:
        OSError: it cannot be read, or not to its end; `.filename` is its name.
    """
    try:
        with open_source(name) as source:
            yield source.text
    except OSError as error:
        error.filename = name
        raise
