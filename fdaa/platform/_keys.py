"""An issuer's keys (specification, section 5, rule 4): fetched rarely, kept in an outage.

Keys are fetched again when they are `fresh_for` seconds old, or for a key ID that is unknown.
Until they are `usable_for` seconds old, no token waits for that: a failed fetch is no failure.
After a fetch that failed or did not find a key, the next one waits for 30 seconds.
"""

from __future__ import annotations

import logging
import threading
import time
from math import inf
from typing import TYPE_CHECKING, Any

import jwt

from fdaa._support.clock import now
from fdaa._support.escapes import quote
from fdaa._values.errors import ArgumentError
from fdaa.platform._claim_forms import SLASH, differ_by_a_slash, shown
from fdaa.platform._errors import CannotVerifyError, PlatformError
from fdaa.platform._http import Call, checked_url, open_http, send

if TYPE_CHECKING:
    import httpx2

ALGORITHMS = ("RS256", "ES256")
_COOLDOWN = 30.0  # seconds
_LOG = logging.getLogger("fdaa.platform")

Keys = dict[str | None, jwt.PyJWK]  # by their IDs


def read_keys(published: object) -> Keys:
    """Return the keys of a JWK set (RFC 7517) that may verify a token."""
    found = published.get("keys") if isinstance(published, dict) else None
    keys: Keys = {}
    for jwk in found if isinstance(found, list) else []:
        try:
            key = jwt.PyJWK(jwk)
        except (jwt.PyJWTError, AttributeError, LookupError, TypeError, ValueError):
            continue
        is_weak = "d" in jwk or (key.algorithm_name == "RS256" and key.key.key_size < 2048)
        if key.algorithm_name in ALGORITHMS and jwk.get("use", "sig") == "sig" and not is_weak:
            keys[key.key_id or None] = key
    return keys


class KeyStore:
    """The keys of an issuer; threads may share them.

    Args:
        issuer: the issuer, as it is in tokens.
        allow_plain_http: allow http, for tests.
        fresh_for: seconds for which keys are used without another fetch.
        usable_for: seconds for which they are used if a fetch fails.
        timeout: seconds for a fetch.
        given: keys that are used, and nothing is fetched.

    Raises:
        fdaa.ArgumentError: an argument cannot be used.
    """

    def __init__(
        self,
        issuer: str,
        *,
        allow_plain_http: bool,
        fresh_for: float,
        usable_for: float,
        timeout: float,
        given: dict[str, Any] | None,
    ) -> None:
        self._keys: Keys = {}
        self._issuer = issuer
        self._timeout = timeout
        self._fresh_for = fresh_for
        self._usable_for = usable_for
        self._begun = 0  # fetches
        self._keys_of: float = 0  # the number of the fetch that returned the keys
        self._fetched = -inf  # the moment at which it began
        self._next = -inf  # no fetch before this moment
        self._failure: PlatformError | None = None
        self._lock = threading.Lock()  # held during a fetch
        if given is not None:
            self._keys = read_keys(given)
            self._fetched = self._next = self._keys_of = inf
            if not self._keys:
                raise ArgumentError("keys must be a JWK set with a key for RS256 or ES256")
            return
        if not 0 <= fresh_for <= usable_for:
            raise ArgumentError("keys_fresh_for must be 0 to keys_usable_for seconds")
        self._url = checked_url(issuer, "issuer", allow_plain_http=allow_plain_http)

    def is_due(self, key_id: str | None, *, look_up: bool) -> bool:
        """Whether to fetch the keys now; `look_up`: also for an ID that is unknown."""
        moment = now()
        is_unknown = look_up and key_id is not None and key_id not in self._keys
        return moment >= self._next and (moment - self._fetched >= self._fresh_for or is_unknown)

    def find(self, key_id: str | None, *, look_up: bool) -> jwt.PyJWK | None:
        """Return the key for a token, after a fetch if one is due; None if there is none.

        Args:
            key_id: the ID in the token's header; a token without one is of the only key there is.
            look_up: whether to fetch the keys for an ID that is unknown.

        Raises:
            CannotVerifyError: it is not known whether there is such a key.
        """
        arrived = self._begun
        known = self._known(key_id)
        if self.is_due(key_id, look_up=look_up) and self._lock.acquire(blocking=known is None):
            try:
                if self.is_due(key_id, look_up=look_up):  # another thread may have fetched them
                    self._fetch(key_id, look_up=look_up)
            finally:
                self._lock.release()
            known = self._known(key_id)
        if known is not None:
            return known
        if now() - self._fetched >= self._usable_for:
            raise CannotVerifyError(str(self._failure or "the issuer's keys were not fetched"))
        if look_up and key_id is not None and self._keys_of <= arrived:
            wait = f"try again in {max(0.0, self._next - now()):.0f} seconds"
            unknown = f"its key {quote(key_id)} is unknown, and was looked up a moment ago; {wait}"
            raise CannotVerifyError(str(self._failure or unknown))
        return None

    def _known(self, key_id: str | None) -> jwt.PyJWK | None:
        if now() - self._fetched >= self._usable_for:
            return None
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _fetch(self, key_id: str | None, *, look_up: bool) -> None:
        began = now()
        self._begun += 1
        try:
            with open_http(self._url) as http:
                self._keys = self._published(http)
        except (PlatformError, ArgumentError) as error:
            if self._keys:
                _LOG.warning("the issuer's keys are not renewed: %s", error)
            self._failure = error if isinstance(error, PlatformError) else PlatformError(str(error))
            self._next = began + _COOLDOWN
            return
        self._failure = None
        self._fetched, self._keys_of = began, self._begun
        if look_up and key_id is not None and key_id not in self._keys:
            self._next = began + _COOLDOWN

    def _published(self, http: httpx2.Client) -> Keys:
        """Fetch the keys (OpenID Connect Discovery 1.0); they may be on another host with https."""
        deadline = time.monotonic() + self._timeout
        place = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        call = Call(method="GET", url=place)
        configuration = call.read_object(send(http, call, deadline)[1])
        issuer = configuration.get("issuer")
        if issuer != self._issuer:
            reason = f"must be {quote(self._issuer)} exactly, got {shown(issuer) or 'nothing'}"
            if isinstance(issuer, str) and differ_by_a_slash(issuer, self._issuer):
                reason += f"; {SLASH}"
            raise call.invalid("issuer", reason)
        uri = configuration.get("jwks_uri")
        origin = "/".join(self._issuer.split("/", 3)[:3]) + "/"
        if not isinstance(uri, str) or not uri.startswith((origin, "https://")):
            raise call.invalid("jwks_uri", "must be an https URL")
        call = Call(method="GET", url=uri)
        keys = read_keys(call.read_object(send(http, call, deadline)[1]))
        if not keys:
            raise call.invalid("keys", "no key for RS256 or ES256")
        return keys
