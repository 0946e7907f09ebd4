"""The recipe for isolation in docs/documents.md: each mistake that it finds."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from organizations import parse

from fdaa.networks import Document, NetworkMap

RECIPE = Path(__file__).parents[2] / "docs/examples/test_isolation.py"
CUSTOMER_OF = {"one": "customer-1", "two": "customer-2"}
DOCUMENTS = [
    parse({"apps": [{"name": app, "network": network} for app, network in CUSTOMER_OF.items()]}),
    parse(b"instance=m1,app=one,ip=fdaa:1::1;instance=m2,app=two,ip=fdaa:2::1"),
    parse({"ips": []}, "one"),
    parse({"ips": []}, "two"),
]


def failed(documents: list[Document]) -> set[str]:
    """Return the tests of the recipe that fail for documents."""
    recipe = runpy.run_path(str(RECIPE))
    found = set()
    for name, test in recipe.items():
        if name.startswith("test_"):
            test.__globals__["CUSTOMER_OF"] = CUSTOMER_OF
            try:
                test(NetworkMap(documents))
            except AssertionError:
                found.add(name)
    return found


AGREE = "test_the_documents_agree"
ISOLATED = "test_no_app_is_permitted_to_be_reached_by_another_customer"
OF_CUSTOMER = "test_each_cross_network_address_is_for_the_customer_of_its_app"
ON_NETWORK = "test_each_app_is_on_the_network_of_its_customer"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (parse(["fdaa:2:0:0:1::9"], "one"), {OF_CUSTOMER, ISOLATED}),
        (parse({"total_apps": 9, "apps": []}), {AGREE}),
        (parse([{"Name": "one", "Network": "customer-2"}]), {AGREE, ON_NETWORK, ISOLATED}),
    ],
)
def test_the_recipe_fails_for_an_app_on_the_wrong_network_or_with_a_foreign_address(
    more: Document, expected: set[str]
) -> None:
    assert failed(DOCUMENTS) == set()
    assert failed([*DOCUMENTS, more]) == expected
