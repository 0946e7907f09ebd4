"""The book on disk: its place, its lock, and how it is written whole or not at all.

A writer holds a lock (`flock`) on a file beside the book. The kernel takes the lock away when its
holder ends, even a killed one. The book is replaced by a finished file, so no one ever reads half
of it. Where Python has no `fcntl` (Windows), books are read and never written.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fdaa._files import copy_access
from fdaa.errors import FdaaError, quote
from fdaa.networks._book_text import Entry, parse_book
from fdaa.networks._errors import BookError, BookMissingError, DocumentError
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


# --- the file -------------------------------------------------------------------------------------


def read_book(file: str) -> tuple[dict[str, Entry], dict[str, object]]:
    """Return the content of the book in a file, as `parse_book` does.

    Raises:
        BookMissingError: there is no such file.
        BookError: it cannot be read, is no book, one of a newer version, or breaks its rules.
    """
    with book_errors(file):
        try:
            mode = os.stat(file).st_mode  # noqa: PTH116 - Path drops a slash at the end
        except FileNotFoundError as error:
            find_file(file)  # raises where none can be made
            raise BookMissingError(file, "it does not exist") from error
        except ValueError as error:
            raise BookError(file, "no file has such a name") from error
        if not stat.S_ISREG(mode):
            raise BookError(file, "it is not a regular file")
        return parse_book(decode(read_bytes(file, file), file), file)


@contextmanager
def book_errors(file: str) -> Iterator[None]:
    """Make a `BookError` of what is wrong with a book's file."""
    try:
        yield
    except DocumentError as error:
        raise BookError(file, error.reason) from error.__cause__
    except OSError as error:
        raise BookError(file, f"it cannot be used ({error.strerror or error})") from error
    except RecursionError:
        raise BookError(file, "hand-added data is nested too deeply") from None
    except ValueError as error:
        if isinstance(error, FdaaError):
            raise
        raise BookError(file, "hand-added data has a number that is too large") from None


def find_file(path: str) -> Path:
    """Return where a book is or would be made, as the system itself would find the place.

    Symbolic links are followed, so that a link stays one and all links to a book share its lock.

    Raises:
        BookError: no file can be made there.
    """
    directory, name = os.path.split(path)
    if name in ("", os.curdir, os.pardir):
        raise BookError(path, "it names a directory; add the name of a file")
    try:
        Path(directory or os.curdir).stat()  # resolve() alone takes `nope/..` for `.`
        real = Path(directory).resolve() / name
    except FileNotFoundError as error:
        called = f"directory {quote(directory)}" if directory else "working directory"
        raise BookError(path, f"the {called} does not exist") from error
    if real.is_symlink():
        return find_file(os.path.join(real.parent, os.readlink(real)))  # noqa: PTH115, PTH118 - `..`
    return real


# --- the lock -------------------------------------------------------------------------------------


@contextmanager
def locked(file: str) -> Iterator[Path]:
    """Hold the lock of a book; yields where the book is, or will be.

    Raises:
        BookError: another writer holds it for more than `PATIENCE` seconds, or it cannot be made.
    """
    if fcntl is None:
        raise BookError(file, "it cannot be written: this platform has no flock (Python's fcntl)")
    with book_errors(file):
        real = find_file(file)
        beside = real.with_name(real.name + ".lock")
        lock = _open_lock(beside, real)
    try:
        until = time.monotonic() + PATIENCE
        while not _is_taken(fcntl, lock):
            if time.monotonic() > until:
                held = f"another writer has held {quote(str(beside))} for {PATIENCE:g} seconds"
                raise BookError(file, f"{held}; try again later")
            time.sleep(_POLL)
        yield real
    finally:
        os.close(lock)  # The file stays: another writer that waits has it open.


def _open_lock(beside: Path, real: Path) -> int:
    """Open the lock, with the access of the book: one who cannot read it must not hold it up.

    It is opened for writing, as the locks of network file systems need it.
    """
    # To open a FIFO would wait for its other end.
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    if not real.exists():
        return os.open(beside, flags, 0o666)
    lock = os.open(beside, flags, 0o600)
    with suppress(OSError):  # it may be someone else's
        copy_access(real, beside)
    return lock


def _is_taken(fcntl: ModuleType, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
