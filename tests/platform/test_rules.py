"""The client, the database behind it and the rules of sections 2.1 and 2.2 against each other."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest
from hostile_server import HostileServer, Received, answer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sandbox_calls import ask_token, call

from fdaa.networks import NetworkMap
from fdaa.platform import Client, MachineIdentity, ResponseError, Verifier
from fdaa.platform.sandbox import Machine, Sandbox

if TYPE_CHECKING:
    import socket

    from fdaa import NetworkID

# --- a platform that answers what the specification leaves open in every other way that it may ----

# A sandbox does the work. A server in front of it rewrites its responses, each in the next way.
JSON = "Content-Type: application/json"
TEXT = "Content-Type: text/plain"

Shown = tuple[int, bytes, str]  # a response: status, body and a header


def _json(value: object, status: int = 200) -> Shown:
    return status, json.dumps(value).encode(), JSON


def _created(app: dict[str, Any]) -> list[Shown]:
    return [
        (201, b"", TEXT),
        _json({"name": app["name"], "status": "pending"}, 201),
        _json({"id": app["id"], "created_at": int(time.time())}),
        (204, b"", TEXT),
        _json({**app, "machine_count": 0, "volume_count": 0}, 201),
    ]


def _listed(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an app with the default network as nothing, in three ways."""
    if app["network"] != "default":
        return [{**app, "status": "deployed"}] * 3
    left_out = app.copy()
    del left_out["network"]
    return [{**app, "network": ""}, {**app, "network": None}, left_out]


def _refused(status: int, message: str, code: str) -> list[Shown]:
    return [
        _json({"message": message, "code": code}, status),
        (status, message.encode(), TEXT),
        (status, b"", TEXT),
        _json({"errors": [{"title": code, "detail": message}]}, status),
    ]


def _token(token: str) -> list[Shown]:
    return [
        _json(token),
        _json({"token": token}),
        (200, f"{token}\n".encode(), TEXT),
        _json({"value": token}),
        (200, json.dumps({"id_token": token}).encode(), "X-No-Content-Type: 1"),
    ]


class OtherAnswers:
    """Stands for a `Sandbox`, from `start` to `stop`."""

    def __init__(self) -> None:
        self._sandbox = Sandbox()
        self._started = ExitStack()
        self._turn = cycle(range(60))  # 60 is a multiple of each number of ways

    def start(self) -> Self:
        self._started.enter_context(self._sandbox)
        self._api = self._started.enter_context(HostileServer(self._answer))
        self.base_url = self._api.url
        self.token = self._sandbox.token
        self.ensure_issuer = self._sandbox.ensure_issuer
        return self

    def stop(self) -> None:
        self._started.close()

    def start_machine(self, app: str) -> Machine:
        machine = self._sandbox.start_machine(app)
        path = str(Path(machine.socket).parent.parent / f"other-{machine.id}")

        def script(connection: socket.socket, request: Received) -> None:
            body = ask_token(machine, json.loads(request.body)).body.decode()
            self._write(connection, _token(body))

        self._started.enter_context(HostileServer(script, path=path))
        return replace(machine, socket=path)

    def _answer(self, connection: socket.socket, request: Received) -> None:
        headers = {"Authorization": request.headers["authorization"]}
        if request.body:
            headers["Content-Type"] = request.headers["content-type"]
        body = request.body or None
        response = call(self._sandbox, request.method, request.target, body, headers)
        if response.status >= 400:
            fields = response.json
            self._write(connection, _refused(response.status, fields["error"], fields["status"]))
        elif request.method == "POST":
            self._write(connection, _created(response.json))
        elif request.method == "GET":
            apps = [_listed(app)[next(self._turn) % 3] for app in response.json["apps"]]
            self._write(connection, [_json({"total_apps": len(apps), "apps": apps})])
        else:
            self._write(connection, [(202, b"", TEXT)])

    def _write(self, connection: socket.socket, ways: list[Shown]) -> None:
        status, body, header = ways[next(self._turn) % len(ways)]
        answer(connection, status, body, header)


# --- the client and the database beside the rules -------------------------------------------------

ORGS = st.sampled_from(["acme", "rival"])
APPS = st.sampled_from(["web", "worker", "db"])
NETWORKS = st.sampled_from([None, "default", "Default", "customer-17", "x-"])

STORED = """SELECT apps.name, slug, networks.name, networks.number
FROM apps JOIN networks ON network = networks.number JOIN organizations
ON organization = organizations.number"""


class Rules(RuleBasedStateMachine):
    """A platform used through the client, beside the rules in a few dictionaries."""

    platform: type[Sandbox] | type[OtherAnswers] = Sandbox

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory(prefix="fdaa-")
        self.apps: dict[str, tuple[str, str]] = {}  # name -> (organization, network)
        self.ids: dict[tuple[str, str], NetworkID] = {}  # (organization, network) -> ID, forever
        self.addresses: set[str] = set()
        self.start()

    def start(self) -> None:
        self.sandbox = self.platform().start()
        self.client = Client(self.sandbox.base_url, self.sandbox.token)
        for org in ("acme", "rival"):
            self.sandbox.ensure_issuer(org)  # creates the organization

    def stop(self) -> None:
        self.client.close()
        self.sandbox.stop()

    def teardown(self) -> None:
        self.stop()
        self.directory.cleanup()

    @rule(app=APPS, org=ORGS, network=NETWORKS)
    def create(self, app: str, org: str, network: str | None) -> None:
        if app in self.apps:
            with pytest.raises(ResponseError, match="status 422"):
                self.client.create_app(app, org=org, network=network)
            return
        made = self.client.create_app(app, org=org, network=network)
        assert made.name == app
        assert made.network in (network, network or "default")
        self.apps[app] = (org, network or "default")
        listed = {each.name: each for each in self.client.list_apps(org=org)}[app]
        assert listed.machine_count == listed.volume_count == 0  # 2.1, rule 2
        assert made.id in (None, listed.id)

    @rule(app=APPS)
    def destroy(self, app: str) -> None:
        if app not in self.apps:
            with pytest.raises(ResponseError, match="status 404"):
                self.client.destroy_app(app)
            return
        self.client.destroy_app(app)
        del self.apps[app]

    @rule(data=st.data())
    def start_machine(self, data: st.DataObject) -> None:
        app = data.draw(st.sampled_from(sorted(self.apps)))
        org, network = self.apps[app]
        machine = self.sandbox.start_machine(app)
        assert self.ids.setdefault((org, network), machine.address.network_id) == (
            machine.address.network_id
        )  # 2.2: bound to the name forever
        assert str(machine.address) not in self.addresses
        self.addresses.add(str(machine.address))
        token = MachineIdentity(socket=machine.socket).token(aud="someone")
        verifier = Verifier(
            issuer=self.sandbox.ensure_issuer(org),
            aud="someone",
            sub=f"{org}:{app}:*",
            allow_plain_http=True,
        )
        assert verifier.verify(token.reveal()).machine_id == machine.id

    @invariant()
    def no_id_is_used_twice(self) -> None:
        assert len(set(self.ids.values())) == len(self.ids)

    @invariant()
    def client_database_and_rules_agree(self) -> None:
        for org in ("acme", "rival"):
            mine = {}
            for app, (its_org, network) in self.apps.items():
                if its_org == org:
                    mine[app] = network
            listed = self.client.list_apps(org=org)
            assert {each.name: each.network for each in listed} == mine
            assert listed.total == len(mine)
            joined = NetworkMap([listed.document])
            assert {network.name for network in joined.networks} == set(mine.values())
            assert not joined.unused


class RulesAnsweredOtherwise(Rules):
    """The same, where the platform answers in every other way."""

    platform = OtherAnswers


QUICK = settings(max_examples=max(1, settings().max_examples // 60), stateful_step_count=15)
Rules.TestCase.settings = RulesAnsweredOtherwise.TestCase.settings = QUICK
TestRules = Rules.TestCase
TestRulesAnsweredOtherwise = RulesAnsweredOtherwise.TestCase


@pytest.mark.campaign
class TestRulesForLong(RulesAnsweredOtherwise.TestCase):  # type: ignore[valid-type,misc]
    settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
