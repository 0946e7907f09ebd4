"""The book: what was learned about networks, kept in a file.

An ID is bound to a name for ever and never reused (specification, section 2.2), so the book is
checked, not overwritten: a fact that contradicts it is refused and the file stays as it was. Only
`remove` and `rename`, which a person calls, change what is there.

The file is JSON: a version number, and for each network its name, its ID and the evidence. What a
person added to it by hand is kept. It is written whole or not at all (a temporary file beside it,
fsync, rename), under a lock that another writer waits for, though not for ever, and that ends with
its holder, even a killed one. The lock is `flock`'s, on a file beside the book; where Python has no
`fcntl` (Windows) books are read and never written.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fdaa.address import NetworkID
from fdaa.errors import FdaaError, quote
from fdaa.network_name import NetworkName
from fdaa.networks._book_file import read_rows, write_rows
from fdaa.networks._errors import BookConflictError, BookError, DocumentError
from fdaa.networks._json import MAX_BYTES, decode, read_bytes
from fdaa.networks._model import Contradiction, Evidence, Origin, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    from fdaa.networks._book_file import Row

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


class Book:
    """What a book holds, as it was when it was read.

    >>> book = Book("networks.json")
    >>> book.add([Evidence("blue", NetworkID(0x2045b), "web", "fdaa:2:45b::3", ())])
    1
    >>> book.id_of("blue"), book.name_of(0x2045b)
    (NetworkID.parse('2:45b'), NetworkName.parse('blue'))
    """

    __slots__ = ("_added", "_by_id", "_by_name", "file")

    def __init__(self, file: str) -> None:
        self.file = file
        self._by_name: dict[str, Row] = {}
        self._by_id: dict[int, str] = {}
        self._added: dict[str, object] = {}  # by hand, beside the networks

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Book:
        """Read a book.

        Raises:
            BookError: the file is missing, cannot be read, is no book, one of a newer version, or
                has a key that stands twice.
        """
        file = os.fspath(path)
        try:
            if not stat.S_ISREG(Path(path).stat().st_mode):
                raise BookError(file, "it is not a regular file")
            book = cls(file)
            book._by_name, book._by_id, book._added = read_rows(
                decode(read_bytes(path), file), file
            )
        except (OSError, ValueError) as error:
            raise _unreadable(file, error) from None
        except MemoryError:
            raise BookError(file, "there is not enough memory to read it") from None
        return book

    def id_of(self, name: str) -> NetworkID | None:
        """Return the ID of the network of this name, or None."""
        row = self._by_name.get(name)
        return None if row is None else NetworkID(row["network_id_int"])

    def name_of(self, network_id: int) -> NetworkName | None:
        """Return the name of the network with this ID, or None."""
        name = self._by_id.get(network_id)
        return None if name is None else NetworkName.parse(name)

    def fact(self, name: str) -> Evidence | None:
        """Return what the book has of the network of this name, or None."""
        row = self._by_name.get(name)
        if row is None:
            return None
        app, address, learned_from, renamed_from = (
            text if isinstance(text := row.get(key), str) and text else None
            for key in ("app", "address", "learned_from", _EARLIER)
        )
        said = (("renamed by hand from", renamed_from), ("learned from", learned_from))
        history = "; ".join(f"{what} {text}" for what, text in said if text is not None)
        place = f"networks.{name}" + (f" ({history})" if history else "")
        network_id = NetworkID(row["network_id_int"])
        return Evidence(name, network_id, app, address, (Origin(self.file, place),))

    def __iter__(self) -> Iterator[Evidence]:
        """Yield each network's fact."""
        return (fact for name in self._by_name if (fact := self.fact(name)) is not None)

    def __len__(self) -> int:
        return len(self._by_name)

    def add(self, facts: Iterable[Evidence]) -> int:
        """Add facts, all or none, and return how many of them are new. No file is written.

        Raises:
            BookConflictError: a fact contradicts the book, or another of the facts.
        """
        new: dict[str, Evidence] = {}
        names: dict[int, str] = {}
        wrong: list[Contradiction] = []
        for fact in facts:
            name, network_id = fact.name, fact.network_id
            if name is None or network_id is None:
                continue
            name = NetworkName.parse(name)
            known = self.fact(name) or new.get(name)
            if known is not None and known.network_id != network_id:
                wrong.append(Contradiction(Rule.NAME_HAS_TWO_IDS, (known, fact)))
            other = self._by_id.get(network_id) or names.get(network_id, name)
            if other != name:
                known = self.fact(other) or new[other]
                wrong.append(Contradiction(Rule.ID_HAS_TWO_NAMES, (known, fact)))
            elif known is None:
                new[name] = fact
                names[network_id] = name
        if wrong:
            what = "a fact contradicts" if len(wrong) == 1 else f"{len(wrong)} facts contradict"
            raise BookConflictError(self.file, f"{what} it", tuple(wrong))
        for name, fact in new.items():
            self._by_name[name] = _row(fact)
        self._by_id.update(names)
        return len(new)

    def remove(self, name: str) -> None:
        """Take a network out. No file is written.

        Raises:
            BookError: the book does not have it.
        """
        row = self._by_name.pop(name, None)
        if row is None:
            raise BookError(self.file, f"it has no network {quote(name)}")
        del self._by_id[row["network_id_int"]]

    def rename(self, old: str, new: str) -> None:
        """Give a network's ID another name; the fact tells the old one. No file is written.

        Raises:
            BookError: the book does not have `old`, or has `new`.
            NetworkNameError: `new` breaks the rules for names.
        """
        new = NetworkName.parse(new)
        if new in self._by_name:
            raise BookError(self.file, f"it has a network {quote(str(new))} already")
        row = self._by_name.get(old)
        self.remove(old)
        if row is not None:
            earlier = row.get(_EARLIER)
            names = f"{earlier}, {old}" if isinstance(earlier, str) and earlier else old
            self._by_name[new] = {**row, _EARLIER: names}
            self._by_id[row["network_id_int"]] = new

    def __repr__(self) -> str:
        return f"<Book {quote(self.file)}, {len(self)} networks>"


_EARLIER = "renamed_from"  # in a row: what a person renamed it from


def _row(fact: Evidence) -> Row:
    number = int(fact.network_id or 0)
    return {
        "network_id": str(NetworkID(number)),
        "network_id_int": number,
        "app": fact.app or "",
        "address": fact.address or "",
        "learned_from": "; ".join(f"{file}: {place}" for file, place in fact.origins),
    }


def _unreadable(file: str, error: OSError | ValueError) -> BookError:
    if isinstance(error, BookError):
        return error
    if isinstance(error, OSError):
        return BookError(file, f"it cannot be used ({error.strerror or error})")
    reason = error.reason if isinstance(error, DocumentError) else "no file has such a name"
    return BookError(file, reason)


# --- changing the file ----------------------------------------------------------------------------

PATIENCE = 30.0  # seconds that a writer waits for another one
_WORD_AFTER = 1.0  # seconds of waiting until the caller is told
_POLL = 0.01  # flock itself can wait for ever only

_Result = TypeVar("_Result")


def learn(
    path: str | os.PathLike[str],
    facts: Iterable[Evidence],
    waiting: Callable[[], object] | None = None,
) -> int:
    """Add facts to the book in a file, all or none, and return how many of them are new.

    Where none is new nothing is written, made or locked: the book may be one that cannot be.

    Args:
        path: the book; made where there is none.
        facts: as `NetworkMap.facts` yields them.
        waiting: called once where another writer keeps this one waiting for more than a second.

    Raises:
        BookConflictError: a fact contradicts the book, which stays as it was.
        BookError: the book cannot be read or written, or another writer holds it for more than
            `PATIENCE` seconds; it stays as it was.
    """
    kept = list(facts)  # once, as they may come from an iterator
    return _change(path, lambda book: book.add(kept), load_or_new, waiting)


def remove(
    path: str | os.PathLike[str], name: str, waiting: Callable[[], object] | None = None
) -> None:
    """Take a network out of the book in a file; `waiting` is as in `learn`.

    Raises:
        BookError: the book does not have it, or cannot be read or written.
    """
    _change(path, lambda book: book.remove(name), Book.load, waiting)


def rename(
    path: str | os.PathLike[str],
    old: str,
    new: str,
    waiting: Callable[[], object] | None = None,
) -> None:
    """Give a network another name in the book in a file; its ID stays, and the book tells `old`.

    `waiting` is as in `learn`.

    Raises:
        BookError: the book does not have `old`, has `new`, or cannot be read or written.
        NetworkNameError: `new` breaks the rules for names.
    """
    _change(path, lambda book: book.rename(old, new), Book.load, waiting)


def load_or_new(path: str | os.PathLike[str]) -> Book:
    """Read a book, or begin one where there is none.

    Raises:
        BookError: there is one, and it cannot be used.
    """
    # A symbolic link may lead to nothing yet.
    there = os.path.lexists(os.path.realpath(path))
    return Book.load(path) if there else Book(os.fspath(path))


def _change(
    path: str | os.PathLike[str],
    change: Callable[[Book], _Result],
    read: Callable[[str | os.PathLike[str]], Book],
    waiting: Callable[[], object] | None,
) -> _Result:
    """Change the book in a file, and return what `change` returns.

    It is tried without the lock first: what is refused, or changes nothing, leaves nothing behind.
    A book is replaced as a whole, so it is never seen half written.
    """
    file = os.fspath(path)
    try:
        result, altered = _made(change, read(path))
        if altered:
            # The file itself, so that a symbolic link stays one and all its links share a lock.
            real = Path(os.path.realpath(path))
            with _lock(file, real.with_name(real.name + ".lock"), waiting):
                book = read(path)  # another writer may have been there
                result, altered = _made(change, book)
                if altered:
                    text = write_rows(book._by_name, book._added, file)
                    _write(real, text.encode(), file)
    except (OSError, ValueError) as error:
        if isinstance(error, FdaaError) and not isinstance(error, DocumentError):
            raise
        raise _unreadable(file, error) from None
    return result


def _made(change: Callable[[Book], _Result], book: Book) -> tuple[_Result, bool]:
    """Make a change, and return what it returns and whether it altered the book."""
    before = dict(book._by_name)
    result = change(book)
    return result, book._by_name != before


@contextlib.contextmanager
def _lock(file: str, beside: Path, waiting: Callable[[], object] | None) -> Iterator[None]:
    """Hold the lock; the kernel lets go of it when its holder ends, however it ends."""
    if fcntl is None:
        raise BookError(file, "it cannot be written: this platform has no flock (Python's fcntl)")
    # O_NONBLOCK: to open a FIFO would wait for its other end.
    flags = os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    lock = os.open(beside, flags, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise BookError(file, f"its lock {quote(beside.name)} is not a regular file")
        started = time.monotonic()
        while not _is_taken(fcntl, lock):
            waited = time.monotonic() - started
            if waited > PATIENCE:
                reason = f"another writer has held {quote(beside.name)} for {PATIENCE:.0f} seconds"
                raise BookError(file, reason)
            if waiting is not None and waited > _WORD_AFTER:
                waiting()
                waiting = None
            time.sleep(_POLL)
        yield
    finally:
        os.close(lock)  # The file stays: whoever waits for the lock has it open.


def _is_taken(fcntl: ModuleType, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(real: Path, data: bytes, file: str) -> None:
    """Put a file in place whole or not at all; the caller holds the lock."""
    if len(data) > MAX_BYTES:
        raise BookError(file, "it would be too long to be read again")
    # A name that nobody gives a file, and one for all writers, as the lock lets in one: what a
    # killed one left is taken away.
    beside = real.with_name(f".{real.name}.fdaa-book.tmp")
    beside.unlink(missing_ok=True)
    try:
        old = real.stat() if real.exists() else None
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(beside, flags, 0o666 if old is None else 0o600), "wb") as stream:
            if old is not None:  # before anything is in it that others may not read
                _make_like(old, stream.fileno())
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(real)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    # Without this the rename itself could be lost with the power. Where it cannot be done (a
    # directory that may not be read, some file systems) the book is written nevertheless.
    with contextlib.suppress(OSError):
        directory = os.open(real.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _make_like(old: os.stat_result, new: int) -> None:
    """Give an open file another one's mode, and its owner and group where that is permitted."""
    for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
        with contextlib.suppress(OSError):
            os.fchown(new, owner, group)
    os.fchmod(new, stat.S_IMODE(old.st_mode))
