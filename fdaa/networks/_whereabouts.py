"""Which apps may be on a network, and which lists may have an address of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fdaa.networks._findings import KnownNetwork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa._values.address import NetworkID
    from fdaa._values.network_name import NetworkName
    from fdaa.networks._disputes import Disputes
    from fdaa.networks._facts import Facts
    from fdaa.networks._model import Network


class Whereabouts:
    """The apps that may be on each network, and the lists that may have an address of it.

    An app may be on a network unless an app list has the app, no contradiction is about the app or
    its network, and that network has another ID, or another name where the ID is not known.

    Args:
        facts: the content of the documents.
        disputes: what the documents disagree about.
        network_of: returns the network that an app is on, or None where it is not known.
    """

    def __init__(
        self, facts: Facts, disputes: Disputes, network_of: Callable[[str], Network | None]
    ) -> None:
        self._facts = facts
        self._anywhere: list[str] = []
        self._by_id: defaultdict[NetworkID, list[str]] = defaultdict(list)
        self._without_name: list[str] = []  # of those with an ID
        self._by_name: defaultdict[NetworkName, list[str]] = defaultdict(list)  # and no ID
        self._searched: dict[NetworkID, tuple[str, ...]] = {}
        for app in sorted(facts.apps):
            network = network_of(app)
            is_certain = facts.apps[app].is_listed and app not in disputes.of_app
            if network is None or network.disputed_by or not is_certain:
                self._anywhere.append(app)
            elif network.network_id is not None:
                self._by_id[network.network_id].append(app)
                if network.name is None:
                    self._without_name.append(app)
            elif network.name is not None:
                self._by_name[network.name].append(app)

    def possible(self, network: KnownNetwork) -> Iterator[str]:
        """Yield the apps in documents that may be on a network."""
        yield from self._anywhere
        if network.network_id is not None:
            yield from self._by_id.get(network.network_id, ())
        elif network.name is not None:
            yield from self._without_name
        if network.name is not None:
            yield from self._by_name.get(network.name, ())
        else:
            for apps in self._by_name.values():
                yield from apps

    def without_machine_lists(self, network: KnownNetwork) -> tuple[str, ...]:
        """Return the apps that may be on a network, and do not have all Machines listed, sorted."""
        apps = sorted(self.possible(network))
        return tuple(app for app in apps if not self._facts.has_all_addresses(app))

    def looked_at(self, app: str | None, network: Network) -> tuple[str, ...]:
        """Return the apps whose lists show that an address, which no list has, is stale.

        It is empty if the address may not be stale.

        Args:
            app: the app that had the address when a book learned it, if one did.
            network: the network in the address.
        """
        if self.may_be_allocated(app, network):
            return ()
        if app is None or not self._may_be_on(app, network):
            return self._searched_of(network)
        if self._facts.has_all_addresses(app):
            return (app,)
        return ()

    def may_be_allocated(self, app: str | None, network: Network | None) -> bool:
        """Return whether an address that no list has may be allocated: lists are missing.

        Any app may have a cross-network address for the clients of any network.

        Args:
            app: the app that had the address when a book learned it, if one did.
            network: the network in the address; None for one that is in no document.
        """
        if app is None or network is None or not self._may_be_on(app, network):
            return not self._facts.all_allocations_listed
        return not self._facts.app(app).has_address_list

    def has_no_app(self, network: Network) -> bool:
        """Return whether no app can be on a network, as documents show where each of them is."""
        if not self._facts.all_apps_listed or network.machine_count:
            return False
        return next(self.possible(_known(network)), None) is None

    def _searched_of(self, network: Network) -> tuple[str, ...]:
        """Return the apps that have all Machines of a network, so that any other is stale.

        Returns:
            The apps that may be on it. It is empty where another app could be on it, where no app
            is known to be on it, and where the Machine list of one of them is missing or has
            Machines without an address: such an address could be theirs.
        """
        network_id = network.network_id
        if network_id is None or not network.apps or not self._facts.all_apps_listed:
            return ()
        if network_id not in self._searched:  # once, and not for each address
            apps = tuple(sorted(self.possible(_known(network))))
            if not all(map(self._facts.has_all_addresses, apps)):
                apps = ()
            self._searched[network_id] = apps
        return self._searched[network_id]

    def _may_be_on(self, app: str, network: Network) -> bool:
        return app not in self._facts.apps or app in self.possible(_known(network))


def _known(network: Network) -> KnownNetwork:
    return KnownNetwork(name=network.name, network_id=network.network_id)
