"""`fdaa apps`: the apps of an organization, from the live platform."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline
from fdaa.cli import _platform as live
from fdaa.cli._layout import table
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import WRONG, YES, CommandError
from fdaa.cli._streams import complain

if TYPE_CHECKING:
    from fdaa.platform import AppList, PlatformApp

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

    The API's address comes from FDAA_API_URL, the token from FDAA_API_TOKEN. This needs the extra
    `platform`.

    Examples:
      $ fdaa apps list --org acme
      $ fdaa apps create web --org acme --network customer-17
    """


@apps.command("list")
@_org_option
@live.api_options
@record_options(*_APP_FIELDS, text="Print one JSON object, an app list that --apps reads.")
def list_(org: str, records: Records, connect: live.Connect) -> int:
    """List the apps of an organization with their networks' names.

    Example:
      $ fdaa apps list --org acme

    Exit status: 0 done, 2 no list, an incomplete list, or an entry that cannot be used.
    """
    with live.calling("the list of apps"), connect() as api:
        found = live.apps(api, org)
    if records.fields:
        for app in found:
            records.write(app.to_dict())
    elif records:
        records.write(_as_document(found))
    else:
        head = ("app", "network", "Machines", "volumes", "app ID")
        rows = [_row(app) for app in found]
        sys.stdout.writelines(table(rows, head))
    status = YES
    for unused in found.document.unused:
        if unused.what.is_error:
            complain(str(unused))
            status = WRONG
        else:
            complain(f"warning: {unused}")
    return status


def _as_document(found: AppList) -> dict[str, object]:
    """Return a list in the shape of the API's (specification, section 4.3)."""
    total = found.document.total
    if total is None:
        total = len(found)
    rows = []
    for app, listed in zip(found, found.document.apps, strict=True):
        rows.append({**app.to_dict(), "network": listed.network_name})
    return {"total_apps": total, "apps": rows}


def _row(app: PlatformApp) -> tuple[str, ...]:
    machines = _count(app.machine_count)
    volumes = _count(app.volume_count)
    return inline(app.name), inline(app.network), machines, volumes, inline(app.id)


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)


@apps.command()
@click.argument("name")
@_org_option
@click.option("--network", metavar="NAME", help="Put it on this network; created if needed.")
@live.api_options
@record_options(*_APP_FIELDS)
def create(
    name: str, org: str, network: str | None, records: Records, connect: live.Connect
) -> int:
    """Create the app NAME.

    An app stays on its network forever. After status 3, `fdaa apps list` shows whether it exists.

    Example:
      $ fdaa apps create web --org acme --network customer-17

    Exit status: 0 done, 3 the change may still have been made.
    """
    with live.calling("the app to be created"), connect() as api:
        app = api.create_app(name, org=org, network=network)
    change = f"created {inline(app.name)}"
    if app.network is not None:
        change += f" on network {app.network}"
    if app.id is not None:
        change += f" (id {inline(app.id)})"
    records.write_change(app.to_dict(), change)
    return YES


@apps.command()
@click.argument("name")
@click.option("yes", "--yes", is_flag=True, help="Do not ask for confirmation.")
@live.api_options
@record_options("name", "accepted")
def destroy(name: str, yes: bool, records: Records, connect: live.Connect) -> int:
    """Destroy the app NAME. Its network stays.

    On a terminal it asks for confirmation; elsewhere, --yes is required.

    Example:
      $ fdaa apps destroy web --yes

    Exit status: 0 done, 3 the change may still have been made.
    """
    if not yes:
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
            raise CommandError(f"this is not a terminal: give --yes to destroy {inline(name)}")
        if not click.confirm(f"Destroy the app {inline(name)}?", err=True):
            raise CommandError("nothing was destroyed")
    with live.calling("the app to be destroyed"), connect() as api:
        api.destroy_app(name)
    change = f"accepted: {inline(name)} will be destroyed"
    records.write_change({"name": name, "accepted": True}, change)
    return YES
