"""The list of an organization's apps (specification, sections 4.3 and 2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._values.errors import NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks import DocumentError, parse_document
from fdaa.platform._apps import AppList, PlatformApp
from fdaa.platform._errors import IncompleteListError
from fdaa.platform._messages import MAX_LIST, Request, list_path

if TYPE_CHECKING:
    from fdaa.networks import ListedApp
    from fdaa.platform._messages import Response


def list_apps(org: str) -> Request[AppList]:
    """Return the request for an organization's apps."""
    return Request("GET", list_path(org), _read_apps, max_bytes=MAX_LIST)


def _read_apps(response: Response) -> AppList:
    """Return the list in a response, as a file with it is read.

    Raises:
        InvalidResponseError: it is not such a list.
        IncompleteListError: it has fewer apps than it counts.
        TimeoutError: the deadline passed.
    """
    if "apps" not in response.read_object():
        raise response.invalid("", "expected an object with 'apps'")
    call = response.request.call
    try:
        document = parse_document(response.body, file=call)
    except DocumentError as error:
        raise response.invalid("", error.reason) from None
    response.deadline.check()
    apps = AppList(tuple(map(_app, document.apps)), document=document)
    found = len(document.apps) + document.left_out
    if document.total is not None and document.total > found:
        raise IncompleteListError(call, apps=apps)
    return apps


def _app(listed: ListedApp) -> PlatformApp:
    return PlatformApp(
        listed.name,
        id=listed.id,
        network=_network(listed),
        machine_count=listed.machine_count,
        volume_count=listed.volume_count,
    )


def _network(listed: ListedApp) -> NetworkName | None:
    """Return the name of an app's network; None where it breaks the rules, which is reported."""
    if listed.network_name is None:
        return None
    try:
        return NetworkName(listed.network_name)
    except NetworkNameError:
        return None
