"""The client and the sandbox beside the rules of sections 2.1 and 2.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fdaa.networks import NetworkMap
from fdaa.platform import Client, MachineIdentity, ResponseError, Verifier
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
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
        self.client = Client(self.sandbox.base_url, self.sandbox.token)
        for org in ("acme", "rival"):
            self.sandbox.ensure_issuer(org)  # creates the organization

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
        assert made.network == (network or "default")
        self.apps[app] = (org, network or "default")
        listed = self.client.list_apps(org=org).by_name(app)
        assert listed is not None
        assert listed.machine_count == listed.volume_count == 0  # 2.1, rule 2
        assert made.id == listed.id

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
        listed = self.client.list_apps(org=org).by_name(app)
        assert listed is not None
        assert listed.machine_count
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


QUICK = settings(max_examples=max(1, settings().max_examples // 60), stateful_step_count=12)
Rules.TestCase.settings = QUICK
TestRules = Rules.TestCase
