"""An issuer's keys: fetched rarely, used for a limited time, never replaced by worse ones.

Keys are used until they are `fresh_for` seconds old. Then one caller fetches them again, while the
others use the old ones. Keys that are `usable_for` seconds old are not used: without a fetch,
nothing can be verified. An unknown key ID is looked up at once. After a failed fetch, or one for an
unknown key ID, the next such fetch waits for 30 seconds.
"""

from __future__ import annotations

import logging
import threading
import time
from math import inf
from typing import TYPE_CHECKING

import httpx2
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from fdaa._escapes import quote
from fdaa.platform._errors import CannotVerifyError, PlatformError
from fdaa.platform._exchange import exchange
from fdaa.platform._jwks import Key, Keys, read_keys
from fdaa.platform._messages import Request, read_object
from fdaa.platform._settings import checked_timeout, checked_url
from fdaa.platform._transport import open_client

if TYPE_CHECKING:
    from collections.abc import Callable

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
            raise ValueError("the issuer: keys are fetched over https; use it, or allow plain http")
        self._name, self._timeout = issuer, checked_timeout(timeout)
        self._origin = "/".join(issuer.split("/", 3)[:3]) + "/"
        self._http = open_client(url, limits=httpx2.Limits(max_keepalive_connections=0))

    def fetch(self) -> Keys:
        """Return the published keys.

        Raises:
            PlatformError: there are none.
        """
        deadline = time.monotonic() + self._timeout
        place = f"{self._name.rstrip('/')}/.well-known/openid-configuration"
        request = Request("GET", place, read_object)
        configuration = exchange(self._http, request, self._timeout)
        if configuration.get("issuer") != self._name:
            raise request.invalid("issuer", f"must be {quote(self._name)} exactly")
        uri = configuration.get("jwks_uri")
        if not (isinstance(uri, str) and uri.isprintable() and uri.startswith(self._origin)):
            reason = "must be a URL with the issuer's own scheme, host and port"
            raise request.invalid("jwks_uri", reason)
        request = Request("GET", uri, read_object)
        keys = read_keys(exchange(self._http, request, deadline - time.monotonic()))
        if not any(key.public for key in keys.values()):
            faults = [key.fault for key in keys.values() if key.fault is not None]
            raise request.invalid("keys", faults[0] if faults else "no key for RS256 or ES256")
        return keys


class KeyCache:
    """The keys of one issuer by that rule; threads may share it."""

    def __init__(self, fetch: Callable[[], Keys], fresh_for: float, usable_for: float) -> None:
        if not 0 <= fresh_for <= usable_for:
            raise ValueError("keys_fresh_for must be 0 to keys_usable_for seconds")
        self._fetch, self._fresh_for, self._usable_for = fetch, fresh_for, usable_for
        self._keys: Keys = {}
        self._loaded = self._wait_until = -inf
        self._failure: PlatformError | None = None
        self._lock = threading.Lock()
        self._threads = CapacityLimiter(2)  # one that fetches, and one for all that wait for it

    def find(self, key_id: str | None) -> Key | CannotVerifyError | None:
        """Return the key with an ID; without one, the only key there is.

        None means that there is no such key, an error that the keys cannot be fetched.
        """
        key = self._usable(key_id)
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
        """Return the key with an ID: `find`, in a thread if it may have to wait."""
        key = self._usable(key_id)
        if key is not None and (self._is_fresh() or self._lock.locked()):
            return key
        return await run_sync(self.find, key_id, abandon_on_cancel=True, limiter=self._threads)

    def _usable(self, key_id: str | None) -> Key | None:
        if time.monotonic() - self._loaded >= self._usable_for:
            return None
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)

    def _is_fresh(self) -> bool:
        return time.monotonic() - self._loaded < self._fresh_for

    def _is_due(self, key_id: str | None) -> bool:
        """Whether to fetch now."""
        is_enough = self._is_fresh() and self._usable(key_id) is not None
        return time.monotonic() >= self._wait_until and not is_enough

    def _renew(self, key_id: str | None) -> None:
        """Fetch the keys; after a failure, the old ones stay."""
        now = time.monotonic()
        try:
            self._keys, self._loaded, self._failure = self._fetch(), now, None
        except PlatformError as error:
            if self._keys:
                _LOG.warning("the issuer's keys are not renewed: %s", error)
            self._failure = error
        if self._failure is not None or self._usable(key_id) is None:
            self._wait_until = now + _COOLDOWN
