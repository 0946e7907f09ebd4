"""Books for tests: facts to put in, what is in one, and work in other processes and as others."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

from fdaa import Address, NetworkID
from fdaa.networks import Book, Fact, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

ORIGIN = Origin(file="apps.json", place="apps[0].network")
IS_ROOT = os.getuid() == 0
NOBODY = 65534


def fact(name: str, number: int, app: str | None = "web") -> Fact:
    network_id = NetworkID(number)
    return Fact(
        name=name,
        network_id=network_id,
        app=app,
        address=Address.build(network_id, 3),
        origins=(ORIGIN,),
    )


def book_of(*facts: Any, address: Address | None = None) -> Book:
    """Return a book of facts, each a name, an ID and an app."""
    book = Book()
    book.add(
        [
            Fact(name=name, network_id=NetworkID(id_), app=app, address=address)
            for name, id_, app in facts
        ]
    )
    return book


def learn(path: Path, facts: Iterable[Fact]) -> list[Fact]:
    """Add facts to the book in a file, and return those that are new."""
    with Book.edit(path) as book:
        return book.add(facts)


def held(path: Path) -> dict[str, int]:
    return {name: int(entry.network_id) for name, entry in Book.load(path).items()}


def files_beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir() if each != path)


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def in_child(work: Callable[[], object]) -> int:
    """Fork, do the work, and return the child's process ID."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return child


def in_children(works: Iterable[Callable[[], object]]) -> None:
    """Do each work in a process of its own, all at once; none of them may fail."""
    children = [in_child(work) for work in works]
    for child in children:
        _, status = os.waitpid(child, 0)
        assert status == 0


def without_privileges(work: Callable[[], object]) -> None:
    """Do the work as somebody whom the modes of files bind."""

    def drop_and_work() -> None:
        if IS_ROOT:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        work()

    in_children([drop_and_work])
