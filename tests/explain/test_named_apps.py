"""Which apps a text names in place of an address."""

from __future__ import annotations

import pytest

from fdaa import Address
from fdaa.explain import find_named_apps
from fdaa.lines import read_line
from fdaa.networks import NetworkMap, parse_document

OWN = Address("fdaa:2:45b::2")
APPS = '{"apps": [{"name": "db", "network": "blue"}]}'
MACHINES = '[{"id": "1", "private_ip": "fdaa:cd:80::3"}]'
NETWORKS = NetworkMap(
    [
        parse_document(APPS, file="apps.json"),
        parse_document(MACHINES, file="db.json", app="db"),
    ]
)

# A text, the apps in it, and how it was read.
ROWS = [
    ("reports.internal", ("reports",), "read app reports"),
    ("sea.reports.internal:80", ("reports",), "read app reports"),
    ("db:80", ("db",), "read app db; for the network: fdaa:db:80::/48"),
    ("ab:80", ("ab",), "read app ab; for the network: fdaa:ab:80::/48"),
    ("cd:80", (), "read network cd:80; for the app: cd.internal"),
    ("dial tcp reports.internal:80: i/o timeout", ("reports",), ""),
    ("lookup reports.internal on [fdaa::3]:53: no such host", ("reports",), ""),
    (f"{OWN}: lookup reports.internal", ("reports",), ""),
    ("reports.internal (fdaa:0:18::3) is down", (), ""),
    ("web.internal, api.internal", ("web", "api"), ""),
    ("reports:99999", (), ""),
    ("db.example.com:80", (), ""),
    ("fdaa::3", (), ""),
]


@pytest.mark.parametrize(("text", "apps", "reading"), ROWS)
def test_the_apps_of_a_text(text: str, apps: tuple[str, ...], reading: str) -> None:
    named = find_named_apps(read_line(text, OWN), NETWORKS)
    assert (named.apps, named.reading) == (apps, reading)
