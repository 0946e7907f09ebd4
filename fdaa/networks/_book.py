"""The book: learned names and IDs of networks, contradictions to them, and corrections by hand.

An ID is bound to a name forever and never reused (specification, section 2.2), so a book is
checked and never overwritten: a fact that contradicts it is refused. Only `remove` and `rename`,
which a person calls, change an entry.

A book also keeps which app each name was learned from, and when: an app stays on one network for
its whole life (specification, section 2.1, rule 1).
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa._files import replace_file
from fdaa.address import NetworkID
from fdaa.network_name import NetworkName
from fdaa.networks._book_file import book_errors, locked, read_book
from fdaa.networks._book_text import Entry, book_as_text
from fdaa.networks._errors import BookConflictError, BookError, BookMissingError
from fdaa.networks._model import Contradiction, Fact, Origin, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.address import Address


class Book(Mapping[str, Entry]):
    """The networks in a book, by name. `Book()` is empty; `load` and `edit` read a file.

    Attributes:
        file: the name of its file; empty for `Book()`.

    >>> book = Book()
    >>> new = book.add([Fact("blue", NetworkID(0x2045b))])
    >>> str(book["blue"].network_id), str(book.name_of(0x2045b)), "green" in book
    ('2:45b', 'blue', False)
    """

    def __init__(self) -> None:
        self.file = ""
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
            missing_ok: return an empty book if the file does not exist but can be created.

        Raises:
            BookMissingError: there is no such file.
            BookError: the file cannot be read, is not a book, has a newer version, or has a
                duplicate key.
        """
        book = cls()
        book.file = os.fspath(path)
        try:
            entries, book._added = read_book(book.file)
            book._keep(entries)
        except BookMissingError:
            if not missing_ok:
                raise
        return book

    @classmethod
    @contextmanager
    def edit(cls, path: str | os.PathLike[str]) -> Iterator[Book]:
        """Edit the book in a file: it is locked, and replaced at the end of the block.

        Nothing is written after an exception, or where nothing changed. A file that does not exist
        is created.

        Raises:
            BookError: the book cannot be read or written, or another writer holds it for more than
                30 seconds; it stays as it was.

        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "networks.json")
        >>> with Book.edit(path) as book:
        ...     new = book.add([Fact("blue", NetworkID(0x2045b))])
        >>> [*Book.load(path)]
        ['blue']
        """
        file = os.fspath(path)
        cls.load(path, missing_ok=True)  # a file that is not a book is not locked
        with locked(file):
            book = cls.load(path, missing_ok=True)
            before = book._entries
            yield book
            if book._entries != before:
                with book_errors(file):
                    replace_file(file, book_as_text(book._entries, book._added).encode())

    # --- look-ups ---------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Book {quote(self.file)}, {len(self)} networks>"

    def name_of(self, network_id: NetworkID | int | str) -> NetworkName | None:
        """Return the name of the network with this ID, or None.

        Raises:
            NetworkIDError: it is not an ID in a form that `NetworkID` accepts.
        """
        entry = self._by_id.get(NetworkID(network_id))
        return None if entry is None else entry.name

    def learned_from(self, app: str) -> list[Entry]:
        """Return the networks whose names were learned from this app: usually none or one.

        There are several if an app of this name was destroyed and created again elsewhere.
        """
        return [entry for entry in self._entries.values() if entry.app == app]

    def with_address(self, address: Address) -> Entry | None:
        """Return the network whose ID was learned from this address, or None."""
        entry = self._by_id.get(address.network_id)
        return entry if entry is not None and entry.address == str(address) else None

    def facts(self) -> Iterator[Fact]:
        """Yield each entry as a fact, with its place in the book as the origin."""
        return map(self._as_fact, self._entries.values())

    def _as_fact(self, entry: Entry) -> Fact:
        place = f"networks.{entry.name}"
        if provenance := entry.provenance:
            place += f" ({provenance})"
        origin = Origin(self.file, place)
        return Fact(entry.name, entry.network_id, entry.app, entry.address, (origin,))

    # --- changes; no file is written --------------------------------------------------------------

    def add(self, facts: Iterable[Fact]) -> list[Fact]:
        """Add facts, all or none, and return those that are new.

        Raises:
            BookConflictError: a fact contradicts the book, or another of the facts.
            FdaaError: a fact has a name or an ID that breaks the rules.
        """
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        entries, by_id = dict(self._entries), dict(self._by_id)
        new: dict[str, Fact] = {}
        wrong: list[Contradiction] = []
        for fact in facts:
            if fact.name is None or fact.network_id is None:
                continue
            name, network_id = NetworkName(fact.name), NetworkID(fact.network_id)
            for rule, entry in (
                (Rule.NAME_HAS_TWO_IDS, entries.get(name)),
                (Rule.ID_HAS_TWO_NAMES, by_id.get(network_id)),
            ):
                if entry is not None and (entry.name, entry.network_id) != (name, network_id):
                    earlier = new.get(entry.name) or self._as_fact(entry)
                    wrong.append(Contradiction(rule, (earlier, fact)))
            if name not in entries and network_id not in by_id:
                learned_from = "; ".join(map(str, fact.origins)) or None
                entry = Entry(name, network_id, fact.app, fact.address, learned_from, now)
                entries[name] = by_id[network_id] = entry
                new[name] = fact
        if wrong:
            what = "a fact contradicts" if len(wrong) == 1 else f"{len(wrong)} facts contradict"
            raise BookConflictError(self.file, f"{what} it", tuple(wrong))
        self._keep(entries)
        return list(new.values())

    def remove(self, name: str) -> Entry:
        """Remove a network, and return its entry.

        Raises:
            BookError: the book does not have it.
        """
        entries = dict(self._entries)
        entry = entries.pop(name, None)
        if entry is None:
            raise BookError(self.file, f"it does not have network {quote(name)}")
        self._keep(entries)
        return entry

    def rename(self, old: str, new: str) -> Entry:
        """Give a network's ID another name, and return the entry, which keeps the old name.

        Raises:
            BookError: the book does not have `old`, or already has `new`.
            NetworkNameError: `new` breaks the rules for names.
        """
        name = NetworkName(new)
        if name in self._entries:
            raise BookError(self.file, f"it already has network {quote(str(name))}")
        entry = self.remove(old)
        names = old if entry.renamed_from is None else f"{entry.renamed_from}, {old}"
        renamed = replace(entry, name=name, renamed_from=names)
        self._keep({**self._entries, name: renamed})
        return renamed
