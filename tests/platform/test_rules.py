"""The client and the sandbox beside the rules of sections 2.1 and 2.2, and other responses."""

from __future__ import annotations

import json
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from hostile_server import HostileServer, Received, answer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sandbox_calls import call

from fdaa.networks import NetworkMap
from fdaa.platform import Client, MachineIdentity, ResponseError, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    import socket

    from fdaa import NetworkID

ORGS = st.sampled_from(["acme", "rival"])
APPS = st.sampled_from(["web", "worker", "db"])
NETWORKS = st.sampled_from([None, "default", "Default", "customer-17", "x-"])


class Rules(RuleBasedStateMachine):
    """A platform used through the client, beside the rules in a few dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        self.apps: dict[str, tuple[str, str]] = {}  # name -> (organization, network)
        self.ids: dict[tuple[str, str], NetworkID] = {}  # (organization, network) -> ID, forever
        self.addresses: set[str] = set()
        self.sandbox = Sandbox().start()
        self.client = Client(self.base_url(), self.sandbox.token)
        for org in ("acme", "rival"):
            self.sandbox.ensure_issuer(org)  # creates the organization

    def base_url(self) -> str:
        return self.sandbox.base_url

    def teardown(self) -> None:
        self.client.close()
        self.sandbox.stop()

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
        listed = self.client.list_apps(org=org).by_name(app)
        assert listed is not None
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

    @precondition(lambda self: self.apps)
    @rule(data=st.data())
    def start_machine(self, data: st.DataObject) -> None:
        app = data.draw(st.sampled_from(sorted(self.apps)))
        org, network = self.apps[app]
        machine = self.sandbox.start_machine(app)
        network_id = self.ids.setdefault((org, network), machine.address.network_id)
        assert network_id == machine.address.network_id  # 2.2: bound to the name forever
        assert str(machine.address) not in self.addresses
        self.addresses.add(str(machine.address))
        token = MachineIdentity(socket=machine.socket).token(aud="someone")
        issuer = self.sandbox.ensure_issuer(org)
        verifier = Verifier(issuer=issuer, aud="someone", sub=f"{org}:{app}:*")
        assert verifier.verify(token.reveal()).machine_id == machine.id

    @invariant()
    def client_and_rules_agree(self) -> None:
        assert len(set(self.ids.values())) == len(self.ids)  # no ID is used twice
        for org in ("acme", "rival"):
            mine = {}
            for app, (its_org, network) in self.apps.items():
                if its_org == org:
                    mine[app] = network  # 2.1, rule 1: the one on which it was created
            listed = self.client.list_apps(org=org)
            assert {each.name: each.network for each in listed} == mine
            assert listed.total == len(mine)
            joined = NetworkMap([listed.document])
            assert {network.name for network in joined.networks} == set(mine.values())


JSON = "Content-Type: application/json"
TEXT = "Content-Type: text/plain"


def created(app: dict[str, Any]) -> list[tuple[int, bytes, str]]:
    """Return the ways in which a creation may be answered."""
    whole = {**app, "machine_count": 0, "volume_count": 0}
    return [
        (201, b"", TEXT),
        (201, json.dumps({"name": app["name"], "status": "pending"}).encode(), JSON),
        (200, json.dumps({"id": app["id"], "created_at": int(time.time())}).encode(), JSON),
        (204, b"", TEXT),
        (201, json.dumps(whole).encode(), JSON),
    ]


def refused(status: int, message: str, code: str) -> list[tuple[int, bytes, str]]:
    """Return the ways in which a request may be refused."""
    return [
        (status, json.dumps({"message": message, "code": code}).encode(), JSON),
        (status, message.encode(), TEXT),
        (status, b"", TEXT),
    ]


def listed(app: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the ways in which an app may be listed: the default network is nothing."""
    if app["network"] != "default":
        return [{**app, "status": "deployed"}]
    left_out = {name: value for name, value in app.items() if name != "network"}
    return [{**app, "network": ""}, {**app, "network": None}, left_out]


class RulesAnsweredOtherwise(Rules):
    """The same, where a server answers what the specification leaves open in every other way.

    The sandbox does the work. The server rewrites its responses, each in the next way.
    """

    def base_url(self) -> str:
        self.turn = cycle(range(60))  # 60 is a multiple of each number of ways
        self.server = HostileServer(self.rewritten).__enter__()
        return self.server.url

    def teardown(self) -> None:
        super().teardown()
        self.server.__exit__()

    def rewritten(self, connection: socket.socket, request: Received) -> None:
        response = call(self.sandbox, request.method, request.target, request.body or None)
        turn = next(self.turn)
        if response.status >= 400:
            ways = refused(response.status, response.json["error"], response.json["status"])
        elif request.method == "POST":
            ways = created(response.json)
        elif request.method == "GET":
            apps = []
            for app in response.json["apps"]:
                rows = listed(app)
                apps.append(rows[turn % len(rows)])
            body = json.dumps({"total_apps": len(apps), "apps": apps}).encode()
            ways = [(200, body, JSON)]
        else:
            ways = [(202, b"", TEXT)]
        status, body, header = ways[turn % len(ways)]
        answer(connection, status, body, header)


QUICK = settings(max_examples=max(1, settings().max_examples // 60), stateful_step_count=12)
Rules.TestCase.settings = QUICK
RulesAnsweredOtherwise.TestCase.settings = QUICK
TestRules = Rules.TestCase
TestRulesAnsweredOtherwise = RulesAnsweredOtherwise.TestCase
