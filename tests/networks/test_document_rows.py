"""Rows of documents: a bad one is left out with its place, and hides no other."""

from __future__ import annotations

from typing import Any

import pytest
from organizations import parse

WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"


GOOD_ROW = {"name": "web", "id": "m0", "private_ip": WEB, "ip": "fdaa::3"}

# A good row, a bad one, a good one -> the bad one's place and what its reason says.
BAD_ROWS = [
    ("apps", {"name": "x", "network": 5}, "apps[1].network", "not a number"),
    ("apps", {"network": "blue"}, "apps[1].name", "missing"),
    ("apps", None, "apps[1]", "must be an object, not null"),
    ("Machines", {**GOOD_ROW, "ID": "m9"}, "Machines[1]", "'id' appears twice, in different case"),
    ("Machines", {"id": "m", "private_ip": "fdaa::g"}, "Machines[1].private_ip", "not a hex digit"),
    ("Machines", {"id": "m", "private_ip": "f" * 10**6}, "Machines[1].private_ip", "4 hex digits"),
    ("ips", {"ip": "fdaa::1/64"}, "ips[1].ip", "prefix length"),
    ("ips", {"address": None, "ip": "fdaa::3"}, "ips[1].address", "null"),
    ("ips", {"address": "fd00::1"}, "ips[1].address", "does not start with 'fdaa'"),
]
APP_OF = {"apps": None, "Machines": None, "ips": "web"}  # which app it is given out for


@pytest.mark.parametrize(("key", "row", "place", "reason"), BAD_ROWS)
def test_a_bad_row_is_left_out_and_hides_no_other(
    key: str, row: Any, place: str, reason: str
) -> None:
    value = {key: [GOOD_ROW, row, GOOD_ROW], "Name": "web"}
    document = parse(value, APP_OF[key], "file")
    (problem,) = document.unused
    assert (problem.file, problem.place) == ("file", place)
    assert reason in problem.reason
    assert len(problem.reason) < 300
    assert (document.left_out, document.is_whole) == (1, False)
    kept = [*document.machines, *document.allocated]
    if key == "apps":
        kept = list(document.apps)
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("total", "reason"),
    [
        (3, "the list has 1 of 3 apps"),
        (0, "it is 0, but the list has 1"),
        ("1", "must be a whole number, not '1'"),
    ],
)
def test_a_total_that_disagrees_with_the_list_is_a_problem(total: object, reason: str) -> None:
    document = parse({"total_apps": total, "apps": [{"name": "web"}]})
    (problem,) = document.unused
    assert problem.place == "total_apps"
    assert reason in problem.reason
    assert len(document.apps) == 1
    assert document.is_whole is (total == "1")


# A row, and a field of it that is not required -> the problem's place and reason.
BAD_FIELDS = [
    ("apps", {"name": "a", "machine_count": "2"}, "machine_count", "a whole number, not '2'"),
    ("apps", {"name": "a", "volume_count": -1}, "volume_count", "not a negative number"),
    ("ips", {"ip": "fdaa::3", "network": {"Name": 5}}, "network.Name", "not a number"),
]


@pytest.mark.parametrize(("key", "row", "place", "reason"), BAD_FIELDS)
def test_a_field_that_is_not_required_does_not_cost_the_row(
    key: str, row: Any, place: str, reason: str
) -> None:
    document = parse({key: [row]}, APP_OF[key])
    (problem,) = document.unused
    assert problem.place == f"{key}[0].{place}"
    assert reason in problem.reason
    assert document.left_out == 0
    assert document.is_whole
    assert len([*document.apps, *document.allocated]) == 1
    for app in document.apps:
        assert (app.id, app.machine_count, app.volume_count) == (None, None, None)


def test_of_very_many_bad_rows_the_first_are_kept_and_the_others_counted() -> None:
    document = parse({"apps": [{}] * 300})
    *kept, last = document.unused
    assert len(kept) == 100
    assert kept[-1].place == "apps[99].name"
    assert (last.place, last.reason) == ("", "200 more rows or values cannot be used")
    assert document.left_out == 300


# --- instance lists: entries that are bad or cut off, and TXT records as tools print them ---------

# An entry of an instance list -> the place and what is said.
BAD_ENTRIES = [
    ("instance=m,app=web", "instances[1].ip", "missing"),
    ("instance=m,app=web,ip=fdaa:", "instances[1].ip", "colon"),  # cut off
]


@pytest.mark.parametrize(("entry", "place", "reason"), BAD_ENTRIES)
def test_a_bad_entry_of_an_instance_list_is_left_out(entry: str, place: str, reason: str) -> None:
    good = f"instance=m,app=web,ip={WEB}"
    document = parse(f"{good};{entry};{good}".encode())
    (problem,) = document.unused
    assert (problem.place, len(document.machines)) == (place, 2)
    assert reason in problem.reason


def test_a_row_with_a_pair_of_public_addresses_is_two_public_addresses() -> None:
    pair = {"v4": "203.0.113.9", "v6": "2001:db8::9"}
    document = parse({"ips": [{"ip": None, "ip_pair": pair, "egress": True}]}, "web")
    assert [str(address) for address in document.public] == ["203.0.113.9", "2001:db8::9"]
    assert (document.unused, document.left_out) == ((), 0)
    private = {"v4": "203.0.113.9", "v6": "fe80::1"}
    document = parse({"ips": [{"ip": None, "ip_pair": private}]}, "web")
    assert (document.public, document.left_out) == ((), 1)
