"""What the tests of the live part share: servers, short pauses, and a clock."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import pytest
import trustme
from token_issuer import Issuer

from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private, as users have no business with it: retries need no seconds here."""
    monkeypatch.setattr("fdaa.platform._http._PAUSES", (0.01, 0.01, 0.01))


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[trustme.CA, str]:
    """An authority for certificates, and the file with its own."""
    made = trustme.CA()
    file = str(tmp_path_factory.mktemp("tls") / "ca.pem")
    made.cert_pem.write_to_path(file)
    return made, file


@pytest.fixture(autouse=True)
def trusted(authority: tuple[trustme.CA, str], monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """The only authority that is trusted; to read the system's takes 20 ms for each client."""
    made, file = authority
    monkeypatch.setenv("SSL_CERT_FILE", file)
    return made


@pytest.fixture
def tls_server(trusted: trustme.CA) -> ssl.SSLContext:
    """What a server for 127.0.0.1 needs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trusted.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which keys age; private, as users have no business with it."""
    now = [1000.0]
    for room in ("fdaa.platform._keys", "fdaa.platform.sandbox._state"):
        monkeypatch.setattr(f"{room}.now", lambda: now[0])
    return now
