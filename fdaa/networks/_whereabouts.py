"""Which apps may be on a network: those that documents do not show to be elsewhere."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa._address import NetworkID
    from fdaa.networks._facts import Facts
    from fdaa.networks._model import Network


class Whereabouts:
    """The apps that may be on each network.

    An app may be on a network unless an app list has the app, no contradiction is about the app or
    its network, and that network has another ID, or another name where the ID is not known.

    Args:
        facts: the content of the documents.
        network_of: returns the network that an app is on, or None where it is not known.
    """

    def __init__(self, facts: Facts, network_of: Callable[[str], Network | None]) -> None:
        self._facts = facts
        self._anywhere: list[str] = []
        self._without_id: list[str] = []  # on a network with a name, and no ID
        self._with_id: defaultdict[NetworkID, list[str]] = defaultdict(list)
        self._searched: dict[NetworkID, tuple[str, ...]] = {}
        for app in sorted(facts.apps):
            about = facts.apps[app]
            network = network_of(app)
            is_certain = about.is_listed and not about.doubts
            if network is None or network.disputed_by or not is_certain:
                self._anywhere.append(app)
            elif network.network_id is None:
                self._without_id.append(app)
            else:
                self._with_id[network.network_id].append(app)

    def possible(self, network: Network) -> Iterator[str]:
        """Yield the apps that may be on a network with an ID."""
        yield from self._anywhere
        if network.network_id is not None:
            yield from self._with_id.get(network.network_id, ())
        if network.name is None:
            yield from self._without_id

    def without_known_id(self) -> list[str]:
        """Return the apps that may be on a network whose ID no document has, sorted."""
        return sorted([*self._anywhere, *self._without_id])

    def searched(self, network: Network) -> tuple[str, ...]:
        """Return the apps that have all addresses of a network, so that any other is stale.

        Returns:
            The apps that may be on it. It is empty where another app could be on it, where no app
            is known to be on it, and where the Machine list of one of them is missing or has
            Machines without an address: such an address could be theirs.
        """
        network_id = network.network_id
        if network_id is None or not network.apps or not self._facts.all_apps_listed:
            return ()
        if network_id not in self._searched:  # once, and not for each address
            apps = tuple(sorted(self.possible(network)))
            if not all(map(self._facts.has_all_addresses, apps)):
                apps = ()
            self._searched[network_id] = apps
        return self._searched[network_id]

    def may_be_on(self, app: str, network: Network) -> bool:
        """Return whether an app may be on a network with an ID."""
        return app not in self._facts.apps or app in self.possible(network)
