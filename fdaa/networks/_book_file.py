"""The book on disk: its place, its lock, and how it is written whole or not at all.

A writer holds a lock (`flock`) on a file beside the book. The kernel takes the lock away when its
holder ends, even a killed one. The book is replaced by a finished file, so nobody ever reads half
of it. Where Python has no `fcntl` (Windows), books are read and never written.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fdaa.errors import quote
from fdaa.networks._book_text import Entry, parse_book
from fdaa.networks._errors import BookError, BookMissingError, DocumentError
from fdaa.networks._json import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
    import pwd
except ImportError:  # Windows
    fcntl = None

PATIENCE = 30.0  # seconds that a writer waits for another one
_TELL_AFTER = 1.0  # seconds of waiting until the caller is told
_POLL = 0.01  # seconds between two tries: flock itself cannot wait for a limited time
_SIGNED = "process "  # how the name of a lock's holder begins


# --- the file -------------------------------------------------------------------------------------


def read_book(file: str) -> tuple[dict[str, Entry], dict[str, object]]:
    """Return what the book in a file holds, as `parse_book` does.

    Raises:
        BookMissingError: there is no such file.
        BookError: it cannot be read, is no book, one of a newer version, or breaks its rules.
    """
    with book_errors(file):
        try:
            mode = os.stat(file).st_mode  # noqa: PTH116 - Path drops a slash at the end
        except FileNotFoundError as error:
            find_file(file)  # tells where none can be made
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
        raise BookError(file, "what was added by hand is nested too deep to be kept") from None


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


def write_book(real: Path, text: str) -> None:
    """Put a book in place, whole or not at all; the caller holds its lock.

    Args:
        real: as `locked` yields it.
        text: what it is to hold.
    """
    # A name that nobody gives a file. The lock lets in one writer, so a file of this name was left
    # by a killed one.
    unfinished = real.with_name(f".{real.name}.fdaa-book.tmp")
    unfinished.unlink(missing_ok=True)
    try:
        with os.fdopen(_open_like(real, unfinished, os.O_WRONLY | os.O_EXCL), "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(real)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _open_like(book: Path, file: Path, flags: int) -> int:
    """Open a file, which is made if it is not there, with the owner, group and mode of a book.

    Nobody may do more with it than with the book: where the group cannot be kept, its members are
    among the others now, and the others are perhaps in the new group.
    """
    old = book.stat() if book.exists() else None
    flags |= os.O_CREAT | os.O_CLOEXEC
    if old is None:
        return os.open(file, flags, 0o666)
    opened = os.open(file, flags, 0o600)
    for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
        with suppress(OSError):
            os.fchown(opened, owner, group)
    owners, group, others = (old.st_mode // unit % 8 for unit in (0o100, 0o10, 0o1))
    if os.fstat(opened).st_gid != old.st_gid:
        both = sum(bit for bit in (4, 2, 1) if group // bit % 2 and others // bit % 2)
        group = others = both
    with suppress(OSError):  # a lock may be somebody else's
        os.fchmod(opened, owners * 0o100 + group * 0o10 + others)
    return opened


# --- the lock -------------------------------------------------------------------------------------


@contextmanager
def locked(file: str, waiting: Callable[[str], object] | None = None) -> Iterator[Path]:
    """Hold the lock of a book; yields where the book is, or is to be.

    Args:
        file: the book.
        waiting: called once where another writer keeps this one waiting for more than a second,
            with who that is: `process 4711 of alice on build-1`.

    Raises:
        BookError: another writer holds it for more than `PATIENCE` seconds, or it cannot be made.
    """
    if fcntl is None:
        raise BookError(file, "it cannot be written: this platform has no flock (Python's fcntl)")
    real = find_file(file)
    beside = real.with_name(real.name + ".lock")
    lock = _open_lock(beside, real)
    try:
        started = time.monotonic()
        while not _is_taken(fcntl, lock):
            waited = time.monotonic() - started
            if waited > PATIENCE:
                held = f"its lock {quote(beside.name)} for {PATIENCE:.0f} seconds"
                raise BookError(file, f"{_lock_owner(lock)} has held {held}; try again later")
            if waiting is not None and waited > _TELL_AFTER:
                waiting(_lock_owner(lock))
                waiting = None
            time.sleep(_POLL)
        _sign(lock, f"{_SIGNED}{os.getpid()} of {_user()} on {os.uname().nodename}")
        yield real
        _sign(lock, "")
    finally:
        os.close(lock)  # The file stays: whoever waits for the lock has it open.


def _open_lock(beside: Path, real: Path) -> int:
    """Open the lock, made with the mode of the book: who cannot read a book must not hold it up.

    It is opened for writing, as the locks of network file systems need it. Somebody else's lock
    may be one for reading only; on a local disk that is enough.
    """
    flags = os.O_NOFOLLOW | os.O_NONBLOCK  # to open a FIFO would wait for its other end
    try:
        return _open_like(real, beside, os.O_RDWR | flags)
    except PermissionError:
        if not beside.exists():
            raise
        return os.open(beside, os.O_RDONLY | os.O_CLOEXEC | flags)


def _is_taken(fcntl: ModuleType, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_owner(lock: int) -> str:
    """Return who holds a lock, as its holder wrote it there."""
    text = os.pread(lock, 200, 0).decode("ascii", "replace")
    return text if text.startswith(_SIGNED) and text.isprintable() else "another writer"


def _sign(lock: int, text: str) -> None:
    """Write who holds a lock into it; never over what somebody else has in a file of its name."""
    before = os.pread(lock, len(_SIGNED), 0)
    with suppress(OSError):  # it is open for reading only; who waits is told less
        if before in (b"", _SIGNED.encode()):
            os.ftruncate(lock, 0)
            os.pwrite(lock, text.encode("ascii", "replace"), 0)


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"
