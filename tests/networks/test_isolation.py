"""The recipe for isolation in docs/documents.md: what it passes, and each mistake that it finds."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from organizations import parse

from fdaa.networks import Document, NetworkMap

RECIPE = Path(__file__).parents[2] / "docs/examples/test_isolation.py"


def run(documents: list[Document], customer_of: dict[str, str]) -> set[str]:
    """Return the tests of the recipe that fail for an organization."""
    recipe: dict[str, Any] = runpy.run_path(str(RECIPE))
    networks = NetworkMap(documents)
    failed = set()
    for name, test in recipe.items():
        if not name.startswith("test_"):
            continue
        test.__globals__["CUSTOMER_OF"] = customer_of
        try:
            test(networks)
        except AssertionError:
            failed.add(name)
    return failed


def organization(customers: int, apps_each: int) -> tuple[list[Document], dict[str, str]]:
    """Return documents, in which each customer has a network, and the customer of each app."""
    customer_of = {}
    rows = []
    machines = []
    addresses = []
    for number in range(customers):
        customer = f"customer-{number}"
        for i in range(apps_each):
            app = f"app-{number}-{i}"
            customer_of[app] = customer
            rows.append({"name": app, "network": customer})
            addresses.append(parse({"ips": []}, app))
            machines.append(f"instance=m-{app},app={app},ip=fdaa:{number + 1:x}::{i + 1:x}")
    documents = [parse({"apps": rows}), parse(";".join(machines).encode()), *addresses]
    return documents, customer_of


AGREE = "test_the_documents_agree"
ON_NETWORK = "test_each_app_is_on_the_network_of_its_customer"
OWN_CLIENTS = "test_each_cross_network_address_is_for_the_customer_of_its_app"
ISOLATED = "test_no_app_is_permitted_to_be_reached_by_another_customer"


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        (parse(["fdaa:2:0:0:1::9"], "app-0-0"), {OWN_CLIENTS, ISOLATED}),
        (parse(["fdaa:1:0:0:1::9"], "app-1-0"), {OWN_CLIENTS, ISOLATED}),
        (parse({"total_apps": 9, "apps": []}), {AGREE}),
        (parse([{"Name": "app-0-0", "Network": "customer-1"}]), {AGREE, ON_NETWORK, ISOLATED}),
    ],
)
def test_the_recipe_fails_for_an_app_on_the_wrong_network_or_with_a_foreign_address(
    more: Document, failed: set[str]
) -> None:
    documents, customer_of = organization(2, 1)
    assert run([*documents, more], customer_of) == failed
