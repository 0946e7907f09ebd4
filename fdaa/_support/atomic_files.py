"""Atomic replacement of a file: one that keeps its access, and one with a secret."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically: a reader gets either the old content or the new.

    An existing file keeps its mode and group; where this process may not set the group, only its
    owner keeps access. Symbolic links are followed. A process that is killed may leave a file
    `.fdaa-*` beside it.

    Raises:
        OSError: the file cannot be written; it is unchanged.
    """
    real = os.path.realpath(path)
    try:
        old = os.stat(real)
    except FileNotFoundError:
        _replace(real, data, 0o666)
    else:
        _replace(real, data, 0o600, old)


def write_secret(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file that only the caller can read, atomically.

    It is a new file of the caller, whatever had its name before. A process that is killed may leave
    a file `.fdaa-*` beside it, which only the caller can read.

    Raises:
        OSError: the file cannot be written, or its name is taken by a symbolic link or by anything
            else that is not a regular file (`/dev/stdout`); that is unchanged.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise OSError(errno.EEXIST, "it is a symbolic link, or not a regular file")
    _replace(os.fspath(path), data, 0o600)


def _replace(path: str, data: bytes, mode: int, old: os.stat_result | None = None) -> None:
    """Put a new file of this process in the place of `path`, with the access of an old one."""
    unfinished = os.path.join(os.path.dirname(path), f".fdaa-{os.urandom(8).hex()}")

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    try:
        with open(unfinished, "xb", opener=create) as stream:
            if old is not None:
                _set_access(unfinished, old)  # before there is anything to read
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


def _set_access(path: str, old: os.stat_result) -> None:
    mode = stat.S_IMODE(old.st_mode)
    with suppress(OSError, AttributeError):  # it is not allowed, or a system without groups
        os.chown(path, -1, old.st_gid)
    if os.stat(path).st_gid != old.st_gid:
        mode &= 0o700
    os.chmod(path, mode)
