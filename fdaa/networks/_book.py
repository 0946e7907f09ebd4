"""The book: what was learned about networks, what contradicts it, and how a person corrects it.

An ID is bound to a name for ever and never reused (specification, section 2.2), so a book is
checked and never overwritten: a fact that contradicts it is refused. Only `remove` and `rename`,
which a person calls, change what is there.

A book also keeps which app told each name, and when: an app stays on one network for its whole
life (specification, section 2.1, rule 1).
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from fdaa._files import replace_file
from fdaa.address import NetworkID
from fdaa.errors import quote
from fdaa.network_name import NetworkName
from fdaa.networks._argument_types import list_of, one_of
from fdaa.networks._book_file import book_errors, locked, read_book
from fdaa.networks._book_text import Entry, book_as_text
from fdaa.networks._errors import BookConflictError, BookError, BookMissingError
from fdaa.networks._model import Contradiction, Evidence, Origin, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from fdaa.address import Address

    _Result = TypeVar("_Result")


class Book:
    """What a book holds, as it was when it was read.

    >>> book = Book("networks.json")
    >>> new = book.add([Evidence("blue", NetworkID(0x2045b), "web", "fdaa:2:45b::3", ())])
    >>> str(book.id_of("blue")), str(book.name_of(0x2045b))
    ('2:45b', 'blue')
    """

    def __init__(self, file: str) -> None:
        self.file = one_of(str, file, "Book")
        self._added: dict[str, object] = {}  # by hand, beside the networks
        self._keep({})

    def _keep(self, entries: dict[str, Entry]) -> None:
        self._entries = entries
        self._by_id = {entry.network_id: entry for entry in entries.values()}

    @classmethod
    def load(cls, path: str | os.PathLike[str], missing_ok: bool = False) -> Book:
        """Read a book.

        Args:
            path: the file.
            missing_ok: return an empty book where there is no file, but one can be made.

        Raises:
            BookMissingError: there is no such file.
            BookError: the file cannot be read, is no book, one of a newer version, or has a key
                that stands twice.
        """
        book = cls(os.fspath(path))
        try:
            entries, book._added = read_book(book.file)
            book._keep(entries)
        except BookMissingError:
            if not missing_ok:
                raise
        return book

    def id_of(self, name: str) -> NetworkID | None:
        """Return the ID of the network of this name, or None."""
        entry = self._entries.get(name)
        return None if entry is None else entry.network_id

    def name_of(self, network_id: int | str) -> NetworkName | None:
        """Return the name of the network with this ID, or None.

        Raises:
            NetworkIDError: it is no ID in a form that `NetworkID` takes.
        """
        entry = self._by_id.get(NetworkID(network_id))
        return None if entry is None else entry.name

    def fact(self, name: str) -> Evidence | None:
        """Return what the book has of the network of this name, or None."""
        entry = self._entries.get(name)
        return None if entry is None else self._as_evidence(entry)

    def told_by(self, app: str) -> list[Entry]:
        """Return the networks whose names this app told: mostly none or one.

        They are several where an app of this name was destroyed and created again elsewhere.
        """
        return [entry for entry in self._entries.values() if entry.app == app]

    def told_from(self, address: Address) -> Entry | None:
        """Return the network whose ID was learned from this address, or None."""
        entry = self._by_id.get(address.network_id)
        return entry if entry is not None and entry.address == str(address) else None

    def __iter__(self) -> Iterator[Evidence]:
        """Yield each network's fact."""
        return map(self._as_evidence, self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Book {quote(self.file)}, {len(self)} networks>"

    def _as_evidence(self, entry: Entry) -> Evidence:
        when = f" on {entry.learned_on[:10]}" if entry.learned_on else ""
        where = f" from {entry.learned_from}" if entry.learned_from else ""
        said = [f"renamed by hand from {entry.renamed_from}"] if entry.renamed_from else []
        said += [f"learned{when}{where}"] if when or where else []
        place = f"networks.{entry.name}" + (f" ({'; '.join(said)})" if said else "")
        origin = Origin(self.file, place)
        return Evidence(entry.name, entry.network_id, entry.app, entry.address, (origin,))

    # --- changes; no file is written --------------------------------------------------------------

    def add(self, facts: Iterable[Evidence]) -> list[Evidence]:
        """Add facts, all or none, and return those that are new.

        Raises:
            BookConflictError: a fact contradicts the book, or another of the facts.
            FdaaError: a fact has a name or an ID that breaks the rules.
        """
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        entries, by_id = dict(self._entries), dict(self._by_id)
        new: dict[str, Evidence] = {}
        wrong: list[Contradiction] = []
        for fact in list_of(Evidence, facts, "Book.add"):
            if fact.name is None or fact.network_id is None:
                continue
            name, network_id = NetworkName(fact.name), NetworkID(fact.network_id)
            for rule, known in (
                (Rule.NAME_HAS_TWO_IDS, entries.get(name)),
                (Rule.ID_HAS_TWO_NAMES, by_id.get(network_id)),
            ):
                if known is not None and (known.name, known.network_id) != (name, network_id):
                    said = new.get(known.name) or self._as_evidence(known)
                    wrong.append(Contradiction(rule, (said, fact)))
            if name not in entries and network_id not in by_id:
                learned_from = "; ".join(map(str, fact.origins))
                entry = Entry(name, network_id, {}, fact.app, fact.address, learned_from, now)
                entries[name] = by_id[network_id] = entry
                new[name] = fact
        if wrong:
            what = "a fact contradicts" if len(wrong) == 1 else f"{len(wrong)} facts contradict"
            raise BookConflictError(self.file, f"{what} it", tuple(wrong))
        self._keep(entries)
        return list(new.values())

    def remove(self, name: str) -> Evidence:
        """Remove a network, and return what the book had of it.

        Raises:
            BookError: the book does not have it.
        """
        entries = dict(self._entries)
        entry = entries.pop(name, None)
        if entry is None:
            raise BookError(self.file, f"it has no network {quote(name)}")
        self._keep(entries)
        return self._as_evidence(entry)

    def rename(self, old: str, new: str) -> Evidence:
        """Give a network's ID another name, and return the entry, which keeps the old name.

        Raises:
            BookError: the book does not have `old`, or already has `new`.
            NetworkNameError: `new` breaks the rules for names.
        """
        name, entry = NetworkName(new), self._entries.get(old)
        if name in self._entries:
            raise BookError(self.file, f"it already has a network {quote(str(name))}")
        if entry is None:
            raise BookError(self.file, f"it has no network {quote(old)}")
        names = old if entry.renamed_from is None else f"{entry.renamed_from}, {old}"
        self.remove(old)
        self._keep({**self._entries, name: entry._replace(name=name, renamed_from=names)})
        return self._as_evidence(self._entries[name])


# --- changing the file ----------------------------------------------------------------------------


def learn(
    path: str | os.PathLike[str],
    facts: Iterable[Evidence],
) -> list[Evidence]:
    """Add facts to the book in a file, all or none, and return those that are new.

    Args:
        path: the book; created where there is none.
        facts: as `NetworkMap.facts` yields them.

    Raises:
        BookConflictError: a fact contradicts the book, which stays as it was.
        BookError: as in `change_book`.
    """
    kept = list_of(Evidence, facts, "learn")  # once, as they may come from an iterator
    return change_book(path, lambda book: book.add(kept), missing_ok=True)


def change_book(
    path: str | os.PathLike[str],
    change: Callable[[Book], _Result],
    missing_ok: bool = False,
) -> _Result:
    """Change the book in a file, whole or not at all, and return what `change` returns.

    It is tried without the lock first: what is refused, or changes nothing, leaves nothing behind,
    and needs no permission to write.

    Args:
        path: the book.
        change: is given the book, and changes it; it may be called twice.
        missing_ok: create a book where there is none.

    Raises:
        BookError: the book cannot be read or written, or another writer holds it for more than 30
            seconds; it stays as it was. Whatever `change` raises leaves it as it was, too.
    """
    file, book = os.fspath(path), Book.load(path, missing_ok)
    before, result = book._entries, change(book)
    if book._entries == before:
        return result
    with book_errors(file), locked(file) as real:
        book = Book.load(path, missing_ok)  # another writer may have been there since
        before, result = book._entries, change(book)
        if book._entries != before:
            replace_file(real, book_as_text(book._entries, book._added).encode())
    return result
