"""`fdaa networks`: what is shown, and what contradicts it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from command import invoke, on_terminal, records, run
from example_documents import unwrap
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
        ("machine_count", 2),
    ]
    assert default["network_id"] is None
    assert default["prefix"] is None
    assert default["machine_count"] is None


def test_why_shows_where_each_fact_is_from() -> None:
    shown = invoke("networks", *ALL, "--why").stdout
    origins = re.findall(r"^  known from: .*\n", shown, re.MULTILINE)
    assert origins[0] == "  known from: apps.json: apps[0].network; web.json: [0].private_ip\n"
    for line in origins:
        shown = shown.replace(line, "")
    assert shown == TABLE
    row = records(invoke("networks", *ALL, "--why", "--json").stdout)[0]
    assert row["origins"][1] == {"file": "web.json", "place": "[0].private_ip"}


def width(text: str) -> int:
    """Return the length of the longest line."""
    return max(len(line) for line in text.splitlines())


def test_a_table_of_many_apps_fits_80_columns() -> None:
    rows = [{"name": f"customer-17-{i:03}", "network": "customer-17"} for i in range(500)]
    result = invoke("networks", "-d", save("apps.json", {"apps": rows}))
    assert width(result.stdout) <= 80
    assert "customer-17-000, customer-17-001, and 498" in result.stdout


@pytest.mark.parametrize(
    ("options", "machines", "shown"),
    [
        pytest.param((), None, "-", id="no Machine list"),
        pytest.param(("-d", "old=new.json"), None, "-", id="a Machine without address"),
        pytest.param(("-d", "old=none.json"), 0, "0", id="an empty Machine list"),
    ],
)
def test_machines_that_are_not_known_are_no_zero(
    options: tuple[str, ...], machines: int | None, shown: str
) -> None:
    save("new.json", [{"id": "m9", "state": "created"}])
    save("none.json", [])
    arguments = ("networks", *ALL, *options, "--only", "default")
    (row,) = records(invoke(*arguments, "--json").stdout)
    assert row["machine_count"] == machines
    table = invoke(*arguments).stdout.splitlines()
    assert table[1].split() == ["default", "?", "?", shown, "old"]


@pytest.mark.parametrize(
    ("only", "names", "status"),
    [
        (("--only=blue",), ["blue"], 0),
        (("--only=2:45b",), ["blue"], 0),
        (("--only=fdaa:2:45b::/48", "--only=blue"), ["blue"], 0),
        (("--only=red", "--only=blue"), ["red", "blue"], 0),
        (("--only=green", "--only=blue"), ["blue"], 1),
        (("--only=9:9",), [], 1),
        (("--only=18",), [], 2),
        (("--only=2:xyz",), [], 2),
        (("--only=fdaa::/16",), [], 2),
        (("--only=",), [], 2),
        (("--only=network:2:45b",), ["blue"], 0),
        (("--only=network:blue",), ["blue"], 0),
    ],
)
def test_only_the_networks_that_are_asked_for_are_shown(
    only: tuple[str, ...], names: list[str], status: int
) -> None:
    result = invoke("networks", *ALL, *only, "--json")
    assert [row["network_name"] for row in records(result.stdout)] == names
    assert result.exit_code == status
    table = invoke("networks", *ALL, *only).stdout.splitlines()[1:]
    assert [line.split()[0] for line in table] == names
    assert ("is not in these documents" in result.stderr) == (status == 1)


def test_contradictions_about_other_networks_are_not_shown() -> None:
    second = save("second.json", [{"Name": "web", "Network": "red"}])
    about = invoke("networks", *ALL, "-d", second, "--only", "blue")
    assert (about.stdout.count("contradiction:"), about.exit_code) == (1, 1)
    other = invoke("networks", *ALL, "-d", second, "--only", "default")
    assert (other.stdout.count("contradiction:"), other.exit_code) == (0, 0)


def test_a_picture_of_one_network_has_what_is_linked_to_it() -> None:
    options = (*ALL, "-d", "api=ips.json", "--format", "mermaid")
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


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        (("--documents=apps.json",), "a Machine list of web (-d web=FILE)"),
        (("--documents=web=web.json",), "an app list that has web (-d FILE)"),
        (
            ("--documents=web.json",),
            "the app of this Machine list, and an app list (-d APP=FILE and -d FILE)",
        ),
        (
            ("--documents=apps.json", "--documents=web=none.json"),
            "a Machine of web that has an addr",
        ),
        (
            ("--documents=api=ips.json",),
            "a Machine list of an app on it, and an app list (-d APP=FILE and -d FILE)",
        ),
        (
            ("--documents=bad.json", "--documents=web=web.json"),
            "a valid name for the network of web",
        ),
        (
            ("--documents=three.json", "--documents=web=none.json"),
            "a Machine list of db (-d db=FILE)",
        ),
    ],
)
def test_an_incomplete_row_says_which_document_would_complete_it(
    options: tuple[str, ...], needed: str
) -> None:
    save("none.json", [])
    save("bad.json", [{"Name": "web", "Network": "9 lives"}])
    names = ("web", "db")
    rows = [{"name": name, "network": "blue"} for name in names]
    save("three.json", [*rows, {"name": "idle", "network": "blue", "machine_count": 0}])
    result = invoke("networks", *options)
    assert f" to complete it: {needed}" in unwrap(result.stdout)
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("option", "document", "rule", "said"),
    [
        pytest.param(
            "--documents=second.json",
            [{"Name": "web", "Network": "red"}],
            "app-listed-twice",
            "app web is listed on two",
            id="an app on two networks",
        ),
        pytest.param(
            "--documents=web=second.json",
            [
                {"id": "m1", "private_ip": "fdaa:2:45b::3"},
                {"id": "m2", "private_ip": "fdaa:9::4"},
            ],
            "app-on-two-networks",
            "app web is on two networks",
            id="Machines of an app on two networks",
        ),
        pytest.param(
            "--documents=second.json",
            {"Name": "api", "Machines": [WEB[0]]},
            "address-of-two-apps",
            "address fdaa:2:45b::3 is listed for two apps",
            id="an address of two apps",
        ),
        pytest.param(
            "--documents=second.json",
            {"Name": "old", "Machines": [{"id": "m9", "private_ip": "fdaa:2:45b::9"}]},
            "id-has-two-names",
            "ID 2:45b has two names",
            id="two names of an ID",
        ),
    ],
)
def test_a_contradiction_is_shown_with_its_evidence(
    option: str, document: Any, rule: str, said: str
) -> None:
    save("second.json", document)
    shown = invoke("networks", *ALL, option)
    assert f"\ncontradiction: {said}" in shown.stdout
    assert "second.json: " in shown.stdout.partition("contradiction")[2]
    assert shown.exit_code == 1
    in_json = invoke("networks", *ALL, option, "--json")
    assert in_json.exit_code == 1
    found = [row for row in records(in_json.stdout) if row["kind"] == "contradiction"]
    assert rule in [row["rule"] for row in found]
    for row in found:
        assert list(row) == ["kind", "rule", "facts"]
        assert len(row["facts"]) == 2
    quiet = invoke("networks", *ALL, option, "-q")
    assert (quiet.output, quiet.exit_code) == ("", 1)
    field = invoke("networks", *ALL, option, "--field", "network_name")
    assert f"fdaa: contradiction: {said}" in field.stderr


def test_rows_that_documents_disagree_about_ask_for_agreement() -> None:
    second = save("second.json", [{"Name": "web", "Network": "red"}])
    shown = invoke("networks", *ALL, "-d", second).stdout
    assert shown.count("documents that agree about it (see below)") == 2


def test_a_name_that_breaks_the_rules_is_a_warning() -> None:
    rows = [{"Name": "web", "Network": "9 lives"}, {"Name": "api", "Network": "red"}]
    options = ("-d", save("apps.json", rows), "-d", "web=web.json")
    said = "fdaa: warning: apps.json: [0].Network: '9 lives' is not a network name, so it is not"
    for command in (("networks",), ("reach", "fdaa:2:45b::9", "web"), ("decode", "fdaa:2:45b::3")):
        shown = invoke(*command, *options)
        assert said in shown.stderr
        assert shown.exit_code == 0
        assert invoke(*command, *options, "-q").stderr == ""
    red, unnamed, warning = records(invoke("networks", *options, "--json").stdout)
    assert (red["network_name"], red["network_id"]) == ("red", None)
    assert (unnamed["network_name"], unnamed["network_id"]) == (None, "2:45b")
    assert list(warning) == ["kind", "file", "place", "reason", "what"]
    assert (warning["kind"], warning["what"]) == ("unused", "network-name")


def test_of_very_many_warnings_a_few_are_shown() -> None:
    rows = [{"Name": f"app{number}", "Network": f"{number}"} for number in range(50)]
    shown = invoke("networks", "-d", save("many.json", rows)).stderr
    assert shown.count("warning:") == 10
    assert "and 40 more warnings like these" in shown
    assert "to see all: fdaa networks --json -d many.json\n" in shown


def test_of_very_many_statements_that_contradict_a_few_are_shown() -> None:
    machines = [{"id": f"m{i}", "private_ip": f"fdaa:{i:x}::3"} for i in range(999)]
    options = ("-d", f"web={save('many.json', machines)}")
    shown = invoke("networks", *options, "--field", "network_id").stderr.splitlines()
    assert len(shown) == 12
    assert shown[-1].startswith("fdaa:   and 989 more like these")
    assert shown[-1].endswith("fdaa networks --json -d web=many.json")
    assert len(records(invoke("networks", *options, "--json").stdout)[-1]["facts"]) == 999


def test_documents_without_a_network_are_said_to_have_none() -> None:
    save("none.json", [])
    for form in (("--format", "table"), ("--json",), ("--format", "mermaid")):
        result = invoke("networks", "-d", "none.json", *form)
        assert result.stderr == "fdaa: no networks found in these documents\n"
        assert result.exit_code == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "give documents"),
        ((*ALL, "--json", "--format", "mermaid"), "cannot be combined"),
        ((*ALL, "--format", "svg"), "'svg' is not one of"),
        (("-d", "=web.json"), "APP=FILE"),
        (("-d", "web="), "APP=FILE"),
    ],
)
def test_options_that_make_no_sense_are_refused_with_a_reason(
    options: tuple[str, ...], reason: str
) -> None:
    result = invoke("networks", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


HOSTILE = [
    "\x1b[31mred",
    "a\nblue  1:2",
    "\x9b31m",
    "\u202eweb",
    "n" * 10_000,
    "\ud800",
    "a b",
    "",
]


@pytest.mark.parametrize("form", ["--format=table", "--json", "--format=mermaid"])
def test_hostile_names_are_never_printed_raw(tmp_path: Path, form: str) -> None:
    rows = [{"name": name, "network": name} for name in HOSTILE]
    (tmp_path / "apps\x1b[31m.json").write_text(json.dumps({"apps": rows}))
    save("b.json", {"Name": HOSTILE[0], "Machines": [*WEB, {"id": "\x1b", "private_ip": "\x1b"}]})
    options = ("-d", "apps\x1b[31m.json", "-d", "b.json", form)
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


def test_the_table_is_the_same_on_a_terminal() -> None:
    output, status = on_terminal("networks", *ALL)
    assert (output.decode().replace("\r\n", "\n"), status) == (TABLE, 0)


# --- the book -------------------------------------------------------------------------------------


def test_a_book_is_read_and_never_written(tmp_path: Path) -> None:
    missing = invoke("networks", *ALL, FDAA_DOCUMENTS="book.json")
    assert (missing.stdout, missing.exit_code) == ("", 2)
    assert "`fdaa book learn` creates it" in missing.stderr
    invoke("book", "learn", *ALL, "-d", "book.json")
    before = (tmp_path / "book.json").read_bytes()
    files = sorted(tmp_path.iterdir())
    save("new.json", {"Name": "old", "Machines": [{"id": "m", "private_ip": "fdaa:8::3"}]})
    shown = invoke("networks", *ALL, "-d", "new.json", FDAA_DOCUMENTS="book.json")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "default  8:0" in shown.stdout
    assert (tmp_path / "book.json").read_bytes() == before
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "new.json"])


def test_what_a_book_has_is_used() -> None:
    invoke("book", "learn", *ALL, "-d", "book.json")
    result = invoke("networks", "-d", "web.json", "-d", "book.json")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split()[:4] == ["blue", "2:45b", "fdaa:2:45b::/48", "2"]
    alone = invoke("networks", "-d", "book.json", "--json")
    assert [row["network_name"] for row in records(alone.stdout)] == ["blue", "red"]


def test_a_fact_that_contradicts_the_book_is_shown_with_both_sources() -> None:
    invoke("book", "learn", *ALL, "-d", "book.json")
    save("web.json", [{"id": "m", "private_ip": "fdaa:9::3"}])
    result = invoke("networks", *ALL, "-d", "book.json")
    assert result.exit_code == 1
    assert width(result.stdout) <= 80
    (wrapped,) = result.stdout.split("\ncontradiction: ")[1:]
    said = " ".join(wrapped.split())
    assert said.startswith("network blue has two IDs network blue")
    assert "ID 2:45b, app web, address fdaa:2:45b::3 (book.json: networks.blue" in said
    assert "ID 9:0, app web, address fdaa:9::3 (apps.json: apps[0].network; web.json" in said
