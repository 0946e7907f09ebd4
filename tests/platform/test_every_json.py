"""Each command prints each kind of object of its schema with --json, and nothing that it lacks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import schemas
from command import invoke
from network_files import ALL, save, save_all
from sandbox_process import running
from secrets_seen import asked_for
from token_issuer import AUDIENCE, Issuer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platform_command import Platform

NAMES = {path.stem for path in schemas.DIRECTORY.glob("*.json")} - {"common"}
BOOK = ("-d", "book.json")
# Two networks for one app, and a row that cannot be used.
BAD = ("-d", "other.json", "-d", "api=ips.json")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "decode": [("fdaa:2:45b::3", "fdaa:2:45b:a7b::/64", "bad", *BOOK)],
    "same": [("fdaa:2:45b::3", "fdaa:7::3"), ("fdaa:2:45b::3", "bad")],
    "build": [("2:45b", "::3")],
    "scan": [("web.json", *BOOK)],
    "scan-count": [("web.json", *BOOK)],
    "check-name": [("blue", "a_b", "default")],
    "check-allocations": [(*ALL, *BAD)],
    "networks": [(*ALL, *BAD), (*ALL, "--why")],
    "decode": [("fdaa:2:45b::3", "old", "bad", *ALL)],
    "book-learn": [(*ALL, *BOOK), ("-d", "other.json", *ALL, *BOOK)],
    "book-add": [("green", "0:9", *BOOK)],
    "book-rename": [("green", "lime", *BOOK)],
    "book-list": [BOOK],
    "book-remove": [("lime", *BOOK)],
    "reach": [("web", "api", *ALL), ("2:45b", "7:0"), ("web", "api", *ALL, *BAD)],
    "explain": [("dial tcp [fdaa:7::3]:5432: i/o timeout", *ALL), ("no address",)],
    "probe": [
        ("[fdaa:7::3]:80", "nosuch.internal:80", "--timeout", "0.2", *ALL),
    ],
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("json")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        save_all()
        save("other.json", [{"Name": "web", "Network": "red"}, {"Name": 5, "Network": "blue"}])
        yield path


def kinds(name: str) -> list[dict[str, Any]]:
    """Return a schema for each kind of object that the command prints."""
    schema = schemas.closed(schemas.load(name))
    definitions = schema.pop("$defs", {})
    return [{"$defs": definitions, **kind} for kind in schema.pop("anyOf", [schema])]


def check(name: str, printed: str) -> None:
    """Check that output is valid, and has each kind of object."""
    assert printed
    schemas.check(name, printed)
    objects = [json.loads(line) for line in printed.splitlines()]
    for kind in kinds(name):
        assert any(map(schemas.validator_of(kind).is_valid, objects)), (name, kind)


def command(name: str) -> tuple[str, ...]:
    if name == "scan-count":
        return ("scan", "--count")
    return tuple(name.split("-"))


def test_commands_without_a_platform(directory: Path) -> None:
    del directory
    invoke("book", "add", "blue", "2:45b", *BOOK)
    for name, calls in CALLS.items():
        printed = ""
        for call in calls:
            result = invoke(*command(name), *call, "--json", PLATFORM_PRIVATE_IP="fdaa:2:45b::3")
            printed += result.stdout
        check(name, printed)


def test_commands_with_a_platform(platform: Platform, tmp_path: Path) -> None:
    check("apps-create", platform.invoke("apps", "create", "new", "--org", "acme", "--json").stdout)
    check("apps-list", platform.invoke("apps", "list", "--org", "acme", "--json").stdout)
    check("apps-destroy", platform.invoke("apps", "destroy", "new", "--yes", "--json").stdout)
    inside = platform.inside("web")
    check("whoami", platform.invoke("whoami", "--json", **inside).stdout)
    token = platform.invoke("token", "--aud", AUDIENCE, "--json", **inside)
    check("token", asked_for(token.stdout))
    claims = platform.invoke("token", "--aud", AUDIENCE, "--claims", "--json", **inside)
    check("token-claims", claims.stdout)
    with running(tmp_path / "state"):
        pass  # it checks the line of `sandbox`


def test_verify() -> None:
    with Issuer() as issuer:
        token = issuer.token().encode()
        options = ("--aud", AUDIENCE, "--allow-plain-http", "--json")
        valid = invoke("verify", "--issuer", issuer.url, *options, stdin=token)
        refused = invoke("verify", "--issuer", issuer.url, *options, stdin=b"x.y.z")
    gone = invoke("verify", "--issuer", issuer.url, *options, stdin=token)
    check("verify", valid.stdout + refused.stdout + gone.stdout)


def test_each_schema_is_of_a_call_above() -> None:
    with_platform = {"apps-create", "apps-list", "apps-destroy", "whoami", "token", "token-claims"}
    assert {*CALLS, *with_platform, "verify", "sandbox"} == NAMES
