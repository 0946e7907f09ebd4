"""The rules of networks and apps, as constraints of the database (specification, 2.1 and 2.2)."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager

import pytest
from sandbox_calls import call, create

from fdaa.platform.sandbox import Sandbox, SandboxError
from fdaa.platform.sandbox._state import RefusedError, State


@contextmanager
def opened(directory):
    """Give a state with a few apps and a Machine."""
    with closing(State(directory / "state.sqlite")) as made:
        made.create_app("web", "acme", "customer-17")
        made.create_app("worker", "acme", "default")
        made.create_app("other", "rival", "customer-17")
        made.start_machine("web")
        yield made


@pytest.fixture
def state(tmp_path):
    with opened(tmp_path) as made:
        yield made


def database(state):
    """Return the database itself, as a faulty program would have it."""
    return state._database


@pytest.fixture(scope="module", params=["the server's connection", "a plain connection"])
def connection(request, tmp_path_factory):
    """What a statement comes over; a plain one checks no references, as SQLite has it."""
    directory = tmp_path_factory.mktemp("state")
    file = directory / "state.sqlite"
    with opened(directory) as made, closing(sqlite3.connect(file, isolation_level=None)) as plain:
        yield database(made) if request.param == "the server's connection" else plain


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM networks WHERE name = 'customer-17'",
        "DELETE FROM networks",
        "UPDATE networks SET name = 'other' WHERE name = 'customer-17'",
        "UPDATE networks SET number = number + 10",
        "UPDATE networks SET organization = 1",
        "INSERT INTO networks (organization, name) VALUES (1, 'customer-17')",
        "INSERT OR REPLACE INTO networks (organization, name) VALUES (1, 'customer-17')",
        "INSERT OR REPLACE INTO networks (organization, name) SELECT organization, name"
        " FROM networks WHERE number NOT IN (SELECT network FROM apps)",
        "INSERT INTO networks (organization, name) VALUES (1, '17-customer')",
        "INSERT INTO networks (organization, name) VALUES (1, '')",
        "INSERT INTO networks (organization, name) VALUES (1, 'a_b')",
        "INSERT INTO networks (organization, name) VALUES (1, 'é')",
        "INSERT INTO networks (organization, name) VALUES (99, 'blue')",
        "INSERT INTO networks (number, organization, name) VALUES (0, 1, 'blue')",
        "INSERT INTO networks (number, organization, name) VALUES (4294967296, 1, 'blue')",
        "INSERT INTO networks (organization, name) VALUES (1, 1)",
        "UPDATE apps SET network = (SELECT min(number) FROM networks)",
        "UPDATE apps SET name = name || 'x'",
        "UPDATE OR REPLACE apps SET network = 131072",
        "INSERT INTO apps (name, network) VALUES ('web', 131072)",
        "INSERT INTO apps (name, network) VALUES ('new', 99)",
        "INSERT OR REPLACE INTO networks VALUES (131073, 1, 'renamed')",
        "REPLACE INTO networks (rowid, organization, name) VALUES (131073, 1, 'renamed')",
        "INSERT OR REPLACE INTO apps (number, name, network)"
        " SELECT number, name, 131072 FROM apps WHERE name = 'web'",
        "INSERT OR REPLACE INTO apps (name, network) VALUES ('web', 131072)",
        "INSERT OR REPLACE INTO apps (number, name, network) VALUES (1, 'x', 131072)",
        "INSERT OR REPLACE INTO organizations VALUES (1, 'x')",
        "INSERT OR REPLACE INTO organizations (slug) VALUES ('acme')",
        "INSERT OR REPLACE INTO machines VALUES (1, 2)",
        "DELETE FROM organizations",
        "UPDATE organizations SET slug = 'x'",
        "UPDATE machines SET app = 2",
        "INSERT INTO machines (app) VALUES (99)",
    ],
)
def test_the_database_refuses_what_the_rules_forbid(connection, statement):
    before = list(connection.iterdump())
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    assert list(connection.iterdump()) == before


def test_the_machines_of_an_app_go_with_it(connection):
    connection.execute("BEGIN")
    connection.execute("DELETE FROM apps WHERE name = 'web'")
    left = connection.execute("SELECT count(*) FROM machines").fetchone()
    connection.execute("ROLLBACK")
    assert left == (0,)


def test_every_organization_has_a_default_network(state):
    rows = database(state).execute(
        "SELECT slug FROM organizations JOIN networks ON organization = organizations.number"
        " WHERE name = 'default' ORDER BY slug"
    )
    assert rows.fetchall() == [("acme",), ("rival",)]


def test_a_refused_creation_leaves_nothing_behind(state):
    before = list(database(state).iterdump())
    for app, org, network in [("web", "fresh", "green"), ("a:b", "fresh", "green")]:
        with pytest.raises(RefusedError):
            state.create_app(app, org, network)
    with pytest.raises(RefusedError):
        state.create_app("new", "fresh", "17")
    assert list(database(state).iterdump()) == before


def test_a_full_disk_refuses_a_creation_and_leaves_nothing_behind(state):
    pages = database(state).execute("PRAGMA page_count").fetchone()[0]
    database(state).execute(f"PRAGMA max_page_count = {pages}")
    made = [f"app-{number}" for number in range(10_000)]
    with pytest.raises(sqlite3.OperationalError, match="full"):
        made = [state.create_app(name, "acme", f"on-{name}").name for name in made]
    database(state).execute(f"PRAGMA max_page_count = {pages * 2}")
    acknowledged = [app.name for app in state.apps("acme")][2:]
    assert acknowledged == made[: len(acknowledged)]
    state.create_app(made[len(acknowledged)], "acme", "blue")


def test_network_ids_are_given_one_after_the_other(state):
    for number in range(3):
        state.create_app(f"more-{number}", "acme", "customer-17")
    state.create_app("last", "acme", "last")
    ids = database(state).execute("SELECT number FROM networks ORDER BY number").fetchall()
    assert ids == [(0x20000 + number,) for number in range(5)]


def test_networks_of_one_name_in_two_organizations_have_two_ids(state):
    ids = {state.start_machine(app).address.network_id for app in ("web", "other")}
    assert len(ids) == 2


def test_a_network_comes_back_with_its_id_after_its_apps_and_a_restart(tmp_path):
    seen = []
    for _ in range(2):
        with Sandbox(tmp_path) as sandbox:
            for _ in range(2):
                create(sandbox, "web", "customer-17")
                seen.append(sandbox.machine("web").address)
                call(sandbox, "DELETE", "/v1/apps/web")
                create(sandbox, f"between-{len(seen)}", f"new-{len(seen)}")
    assert len({address.network_id for address in seen}) == 1
    assert len(set(seen)) == 4


def test_a_state_of_another_version_is_refused(tmp_path, state):
    database(state).execute("PRAGMA user_version = 2")
    with pytest.raises(SandboxError, match="version 2"), Sandbox(tmp_path):
        pass


def test_a_state_that_cannot_be_written_is_told(tmp_path, state):
    database(state).execute(
        "CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT raise(ABORT, 'disk full'); END"
    )
    with pytest.raises(SandboxError, match="cannot be used: disk full"), Sandbox(tmp_path):
        pass


def test_a_file_that_is_no_state_is_refused(tmp_path):
    (tmp_path / "state.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(SandboxError, match="cannot be used"), Sandbox(tmp_path):
        pass
