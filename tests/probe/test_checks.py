"""What is read on this computer, and what could not be read, with its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def not_read(output: str) -> list[tuple[str, str]]:
    """Return the places that a probe could not read, and why."""
    found = [fact for fact in facts(output) if fact["kind"] == "not-read"]
    return [(fact["origin"], fact["detail"]) for fact in found]


def facts(output: str) -> Any:
    """Return what the last conclusion of a probe says was read."""
    return json.loads(output.splitlines()[-1])["facts"]


@pytest.fixture
def without_ipv6_on_eth0(networks: Lab) -> Iterator[str]:
    """Yield a Machine where IPv6 is switched off for its interface, not for all; set all again."""
    switch = "echo {} > /proc/sys/net/ipv6/conf/{}/disable_ipv6"
    networks.run("off", "sh", "-c", f"{switch.format(0, 'all')}; {switch.format(1, 'eth0')}")
    yield "off"
    networks.run("off", "sh", "-c", switch.format(1, "all"))


def test_ipv6_is_off_where_it_is_for_each_interface(
    networks: Lab, without_ipv6_on_eth0: str
) -> None:
    result = networks.run(without_ipv6_on_eth0, "fdaa", "probe", "--json", "worker:80")
    assert "ipv6-off" in [fact["kind"] for fact in facts(result.stdout)]


def test_resolvers_that_are_not_private_are_named(networks: Lab) -> None:
    files = {"/etc/resolv.conf": "nameserver 10.0.0.1\n"}
    result = networks.run("web", "fdaa", "probe", "missing:80", files=files)
    assert "The resolver 10.0.0.1 has no private address" in " ".join(result.stdout.split())
