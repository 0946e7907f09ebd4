"""The platform's API: a client, and the same for asynchronous code."""

import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar
from urllib.parse import quote as escape

from anyio import to_thread

from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError, NetworkNameError
from fdaa._values.network_name import NetworkName
from fdaa.networks import DocumentError, DocumentKind, ListedApp, parse_document
from fdaa.platform._apps import AppList, EnsuredApp, PlatformApp
from fdaa.platform._errors import (
    ConflictError,
    IncompleteListError,
    NotFoundError,
    OtherNetworkError,
    PlatformError,
)
from fdaa.platform._http import Call, checked_timeout, checked_url, open_http, send
from fdaa.platform._secret import Secret, redact

Result = TypeVar("Result")
_LOG = logging.getLogger("fdaa.platform")


class Client:
    """The platform's API (specification, sections 4.1 to 4.3 and 5); threads may share it.

    At most 100 calls run at once; further calls wait.

    Args:
        base_url: https, or http to a loopback address; it may have a path.
        token: the API token.
        timeout: seconds that one call may take, including its retries.
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
        check_type(allow_plain_http, "allow_plain_http", bool)  # "no" and "0" would be yes
        url = checked_url(base_url, "base_url", allow_plain_http=allow_plain_http or None)
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
        for name in ("FDAA_API_URL", "FDAA_API_TOKEN"):
            if not os.environ.get(name):
                raise ArgumentError(f"{name} is not set")
        allow_plain_http = allow_plain_http or os.environ.get("FDAA_ALLOW_PLAIN_HTTP") == "1"
        url, token = os.environ["FDAA_API_URL"], os.environ["FDAA_API_TOKEN"]
        return cls(url, token, timeout=timeout, allow_plain_http=allow_plain_http)

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
        _, body = self._send(call)
        try:
            document = parse_document(body, file=str(call))
        except DocumentError as error:
            raise call.invalid("", error.reason) from None
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
        _, body = self._send(call)
        made = call.read_object(body) if body.strip() else {}
        id_ = made.get("id")
        try:
            network = NetworkName(made["network"]) if made.get("network") else network
        except (TypeError, NetworkNameError):
            raise call.invalid("network", "not a network name") from None
        return PlatformApp(name, id=id_ if isinstance(id_, str) else None, network=network)

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
        network = None if network is None else NetworkName(network)
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
        status, body = self._send(call)
        if status != 202 and body.strip():  # such as a page to log in, of a proxy
            raise call.invalid("", f"status {status} in place of 202")
        if status != 202:
            _LOG.warning("%s: status %d in place of 202; accepted", call, status)

    def _call(self, method: str, path: str, **options: Any) -> Call:
        return Call(method=method, url=path, redact=partial(redact, self._token), **options)

    def _send(self, call: Call) -> tuple[int, bytes]:
        return send(self._http, call, time.monotonic() + self.timeout)


class AsyncClient:
    """`Client` for asynchronous code: the same arguments and calls, each in a thread."""

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 10.0, allow_plain_http: bool = False
    ) -> None:
        self._client = Client(base_url, token, timeout=timeout, allow_plain_http=allow_plain_http)

    @classmethod
    def from_environment(cls, *, timeout: float = 10.0, allow_plain_http: bool = False) -> Self:
        """Return a client for the environment's settings; see `Client.from_environment`."""
        made = cls.__new__(cls)
        made._client = Client.from_environment(timeout=timeout, allow_plain_http=allow_plain_http)
        return made

    def __repr__(self) -> str:
        return f"<AsyncClient {self._client.base_url}>"

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
        """Create an app; see `Client.create_app`."""
        return await in_thread(self._client.create_app, name, org=org, network=network)

    async def ensure_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> EnsuredApp:
        """Create an app unless it is listed; see `Client.ensure_app`."""
        return await in_thread(self._client.ensure_app, name, org=org, network=network)

    async def destroy_app(self, name: str) -> None:
        """Destroy an app; see `Client.destroy_app`."""
        return await in_thread(self._client.destroy_app, name)


async def in_thread(function: Callable[..., Result], /, *args: Any, **options: Any) -> Result:
    """Call a function in a thread; when the caller is cancelled, it ends by its own timeout."""
    return await to_thread.run_sync(partial(function, *args, **options), abandon_on_cancel=True)


def _app(listed: ListedApp) -> PlatformApp:
    """Return an app; without its network where the name breaks the rules, which is reported."""
    try:
        network = None if listed.network_name is None else NetworkName(listed.network_name)
    except NetworkNameError:
        network = None
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
