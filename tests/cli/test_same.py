"""`fdaa same`, and `self`, which is this Machine's own address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from command import invoke, records

if TYPE_CHECKING:
    from pathlib import Path

ONE = "fdaa:2:45b:a7b:174:db43:d3c6:2"
SAME = "FDAA:0002:045B::3"
OTHER = "fdaa:0:18::3"

NETWORK_ID_0 = "Network ID 0 is assumed to belong to the platform's services"
WAYS_AROUND = ("public address", "cross-network address", "platform-replay", "administrator")


def test_same_network() -> None:
    result = invoke("same", ONE, SAME)
    assert result.stdout == f"2:45b  {ONE}\n2:45b  fdaa:2:45b::3\nsame network\n"
    assert result.exit_code == 0


def test_different_networks_come_with_the_ways_around() -> None:
    result = invoke("same", ONE, OTHER)
    first, second, verdict, *ways = result.stdout.splitlines()
    assert (first, second) == (f"2:45b  {ONE}", f"0:18   {OTHER}")
    assert verdict == "different networks"
    for line in ways:
        assert len(line) <= 80
    for way in WAYS_AROUND:
        assert way in " ".join(ways)
    assert "organization" not in result.stdout  # a network ID says nothing about that
    assert NETWORK_ID_0 not in result.stdout
    assert result.exit_code == 1
    (record,) = records(invoke("same", "--json", ONE, OTHER).stdout)
    assert record["assumed"] is None


def test_an_id_that_is_an_app_with_a_port_too_is_a_network_here() -> None:
    """`same` takes addresses and networks only; what else it may be is said."""
    result = invoke("same", ONE, "db:5432")
    assert result.exit_code == 1
    assert result.stderr.endswith("read as a network ID; for the app: db.internal:5432\n")
    assert invoke("same", ONE, "fdaa:db:5432::/48").stderr == ""
    assert invoke("same", stdin=f"{ONE}\ndb:5432\n".encode()).stderr == ""


@pytest.mark.parametrize(
    ("texts", "is_same", "ways"),
    [
        ((ONE, "fdaa::3"), False, ()),  # on another network, and perhaps reachable
        ((ONE, SAME, "fdaa::3"), False, ()),
        ((ONE, OTHER, "fdaa::3"), False, WAYS_AROUND),
        (("fdaa::3", "fdaa::4"), True, ()),
    ],
)
def test_what_is_assumed_of_network_id_0_is_shown_wherever_it_is_compared(
    texts: tuple[str, ...], is_same: bool, ways: tuple[str, ...]
) -> None:
    """Specification, 2.3, rule 3: different groups are different networks."""
    result = invoke("same", *texts)
    assert ("\nsame network\n" if is_same else "\ndifferent networks\n") in result.stdout
    assert NETWORK_ID_0 in result.stdout
    assert tuple(way for way in WAYS_AROUND if way in result.stdout) == ways
    assert result.exit_code == int(not is_same)
    (record,) = records(invoke("same", "--json", *texts).stdout)
    assumed = None if is_same else "network-id-0"
    assert (record["same"], record["assumed"]) == (is_same, assumed)


def test_a_network_id_0_with_a_name_in_the_book_is_a_network_like_any_other(
    tmp_path: Path,
) -> None:
    book = tmp_path / "book.json"
    row = {"network_id": "0:0", "network_id_int": 0}
    book.write_text(json.dumps({"fdaa_book": 1, "networks": {"blue": row}}))
    result = invoke("same", ONE, "fdaa::3", "-d", str(book))
    assert "different networks" in result.stdout
    assert NETWORK_ID_0 not in result.stdout
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        ((ONE, SAME, ONE), 0),
        ((ONE, SAME, OTHER), 1),
        (("fdaa::1g", OTHER, ONE), 2),  # invalid input comes before "different"
        ((ONE,), 2),
        ((), 2),
    ],
)
def test_the_exit_status_is_the_verdict(texts: tuple[str, ...], status: int) -> None:
    assert invoke("same", *texts).exit_code == status
    quiet = invoke("same", "--quiet", *texts)
    assert (quiet.exit_code, quiet.stdout) == (status, "")
    assert invoke("same", "--json", *texts).exit_code == status


def test_an_address_with_a_port_is_compared() -> None:
    assert invoke("same", f"[{ONE}]:5432", SAME).exit_code == 0


def test_each_line_of_standard_input_is_an_address() -> None:
    for arguments in ((), ("-",)):
        result = invoke("same", *arguments, stdin=f"{ONE}\n\n{SAME}\n{OTHER}\n".encode())
        shown = f"2:45b  {ONE}\n2:45b  fdaa:2:45b::3\n0:18   {OTHER}\ndifferent networks\n"
        assert result.stdout.startswith(shown)
        assert result.exit_code == 1
    wrong = invoke("same", stdin=f"{ONE}\nfrom {SAME} to {OTHER}\n".encode())
    assert (wrong.stdout, wrong.exit_code) == ("", 2)
    assert "fdaa: line 2: " in wrong.stderr
    assert wrong.stderr.endswith("for a line: fdaa 'TEXT'\n")


@pytest.mark.parametrize("text", ["fdaa::/16", "nothing here", "18"])
def test_what_names_no_address_is_refused(text: str) -> None:
    result = invoke("same", ONE, text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert repr(text) in result.stderr


def test_each_wrong_input_is_reported() -> None:
    result = invoke("same", "nothing", ONE, "10.0.0.1")
    first, second = result.stderr.splitlines()
    assert "'nothing'" in first
    assert "'10.0.0.1'" in second
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("text", "kind", "network_id", "verdict", "field"),
    [
        (ONE, "address", "2:45b", True, "true"),
        (OTHER, "address", "0:18", False, "false"),
        ("0:18", "prefix", "0:18", False, "false"),
        ("fdaa::1g", "error", None, None, ""),
    ],
)
def test_the_verdict_in_json_has_the_addresses(
    text: str, kind: str, network_id: str | None, verdict: bool | None, field: str
) -> None:
    (result,) = records(invoke("same", "--json", ONE, text).stdout)
    first, second = result["addresses"]
    assert result["same"] is verdict
    assert (first["kind"], first["input"], first["network_id"]) == ("address", ONE, "2:45b")
    assert (second["kind"], second["input"]) == (kind, text)
    assert second.get("network_id") == network_id
    assert invoke("same", "--field", "same", ONE, text).stdout == f"{field}\n"


def test_self_is_the_machines_own_address() -> None:
    decoded = invoke("decode", "self", PLATFORM_PRIVATE_IP=ONE)
    assert decoded.stdout == invoke("decode", ONE, PLATFORM_PRIVATE_IP=ONE).stdout
    mine = invoke("same", "self", OTHER, PLATFORM_PRIVATE_IP=ONE)
    both = invoke("same", ONE, OTHER)
    assert (mine.stdout, mine.exit_code) == (both.stdout, both.exit_code)
    (fields,) = records(invoke("same", "--json", ONE, "self", PLATFORM_PRIVATE_IP=ONE).stdout)
    assert fields["addresses"][1]["input"] == "self"


def test_one_address_is_not_compared_with_itself() -> None:
    hint = f"only one address, {OTHER}; to compare it with this Machine's: fdaa same self {OTHER}"
    for result in (invoke("same", OTHER), invoke("same", stdin=OTHER.encode())):
        assert result.stderr.splitlines()[-1] == f"fdaa: {hint}"
        assert (result.exit_code, result.stdout) == (2, "")


def test_without_two_addresses_there_is_nothing_to_compare() -> None:
    assert invoke("same", stdin=b"").stderr.endswith("give two addresses or more\n")
    alone = invoke("same", "self", PLATFORM_PRIVATE_IP=ONE)
    assert alone.stderr.endswith("give an address to compare with self\n")
    assert (alone.exit_code, alone.stdout) == (2, "")


def test_two_arguments_are_compared_even_if_they_are_one_address() -> None:
    for first, second in ((ONE, ONE), (SAME, f"[{SAME.lower()}]:80"), ("self", ONE)):
        result = invoke("same", first, second, PLATFORM_PRIVATE_IP=ONE)
        assert result.stdout.splitlines()[1:] == ["same address, same network"]
        assert result.exit_code == 0
    peer = invoke("same", "self", "-", stdin=ONE.encode(), PLATFORM_PRIVATE_IP=ONE)
    assert peer.stdout.endswith("\nsame address, same network\n")
    networks = invoke("same", "2:45b", "fdaa:2:45b::/48")
    assert networks.stdout == "2:45b  fdaa:2:45b::/48\nsame network\n"


@pytest.mark.parametrize(
    "command", [("decode", "self"), ("same", "self", ONE), ("reach", "self", ONE)]
)
@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "PLATFORM_PRIVATE_IP is not set; the platform sets it inside a Machine"),
        ({"PLATFORM_PRIVATE_IP": ""}, "PLATFORM_PRIVATE_IP is not set; the platform sets it"),
        ({"PLATFORM_PRIVATE_IP": f"{ONE}\n"}, "white space"),
    ],
)
def test_self_requires_a_variable_with_an_address(
    command: tuple[str, ...], variables: dict[str, str], message: str
) -> None:
    result = invoke(*command, env=variables)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
