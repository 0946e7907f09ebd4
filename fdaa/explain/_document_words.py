"""What documents show, in words: networks, apps, holders."""

from dataclasses import replace

from fdaa._support.escapes import inline
from fdaa.explain._missing import APP_LIST, MACHINE_LIST, Remark
from fdaa.networks import Holder, Network, NetworkMap
from fdaa.networks._model import KnownNetwork

# --- names ----------------------------------------------------------------------------------------

_APPS_WIDTH = 40  # characters of a list of apps that are shown


def describe_apps(apps: tuple[str, ...]) -> str:
    """Return as many apps as a narrow column takes, at least one, and how many more there are.

    >>> describe_apps(("web", "api"))
    'web, api'
    """
    if not apps:
        return "-"
    shown: list[str] = []
    for app in apps:
        shown.append(inline(app))
        if len(shown) > 1 and len(", ".join(shown)) > _APPS_WIDTH:
            shown.pop()
            shown.append(f"and {len(apps) - len(shown)} more")
            break
    return ", ".join(shown)


def describe_network(network: KnownNetwork | None) -> str:
    """Return what a network is called: its name and ID, as far as they are known.

    >>> from fdaa import NetworkID
    >>> describe_network(KnownNetwork(network_id=NetworkID("2:45b")))
    'network 2:45b'
    """
    if network is None or network == KnownNetwork():
        return "an unknown network"
    return f"network {name_and_id(network)}"


def name_and_id(network: KnownNetwork) -> str:
    """Return the name and the ID of a network, as far as they are known."""
    if network == KnownNetwork():
        return "unknown"
    if network.name is None:
        return str(network.network_id)
    if network.network_id is None:
        return inline(network.name)
    return f"{inline(network.name)} ({network.network_id})"


def explain_completion(network: Network, networks: NetworkMap) -> Remark | None:
    """Return what would complete a network, and the documents that it is in.

    None for a network whose name and ID are known.

    >>> from fdaa.networks import parse_document
    >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
    >>> joined = NetworkMap([apps])
    >>> print(explain_completion(joined.networks[0], joined))
    a Machine list of web
    """
    if network.name is not None and network.network_id is not None:
        return None
    contradicted: set[str | None] = set()
    for contradiction in networks.contradictions:
        contradicted.update(fact.app for fact in contradiction.facts)
    if network.disputed_by or not contradicted.isdisjoint(network.apps):
        return Remark("documents that agree about it")
    apps = network.apps
    if network.network_id is None:
        without = tuple(app for app in apps if not networks.has_machine_list(app))
        if not without:
            return Remark(f"list a Machine of {_one_of(apps)} that has an address")
        machines = MACHINE_LIST
        if len(without) == 1:
            machines = replace(MACHINE_LIST, app=without[0])
        return Remark(f"a Machine list of {_one_of(without)}", missing=(machines,))
    if any(map(networks.has_network_name, apps)):
        return Remark(f"a valid name for the network of {_one_of(apps)}")
    if apps:
        return Remark(f"an app list that has {_one_of(apps)}", missing=(APP_LIST,))
    missing = (MACHINE_LIST, APP_LIST)
    if network.machine_count is None:
        return Remark("a Machine list of an app on it, and an app list", missing=missing)
    return Remark("the app of this Machine list, and an app list", missing=missing)


def _one_of(apps: tuple[str, ...]) -> str:
    if len(apps) == 1:
        return describe_apps(apps)
    return f"one of its apps ({describe_apps(apps)})"


# --- holders --------------------------------------------------------------------------------------


def explain_holder(holder: Holder) -> str | None:
    """Return the remark about how an address is held, or None where its row says all."""
    if holder.holding == "machine":
        if not holder.is_stopped:
            return None
        return f"{inline(holder.state)}: such a Machine does not respond (assumed)"
    when = ""
    if holder.learned_on is not None:
        when = f" on {inline(holder.learned_on[:10])}"
    had_it = ""
    if holder.app is not None:
        had_it = f"; {inline(holder.app)} had it when it was saved{when}"
    words = {"looked_at": describe_apps(holder.looked_at), "when": when, "had_it": had_it}
    return _HOLDINGS[holder.holding].format_map(words)


_HOLDINGS = {
    "cross-network-address": "allocated to the app for clients on this network",
    "saved": "the app had this address when it was saved{when}",
    "stale": "stale: no Machine of {looked_at} has this address{had_it}",
    "contradiction": "unknown: the documents disagree",
    "service": "unknown: services of the platform are assumed to have network ID 0",
    "unknown": "unknown: not in any document",
}
