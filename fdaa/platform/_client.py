"""The platform's API over HTTP: one thin client for threads, one for asynchronous code."""

import os
from dataclasses import replace
from functools import partial
from typing import Self

import httpx2
from anyio.lowlevel import EventLoopToken, current_token

from fdaa._values.network_name import NetworkName
from fdaa.platform import _messages as messages
from fdaa.platform._app_list import list_apps
from fdaa.platform._apps import AppList, EnsuredApp, PlatformApp
from fdaa.platform._deadline import Deadline
from fdaa.platform._errors import (
    ConflictError,
    NotFoundError,
    OtherNetworkError,
    PlatformError,
)
from fdaa.platform._exchange import exchange, exchange_async
from fdaa.platform._messages import Request, Result
from fdaa.platform._secret import Secret, redact
from fdaa.platform._settings import checked_base_url, checked_timeout, from_environment
from fdaa.platform._transport import open_async_client, open_client


class _Settings:
    """The settings of both clients."""

    def __init__(
        self, base_url: str, token: str, *, timeout: float, allow_plain_http: bool
    ) -> None:
        self._url = checked_base_url(base_url, allow_plain_http=allow_plain_http)
        self.base_url: str = str(self._url).rstrip("/")
        self.timeout: float = checked_timeout(timeout)
        self._token = Secret(token, "the API token")

    def _authorize(self, request: httpx2.Request) -> httpx2.Request:
        """Add the token, whose text is in no variable of a frame that a traceback may show."""
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        return request

    def _redacting(self, request: Request[Result]) -> Request[Result]:
        host = self._url.netloc.decode()
        return replace(request, redact=partial(redact, self._token), host=host)

    @classmethod
    def from_environment(cls, *, timeout: float = 10.0, allow_plain_http: bool = False) -> Self:
        """Return a client for `FDAA_API_URL` with the token in `FDAA_API_TOKEN`.

        `FDAA_ALLOW_PLAIN_HTTP=1` is the same as `allow_plain_http=True`.

        Raises:
            fdaa.ArgumentError: one of them is not set, or cannot be used.
        """
        base_url = from_environment("FDAA_API_URL")
        token = from_environment("FDAA_API_TOKEN")
        if os.environ.get("FDAA_ALLOW_PLAIN_HTTP") == "1":
            allow_plain_http = True
        return cls(base_url, token, timeout=timeout, allow_plain_http=allow_plain_http)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"


class Client(_Settings):
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
        super().__init__(base_url, token, timeout=timeout, allow_plain_http=allow_plain_http)
        self._http = open_client(self._url, authorize=self._authorize)

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
        return self._call(list_apps(org))

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
        return self._call(messages.create_app(name, org, network))

    def ensure_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> EnsuredApp:
        """Create an app unless it is listed. It makes up to four calls, each with its own deadline.

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
        request = messages.create_app(name, org, network)
        found = self._find_app(name, org, network)
        if found is not None:
            return EnsuredApp(found, created=False)
        try:
            app = self._call(request)
        except ConflictError:
            # Someone else created it a moment ago, or it is another organization's.
            found = self._find_app(name, org, network)
            if found is None:
                raise
            return EnsuredApp(found, created=False)
        if app.id is None:  # the response to a creation need not have it
            app = self._as_listed(app, org)
        return EnsuredApp(app, created=True)

    def _find_app(
        self, name: str, org: str, network: NetworkName | str | None
    ) -> PlatformApp | None:
        """Return an app if it is listed; an organization without apps may have no list."""
        try:
            apps = self.list_apps(org=org)
        except NotFoundError:
            return None
        return _on_network(name, network, apps)

    def _as_listed(self, app: PlatformApp, org: str) -> PlatformApp:
        """Return a new app with its ID; as it is, if it is not listed: it exists all the same."""
        try:
            apps = self.list_apps(org=org)
        except PlatformError:
            return app
        return apps.by_name(app.name) or app

    def destroy_app(self, name: str) -> None:
        """Destroy an app; the platform accepts the request and carries it out later (section 4.1).

        Raises:
            PlatformError: it was not accepted, or, if `.may_have_happened`, that is not known.
            fdaa.ArgumentError: the name is empty, `.`, `..` or not valid Unicode; nothing was sent.
        """
        return self._call(messages.destroy_app(name))

    def _call(self, request: Request[Result]) -> Result:
        return exchange(self._http, self._redacting(request), Deadline(self.timeout))


class AsyncClient(_Settings):
    """`Client` for asynchronous code: the same arguments and calls, each a coroutine.

    Make one in each event loop, as in each `asyncio.run`: its connections belong to the loop of its
    first call, and calls in another one raise a `PlatformError`.
    """

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 10.0, allow_plain_http: bool = False
    ) -> None:
        super().__init__(base_url, token, timeout=timeout, allow_plain_http=allow_plain_http)
        self._http = open_async_client(self._url, authorize=self._authorize)
        self._loop: EventLoopToken | None = None  # of the first call

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        self._check_loop()
        await self._http.aclose()

    async def list_apps(self, *, org: str) -> AppList:
        """Return the apps of an organization; see `Client.list_apps`."""
        return await self._call(list_apps(org))

    async def create_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> PlatformApp:
        """Create an app; see `Client.create_app`."""
        return await self._call(messages.create_app(name, org, network))

    async def ensure_app(
        self, name: str, *, org: str, network: NetworkName | str | None = None
    ) -> EnsuredApp:
        """Create an app unless it is listed; see `Client.ensure_app`."""
        request = messages.create_app(name, org, network)
        found = await self._find_app(name, org, network)
        if found is not None:
            return EnsuredApp(found, created=False)
        try:
            app = await self._call(request)
        except ConflictError:
            # Someone else created it a moment ago, or it is another organization's.
            found = await self._find_app(name, org, network)
            if found is None:
                raise
            return EnsuredApp(found, created=False)
        if app.id is None:  # the response to a creation need not have it
            app = await self._as_listed(app, org)
        return EnsuredApp(app, created=True)

    async def _find_app(
        self, name: str, org: str, network: NetworkName | str | None
    ) -> PlatformApp | None:
        """Return an app if it is listed; an organization without apps may have no list."""
        try:
            apps = await self.list_apps(org=org)
        except NotFoundError:
            return None
        return _on_network(name, network, apps)

    async def _as_listed(self, app: PlatformApp, org: str) -> PlatformApp:
        """Return a new app with its ID; as it is, if it is not listed: it exists all the same."""
        try:
            apps = await self.list_apps(org=org)
        except PlatformError:
            return app
        return apps.by_name(app.name) or app

    async def destroy_app(self, name: str) -> None:
        """Destroy an app; see `Client.destroy_app`."""
        return await self._call(messages.destroy_app(name))

    def _check_loop(self) -> None:
        loop = current_token()
        if self._loop is None:
            self._loop = loop
        if self._loop != loop:
            reason = "this AsyncClient belongs to another event loop: make one in each loop"
            raise PlatformError(reason)

    async def _call(self, request: Request[Result]) -> Result:
        self._check_loop()
        return await exchange_async(self._http, self._redacting(request), Deadline(self.timeout))


def _on_network(name: str, network: NetworkName | str | None, apps: AppList) -> PlatformApp | None:
    """Return the app with a name, or None.

    Raises:
        OtherNetworkError: it is on another network than `network`.
    """
    app = apps.by_name(name)
    if app is not None and network is not None and app.network != network:
        raise OtherNetworkError(app, network=NetworkName(network))
    return app
