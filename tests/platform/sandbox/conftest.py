"""A sandbox for tests that need none of their own."""

from __future__ import annotations

import datetime
import ipaddress
import signal

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fdaa.platform.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as shared:
        yield shared


@pytest.fixture
def signals_as_before():
    """Undo what `fdaa sandbox` does with signals, where a test runs it in this process."""
    numbers = [
        getattr(signal, f"SIG{name}") for name in ["INT", "TERM", "HUP", "QUIT", "CHLD", "PIPE"]
    ]
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """The files of a certificate for 127.0.0.1, made here, and of its key."""
    now = datetime.datetime.now(datetime.UTC)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sandbox")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    directory = tmp_path_factory.mktemp("tls")
    (directory / "certificate").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (directory / "key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(directory / "certificate"), str(directory / "key")
