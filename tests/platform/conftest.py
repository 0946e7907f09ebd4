"""What the tests of the live part share: a certificate made for them, short pauses, a canary."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import pytest
import trustme

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._messages._PAUSES", (0.01, 0.01, 0.01))


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
    file: Path = tmp_path_factory.mktemp("tls") / "ca.pem"
    certificate_authority.cert_pem.write_to_path(str(file))
    return str(file)
