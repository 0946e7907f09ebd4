"""What the tests of the live part share: servers, short pauses, and a clock."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import pytest
import trustme
from platform_command import Platform
from token_issuer import Issuer

from fdaa.platform import Client
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private, as users have no business with it: retries need no seconds here."""
    monkeypatch.setattr("fdaa.platform._http._PAUSES", (0.01, 0.01, 0.01))


@pytest.fixture(scope="session")
def certificate_authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def tls_server(certificate_authority: trustme.CA) -> ssl.SSLContext:
    """What a server for 127.0.0.1 needs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate_authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture(scope="session")
def tls_trust(certificate_authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file for SSL_CERT_FILE with which a client trusts it."""
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    certificate_authority.cert_pem.write_to_path(str(file))
    return str(file)


@pytest.fixture(autouse=True)
def one_certificate(tls_trust: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the tests' own authority: to read the system's takes 20 ms for each client."""
    monkeypatch.setenv("SSL_CERT_FILE", tls_trust)


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.fixture(scope="module")
def platform(sandbox: Sandbox) -> Platform:
    """Two apps of acme, on a network each."""
    with Client(sandbox.base_url, sandbox.token) as client:
        client.create_app("web", org="acme", network="blue")
        client.create_app("api", org="acme", network="green")
    return Platform(sandbox)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which keys age; private, as users have no business with it."""
    now = [1000.0]
    for room in ("fdaa.platform._keys", "fdaa.platform.sandbox._state"):
        monkeypatch.setattr(f"{room}.now", lambda: now[0])
    return now
