"""The apps that a text names in place of an address: by a host, a port, or in a pasted line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.address import Address
from fdaa.cli._names_in_text import apps_in, read_host
from fdaa.cli._streams import note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from fdaa.cli._places_in_text import Found


def apps_asked(
    text: str, found: Sequence[Found], known: Collection[str], *, outside: bool = False
) -> list[str]:
    """Return the apps that a text names; none if it names other addresses.

    Addresses of network ID 0 do not count: a line about a lookup has the address of the resolver
    (assumed). `db:80` may be the ID of a network; it is an app if the documents have that app.

    Args:
        text: a host, an app with a port, or a line with `.internal` names in it.
        found: the addresses and networks in it.
        known: the apps in the documents.
        outside: whether the text comes from a file; then it is not reported how it was read.
    """
    is_host = read_host(text) is not None
    may_be_id = False
    for entry in found:
        if is_host and not isinstance(entry, Address):
            may_be_id = True
        elif int(entry.network_id) != 0:
            return []
    apps: list[str] = []
    for host in apps_in(text):
        if host.app is None:
            continue
        if host.app in known or not may_be_id:
            apps.append(host.app)
    if apps and is_host and not outside:
        note(f"{quote(text)}: read app {apps[0]}")
    return apps
