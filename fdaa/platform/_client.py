"""The platform's API over HTTP: one thin client for threads, one for asynchronous code."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2

from fdaa.platform import _messages as messages
from fdaa.platform._exchange import exchange, exchange_async
from fdaa.platform._secret import Secret
from fdaa.platform._settings import checked_timeout, checked_url, from_environment
from fdaa.platform._transport import open_async_client, open_client

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from fdaa.platform._apps import AppList, Created
    from fdaa.platform._messages import Request, Result


class _Settings:
    """The settings of both clients."""

    _open: Callable[..., Any]  # makes the client of httpx2

    def __init__(
        self,
        base_url: str,
        token: str,
        timeout: float = 10.0,
        *,
        allow_plain_http: bool = False,
        max_connections: int = 100,
        max_bytes: int = messages.MAX_LIST,
    ) -> None:
        url = checked_url(base_url, "the base URL", allow_plain_http=allow_plain_http)
        self.base_url = str(url).rstrip("/")
        self.timeout = checked_timeout(timeout)
        self._token = Secret(token, "the API token")
        if max_connections < 1 or max_bytes < 1:
            raise ValueError("max_connections and max_bytes must be at least 1")
        self._max_bytes = max_bytes
        limits = httpx2.Limits(max_connections=max_connections, max_keepalive_connections=20)
        self._http = self._open(url, self._authorize, limits=limits)

    def _authorize(self, request: httpx2.Request) -> httpx2.Request:
        """Add the token, whose text is in no variable of a frame that a traceback may show."""
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        return request

    def _redacting(self, request: Request[Result]) -> Request[Result]:
        return replace(request, redact=self._token.redact)

    @classmethod
    def from_environment(cls, timeout: float = 10.0, *, allow_plain_http: bool = False) -> Self:
        """Return a client for `FDAA_API_URL` with the token in `FDAA_API_TOKEN`.

        `FDAA_ALLOW_PLAIN_HTTP=1` is the same as `allow_plain_http=True`.

        Raises:
            ValueError: one of them is not set, or cannot be used.
        """
        base_url, token = map(from_environment, ("FDAA_API_URL", "FDAA_API_TOKEN"))
        allowed = allow_plain_http or os.environ.get("FDAA_ALLOW_PLAIN_HTTP") == "1"
        return cls(base_url, token, timeout, allow_plain_http=allowed)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"


class Client(_Settings):
    """The platform's API (specification, sections 4.1 to 4.3 and 5); threads may share it.

    Args:
        base_url: https, or http to a loopback address; it may have a path.
        token: the API token.
        timeout: seconds that one call may take, including its retries.
        allow_plain_http: allow http to any address, as for an API inside a private network.
        max_connections: how many calls may run at once; others wait.
        max_bytes: the longest list of apps that is read.

    Raises:
        ValueError: one of them cannot be used.

    >>> Client("https://api.example/base/", "secret")
    <Client https://api.example/base>
    """

    _open = staticmethod(open_client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def apps(self, org: str) -> AppList:
        """Return the apps of an organization, with their networks' names (section 4.3).

        Args:
            org: its slug.

        Raises:
            PlatformError: the platform did not return a valid list.
        """
        return self._call(messages.list_apps(org, self._max_bytes))

    def create_app(self, name: str, *, org: str, network: str | None = None) -> Created:
        """Create an app, on the given network if there is one (section 4.2).

        Raises:
            PlatformError: it was not created, or, if `.may_have_happened`, that is not known.
            fdaa.NetworkNameError: the network's name breaks the rules; nothing was sent.
        """
        return self._call(messages.create_app(name, org, network))

    def ensure_app(self, name: str, *, org: str, network: str | None = None) -> Created | None:
        """Create an app unless it is listed; each of the two calls has its own deadline.

        Args:
            name: the app's name.
            org: the slug of its organization.
            network: the network that it must be on; without one, any network will do.

        Returns:
            The app that was created; None if it existed.

        Raises:
            OtherNetworkError: it exists on another network.
            PlatformError: as from `apps` and `create_app`.
        """
        if messages.is_listed(name, network, self.apps(org)):
            return None
        return self.create_app(name, org=org, network=network)

    def destroy_app(self, name: str) -> None:
        """Destroy an app; the platform accepts the request and carries it out later (section 4.1).

        Raises:
            PlatformError: it was not accepted, or, if `.may_have_happened`, that is not known.
        """
        return self._call(messages.destroy_app(name))

    def _call(self, request: Request[Result]) -> Result:
        return exchange(self._http, self._redacting(request), self.timeout)


class AsyncClient(_Settings):
    """`Client` for asynchronous code: the same arguments and calls, each a coroutine."""

    _open = staticmethod(open_async_client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def apps(self, org: str) -> AppList:
        """Return the apps of an organization; see `Client.apps`."""
        return await self._call(messages.list_apps(org, self._max_bytes))

    async def create_app(self, name: str, *, org: str, network: str | None = None) -> Created:
        """Create an app; see `Client.create_app`."""
        return await self._call(messages.create_app(name, org, network))

    async def ensure_app(
        self, name: str, *, org: str, network: str | None = None
    ) -> Created | None:
        """Create an app unless it is listed; see `Client.ensure_app`."""
        if messages.is_listed(name, network, await self.apps(org)):
            return None
        return await self.create_app(name, org=org, network=network)

    async def destroy_app(self, name: str) -> None:
        """Destroy an app; see `Client.destroy_app`."""
        return await self._call(messages.destroy_app(name))

    async def _call(self, request: Request[Result]) -> Result:
        return await exchange_async(self._http, self._redacting(request), self.timeout)
