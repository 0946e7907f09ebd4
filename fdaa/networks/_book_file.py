"""The book on disk: its lock, and the errors of its file.

A writer holds a lock (`flock`) on a file beside the book. The kernel releases the lock when its
holder exits, even if it is killed. The book is replaced by a finished file, so no one reads half of
it. Where Python has no `fcntl` (Windows), books can be read but not written.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from fdaa._support.atomic_files import copy_access
from fdaa._support.escapes import quote
from fdaa.networks._book_format import Entry, parse_book
from fdaa.networks._document_errors import BookError, FileError
from fdaa.networks._reading import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PATIENCE = 30.0  # seconds that a writer waits for another one
_POLL = 0.01  # seconds between two tries: flock itself cannot wait for a limited time


def read_book(file: str) -> tuple[dict[str, Entry], dict[str, object]]:
    """Return the content of the book in a file, as `parse_book` does.

    Raises:
        OSError: it cannot be read.
        BookError: it is not a book, has a newer version, or breaks its rules.
    """
    try:
        text = decode(read_bytes(file, file), file)
        return parse_book(text, file)
    except BookError:
        raise
    except FileError as error:
        raise BookError(file, reason=error.reason) from None


def check_can_be_replaced(file: str) -> None:
    """Raise a BookError for a pipe or a device: a new file cannot take its place.

    Opening a FIFO could wait forever. A place that cannot be looked at is an error of reading.
    """
    with suppress(OSError, ValueError):
        mode = os.stat(file).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise BookError(file, reason="a book that is changed must be a regular file")


@contextmanager
def book_errors(file: str) -> Iterator[None]:
    """Turn an error that prevents writing a book into a `BookError`."""
    try:
        yield
    except OSError as error:
        raise BookError(file, reason=f"it cannot be written ({error.strerror or error})") from error
    except (RecursionError, ValueError):
        reason = "hand-added data is nested too deeply, or has a number that is too large"
        raise BookError(file, reason=reason) from None


@contextmanager
def locked(file: str) -> Iterator[None]:
    """Hold the lock of a book; all symbolic links to a book share it.

    Raises:
        BookError: another writer holds it for more than `PATIENCE` seconds, or it cannot be made.
    """
    if fcntl is None:
        raise BookError(
            file, reason="it cannot be written: this system has no flock (Python's fcntl)"
        )
    with book_errors(file):
        real = os.path.realpath(file)
        beside = f"{real}.lock"
        lock = _open_lock(beside, real)
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    held = f"another writer has held {quote(beside)} for {PATIENCE:g} seconds"
                    raise BookError(file, reason=f"{held}; try again later") from None
                time.sleep(_POLL)
        yield
    finally:
        os.close(lock)  # The file stays: another writer that waits has it open.


def _open_lock(beside: str, real: str) -> int:
    """Open the lock, with the access of the book: users who cannot read it must not block it.

    It is opened for writing, as the locks of network file systems need it.

    Raises:
        OSError: it cannot be opened, or is another file, whose access must not change.
    """
    if os.path.islink(beside):  # O_NOFOLLOW would say that there are too many links
        raise _not_a_lock(beside)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    has_book = os.path.exists(real)
    lock = os.open(beside, flags, 0o600 if has_book else 0o666)
    status = os.fstat(lock)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(lock)
        raise _not_a_lock(beside)
    if has_book:
        with suppress(OSError):  # it may be someone else's
            copy_access(real, lock)
    return lock


def _not_a_lock(beside: str) -> OSError:
    shown = quote(os.path.basename(beside))
    return OSError(errno.EEXIST, f"its lock {shown} is a link or not a regular file; delete it")
