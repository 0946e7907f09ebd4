"""What `fdaa reach` does with its ends; which text is which end is in test_ends.py."""

from __future__ import annotations

import re

import pytest
from command import invoke, records
from example_documents import DOCUMENTS, WEB, WORKER, unwrap
from network_files import save

pytestmark = pytest.mark.usefixtures("new_directory")


def test_self_is_the_machine_that_it_runs_on() -> None:
    shown = invoke("reach", "self", WORKER, "--json", PLATFORM_PRIVATE_IP=WEB)
    assert (records(shown.stdout)[0]["source"], shown.exit_code) == (WEB, 0)
    assert invoke("reach", "fdaa:7::1", "self", PLATFORM_PRIVATE_IP=WEB).exit_code == 1


def test_an_app_a_network_and_an_id_are_told_apart() -> None:
    """An app and a network of one name, and the forms of a network's ID."""
    apps = save("apps.json", [{"Name": "blue", "Network": "red"}, {"Name": "a", "Network": "blue"}])
    save("a.json", [{"id": "m", "private_ip": "fdaa:2:45b::3"}])
    documents = ("-d", apps, "-d", "a=a.json")
    for end in ("network:blue", "2:45b", "fdaa:2:45b::/48", "network:2:45b", "network:0x2045b"):
        assert invoke("reach", "a", end, *documents).exit_code == 0
    assert invoke("reach", "a", "blue", *documents).exit_code == 1
    (by_name,) = records(invoke("reach", "a", "network:blue", *documents, "--json").stdout)
    assert by_name["target"] == "network:blue"
    (by_prefix,) = records(invoke("reach", "a", "fdaa:2:45b::/48", *documents, "--json").stdout)
    assert by_prefix["target"] == "2:45b"


def test_what_is_no_network_is_wrong_input() -> None:
    for end in ("network:", "network:cust_17", "network:2:xyz"):
        assert invoke("reach", "fdaa:2:45b::3", end).exit_code == 2


@pytest.mark.parametrize(
    ("end", "hint"),
    [
        ("wokrer", "wokrer is in none of these documents; did you mean worker?"),
        ("2866e0ef6d3786", "did you mean 2866e0ef6d3768?"),
        ("network:customer-71", "documents; did you mean network:customer-17?"),
        ("custmer-17", "documents; did you mean network:customer-17?"),
        ("wokrer.internal:80", "wokrer is in none of these documents; did you mean worker?"),
    ],
)
def test_a_misspelt_end_gets_the_nearest_name_that_it_may_be(end: str, hint: str) -> None:
    assert hint in unwrap(invoke("reach", "web", end, *DOCUMENTS).stdout)
    assert "did you mean" not in invoke("reach", "web", "zzzzzz", *DOCUMENTS).stdout


@pytest.mark.parametrize(
    "text", ["reports.internal", "reports.internal:8080", "Reports:8080", "sea.reports.internal"]
)
def test_a_host_is_that_of_its_app(text: str) -> None:
    for ends, asked in (((text, "web"), ("reports", "web")), ((WEB, text), (WEB, "reports"))):
        of_host = invoke("reach", *ends, *DOCUMENTS, "--json")
        of_app = invoke("reach", *asked, *DOCUMENTS, "--json")
        (verdict,) = records(of_host.stdout)
        (wanted,) = records(of_app.stdout)
        assert (verdict["outcome"], verdict["reachable"]) == ("different-networks", False)
        assert wanted["outcome"] == verdict["outcome"]
        assert (of_host.stderr, of_host.exit_code) == ("", of_app.exit_code)


def test_the_next_step_in_this_machine_has_the_port_of_the_target() -> None:
    apps = save("apps.json", [{"name": "worker", "network": "customer-17"}])
    invoke("book", "learn", *DOCUMENTS, "-d", "b.json")
    for target, place in (
        (f"[{WORKER}]:5432", f"'[{WORKER}]:5432'"),
        (WORKER, f"'[{WORKER}]:PORT'"),
        ("worker", "worker.internal:PORT"),
        ("worker:80", "worker:80"),
    ):
        options = ("-d", apps, "-d", "b.json")
        shown = invoke("reach", "self", target, *options, PLATFORM_PRIVATE_IP=WEB).stdout
        command = re.sub(r" \\\n +", " ", shown)
        assert command.endswith(f"  next: fdaa probe {place} {' '.join(options)}\n")


def test_one_end_is_not_enough() -> None:
    for text in ("web", WORKER, f"dial tcp [{WORKER}]:80: i/o timeout"):
        result = invoke("reach", text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "Missing argument 'TARGET'. For a line: fdaa 'TEXT'." in result.stderr
