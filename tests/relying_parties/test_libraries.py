"""Other libraries verify our tokens, and SDKs send them: the table in `docs/tokens.md`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

import pytest
from command import COMMAND, environ
from hostile_server import HostileServer, Received, answer
from pages import only_block
from piped import Piped

from fdaa.platform import Client, MachineIdentity, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.engines

PAGE = Path(__file__).parent.parent.parent / "docs" / "tokens.md"
AUDIENCE = "sts.amazonaws.com"


class Issued(NamedTuple):
    """A token, its issuer, and what that publishes."""

    sandbox: Sandbox
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
        with Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme")
        token = (
            MachineIdentity(socket=sandbox.start_machine("web").socket).token(aud=AUDIENCE).reveal()
        )
        issuer = sandbox.ensure_issuer("acme")
        configuration = get(f"{issuer}/.well-known/openid-configuration")
        yield Issued(sandbox, issuer, token, configuration, get(configuration["jwks_uri"]))


# --- libraries that verify ------------------------------------------------------------------------


def with_pyjwt(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("jwt")
    key = jwt.PyJWKClient(issued.configuration["jwks_uri"]).get_signing_key_from_jwt(token)
    claims = jwt.decode(token, key, ["RS256"], audience=AUDIENCE, issuer=issued.issuer)
    return str(claims["sub"])


def with_joserfc(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("joserfc.jwt")
    keys = pytest.importorskip("joserfc.jwk").KeySet.import_key_set(issued.keys)
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    required = {
        name: {"essential": True, "value": value}
        for name, value in (("iss", issued.issuer), ("aud", AUDIENCE))
    }
    jwt.JWTClaimsRegistry(**required).validate(decoded.claims)
    return str(decoded.claims["sub"])


def with_authlib(issued: Issued, token: str) -> str:
    jose = pytest.importorskip("authlib.jose")
    required = {
        name: {"essential": True, "value": value}
        for name, value in (("iss", issued.issuer), ("aud", AUDIENCE))
    }
    keys = jose.JsonWebKey.import_key_set(issued.keys)
    claims = jose.JsonWebToken(["RS256"]).decode(token, keys, claims_options=required)
    claims.validate()
    return str(claims["sub"])


def with_python_jose(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("jose.jwt")
    claims = jwt.decode(token, issued.keys, ["RS256"], audience=AUDIENCE, issuer=issued.issuer)
    return str(claims["sub"])


def with_jwcrypto(issued: Issued, token: str) -> str:
    jwt = pytest.importorskip("jwcrypto.jwt")
    keys = pytest.importorskip("jwcrypto.jwk").JWKSet.from_json(json.dumps(issued.keys))
    checks = {"iss": issued.issuer, "aud": AUDIENCE}
    decoded = jwt.JWT(jwt=token, key=keys, check_claims=checks, algs=["RS256"])
    return str(json.loads(decoded.claims)["sub"])


def with_google_auth(issued: Issued, token: str) -> str:
    id_token = pytest.importorskip("google.oauth2.id_token")
    request = pytest.importorskip("google.auth.transport.requests").Request()
    url = issued.configuration["jwks_uri"]
    return str(id_token.verify_token(token, request, audience=AUDIENCE, certs_url=url)["sub"])


JOSE = """
import { createRemoteJWKSet, jwtVerify } from "jose";
const [token, issuer, audience, keys] = process.argv.slice(2);
const options = { issuer, audience, algorithms: ["RS256"] };
const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(keys)), options);
console.log(payload.sub);
"""


@pytest.fixture(scope="module")
def jose_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with jose of npm and a program that verifies with it."""
    if shutil.which("npm") is None:
        pytest.skip("Node is not installed")
    directory = tmp_path_factory.mktemp("jose")
    (directory / "verify.mjs").write_text(JOSE)
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "jose@6"]
    done = subprocess.run(install, cwd=directory, capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        pytest.skip("jose cannot be installed")
    return directory


def with_fdaa(issued: Issued, token: str) -> str:
    return Verifier(issuer=issued.issuer, aud=AUDIENCE, allow_plain_http=True).verify(token).sub


# The first column of the table -> what verifies.
LIBRARIES: dict[str, Callable[[Issued, str], str]] = {
    "`fdaa.platform.Verifier`": with_fdaa,
    "PyJWT, `PyJWKClient`": with_pyjwt,
    "joserfc": with_joserfc,
    "Authlib, `authlib.jose`": with_authlib,
    "python-jose": with_python_jose,
    "jwcrypto": with_jwcrypto,
    "google-auth, `id_token.verify_token`": with_google_auth,
}
# Rows with a test of their own below.
OTHERS = (
    "Authlib, `OpenIDProviderMetadata`",
    "google-auth, file and executable",
    "boto3",
    "jose (Node)",
)


def test_the_rows_of_the_table_are_the_runs() -> None:
    table = PAGE.read_text().partition("## Relying parties\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1].strip() for row in table.splitlines() if row.startswith("| ")]
    assert set(rows) - {"library"} == {*LIBRARIES, *OTHERS}


@pytest.mark.filterwarnings("ignore:authlib.jose module is deprecated")
@pytest.mark.filterwarnings("ignore:datetime.datetime.utc:DeprecationWarning")
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_verifies_a_token_and_refuses_a_changed_one(issued: Issued, library: str) -> None:
    assert LIBRARIES[library](issued, issued.token) == "acme:web:machine-1"
    header, payload, signature = issued.token.split(".")
    changed = f"{header}.{payload}.{signature[::-1]}"
    with pytest.raises(Exception, match=r".") as info:
        LIBRARIES[library](issued, changed)
    assert not isinstance(info.value, OSError | AttributeError | TypeError)


def test_jose_of_npm_verifies_a_token_and_refuses_a_changed_one(
    issued: Issued, jose_project: Path
) -> None:
    def run(token: str) -> subprocess.CompletedProcess[str]:
        keys = issued.configuration["jwks_uri"]
        arguments = ["node", "verify.mjs", token, issued.issuer, AUDIENCE, keys]
        return subprocess.run(
            arguments, cwd=jose_project, capture_output=True, text=True, check=False
        )

    assert run(issued.token).stdout == "acme:web:machine-1\n"
    header, payload, signature = issued.token.split(".")
    refused = run(f"{header}.{payload}.{signature[::-1]}")
    assert refused.returncode != 0
    assert "signature verification failed" in refused.stderr


def test_authlib_requires_endpoints_for_logins_in_the_configuration(issued: Issued) -> None:
    discovery = pytest.importorskip("authlib.oidc.discovery")
    with pytest.raises(ValueError, match="authorization_endpoint"):
        discovery.OpenIDProviderMetadata(issued.configuration).validate()


# --- SDKs that send -------------------------------------------------------------------------------


@contextmanager
def token_file(issued: Issued, directory: Path) -> Iterator[Path]:
    """Keep a file with a token fresh, as the page shows it."""
    file = directory / "token"
    variables = issued.sandbox.start_machine("web").environment
    options = ("--aud", AUDIENCE, "--output", str(file), "--refresh")
    started = [*COMMAND, "token", *options, "--", sys.executable, "-c", "print(1); input()"]
    process = Piped(started, env=environ(variables), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        process.stdout.readline()
        yield file
        process.stdin.close()


@pytest.fixture
def verified() -> list[str]:
    """The subjects of tokens that an STS has verified."""
    return []


@pytest.fixture
def google_sts(issued: Issued, verified: list[str]) -> Iterator[str]:
    """The URL of a service that exchanges a token that it verifies (RFC 8693)."""
    verifier = Verifier(issuer=issued.issuer, aud=AUDIENCE, sub="acme:web:*", allow_plain_http=True)

    def exchange(connection: socket.socket, request: Received) -> None:
        fields = parse_qs(request.body.decode())
        verified.append(verifier.verify(fields["subject_token"][0]).sub)
        body = {
            "access_token": "granted",
            "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
            "token_type": "Bearer",
            "expires_in": 900,
        }
        answer(connection, 200, json.dumps(body).encode(), "Content-Type: application/json")

    with HostileServer(exchange) as server:
        yield f"{server.url}/v1/token"


def google_configuration(url: str, source: dict[str, object]) -> dict[str, object]:
    return {
        "type": "external_account",
        "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/b/c",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": url,
        "credential_source": source,
    }


def test_google_auth_sends_the_token_in_a_file(
    issued: Issued, google_sts: str, verified: list[str], tmp_path: Path
) -> None:
    pool = pytest.importorskip("google.auth.identity_pool")
    transport = pytest.importorskip("google.auth.transport.requests")
    with token_file(issued, tmp_path) as file:
        source = google_configuration(google_sts, {"file": str(file)})
        credentials = pool.Credentials.from_info(source, scopes=["read"])
        credentials.refresh(transport.Request())
    assert (credentials.token, len(verified)) == ("granted", 1)


def test_google_auth_runs_the_program_of_the_page(
    issued: Issued,
    google_sts: str,
    verified: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pluggable = pytest.importorskip("google.auth.pluggable")
    transport = pytest.importorskip("google.auth.transport.requests")
    script = only_block(PAGE, r"```sh\n(#!/bin/sh\n.*?)```")
    program = tmp_path / "google-token"
    program.write_text(script.replace("https://iam.googleapis.com/example", AUDIENCE))
    program.chmod(0o755)
    monkeypatch.setenv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    for name, value in issued.sandbox.start_machine("web").environment.items():
        monkeypatch.setenv(name, value)
    source: dict[str, object] = {"executable": {"command": str(program), "timeout_millis": 30_000}}
    configuration = google_configuration(google_sts, source)
    credentials = pluggable.Credentials.from_info(configuration, scopes=["read"])
    for _ in range(2):
        credentials.refresh(transport.Request())
    assert (credentials.token, len(set(verified)), len(verified)) == ("granted", 1, 2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_boto3_sends_the_token_in_a_file(
    issued: Issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer=issued.issuer, aud=AUDIENCE, allow_plain_http=True)
    verified = []

    def verify(request: Any, **_: object) -> None:
        fields = parse_qs(
            request.body.decode() if isinstance(request.body, bytes) else request.body
        )
        claims = verifier.verify(fields["WebIdentityToken"][0])
        verified.append(f"{claims.org_name}:{claims.app_name}")

    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    moto.start()
    try:
        host, port = moto.get_host_and_port()
        with token_file(issued, tmp_path) as file:
            for name, value in (
                ("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/web"),
                ("AWS_WEB_IDENTITY_TOKEN_FILE", str(file)),
                ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
                ("AWS_DEFAULT_REGION", "eu-central-1"),
            ):
                monkeypatch.setenv(name, value)
            session = boto3.Session()
            session.events.register("before-send.sts.AssumeRoleWithWebIdentity", verify)
            caller = session.client("sts").get_caller_identity()
    finally:
        moto.stop()
    assert (":assumed-role/web/" in caller["Arn"], verified) == (True, ["acme:web"])
