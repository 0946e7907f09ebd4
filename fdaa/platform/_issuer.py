"""Where an issuer publishes its keys (specification, section 5, rule 4).

The keys may be on another host than the configuration, always with https (OpenID Connect Discovery
1.0, section 3, `jwks_uri`). The issuer is trusted to name any keys, so also to name their place.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx2

from fdaa._support.escapes import inline, quote
from fdaa.platform._claim_forms import SLASH, differ_by_a_slash, shown
from fdaa.platform._deadline import Deadline
from fdaa.platform._errors import UnreachableError
from fdaa.platform._exchange import exchange, exchange_async
from fdaa.platform._jwks import read_keys
from fdaa.platform._messages import Request
from fdaa.platform._settings import (
    checked_issuer,
    checked_timeout,
    is_https,
)
from fdaa.platform._transport import open_async_client, open_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform._jwks import Keys
    from fdaa.platform._messages import Response


class Published:
    """What an issuer publishes: its configuration, which names the place of its keys.

    Args:
        issuer: the issuer, as it is in tokens.
        allow_plain_http: allow http, for tests.
        timeout: seconds for both files together.

    Raises:
        fdaa.ArgumentError: keys cannot be fetched from this URL.
    """

    def __init__(self, issuer: str, *, allow_plain_http: bool, timeout: float) -> None:
        self._issuer = issuer
        self.url = checked_issuer(issuer, allow_plain_http=allow_plain_http)
        self.timeout = checked_timeout(timeout)

    def configuration(self) -> Request[str]:
        """Return the request for the configuration; its result is the URL of the keys."""
        place = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        return Request("GET", place, self._read_configuration)

    def _read_configuration(self, response: Response) -> str:
        configuration = response.read_object()
        issuer = configuration.get("issuer")
        if issuer != self._issuer:
            reason = f"must be {quote(self._issuer)} exactly, got {shown(issuer) or 'nothing'}"
            if isinstance(issuer, str) and differ_by_a_slash(issuer, self._issuer):
                reason += f"; {SLASH}"
            raise response.invalid("issuer", reason)
        uri = configuration.get("jwks_uri")
        if not isinstance(uri, str) or not (self.is_own(uri) or is_https(uri)):
            reason = "must be an https URL without user information and fragment"
            raise response.invalid("jwks_uri", reason)
        return uri

    def keys(self, uri: str) -> Request[Keys]:
        """Return the request for the keys at a URL of the configuration."""
        return Request("GET", uri, _read_keys, shown=inline(uri))

    def is_own(self, uri: str) -> bool:
        """Whether a URL has the issuer's own scheme, host and port."""
        parts = self._issuer.split("/", 3)
        origin = "/".join(parts[:3])
        return uri.isprintable() and uri.startswith(f"{origin}/")


class Issuer:
    """Fetches the keys that an issuer publishes."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self._http = open_client(published.url, keep_connections=False)

    def fetch(self) -> Keys:
        """Return the published keys; at least one of them can be used.

        Raises:
            PlatformError: there are none.
        """
        deadline = Deadline(self._published.timeout)
        uri = exchange(self._http, self._published.configuration(), deadline)
        keys = self._published.keys(uri)
        if self._published.is_own(uri):
            return exchange(self._http, keys, deadline)
        with _errors_of(keys):
            other = open_client(httpx2.URL(uri), keep_connections=False)
        with other:
            return exchange(other, keys, deadline)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()


class AsyncIssuer:
    """`Issuer` for asynchronous code."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self._http = open_async_client(published.url, keep_connections=False)

    async def fetch(self) -> Keys:
        """Return the published keys; see `Issuer.fetch`."""
        deadline = Deadline(self._published.timeout)
        uri = await exchange_async(self._http, self._published.configuration(), deadline)
        keys = self._published.keys(uri)
        if self._published.is_own(uri):
            return await exchange_async(self._http, keys, deadline)
        with _errors_of(keys):
            other = open_async_client(httpx2.URL(uri), keep_connections=False)
        async with other:
            return await exchange_async(other, keys, deadline)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()


@contextmanager
def _errors_of(keys: Request[Keys]) -> Iterator[None]:
    """Turn a proxy, or certificates, that cannot be used for another host into a PlatformError."""
    try:
        yield
    except ValueError as error:
        raise UnreachableError(keys.call, reason=str(error)) from None


def _read_keys(response: Response) -> Keys:
    keys = read_keys(response.read_object())
    fault = None  # of the first key that has one
    for key in keys.values():
        if key.public is not None:
            return keys
        if fault is None:
            fault = key.fault
    raise response.invalid("keys", fault or "no key for RS256 or ES256")
