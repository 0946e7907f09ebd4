"""`fdaa apps`: the apps of an organization, from the live platform."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline
from fdaa._support.tables import table
from fdaa.cli import _platform as live
from fdaa.cli._output import WRONG, YES, CommandError, Output, complain, output_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform import AppList

_APP_FIELDS = ("name", "id", "network", "machine_count", "volume_count")
_org_option = click.option(
    "--org",
    metavar="SLUG",
    envvar=live.ORG_VARIABLE,
    required=True,
    help=f"The organization.  [env: {live.ORG_VARIABLE}]",
)


@click.group()
def apps() -> None:
    """List, create and destroy apps on the live platform.

    Set FDAA_API_URL and FDAA_API_TOKEN. Requires the extra `platform`.
    """


@apps.command("list")
@_org_option
@live.api_options
@output_options("total_apps", "apps", *_APP_FIELDS)
def list_(org: str, output: Output, connect: live.Connect) -> int:
    """List the apps of an organization with their network names.

    With --json, the list is a document for --documents.

    Exit status: 0 done, 2 no list, an incomplete list, or an unusable entry.

    Examples:
      $ fdaa apps list --org acme
    """
    with connect("the list of apps") as api:
        found = live.apps(api, org)
    output.show([_as_document(found)] if output.as_json else found, _rows(found))
    status = YES
    for unused in found.document.unused:
        complain(str(unused) if unused.what.is_error else f"warning: {unused}")
        status = WRONG if unused.what.is_error else status
    return status


def _as_document(found: AppList) -> dict[str, object]:
    """Return a list in the shape of the API's (specification, section 4.3)."""
    listed = zip(found, found.document.apps, strict=True)
    rows = [{**app.to_dict(), "network": row.network_name} for app, row in listed]
    total = found.document.total
    return {"total_apps": len(found) if total is None else total, "apps": rows}


def _rows(found: AppList) -> Iterator[str]:
    rows = []
    for app in found:
        counts = (app.machine_count, app.volume_count)
        machines, volumes = ("?" if count is None else str(count) for count in counts)
        rows.append((inline(app.name), inline(app.network), machines, volumes, inline(app.id)))
    return table(rows, ("app", "network", "Machines", "volumes", "app ID"))


@apps.command()
@click.argument("name")
@_org_option
@click.option("--network", metavar="NAME", help="Use this network, created if needed.")
@live.api_options
@output_options(*_APP_FIELDS)
def create(name: str, org: str, network: str | None, output: Output, connect: live.Connect) -> int:
    """Create the app NAME.

    An app stays on its network forever. After status 3, check with fdaa apps list.

    Exit status: 0 done, 3 the change may still have been made.

    Examples:
      $ fdaa apps create web --org acme --network customer-17
    """
    with connect("the app to be created") as api:
        app = api.create_app(name, org=org, network=network)
    output.show([app.to_dict()], [f"created {app}"])
    return YES


@apps.command()
@click.argument("name")
@click.option("yes", "--yes", is_flag=True, help="Do not ask for confirmation.")
@live.api_options
@output_options("name", "accepted")
def destroy(name: str, yes: bool, output: Output, connect: live.Connect) -> int:
    """Destroy the app NAME; its network stays.

    Without a terminal, --yes is required.

    Exit status: 0 done, 3 the change may still have been made.

    Examples:
      $ fdaa apps destroy web --yes
    """
    if not yes:
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
            raise CommandError(f"this is not a terminal: give --yes to destroy {inline(name)}")
        if not click.confirm(f"Destroy the app {inline(name)}?", err=True):
            raise CommandError("nothing was destroyed")
    with connect("the app to be destroyed") as api:
        api.destroy_app(name)
    output.show([{"name": name, "accepted": True}], [f"accepted: {inline(name)} will be destroyed"])
    return YES
