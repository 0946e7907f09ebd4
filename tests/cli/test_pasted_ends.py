"""A pasted line in place of the arguments of `fdaa probe` and `fdaa reach`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import invoke, records

import fdaa.scan

PACKAGE = Path(fdaa.__file__).parent

OWN = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PEER = "fdaa:0:18:a7b:7d:f066:3418:2"
OTHER = "fdaa:2:45b::3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("connection refused", "no address and no .internal name in this text; give APP:PORT"),
        ("http://web", "a port is from 1 to 65535"),
        ("web:0", "a port is from 1 to 65535"),
        ("dial reports.internal:99999", "a port is from 1 to 65535"),
        (
            f"[{PEER}]:40112->[fdaa:2:45b:a7b:174...]:5432 x",
            "(cut off) is not a whole address; give",
        ),
        (
            f"read tcp [{OWN}]:40112->[{PEER}]:5432",
            f"'[{OWN}]:40112' or fdaa probe '[{PEER}]:5432'",
        ),
        ("no web.internal, no api.internal", "give one: fdaa probe 'web.internal' or "),
        (f"connect to 10.0.0.5:80 from {PEER}", "10.0.0.5 is not a private address, so networks"),
    ],
)
def test_probe_says_what_is_missing_and_connects_to_nothing(text: str, message: str) -> None:
    result = invoke("probe", text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_an_end_that_is_not_private_is_noted() -> None:
    note = "fdaa: 203.0.113.9 is not a private address, so networks say nothing about the"
    assert note in invoke("probe", f"203.0.113.9:443 -> [{OTHER}]:80", "--timeout", "0").stderr


def test_a_target_with_a_port_that_clients_have_is_noted() -> None:
    line = "closed [fdaa:2:45b::3]:61616 x"
    note = "fdaa: port 61616 may be a client's, on which nothing listens\n"
    assert note in invoke("probe", line, "--timeout", "0").stderr
    assert note not in invoke("probe", "-q", line, "--timeout", "0").stderr
    assert note not in invoke("probe", "[fdaa:2:45b::3]:61616", "--timeout", "0").stderr
    assert note not in invoke("probe", "dial [fdaa:2:45b::3]:61616", "--timeout", "0").stderr


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        (f"read tcp [{OTHER}]:40112->[{PEER}]:5432: i/o timeout", (OTHER, PEER)),
        (f"{PEER} unreachable ({OWN})", ("self", PEER)),
        (f"dial tcp reports.internal:8080 from {OTHER}", (OTHER, "reports.internal:8080")),
        (f"from fdaa:9:9::/48 to {OTHER}", ("fdaa:9:9::/48", OTHER)),
        ("dial self.internal:80", ("self", "self.internal:80")),
        ("http://reports.internal:5432/", ("self", "reports.internal:5432")),
        ("{{64938,2,1115,0,0,0,0,3},80}", ("self", "fdaa:2:45b::3")),
    ],
)
def test_reach_takes_a_line_in_place_of_both_ends(line: str, ends: tuple[str, str]) -> None:
    of_line = invoke("reach", line, "--json", PLATFORM_PRIVATE_IP=OWN)
    of_both = invoke("reach", *ends, "--json", PLATFORM_PRIVATE_IP=OWN)
    assert records(of_line.stdout) == records(of_both.stdout)
    assert of_line.exit_code == of_both.exit_code


def test_the_next_step_of_a_line_has_its_port() -> None:
    shown = invoke("reach", f"dial [{OTHER}]:5432: refused", PLATFORM_PRIVATE_IP=OWN).stdout
    assert shown.endswith(f"  next: fdaa probe '[{OTHER}]:5432'\n")


@pytest.mark.parametrize(
    ("line", "own", "message"),
    [
        ("web", OWN, "Missing argument 'TARGET'."),
        (PEER, OWN, "Missing argument 'TARGET'."),
        ("connection refused", OWN, "no address and no .internal name in this text"),
        (f"{OTHER}, {PEER}, fdaa:2:1::1", OWN, "has 3 ends ("),
        (f"from {OTHER} via {PEER} to web.internal", OWN, f"({OTHER}, {PEER}, web); give SOURCE"),
        (f"From {PEER} icmp_seq=1 Address unreachable", OWN, f"{PEER} only reports an error; give"),
        (f"listening on [{OWN}]:22", OWN, f"use: fdaa reach SOURCE {OWN}"),
        (f"connect to 10.0.0.5:80 from {PEER}", OWN, "10.0.0.5 is not a private address, so net"),
        (f"203.0.113.9:443 -> [{PEER}]:80", OWN, "203.0.113.9 is not a private address, so net"),
        (f"refused by {PEER}", "", f"use: fdaa reach SOURCE {PEER}"),
        (f"refused by {PEER}", "10.0.0.1", "it is the value of PLATFORM_PRIVATE_IP"),
        (f"[fdaa:...]:1->[{PEER}]:80 x", OWN, "'fdaa:...' is not a valid address"),
        (f"from {OTHER}g to {PEER}", OWN, f"'{OTHER}g' is not a valid address"),
        (f"from fdaa::/16 to {PEER}", OWN, "'fdaa::/16' is not a valid address"),
        (f"{{64938,2,99999,0,0,0,0,2}} > {PEER} x", OWN, "2}' is not a valid address"),
        (f"node:fdaa:9:9:a7b... > {PEER} x", OWN, "'fdaa:9:9:a7b...' is not a valid address"),
    ],
)
def test_reach_says_what_is_missing(line: str, own: str, message: str) -> None:
    result = invoke("reach", line, PLATFORM_PRIVATE_IP=own)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
