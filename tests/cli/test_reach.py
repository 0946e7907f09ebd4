"""`fdaa reach`: the verdict, why, and what to do; as prose and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import invoke, records
from network_files import save

from fdaa.cli._verdict_text import SENTENCES  # private: each member must have its sentence
from fdaa.networks import Reason, Way

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
DOCUMENTS = (
    *("--apps", f"{EXAMPLES}/apps.json"),
    *("--machines", f"web={EXAMPLES}/machines-web.json"),
    *("--machines", f"{EXAMPLES}/status-billing.json"),
    *("--machines", f"{EXAMPLES}/instances.txt"),
    *("--addresses", f"billing={EXAMPLES}/addresses-billing.json"),
)
WEB, WORKER = "fdaa:2:45b:a7b:174:db43:d3c6:2", "fdaa:2:45b:a7b:7e:3155:9844:2"
BILLING = "fdaa:0:18:a7b:7d:f066:3418:2"
LISTEN = "must listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1"
FOR_CUSTOMER_17, FOR_DEFAULT = "fdaa:2:45b:0:1::23", "fdaa:0:18:0:1::24"


@pytest.fixture(autouse=True)
def _in_a_new_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def unwrap(text: str) -> str:
    """Return lines that were wrapped for a terminal as one line."""
    return " ".join(text.split())


def prose(*arguments: str, **variables: str) -> str:
    """Return what the command prints on standard output as one line."""
    return unwrap(invoke(*arguments, env=variables).stdout)


# Source, target and outcome; below them, what a person reads.
VERDICTS = (
    f"""
web worker same-network
  web and worker are both on network customer-17 (2:45b)
{WEB} 2866e0ef6d3768 same-network
web reports different-networks
  web is on network customer-17 (2:45b), reports on network customer-18 (2:224b)
  a public address of reports
  allocate a cross-network address to reports with the network name customer-17
  for HTTP only: respond with the header platform-replay; the edge proxy then
  in the same organization and have a service that exposes a port
  an app created through the API has none by default
  as an administrator, use the remote console, file transfer or tunnel
web billing cross-network-address
  the addresses of billing's own Machines are still not reachable
web {BILLING} different-networks
  already allocated to billing for network customer-17 (2:45b): {FOR_CUSTOMER_17}
web {FOR_CUSTOMER_17} cross-network-address
  is allocated to billing for clients on network customer-17 (2:45b)
reports {FOR_CUSTOMER_17} different-networks
  for clients on network customer-17 (2:45b), and reports is on network customer-18
billing {FOR_DEFAULT} own-cross-network-address
  for clients on network default (0:18); billing is on network default (0:18), the network of
billing {FOR_CUSTOMER_17} own-cross-network-address
  for clients on network customer-17 (2:45b); billing is on network default (0:18), the
  use the address of a Machine of billing
web nobody unknown
  nobody is in none of these documents; add an --apps or --machines FILE that lists it
web customer-17 unknown
  customer-17 is a network, not an app: use network:customer-17
archive fdaa:77::1 unknown
  archive is on network cold-storage, fdaa:77::1 on network 77:0; add documents that
{FOR_DEFAULT} web unknown
  {FOR_DEFAULT} is allocated to billing for clients on network default (0:18); no requests come
web fdaa::3 unknown
  fdaa::3: network ID 0 is assumed to be that of the platform's services
network:customer-17 2:224b different-networks
  with the network name customer-17
web network:nobody unknown
  or a --book
""".strip()
    .replace("\n  ", "\t")
    .splitlines()
)


# Outcome -> whether the target can be reached, the status, and the answer.
YES, NO = (True, 0, "yes: {} can reach {}"), (False, 1, "no: {} cannot reach {} privately")
ANSWERS = {
    "same-network": YES,
    "cross-network-address": YES,
    "different-networks": NO,
    "own-cross-network-address": NO,
    "unknown": (None, 3, "unknown: whether {} can reach {}"),
}


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda text: text.partition("\t")[0])
def test_the_verdict_is_told_and_is_the_status(verdict: str) -> None:
    asked, *said = verdict.split("\t")
    source, target, outcome = asked.split()
    reachable, status, answer = ANSWERS[outcome]
    through = f" through {FOR_CUSTOMER_17}" if target == "billing" else ""
    shown = invoke("reach", source, target, *DOCUMENTS)
    unwrapped = unwrap(shown.stdout)
    assert unwrapped.startswith(answer.format(source, target) + through)
    for text in said:
        assert text.strip() in unwrapped
    assert (LISTEN in unwrapped) == (reachable is True)
    assert " [" not in unwrapped.replace("on [::]", "")  # sections: with --why
    assert not shown.stderr
    assert shown.exit_code == status
    result = invoke("reach", source, target, *DOCUMENTS, "--json")
    (fields,) = records(result.stdout)
    assert list(fields) == [
        *("kind", "source", "target", "reachable", "outcome", "via", "reasons", "ways")
    ]
    assert list(fields.values())[1:5] == [source, target, reachable, outcome]
    for finding in (*fields["reasons"], *fields["ways"]):
        assert next(iter(finding)) == "kind"
        assert ("section" in finding) != ("assumed" in finding)
    assert result.exit_code == status
    quiet = invoke("reach", source, target, *DOCUMENTS, "-q", "--json")
    assert (quiet.stdout, quiet.exit_code) == ("", status)


def test_why_shows_the_sections_of_the_specification_and_the_assumptions() -> None:
    shown = prose("reach", "web", "reports", *DOCUMENTS, "--why")
    assert "customer-18 (2:224b) [2.3, rule 3; Networking rules, 1]" in shown
    assert shown.count(" [Networking rules, ") == 4
    shown = prose("reach", "web", "fdaa::3", *DOCUMENTS, "--why")
    assert shown.endswith("which networks can reach them [assumed: network-id-0]")


def test_every_reason_and_way_has_its_sentence() -> None:
    assert {*Reason, *Way} == set(SENTENCES)


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


def test_self_is_the_machine_that_it_runs_on() -> None:
    shown = invoke("reach", "self", WORKER, "--json", PLATFORM_PRIVATE_IP=WEB)
    assert (records(shown.stdout)[0]["source"], shown.exit_code) == (WEB, 0)
    assert invoke("reach", "fdaa:7::1", "self", PLATFORM_PRIVATE_IP=WEB).exit_code == 1


def test_inside_a_machine_a_yes_names_the_command_that_tries() -> None:
    for environment, names_it in ({"PLATFORM_PRIVATE_IP": WEB}, True), ({}, False):
        shown = prose("reach", WEB, WORKER, **environment)
        assert "fdaa did not test whether anything is listening" in shown
        assert ("(try `fdaa probe`)" in shown) is names_it


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("fdaa::1g", "not a hex digit"),
        ("", "empty"),
        ("web:8.8", "not a network ID"),
        ("db.example.com:5432", "is not the host of an app"),
        ("from web.internal to worker.internal", "names several apps; give one"),
        ("network:1st", "not a network ID"),
        ("fdaa::/16", "covers many networks"),
    ],
)
def test_what_is_no_address_is_wrong_input(end: str, reason: str) -> None:
    for ends in ((end, WEB), (WEB, end)):
        result = invoke("reach", *ends, *DOCUMENTS)
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in result.stderr


def test_a_book_gives_names_and_knows_apps() -> None:
    alone = invoke("reach", WEB, "fdaa:7::1")
    assert "with the name of the network that" in unwrap(alone.stdout)
    assert alone.exit_code == 1
    book = "book.json"
    invoke("book", "learn", *DOCUMENTS, "--book", book)
    shown = prose("reach", WEB, "fdaa:7::1", FDAA_BOOK=book)
    assert "with the network name customer-17" in shown
    shown = prose("reach", "web", "reports", "--book", book)
    assert shown.startswith("no: web cannot reach reports privately web ")
    assert "web was on network customer-17 (2:45b) when the book learned it on 2" in shown
    assert invoke("reach", "web", "reports", "--book", book).exit_code == 1
    assert invoke("reach", "network:customer-17", "web", "--book", book).exit_code == 0
    assert invoke("reach", "nobody", "web", "--book", book).exit_code == 3


def test_a_document_that_cannot_be_used_is_2_with_the_verdict() -> None:
    wrong = save("wrong.json", {"things": []})
    result = invoke("reach", "web", "worker", *DOCUMENTS, "--apps", wrong)
    assert result.stdout.startswith("yes: web can reach worker\n")
    assert "1 document was left out" in result.stderr
    assert result.output.index("left out") < result.output.index("yes: ")
    assert result.exit_code == 2


def test_nothing_is_printed_raw() -> None:
    hostile = "\x1b[31mweb\n"
    rows = [{"Name": hostile, "Network": "blue"}, {"Name": "api", "Network": "red"}]
    apps = save("apps.json", rows)
    for options in ((), ("--json",)):
        for ends in ((hostile, "api"), ("api", hostile), ("\udcff", "\u202e")):
            result = invoke("reach", *ends, "--apps", apps, *options)
            assert result.exit_code == (3 if "\udcff" in ends else 1)
            assert result.output.isascii()
            assert "\x1b" not in result.output
    assert json.loads(result.stdout)["source"] == "\\xff"


def test_contradictions_are_counted_and_those_about_an_end_make_it_unclear() -> None:
    for name in ("one", "other"):
        apps = [{"Name": app, "Network": name} for app in ("a", "b", "c")]
        save(f"{name}.json", [*apps, {"Name": "d", "Network": "one"}])
    options = ("--apps", "one.json", "--apps", "other.json")
    shown = invoke("reach", "a", "d", *options)
    counted = "fdaa: 3 contradictions in these documents; `fdaa networks` shows all\n"
    assert shown.stderr == counted
    assert shown.stdout.startswith("unknown: whether a can reach d\n")
    assert "a is not clear: it is listed on two networks" in shown.stdout
    assert shown.exit_code == 3
    assert invoke("reach", "a", "d", *options, "-q").output == ""


def test_a_text_is_classified_once() -> None:
    """An app and a network of one name, and the forms of a network's ID."""
    apps = save("apps.json", [{"Name": "blue", "Network": "red"}, {"Name": "a", "Network": "blue"}])
    documents = ("--apps", apps, "--machines", "a=" + save("a.json", [{"id": "m", **AT}]))
    for end in ("network:blue", "2:45b", "fdaa:2:45b::/48", "network:2:45b", "network:0x2045b"):
        assert invoke("reach", "a", end, *documents).exit_code == 0
    assert invoke("reach", "a", "blue", *documents).exit_code == 1
    for end, text in (("network:blue", "network:blue"), ("fdaa:2:45b::/48", "2:45b")):
        (fields,) = records(invoke("reach", "a", end, *documents, "--json").stdout)
        assert fields["target"] == text


AT = {"private_ip": "fdaa:2:45b::3"}


def test_what_is_no_network_is_wrong_input() -> None:
    for end in ("network:", "network:cust_17", "network:2:xyz"):
        assert invoke("reach", "fdaa:2:45b::3", end).exit_code == 2


def test_a_list_that_does_not_name_its_app_is_said() -> None:
    machines = save("web.json", [{"id": "m", **AT}])
    addresses = save("ips.json", ["fdaa:2:45b:0:1::9"])
    commands = (("reach", "web", "api"), ("whois", "fdaa:2:45b::3"), ("networks",))
    for command in (*commands, ("probe", "[fdaa:2:45b::3]:1", "--timeout", "0")):
        shown = invoke(*command, "--machines", machines, "--addresses", addresses)
        assert "fdaa: web.json does not name its app: use --machines APP=FILE\n" in shown.stderr
        assert "fdaa: ips.json does not name its app: use --addresses APP=FILE\n" in shown.stderr
        quiet = invoke(*command, "--machines", machines, "--addresses", addresses, "-q")
        assert "does not name its app" not in quiet.stderr
    named = invoke("reach", "web", "api", "--machines", f"web={machines}")
    assert "does not name its app" not in named.stderr


def test_what_would_settle_an_allocated_address() -> None:
    addresses = EXAMPLES / "addresses-billing.json"
    apps = ("--apps", f"{EXAMPLES}/apps.json", "--addresses", f"billing={addresses}")
    shown = invoke("reach", "web", "billing", *apps)
    unwrapped = unwrap(shown.stdout)
    assert "allocated to billing, perhaps for clients on network customer-17; add" in unwrapped
    assert shown.exit_code == 3
    shown = invoke("reach", WEB, FOR_CUSTOMER_17, "--addresses", f"billing={addresses}")
    unwrapped = unwrap(shown.stdout)
    assert "add an app list (--apps FILE) or --machines billing=FILE" in unwrapped
    shown = invoke("reach", WEB, FOR_CUSTOMER_17, "--addresses", str(addresses))
    unwrapped = unwrap(shown.stdout)
    assert "add APP= to --addresses FILE, and an app list (--apps)" in unwrapped
    assert shown.exit_code == 3


def test_an_app_without_a_machine_is_told() -> None:
    """The API's app list says how many Machines an app has; a Machine list shows it."""
    empty = "archive=" + save("empty.json", [])
    for options in (DOCUMENTS, ("--machines", empty)):
        shown = invoke("reach", "archive", "archive", "--apps", f"{EXAMPLES}/apps.json", *options)
        assert "archive has no Machine, so nothing can respond" in shown.stdout
        assert "whether anything is listening" not in shown.stdout
        assert shown.exit_code == 0
    apps = save("apps.json", [{"Name": "archive", "Network": "cold-storage"}])
    for option in ("--machines", "--addresses"):  # an empty list of addresses says nothing of it
        shown = invoke("reach", "archive", "archive", "--apps", apps, option, empty)
        assert ("nothing can respond" in shown.stdout) == (option == "--machines")


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
    assert hint in prose("reach", "web", end, *DOCUMENTS)
    assert "did you mean" not in invoke("reach", "web", "zzzzzz", *DOCUMENTS).stdout


# A text that names an app, and the app.
HOSTS = [
    ("reports.internal", "reports"),
    ("reports.internal:8080", "reports"),
    ("Reports:8080", "reports"),
    ("sea.reports.internal.", "reports"),
    ("Error: getaddrinfo ENOTFOUND reports.internal", "reports"),
    ("dial tcp: lookup reports.internal on [fdaa::3]:53: no such host", "reports"),
    ("http://reports.internal:8080/health", "reports"),
]


@pytest.mark.parametrize(("text", "app"), HOSTS)
def test_a_host_is_its_app(text: str, app: str) -> None:
    for ends, same_ends in (((text, "web"), (app, "web")), (("web", text), ("web", app))):
        result = invoke("reach", *ends, *DOCUMENTS)
        alone = invoke("reach", *same_ends, *DOCUMENTS)
        assert (result.stdout, result.exit_code) == (alone.stdout, alone.exit_code)
        note = f"fdaa: '{text}': read app {app}\n"
        assert result.stderr == ("" if " " in text or "/" in text else note)


def test_an_app_with_a_port_that_could_be_a_network_id_is_the_app_if_the_documents_have_it() -> (
    None
):
    rows = [{"Name": "db", "Network": "blue"}, {"Name": "a.b", "Network": "blue"}]
    apps = save("apps.json", [*rows, {"Name": "c", "Network": "red"}])
    result = invoke("reach", "c", "db:80", "--apps", apps, "--json")
    assert records(result.stdout)[0]["target"] == "db"
    assert result.stderr == "fdaa: 'db:80': read app db\n"
    (verdict,) = records(invoke("reach", "c", "cd:80", "--apps", apps, "--json").stdout)
    assert verdict["target"] == "cd:80"
    (verdict,) = records(invoke("reach", "c", "a.b", "--apps", apps, "--json").stdout)
    assert (verdict["target"], verdict["reachable"]) == ("a.b", False)


def test_a_stale_address_is_reported_with_the_verdict() -> None:
    gone = "fdaa:0:18:a7b:7d:f066:dead:2"
    assert prose("reach", gone, gone, *DOCUMENTS).count("is stale") == 1
    for ends in (("billing", gone), (gone, "billing")):
        shown = prose("reach", *ends, *DOCUMENTS, "--why")
        assert f" {gone} is stale: no Machine of billing has this address [2.3, rule 5]" in shown
    result = invoke("reach", "billing", gone, *DOCUMENTS, "--json")
    (fields,) = records(result.stdout)
    details = {"end": "target", "looked_at": ["billing"]}
    stale = {"kind": "stale", "section": "2.3, rule 5", **details}
    assert (stale in fields["reasons"], result.exit_code) == (True, 0)


# What the documents decide: a port after `::`, or a group of the address.
PORTS = [
    (f"Redis at {FOR_DEFAULT}:6379", f"{FOR_DEFAULT}, port 6379"),
    (f"peer:{FOR_DEFAULT}:443: refused", f"{FOR_DEFAULT}, port 443"),
    (f"{FOR_DEFAULT}:64ab", None),
    ("fdaa:2:45b:0:1::99:6379", None),
    ("fdaa:0:18:0:1:0:24:6379", None),
]


@pytest.mark.parametrize(("target", "read"), PORTS)
def test_a_port_without_brackets_is_read_as_one_if_the_documents_have_that_address(
    target: str, read: str | None
) -> None:
    result = invoke("reach", "billing", target, *DOCUMENTS)
    note = f"read {read}: the documents have that address\n"
    assert (note in result.stderr) == (read is not None)
    alone = invoke("reach", "billing", FOR_DEFAULT, *DOCUMENTS)
    assert (result.stdout == alone.stdout) == (read is not None)


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
