"""Where an issuer publishes its keys (specification, section 5, rule 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fdaa._escapes import quote
from fdaa.platform._deadline import Deadline
from fdaa.platform._exchange import exchange, exchange_async
from fdaa.platform._jwks import read_keys
from fdaa.platform._messages import Request
from fdaa.platform._settings import ALLOW_PLAIN_HTTP, checked_timeout, checked_url
from fdaa.platform._transport import open_async_client, open_client

if TYPE_CHECKING:
    from fdaa.platform._jwks import Keys
    from fdaa.platform._messages import Response


class Published:
    """What an issuer publishes: its configuration, which names the place of its keys.

    Args:
        iss: the issuer, as it is in tokens.
        allow_plain_http: for an issuer on this computer, and for tests.
        timeout: seconds for both files together.

    Raises:
        ValueError: keys cannot be fetched from this URL.
    """

    def __init__(self, iss: str, *, allow_plain_http: bool, timeout: float) -> None:
        url = checked_url(iss, "iss", allow_plain_http=allow_plain_http)
        if url.scheme == "http" and not allow_plain_http:
            raise ValueError(f"iss: keys are fetched over https; use it, {ALLOW_PLAIN_HTTP}")
        self._iss = iss
        self.url = url
        self.timeout = checked_timeout(timeout)

    def configuration(self) -> Request[str]:
        """Return the request for the configuration; its result is the URL of the keys."""
        place = f"{self._iss.rstrip('/')}/.well-known/openid-configuration"
        return Request("GET", place, self._read_configuration)

    def _read_configuration(self, response: Response) -> str:
        configuration = response.read_object()
        if configuration.get("issuer") != self._iss:
            raise response.invalid("issuer", f"must be {quote(self._iss)} exactly")
        uri = configuration.get("jwks_uri")
        if not isinstance(uri, str) or not self._is_own(uri):
            reason = "must be a URL with the issuer's own scheme, host and port"
            raise response.invalid("jwks_uri", reason)
        return uri

    def _is_own(self, uri: str) -> bool:
        """Whether a URL has the issuer's own scheme, host and port."""
        parts = self._iss.split("/", 3)
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
        keys = Request("GET", uri, _read_keys)
        return exchange(self._http, keys, deadline)

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
        keys = Request("GET", uri, _read_keys)
        return await exchange_async(self._http, keys, deadline)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()


def _read_keys(response: Response) -> Keys:
    keys = read_keys(response.read_object())
    fault = None  # of the first key that has one
    for key in keys.values():
        if key.public is not None:
            return keys
        if fault is None:
            fault = key.fault
    raise response.invalid("keys", fault or "no key for RS256 or ES256")
