"""The ends that `fdaa reach` and `fdaa whois` read: addresses, apps, hosts and networks."""

from __future__ import annotations

import pytest
from command import invoke, records
from example_documents import DOCUMENTS, FOR_DEFAULT, WEB, WORKER, unwrap
from network_files import save

pytestmark = pytest.mark.usefixtures("new_directory")


def test_a_pasted_address_is_read_and_what_was_left_out_is_said() -> None:
    shown = invoke("reach", f"[{WEB}]:5432", f"dial tcp [{WORKER}]:80: refused")
    assert shown.stdout.split("\n  ")[0].split() == ["yes:", WEB, "can", "reach", WORKER]
    assert f"read {WEB}\n" in shown.stderr
    assert shown.exit_code == 0
    assert invoke("reach", f"{WEB}/112", WORKER).exit_code == 0
    assert invoke("reach", f"to {WEB} ({WEB.upper()})", WORKER).stdout == shown.stdout
    twice = invoke("reach", f"dial tcp [{WEB}]:5432: connect: [{WEB}]:5432: refused", WORKER)
    assert (twice.stdout, twice.exit_code) == (shown.stdout, 0)
    several = invoke("reach", f"{WEB} {WORKER}", WORKER)
    assert (several.exit_code, several.stdout) == (2, "")
    assert "contains several addresses" in several.stderr
    both = invoke("reach", WEB, f"[{WORKER}]:40112->reports.internal:80: timeout")
    assert "names an address and an app; give one" in both.stderr
    assert (both.stdout, both.exit_code) == ("", 2)


def test_self_is_the_machine_that_it_runs_on() -> None:
    shown = invoke("reach", "self", WORKER, "--json", PLATFORM_PRIVATE_IP=WEB)
    assert (records(shown.stdout)[0]["source"], shown.exit_code) == (WEB, 0)
    assert invoke("reach", "fdaa:7::1", "self", PLATFORM_PRIVATE_IP=WEB).exit_code == 1


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("fdaa::1g", "not a hex digit"),
        ("", "empty"),
        ("web:8.8", "not a network ID"),
        ("reports:99999", "'reports:99999': a port is from 1 to 65535"),
        ("reports.internal:0", "'reports.internal:0': a port is from 1 to 65535"),
        ("connect to db:5432 failed", "no private address in this text"),
        ("db.example.com:5432", "is not the host of an app"),
        ("from web.internal to worker.internal", "names several apps; give one"),
        ("203.0.113.9", "this is an IPv4 address"),
        ("network:1st", "not a network ID"),
        ("fdaa::/16", "covers many networks"),
    ],
)
def test_what_is_no_address_is_wrong_input(end: str, reason: str) -> None:
    for ends in ((end, WEB), (WEB, end)):
        result = invoke("reach", *ends, *DOCUMENTS)
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in result.stderr


def test_an_app_a_network_and_an_id_are_told_apart() -> None:
    """An app and a network of one name, and the forms of a network's ID."""
    apps = save("apps.json", [{"Name": "blue", "Network": "red"}, {"Name": "a", "Network": "blue"}])
    save("a.json", [{"id": "m", "private_ip": "fdaa:2:45b::3"}])
    documents = ("--apps", apps, "--machines", "a=a.json")
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
    ("text", "is_a_word"),
    [
        ("reports.internal", True),
        ("reports.internal:8080", True),
        ("Reports:8080", True),
        ("Error: getaddrinfo ENOTFOUND reports.internal", False),
        ("dial tcp: lookup reports.internal on [fdaa::3]:53: no such host", False),
        ("http://reports.internal:8080/health", False),
    ],
)
def test_a_host_is_read_as_its_app(text: str, is_a_word: bool) -> None:
    """Only of a single word is it said."""
    note = ""
    if is_a_word:
        note = f"fdaa: '{text}': read app reports\n"
    as_source = invoke("reach", text, "web", *DOCUMENTS)
    assert as_source.stdout == invoke("reach", "reports", "web", *DOCUMENTS).stdout
    assert (as_source.stderr, as_source.exit_code) == (note, 1)
    as_target = invoke("reach", "web", text, *DOCUMENTS)
    assert as_target.stdout == invoke("reach", "web", "reports", *DOCUMENTS).stdout
    assert (as_target.stderr, as_target.exit_code) == (note, 1)


def test_an_app_with_a_port_may_look_like_a_network_id() -> None:
    """The documents decide."""
    rows = [
        {"Name": "db", "Network": "blue"},
        {"Name": "c", "Network": "red"},
    ]
    apps = save("apps.json", rows)
    result = invoke("reach", "c", "db:80", "--apps", apps, "--json")
    assert records(result.stdout)[0]["target"] == "db:80"
    assert result.stderr == "fdaa: 'db:80': read app db; for the network: fdaa:db:80::/48\n"
    unknown = invoke("reach", "c", "cd:80", "--apps", apps, "--json")
    (verdict,) = records(unknown.stdout)
    assert (verdict["target"], verdict["reachable"], unknown.exit_code) == ("cd:80", None, 3)
    machines = save("machines.json", [{"id": "m", "private_ip": "fdaa:cd:80::3"}])
    documents = ("--apps", apps, "--machines", f"c={machines}")
    result = invoke("reach", "c", "cd:80", *documents, "--json")
    assert records(result.stdout)[0]["target"] == "network:cd:80"
    assert result.stderr == "fdaa: 'cd:80': read network cd:80; for the app: cd.internal\n"


@pytest.mark.parametrize(
    ("target", "port"),
    [
        (f"Redis at {FOR_DEFAULT}:6379", 6379),
        (f"peer:{FOR_DEFAULT}:443: refused", 443),
    ],
)
def test_a_port_without_brackets_is_read_as_one_if_the_documents_have_that_address(
    target: str, port: int
) -> None:
    result = invoke("reach", "billing", target, *DOCUMENTS)
    assert f"read {FOR_DEFAULT}, port {port}: that address is known\n" in result.stderr
    assert result.stdout == invoke("reach", "billing", FOR_DEFAULT, *DOCUMENTS).stdout


@pytest.mark.parametrize(
    "target", [f"{FOR_DEFAULT}:64ab", "fdaa:2:45b:0:1::99:6379", "fdaa:0:18:0:1:0:24:6379"]
)
def test_a_group_of_an_address_is_not_read_as_a_port(target: str) -> None:
    result = invoke("reach", "billing", target, *DOCUMENTS)
    assert "that address is known" not in result.stderr
    assert result.stdout != invoke("reach", "billing", FOR_DEFAULT, *DOCUMENTS).stdout


def test_an_address_in_the_documents_is_read_as_it_is() -> None:
    longer = "fdaa:0:18:0:1:0:24:6379"
    rows = save("rows.json", [{"id": "m1", "private_ip": longer}])
    also = ("--machines", f"billing={rows}")
    result = invoke("whois", f"at {FOR_DEFAULT}:6379", *DOCUMENTS, *also)
    assert (longer in result.stdout, result.stderr) == (True, "")


def test_a_line_of_standard_input_is_read_by_the_documents_too() -> None:
    line = f"connect ETIMEDOUT {FOR_DEFAULT}:5432\n"
    alone = invoke("whois", FOR_DEFAULT, *DOCUMENTS)
    shown = invoke("whois", *DOCUMENTS, stdin=line.encode() * 2)
    assert (shown.output, shown.exit_code) == (alone.output, 0)
    shown = invoke("whois", line, *DOCUMENTS)
    assert (shown.stdout, shown.exit_code) == (alone.stdout, 0)
    assert f"read {FOR_DEFAULT}, port 5432" in shown.stderr
