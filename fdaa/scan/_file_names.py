"""The names of the files to read, also those in directories."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fdaa.scan._sources import STANDARD_INPUT, Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def find_files(names: Iterable[str], *, recursive: bool) -> Iterator[str | Failure]:
    """Yield the names of the files to read: with `recursive`, also those in directories.

    Like `grep -r`, it follows symbolic links that are given but not those that it finds, and it
    reads only regular files in directories. Names are sorted.
    """
    for name in names:
        if recursive and name != STANDARD_INPUT and os.path.isdir(name):
            yield from _in_directory(name)
        else:
            yield name


def _in_directory(top: str) -> Iterator[str | Failure]:
    directories = [top]
    while directories:
        directory = directories.pop()
        files: list[str] = []
        inside: list[str] = []
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    files.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    inside.append(entry.path)
        except OSError as error:
            yield Failure(directory, error)
            continue
        yield from files
        directories += reversed(inside)
