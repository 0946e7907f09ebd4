"""`fdaa networks`: what is shown, and what contradicts it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from command import invoke, on_terminal, records, run
from network_files import ALL, TABLE, WEB, save

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("documents")


def test_a_table_has_a_row_for_each_network() -> None:
    result = invoke("networks", *ALL)
    assert (result.stdout, result.stderr, result.exit_code) == (TABLE, "", 0)


def test_json_has_these_fields_in_this_order() -> None:
    blue, default, _ = records(invoke("networks", *ALL, "--json").stdout)
    assert list(blue.items()) == [
        ("kind", "network"),
        ("network_name", "blue"),
        ("network_id", "2:45b"),
        ("network_id_int", 0x2045B),
        ("prefix", "fdaa:2:45b::/48"),
        ("apps", ["web"]),
        ("machines", 2),
    ]
    assert [default[field] for field in ("network_id", "prefix", "machines")] == [None] * 3


def test_where_each_fact_is_from_is_told_on_request() -> None:
    shown = invoke("networks", *ALL, "--why").stdout.splitlines()
    assert [line for line in shown if not line.startswith("  known from: ")] == TABLE.splitlines()
    assert shown[2] == "  known from: apps.json: apps[0].network; web.json: [0].private_ip"
    row = records(invoke("networks", *ALL, "--why", "--json").stdout)[0]
    assert row["origins"][1] == {"file": "web.json", "place": "[0].private_ip"}


def test_the_first_screen_is_narrow() -> None:
    rows = [{"name": f"customer-17-{i:03}", "network": "customer-17"} for i in range(500)]
    result = invoke("networks", "--apps", save("apps.json", {"apps": rows}))
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "customer-17-000, customer-17-001, and 498" in result.stdout


def test_machines_that_are_not_known_are_no_zero() -> None:
    new = save("new.json", [{"id": "m9", "state": "created"}])
    for file, machines, shown in (("", None, "-"), (new, None, "-"), (save("no.json", []), 0, "0")):
        options = (*ALL, *(("--machines", f"old={file}") if file else ()), "--only", "default")
        (row,) = records(invoke("networks", *options, "--json").stdout)
        assert row["machines"] == machines
        table = invoke("networks", *options).stdout.splitlines()
        assert table[1].split() == ["default", "?", "?", shown, "old"]


# What is asked for -> the names that are shown, and the status.
ONLY = [
    (("blue",), ["blue"], 0),
    (("2:45b",), ["blue"], 0),
    (("fdaa:2:45b::/48", "blue"), ["blue"], 0),
    (("red", "blue"), ["red", "blue"], 0),
    (("green", "blue"), ["blue"], 1),
    (("9:9",), [], 1),
    *(((text,), [], 2) for text in ("18", "2:xyz", "fdaa::/16", "")),
]


@pytest.mark.parametrize(("wanted", "names", "status"), ONLY)
def test_only_the_networks_that_are_asked_for_are_shown(
    wanted: tuple[str, ...], names: list[str], status: int
) -> None:
    options = (*ALL, *(each for text in wanted for each in ("--only", text)))
    result = invoke("networks", *options, "--json")
    assert ([row["network_name"] for row in records(result.stdout)], result.exit_code) == (
        names,
        status,
    )
    table = invoke("networks", *options).stdout.splitlines()[1:]
    assert [line.split()[0] for line in table] == names
    assert ("is not in these documents" in result.stderr) == (status == 1)


def test_contradictions_about_other_networks_are_not_shown() -> None:
    second = save("second.json", [{"Name": "web", "Network": "red"}])
    about = invoke("networks", *ALL, "--apps", second, "--only", "blue")
    assert (about.stdout.count("contradiction:"), about.exit_code) == (1, 1)
    other = invoke("networks", *ALL, "--apps", second, "--only", "default")
    assert (other.stdout.count("contradiction:"), other.exit_code) == (0, 0)


def test_a_picture_of_one_network_has_what_is_linked_to_it() -> None:
    options = (*ALL, "--addresses", "api=ips.json", "--format", "mermaid")
    whole = invoke("networks", *options).stdout
    assert whole.count("subgraph") == 3
    blue = invoke("networks", *options, "--only", "blue").stdout
    assert blue.count("subgraph") == 2  # api takes requests from blue
    assert "fdaa:2:45b:0:1::2" in blue
    default = invoke("networks", *options, "--only", "default").stdout
    assert default.count("subgraph") == 1
    assert "-->" not in default
    red = invoke("networks", *ALL, "--only", "7:0", "--format", "mermaid").stdout
    assert red.count("subgraph") == 1


# Options -> what would complete the row.
NEEDS = [
    (("--apps", "apps.json"), "a Machine list of web (--machines)"),
    (("--machines", "web=web.json"), "an app list that has web (--apps)"),
    (("--machines", "web.json"), "the app of this Machine list (--machines APP=FILE)"),
    (("--apps", "apps.json", "--machines", "web=none.json"), "a Machine of web that has an addr"),
    (("--addresses", "api=ips.json"), "a Machine list of an app on it (--machines APP=FILE)"),
    (("--apps", "bad.json", "--machines", "web=web.json"), "a valid name for the network of web"),
]


@pytest.mark.parametrize(("options", "needed"), NEEDS)
def test_an_incomplete_row_says_which_document_would_complete_it(
    options: tuple[str, ...], needed: str
) -> None:
    save("none.json", [])
    save("bad.json", [{"Name": "web", "Network": "9 lives"}])
    result = invoke("networks", *options)
    assert f"  to complete it: {needed}" in result.stdout
    assert result.exit_code == 0


SPLIT = [{"id": "m1", "private_ip": "fdaa:2:45b::3"}, {"id": "m2", "private_ip": "fdaa:9::4"}]
OLD = {"Name": "old", "Machines": [{"id": "m9", "private_ip": "fdaa:2:45b::9"}]}
TWO_APPS = "address fdaa:2:45b::3 is listed for two apps"
# The option of a second document, the document -> the rule that is broken, what a person reads.
CONTRADICTIONS = [
    ("--apps", [{"Name": "web", "Network": "red"}], "app-listed-twice", "app web is listed on two"),
    ("--machines", SPLIT, "app-on-two-networks", "the Machines of app web are on two networks"),
    ("--machines", {"Name": "api", "Machines": [WEB[0]]}, "address-of-two-apps", TWO_APPS),
    ("--machines", OLD, "id-has-two-names", "network ID 2:45b has two names"),
]


@pytest.mark.parametrize(("option", "document", "rule", "said"), CONTRADICTIONS)
def test_a_contradiction_is_shown_with_its_evidence(
    option: str, document: Any, rule: str, said: str
) -> None:
    second = ("web=" if document is SPLIT else "") + save("second.json", document)
    options = (*ALL, option, second)
    shown = invoke("networks", *options)
    assert f"\ncontradiction: {said}" in shown.stdout
    assert "second.json: " in shown.stdout.partition("contradiction")[2]
    result = invoke("networks", *options, "--json")
    found = [each for each in records(result.stdout) if each["kind"] == "contradiction"]
    assert rule in [each["rule"] for each in found]
    for each in found:
        assert list(each) == ["kind", "rule", "facts"]
        assert len(each["facts"]) == 2
    quiet = invoke("networks", *options, "-q")
    assert quiet.output == ""
    field = invoke("networks", *options, "--field", "network_name")
    assert f"fdaa: contradiction: {said}" in field.stderr
    assert [each.exit_code for each in (shown, result, quiet)] == [1, 1, 1]


def test_rows_that_documents_disagree_about_ask_for_agreement() -> None:
    second = save("second.json", [{"Name": "web", "Network": "red"}])
    shown = invoke("networks", *ALL, "--apps", second).stdout
    assert shown.count("documents that agree about it (see below)") == 2


def test_a_name_that_breaks_the_rules_is_a_warning() -> None:
    rows = [{"Name": "web", "Network": "9 lives"}, {"Name": "api", "Network": "red"}]
    options = ("--apps", save("apps.json", rows), "--machines", "web=web.json")
    said = "fdaa: warning: apps.json: [0].Network: '9 lives' is not a network name, so it is not"
    for command in (("networks",), ("reach", "fdaa:2:45b::9", "web"), ("whois", "fdaa:2:45b::3")):
        shown = invoke(*command, *options)
        assert said in shown.stderr
        assert shown.exit_code == 0
        assert invoke(*command, *options, "-q").stderr == ""
    lines = records(invoke("networks", *options, "--json").stdout)
    assert [(row["kind"], row.get("network_name"), row.get("network_id")) for row in lines] == [
        ("network", "red", None),
        ("network", None, "2:45b"),
        ("warning", None, None),
    ]
    assert list(lines[2]) == ["kind", "file", "place", "reason"]


def test_of_very_many_warnings_a_few_are_shown() -> None:
    rows = [{"Name": f"app{number}", "Network": f"{number}"} for number in range(50)]
    shown = invoke("networks", "--apps", save("many.json", rows)).stderr.splitlines()
    assert len([line for line in shown if "warning:" in line]) == 10
    assert "fdaa: and 40 more warnings like these; `fdaa networks --json` shows all" in shown


def test_of_very_many_statements_that_contradict_a_few_are_shown() -> None:
    machines = [{"id": f"m{i}", "private_ip": f"fdaa:{i:x}::3"} for i in range(999)]
    options = ("--machines", f"web={save('many.json', machines)}")
    shown = invoke("networks", *options, "--field", "network_id").stderr.splitlines()
    assert len(shown) == 12
    assert shown[-1] == "fdaa:   and 989 more like these; `fdaa networks --json` shows all"
    assert len(records(invoke("networks", *options, "--json").stdout)[-1]["facts"]) == 999


def test_documents_without_a_network_are_said_to_have_none() -> None:
    save("none.json", [])
    for form in (("--format", "table"), ("--json",), ("--format", "mermaid")):
        result = invoke("networks", "--apps", "none.json", *form)
        assert result.stderr == "fdaa: no networks found in these documents\n"
        assert result.exit_code == 0


# Options -> why they make no sense.
WRONG_CALLS = [
    ((), "give documents"),
    ((*ALL, "--json", "--format", "mermaid"), "cannot be combined"),
    ((*ALL, "--format", "svg"), "'svg' is not one of"),
    (("--machines", "=web.json"), "APP=FILE"),
    (("--machines", "web="), "APP=FILE"),
]


@pytest.mark.parametrize(("options", "reason"), WRONG_CALLS)
def test_a_wrong_call_says_what_is_wrong(options: tuple[str, ...], reason: str) -> None:
    result = invoke("networks", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


HOSTILE = ["\x1b[31mred", "a\nblue  1:2", "\x9b31m", "\u202eweb", "n" * 10_000, "\ud800", "a b", ""]


@pytest.mark.parametrize("form", ["--format=table", "--json", "--format=mermaid"])
def test_hostile_names_are_never_printed_raw(tmp_path: Path, form: str) -> None:
    rows = [{"name": name, "network": name} for name in HOSTILE]
    (tmp_path / "apps\x1b[31m.json").write_text(json.dumps({"apps": rows}))
    save("b.json", {"Name": HOSTILE[0], "Machines": [*WEB, {"id": "\x1b", "private_ip": "\x1b"}]})
    options = ("--apps", "apps\x1b[31m.json", "--machines", "b.json", form)
    result = run("networks", *options, *ALL, "--why")
    for stream in (result.stdout, result.stderr):
        assert stream.isascii()
        assert set(stream) & {*range(32), 127} <= {ord("\n")}
    assert result.returncode == 2
    if form == "--format=table":
        assert b"n" * 61 not in result.stdout
    if form != "--json":
        shown = result.stdout + result.stderr
        assert b"warning: " in shown
        assert b"'\\x1b[31mred' is not a network name" in shown


def test_a_terminal_gets_the_same() -> None:
    output, status = on_terminal("networks", *ALL)
    assert (output.decode().replace("\r\n", "\n"), status) == (TABLE, 0)


# --- the book -------------------------------------------------------------------------------------


def test_a_book_is_read_and_never_written(tmp_path: Path) -> None:
    missing = invoke("networks", *ALL, FDAA_BOOK="book.json")
    assert (missing.stdout, missing.exit_code) == ("", 2)
    assert "`fdaa book learn` creates it" in missing.stderr
    invoke("book", "learn", *ALL, "--book", "book.json")
    before = (tmp_path / "book.json").read_bytes()
    files = sorted(tmp_path.iterdir())
    save("new.json", {"Name": "old", "Machines": [{"id": "m", "private_ip": "fdaa:8::3"}]})
    shown = invoke("networks", *ALL, "--machines", "new.json", FDAA_BOOK="book.json")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "default  8:0" in shown.stdout
    assert (tmp_path / "book.json").read_bytes() == before
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "new.json"])


def test_what_a_book_has_is_used() -> None:
    invoke("book", "learn", *ALL, "--book", "book.json")
    result = invoke("networks", "--machines", "web.json", "--book", "book.json")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split()[:4] == ["blue", "2:45b", "fdaa:2:45b::/48", "2"]
    alone = invoke("networks", "--book", "book.json", "--json")
    assert [each["network_name"] for each in records(alone.stdout)] == ["blue", "red"]


def test_a_fact_that_contradicts_the_book_is_shown_with_both_sources() -> None:
    invoke("book", "learn", *ALL, "--book", "book.json")
    save("web.json", [{"id": "m", "private_ip": "fdaa:9::3"}])
    result = invoke("networks", *ALL, "--book", "book.json")
    assert result.exit_code == 1
    assert max(map(len, result.stdout.splitlines())) <= 80
    (wrapped,) = result.stdout.split("\ncontradiction: ")[1:]
    said = " ".join(wrapped.split())
    assert said.startswith("network blue has two IDs network blue")
    assert "ID 2:45b, app web, address fdaa:2:45b::3 (book.json: networks.blue" in said
    assert "ID 9:0, app web, address fdaa:9::3 (apps.json: apps[0].network; web.json" in said
