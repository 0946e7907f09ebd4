"""The rules of networks and apps, as constraints of the database (specification, 2.1 and 2.2)."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sandbox_calls import call, create, listed

from fdaa.platform.sandbox import Sandbox, SandboxError
from fdaa.platform.sandbox._state import RefusedError, State


@pytest.fixture
def state(tmp_path):
    with closing(State(tmp_path / "state.sqlite")) as opened:
        opened.create_app("web", "acme", "customer-17")
        opened.create_app("worker", "acme", "default")
        opened.create_app("other", "rival", "customer-17")
        opened.start_machine("web")
        yield opened


def database(state):
    """Return the database itself, as a faulty program would have it."""
    return state._database


@pytest.fixture(params=["the server's connection", "a plain connection"])
def connection(request, state, tmp_path):
    """What a statement comes over; a plain one checks no references, as SQLite has it."""
    if request.param == "the server's connection":
        yield state._database
    else:
        with closing(sqlite3.connect(tmp_path / "state.sqlite", isolation_level=None)) as plain:
            yield plain


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
    connection.execute("DELETE FROM apps WHERE name = 'web'")
    assert connection.execute("SELECT count(*) FROM machines").fetchone() == (0,)


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


ORGS = st.sampled_from(["acme", "rival"])
APPS = st.sampled_from(["web", "worker", "db"])
NETWORKS = st.sampled_from([None, "default", "Default", "customer-17", "blue"])


class Platform(RuleBasedStateMachine):
    """The sandbox against the rules, told in a few lines of Python."""

    def __init__(self):
        super().__init__()
        self.sandbox = Sandbox()
        self.sandbox.__enter__()
        self.apps = {}  # name -> (organization, network)
        self.ids = {}  # (organization, network) -> network ID
        self.addresses = set()

    def teardown(self):
        self.sandbox.__exit__()

    @rule(app=APPS, org=ORGS, network=NETWORKS)
    def create(self, app, org, network):
        expected = 422 if app in self.apps else 201
        assert create(self.sandbox, app, network, org).status == expected
        self.apps.setdefault(app, (org, network or "default"))

    @rule(app=APPS)
    def destroy(self, app):
        expected = 202 if app in self.apps else 404
        assert call(self.sandbox, "DELETE", f"/v1/apps/{app}").status == expected
        self.apps.pop(app, None)

    @precondition(lambda self: self.apps)
    @rule(data=st.data())
    def start_machine(self, data):
        app = data.draw(st.sampled_from(sorted(self.apps)))
        machine = self.sandbox.machine(app)
        place = self.apps[app]
        assert self.ids.setdefault(place, machine.address.network_id) == machine.address.network_id
        assert machine.address not in self.addresses
        self.addresses.add(machine.address)

    @invariant()
    def each_id_is_of_one_network(self):
        assert len(set(self.ids.values())) == len(self.ids)

    @rule(org=ORGS)
    def list_apps(self, org):
        self.sandbox.issuer(org)  # it exists from now on
        told = {app["name"]: (org, app["network"]) for app in listed(self.sandbox, org).values()}
        assert told == {name: place for name, place in self.apps.items() if place[0] == org}


class TestPlatform(Platform.TestCase):
    settings = settings(max_examples=settings().max_examples // 12, stateful_step_count=20)
