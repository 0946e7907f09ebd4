"""What is known from documents and a book, for the modules of this room.

documents -> facts -> disputes -> names and IDs joined; `NetworkMap` has the questions of users.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fdaa.networks._assumptions import COMPLETE_DOCUMENTS, NAMES_IN_OTHER_DOCUMENTS
from fdaa.networks._comparison import PlacedNetwork
from fdaa.networks._disputes import Disputes
from fdaa.networks._facts import Facts
from fdaa.networks._findings import Reason, SilentApp
from fdaa.networks._join import Join
from fdaa.networks._model import Rule
from fdaa.networks._whereabouts import Whereabouts

if TYPE_CHECKING:
    from fdaa._values.address import Address, NetworkID
    from fdaa.networks._book import Book
    from fdaa.networks._book_format import Entry
    from fdaa.networks._facts import HolderRow
    from fdaa.networks._model import Contradiction, CrossNetworkAddress, Document, Network


class AppNetwork(NamedTuple):
    """The network of an app, as far as it is known.

    Args:
        network: its name and ID; both None where they are not known, or disputed.
        entry: the entry of the book that it comes from, if documents do not have it.
        disputed_by: the rules that documents or the book break about it; empty if it is not
            disputed.
    """

    network: PlacedNetwork
    entry: Entry | None = None
    disputed_by: tuple[Rule, ...] = ()


class Knowledge:
    """Documents and a book, joined.

    Args:
        documents: the documents.
        book: names and IDs learned earlier.

    Attributes:
        facts: what the documents say.
        disputes: what they disagree about.
        book: the book.
        networks, contradictions: as `NetworkMap` has them.
        by_name, by_id: the networks, by their names and IDs.
    """

    def __init__(self, documents: list[Document], book: Book) -> None:
        self.facts = Facts(documents)
        self.disputes = Disputes(self.facts)
        self.book = book
        join = Join(self.facts, self.disputes, book)
        self.networks: tuple[Network, ...] = tuple(join.rows())
        self.contradictions: tuple[Contradiction, ...] = (
            *self.disputes.contradictions,
            *join.contradictions(),
        )
        self.by_name: dict[str, Network] = {}
        self.by_id: dict[NetworkID, Network] = {}
        for row in self.networks:
            if row.name is not None:
                self.by_name[row.name] = row
            if row.network_id is not None:
                self.by_id[row.network_id] = row

    @cached_property
    def whereabouts(self) -> Whereabouts:
        """The apps that may be on each network."""
        return Whereabouts(self.facts, self.disputes, self.network_of)

    def network_of(self, app: str) -> Network | None:
        """Return the row of the network that documents put an app on, or None."""
        name = self.disputes.names.get(app)
        if name is not None:
            return self.by_name[name]
        network_id = self.disputes.ids.get(app)
        if network_id is not None:
            return self.by_id[network_id]
        return None

    def app_network(self, app: str) -> AppNetwork:
        """Return the network that an app is on, where that is from, and whether it is disputed.

        Where documents disagree about it, the book does not decide. Two entries of the book that
        have the app contradict each other: an app stays on its network (specification, 2.1, rule
        1).
        """
        disputes = self.disputes
        if disputes.is_about_network(app):
            rules = tuple(sorted(set(disputes.of_app[app])))
            return AppNetwork(PlacedNetwork(), disputed_by=rules)
        row = self.network_of(app)
        if row is not None:
            own = PlacedNetwork(
                disputes.names.get(app),
                disputes.ids.get(app),
                name_assumed=disputes.name_assumed(app),
            )
            return AppNetwork(own.completed(row))
        entries = self.book.learned_from(app)
        if not entries:
            return AppNetwork(PlacedNetwork())
        if len(entries) > 1:
            return AppNetwork(PlacedNetwork(), disputed_by=(Rule.APP_ON_TWO_NETWORKS,))
        entry = entries[0]
        assumed = (NAMES_IN_OTHER_DOCUMENTS,)
        return AppNetwork(PlacedNetwork(entry.name, entry.network_id, assumed, assumed), entry)

    def served_network(self, row: CrossNetworkAddress) -> PlacedNetwork:
        """Return the network whose clients a cross-network address serves."""
        clients = PlacedNetwork(network_id=row.network_id)
        return clients.completed(self.by_id.get(row.network_id))

    def own_network(self, row: CrossNetworkAddress) -> PlacedNetwork:
        """Return the network that the app of a cross-network address is on itself."""
        if row.app is None:
            return PlacedNetwork()
        return self.app_network(row.app).network

    def holder(self, address: Address) -> HolderRow | Rule | None:
        """Return the Machine or the app that has this address; the rule that its rows break."""
        rule = self.disputes.of_address.get(address)
        if rule is not None:
            return rule
        rows = self.facts.holders.get(address, [])
        for row in rows:  # they agree; one of them may also have the app
            if row.app is not None:
                return row
        return next(iter(rows), None)

    def silence_of(self, app: str) -> SilentApp | None:
        """Return why none of an app's Machines can respond, or None where one may."""
        facts = self.facts.app(app)
        if facts.has_no_machine:
            assumed = facts.counts.get(0, (COMPLETE_DOCUMENTS,))
            return SilentApp(Reason.NO_MACHINE, app=app, assumptions=assumed)
        states = self.facts.states_without_started(app)
        if states:
            return SilentApp(Reason.NO_STARTED_MACHINE, app=app, states=states)
        return None
