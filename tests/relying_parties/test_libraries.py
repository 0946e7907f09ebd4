"""Other libraries verify our tokens, and SDKs send them: the table in `docs/tokens.md`."""

from __future__ import annotations

import json
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

import pytest
from command import invoke
from hostile_server import HostileServer, Received, answer
from pages import only_block

from fdaa.platform import MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.engines

PAGE = Path(__file__).parent.parent.parent / "docs" / "tokens.md"
AUDIENCE = "sts.amazonaws.com"


class Issued(NamedTuple):
    """A token, its issuer, and what that publishes."""

    environment: dict[str, str]
    issuer: str
    token: str
    configuration: dict[str, Any]
    keys: dict[str, Any]


def get(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(url) as response:  # noqa: S310 - of the sandbox
        document: dict[str, Any] = json.load(response)
    return document


@pytest.fixture(scope="module")
def issued() -> Iterator[Issued]:
    with Sandbox() as sandbox:
        sandbox.create_app("web", org="acme")
        machine = sandbox.start_machine("web")
        token = MachineIdentity(socket=machine.socket).token(aud=AUDIENCE).reveal()
        issuer = sandbox.ensure_issuer("acme")
        configuration = get(f"{issuer}/.well-known/openid-configuration")
        keys = get(configuration["jwks_uri"])
        yield Issued(machine.environment, issuer, token, configuration, keys)


# --- libraries that verify ------------------------------------------------------------------------


def required(issued: Issued) -> dict[str, Any]:
    """Return the requirements as joserfc takes them."""
    values = {"iss": issued.issuer, "aud": AUDIENCE}
    return {name: {"essential": True, "value": value} for name, value in values.items()}


def with_fdaa(issued: Issued, token: str) -> str:
    return Verifier(issuer=issued.issuer, aud=AUDIENCE).verify(token).sub


def with_pyjwt(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("jwt")
    key = jwt.PyJWKClient(issued.configuration["jwks_uri"]).get_signing_key_from_jwt(token)
    claims = jwt.decode(token, key, ["RS256"], audience=AUDIENCE, issuer=issued.issuer)
    return str(claims["sub"])


def with_joserfc(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("joserfc.jwt")
    keys = pytest.importorskip("joserfc.jwk").KeySet.import_key_set(issued.keys)
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    jwt.JWTClaimsRegistry(**required(issued)).validate(decoded.claims)
    return str(decoded.claims["sub"])


def with_google_auth(issued: Issued, token: str) -> str:
    id_token = pytest.importorskip("google.oauth2.id_token")
    request = pytest.importorskip("google.auth.transport.requests").Request()
    url = issued.configuration["jwks_uri"]
    return str(id_token.verify_token(token, request, audience=AUDIENCE, certs_url=url)["sub"])


# The first column of the table -> what verifies.
LIBRARIES: dict[str, Callable[[Issued, str], str]] = {
    "`fdaa.platform.Verifier`": with_fdaa,
    "PyJWT, `PyJWKClient`": with_pyjwt,
    "joserfc": with_joserfc,
    "google-auth, `id_token.verify_token`": with_google_auth,
}
# Rows with a test of their own below.
OTHERS = ("google-auth, file and executable", "boto3")


def test_the_rows_of_the_table_are_the_runs() -> None:
    table = PAGE.read_text().partition("## Relying parties\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1].strip() for row in table.splitlines() if row.startswith("| ")]
    assert set(rows) - {"library"} == {*LIBRARIES, *OTHERS}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_verifies_a_token_and_refuses_a_changed_one(issued: Issued, library: str) -> None:
    assert LIBRARIES[library](issued, issued.token) == "acme:web:machine-1"
    header, payload, signature = issued.token.split(".")
    changed = f"{header}.{payload}.{signature[::-1]}"
    with pytest.raises(Exception, match=r".") as info:
        LIBRARIES[library](issued, changed)
    assert not isinstance(info.value, OSError | AttributeError | TypeError)


# --- SDKs that send -------------------------------------------------------------------------------


@pytest.fixture
def token_file(issued: Issued, tmp_path: Path) -> Path:
    """A file with a token, as the page writes it."""
    file = tmp_path / "token"
    arguments = ("token", "--aud", AUDIENCE, "--output", str(file))
    assert invoke(*arguments, env=issued.environment).exit_code == 0
    return file


@contextmanager
def google_sts(issued: Issued, source: dict[str, object]) -> Iterator[dict[str, object]]:
    """Run a service that exchanges a token that it verifies (RFC 8693); give its configuration."""
    verifier = Verifier(issuer=issued.issuer, aud=AUDIENCE, sub="acme:web:*")

    def exchange(connection: socket.socket, request: Received) -> None:
        fields = parse_qs(request.body.decode())
        body = {
            "access_token": verifier.verify(fields["subject_token"][0]).sub,
            "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
            "token_type": "Bearer",
            "expires_in": 900,
        }
        answer(connection, 200, json.dumps(body).encode(), "Content-Type: application/json")

    pool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/b/c"
    with HostileServer(exchange) as server:
        yield {
            "type": "external_account",
            "audience": pool,
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": f"{server.url}/v1/token",
            "credential_source": source,
        }


def test_google_auth_sends_the_token_in_a_file(issued: Issued, token_file: Path) -> None:
    pool = pytest.importorskip("google.auth.identity_pool")
    transport = pytest.importorskip("google.auth.transport.requests")
    with google_sts(issued, {"file": str(token_file)}) as configuration:
        credentials = pool.Credentials.from_info(configuration, scopes=["read"])
        credentials.refresh(transport.Request())
    assert credentials.token == "acme:web:machine-1"


def test_google_auth_runs_the_program_of_the_page(
    issued: Issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pluggable = pytest.importorskip("google.auth.pluggable")
    transport = pytest.importorskip("google.auth.transport.requests")
    script = only_block(PAGE, r"```sh\n(#!/bin/sh\n.*?)```")
    program = tmp_path / "google-token"
    program.write_text(script.replace("https://iam.googleapis.com/example", AUDIENCE))
    program.chmod(0o755)
    monkeypatch.setenv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    for name, value in issued.environment.items():
        monkeypatch.setenv(name, value)
    source: dict[str, object] = {"executable": {"command": str(program), "timeout_millis": 30_000}}
    with google_sts(issued, source) as configuration:
        credentials = pluggable.Credentials.from_info(configuration, scopes=["read"])
        credentials.refresh(transport.Request())
    assert credentials.token == "acme:web:machine-1"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_boto3_sends_the_token_in_a_file(
    issued: Issued, token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer=issued.issuer, aud=AUDIENCE)
    verified = []

    def verify(request: Any, **_: object) -> None:
        body = request.body
        fields = parse_qs(body.decode() if isinstance(body, bytes) else body)
        verified.append(verifier.verify(fields["WebIdentityToken"][0]).app_name)

    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    moto.start()
    try:
        host, port = moto.get_host_and_port()
        for name, value in (
            ("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/web"),
            ("AWS_WEB_IDENTITY_TOKEN_FILE", str(token_file)),
            ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
            ("AWS_DEFAULT_REGION", "eu-central-1"),
        ):
            monkeypatch.setenv(name, value)
        session = boto3.Session()
        session.events.register("before-send.sts.AssumeRoleWithWebIdentity", verify)
        caller = session.client("sts").get_caller_identity()
    finally:
        moto.stop()
    assert (":assumed-role/web/" in caller["Arn"], verified) == (True, ["web"])
