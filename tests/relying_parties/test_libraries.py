"""Other people's programs verify our tokens, or send them: `docs/tokens.md`."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from command import environ
from pages import only_block

from fdaa.platform import MachineIdentity, Token
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.engines

DOCS = Path(__file__).parents[2] / "docs"
AUDIENCE = "https://iam.googleapis.com/example"


class Issued(NamedTuple):
    environment: dict[str, str]
    issuer: str
    token: str


@pytest.fixture(scope="module")
def issued() -> Iterator[Issued]:
    with Sandbox() as sandbox:
        sandbox.create_app("web", org="acme")
        machine = sandbox.start_machine("web")
        token = MachineIdentity(socket=machine.socket).token(aud=AUDIENCE)
        yield Issued(machine.environment, sandbox.ensure_issuer("acme"), token.reveal())


def with_pyjwt(issuer: str, token: str) -> Any:
    jwt = pytest.importorskip("jwt")
    key = jwt.PyJWKClient(f"{issuer}/keys").get_signing_key_from_jwt(token)
    return jwt.decode(token, key, ["RS256"], audience=AUDIENCE, issuer=issuer)


def with_joserfc(issuer: str, token: str) -> Any:
    jwt = pytest.importorskip("joserfc.jwt")
    with urllib.request.urlopen(f"{issuer}/keys") as response:  # noqa: S310 - of the sandbox
        keys = pytest.importorskip("joserfc.jwk").KeySet.import_key_set(json.load(response))
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    registry = jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": issuer}, aud={"essential": True, "value": AUDIENCE}
    )
    registry.validate(decoded.claims)
    return decoded.claims


@pytest.mark.parametrize("verify", [with_pyjwt, with_joserfc])
def test_a_library_verifies_a_token_and_refuses_a_changed_one(
    issued: Issued, verify: Callable[[str, str], Any]
) -> None:
    assert verify(issued.issuer, issued.token)["sub"] == "acme:web:machine-1"
    signed, _, signature = issued.token.rpartition(".")
    with pytest.raises(Exception, match=r"(?i)signature"):
        verify(issued.issuer, f"{signed}.{'A' * len(signature)}")


def test_google_auth_runs_the_program_of_the_page(
    issued: Issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pluggable = pytest.importorskip("google.auth.pluggable")
    program = tmp_path / "google-token"
    program.write_text(only_block(DOCS / "tokens.md", r"```sh\n(#!/bin/sh\n.*?)```"))
    program.chmod(0o755)
    monkeypatch.setenv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    for name, value in issued.environment.items():
        monkeypatch.setenv(name, value)
    configuration = {
        "type": "external_account",
        "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/b/c",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": "https://sts.invalid",
        "credential_source": {"executable": {"command": str(program), "timeout_millis": 30_000}},
    }
    credentials = pluggable.Credentials.from_info(configuration)
    token = Token(credentials.retrieve_subject_token(None))
    assert token.claims().sub == "acme:web:machine-1"


def test_the_service_of_the_page_passes_its_tests() -> None:
    pytest.importorskip("fastapi")
    options = ("-q", "-c", "/dev/null", "-p", "no:cacheprovider")  # as in a user's project
    command = [sys.executable, "-m", "pytest", *options, "test_allow_list.py"]
    done = subprocess.run(
        command, cwd=DOCS / "examples", env=environ(), capture_output=True, text=True, check=False
    )
    assert "5 passed" in done.stdout, done.stdout
