"""Atomic replacement of a file: one that keeps its access, and one with a secret."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedWriter


def replace_file(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically: a reader gets either the old content or the new.

    An existing file keeps its mode and group, as far as this process may set them: so a secret is
    written by `write_secret`. Symbolic links are followed. A process that is killed may
    leave a file `.fdaa-*` beside it.

    Args:
        path: the file.
        data: its new content.
        mode: the mode of a new file; the umask applies.

    Raises:
        OSError: the file cannot be written; it is unchanged.
    """
    real = os.path.realpath(path)
    is_new = not os.path.exists(real)
    if not is_new:
        mode = 0o600
    with _replacement(real, mode) as stream:
        if not is_new:
            _copy_access(real, stream.fileno())  # before there is anything to read
        stream.write(data)


def write_secret(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file that only the caller can read, atomically.

    It is a new file of the caller, whatever had its name before. A process that is killed may leave
    a file `.fdaa-*` beside it, which only the caller can read.

    Raises:
        OSError: the file cannot be written, or its name is taken by a link, by a file of another
            user, or by anything that is not a regular file; that is unchanged.
    """
    with suppress(FileNotFoundError):
        _check_is_own_file(os.lstat(path))
    with _replacement(os.fspath(path), 0o600) as stream:
        stream.write(data)


def _check_is_own_file(status: os.stat_result) -> None:
    """Raise an OSError if a secret must not replace a file with this status."""
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a symbolic link; use the name of the file itself")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EEXIST, "it exists and is not a regular file")
    if status.st_uid != os.geteuid():
        reason = f"it belongs to another user (ID {status.st_uid}); use another name, or delete it"
        raise OSError(errno.EPERM, reason)


@contextmanager
def _replacement(path: str, mode: int) -> Iterator[BufferedWriter]:
    """Yield a new file of this process, which has the place of `path` after the block."""
    unfinished = os.path.join(os.path.dirname(path), f".fdaa-{os.urandom(8).hex()}")

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    try:
        with open(unfinished, "xb", opener=create) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


def _copy_access(source: str, target: int) -> None:
    """Give an open file the mode of another one; only its owner's, if that could widen access."""
    old = os.stat(source)
    mode = stat.S_IMODE(old.st_mode)
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(target, -1, old.st_gid)
    if os.fstat(target).st_gid != old.st_gid or _has_acl(source):
        mode &= 0o700
    os.chmod(target, mode)


def _has_acl(path: str) -> bool:
    """Return whether a file has an access list, with which the mode is for other people."""
    try:
        os.getxattr(path, "system.posix_acl_access")
    except (AttributeError, OSError):  # another system; no list
        return False
    return True
