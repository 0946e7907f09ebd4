"""The apps that a text names in place of an address: by a host, a port, or in a pasted line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._address import Address
from fdaa._escapes import quote
from fdaa._membership import is_service_network
from fdaa.cli._streams import note
from fdaa.lines import has_wrong_port, read_host

if TYPE_CHECKING:
    from fdaa.lines import Line
    from fdaa.networks import NetworkMap


def apps_asked(line: Line, joined: NetworkMap, *, outside: bool = False) -> list[str]:
    """Return the apps that a text names; none if it names other addresses.

    Addresses of network ID 0 do not count: a line about a lookup has the address of the resolver
    (assumed). Nor does this Machine's own: the name is what it tried to reach. `db:80` is an app,
    unless the documents or the book have the network with this ID, and no such app.

    Args:
        line: a host, an app with a port, or a line with `.internal` names in it.
        joined: the documents.
        outside: whether the text comes from a file; then it is not reported how it was read.
    """
    text = line.text
    if has_wrong_port(text):
        return []
    is_host = read_host(text) is not None
    network = None  # that the text may be the ID of
    for entry in line.found:
        if is_host and not isinstance(entry, Address):
            network = entry.network_id
        elif not is_service_network(entry.network_id) and entry != line.own:
            return []
    apps = [host.app for host in line.apps if host.app is not None]
    if not apps or not is_host:
        return apps
    read = f"app {apps[0]}"
    if network is not None:
        other = f"the network: {network.prefix}"
        if apps[0] not in joined.apps and joined.by_id(network) is not None:
            read = f"network {network}"
            other = f"the app: {apps[0]}.internal"
            apps = []
        read += f"; for {other}"
    if not outside:
        note(f"{quote(text)}: read {read}")
    return apps
