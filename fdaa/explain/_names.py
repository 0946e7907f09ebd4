"""What networks and lists of apps are called in a sentence."""

from fdaa._escapes import inline
from fdaa.networks import KnownNetwork

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
    >>> describe_network(KnownNetwork(None, NetworkID("2:45b")))
    'network 2:45b'
    """
    if network is None or network == KnownNetwork():
        return "an unknown network"
    if network.name is None:
        return f"network {network.network_id}"
    if network.network_id is None:
        return f"network {inline(network.name)}"
    return f"network {inline(network.name)} ({network.network_id})"
