"""No customer is permitted to reach another one: run it where the documents are fresh."""

from pathlib import Path

import pytest

from fdaa.networks import App, NetworkMap, check_allocations, reach, read_document

HERE = Path(__file__).parent
CUSTOMER_OF = {"web": "customer-17", "worker": "customer-17", "reports": "customer-18"}


@pytest.fixture(scope="module")
def networks() -> NetworkMap:
    apps, instances = read_document(HERE / "apps.json"), read_document(HERE / "instances.txt")
    addresses = [read_document(HERE / f"addresses-{app}.json", app=app) for app in CUSTOMER_OF]
    return NetworkMap([apps, instances, *addresses])


def test_the_documents_agree(networks: NetworkMap) -> None:
    assert not networks.unused
    assert not networks.contradictions


def test_each_app_is_on_the_network_of_its_customer(networks: NetworkMap) -> None:
    assert {app: networks.known_network(app).name for app in CUSTOMER_OF} == CUSTOMER_OF


def test_each_cross_network_address_is_for_the_customer_of_its_app(networks: NetworkMap) -> None:
    for checked in check_allocations(networks):
        app = checked.allocated.app
        if app in CUSTOMER_OF:
            assert checked.network.name == CUSTOMER_OF[app]


def test_no_app_is_permitted_to_be_reached_by_another_customer(networks: NetworkMap) -> None:
    one_app = {customer: app for app, customer in CUSTOMER_OF.items()}
    customers = list(one_app)
    for target, customer in CUSTOMER_OF.items():
        another = customers[customers.index(customer) - 1]
        assert reach(App(one_app[another]), App(target), networks).permitted is False
