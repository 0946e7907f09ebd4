"""The book: learned names and IDs of networks, contradictions to them, and corrections by hand.

An ID is bound to a name forever and never reused (specification, section 2.2), so a book is
checked and never overwritten: a fact that contradicts it is refused. Only `remove` and `rename`,
which a person calls, change an entry.

A book also keeps which app each name was learned from, and when: an app stays on one network for
its whole life (specification, section 2.1, rule 1).
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from fdaa._support.atomic_files import replace_file
from fdaa._support.escapes import printable, quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type, text_of
from fdaa._values.network_name import NetworkName
from fdaa.networks._book_file import book_errors, check_can_be_replaced, locked, read_book
from fdaa.networks._book_format import Entry, book_as_text, parse_book
from fdaa.networks._document_errors import BookConflictError, BookError
from fdaa.networks._model import Contradiction, Fact, Origin, Rule


class Book(Mapping[str, Entry]):
    """The networks in a book, by name. `Book()` is empty; `load` and `edit` read a file.

    A book from `load` is read-only, as its changes would stay in memory: `edit` writes them.

    Attributes:
        file: the name of its file; empty for `Book()`.

    >>> book = Book()
    >>> new = book.add([Fact(name="blue", network_id=NetworkID(0x2045b))])
    >>> str(book["blue"].network_id), str(book.name_of(0x2045b)), "green" in book
    ('2:45b', 'blue', False)
    """

    def __init__(self) -> None:
        self.file = ""
        self._is_read_only = False
        self._added: dict[str, object] = {}  # by hand, beside the networks
        self._keep({})

    def _keep(self, entries: dict[str, Entry]) -> None:
        self._entries = entries
        self._by_id = {entry.network_id: entry for entry in entries.values()}

    @classmethod
    def load(cls, path: str | os.PathLike[str], missing_ok: bool = False) -> Self:
        """Read a book, which is read-only; `edit` changes a book in its file.

        Args:
            path: the file.
            missing_ok: return an empty book if the file does not exist but can be created. A pipe
                is refused then, because `edit` could not replace it.

        Raises:
            OSError: the file cannot be read; `.filename` is its name.
            BookError: it is not a book, has a newer version, or has a duplicate key.
        """
        check_type(path, "path", str, os.PathLike)
        book = cls()
        book.file = text_of(os.fspath(path), "path")
        book._is_read_only = True
        if missing_ok:
            check_can_be_replaced(book.file)
        try:
            entries, book._added = read_book(book.file)
            book._keep(entries)
        except FileNotFoundError:
            if not missing_ok:
                raise
        return book

    @classmethod
    def _load_to_change(cls, file: str) -> Self:
        try:
            return cls.load(file, missing_ok=True)
        except OSError as error:
            raise BookError(file, reason=error.strerror or str(error)) from error

    @classmethod
    @contextmanager
    def edit(cls, path: str | os.PathLike[str]) -> Iterator[Self]:
        """Edit the book in a file: it is locked, and replaced at the end of the block.

        Nothing is written after an exception, or where nothing changed. A file that does not exist
        is created.

        Raises:
            BookError: the book cannot be read or written, or another writer holds it for more than
                30 seconds; it stays as it was.

        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "networks.json")
        >>> with Book.edit(path) as book:
        ...     new = book.add([Fact(name="blue", network_id=NetworkID(0x2045b))])
        >>> [*Book.load(path)]
        ['blue']
        """
        check_type(path, "path", str, os.PathLike)
        file = text_of(os.fspath(path), "path")
        cls._load_to_change(file)  # a file that is not a book is not locked
        with locked(file):
            book = cls._load_to_change(file)
            before = book._entries
            book._is_read_only = False
            yield book
            book._is_read_only = True  # a later change would not be written
            if book._entries != before:
                with book_errors(file):
                    replace_file(file, _readable_text(book).encode())

    # --- lookups ----------------------------------------------------------------------------------

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
        if entry is None:
            return None
        return entry.name

    def learned_from(self, app: str) -> tuple[Entry, ...]:
        """Return the networks whose names were learned from this app: usually none or one.

        There are several if an app of this name was destroyed and created again elsewhere.
        """
        app = text_of(app, "app")
        return tuple(entry for entry in self._entries.values() if entry.app == app)

    def with_address(self, address: Address) -> Entry | None:
        """Return the network whose ID was learned from this address, or None."""
        check_type(address, "address", Address)
        entry = self._by_id.get(address.network_id)
        if entry is None or entry.address != address:
            return None
        return entry

    def facts(self) -> Iterator[Fact]:
        """Yield each entry as a fact, with its place in the book as the origin."""
        return map(self._as_fact, self._entries.values())

    def _as_fact(self, entry: Entry) -> Fact:
        place = f"networks.{entry.name}"
        if entry.provenance:
            place += f" ({entry.provenance})"
        origin = Origin(file=self.file, place=place)
        return Fact(
            name=entry.name,
            network_id=entry.network_id,
            app=entry.app,
            address=entry.address,
            origins=(origin,),
        )

    def new_facts(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return the facts that `add` would add; the book stays as it is.

        Raises:
            BookConflictError: a fact contradicts the book, or another of the facts.
            FdaaError: a fact has a name or an ID that breaks the rules.

        >>> blue = Fact(name="blue", network_id=NetworkID(0x2045b))
        >>> [fact.name for fact in Book().new_facts([blue])]
        ['blue']
        """
        return list(self._with(facts).new.values())

    def _with(self, facts: Iterable[Fact]) -> "_Additions":
        check_type(facts, "facts", Iterable)
        changed = _Additions(self)
        for fact in facts:
            check_type(fact, "each of facts", Fact)
            changed.add(fact)
        wrong = changed.contradictions
        if wrong:
            raise BookConflictError(self.file, reason=_conflict(wrong), contradictions=tuple(wrong))
        return changed

    # --- changes; `edit` writes them --------------------------------------------------------------

    def _check_writable(self) -> None:
        if self._is_read_only:
            reason = "it is read-only here; change it inside `with Book.edit(path) as book:`"
            raise BookError(self.file, reason=reason)

    def add(self, facts: Iterable[Fact]) -> list[Fact]:
        """Add facts, all or none, and return those that are new.

        Raises:
            BookConflictError: a fact contradicts the book, or another of the facts.
            BookError: the book is read-only: it is from `load`, or the block of `edit` has ended.
            FdaaError: a fact has a name or an ID that breaks the rules.
        """
        self._check_writable()
        changed = self._with(facts)
        self._keep(changed.entries)
        return list(changed.new.values())

    def remove(self, name: str) -> Entry:
        """Remove a network, and return its entry.

        Raises:
            BookError: the book does not have it, or is read-only.
        """
        name = text_of(name, "name")
        self._check_writable()
        entries = dict(self._entries)
        entry = entries.pop(name, None)
        if entry is None:
            raise BookError(self.file, reason=f"it does not have network {quote(name)}")
        self._keep(entries)
        return entry

    def rename(self, old: str, new: str) -> Entry:
        """Give a network ID another name, and return the entry, which keeps the old name.

        Raises:
            BookError: the book does not have `old`, already has `new`, or is read-only.
            NetworkNameError: `new` breaks the rules for names.
        """
        old = text_of(old, "old")
        self._check_writable()
        name = NetworkName(new)
        if name in self._entries:
            raise BookError(self.file, reason=f"it already has network {quote(str(name))}")
        entry = self.remove(old)
        names = old if entry.renamed_from is None else f"{entry.renamed_from}, {old}"
        renamed = replace(entry, name=name, renamed_from=names)
        self._keep({**self._entries, name: renamed})
        return renamed


def _readable_text(book: Book) -> str:
    """Return the text of a book.

    Raises:
        BookError: it could not be read again, as of a fact whose address is no address.
    """
    text = book_as_text(book._entries, book._added)
    try:
        parse_book(text, book.file)
    except BookError as error:
        raise BookError(book.file, reason=f"nothing was written: {error.reason}") from None
    return text


def _conflict(contradictions: list[Contradiction]) -> str:
    """Return the first of the facts that contradict a book, in words."""
    earlier, new = contradictions[0].facts
    place = "; ".join(map(str, new.origins)) or "a new fact"
    shown = f"{printable(place)} has {_in_words(new)}, and the book has {_in_words(earlier)}"
    more = len(contradictions) - 1
    if more:
        shown += f"; {more} more facts contradict it"
    return shown


def _in_words(fact: Fact) -> str:
    return f"network {quote(str(fact.name))} with ID {fact.network_id}"


class _Additions:
    """Facts that are added to a book: what it has then, and what contradicts it."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._by_id = dict(book._by_id)
        self._now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.entries = dict(book._entries)
        self.new: dict[str, Fact] = {}
        self.contradictions: list[Contradiction] = []

    def add(self, fact: Fact) -> None:
        """Add a fact; one without a name or an ID is nothing for a book."""
        if fact.name is None or fact.network_id is None:
            return
        name = NetworkName(fact.name)
        network_id = NetworkID(fact.network_id)
        by_name = self.entries.get(name)
        by_id = self._by_id.get(network_id)
        if by_name is not None and by_name.network_id != network_id:
            self._contradict(Rule.NAME_HAS_TWO_IDS, by_name, fact)
        if by_id is not None and by_id.name != name:
            self._contradict(Rule.ID_HAS_TWO_NAMES, by_id, fact)
        if by_name is not None or by_id is not None:
            return
        learned_from = "; ".join(map(str, fact.origins)) or None
        entry = Entry(
            name=name,
            network_id=network_id,
            app=fact.app,
            address=fact.address,
            learned_from=learned_from,
            learned_on=self._now,
        )
        self.entries[name] = entry
        self._by_id[network_id] = entry
        self.new[name] = fact

    def _contradict(self, rule: Rule, entry: Entry, fact: Fact) -> None:
        earlier = self.new.get(entry.name) or self._book._as_fact(entry)
        self.contradictions.append(Contradiction(rule, facts=(earlier, fact)))
