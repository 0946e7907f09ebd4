"""A few situations of the matrix, one of each kind, for the default run: the others are slow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lab_plan import GONE, MACHINES, PORTS

if TYPE_CHECKING:
    from lab import Lab

WORKER = f"[{MACHINES['worker']}]:3000"

# Machine, target, what is first, and what was read that has decided it.
FEW = [
    ("stranded", WORKER, "next-hop-silent", "next-hop-silent"),
    ("unplugged", WORKER, "interface-down", "no-carrier"),
    ("cut", "worker:3000", "resolver-unreachable", "resolver-unrouted"),
    ("web", f"worker:{PORTS['source', 'address']}", "firewall-rejects", "next-hop-responds"),
]


def test_what_this_computer_knows_decides_the_first_cause(networks: Lab) -> None:
    for machine, target, first, found in FEW:
        result = networks.run(machine, "fdaa", "probe", "--json", "--timeout", "1", target)
        *_, last = map(json.loads, result.stdout.splitlines())
        [explanation] = last["explanations"]
        assert explanation["causes"][0]["cause"] == first
        assert found in [check["found"] for check in explanation["checked"]]


def test_a_stale_line_of_etc_hosts_is_named(networks: Lab) -> None:
    files = {"/etc/hosts": f"::1 localhost\n{GONE} worker.internal\n"}
    result = networks.run("web", "fdaa", "probe", "--timeout", "1", "worker:80", files=files)
    assert f"1. /etc/hosts line 2 has {GONE}" in result.stdout
    assert "address from /etc/hosts line 2" in " ".join(result.stdout.split())
