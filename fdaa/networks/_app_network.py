"""The network that an app is on: by documents, else by the book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fdaa.networks._model import Rule
from fdaa.networks._verdict import KnownNetwork

if TYPE_CHECKING:
    from fdaa.networks._book import Book
    from fdaa.networks._book_text import Entry
    from fdaa.networks._facts import AppFacts
    from fdaa.networks._model import Network


@dataclass(frozen=True, slots=True)
class AppNetwork:
    """The network of an app, as far as it is known.

    Args:
        network: its name and ID; both None where they are not known, or disputed.
        entry: the entry of the book that it comes from, if documents do not have it.
        disputed_by: the rules that documents or the book break about it; empty if it is not
            disputed.
    """

    network: KnownNetwork
    entry: Entry | None = None
    disputed_by: tuple[Rule, ...] = ()


def find_app_network(app: str, facts: AppFacts, row: Network | None, book: Book) -> AppNetwork:
    """Return the network of an app.

    Where documents disagree about it, the book does not decide. Two entries of the book that have
    the app contradict each other: an app stays on its network (specification, 2.1, rule 1).

    Args:
        app: its name.
        facts: what documents show about it.
        row: the network that documents show, or None.
        book: the book.
    """
    unknown = KnownNetwork()
    if facts.is_disputed:
        return AppNetwork(unknown, disputed_by=tuple(sorted(facts.doubts)))
    if row is not None:
        name = facts.name
        if name is None:
            name = row.name
        network_id = facts.network_id
        if network_id is None:
            network_id = row.network_id
        return AppNetwork(KnownNetwork(name, network_id))
    entries = book.learned_from(app)
    if len(entries) > 1:
        return AppNetwork(unknown, disputed_by=(Rule.APP_ON_TWO_NETWORKS,))
    if not entries:
        return AppNetwork(unknown)
    return AppNetwork(KnownNetwork(entries[0].name, entries[0].network_id), entries[0])
