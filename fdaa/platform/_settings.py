"""The platform's URL and the token, checked before anything is sent."""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
from urllib.request import getproxies, proxy_bypass

import httpx2

from fdaa._values.checks import check_type, text_of
from fdaa._values.errors import ArgumentError
from fdaa._values.text import HIGHEST_PORT
from fdaa.platform._errors import PlainHTTPError

_PORTS = {"http": 80, "https": 443}
_MAX_TIMEOUT = 86_400  # seconds; the operating system takes no number of any size
# The characters of RFC 3986; httpx2 takes 64 KiB, and the path of a request comes after it.
_URL = re.compile(r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]{1,8192}")


def checked_base_url(text: str, *, allow_plain_http: bool) -> httpx2.URL:
    """Return a URL that the API token may be sent to: https, or http to a loopback address.

    Args:
        text: the URL.
        allow_plain_http: whether http to any other address is allowed.

    Raises:
        fdaa.ArgumentError: it is not such a URL.
    """
    check_type(allow_plain_http, "allow_plain_http", bool)  # "no" and "0" would be yes
    url = checked_url(text, "the base URL")
    if url.scheme == "http" and not (allow_plain_http or is_loopback(url)):
        raise PlainHTTPError("base_url", reason="plain http is only for a loopback address")
    return url


def checked_issuer(text: str, *, allow_plain_http: bool) -> httpx2.URL:
    """Return a URL that keys may be fetched from: https.

    Args:
        text: the URL.
        allow_plain_http: whether http is allowed, to this computer or another one.

    Raises:
        fdaa.ArgumentError: it is not such a URL.
    """
    check_type(allow_plain_http, "allow_plain_http", bool)
    url = checked_url(text, "issuer")
    if url.scheme == "http" and not allow_plain_http:
        raise PlainHTTPError("issuer", reason="plain http is only for tests")
    return url


def checked_url(text: str, label: str) -> httpx2.URL:
    """Return an http or https URL without user information, query and fragment.

    Args:
        text: the URL.
        label: its name, for errors.

    Raises:
        fdaa.ArgumentError: it is not such a URL. It is never quoted, because it may be or contain
            a token.
    """
    text = text_of(text, label)
    url = _parsed(text)
    if url is None:
        raise ArgumentError(f"{label} must be a URL like https://api.example")
    authority = text.partition("://")[2].partition("/")[0]
    if "@" in authority or "?" in text or "#" in text:
        raise ArgumentError(f"{label} must have no user information, query or fragment")
    return url


def is_https(text: str) -> bool:
    """Whether a text is an https URL without user information and fragment."""
    url = _parsed(text)
    return url is not None and url.scheme == "https" and not url.userinfo and "#" not in text


def _parsed(text: str) -> httpx2.URL | None:
    """Return an http or https URL; None if the text is not one."""
    if not _URL.fullmatch(text):
        return None
    try:
        url = httpx2.URL(text)
    except httpx2.InvalidURL:
        return None
    if url.scheme not in ("http", "https") or not url.host:
        return None
    if url.port is not None and url.port > HIGHEST_PORT:
        return None
    return url


def is_loopback(url: httpx2.URL) -> bool:
    """Whether a URL's host is this computer itself."""
    try:
        return ipaddress.ip_address(url.host).is_loopback
    except ValueError:
        return url.host == "localhost"


def proxy_for(url: httpx2.URL) -> str | None:
    """Return the proxy that the environment names for a URL; this computer itself has none.

    Raises:
        fdaa.ArgumentError: it cannot be used for this URL. It is not quoted, as it may contain a
            password.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or is_loopback(url) or _bypasses_proxy(url):
        return None
    label = f"the proxy of the environment for {url.scheme}"
    bypass = f"add {url.host} to NO_PROXY"
    if url.scheme == "http":
        raise ArgumentError(f"{label} could read the token: use https, or {bypass}")
    if ":" in url.host:  # httpx2 writes it to the proxy without its brackets
        raise ArgumentError(f"{label} cannot be used for an IPv6 address: {bypass}")
    if "://" not in proxy:
        proxy = f"http://{proxy}"  # as curl reads it
    if not _is_http(proxy):
        raise ArgumentError(f"{label} must be an http URL")
    return proxy


def _is_http(text: str) -> bool:
    try:
        return httpx2.URL(text).scheme in ("http", "https")
    except httpx2.InvalidURL:
        return False


def _bypasses_proxy(url: httpx2.URL) -> bool:
    """Whether NO_PROXY has a URL's host.

    Python reads names, their suffixes and ports; here `*.suffix`, brackets and ranges are added.
    """
    host = f"[{url.host}]" if ":" in url.host else url.host
    port = url.port or _PORTS[url.scheme]
    for name in (url.host, host, f"{host}:{port}"):
        if proxy_bypass(name):
            return True
    for part in getproxies().get("no", "").split(","):
        entry = part.strip()
        if entry.startswith("*.") and url.host.endswith(entry[1:].lower()):
            return True
        if "/" in entry and _is_inside(url.host, entry):
            return True
    return False


def _is_inside(host: str, entry: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False


def tls_for(url: httpx2.URL) -> ssl.SSLContext:
    """Return the TLS settings: for https those of the operating system, for plain http none.

    Raises:
        fdaa.ArgumentError: the certificates that the environment names cannot be read.
    """
    if url.scheme != "https":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading all certificates takes 20 ms
    try:
        return httpx2.create_ssl_context()
    except OSError as error:
        raise ArgumentError(f"SSL_CERT_FILE cannot be used: {error.strerror}") from None


def checked_timeout(seconds: float) -> float:
    """Return the time limit of a call.

    Raises:
        fdaa.ArgumentError: it is not above 0, or longer than a day.
        TypeError: it is not a number.
    """
    check_type(seconds, "timeout", int, float)
    if not 0 < seconds <= _MAX_TIMEOUT:
        raise ArgumentError(f"timeout must be above 0 and at most {_MAX_TIMEOUT} seconds")
    return float(seconds)


def from_environment(variable: str) -> str:
    """Return a variable's value.

    Raises:
        fdaa.ArgumentError: it is not set.
    """
    value = os.environ.get(variable)
    if not value:
        raise ArgumentError(f"{variable} is not set")
    return value
