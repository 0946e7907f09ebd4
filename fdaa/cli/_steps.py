"""How next steps are spelled: as commands, with their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._address import Address
from fdaa.cli._this_machine import SELF
from fdaa.lines import Host

if TYPE_CHECKING:
    from fdaa.lines import End


def app_text(app: str) -> str:
    """Return an app as `fdaa reach` takes it, where a bare `self` is this Machine."""
    if app == SELF:
        return f"{SELF}.internal"
    return app


def target_text(host: Host) -> str:
    """Return a host as `fdaa probe` takes it; it adds `.internal` to a bare name."""
    name = host.name
    if host.app is not None and name == f"{host.app}.internal":
        name = app_text(host.app)
    return str(Host(name, host.port))


def end_text(end: End, own: Address | None = None) -> str:
    """Return an end of a connection as `fdaa reach` takes it.

    Args:
        end: the end.
        own: the address to call `self`.
    """
    if end == own:
        return SELF
    if isinstance(end, Host):
        return app_text(end.app or end.name)
    if isinstance(end, Address):
        return str(end)
    return str(end.network_id.prefix)


def commands_for_app(host: Host) -> str:
    """Return the commands for an app that a text may name."""
    app = host.app or host.name
    return f"If {app} is an app: fdaa probe {target_text(host)}, fdaa reach self {app_text(app)}"
