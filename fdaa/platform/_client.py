"""The platform's API: a client, and the same for asynchronous code."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar
from urllib.parse import quote as escape

from fdaa._support.escapes import quote
from fdaa._values.checks import text_of
from fdaa._values.errors import ArgumentError, NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks import DocumentError, DocumentKind, ListedApp, parse_document
from fdaa.platform._apps import AppList, EnsuredApp, PlatformApp
from fdaa.platform._errors import (
    IN_DOUBT,
    ConflictError,
    IncompleteListError,
    NotFoundError,
    OtherNetworkError,
    PlatformError,
)
from fdaa.platform._http import Call, Response, checked_timeout, checked_url, open_http, send
from fdaa.platform._threads import in_thread, start
from fdaa.platform._token import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

Options = ParamSpec("Options")
Result = TypeVar("Result")
_LOG = logging.getLogger("fdaa.platform")


class Client:
    """The platform's API (specification, sections 4.1 to 4.3 and 5); threads may share it.

    At most 100 calls run at once; further calls wait.

    Args:
        base_url: https, or http to a loopback address; it may have a path.
        token: the API token.
        timeout: seconds that one call may take, including its retries. Each step may take what is
            left of them: to connect, to send, to wait for the next bytes.
        allow_plain_http: allow http to any address, as for an API inside a private network.

    Raises:
        TypeError: an argument has another type.
        fdaa.ArgumentError: an argument cannot be used.

    >>> Client("https://api.example/base/", "secret")
    <Client https://api.example/base>
    """

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 10.0, allow_plain_http: bool = False
    ) -> None:
        url = checked_url(base_url, "base_url", allow_plain_http=allow_plain_http)
        self.base_url: str = str(url).rstrip("/")
        self.timeout: float = checked_timeout(timeout)
        self._token = Secret(token, "the API token")
        self._http = open_http(url, token=self._token.reveal())

    @classmethod
    def from_environment(cls, *, timeout: float = 10.0, allow_plain_http: bool = False) -> Self:
        """Return a client for `FDAA_API_URL` with the token in `FDAA_API_TOKEN`.

        `FDAA_ALLOW_PLAIN_HTTP=1` is the same as `allow_plain_http=True`.

        Raises:
            fdaa.ArgumentError: one of them is not set, or cannot be used.
        """
        return cls(**_settings(allow_plain_http), timeout=timeout)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def list_apps(self, *, org: str) -> AppList:
        """Return the apps of an organization, with their networks' names (section 4.3).

        Args:
            org: its slug.

        Raises:
            PlatformError: the platform did not return a valid list.
            fdaa.ArgumentError: the slug is empty, or not valid Unicode; nothing was sent.
        """
        call = self._call("GET", f"/v1/apps?org_slug={_escaped(org, 'org')}")
        body = self._send(call).body
        document = None
        try:
            document = parse_document(body, file=str(call))
        except DocumentError as error:
            reason = error.reason
        if document is None:  # not in the handler: the error may quote what is redacted here
            raise call.invalid("", reason)
        if document.kind is not DocumentKind.APP_LIST:
            raise call.invalid("", "expected an object with 'apps'")
        apps = AppList(tuple(map(_app, document.apps)), document=document)
        if document.total is not None and document.total > len(apps) + document.left_out:
            raise IncompleteListError(str(call), apps=apps)
        return apps

    def create_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> PlatformApp:
        """Create an app, on the given network if there is one (section 4.2).

        Raises:
            ConflictError: an app has this name.
            PlatformError: it was not created, or, if `.may_have_happened`, that is not known.
            fdaa.ArgumentError: `name` or `org` cannot be used; nothing was sent.
            fdaa.NetworkNameError: the network's name breaks the rules; nothing was sent.
        """
        _escaped_name(name)
        _escaped(org, "org")
        fields = {"app_name": name, "org_slug": org}
        if network is not None:
            network = NetworkName(network)
            fields["network"] = str(network)
        call = self._call("POST", "/v1/apps", fields=fields, changes=True)
        body = self._send(call).body
        made = {}
        if body.strip():
            made = call.read_object(body)
        return _created_app(call, made, name, network)

    def ensure_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> EnsuredApp:
        """Create an app unless it is listed. It makes up to four calls, each with its own timeout.

        Args:
            name: the app's name.
            org: the slug of its organization.
            network: the network that it must be on; without one, any network will do.

        Returns:
            The app, and whether this call created it.

        Raises:
            OtherNetworkError: it exists on another network.
            ConflictError: an app has this name, and is not in the organization's list.
            PlatformError: as from `list_apps` and `create_app`.
            fdaa.ArgumentError: `name` or `org` cannot be used; nothing was sent.
            fdaa.NetworkNameError: the network's name breaks the rules; nothing was sent.
        """
        _escaped_name(name)
        if network is not None:
            network = NetworkName(network)
        found = self._find_app(name, org, network)
        if found is None:
            try:
                made = self.create_app(name, org=org, network=network)
            except ConflictError:
                # Someone else created it a moment ago, or it is another organization's.
                found = self._find_app(name, org, network)
                if found is None:
                    raise
            else:
                if made.id is None:  # the response to a creation need not have it
                    with suppress(PlatformError):
                        made = self.list_apps(org=org).by_name(name) or made
                return EnsuredApp(made, created=True)
        return EnsuredApp(found, created=False)

    def _find_app(self, name: str, org: str, network: NetworkName | None) -> PlatformApp | None:
        """Return an app if it is listed; an organization without apps may have no list."""
        try:
            app = self.list_apps(org=org).by_name(name)
        except NotFoundError:
            return None
        if app is not None and network is not None and app.network != network:
            raise OtherNetworkError(app, network=network)
        return app

    def destroy_app(self, name: str) -> None:
        """Destroy an app; the platform accepts the request and carries it out later (section 4.1).

        Raises:
            PlatformError: it was not accepted, or, if `.may_have_happened`, that is not known.
            fdaa.ArgumentError: the name is empty, `.`, `..` or not valid Unicode; nothing was sent.
        """
        call = self._call("DELETE", f"/v1/apps/{_escaped_name(name)}", changes=True)
        response = self._send(call)
        if response.status == 202:
            return
        place = f"status {response.status} in place of 202"
        if response.error:  # such as a page to log in, of a proxy
            raise call.invalid("", f"{response.error}, with {place}")
        _LOG.warning("%s: %s; accepted", call, place)

    def _call(self, method: str, path: str, **options: Any) -> Call:
        return Call(method=method, url=path, redact=self._token.redact, **options)

    def _send(self, call: Call) -> Response:
        return send(self._http, call, self.timeout)


async def _change_in_thread(
    method: Callable[Options, Result], /, *args: Options.args, **options: Options.kwargs
) -> Result:
    """Call a method that changes something in a thread; if cancelled, note what is unknown."""
    running = start(method, *args, **options)
    try:
        return await asyncio.wrap_future(running)
    except asyncio.CancelledError as error:
        if not running.cancelled():
            error.add_note(f"{method.__name__}: {IN_DOUBT}")
        raise


class AsyncClient:
    """`Client` for asynchronous code: the same arguments, and its calls are coroutines.

    A call runs in a thread. A cancelled one is no longer awaited, and ends by its own timeout.
    """

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 10.0, allow_plain_http: bool = False
    ) -> None:
        self._client = Client(base_url, token, timeout=timeout, allow_plain_http=allow_plain_http)
        self.base_url: str = self._client.base_url
        self.timeout: float = self._client.timeout

    @classmethod
    def from_environment(cls, *, timeout: float = 10.0, allow_plain_http: bool = False) -> Self:
        """Return a client for the environment's settings; see `Client.from_environment`."""
        return cls(**_settings(allow_plain_http), timeout=timeout)

    def __repr__(self) -> str:
        return f"<AsyncClient {self.base_url}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        self._client.close()

    async def list_apps(self, *, org: str) -> AppList:
        """Return the apps of an organization; see `Client.list_apps`."""
        return await in_thread(self._client.list_apps, org=org)

    async def create_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> PlatformApp:
        """Create an app, on the given network if there is one; see `Client.create_app`."""
        return await _change_in_thread(self._client.create_app, name, org=org, network=network)

    async def ensure_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> EnsuredApp:
        """Create an app unless it is listed; see `Client.ensure_app`."""
        return await _change_in_thread(self._client.ensure_app, name, org=org, network=network)

    async def destroy_app(self, name: str) -> None:
        """Destroy an app; see `Client.destroy_app`."""
        return await _change_in_thread(self._client.destroy_app, name)


def _settings(allow_plain_http: bool) -> dict[str, Any]:
    """Return the arguments of a client that the environment has; errors name the variable."""
    for name in ("FDAA_API_URL", "FDAA_API_TOKEN"):
        if not os.environ.get(name):
            raise ArgumentError(f"{name} is not set")
    allow_plain_http = allow_plain_http or os.environ.get("FDAA_ALLOW_PLAIN_HTTP") == "1"
    url = os.environ["FDAA_API_URL"]
    checked_url(url, "FDAA_API_URL", allow_plain_http=allow_plain_http)
    return {
        "base_url": url,
        "token": os.environ["FDAA_API_TOKEN"],
        "allow_plain_http": allow_plain_http,
    }


def _created_app(
    call: Call, made: dict[str, Any], name: str, network: NetworkName | None
) -> PlatformApp:
    """Return the app in the response to its creation, whose form is not specified."""
    if made.get("error"):
        raise call.invalid("error", "an error, with a status of success")
    got = made.get("network")
    chosen = network
    if got:
        if network is not None and got != network:
            raise call.invalid("network", f"expected {quote(network)}, got {quote(str(got))}")
        try:
            chosen = NetworkName(got)
        except (TypeError, NetworkNameError):
            raise call.invalid("network", "not a network name") from None
    id_ = made.get("id")
    if not isinstance(id_, str):
        id_ = None
    return PlatformApp(name, id=id_, network=chosen)


def _app(listed: ListedApp) -> PlatformApp:
    """Return an app; without its network where the name breaks the rules, which is reported."""
    network = None
    if listed.network_name is not None:
        with suppress(NetworkNameError):
            network = NetworkName(listed.network_name)
    return PlatformApp(
        listed.name,
        id=listed.id,
        network=network,
        machine_count=listed.machine_count,
        volume_count=listed.volume_count,
    )


def _escaped_name(name: str) -> str:
    """Return the name of an app as one segment of a path."""
    if name in (".", ".."):
        raise ArgumentError(f"name must not be {name!r}: servers read it as a part of the path")
    return _escaped(name, "name")


def _escaped(text: str, label: str) -> str:
    """Return a text as one value of a query, whatever it contains."""
    if not text_of(text, label):
        raise ArgumentError(f"{label} is empty")
    try:
        return escape(text, safe="")
    except UnicodeEncodeError:
        raise ArgumentError(f"{label} is not valid Unicode") from None
