"""`fdaa check`: whom a cross-network address serves, and the usual mistakes; names."""

from __future__ import annotations

import pytest
from command import invoke, records
from example_documents import unwrap
from network_files import ALL, APPS, IPS, save

pytestmark = pytest.mark.usefixtures("documents")


# Addresses for cross-network access of an app, the app -> the warning, what a person reads, the
# exit status.
CHECKED = [
    ("fdaa:2:45b:0:1::2", "api", None, "", 0),
    ("fdaa:7:0:1::2", "api", "own-network", "warning: api itself is on this network", 1),
    ("fdaa:99::2", "api", "unknown-network", "unknown network", 3),
]


@pytest.mark.parametrize(("address", "app", "warning", "said", "status"), CHECKED)
def test_check_shows_which_network_an_address_serves(
    address: str, app: str, warning: str | None, said: str, status: int
) -> None:
    save("ips.json", {"ips": [{"ip": address}]})
    options = (*ALL, "-d", f"{app}=ips.json")
    shown = invoke("check", "allocations", *options)
    assert shown.stdout.startswith("address ")
    assert shown.stdout.count("warning: ") == (status == 1)
    assert said in shown.stdout
    (row,) = records(invoke("check", "allocations", *options, "--json").stdout)
    assert list(row) == [
        "kind",
        "address",
        "app",
        "network_name",
        "network_id",
        "network_id_int",
        "warning",
        "own_network",
        "assumed",
    ]
    assert row["assumed"] == "clients-network-id"
    assert (row["kind"], row["address"], row["app"]) == ("cross-network-address", address, app)
    assert row["warning"] == warning
    assert shown.exit_code == status
    quiet = invoke("check", "allocations", *options, "-q")
    assert (quiet.stdout, quiet.exit_code) == ("", status)


@pytest.mark.parametrize(
    ("first", "second"), [("api=ips.json", "ips.json"), ("ips.json", "api=ips.json")]
)
def test_an_address_listed_with_and_without_its_app_is_one(first: str, second: str) -> None:
    save("ips.json", {"ips": [{"ip": "fdaa:2:45b:0:1::2"}]})
    addresses = ("-d", first, "-d", second)
    result = invoke("check", "allocations", *ALL, *addresses, "--json")
    row, warning = records(result.stdout)
    assert (row["app"], result.exit_code) == ("api", 0)
    assert (warning["kind"], warning["file"]) == ("unused", "ips.json")


def test_check_warns_of_a_network_that_no_app_is_on() -> None:
    save("apps.json", {"apps": APPS["apps"][:2]})
    save("ips.json", [{"Address": "fdaa:99::2", "Network": {"Name": "green"}}])
    shown = invoke("check", "allocations", *ALL, "-d", "api=ips.json")
    assert "warning: no app in these documents is on this network (assumed)" in shown.stdout
    assert "green" in shown.stdout
    assert shown.exit_code == 1
    fields = ("--field", "warning", "--field", "assumed")
    shown = invoke("check", "allocations", *ALL, "-d", "api=ips.json", *fields)
    assert shown.stdout == "no-app-on-network\tcomplete-documents\n"


def test_check_says_which_document_is_missing() -> None:
    alone = invoke("check", "allocations", "-d", "ips.json")
    assert "whether this is the app's own network; add the app" in alone.stdout
    assert "the address list (-d APP=FILE)" in unwrap(alone.stdout)
    assert "(-d FILE and -d APP=FILE)" in unwrap(alone.stdout)
    assert alone.exit_code == 3
    shown = invoke("check", "allocations", *ALL, "-d", "nobody=ips.json")
    assert "unknown whether nobody itself is on this network; add its" in unwrap(shown.stdout)
    assert "(-d nobody=FILE)" in unwrap(shown.stdout)
    assert shown.exit_code == 3


def test_check_names_the_network() -> None:
    invoke("book", "learn", *ALL, "-d", "book.json")
    for options in (ALL, ("-d", "book.json")):
        shown = invoke("check", "allocations", *options, "-d", "api=ips.json")
        assert shown.stdout.splitlines()[1].split() == ["fdaa:2:45b:0:1::2", "api", "blue", "2:45b"]


def test_check_reports_problems_and_contradictions() -> None:
    save("ips.json", {"ips": [{"ip": "fdaa:2:45b:0:1::2"}, {"ip": "fdaa::1g"}]})
    options = (*ALL, "-d", "api=ips.json")
    result = invoke("check", "allocations", *options)
    assert "ips.json: ips[1].ip: 'fdaa::1g' is not a private address" in result.stderr
    assert result.exit_code == 2
    row, problem = records(invoke("check", "allocations", *options, "--json").stdout)
    assert row["kind"] == "cross-network-address"
    assert problem["kind"] == "unused"
    save("ips.json", IPS)
    save("two.json", [{"Name": "web", "Network": "red"}])
    result = invoke("check", "allocations", *options, "-d", "two.json")
    assert "contradiction: app web is listed on two networks" in result.stdout
    assert result.exit_code == 1


def test_check_allocations_needs_a_list_of_addresses() -> None:
    result = invoke("check", "allocations", *ALL)
    assert result.exit_code == 2
    assert "-d" in result.stderr
    save("ips.json", {"ips": [{"ip": "2001:db8::1"}]})
    result = invoke("check", "allocations", *ALL, "-d", "api=ips.json")
    assert (result.stdout, result.exit_code) == ("", 0)
    assert "no cross-network address in these documents" in result.stderr


# --- names ----------------------------------------------------------------------------------------


def test_each_name_gets_its_verdict() -> None:
    result = invoke("check", "name", "default", "customer_17", "")
    letters = "only ASCII letters, digits and dashes are allowed"
    assert result.stdout.splitlines() == [
        "'default': valid",
        f"'customer_17': invalid: {letters}, not '_'",
        "  customer_17",
        "          ^",
        "'': invalid: it is empty; it must start with a letter (a to z, A to Z)",
    ]
    assert result.exit_code == 1


def test_names_are_never_printed_raw() -> None:
    result = invoke("check", "name", "a\x1b[31m", "n\u0435twork", "\udcff", "a" * 10_000)
    assert result.output.replace("\n", "").isprintable()
    assert "\x1b" not in result.output
    assert "U+0435 (CYRILLIC SMALL LETTER IE)" in result.stdout
    assert "a" * 61 not in result.output


def test_a_risky_name_is_valid_and_gets_a_warning() -> None:
    result = invoke("check", "name", "customer-")
    assert (result.exit_code, result.stdout) == (0, "'customer-': valid\n")
    assert "warning: 'customer-': it ends in a dash" in result.stderr
    assert invoke("check", "name", "default").stderr == ""


def test_names_as_json() -> None:
    result = invoke("check", "name", "--json", "a_b", "Default")
    assert records(result.stdout) == [
        {
            "input": "a_b",
            "valid": False,
            "error": "only ASCII letters, digits and dashes are allowed, not '_'",
            "at": 1,
            "warnings": [],
        },
        {
            "input": "Default",
            "valid": True,
            "error": None,
            "at": None,
            "warnings": [
                "it differs from 'default' only in case, but is a different network (assumed)"
            ],
        },
    ]
