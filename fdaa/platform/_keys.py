"""An issuer's keys (specification, section 5, rule 4): fetched rarely, kept in an outage.

Keys are fetched again when they are `fresh_for` seconds old, or for a key ID that is unknown.
Until they are a day old, no token waits for that: a failed fetch is no failure.
After a fetch that failed or did not find a key, the next one waits for 30 seconds.

A thread of its own fetches. Threads and asynchronous code wait for its result.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import Future
from math import inf
from typing import TYPE_CHECKING, Any

import httpx2
import jwt

from fdaa._support.clock import now
from fdaa._support.escapes import quote
from fdaa._values.errors import ArgumentError
from fdaa.platform._claims import must_be_issuer, shown
from fdaa.platform._errors import CannotVerifyError, PlatformError
from fdaa.platform._http import Call, checked_url, open_http, send

if TYPE_CHECKING:
    Keys = dict[str | None, jwt.PyJWK]  # by their IDs
    Found = jwt.PyJWK | CannotVerifyError | None

ALGORITHMS = ("RS256", "ES256")
DAY = 86_400.0  # seconds
_COOLDOWN = 30.0  # seconds
_SHORTEST_RSA = 2048  # bits
_LOG = logging.getLogger("fdaa.platform")


def read_keys(published: object) -> Keys:
    """Return the keys of a JWK set (RFC 7517) that may verify a token."""
    keys: Keys = {}
    found = None
    if isinstance(published, dict):
        found = published.get("keys")
    if not isinstance(found, list):
        return keys
    for jwk in found:
        try:
            key = jwt.PyJWK(jwk)
            is_for_tokens = jwk.get("use", "sig") == "sig" and key.algorithm_name in ALGORITHMS
            is_private = "d" in jwk  # then anyone can sign with it
            is_short = key.key_type == "RSA" and key.key.key_size < _SHORTEST_RSA
        except (jwt.PyJWTError, AttributeError, LookupError, TypeError, ValueError):
            continue
        if is_for_tokens and not is_short and not is_private:
            keys[key.key_id or None] = key
    return keys


class KeyStore:
    """The keys of an issuer; threads and event loops may share them. See `Verifier`."""

    def __init__(
        self,
        issuer: str,
        *,
        allow_plain_http: bool,
        fresh_for: float,
        timeout: float,
        given: dict[str, Any] | None,
    ) -> None:
        self._keys: Keys = {}
        self._issuer = issuer
        self._timeout = timeout
        self._fresh_for = fresh_for
        self._lock = threading.Lock()  # of what follows
        self._fetch: Future[None] | None = None  # under way
        self._fetched = -inf  # the moment at which the fetch of the keys began
        self._next = -inf  # no fetch before this moment
        self._failure: Exception | None = None
        if given is not None:
            self._keys = read_keys(given)
            self._fetched = self._next = inf
            if not self._keys:
                raise ArgumentError("keys must be a JWK set with a key for RS256 or ES256")
            return
        if not 0 <= fresh_for <= DAY:
            raise ArgumentError(f"keys_fresh_for must be 0 to {DAY:g} seconds")
        self._url = checked_url(issuer, "issuer", allow_plain_http=allow_plain_http)

    def find(self, key_id: str | None, *, look_up: bool) -> Found:
        """Return the key for a token, after a fetch if one is due; None if there is none.

        Where it is not known whether there is such a key, return the error that says why.

        Args:
            key_id: the ID in the token's header; a token without one is of the only key there is.
            look_up: whether to fetch the keys for an ID that is unknown.
        """
        wanted = key_id if look_up else None
        fetch = self._due(key_id, wanted)
        if fetch is not None:
            fetch.result()
        return self._found(key_id, wanted, is_looked_up=fetch is not None)

    async def afind(self, key_id: str | None, *, look_up: bool) -> Found:
        """Return the key for a token; see `find`."""
        wanted = key_id if look_up else None
        fetch = self._due(key_id, wanted)
        if fetch is not None:
            # A caller that is cancelled must not cancel the fetch: others wait for it, too.
            await asyncio.shield(asyncio.wrap_future(fetch))
        return self._found(key_id, wanted, is_looked_up=fetch is not None)

    def _due(self, key_id: str | None, wanted: str | None) -> Future[None] | None:
        """Return the fetch to wait for, if there is one; begin it if it is due."""
        with self._lock:
            moment = now()
            is_old = moment - self._fetched >= self._fresh_for
            is_unknown = wanted is not None and wanted not in self._keys
            if moment < self._next or not (is_old or is_unknown):
                return None
            if self._fetch is None:
                fetch: Future[None] = Future()
                thread = threading.Thread(target=self._renew, args=(fetch, wanted), daemon=True)
                thread.start()
                self._fetch = fetch
            elif self._known(key_id) is not None:
                return None  # a known key does not wait for what another token began
            return self._fetch

    def _known(self, key_id: str | None) -> jwt.PyJWK | None:
        if now() - self._fetched >= DAY:
            return None
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _found(self, key_id: str | None, wanted: str | None, *, is_looked_up: bool) -> Found:
        """Return the key, when no fetch is due any more."""
        known = self._known(key_id)
        if known is not None or self._fetched == inf:
            return known
        if self._failure is not None and (wanted is not None or now() - self._fetched >= DAY):
            return CannotVerifyError(str(self._failure))
        if wanted is not None and not is_looked_up:
            wait = f"try again in {max(0.0, self._next - now()):.0f} s"
            unknown = f"its key {quote(wanted)} is unknown, and was looked up a moment ago"
            return CannotVerifyError(f"{unknown}; {wait}")
        return None

    def _renew(self, fetch: Future[None], wanted: str | None) -> None:
        """Fetch the keys, and end a fetch."""
        began = now()
        failure: Exception | None = PlatformError("the fetch of the issuer's keys was interrupted")
        keys: Keys = {}
        try:
            keys = self._published()
            failure = None
        except (PlatformError, ArgumentError) as error:
            failure = error
            if self._keys:
                _LOG.warning("the issuer's keys are not renewed: %s", error)
        finally:
            with self._lock:
                self._failure = failure
                if failure is None:
                    self._keys = keys
                    self._fetched = began
                if failure is not None or (wanted is not None and wanted not in keys):
                    self._next = began + _COOLDOWN
                self._fetch = None
            fetch.set_result(None)

    def _published(self) -> Keys:
        """Fetch the keys (OpenID Connect Discovery 1.0); they may be on another host with https."""
        began = time.monotonic()
        with open_http(self._url) as http:
            well_known = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
            call = Call(method="GET", url=well_known)
            response = send(http, call, self._timeout)
            configuration = call.read_object(response.body)
            issuer = configuration.get("issuer")
            if issuer != self._issuer:
                reason = must_be_issuer(self._issuer, issuer)
                raise call.invalid("issuer", f"{reason}, got {shown(issuer) or 'nothing'}")
            place = self._place_of_keys(call, configuration)
            call = Call(method="GET", url=str(place), place=place.netloc.decode())
            left = self._timeout - (time.monotonic() - began)
            response = send(http, call, max(left, 0))
        keys = read_keys(call.read_object(response.body))
        if not keys:
            raise call.invalid("keys", "no key for RS256 or ES256")
        return keys

    def _place_of_keys(self, call: Call, configuration: dict[str, Any]) -> httpx2.URL:
        """Return the URL of the keys: at the issuer's own place, or both have https."""
        try:
            place = httpx2.URL(str(configuration.get("jwks_uri")))
        except httpx2.InvalidURL:
            place = httpx2.URL()
        is_allowed = place.scheme == self._url.scheme == "https"
        if _origin(place) == _origin(self._url):
            is_allowed = True
        if not is_allowed or not place.host or place.userinfo:
            raise call.invalid("jwks_uri", "must be an https URL, as the issuer must")
        return place


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
