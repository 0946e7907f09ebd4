"""Atomic replacement of a file, which never widens the access to it."""

from __future__ import annotations

import os
from contextlib import suppress

TYPE_CHECKING = False  # typing, too, takes longer to import than the core
if TYPE_CHECKING:
    import pathlib
    import shutil
else:  # they take longer to import than the core, and only writers need them
    from fdaa._lazy import LazyPackage

    pathlib = LazyPackage("pathlib")
    shutil = LazyPackage("shutil")

_ACL = "system.posix_acl_access"  # the extended attribute that holds a POSIX ACL, on Linux


def replace_file(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically: a reader gets either the old content or the new.

    An existing file keeps its mode, owner, group and ACL, as far as this process may set them.
    Symbolic links are followed. A process that is killed may leave a file `.fdaa-*` beside it.

    Args:
        path: the file.
        data: its new content.
        mode: the mode of a new file; the umask applies.

    Raises:
        OSError: the file cannot be written; it is unchanged.
    """
    # Path.resolve raises a RuntimeError for a loop of links.
    real = pathlib.Path(os.path.realpath(path))
    unfinished = real.parent / f".fdaa-{os.urandom(8).hex()}"
    is_new = not real.exists()

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, mode if is_new else 0o600)

    try:
        with open(unfinished, "xb", opener=create) as stream:
            if not is_new:
                copy_access(real, unfinished)  # before there is anything to read
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(real)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def copy_access(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copy mode, owner, group and ACL to a file; a failure narrows its access, never widens it.

    Raises:
        OSError: the mode of `target` cannot be set.
    """
    old = source.stat()
    if hasattr(os, "chown"):
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
            with suppress(OSError):
                os.chown(target, owner, group)
    is_kept = target.stat().st_gid == old.st_gid
    if is_kept:
        shutil.copystat(source, target)
    if not is_kept or _acl(source) != _acl(target):  # the mode is for other people then
        target.chmod(old.st_mode & 0o700)


def _acl(path: pathlib.Path) -> bytes:
    if not hasattr(os, "getxattr"):
        return b""
    try:
        return os.getxattr(path, _ACL)
    except OSError:  # it has none
        return b""
