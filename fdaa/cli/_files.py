"""The files that a command reads: named, found in directories, or standard input."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, NamedTuple

from fdaa.cli._streams import standard_input

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

STANDARD_INPUT = "-"


class Source(NamedTuple):
    """An open input.

    Args:
        name: as it was given or found; `-` for standard input.
        file: unbuffered, at its start.
        size: in bytes, of a regular file; None of anything else.
    """

    name: str
    file: io.RawIOBase
    size: int | None


def walk(
    names: tuple[str, ...], recursive: bool, fail: Callable[[str, OSError], None]
) -> Iterator[str]:
    """Yield the names of files: those given, and with `recursive` those in given directories.

    As `grep -r` does, it follows symbolic links that are given and none that it finds, and of what
    it finds it reads regular files only. Names come in order.

    Args:
        names: of files and directories.
        recursive: whether directories are read.
        fail: is told which directory cannot be read, and why.
    """

    def fail_in(error: OSError) -> None:
        fail(str(error.filename), error)

    for name in names:
        if name == STANDARD_INPUT or not (recursive and os.path.isdir(name)):  # noqa: PTH112 - a name
            yield name
            continue
        for directory, inside, files in os.walk(name, onerror=fail_in):
            inside.sort()
            for file in sorted(files):
                path = os.path.join(directory, file)  # noqa: PTH118 - as the user wrote it
                if stat.S_ISREG(os.lstat(path).st_mode):
                    yield path


def open_source(name: str) -> Source:
    """Open a file or standard input.

    Raises:
        OSError: it cannot be opened, or it is the file that standard output goes to.
    """
    file: io.RawIOBase
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError("it is closed")
        descriptor = standard_input().fileno()
        file = open(descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115 - the caller closes
    else:
        file = open(name, "rb", buffering=0)  # noqa: SIM115, PTH123 - the name may be no text
    status = os.fstat(file.fileno())
    regular = stat.S_ISREG(status.st_mode)
    if regular and _is_standard_output(status):
        file.close()
        raise OSError("it is the output file too")
    return Source(name, file, status.st_size if regular else None)


def _is_standard_output(status: os.stat_result) -> bool:
    """Whether what is printed would be read again, without end."""
    try:
        output = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # it is no file
        return False
    return (output.st_dev, output.st_ino) == (status.st_dev, status.st_ino)
