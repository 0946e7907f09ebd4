"""What the tests of the live part share: servers, short pauses, and a secret to look for."""

from __future__ import annotations

import logging
import pickle
import ssl
import subprocess
from pathlib import Path
from traceback import TracebackException
from typing import TYPE_CHECKING, Any

import pytest
import trustme
from click.testing import CliRunner
from platform_command import Platform
from secrets_seen import CANARY, SECRETS
from token_issuer import Issuer

from fdaa import FdaaError
from fdaa.platform import Client, PlatformError
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fdaa.platform._messages._PAUSES", (0.01, 0.01, 0.01))


class _Seen:
    """Everything that a test let out: output, errors."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.errors: list[BaseException] = []

    def record(self, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, keep: Any) -> None:
        """Call a method as it is, and keep what `keep` takes from its object and its result."""
        original = getattr(owner, name)

        def recording(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            keep(self, result)
            return result

        monkeypatch.setattr(owner, name, recording)


def _as_text(output: object) -> str:
    return output.decode(errors="replace") if isinstance(output, bytes) else str(output)


@pytest.fixture(autouse=True)
def no_secret_is_let_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> Iterator[None]:
    """Look for each secret in all output, logs, tracebacks, pickles and core files of a test."""
    seen = _Seen()
    for owner in (PlatformError, FdaaError):
        seen.record(monkeypatch, owner, "__init__", lambda error, _: seen.errors.append(error))
    seen.record(monkeypatch, CliRunner, "invoke", lambda _, r: seen.texts.append(r.output))
    seen.record(
        monkeypatch,
        subprocess.Popen,
        "communicate",
        lambda _, streams: seen.texts.extend(map(_as_text, streams)),
    )
    caplog.set_level(logging.DEBUG)
    yield
    logs = [
        record.getMessage() for when in ("setup", "call") for record in caplog.get_records(when)
    ]
    for error in seen.errors:
        seen.texts += TracebackException.from_exception(error).format()
        seen.texts += [str(error), repr(error), str(vars(error)), str(pickle.dumps(error, 0))]
    let_out = "\n".join([*seen.texts, *logs])
    cores = [path for place in (Path(), tmp_path) for path in place.glob("core*")]
    found = [path for path in cores if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert not found
    for secret in SECRETS:
        assert secret not in let_out


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


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which of the two clients is called."""
    return request.param


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    """Two apps of acme, on a network each."""
    with Sandbox() as sandbox:
        with Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme", network="blue")
            client.create_app("api", org="acme", network="green")
        yield Platform(sandbox)
