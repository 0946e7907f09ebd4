"""What a sandbox keeps: its rules as constraints of the database (specification, 2.1 and 2.2)."""

from __future__ import annotations

import resource
import signal
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sandbox_calls import call, create, listed
from sandbox_process import running

from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The file of a sandbox that has a few apps and is stopped."""
    with Sandbox(state=tmp_path) as sandbox:
        create(sandbox, "web", "customer-17")
        create(sandbox, "worker")
        create(sandbox, "other", "customer-17", org="rival")
    with closing(sqlite3.connect(tmp_path / "state.sqlite", isolation_level=None)) as opened:
        opened.execute("PRAGMA foreign_keys = ON")
        yield opened


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO networks (organization, name) VALUES (1, 'customer-17')",
        "INSERT INTO networks (organization, name) VALUES (1, '17-customer')",
        "INSERT INTO networks (organization, name) VALUES (1, 'a_b')",
        "INSERT INTO networks (organization, name) VALUES (99, 'blue')",
        "INSERT INTO networks (number, organization, name) VALUES (0, 1, 'blue')",
        "INSERT INTO networks (number, organization, name) VALUES (4294967296, 1, 'blue')",
        "INSERT INTO apps (name, network) VALUES ('web', 131072)",
        "INSERT INTO apps (name, network) VALUES ('new', 99)",
        "INSERT INTO machines (app) VALUES (99)",
        "DELETE FROM networks WHERE name = 'customer-17'",
        "DELETE FROM organizations",
    ],
)
def test_the_database_refuses_what_the_rules_forbid(
    database: sqlite3.Connection, statement: str
) -> None:
    before = list(database.iterdump())
    with pytest.raises(sqlite3.IntegrityError):
        database.execute(statement)
    assert list(database.iterdump()) == before


def test_every_organization_has_a_default_network_and_ids_follow_each_other(
    database: sqlite3.Connection,
) -> None:
    rows = database.execute(
        "SELECT slug, name, networks.number FROM networks"
        " JOIN organizations ON organization = organizations.number ORDER BY networks.number"
    )
    assert rows.fetchall() == [
        ("acme", "default", 0x20000),
        ("acme", "customer-17", 0x20001),
        ("rival", "default", 0x20002),
        ("rival", "customer-17", 0x20003),
    ]


@pytest.mark.parametrize(("app", "network"), [("web", "green"), ("a:b", "green"), ("new", "17")])
def test_a_refused_creation_creates_no_organization(
    sandbox: Sandbox, app: str, network: str
) -> None:
    create(sandbox, "web")
    assert create(sandbox, app, network, "fresh").status == 422
    assert call(sandbox, "GET", "/v1/apps?org_slug=fresh").status == 404


def no_file_over_200_kib() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


@pytest.mark.slow
def test_a_full_disk_refuses_a_creation_and_loses_nothing(tmp_path: Path) -> None:
    """Of a hundred requests that fail, the log has one line."""
    acknowledged: list[str] = []
    options: dict[str, Any] = {"preexec_fn": no_file_over_200_kib, "stderr": subprocess.PIPE}
    with running(tmp_path / "state", **options) as (process, limited):
        while create(limited, f"app-{len(acknowledged)}", f"on-{len(acknowledged)}").status == 201:
            acknowledged.append(f"app-{len(acknowledged)}")
        refusals = [create(limited, f"other-{i}", f"on-other-{i}") for i in range(100)]
        assert {refusal.status for refusal in refusals} == {507}
        assert {refusal.json["status"] for refusal in refusals} == {"no_storage"}
        assert set(listed(limited)) == set(acknowledged)
    with process.stderr:
        (line,) = process.stderr.read().splitlines()
    assert line.startswith("the sandbox's state cannot be used: ")
    with Sandbox(state=tmp_path / "state") as sandbox:
        assert list(listed(sandbox)) == acknowledged
        assert create(sandbox, "more").status == 201


def test_networks_of_one_name_in_two_organizations_have_two_ids(sandbox: Sandbox) -> None:
    create(sandbox, "first", "blue", org="acme")
    create(sandbox, "second", "blue", org="rival")
    ids = {sandbox.start_machine(app).address.network_id for app in ("first", "second")}
    assert len(ids) == 2


def test_a_network_comes_back_with_its_id_after_its_apps_and_a_restart(tmp_path: Path) -> None:
    seen = []
    for _ in range(2):
        with Sandbox(state=tmp_path) as sandbox:
            for _ in range(2):
                create(sandbox, "web", "customer-17")
                seen.append(sandbox.start_machine("web").address)
                call(sandbox, "DELETE", "/v1/apps/web")
                create(sandbox, f"between-{len(seen)}", f"new-{len(seen)}")
    assert len({address.network_id for address in seen}) == 1
    assert len(set(seen)) == 4


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("PRAGMA user_version = 1", "its format is 1; this version of fdaa reads 2"),
        (
            "CREATE TRIGGER full BEFORE INSERT ON settings"
            " BEGIN SELECT raise(ABORT, 'disk full'); END",
            "cannot be used: disk full",
        ),
    ],
)
def test_a_state_that_cannot_be_used_is_an_error(
    tmp_path: Path, database: sqlite3.Connection, statement: str, reason: str
) -> None:
    database.execute(statement)
    with pytest.raises(SandboxError, match=reason):
        Sandbox(state=tmp_path).start()


def test_a_file_that_is_no_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(SandboxError, match="cannot be used"):
        Sandbox(state=tmp_path).start()
