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

_ACL = "system.posix_acl_access"  # the extended attribute that holds a POSIX ACL, on Linux


def replace_file(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically: a reader gets either the old content or the new.

    An existing file keeps its mode, owner, group and ACL, as far as this process may set them: so a
    secret is written by `write_secret`. Symbolic links are followed. A process that is killed may
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
            copy_access(real, stream.fileno())  # before there is anything to read
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


def copy_access(source: str, target: int) -> None:
    """Copy mode, owner, group and ACL to an open file; a failure narrows its access.

    Args:
        source: the file that has them.
        target: a descriptor, because another user may have put a link in the place of a name.

    Raises:
        OSError: the mode of `target` cannot be set.
    """
    old = os.stat(source)
    if hasattr(os, "chown"):
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
            with suppress(OSError):
                os.chown(target, owner, group)
    mode = old.st_mode & 0o700
    if os.fstat(target).st_gid == old.st_gid:
        _copy_attributes(source, target)
        if _acl(source) == _acl(target):  # else the mode is for other people
            mode = stat.S_IMODE(old.st_mode)
    os.chmod(target, mode)


def _copy_attributes(source: str, target: int) -> None:
    """Copy the extended attributes of a file, of which the ACL is one, as far as possible."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(source):
            with suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))


def _acl(file: str | int) -> bytes:
    if not hasattr(os, "getxattr"):
        return b""
    try:
        return os.getxattr(file, _ACL)
    except OSError:  # it has none
        return b""
