"""Each command: its statuses, and the answers that no page shows."""

from __future__ import annotations

from typing import Any

import pytest
from command import call, records
from example_documents import BILLING, FOR_CUSTOMER_17, WEB, WORKER

pytestmark = pytest.mark.usefixtures("documents")


def recorded(line: str, stdin: bytes | None = None, **variables: str) -> list[Any]:
    return records(call(f"{line} --json", stdin, **variables).out)


# --- statuses -------------------------------------------------------------------------------------

# 0 yes or done, 1 no, 2 the input or the call is wrong, 3 unknown: one meaning in all commands.
STATUSES = {
    f"'dial tcp [{WEB}]:5432: i/o timeout'": 0,
    "explain 'nothing is known here'": 2,
    f"decode {WEB} -d docs": 0,
    "decode fdaa::1g": 2,
    "same fdaa:2:45b::3 FDAA:2:045b::4": 0,
    "same fdaa:2:45b::3 fdaa:2:45b::/48 2:45b": 0,
    f"same {WEB} {BILLING}": 1,
    "same fdaa::1 x": 2,
    "build 2:45b": 0,
    "networks web -d docs": 0,
    "networks nosuch -d docs": 1,
    "networks -d docs -d old.json": 1,
    "networks billing -d docs -d old.json": 0,  # the contradiction is about another
    "reach web worker -d docs": 0,
    "reach web reports -d docs": 1,
    "reach web nosuch -d docs": 3,
    "probe [::1]:1": 1,
    "check allocations -d docs": 1,
    "check allocations -d docs/addresses-billing.json": 3,
    "check name customer-17": 0,
    "check name customer-17 17-customers": 1,
}


@pytest.mark.parametrize("line", STATUSES)
def test_a_status_and_the_same_with_quiet(line: str) -> None:
    called = call(line)
    assert called.status == STATUSES[line], called.err
    quiet = call(f"{line} --quiet")
    assert (quiet.status, quiet.out) == (called.status, "")


# --- explain --------------------------------------------------------------------------------------


def test_an_option_before_the_text_is_one_of_explain() -> None:
    for options in ("--json", "-d docs --json", "--why"):
        first = call(f"{options} {WEB}")
        assert first == call(f"explain {options} {WEB}")
        assert first.status == 0
    assert call("--field input -", b"to fdaa::1").out == "to fdaa::1\n"
    assert call("-- '-x fdaa::1'").status == 0
    assert call("--json --help") == call("explain --help")


# --- decode ---------------------------------------------------------------------------------------


def test_decode_shows_a_table_of_several_addresses() -> None:
    assert call("decode fdaa::1 fdaa::1 fdaa:2:45b::3").out.splitlines() == [
        "address        ID     count",
        "fdaa::1        0:0    2",
        "fdaa:2:45b::3  2:45b  1",
    ]


def test_decode_with_documents_shows_who_has_an_address() -> None:
    rows = call("decode web worker -d docs").out.splitlines()
    assert [row.split()[1:] for row in rows[1:]] == [
        ["customer-17", "2:45b", "web", "148e21dad76789"],
        ["customer-17", "2:45b", "web", "148e21dad7678a"],
        ["customer-17", "2:45b", "worker", "2866e0ef6d3768"],
    ]
    (record,) = recorded(f"decode {FOR_CUSTOMER_17} -d docs")
    assert (record["app"], record["holding"]) == ("billing", "cross-network-address")
    (record,) = recorded("decode network:customer-17 -d docs")
    assert (record["prefix"], record["holding"]) == ("fdaa:2:45b::/48", None)
    for name in ("148e21dad76789", "148e21dad76789.vm.web.internal"):
        assert recorded(f"decode {name} -d docs")[0]["address"] == WEB


# Line -> what the answer lacks.
LACKING = {
    "decode fdaa:2:45b::99 -d docs/apps.json": "the Machine lists",
    "reach web reports -d docs/apps.json": "the address list of reports",
    "check allocations -d docs/addresses-billing.json": "an app list",
}


@pytest.mark.parametrize("line", LACKING)
def test_what_an_answer_lacks_is_named_with_the_option_once(line: str) -> None:
    shown = call(line).out
    assert f"Missing: {LACKING[line]}" in shown
    assert shown.count("-d PATH") == 1


def test_decode_answers_each_line_and_reports_the_others() -> None:
    lines = b"fdaa::1\nbad line\n\nfdaa::2\n"
    called = call("decode --field input -", lines)
    assert (called.status, called.out) == (2, "fdaa::1\nfdaa::2\n")
    assert called.err.startswith("fdaa: line 2: 'bad line'")
    kinds = [record["kind"] for record in recorded("decode", lines)]
    assert kinds == ["address", "error", "address"]
    many = call("decode", b"no good\n" * 25)
    assert len(many.err.splitlines()) == 11
    assert "15 more" in many.err
    assert call("decode", b"").status == 0


# --- same and build -------------------------------------------------------------------------------


def test_same_compares_networks() -> None:
    assert "same address" in call("same fdaa::1 FDAA:0::1").out
    shown = call(f"same {WEB} {BILLING}").out
    assert "different networks" in shown
    assert "Ways around" in shown
    (record,) = recorded("same fdaa::1 2:45b")
    assert (record["same"], record["assumed"]) == (False, "network-id-0")
    assert [each["input"] for each in record["addresses"]] == ["fdaa::1", "2:45b"]
    (record,) = recorded("same", b"fdaa::1\nbad\n")
    assert (record["same"], record["addresses"][1]["kind"]) == (None, "error")
    assert call(f"same self {WEB} --field same", PLATFORM_PRIVATE_IP=WEB).out == "true\n"


def test_build_is_the_inverse_of_decode() -> None:
    (built,) = recorded("build 2:45b a7b:174:db43:d3c6:2")
    (decoded,) = recorded(f"decode {WEB}")
    assert decoded == {"input": WEB, **built}
    assert call("build 2:45b").out == "fdaa:2:45b::\n"


# --- networks -------------------------------------------------------------------------------------


def test_networks_with_why_shows_where_facts_are_from() -> None:
    assert "known from: docs/apps.json" in call("networks -d docs --why").out
    assert recorded("networks web -d docs --why")[0]["origins"]


@pytest.mark.parametrize("asked", ["web", "network:customer-17", "2:45b"])
def test_networks_of_an_app_a_name_or_an_id(asked: str) -> None:
    (record,) = recorded(f"networks {asked} -d docs")
    assert record["network_name"] == "customer-17"
    addresses = recorded(f"networks {asked} --addresses -d docs")
    assert {each["network_id"] for each in addresses} == {"2:45b"}
    assert {each["app"] for each in addresses} == {"web", "worker", "billing"}
    picture = call(f"networks {asked} -d docs --format mermaid").out
    assert picture.startswith("flowchart LR\n")
    assert "customer-17" in picture
    assert "cold-storage" not in picture


def test_contradictions_are_results() -> None:
    kinds = {record["kind"] for record in recorded("networks -d docs -d old.json")}
    assert kinds == {"network", "contradiction"}
    addresses = recorded("networks -d docs -d old.json --addresses")
    assert {record["kind"] for record in addresses} == {"holder", "contradiction"}
    assert "contradiction" in call("networks -d docs -d old.json --field prefix").err
    noted = call("reach web billing -d docs -d old.json").err
    assert "1 contradiction" in noted
    assert "fdaa networks -d docs -d old.json\n" in noted


def test_networks_are_saved_as_a_document() -> None:
    saved = call("networks -d docs --save saved.json")
    assert (saved.status, "added customer-17 (2:45b)" in saved.err) == (0, True)
    again = call("networks -d docs --save saved.json")
    assert (again.status, "nothing new" in again.err) == (0, True)
    assert call("networks -d docs -d old.json --save saved.json").status == 1


# --- reach, probe and check -----------------------------------------------------------------------


def test_reach_suggests_a_probe_from_this_machine() -> None:
    shown = call(f"reach self {WORKER} -d docs", PLATFORM_PRIVATE_IP=WEB).out
    assert f"  next: fdaa probe '[{WORKER}]:PORT' -d docs\n" in shown
    assert "next:" not in call(f"reach {WEB} {WORKER} -d docs", PLATFORM_PRIVATE_IP=BILLING).out


def test_reach_tells_what_is_permitted_from_what_runs() -> None:
    stopped = b'[{"id": "1", "state": "stopped"}]'
    line = "reach web worker -d docs/apps.json -d worker=-"
    assert call(line, stopped).status == 1
    assert call(f"{line} --permitted", stopped).status == 0


def test_probe_self_has_no_hint_about_an_address_that_nobody_gave() -> None:
    ambiguous = "fdaa:2:45b::3:3000"
    assert "with one: " in call(f"probe {ambiguous}").out
    assert "with one: " not in call("probe self", PLATFORM_PRIVATE_IP=ambiguous).out


def test_check_name_shows_the_wrong_character() -> None:
    shown = call("check name customer-17 17-customers").out
    assert "'customer-17': valid\n" in shown
    assert shown.endswith("\n  17-customers\n  ^\n")
    escaped = call("check name '\udcff'").out
    assert escaped.count("\\udcff") == 2
    assert "\\\\" not in escaped
    first, second = recorded("check name customer-17 17-customers")
    assert (first["valid"], second["valid"], second["at"]) == (True, False, 0)
