"""The guide's field for Django, in a project of its own on real databases."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from databases import database
from frameworks_page import need_packages

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.engines

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
ENGINES = {
    "sqlite": "django.db.backends.sqlite3",
    "postgresql": "django.db.backends.postgresql",
}

MODELS = """\
from django.db import models

from peers.django_field import AddressField

class Peer(models.Model):
    address = AddressField(null=True, unique=True)
"""

# The settings of the database are its first argument.
SCRIPT = """\
import json, operator, sys
import django
from django.conf import settings
settings.configure(
    DATABASES={"default": json.loads(sys.argv[1])},
    INSTALLED_APPS=["peers"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()
from django.core.management import call_command
import fdaa
from peers.models import Peer
call_command("migrate", run_syncdb=True, verbosity=0)
ids = [0x2045B, 0, 0xFFFFFFFF, 0x10000]
rests = [0x10, 0, 0x10000, 3, 2**80 - 1]
stored = [fdaa.Address.build(network_id, rest) for network_id in ids for rest in rests]
Peer.objects.bulk_create(Peer(address=address) for address in stored)
Peer.objects.create(address=None)

def found(**conditions):
    return set(Peer.objects.filter(**conditions).values_list("address", flat=True))

COMPARISONS = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}
for first, second in zip(stored, stored[7:] + stored[:7]):
    for lookup, compare in COMPARISONS.items():
        expected = {address for address in stored if compare(address, first)}
        assert found(**{f"address__{lookup}": str(first).upper()}) == expected
    expected = {address for address in stored if first <= address <= second}
    assert found(address__range=(first, second)) == expected
    assert found(address__in=[first.exploded.upper(), second]) == {first, second}
    assert found(address=first.exploded) == {first}
addresses = Peer.objects.exclude(address=None).values_list("address", flat=True)
assert list(addresses.order_by("address")) == sorted(stored)
assert list(addresses.order_by("-address")) == sorted(stored, reverse=True)
assert Peer.objects.get(address__isnull=True).address is None
"""


@pytest.fixture(scope="module", params=ENGINES)
def settings(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    need_packages()
    with database(request.param) as engine:
        found: dict[str, Any] = {
            "ENGINE": ENGINES[request.param],
            "NAME": engine.url.database or ":memory:",
        }
        if request.param == "postgresql":
            found |= {"USER": engine.url.username, "HOST": engine.url.query["host"]}
        yield found


def test_addresses_are_compared_and_sorted_as_bits(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    """In a new project, whose app has the guide's field."""
    package = tmp_path / "peers"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "models.py").write_text(MODELS)
    shutil.copy(EXAMPLES / "django_field.py", package)
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-W", "error", "script.py", json.dumps(settings)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
