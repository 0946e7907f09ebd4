"""No customer reaches another one: run it where the documents are fresh."""

import itertools
from pathlib import Path

import pytest

from fdaa.networks import App, NetworkMap, Outcome, reach, read_document

HERE = Path(__file__).parent
CUSTOMER_OF = {"web": "customer-17", "worker": "customer-17", "reports": "customer-18"}


@pytest.fixture(scope="module")
def networks():
    apps, instances = read_document(HERE / "apps.json"), read_document(HERE / "instances.txt")
    return NetworkMap([apps, instances])


def test_the_documents_are_complete(networks):
    assert not networks.unused
    assert not networks.contradictions


def test_each_app_is_on_the_network_of_its_customer(networks):
    on = {app: networks.of_app(app) for app in CUSTOMER_OF}
    assert {app: network and network.name for app, network in on.items()} == CUSTOMER_OF


def test_only_its_own_network_reaches_an_app(networks):
    """Addresses for cross-network access are among what reaches it."""
    for app, customer in CUSTOMER_OF.items():
        assert {network.name for network in networks.clients_of(app)} == {customer}


def test_no_app_of_a_customer_reaches_one_of_the_next(networks):
    one_app = {customer: app for app, customer in CUSTOMER_OF.items()}
    for source, target in itertools.pairwise(one_app.values()):
        assert reach(App(source), App(target), networks).outcome is Outcome.DIFFERENT_NETWORKS
