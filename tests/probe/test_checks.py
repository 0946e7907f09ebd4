"""What could not be read on this computer is printed with its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow

# A file that cannot be read, and a target for which it is read.
UNREADABLE = [
    ("/etc/hosts", "worker:3002"),
    ("/etc/nsswitch.conf", "missing:80"),
    ("/etc/resolv.conf", "missing:80"),
]
_WITHOUT_RIGHTS = (
    'chmod 0 "$0"; '
    'exec setpriv --bounding-set=-all --inh-caps=-all fdaa probe --json --timeout 1 "$1"'
)


@pytest.mark.parametrize(("path", "target"), UNREADABLE)
def test_a_file_that_cannot_be_read_is_named(networks: Lab, path: str, target: str) -> None:
    files = {path: f"# {path}, which no one may read\n"}
    result = networks.run("web", "sh", "-c", _WITHOUT_RIGHTS, path, target, files=files)
    assert not_read(result.stdout) == [(path, "Permission denied")]


_OTHER_SYSTEM = """
import sys
sys.platform = "darwin"
from fdaa.cli.main import fdaa
fdaa(["probe", "--json", "--timeout", "1", sys.argv[1]])
"""


@pytest.mark.parametrize(
    ("machine", "target", "source"),
    [
        ("web", "worker:3002", "rtnetlink RTM_GETROUTE"),
        ("web", "self:3002", "rtnetlink RTM_GETLINK"),
        ("cut", "worker:3002", "rtnetlink RTM_GETROUTE"),  # to the resolver
    ],
)
def test_what_another_system_does_not_have_is_named(
    networks: Lab, machine: str, target: str, source: str
) -> None:
    result = networks.run(machine, "python", "-c", _OTHER_SYSTEM, target)
    assert not_read(result.stdout) == [(source, "darwin does not have rtnetlink")]


def not_read(output: str) -> list[tuple[str, str]]:
    """Return the places that a probe could not read, and why."""
    conclusion = json.loads(output.splitlines()[-1])
    (explanation,) = conclusion["explanations"]
    found = [check for check in explanation["checked"] if check["found"] == "not-read"]
    return [(check["source"], check["detail"]) for check in found]
