"""The platform's API over HTTP: one thin client for threads, one for asynchronous code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

import httpx2

from fdaa.platform import _messages as messages
from fdaa.platform._errors import UnreachableError
from fdaa.platform._exchange import exchange, exchange_async, settings
from fdaa.platform._messages import Answer, Broken
from fdaa.platform._secret import Secret
from fdaa.platform._settings import (
    checked_timeout,
    checked_url,
    from_environment,
    proxy_for,
    tls_for,
)
from fdaa.platform._transport import DeadlineTransport

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Self

    from fdaa.platform._messages import AppList, Created, Request

TIMEOUT = 10.0  # seconds for a whole call

_Result = TypeVar("_Result")


class _Bearer(httpx2.Auth):
    """Adds the token, whose text is in no variable of a frame that a traceback may show."""

    def __init__(self, token: Secret) -> None:
        self._token = token

    def auth_flow(
        self, request: httpx2.Request
    ) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        yield request


class _Settings:
    """What both clients are made with, and what they do without the network."""

    def __init__(
        self,
        base_url: str,
        token: str,
        timeout: float = TIMEOUT,
        *,
        allow_plain_http: bool = False,
    ) -> None:
        self._url = checked_url(base_url, "the base URL", allow_plain_http=allow_plain_http)
        self.base_url = str(self._url).rstrip("/")
        self.timeout = checked_timeout(timeout)
        self._token = Secret(token, "the API token")
        self._connect()

    def _connect(self) -> None:
        """Make the client of httpx2: a synchronous or an asynchronous one, as the subclass is."""
        raise NotImplementedError

    @classmethod
    def from_environment(cls, timeout: float = TIMEOUT, *, allow_plain_http: bool = False) -> Self:
        """Return a client for `FDAA_API_URL` with the token in `FDAA_API_TOKEN`.

        Raises:
            ArgumentError: one of them is not set, or cannot be used.
        """
        base_url = from_environment("FDAA_API_URL")
        token = from_environment("FDAA_API_TOKEN")
        return cls(base_url, token, timeout, allow_plain_http=allow_plain_http)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client is not pickled: it has a token")

    def _result(
        self,
        read: Callable[[Request, Answer], _Result],
        request: Request,
        outcome: Answer | Broken,
    ) -> _Result:
        if isinstance(outcome, Broken):
            reason = f"no whole answer within {self.timeout:g} seconds"
            if outcome.reason is not None:
                reason = self._token.redact(outcome.reason)
            changed = outcome.was_sent and request.changes
            raise UnreachableError(request.call, reason, changed)
        answer = outcome._replace(body=self._token.redact_bytes(outcome.body))
        messages.check(request, answer, self._token.redact)
        return read(request, answer)


class Client(_Settings):
    """The platform's API (specification, sections 4.1 to 4.3 and 5); threads may share it.

    A list is asked for again where the platform is busy or the connection fails, within the
    timeout. A creation and a deletion are sent once. A redirect is an error, as the token would
    follow it.

    Args:
        base_url: https, or http to a loopback address; it may have a path.
        token: the API token.
        timeout: seconds that one call may take in all.
        allow_plain_http: allow http to any address, as for an API inside a private network.

    Raises:
        ArgumentError: one of them cannot be used.

    >>> Client("https://api.example/base/", "secret")
    <Client https://api.example/base>
    """

    __module__ = "fdaa.platform"

    def _connect(self) -> None:
        transport = DeadlineTransport(tls_for(self._url), proxy_for(self._url))
        self._http = httpx2.Client(auth=_Bearer(self._token), transport=transport, **settings())

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
            PlatformError: the platform did not answer with such a list.
        """
        return self._call(messages.list_apps(org), messages.read_apps)

    def create_app(self, name: str, *, org: str, network: str | None = None) -> Created:
        """Create an app, on the network of that name if one is given (section 4.2).

        Raises:
            PlatformError: it was not created, or, if `.may_have_happened`, that is not known.
            fdaa.NetworkNameError: the network's name breaks the rules; nothing was sent.
        """
        return self._call(messages.create_app(name, org, network), messages.read_created)

    def destroy_app(self, name: str) -> None:
        """Destroy an app; the platform accepts it and does it later (section 4.1).

        Raises:
            PlatformError: it was not accepted, or, if `.may_have_happened`, that is not known.
        """
        return self._call(messages.destroy_app(name), messages.read_nothing)

    def _call(self, request: Request, read: Callable[[Request, Answer], _Result]) -> _Result:
        outcome = exchange(self._http, request, self.base_url + request.path, self.timeout)
        return self._result(read, request, outcome)


class AsyncClient(_Settings):
    """`Client` for asynchronous code: the same calls, each a coroutine.

    Args:
        base_url: https, or http to a loopback address; it may have a path.
        token: the API token.
        timeout: seconds that one call may take in all.
        allow_plain_http: allow http to any address, as for an API inside a private network.

    Raises:
        ArgumentError: one of them cannot be used.
    """

    __module__ = "fdaa.platform"

    def _connect(self) -> None:
        self._http = httpx2.AsyncClient(
            auth=_Bearer(self._token),
            verify=tls_for(self._url),
            proxy=proxy_for(self._url),
            **settings(),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def apps(self, org: str) -> AppList:
        """Return the apps of an organization; see `Client.apps`."""
        return await self._call(messages.list_apps(org), messages.read_apps)

    async def create_app(self, name: str, *, org: str, network: str | None = None) -> Created:
        """Create an app; see `Client.create_app`."""
        return await self._call(messages.create_app(name, org, network), messages.read_created)

    async def destroy_app(self, name: str) -> None:
        """Destroy an app; see `Client.destroy_app`."""
        return await self._call(messages.destroy_app(name), messages.read_nothing)

    async def _call(self, request: Request, read: Callable[[Request, Answer], _Result]) -> _Result:
        url = self.base_url + request.path
        outcome = await exchange_async(self._http, request, url, self.timeout)
        return self._result(read, request, outcome)
