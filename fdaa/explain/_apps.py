"""The apps that a text names in place of an address: by a host, a port, or in a pasted line."""

from dataclasses import dataclass

from fdaa._address import Address, NetworkID
from fdaa._checks import check_type
from fdaa._hosts import EndError, read_host
from fdaa.lines import Line
from fdaa.networks import NetworkMap


@dataclass(frozen=True, slots=True)
class NamedApps:
    """The apps that a text names in place of an address.

    Args:
        apps: the apps, each once; none if the text names other addresses, or a network.
        reading: how a text that is a host as a whole was read; empty for other text.
    """

    apps: tuple[str, ...]
    reading: str = ""


def find_named_apps(line: Line, networks: NetworkMap) -> NamedApps:
    """Return the apps that a text names in place of an address.

    Addresses of network ID 0 do not count: a line about a lookup has the address of the resolver
    (assumed). Nor does this Machine's own: the name is what it tried to reach. `db:80` is an app,
    unless the documents or the book have the network with this ID, and no such app.

    Args:
        line: a host, an app with a port, or a line with `.internal` names in it.
        networks: the joined documents and book.

    >>> from fdaa.lines import read_line
    >>> named = find_named_apps(read_line("db:5432"), NetworkMap())
    >>> named.apps, named.reading
    (('db',), 'read app db; for the network: fdaa:db:5432::/48')
    """
    check_type(line, "line", Line)
    check_type(networks, "networks", NetworkMap)
    try:
        is_host = read_host(line.text) is not None
    except EndError:
        return NamedApps(())
    network: NetworkID | None = None  # that the text may be the ID of
    for entry in line.found:
        if is_host and not isinstance(entry, Address):
            network = entry.network_id
        elif entry.network_id not in line.services and entry != line.own:
            return NamedApps(())
    apps = tuple(host.app for host in line.apps if host.app is not None)
    if not apps or not is_host:
        return NamedApps(apps)
    app = apps[0]
    if network is None:
        return NamedApps(apps, f"read app {app}")
    if app not in networks.apps and networks.by_id(network) is not None:
        return NamedApps((), f"read network {network}; for the app: {app}.internal")
    return NamedApps(apps, f"read app {app}; for the network: {network.prefix}")
