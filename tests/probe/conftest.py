"""The networks of tests/support/lab.py, built once for each process that runs tests; documents."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from lab import ALLOCATED, APPS, MACHINES, lab

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab import Lab


@pytest.fixture(scope="session")
def networks() -> Iterator[Lab]:
    with lab() as built:
        yield built


@pytest.fixture(scope="session")
def documents() -> Iterator[list[str]]:
    """Yield the options for documents of the lab: GONE and DEAD are in none of them."""
    with TemporaryDirectory() as name:
        directory = Path(name)
        apps = []
        for app, network in APPS.items():
            machines = []
            if app in MACHINES:
                machines.append({"id": f"{app}-1", "private_ip": MACHINES[app]})
            apps.append({"name": app, "network": network, "machine_count": len(machines)})
            save(directory / "machines" / f"{app}.json", machines)
            allocated = []
            if app == "billing":
                allocated.append({"ip": ALLOCATED})
            save(directory / "addresses" / f"{app}.json", {"ips": allocated})
        save(directory / "apps.json", {"total_apps": len(apps), "apps": apps})
        yield [f"--documents={directory / each}" for each in ("apps.json", "machines", "addresses")]


def save(path: Path, value: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))
