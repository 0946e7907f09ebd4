"""`self` is one address for all commands: what an interface has, compared with the variable."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from lab_plan import MACHINES

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow  # it builds networks

WEB = MACHINES["web"]
OTHER = MACHINES["billing"]
PEER = MACHINES["worker"]

NOT_HERE = (
    f"fdaa: PLATFORM_PRIVATE_IP is {OTHER}, but no interface of this computer has that address"
)

# Where, the variable -> `self`, and what is said of the variable.
PLACES = [
    ("web", WEB, WEB, ""),
    ("web", OTHER, WEB, f"{NOT_HERE}; self is {WEB} (eth0)\n"),
    ("web", "", WEB, ""),
    ("web", "10.0.0.1", WEB, "fdaa: PLATFORM_PRIVATE_IP is ignored: '10.0.0.1' is not a private"),
    ("elsewhere", OTHER, OTHER, f"{NOT_HERE}\n"),
]

# A command -> the keys of its first record in which `self` is.
COMMANDS = [
    (("reach", "self", PEER, "--json"), ("source",)),
    (("probe", "self", "--json"), ("address",)),
    (("whoami", "--json", "--socket", "/nowhere"), ("address",)),
]


@pytest.mark.parametrize(("machine", "variable", "address", "remark"), PLACES)
@pytest.mark.parametrize(("command", "keys"), COMMANDS, ids=[" ".join(row[0]) for row in COMMANDS])
def test_self_is_one_address(
    networks: Lab,
    command: tuple[str, ...],
    keys: tuple[str | int, ...],
    machine: str,
    variable: str,
    address: str,
    remark: str,
) -> None:
    result = networks.run(machine, "fdaa", *command, PLATFORM_PRIVATE_IP=variable)
    found = json.loads(result.stdout.splitlines()[0])
    for key in keys:
        found = found[key]
    assert found == address
    assert remark in result.stderr
    assert ("PLATFORM_PRIVATE_IP" in result.stderr) is bool(remark)
