"""The guide's field for Django, in a model of its own on real databases."""

from __future__ import annotations

import operator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from databases import database
from frameworks_page import need_packages

import fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.engines

FIELD = Path(__file__).parent.parent / "docs" / "examples" / "django_field.py"
ENGINES = {
    "sqlite": "django.db.backends.sqlite3",
    "postgresql": "django.db.backends.postgresql",
}
COMPARISONS = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}


@pytest.fixture(scope="module")
def model() -> Any:
    """Return a model whose only field is the guide's; settings exist once in a process."""
    need_packages()
    import django
    from django.conf import settings

    settings.configure(DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
    django.setup()
    from django.db import models

    names: dict[str, Any] = {}
    exec(FIELD.read_text("utf-8"), names)  # noqa: S102 - the guide's own lines

    class Peer(models.Model):  # type: ignore[misc]
        address = names["AddressField"](null=True, unique=True)

        class Meta:
            app_label = "peers"

    return Peer


@pytest.fixture(params=ENGINES)
def peers(model: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield the rows of the model, in an empty database."""
    from django.db import connections

    with database(request.param) as engine:
        settings: dict[str, Any] = {"ENGINE": ENGINES[request.param]}
        settings["NAME"] = engine.url.database or ":memory:"
        if request.param == "postgresql":
            settings |= {"USER": engine.url.username, "HOST": engine.url.query["host"]}
        connections.settings[request.param] = {**connections.settings["default"], **settings}
        with connections[request.param].schema_editor() as editor:
            editor.create_model(model)
        yield model.objects.using(request.param)
        connections[request.param].close()


def test_addresses_are_compared_and_sorted_as_bits(peers: Any) -> None:
    stored = []
    for rest in (3, 0, 0x10000, 0x10, 2**80 - 1):
        stored += [fdaa.Address.build(id_, rest) for id_ in (0x2045B, 0, 0xFFFFFFFF, 0x10000)]
    peers.bulk_create(peers.model(address=address) for address in stored)
    peers.create(address=None)

    def found(**conditions: Any) -> set[Any]:
        return set(peers.filter(**conditions).values_list("address", flat=True))

    for first, second in pairwise(stored):
        for lookup, compare in COMPARISONS.items():
            expected = {address for address in stored if compare(address, first)}
            assert found(**{f"address__{lookup}": str(first).upper()}) == expected
        expected = {address for address in stored if first <= address <= second}
        assert found(address__range=(first, second)) == expected
        assert found(address__in=[first.exploded.upper(), second]) == {first, second}
    addresses = peers.exclude(address=None).values_list("address", flat=True)
    assert list(addresses.order_by("address")) == sorted(stored)
    assert list(addresses.order_by("-address")) == sorted(stored, reverse=True)
    assert peers.get(address__isnull=True).address is None
