"""An issuer's keys: fetched rarely, used for a limited time, never replaced by worse ones.

Keys are used until they are `fresh_for` seconds old. Then one caller fetches them again, and the
others use the old ones meanwhile. Keys that are `usable_for` seconds old are not used: without a
fetch, nothing can be verified. A key ID that is not among them is looked up at once. After a fetch
that failed, or one for an unknown key ID, the next such fetch waits for 30 seconds.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

import httpx2
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from fdaa.errors import quote
from fdaa.platform._errors import CannotVerifyError, InvalidResponseError, PlatformError
from fdaa.platform._exchange import exchange, settings
from fdaa.platform._jwks import read_keys
from fdaa.platform._messages import Request, read_json
from fdaa.platform._settings import checked_url, proxy_for, tls_for
from fdaa.platform._transport import DeadlineTransport

if TYPE_CHECKING:
    from fdaa.platform._jwks import Key

_COOLDOWN = 30.0  # seconds

_LOG = logging.getLogger("fdaa.platform")


class Issuer:
    """Where an issuer publishes its keys (specification, section 5, rule 4).

    Args:
        issuer: as it is in tokens.
        allow_plain_http: for an issuer on this machine, and for tests.
        timeout: seconds for both files together.

    Raises:
        ValueError: keys cannot be fetched from this URL.
    """

    def __init__(self, issuer: str, *, allow_plain_http: bool, timeout: float) -> None:
        url = checked_url(issuer, "the issuer", allow_plain_http=allow_plain_http)
        if url.scheme == "http" and not allow_plain_http:
            reason = "keys are fetched over https; use it, or allow plain http"
            raise ValueError(f"the issuer: {reason}")
        self._name, self._url = issuer, url
        self._options: dict[str, Any] = {"verify": tls_for(url), "proxy": proxy_for(url)}
        self._timeout = timeout
        place = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        self._configuration = Request("GET", place)

    def fetch(self) -> dict[str, Key]:
        """Return the published keys.

        Raises:
            PlatformError: there are none.
        """
        deadline = time.monotonic() + self._timeout
        transport = DeadlineTransport(**self._options)
        with httpx2.Client(transport=transport, **settings()) as http:

            def get(request: Request) -> dict[str, Any]:
                response = exchange(http, request, request.path, deadline - time.monotonic())
                value = read_json(request, response)
                if not isinstance(value, dict):
                    raise InvalidResponseError(request.call, "", "must be a JSON object")
                return value

            request = self._keys_request(get(self._configuration))
            keys = read_keys(get(request))
        if not any(key.public for key in keys.values()):
            faults = [key.fault for key in keys.values() if key.fault is not None]
            reason = faults[0] if faults else "no key for RS256 or ES256"
            raise InvalidResponseError(request.call, "keys", reason)
        return keys

    def _keys_request(self, configuration: dict[str, Any]) -> Request:
        request = self._configuration
        if configuration.get("issuer") != self._name:
            reason = f"must be {quote(self._name)} exactly"
            raise InvalidResponseError(request.call, "issuer", reason)
        uri = configuration.get("jwks_uri")
        if not isinstance(uri, str) or not self._is_near(uri):
            reason = "must be a URL with the issuer's own scheme, host and port"
            raise InvalidResponseError(request.call, "jwks_uri", reason)
        return Request("GET", uri)

    def _is_near(self, uri: str) -> bool:
        try:
            url = httpx2.URL(uri)
        except (httpx2.InvalidURL, UnicodeEncodeError):  # the latter: half a surrogate pair
            return False
        own = (self._url.scheme, self._url.host, self._url.port)
        return (url.scheme, url.host, url.port) == own and not (url.userinfo or url.fragment)


class KeyCache:
    """The keys of one issuer by that rule; threads may share it."""

    def __init__(self, issuer: Issuer, fresh_for: float, usable_for: float) -> None:
        if not 0 <= fresh_for <= usable_for:
            raise ValueError("keys_fresh_for must be 0 to keys_usable_for seconds")
        self._issuer, self._fresh_for, self._usable_for = issuer, fresh_for, usable_for
        self._keys: dict[str, Key] = {}
        self._loaded = self._asked_for_unknown = self._failed = -float("inf")
        self._failure: PlatformError | None = None
        self._lock = threading.Lock()
        self._threads = CapacityLimiter(2)  # one that fetches, and one for all that wait for it

    def find(self, key_id: str | None) -> Key | CannotVerifyError | None:
        """Return the key with an ID; without one, the only key there is.

        None says that there is no such key, an error that the keys cannot be fetched.
        """
        key = self._usable(key_id)
        if key is not None and self._is_fresh():
            return key
        if not self._lock.acquire(blocking=key is None):
            return key  # another thread renews it
        try:
            if self._is_due(key_id):
                self._renew(key_id)
            key = self._usable(key_id)
            if key is None and self._failure is not None:
                return CannotVerifyError(str(self._failure))
            return key
        finally:
            self._lock.release()

    async def find_async(self, key_id: str | None) -> Key | CannotVerifyError | None:
        """Return the key with an ID: `find`, in a thread where it may have to wait."""
        key = self._usable(key_id)
        if key is not None and (self._is_fresh() or self._lock.locked()):
            return key
        return await run_sync(self.find, key_id, abandon_on_cancel=True, limiter=self._threads)

    def _usable(self, key_id: str | None) -> Key | None:
        if time.monotonic() - self._loaded >= self._usable_for:
            return None
        return find_key(self._keys, key_id)

    def _is_fresh(self) -> bool:
        return time.monotonic() - self._loaded < self._fresh_for

    def _is_due(self, key_id: str | None) -> bool:
        """Whether to fetch now."""
        now = time.monotonic()
        if now - self._failed < _COOLDOWN:
            return False
        is_unknown = self._usable(key_id) is None
        return not self._is_fresh() or (is_unknown and now - self._asked_for_unknown >= _COOLDOWN)

    def _renew(self, key_id: str | None) -> None:
        """Fetch the keys; after a failure, those there are stay."""
        now = time.monotonic()
        try:
            self._keys = self._issuer.fetch()
        except PlatformError as error:
            if self._keys:
                _LOG.warning("the issuer's keys are not renewed: %s", error)
            self._failure, self._failed = error, now
        else:
            self._loaded, self._failure = now, None
        if self._usable(key_id) is None:
            self._asked_for_unknown = now


def find_key(keys: dict[str, Key], key_id: str | None) -> Key | None:
    """Return the key with an ID; without one, the only key there is."""
    if key_id is None:
        return next(iter(keys.values())) if len(keys) == 1 else None
    return keys.get(key_id)
