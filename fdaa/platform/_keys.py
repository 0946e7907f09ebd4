"""The keys that an issuer publishes: fetched rarely, kept well, never replaced by worse ones."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx2
import jwt

from fdaa.errors import quote
from fdaa.platform import _messages as messages
from fdaa.platform._errors import (
    InvalidResponseError,
    PlatformError,
)
from fdaa.platform._exchange import exchange, settings
from fdaa.platform._messages import Request
from fdaa.platform._settings import checked_url, proxy_for, tls_for
from fdaa.platform._transport import DeadlineTransport

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

ALGORITHMS = ("RS256", "ES256")
_FRESH = 300.0  # seconds for which keys are used without asking again
_COOLDOWN = 30.0  # seconds in which an unknown key ID, or an issuer that fails, costs one fetch
_TIMEOUT = 10.0  # seconds for both files together
_RSA_BITS = range(2048, 8192 + 1)  # longer ones take their time

_LOG = logging.getLogger("fdaa.platform")


class Key(NamedTuple):
    """A published key, or why it is not to be used."""

    algorithm: str
    public: RSAPublicKey | EllipticCurvePublicKey | None
    fault: str | None = None


class Keys:
    """The keys of one issuer; threads may share them.

    Args:
        issuer: as it stands in tokens.
        allow_plain_http: for an issuer on this machine, and for tests.

    Raises:
        ValueError: it is no URL that keys may be fetched from.
    """

    def __init__(self, issuer: str, *, allow_plain_http: bool) -> None:
        url = checked_url(issuer, "the issuer", allow_plain_http=allow_plain_http)
        if url.scheme == "http" and not allow_plain_http:
            reason = "keys are fetched over https; use it, or allow plain http"
            raise ValueError(f"the issuer: {reason}")
        self._issuer, self._url = issuer, url
        self._tls, self._proxy = tls_for(url), proxy_for(url)
        self._lock = threading.Lock()
        self._keys: dict[str, Key] = {}
        self._loaded = self._asked_for_unknown = self._failed = -float("inf")
        self._failure: PlatformError | None = None

    def find(self, key_id: str | None) -> Key | None:
        """Return the key with an ID; without one, the only key there is.

        Raises:
            PlatformError: no keys could be fetched, so far.
        """
        key = self._known(key_id)
        if key is not None and time.monotonic() - self._loaded < _FRESH:
            return key
        with self._lock:  # one fetch at a time; who comes meanwhile uses what it brings
            now = time.monotonic()
            stale = now - self._loaded >= _FRESH
            unknown = self._known(key_id) is None and now - self._asked_for_unknown >= _COOLDOWN
            if (stale or unknown) and now - self._failed >= _COOLDOWN:
                self._refresh(now)
                if self._known(key_id) is None:
                    self._asked_for_unknown = now
            if not self._keys and self._failure is not None:
                raise type(self._failure)(*self._failure.args)  # a fresh one for each thread
            return self._known(key_id)

    def _known(self, key_id: str | None) -> Key | None:
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)

    def _refresh(self, now: float) -> None:
        try:
            self._keys = self._fetch()
        except PlatformError as error:
            if self._keys:
                _LOG.warning("the keys of the issuer are not renewed: %s", error)
            self._failure, self._failed = error, now
        else:
            self._loaded, self._failure = now, None

    def _fetch(self) -> dict[str, Key]:
        transport = DeadlineTransport(verify=self._tls, proxy=self._proxy)
        with httpx2.Client(transport=transport, **settings()) as http:
            return self._fetch_with(http, time.monotonic() + _TIMEOUT)

    def _fetch_with(self, http: httpx2.Client, deadline: float) -> dict[str, Key]:
        place = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        configuration = _get(http, place, deadline)
        if configuration.get("issuer") != self._issuer:
            reason = f"expected {quote(self._issuer)} exactly"
            raise InvalidResponseError(f"GET {place}", "issuer", reason)
        uri = configuration.get("jwks_uri")
        if not isinstance(uri, str) or not self._is_near(uri):
            reason = "expected a URL with the issuer's own scheme, host and port"
            raise InvalidResponseError(f"GET {place}", "jwks_uri", reason)
        keys = _read_keys(_get(http, uri, deadline).get("keys"))
        if not any(key.public for key in keys.values()):
            raise InvalidResponseError(f"GET {uri}", "keys", "expected a key for RS256 or ES256")
        return keys

    def _is_near(self, uri: str) -> bool:
        try:
            url = checked_url(uri, "jwks_uri", allow_plain_http=True)
        except ValueError:
            return False
        return (url.scheme, url.host, url.port) == (
            self._url.scheme,
            self._url.host,
            self._url.port,
        )


def _get(http: httpx2.Client, url: str, deadline: float) -> dict[str, Any]:
    """Return the JSON object at a URL.

    Raises:
        PlatformError: there is none.
    """
    request = Request("GET", url)
    response = exchange(http, request, url, deadline - time.monotonic())
    value = messages.read_json(request, response)
    if not isinstance(value, dict):
        raise InvalidResponseError(request.call, "", "expected a JSON object")
    return value


def _read_keys(published: object) -> dict[str, Key]:
    """Return the keys of a JWK set by their IDs (RFC 7517); those for other uses are left out."""
    keys: dict[str, Key] = {}
    for jwk in published if isinstance(published, list) else ():
        if not isinstance(jwk, dict) or jwk.get("use", "sig") != "sig":
            continue
        key = _read_key(jwk)
        key_id = jwk.get("kid", "")
        if key is None or not isinstance(key_id, str):
            continue
        if key_id in keys:
            key = Key(key.algorithm, None, "an ID that one key has, not two")
        keys[key_id] = key
    return keys


def _read_key(jwk: dict[str, Any]) -> Key | None:
    """Return a key for one of our algorithms, with its fault; None for another kind of key."""
    if jwk.get("kty") == "RSA":
        algorithm = "RS256"
    elif jwk.get("kty") == "EC" and jwk.get("crv") == "P-256":
        algorithm = "ES256"
    else:
        return None
    if jwk.get("alg", algorithm) != algorithm:
        return None
    if "d" in jwk:
        return Key(algorithm, None, "a public key, and its private half is published")
    if algorithm == "RS256":
        bits = _bits_of(jwk.get("n"))
        if bits not in _RSA_BITS:
            reason = f"an RSA key of {_RSA_BITS[0]} to {_RSA_BITS[-1]} bits, and it has {bits}"
            return Key(algorithm, None, reason)
    try:
        return Key(algorithm, jwt.PyJWK(jwk, algorithm).key)
    except (jwt.PyJWTError, ValueError, TypeError):
        return Key(algorithm, None, "a key that can be read")


def _bits_of(number: object) -> int:
    """Return how many bits a number in base64url has, as far as its length tells."""
    try:
        return int.from_bytes(jwt.utils.base64url_decode(str(number))).bit_length()
    except ValueError:
        return 0
