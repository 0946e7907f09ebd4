"""The documents that would complete a network whose name or ID is not known."""

from enum import StrEnum
from typing import NamedTuple

from fdaa.networks._model import Network
from fdaa.networks._network_map import NetworkMap, knowledge_of


class Completing(StrEnum):
    """A kind of documents that would complete a network."""

    AGREEMENT = "agreement"  # documents that agree about it
    MACHINE_LIST = "machine-list"  # of one of the apps
    MACHINE = "machine"  # of the apps, with an address; there is none yet
    VALID_NAME = "valid-name"  # for the network of the apps
    APP_LIST = "app-list"  # that has the apps
    APP_OF_MACHINES = "app-of-machines"  # the app of the Machine list, and an app list
    APP = "app"  # an app on it: its Machine list, and an app list


class Completion(NamedTuple):
    """The documents that would complete a network.

    Args:
        by: what it is.
        apps: the apps that it is about.
    """

    by: Completing
    apps: tuple[str, ...] = ()


def find_completion(network: Network, networks: NetworkMap) -> Completion | None:
    """Return what would complete a network; None for one whose name and ID are known.

    Args:
        network: a row of the map.
        networks: the joined documents.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
    >>> joined = NetworkMap([apps])
    >>> find_completion(joined.networks[0], joined)
    Completion(by=<Completing.MACHINE_LIST: 'machine-list'>, apps=('web',))
    """
    if network.name is not None and network.network_id is not None:
        return None
    contradicted: set[str | None] = set()
    for contradiction in networks.contradictions:
        contradicted.update(fact.app for fact in contradiction.facts)
    if network.disputed_by or not contradicted.isdisjoint(network.apps):
        return Completion(Completing.AGREEMENT, apps=network.apps)
    apps = {app: knowledge_of(networks).app(app) for app in network.apps}
    if network.network_id is None:
        missing = []
        for app, facts in apps.items():
            if not facts.has_machine_list and 0 not in facts.counts:
                missing.append(app)
        if missing:
            return Completion(Completing.MACHINE_LIST, apps=tuple(missing))
        return Completion(Completing.MACHINE, apps=network.apps)
    if any(facts.listings for facts in apps.values()):
        return Completion(Completing.VALID_NAME, apps=network.apps)
    if network.apps:
        return Completion(Completing.APP_LIST, apps=network.apps)
    if network.machine_count is None:
        return Completion(Completing.APP)
    return Completion(Completing.APP_OF_MACHINES)
