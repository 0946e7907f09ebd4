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
from typing import TYPE_CHECKING, NoReturn

from fdaa.errors import FdaaError, quote
from fdaa.networks._book_text import Contents, book_as_text, parse_book
from fdaa.networks._errors import BookError, BookMissingError, DocumentError
from fdaa.networks._json import MAX_BYTES, decode, read_bytes

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
_LINKS = 40  # symbolic links that are followed, as many as Linux follows


# --- the file -------------------------------------------------------------------------------------


def read_book(path: str | os.PathLike[str]) -> Contents:
    """Return what the book in a file holds.

    Raises:
        BookMissingError: there is no such file.
        BookError: it cannot be read, is no book, one of a newer version, or breaks its rules.
    """
    file = os.fspath(path)
    with book_errors(file):
        try:
            is_file = stat.S_ISREG(Path(file).stat().st_mode) and not file.endswith(os.sep)
        except FileNotFoundError as error:
            find_file(file)  # tells where none can be made
            raise BookMissingError(file) from error
        if not is_file:
            raise BookError(file, "it is not a regular file")
        return parse_book(decode(read_bytes(file), file), file)


@contextmanager
def book_errors(file: str) -> Iterator[None]:
    """Make a `BookError` of whatever the system says about a book's file."""
    try:
        yield
    except DocumentError as error:
        raise BookError(file, error.reason) from error.__cause__
    except FdaaError:
        raise
    except MemoryError as error:
        raise BookError(file, "there is not enough memory for it") from error
    except OSError as error:
        raise BookError(file, f"it cannot be used ({error.strerror or error})") from error
    except ValueError as error:  # a NUL
        raise BookError(file, "no file can have such a name") from error


def find_file(path: str) -> Path:
    """Return where a book is or would be made, as the system itself would find the place.

    Symbolic links are followed, so that a link stays one and all links to a book share its lock.

    Raises:
        BookError: no file can be made there.
    """
    place = path
    for _ in range(_LINKS):
        directory, name = os.path.split(place)
        if name in ("", os.curdir, os.pardir):
            raise BookError(path, "it names a directory; add the name of a file")
        if not place.startswith(os.sep):
            try:
                Path.cwd()
            except FileNotFoundError as error:
                raise BookError(path, "the working directory does not exist any more") from error
        try:
            Path(directory or os.curdir).stat()  # not resolve(): it takes `nope/..` for `.`
        except FileNotFoundError as error:
            reason = f"the directory {quote(directory)} does not exist"
            raise BookError(path, reason) from error
        real = Path(directory).resolve() / name
        if not real.is_symlink():
            return real
        place = os.path.join(real.parent, os.readlink(real))  # noqa: PTH115, PTH118 - keeps `x/..`
    raise BookError(path, "it is a symbolic link that leads in a circle")


def write_book(real: Path, contents: Contents, file: str) -> None:
    """Put a book in place, whole or not at all; the caller holds the lock.

    Args:
        real: as `find_file` returns it.
        contents: what the book is to hold.
        file: the name for errors.

    Raises:
        BookError: it would be too long to be read again, or cannot be written in JSON.
    """
    data = book_as_text(contents, file).encode()
    if len(data) > MAX_BYTES:
        raise BookError(file, "it would be too long to be read again")
    # A name that nobody gives a file. The lock lets in one writer, so a file of this name was left
    # by a killed one.
    unfinished = real.with_name(f".{real.name}.fdaa-book.tmp")
    unfinished.unlink(missing_ok=True)
    try:
        old = real.stat() if real.exists() else None
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(unfinished, flags, _mode_of_new(old)), "wb") as stream:
            if old is not None:  # before anything is in it that others may not read
                _make_like(old, stream.fileno())
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(real)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    # Without this a power failure could undo the renaming. Where it cannot be done (a directory
    # that may not be read, some file systems) the book is written nevertheless.
    with suppress(OSError):
        directory = os.open(real.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _mode_of_new(old: os.stat_result | None) -> int:
    return 0o666 if old is None else 0o600


def _make_like(old: os.stat_result, new: int) -> None:
    """Give an open file another one's owner, group and mode, as far as that is permitted.

    Nobody may do more than with the old file: where the group cannot be kept, its members are
    among the others now, and the others are perhaps in the new group.
    """
    for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
        with suppress(OSError):
            os.fchown(new, owner, group)
    owners, group, others = (old.st_mode // unit % 8 for unit in (0o100, 0o10, 0o1))
    if os.fstat(new).st_gid != old.st_gid:
        both = sum(bit for bit in (4, 2, 1) if group // bit % 2 and others // bit % 2)
        group = others = both
    os.fchmod(new, owners * 0o100 + group * 0o10 + others)


# --- the lock -------------------------------------------------------------------------------------


@contextmanager
def locked(real: Path, file: str, waiting: Callable[[str], object] | None = None) -> Iterator[None]:
    """Hold the lock of a book.

    Args:
        real: as `find_file` returns it.
        file: the name for errors.
        waiting: called once where another writer keeps this one waiting for more than a second,
            with who that is: `process 4711 of alice on build-1`.

    Raises:
        BookError: another writer holds it for more than `PATIENCE` seconds, or it cannot be made.
    """
    if fcntl is None:
        raise BookError(file, "it cannot be written: this platform has no flock (Python's fcntl)")
    beside = real.with_name(real.name + ".lock")
    lock = _open_lock(beside, real)
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise BookError(file, f"its lock {quote(beside.name)} is not a regular file")
        started = time.monotonic()
        while not _is_taken(fcntl, lock):
            waited = time.monotonic() - started
            if waited > PATIENCE:
                _give_up(file, beside, lock)
            if waiting is not None and waited > _TELL_AFTER:
                waiting(_holder(lock))
                waiting = None
            time.sleep(_POLL)
        _sign(lock, f"{_SIGNED}{os.getpid()} of {_user()} on {os.uname().nodename}")
        yield
        _sign(lock, "")
    finally:
        os.close(lock)  # The file stays: whoever waits for the lock has it open.


def _open_lock(beside: Path, real: Path) -> int:
    """Open the lock, made with the mode of the book: who cannot read a book must not hold it up.

    It is opened for writing, as the locks of network file systems need it. Somebody else's lock
    may be one for reading only; on a local disk that is enough.
    """
    book = real.stat() if real.exists() else None
    # O_NONBLOCK: to open a FIFO would wait for its other end.
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        lock = os.open(beside, flags | os.O_RDWR | os.O_CREAT, _mode_of_new(book))
    except PermissionError:
        if not beside.exists():
            raise
        return os.open(beside, flags | os.O_RDONLY)
    if book is not None and stat.S_ISREG(os.fstat(lock).st_mode):
        with suppress(OSError):  # it is somebody else's
            _make_like(book, lock)
    return lock


def _is_taken(fcntl: ModuleType, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _give_up(file: str, beside: Path, lock: int) -> NoReturn:
    reason = f"{_holder(lock)} has held its lock {quote(beside.name)} for {PATIENCE:.0f} seconds"
    raise BookError(file, f"{reason}; try again later")


def _holder(lock: int) -> str:
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
