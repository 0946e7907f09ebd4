"""Names and IDs of networks: few documents contain both, so they are joined.

The app list has the *name* of an app's network (specification, section 4.3); the address of one of
its Machines has that network's *ID* (section 2.3). A cross-network address has the ID of the
clients' network, and in newer tools also that network's name. A book has both.

A name and an ID are joined if the name has no other ID, and the ID no other name.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fdaa.networks._assumptions import (
    CLIENTS_NETWORK_ID,
    NAMES_IN_OTHER_DOCUMENTS,
    Assumed,
    fewer,
    together,
)
from fdaa.networks._facts import fact_of
from fdaa.networks._model import Contradiction, Fact, Network, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.address import NetworkID
    from fdaa._values.network_name import NetworkName
    from fdaa.networks._book import Book
    from fdaa.networks._disputes import Disputes
    from fdaa.networks._facts import Facts


class Join:
    """Names and IDs that belong together, and the rows that follow.

    Args:
        facts: the content of the documents.
        disputes: what the documents disagree about.
        book: names and IDs learned earlier; they come first.
    """

    def __init__(self, facts: Facts, disputes: Disputes, book: Book) -> None:
        self._facts = facts
        self._ids_of: defaultdict[NetworkName, dict[NetworkID, Fact]] = defaultdict(dict)
        self._names_of: defaultdict[NetworkID, dict[NetworkName, Fact]] = defaultdict(dict)
        self._assumed: dict[tuple[NetworkName, NetworkID], Assumed] = {}
        for entry, fact in zip(book.values(), book.facts(), strict=True):
            self._pair(entry.name, entry.network_id, fact, (NAMES_IN_OTHER_DOCUMENTS,))
        for app, name in disputes.names.items():
            network_id = disputes.ids.get(app)
            if network_id is not None:
                listing = facts.apps[app].listings[name]
                fact = fact_of(listing, disputes.machine_on[app][network_id])
                self._pair(name, network_id, fact, disputes.name_assumed(app))
        # An address list has the name of the network whose ID is in the address.
        assumed = together((CLIENTS_NETWORK_ID, NAMES_IN_OTHER_DOCUMENTS))
        for row in facts.allocations:
            clients = facts.network_name(row.network_name)
            if clients is not None and row.address not in disputes.unused_addresses:
                self._pair(clients, row.network_id, fact_of(row), assumed)
        self._broken: dict[NetworkName, set[Rule]] = {}  # one name may have very many IDs
        self._assumed_of: dict[NetworkName, Assumed] = {}
        self._assumed_on: dict[NetworkID, Assumed] = {}
        for network_id, names in self._names_of.items():
            groups = [self._assumed[name, network_id] for name in names]
            self._assumed_on[network_id] = together(*groups)
        self._joined: dict[NetworkName, NetworkID] = {}
        for name, ids in self._ids_of.items():
            for network_id in ids:
                if len(ids) == 1 and len(self._names_of[network_id]) == 1:
                    self._joined[name] = network_id

    def _pair(self, name: NetworkName, network_id: NetworkID, fact: Fact, assumed: Assumed) -> None:
        """Keep the first fact that has this name with this ID, and the fewest assumptions."""
        self._ids_of[name].setdefault(network_id, fact)
        self._names_of[network_id].setdefault(name, fact)
        pair = (name, network_id)
        self._assumed[pair] = fewer(self._assumed.get(pair, assumed), assumed)

    def contradictions(self) -> Iterator[Contradiction]:
        """Yield the names that have two IDs, and the IDs that have two names."""
        for ids in self._ids_of.values():
            if len(ids) > 1:
                yield Contradiction(Rule.NAME_HAS_TWO_IDS, facts=tuple(ids.values()))
        for names in self._names_of.values():
            if len(names) > 1:
                yield Contradiction(Rule.ID_HAS_TWO_NAMES, facts=tuple(names.values()))

    def rows(self) -> Iterator[Network]:
        """Yield a row for each network: by name, then those without a name, by ID."""
        for name in sorted(self._facts.listed.keys() | self._ids_of.keys()):
            yield self._named_row(name)
        facts = self._facts_by_id()
        for network_id in sorted(facts.keys() - set(self._joined.values())):
            yield self._nameless_row(network_id, facts[network_id])

    def _named_row(self, name: NetworkName) -> Network:
        listed = self._facts.listed.get(name, [])
        ids = self._ids_of.get(name, {})
        network_id = self._joined.get(name)
        apps = set(listed)
        machines = None
        rules: set[Rule] = set()
        assumed: Assumed = ()
        if network_id is None:
            rules = self._rules(name)
            assumed = self._disputed_by_assumption(name)
        else:
            assumed = self._assumed[name, network_id]
            apps.update(self._facts.apps_on.get(network_id, ()))
            machines = self._count(network_id)
        if machines is None and self._have_no_machine(listed):
            machines = 0
        if ids and (network_id is not None or not listed):
            fact = next(iter(ids.values()))
        else:
            fact = fact_of(self._facts.app(listed[0]).listings[name])
        names = tuple(sorted(apps))
        disputed_by = tuple(sorted(rules))
        return Network(
            name=name,
            network_id=network_id,
            apps=names,
            machine_count=machines,
            fact=fact,
            disputed_by=disputed_by,
            assumed=assumed,
        )

    def _have_no_machine(self, apps: list[str]) -> bool:
        """Return whether the Machine lists of all these apps are complete, and have no Machine."""
        for app in apps:
            facts = self._facts.app(app)
            if facts.machines or not facts.has_machine_list:
                return False
        return bool(apps)

    def _facts_by_id(self) -> dict[NetworkID, Fact]:
        """Return a fact for each ID of a Machine, an address list or a name."""
        found = {}
        for network_id, machines in self._facts.machines_on.items():
            found[network_id] = fact_of(next(iter(machines.values())))
        for allocated in self._facts.allocated:
            if allocated.network_id not in found:
                found[allocated.network_id] = fact_of(allocated)
        for network_id, names in self._names_of.items():
            found.setdefault(network_id, next(iter(names.values())))
        return found

    def _nameless_row(self, network_id: NetworkID, fact: Fact) -> Network:
        apps = sorted(self._facts.apps_on.get(network_id, ()))
        rules: set[Rule] = set()
        assumed: Assumed = ()
        if network_id in self._names_of:
            for name in self._names_of[network_id]:
                rules |= self._rules(name)
                assumed = together(assumed, self._disputed_by_assumption(name))
        return Network(
            name=None,
            network_id=network_id,
            apps=tuple(apps),
            machine_count=self._count(network_id),
            fact=fact,
            disputed_by=tuple(sorted(rules)),
            assumed=assumed,
        )

    def _count(self, network_id: NetworkID) -> int | None:
        """Return the number of Machine addresses with an ID, or None without one."""
        return len(self._facts.machines_on.get(network_id, ())) or None

    def _disputed_by_assumption(self, name: NetworkName) -> Assumed:
        """Return the assumptions that the pairs of a name that is not joined rest on."""
        if name not in self._assumed_of:
            ids = self._ids_of.get(name, {})
            self._assumed_of[name] = together(*map(self._assumed_on.__getitem__, ids))
        return self._assumed_of[name]

    def _rules(self, name: NetworkName) -> set[Rule]:
        """Return the rules that the IDs of a name break."""
        if name in self._broken:
            return self._broken[name]
        rules = set()
        ids = self._ids_of.get(name, {})
        if len(ids) > 1:
            rules.add(Rule.NAME_HAS_TWO_IDS)
        for network_id in ids:
            if len(self._names_of[network_id]) > 1:
                rules.add(Rule.ID_HAS_TWO_NAMES)
        self._broken[name] = rules
        return rules
