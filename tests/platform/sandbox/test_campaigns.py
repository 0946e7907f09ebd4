"""Many kills, and many clients at once: nothing that was acknowledged is lost or told wrongly."""

from __future__ import annotations

import http.client
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sandbox_calls import call_url
from sandbox_process import killed_at_the_end

from fdaa.address import Address
from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


NAMES = [f"app-{number}" for number in range(12)]
NETWORKS = ["default", "blue", "customer-17", "Customer-17", "green-2"]


class Book:
    """What clients were told: the acknowledged apps, what is in doubt, the ID of each network."""

    def __init__(self) -> None:
        self.apps = {}  # name -> network
        self.in_doubt = {}  # name -> network of a creation or None of a destruction
        self.ids = {}  # network -> network ID

    def settle(self, listed: dict[str, Any]) -> None:
        """Hold a list against what was acknowledged; what was in doubt is known from now on."""
        told = {app["name"]: app["network"] for app in listed["apps"]}
        assert listed["total_apps"] == len(listed["apps"]) == len(told)
        for name in NAMES:
            if name in self.in_doubt:
                assert told.get(name) in (self.apps.get(name), self.in_doubt[name]), name
            else:
                assert told.get(name) == self.apps.get(name), name
        self.apps = told
        self.in_doubt = {}

    def learn(self, network: str, address: str) -> None:
        """Hold an address against the IDs that were seen before."""
        network_id = Address.parse(address).network_id
        assert self.ids.setdefault(network, network_id) == network_id
        assert len(set(self.ids.values())) == len(self.ids)


def change(book: Book, names: list[str], url: str, token: str, choose: random.Random) -> None:
    """Create, destroy and start Machines until the server is gone."""
    while True:
        name, network = choose.choice(names), choose.choice(NETWORKS)
        destroy = name in book.apps
        book.in_doubt[name] = None if destroy else network
        try:
            if destroy:
                answer = call_url(url, token, "DELETE", f"/v1/apps/{name}")
            else:
                body = {"app_name": name, "org_slug": "acme", "network": network}
                answer = call_url(url, token, "POST", "/v1/apps", body)
        except (OSError, http.client.HTTPException):
            return
        assert answer.status == (202 if destroy else 201), answer
        del book.in_doubt[name]
        if destroy:
            del book.apps[name]
            continue
        book.apps[name] = network
        try:
            answer = call_url(url, token, "POST", "/sandbox/machines", {"app_name": name})
        except (OSError, http.client.HTTPException):
            return
        book.learn(network, answer.json["address"])


@pytest.mark.parametrize("kills", [5, pytest.param(1000, marks=pytest.mark.campaign)])
def test_after_a_crash_at_any_moment_it_has_everything_it_acknowledged(
    tmp_path: Path, kills: int
) -> None:
    choose = random.Random(kills)
    book = Book()
    acknowledged = 0
    with ThreadPoolExecutor(2) as pool:
        for _ in range(kills):
            with killed_at_the_end(tmp_path) as (url, token):
                if book.apps or book.in_doubt:
                    answer = call_url(url, token, "GET", "/v1/apps?org_slug=acme")
                    if answer.status == 200:
                        book.settle(answer.json)
                    else:
                        assert (answer.status, book.apps) == (404, {})
                seeds = [random.Random(choose.random()) for _ in range(2)]
                clients = [
                    pool.submit(change, book, NAMES[half::2], url, token, seeds[half])
                    for half in range(2)
                ]
                time.sleep(choose.uniform(0, 0.06))
            for client in clients:
                client.result()
            acknowledged += len(book.apps)
    assert acknowledged > kills


def work(base_url: str, token: str, number: int, rounds: int) -> list[tuple[str, int, int, int]]:
    """Create and destroy at random; return what was answered."""
    choose = random.Random(number)
    told = []
    for _ in range(rounds):
        name, network = choose.choice(NAMES), choose.choice(NETWORKS)
        body = {"app_name": name, "org_slug": "acme", "network": network}
        created = call_url(base_url, token, "POST", "/v1/apps", body).status
        machine = call_url(base_url, token, "POST", "/sandbox/machines", {"app_name": name})
        listed = call_url(base_url, token, "GET", "/v1/apps?org_slug=acme")
        assert listed.json["total_apps"] == len(listed.json["apps"])
        destroyed = call_url(base_url, token, "DELETE", f"/v1/apps/{name}").status
        told.append((name, created, machine.status, destroyed))
    return told


@pytest.mark.parametrize("rounds", [5, pytest.param(100, marks=pytest.mark.campaign)])
def test_eight_clients_at_once_see_one_state(rounds: int) -> None:
    with Sandbox() as sandbox, ThreadPoolExecutor(8) as pool:
        everyone = threading.Barrier(8)

        def client(number: int) -> list[tuple[str, int, int, int]]:
            everyone.wait()
            return work(sandbox.base_url, sandbox.token, number, rounds)

        told = [row for rows in pool.map(client, range(8)) for row in rows]
        listed = call_url(sandbox.base_url, sandbox.token, "GET", "/v1/apps?org_slug=acme").json
    assert {created for _, created, _, _ in told} <= {201, 422}
    assert {machine for _, _, machine, _ in told} <= {201, 404}
    assert {destroyed for _, _, _, destroyed in told} <= {202, 404}
    present = {app["name"] for app in listed["apps"]}
    for name in NAMES:
        created = sum(row[1] == 201 for row in told if row[0] == name)
        destroyed = sum(row[3] == 202 for row in told if row[0] == name)
        assert created - destroyed == (name in present), name
