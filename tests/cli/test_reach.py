"""`fdaa reach`: the verdict, why, and what to do; as prose and as JSON."""

from __future__ import annotations

import pytest
from command import invoke, records
from example_documents import (
    BILLING,
    DOCUMENTS,
    EXAMPLES,
    FOR_CUSTOMER_17,
    FOR_DEFAULT,
    WEB,
    WORKER,
    unwrap,
)
from network_files import save

from fdaa.cli._verdict_text import SENTENCES  # private: each member must have its sentence
from fdaa.networks import Reason, Way

pytestmark = pytest.mark.usefixtures("new_directory")

LISTEN = "must listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1"


def prose(*arguments: str, **variables: str) -> str:
    """Return what the command prints on standard output as one line."""
    return unwrap(invoke(*arguments, env=variables).stdout)


VERDICTS = [
    # Source, target, outcome, what a person reads.
    pytest.param(
        "web",
        "worker",
        "same-network",
        ["web and worker are both on network customer-17 (2:45b)"],
        id="web worker",
    ),
    pytest.param(
        WEB,
        "2866e0ef6d3768",
        "same-network",
        [],
        id="an address of web 2866e0ef6d3768",
    ),
    pytest.param(
        "web",
        "reports",
        "different-networks",
        [
            "web is on network customer-17 (2:45b), reports on network customer-18 (2:224b)",
            "a public address of reports",
            "allocate a cross-network address to reports with the network name customer-17",
            "for HTTP only: respond with the header platform-replay; the edge proxy then",
            "in the same organization and have a service that exposes a port",
            "an app created through the API has none by default",
            "as an administrator, use the remote console, file transfer or tunnel",
        ],
        id="web reports",
    ),
    pytest.param(
        "web",
        "billing",
        "cross-network-address",
        ["the addresses of billing's own Machines are still not reachable"],
        id="web billing",
    ),
    pytest.param(
        "web",
        BILLING,
        "different-networks",
        [f"already allocated to billing for network customer-17 (2:45b): {FOR_CUSTOMER_17}"],
        id="web an address of billing",
    ),
    pytest.param(
        "web",
        FOR_CUSTOMER_17,
        "cross-network-address",
        ["is allocated to billing for clients on network customer-17 (2:45b)"],
        id="web the address for customer-17",
    ),
    pytest.param(
        "reports",
        FOR_CUSTOMER_17,
        "different-networks",
        ["for clients on network customer-17 (2:45b), and reports is on network customer-18"],
        id="reports the address for customer-17",
    ),
    pytest.param(
        "billing",
        FOR_DEFAULT,
        "own-cross-network-address",
        ["for clients on network default (0:18); billing is on network default (0:18), the"],
        id="billing the address for default",
    ),
    pytest.param(
        "billing",
        FOR_CUSTOMER_17,
        "own-cross-network-address",
        [
            "for clients on network customer-17 (2:45b); billing is on network default (0:18), the",
            "use the address of a Machine of billing",
        ],
        id="billing the address for customer-17",
    ),
    pytest.param(
        "web",
        "nobody",
        "unknown",
        ["nobody is in none of these documents; add an --apps or --machines FILE that lists it"],
        id="web nobody",
    ),
    pytest.param(
        "web",
        "customer-17",
        "unknown",
        ["customer-17 is a network, not an app: use network:customer-17"],
        id="web customer-17",
    ),
    pytest.param(
        "archive",
        "fdaa:77::1",
        "unknown",
        ["archive is on network cold-storage, fdaa:77::1 on network 77:0; add documents that"],
        id="archive fdaa:77::1",
    ),
    pytest.param(
        FOR_DEFAULT,
        "web",
        "unknown",
        [f"{FOR_DEFAULT} is allocated to billing for clients on network default (0:18); no"],
        id="the address for default web",
    ),
    pytest.param(
        "web",
        "fdaa::3",
        "unknown",
        ["fdaa::3: network ID 0 is assumed to be that of the platform's services"],
        id="web fdaa::3",
    ),
    pytest.param(
        "network:customer-17",
        "2:224b",
        "different-networks",
        ["with the network name customer-17"],
        id="network:customer-17 2:224b",
    ),
    pytest.param("web", "network:nobody", "unknown", ["or a --book"], id="web network:nobody"),
]

# Outcome -> whether the target can be reached.
REACHABLE = {
    "same-network": True,
    "cross-network-address": True,
    "different-networks": False,
    "own-cross-network-address": False,
    "unknown": None,
}
STATUS = {True: 0, False: 1, None: 3}
ANSWER = {
    True: "yes: {} can reach {}",
    False: "no: {} cannot reach {} privately",
    None: "unknown: whether {} can reach {}",
}


@pytest.mark.parametrize(("source", "target", "outcome", "said"), VERDICTS)
def test_the_verdict_is_printed_with_its_reasons(
    source: str, target: str, outcome: str, said: list[str]
) -> None:
    reachable = REACHABLE[outcome]
    answer = ANSWER[reachable].format(source, target)
    if target == "billing":
        answer += f" through {FOR_CUSTOMER_17}"
    shown = invoke("reach", source, target, *DOCUMENTS)
    unwrapped = unwrap(shown.stdout)
    assert unwrapped.startswith(answer)
    for text in said:
        assert text in unwrapped
    assert (LISTEN in unwrapped) == (reachable is True)
    assert " [" not in unwrapped.replace("on [::]", "")  # sections: with --why
    assert not shown.stderr
    assert shown.exit_code == STATUS[reachable]


@pytest.mark.parametrize(("source", "target", "outcome", "_said"), VERDICTS)
def test_the_verdict_in_json_and_the_exit_status(
    source: str, target: str, outcome: str, _said: list[str]
) -> None:
    status = STATUS[REACHABLE[outcome]]
    result = invoke("reach", source, target, *DOCUMENTS, "--json")
    (fields,) = records(result.stdout)
    assert list(fields) == [
        "kind",
        "source",
        "target",
        "reachable",
        "outcome",
        "via",
        "reasons",
        "ways",
    ]
    assert fields["source"] == source
    assert fields["target"] == target
    assert fields["reachable"] is REACHABLE[outcome]
    assert fields["outcome"] == outcome
    for finding in fields["reasons"] + fields["ways"]:
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


def test_inside_a_machine_a_yes_names_the_command_that_tries() -> None:
    inside = prose("reach", WEB, WORKER, PLATFORM_PRIVATE_IP=WEB)
    assert "fdaa did not test whether anything is listening" in inside
    assert "(try `fdaa probe`)" in inside
    outside = prose("reach", WEB, WORKER)
    assert "fdaa did not test whether anything is listening" in outside
    assert "(try `fdaa probe`)" not in outside


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
        for source, target, status in (
            (hostile, "api", 1),
            ("api", hostile, 1),
            ("\udcff", "\u202e", 3),
        ):
            result = invoke("reach", source, target, "--apps", apps, *options)
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
    options = ("--apps", "one.json", "--apps", "other.json")
    shown = invoke("reach", "a", "d", *options)
    counted = "fdaa: 3 contradictions in these documents; `fdaa networks` shows all\n"
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
        ("whois", "fdaa:2:45b::3"),
        ("networks",),
        ("probe", "[fdaa:2:45b::3]:1", "--timeout", "0"),
    ):
        shown = invoke(*command, "--machines", machines, "--addresses", addresses)
        for name, noun in (("web.json", "Machine list"), ("ips.json", "address list")):
            warning = (
                f"fdaa: warning: {name}: this {noun} does not name its app: give it as APP=FILE"
            )
            assert warning in shown.stderr
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


def test_an_app_without_a_machine_is_reported() -> None:
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


def test_a_stale_address_is_reported_with_the_verdict() -> None:
    gone = "fdaa:0:18:a7b:7d:f066:dead:2"
    assert prose("reach", gone, gone, *DOCUMENTS).count("is stale") == 1
    complete = "complete-documents"
    for ends in (("billing", gone), (gone, "billing")):
        shown = prose("reach", *ends, *DOCUMENTS, "--why")
        assert (
            f" {gone} is stale: no Machine of billing has this address [assumed: {complete}]"
            in shown
        )
    result = invoke("reach", "billing", gone, *DOCUMENTS, "--json")
    (fields,) = records(result.stdout)
    details = {"end": "target", "looked_at": ["billing"]}
    stale = {"kind": "stale", "assumed": complete, **details}
    assert (stale in fields["reasons"], result.exit_code) == (True, 0)
