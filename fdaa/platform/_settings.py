"""Where the platform is and with which token: checked before anything is sent."""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
from urllib.request import getproxies, proxy_bypass

import httpx2

from fdaa.platform._errors import ArgumentError

_MAX_TIMEOUT = 86_400  # seconds; the operating system takes no number of any size
# The characters of RFC 3986; httpx2 takes 64 KiB, and what is asked for comes behind it.
_URL = re.compile(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]{1,8192}")


def checked_url(text: str, what: str, *, allow_plain_http: bool) -> httpx2.URL:
    """Return a URL that a secret may be sent to, or that keys may be fetched from.

    Args:
        text: https, or http to a loopback address; no user information, query or fragment.
        what: its name, for errors.
        allow_plain_http: whether http to any other address is fine.

    Raises:
        ArgumentError: it is no such URL. It is never quoted, as it may be a token, or have one.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    authority = text.partition("://")[2].partition("/")[0]
    if "@" in authority:
        raise ArgumentError(f"{what} must have no user information in it")
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
        raise ArgumentError(f"{what} must be a URL like https://api.example")
    if "?" in text or "#" in text:
        raise ArgumentError(f"{what} must have no query and no fragment")
    if url.scheme == "http" and not (allow_plain_http or is_loopback(url)):
        reason = "plain http is for a loopback address; use https, or allow plain http"
        raise ArgumentError(f"{what}: {reason}")
    return url


def is_loopback(url: httpx2.URL) -> bool:
    """Whether a URL's host is this machine itself."""
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return url.host == "localhost"


def proxy_for(url: httpx2.URL) -> str | None:
    """Return the proxy that the environment names for a URL; this machine itself has none.

    Raises:
        ArgumentError: it cannot be used. It is not quoted, as there may be a password in it.
    """
    if is_loopback(url) or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy:
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"  # as curl reads it
    try:
        if httpx2.URL(proxy).scheme in ("http", "https"):
            return proxy
    except httpx2.InvalidURL:
        pass
    raise ArgumentError(f"the proxy of the environment for {url.scheme} must be an http URL")


def tls_for(url: httpx2.URL) -> ssl.SSLContext:
    """Return whom to trust: for https as the operating system does, for plain http nobody.

    Raises:
        ArgumentError: the certificates that the environment names cannot be read.
    """
    if url.scheme == "https":
        try:
            return httpx2.create_ssl_context()
        except OSError as error:
            raise ArgumentError(f"SSL_CERT_FILE cannot be used: {error.strerror}") from None
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading all certificates takes 20 ms


def checked_timeout(seconds: float) -> float:
    """Return how long a call may take in all.

    Raises:
        ArgumentError: it is not above 0, or longer than a day.
        TypeError: it is no number.
    """
    if not isinstance(seconds, int | float):
        raise TypeError(f"timeout must be a number of seconds, not {type(seconds).__name__}")
    if not 0 < seconds <= _MAX_TIMEOUT:
        raise ArgumentError(f"timeout must be above 0 and at most {_MAX_TIMEOUT} seconds")
    return float(seconds)


def from_environment(variable: str) -> str:
    """Return a variable's value.

    Raises:
        ArgumentError: it is not set.
    """
    value = os.environ.get(variable)
    if not value:
        raise ArgumentError(f"{variable} is not set")
    return value
