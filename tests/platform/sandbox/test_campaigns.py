"""Many kills, and many clients at once: nothing that was acknowledged is lost or shown wrongly."""

from __future__ import annotations

import http.client
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sandbox_calls import call, create
from sandbox_process import killed_at_the_end

from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from fdaa import NetworkID
    from fdaa._values.address import Address
    from fdaa.platform.sandbox._remote import RemoteSandbox


NAMES = [f"app-{number}" for number in range(12)]
NETWORKS = ["default", "blue", "customer-17", "Customer-17", "green-2"]


class Acknowledged:
    """The acknowledged apps, the apps in doubt, and the ID of each network."""

    def __init__(self) -> None:
        self.apps: dict[str, str] = {}  # name -> network
        self.in_doubt: dict[str, str | None] = {}  # name -> network, None of a destruction
        self.ids: dict[str, NetworkID] = {}  # network -> network ID
        self.changes = threading.Semaphore(0)  # released by each

    def settle(self, document: dict[str, Any]) -> None:
        """Compare a list with what was acknowledged; it settles what was in doubt."""
        listed = {app["name"]: app["network"] for app in document["apps"]}
        assert document["total_apps"] == len(document["apps"]) == len(listed)
        for name in NAMES:
            possible = {self.apps.get(name), self.in_doubt.get(name, self.apps.get(name))}
            assert listed.get(name) in possible, name
        self.apps = listed
        self.in_doubt = {}

    def add_address(self, network: str, address: Address) -> None:
        """Compare an address with the IDs that were seen before."""
        network_id = address.network_id
        assert self.ids.setdefault(network, network_id) == network_id
        assert len(set(self.ids.values())) == len(self.ids)


def change(
    acknowledged: Acknowledged, names: list[str], sandbox: RemoteSandbox, choose: random.Random
) -> None:
    """Create, destroy and start Machines until the server is gone."""
    while True:
        name = choose.choice(names)
        network = choose.choice(NETWORKS)
        is_destroyed = name in acknowledged.apps
        acknowledged.in_doubt[name] = network
        if is_destroyed:
            acknowledged.in_doubt[name] = None
        try:
            if is_destroyed:
                assert call(sandbox, "DELETE", f"/v1/apps/{name}").status == 202
                del acknowledged.apps[name]
            else:
                assert create(sandbox, name, network).status == 201
                acknowledged.apps[name] = network
            del acknowledged.in_doubt[name]
            acknowledged.changes.release()
            if not is_destroyed:
                acknowledged.add_address(network, sandbox.start_machine(name).address)
        except (OSError, http.client.HTTPException, SandboxError):
            return


@pytest.mark.campaign
@pytest.mark.parametrize("kills", [1000])
def test_after_a_crash_at_any_moment_it_has_everything_it_acknowledged(
    tmp_path: Path, kills: int
) -> None:
    choose = random.Random(kills)
    acknowledged = Acknowledged()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(kills):
            with killed_at_the_end(tmp_path) as sandbox:
                if acknowledged.apps or acknowledged.in_doubt:
                    response = call(sandbox, "GET", "/v1/apps?org_slug=acme")
                    if response.status == 200:
                        acknowledged.settle(response.json)
                    else:
                        assert (response.status, acknowledged.apps) == (404, {})
                clients = [
                    pool.submit(
                        change, acknowledged, names, sandbox, random.Random(choose.random())
                    )
                    for names in (NAMES[::2], NAMES[1::2])
                ]
                for _ in range(choose.randrange(1, 10)):
                    assert acknowledged.changes.acquire(timeout=60)
            for client in clients:
                client.result()


def work(sandbox: Sandbox, number: int, rounds: int) -> list[tuple[str, int, int, int]]:
    """Create and destroy at random; return the statuses."""
    choose = random.Random(number)
    rows = []
    for _ in range(rounds):
        name = choose.choice(NAMES)
        network = choose.choice(NETWORKS)
        created = create(sandbox, name, network).status
        machine = call(sandbox, "POST", "/sandbox/machines", {"app_name": name}).status
        apps = call(sandbox, "GET", "/v1/apps?org_slug=acme").json
        assert apps["total_apps"] == len(apps["apps"])
        destroyed = call(sandbox, "DELETE", f"/v1/apps/{name}").status
        rows.append((name, created, machine, destroyed))
    return rows


@pytest.mark.parametrize("rounds", [5, pytest.param(100, marks=pytest.mark.campaign)])
def test_eight_clients_at_once_see_one_state(rounds: int) -> None:
    with Sandbox() as sandbox, ThreadPoolExecutor(8) as pool:
        start = threading.Barrier(8)

        def client(number: int) -> list[tuple[str, int, int, int]]:
            start.wait()
            return work(sandbox, number, rounds)

        rows = []
        for rows_of_client in pool.map(client, range(8)):
            rows.extend(rows_of_client)
        apps = call(sandbox, "GET", "/v1/apps?org_slug=acme").json["apps"]
    for place, statuses in enumerate([{201, 422}, {201, 404}, {202, 404}], 1):
        assert {row[place] for row in rows} <= statuses
    present = {app["name"] for app in apps}
    for name in NAMES:
        left = 0
        for app, created, _, destroyed in rows:
            if app == name:
                left += created == 201
                left -= destroyed == 202
        assert left == (name in present), name
