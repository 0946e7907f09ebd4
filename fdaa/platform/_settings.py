"""Where the platform is and with which token: checked before anything is sent."""

from __future__ import annotations

import ipaddress
import math
import re
import ssl
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import httpx2

from fdaa.errors import quote
from fdaa.platform._errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

URL_VARIABLE = "FDAA_API_URL"
TOKEN_VARIABLE = "FDAA_API_TOKEN"  # noqa: S105 - the name of a variable

_URL = re.compile(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]+")  # the characters of RFC 3986


def checked_url(text: str, what: str, *, allow_plain_http: bool) -> httpx2.URL:
    """Return a URL that a secret may be sent to, or that keys may be fetched from.

    Args:
        text: https, or http to a loopback address; no user information, query or fragment.
        what: its name, for errors.
        allow_plain_http: whether http to any other address is fine.

    Raises:
        ArgumentError: it is no such URL.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    authority = text.partition("://")[2].partition("/")[0]
    if "@" in authority:
        raise ArgumentError(f"{what} must have no user information in it")  # so it is not quoted
    try:
        url = httpx2.URL(text) if _URL.fullmatch(text) else None
    except httpx2.InvalidURL:
        url = None
    if (
        url is None
        or url.scheme not in ("http", "https")
        or not url.host
        or (url.port or 0) > 65535
    ):
        raise ArgumentError(f"{what} must be a URL like https://api.example, not {quote(text)}")
    if "?" in text or "#" in text:
        raise ArgumentError(f"{what} must have no query and no fragment: {quote(text)}")
    if url.scheme == "http" and not (allow_plain_http or is_loopback(url)):
        reason = "plain http is for a loopback address; use https, or allow it (allow_plain_http)"
        raise ArgumentError(f"{what} {quote(text)}: {reason}")
    return url


def is_loopback(url: httpx2.URL) -> bool:
    """Whether a URL's host is this machine itself."""
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return url.host == "localhost"


def proxy_for(url: httpx2.URL) -> str | None:
    """Return the proxy that the environment names for a URL; this machine itself has none."""
    if is_loopback(url) or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    return proxies.get(url.scheme) or proxies.get("all")


def tls_for(url: httpx2.URL) -> ssl.SSLContext:
    """Return whom to trust: for https as the operating system does, for plain http nobody."""
    if url.scheme == "https":
        return httpx2.create_ssl_context()
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading all certificates takes 20 ms


def checked_timeout(seconds: float) -> float:
    """Return how long a call may take in all.

    Raises:
        ArgumentError: it is not a finite number above 0.
    """
    if not (math.isfinite(seconds) and seconds > 0):
        raise ArgumentError(f"timeout must be a number of seconds above 0, not {seconds}")
    return float(seconds)


def from_environment(environ: Mapping[str, str], variable: str) -> str:
    """Return a variable's value.

    Raises:
        ArgumentError: it is not set.
    """
    value = environ.get(variable)
    if not value:
        raise ArgumentError(f"{variable} is not set")
    return value
