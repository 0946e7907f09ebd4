"""The networks of tests/support/lab.py, built once for each process that runs tests; documents."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from lab import lab
from lab_plan import (
    ALLOCATED,
    MACHINES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab import Lab


@pytest.fixture(scope="session")
def networks() -> Iterator[Lab]:
    with lab() as built:
        yield built


@pytest.fixture(scope="session")
def documents() -> Iterator[list[str]]:
    """Yield the options for documents of the lab: GONE and DEAD are in none of them.

    The path is short, as a command that names the files is not broken at 80 columns.
    """
    with TemporaryDirectory() as name:
        yield _save_documents(Path(name))


def _save_documents(directory: Path) -> list[str]:
    networks = {
        "web": "customer-17",
        "worker": "customer-17",
        "asleep": "customer-17",
        "idle": "customer-17",
        "reports": "customer-18",
        "billing": "default",
    }
    apps = []
    for name, network in networks.items():
        count = int(name in MACHINES)
        apps.append({"name": name, "network": network, "machine_count": count})
    (directory / "apps.json").write_text(json.dumps({"total_apps": len(apps), "apps": apps}))
    machines = directory / "machines"
    machines.mkdir()
    for name in networks:
        rows = []
        if name in MACHINES:
            rows.append({"id": f"{name}-1", "private_ip": MACHINES[name]})
        (machines / f"{name}.json").write_text(json.dumps(rows))
    addresses = directory / "addresses"
    addresses.mkdir()
    for name in networks:
        allocated = [{"ip": ALLOCATED}] if name == "billing" else []
        (addresses / f"{name}.json").write_text(json.dumps({"ips": allocated}))
    return [
        f"--documents={directory}/apps.json",
        f"--documents={machines}",
        f"--documents={addresses}",
    ]


@pytest.fixture(params=["alone", "with documents"])
def options(request: pytest.FixtureRequest, documents: list[str]) -> list[str]:
    """Return no options, then those for documents of the lab."""
    if request.param == "alone":
        return []
    return documents
