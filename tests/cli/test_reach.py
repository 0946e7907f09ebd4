"""`fdaa reach`: the verdict, why, and what to do; as prose and as JSON."""

from __future__ import annotations

import pytest
from command import invoke, records
from example_documents import (
    DOCUMENTS,
    EXAMPLES,
    FOR_CUSTOMER_17,
    FOR_DEFAULT,
    WEB,
    WORKER,
    unwrap,
)
from network_files import save

pytestmark = pytest.mark.usefixtures("new_directory")


def prose(*arguments: str, **variables: str) -> str:
    """Return what the command prints on standard output as one line."""
    return unwrap(invoke(*arguments, env=variables).stdout)


# Source, target, outcome, exit status: one for each outcome.
VERDICTS = [
    ("web", "worker", "same-network", 0),
    (WEB, FOR_CUSTOMER_17, "cross-network-address", 0),
    ("network:customer-17", "2:224b", "different-networks", 1),
    ("billing", FOR_DEFAULT, "own-cross-network-address", 1),
    ("billing", "fdaa:0:18:a7b:7d:f066:dead:2", "nothing-responds", 1),
    ("web", "fdaa::3", "unknown", 3),
]


@pytest.mark.parametrize(("source", "target", "outcome", "status"), VERDICTS)
def test_the_verdict_is_printed_as_prose_and_as_json_with_its_status(
    source: str, target: str, outcome: str, status: int
) -> None:
    shown = invoke("reach", source, target, *DOCUMENTS)
    assert not shown.stderr
    result = invoke("reach", source, target, *DOCUMENTS, "--json")
    (fields,) = records(result.stdout)
    assert list(fields) == [
        "kind",
        "source",
        "target",
        "reachable",
        "permitted",
        "unless",
        "outcome",
        "same_network",
        "via",
        "reasons",
        "ways",
        "incomplete",
    ]
    assert fields["incomplete"] is False
    assert (fields["source"], fields["target"], fields["outcome"]) == (source, target, outcome)
    prose = unwrap(shown.stdout)
    assert fields["reasons"][0]["text"] in prose
    for finding in fields["reasons"] + fields["ways"]:
        assert next(iter(finding)) == "kind"
        assert ("section" in finding) != ("assumed" in finding)
        assert finding["kind"] == "membership-only" or finding["text"] in prose
    assert shown.exit_code == result.exit_code == status
    quiet = invoke("reach", source, target, *DOCUMENTS, "-q", "--json")
    assert (quiet.stdout, quiet.exit_code) == ("", status)


def test_why_shows_the_source_of_each_sentence() -> None:
    shown = prose("reach", "web", "fdaa::3", *DOCUMENTS, "--why")
    assert shown.endswith("which networks can reach them [assumed: network-id-0]")


def test_why_shows_the_source_of_what_the_first_line_has() -> None:
    stopped = save("stopped.json", [{"id": "m1", "state": "stopped"}])
    documents = (*DOCUMENTS[:1], f"--documents=worker={stopped}")
    shown = prose("reach", "web", "worker", *documents, "--why")
    assert "no Machine of worker is started (stopped) [assumed: stopped-machines]" in shown
    shown = prose("reach", "web", "reports", *documents, "--why")
    assert "(no address list of reports) [Networking rules, 1; Networking rules, 3]" in shown


# Source, target, documents, what is permitted -> the statuses with and without the option.
PERMITTED = [
    ("web", "worker", DOCUMENTS, "yes: web is permitted", 0, 0),
    ("web", "reports", DOCUMENTS, "no: web is not permitted", 1, 1),
    ("web", "reports", DOCUMENTS[:1], "unknown: whether web is permitted", 3, 1),
    (WEB, WORKER, (), f"unknown: whether {WEB} is permitted", 3, 0),
]


@pytest.mark.parametrize(("source", "target", "documents", "summary", "status", "now"), PERMITTED)
def test_what_is_permitted_has_a_status_of_its_own(
    source: str, target: str, documents: tuple[str, ...], summary: str, status: int, now: int
) -> None:
    asked = ("reach", source, target, *documents)
    shown = invoke(*asked, "--permitted")
    assert (unwrap(shown.stdout).startswith(summary), shown.exit_code) == (True, status)
    assert invoke(*asked, "--permitted", "-q").exit_code == status
    assert invoke(*asked).exit_code == now


def test_a_stopped_app_is_permitted_and_not_reachable() -> None:
    stopped = save("stopped.json", [{"id": "m1", "state": "stopped"}])
    documents = (*DOCUMENTS[:2], DOCUMENTS[5], f"--documents=billing={stopped}")
    (fields,) = records(invoke("reach", "web", "billing", *documents, "--json").stdout)
    assert (fields["reachable"], fields["permitted"], fields["same_network"]) == (
        False,
        True,
        False,
    )
    assert invoke("reach", "web", "billing", *documents, "--permitted").exit_code == 0
    assert invoke("reach", "web", "billing", *documents).exit_code == 1


def test_a_yes_from_this_machine_names_the_command_that_tries() -> None:
    inside = prose("reach", WEB, WORKER, PLATFORM_PRIVATE_IP=WEB)
    assert inside.endswith(f" next: fdaa probe '[{WORKER}]:PORT'")
    inside = prose("reach", "self", "worker", *DOCUMENTS, PLATFORM_PRIVATE_IP=WEB)
    assert " next: fdaa probe worker.internal:PORT \\ -d " in inside
    inside = prose("reach", "self", "billing", *DOCUMENTS, PLATFORM_PRIVATE_IP=WEB)
    assert f" next: fdaa probe '[{FOR_CUSTOMER_17}]:PORT' \\ -d " in inside
    assert "next" not in prose("reach", WEB, WORKER)
    assert "next" not in prose("reach", WEB, "network:customer-17", *DOCUMENTS)


def test_a_book_gives_names_and_knows_apps() -> None:
    alone = invoke("reach", WEB, "fdaa:7::1")
    assert "with the name of the network that" in unwrap(alone.stdout)
    assert alone.exit_code == 1
    book = "book.json"
    invoke("book", "learn", *DOCUMENTS, "-d", book)
    shown = prose("reach", WEB, "fdaa:7::1", FDAA_DOCUMENTS=book)
    assert "with the network name customer-17" in shown
    shown = prose("reach", "web", "reports", "-d", book)
    unless = "unless a cross-network address is allocated (no address list of reports)"
    assert shown.startswith(f"no: web cannot reach reports privately, {unless} web ")
    assert "web was on network customer-17 (2:45b) when the book learned it on 2" in shown
    assert invoke("reach", "web", "reports", "-d", book).exit_code == 1
    assert invoke("reach", "network:customer-17", "web", "-d", book).exit_code == 0
    assert invoke("reach", "nobody", "web", "-d", book).exit_code == 3


def test_a_document_that_cannot_be_used_is_2_with_the_verdict() -> None:
    wrong = save("wrong.json", {"things": []})
    result = invoke("reach", "web", "worker", *DOCUMENTS, "-d", wrong)
    summary = "yes, by the documents that can be used: web can reach worker\n"
    assert result.stdout.startswith(summary)
    assert len(result.stderr.splitlines()) == 1
    assert result.output.index("wrong.json") < result.output.index("yes, ")
    assert result.exit_code == 2
    (fields,) = records(invoke("reach", "web", "worker", "-d", wrong, "--json").stdout)
    assert fields["incomplete"] is True


def test_one_bad_file_is_one_message() -> None:
    """What it has is not asked for once more."""
    result = invoke("reach", "web", "nobody", "-d", "nope")
    assert result.stderr == "fdaa: nope: No such file or directory\n"
    assert "nobody is in none of these documents\n" in result.stdout
    result = invoke("decode", "nobody", "-d", "web=nope")
    assert result.stderr.splitlines() == [
        "fdaa: 'nobody': it was not looked up: no document could be read",
        "fdaa: nope: No such file or directory",
    ]
    result = invoke("networks", "-d", "nope")
    assert result.output == "fdaa: nope: No such file or directory\n"


def test_nothing_is_printed_raw() -> None:
    hostile = "\x1b[31mweb"
    rows = [{"Name": hostile, "Network": "blue"}, {"Name": "api", "Network": "red"}]
    apps = save("apps.json", rows)
    for options in ((), ("--json",)):
        for source, target, status in (
            (hostile, "api", 1),
            ("api", hostile, 1),
            ("\udcff", "\u202e", 3),
        ):
            result = invoke("reach", source, target, "-d", apps, *options)
            assert result.exit_code == status
            assert result.output.isascii()
            assert "\x1b" not in result.output
    (fields,) = records(result.stdout)
    assert fields["source"] == "\\xff"


def test_contradictions_are_counted_and_those_about_an_end_make_it_unclear() -> None:
    d = {"Name": "d", "Network": "one"}
    for network in ("one", "other"):
        a = {"Name": "a", "Network": network}
        b = {"Name": "b", "Network": network}
        c = {"Name": "c", "Network": network}
        save(f"{network}.json", [a, b, c, d])
    options = ("-d", "one.json", "-d", "other.json")
    shown = invoke("reach", "a", "d", *options)
    counted = "fdaa: 3 contradictions in these documents; to see all: fdaa networks "
    counted += "-d one.json -d other.json\n"
    assert shown.stderr == counted
    assert shown.stdout.startswith("unknown: whether a can reach d\n")
    assert "a is not clear: it is listed on two networks" in shown.stdout
    assert shown.exit_code == 3
    assert invoke("reach", "a", "d", *options, "-q").output == ""


def test_a_list_that_does_not_name_its_app_is_said() -> None:
    machines = save("web.json", [{"id": "m", "private_ip": "fdaa:2:45b::3"}])
    addresses = save("ips.json", ["fdaa:2:45b:0:1::9"])
    for command in (
        ("reach", "web", "api"),
        ("decode", "fdaa:2:45b::3"),
        ("networks",),
        ("probe", "[fdaa:2:45b::3]:1", "--timeout", "0"),
    ):
        shown = invoke(*command, "-d", machines, "-d", addresses)
        for name, noun in (("web.json", "Machine list"), ("ips.json", "address list")):
            warning = f"fdaa: warning: {name}: this {noun} does not name its app"
            assert warning in shown.stderr
        assert shown.stderr.count(": give it as APP=FILE\n") == 2
        quiet = invoke(*command, "-d", machines, "-d", addresses, "-q")
        assert "does not name its app" not in quiet.stderr
    named = invoke("reach", "web", "api", "-d", f"web={machines}")
    assert "does not name its app" not in named.stderr


def test_what_would_settle_an_allocated_address() -> None:
    addresses = EXAMPLES / "addresses-billing.json"
    apps = ("-d", f"{EXAMPLES}/apps.json", "-d", f"billing={addresses}")
    shown = invoke("reach", "web", "billing", *apps)
    unwrapped = unwrap(shown.stdout)
    assert "perhaps for clients on network customer-17; add" in unwrapped
    assert shown.exit_code == 3
    shown = invoke("reach", WEB, FOR_CUSTOMER_17, "-d", f"billing={addresses}")
    unwrapped = unwrap(shown.stdout)
    assert "the Machine list of billing (-d FILE or -d billing=FILE)" in unwrapped
    shown = invoke("reach", WEB, FOR_CUSTOMER_17, "-d", str(addresses))
    unwrapped = unwrap(shown.stdout)
    assert "the address list, and an app list (-d APP=FILE and -d FILE)" in unwrapped
    assert shown.exit_code == 3
