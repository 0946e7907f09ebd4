"""What the tests of the live part share: servers, short pauses, and secrets to look for."""

from __future__ import annotations

import logging
import pickle
import ssl
from traceback import TracebackException
from typing import TYPE_CHECKING, Any

import pytest
import trustme
from click.testing import CliRunner
from platform_command import Platform
from secrets_seen import LET_OUT, hear, remember, secrets_in
from token_issuer import Issuer

from fdaa import FdaaError
from fdaa.platform import Client, Token
from fdaa.platform.sandbox import Sandbox
from fdaa.platform.sandbox._api import Api  # private: it makes the tokens that no client asks for

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Private, as users have no business with it: retries need no seconds here."""
    monkeypatch.setattr("fdaa.platform._http._PAUSES", (0.01, 0.01, 0.01))


def _after(patch: pytest.MonkeyPatch, owner: type, name: str, then: Callable[..., None]) -> None:
    """Call a method as it is, and then `then` with its object and its result."""
    original = getattr(owner, name)

    def with_then(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        then(self, result)
        return result

    patch.setattr(owner, name, with_then)


@pytest.fixture(autouse=True, scope="module")
def secrets_and_output_are_known() -> Iterator[None]:
    """Remember each secret where it is made, and what commands write."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    with pytest.MonkeyPatch.context() as patch:
        _after(patch, Token, "__init__", lambda token, _: remember(token.reveal()))
        _after(patch, Sandbox, "start", lambda sandbox, _: remember(sandbox.token))
        _after(patch, Api, "issue_token", lambda _, token: remember(token))
        _after(patch, CliRunner, "invoke", lambda _, result: hear(result.stdout, result.stderr))
        yield
    root.setLevel(level)


@pytest.fixture(autouse=True)
def no_secret_is_let_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Look for each secret in output, in errors, their chains, tracebacks and pickles."""
    errors: list[Exception] = []
    _after(monkeypatch, FdaaError, "__init__", lambda error, _: errors.append(error))
    yield
    texts = LET_OUT.copy()
    LET_OUT.clear()
    for error in errors:
        if not type(error).__module__.startswith("fdaa.platform"):
            continue  # it quotes a response, and is not let out
        texts += TracebackException.from_exception(error).format()
        texts += [repr(error), str(vars(error)), str(pickle.dumps(error, 0))]
        texts += [repr(error.__cause__), repr(error.__context__)]
    assert not secrets_in("\n".join(texts))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Look for each secret in what pytest captures: logs, and streams that processes inherit."""
    report = yield
    if call.when == "teardown" and report.passed:
        found = secrets_in("\n".join(text for _, text in report.sections))
        if found:
            report.outcome = "failed"
            report.longrepr = f"let out in a log or in an inherited stream: {found}"
    return report


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


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which of the two clients is called."""
    return str(request.param)


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


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which keys age; private, as users have no business with it."""
    now = [1000.0]
    for room in ("fdaa.platform._keys", "fdaa.platform.sandbox._state"):
        monkeypatch.setattr(f"{room}.now", lambda: now[0])
    return now
