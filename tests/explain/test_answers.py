"""The answer about a text: what it says, what to check, and which steps come next."""

from __future__ import annotations

import re

import pytest
from organizations import parse

from fdaa import Address
from fdaa.explain import DecodeStep, Missing, NextStep, ProbeStep, ReachStep, Where, explain
from fdaa.lines import Phase
from fdaa.networks import DocumentKind, Host, NetworkMap

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
SAME = Address("fdaa:2:45b::3")
ALSO = Address("fdaa:2:45b::4")
OTHER = Address("fdaa:0:18::3")
ALLOCATED = Address("fdaa:2:45b:0:1::23")
REPORTS = Host("reports.internal", port=80)


APPS = parse([{"Name": "web", "Network": "red"}, {"Name": "reports", "Network": "blue"}])
MACHINE = {"id": "web1", "state": "started", "private_ip": str(SAME)}
OF_REPORTS = parse([{"id": "reports1", "private_ip": str(OTHER)}], "reports")
# App web, with a started Machine, is on network red, and reports on blue.
DOCUMENTS = NetworkMap(
    [APPS, parse([MACHINE], "web"), OF_REPORTS, parse({"ips": [{"ip": str(ALLOCATED)}]}, "reports")]
)
# The same without a cross-network address, and with a stopped Machine of web.
STOPPED = parse([{**MACHINE, "state": "stopped"}], "web")
APART = NetworkMap([APPS, STOPPED, OF_REPORTS, parse({"ips": []}, "reports")])

# A text, the documents, this Machine, what the answer must contain, and what it must not contain.
ANSWERS: list[tuple[str, NetworkMap | None, Address | None, list[str], list[str]]] = [
    # A verdict decides about networks.
    (
        f"dial tcp [{OTHER}]:80: i/o timeout",
        None,
        OWN,
        [f"no: {OWN} cannot reach {OTHER} privately\n", "Nothing came back", "Ways around (d"],
        ["Check"],
    ),
    (f"dial tcp [{SAME}]:80: i/o timeout", APART, OWN, ["nothing can respond", "stopped"], []),
    # Something responded in spite of a no.
    (
        f"dial tcp [{OTHER}]:5432: connect: connection refused",
        None,
        OWN,
        ["a cross-network route exists, or another host or a firewall refused", "1. The app"],
        ["no: ", "different networks", "Ways around"],
    ),
    (f"dial tcp [{SAME}]:80: refused", APART, OWN, ["so they are old", "stopped"], ["no: "]),
    # An open connection excludes networks, names and firewalls.
    (
        f"read tcp [{OWN}]:40112->[{SAME}]:443: i/o timeout",
        None,
        OWN,
        ["(assumed: no proxy in between)", f"ping -M do -s 1300 {SAME}", "The app may hang"],
        ["firewall", "deploy", "permit"],
    ),
    # The program failed on its own computer.
    (
        f"bind() to [{OTHER}]:80 failed (99: Cannot assign requested address)",
        None,
        OWN,
        ["The program failed on its own computer", "use [::]"],
        ["cannot reach", "permit", "Ways around"],
    ),
    (
        f"pool timed out while waiting for a connection to [{OTHER}]:5432",
        None,
        OWN,
        [
            f"no: {OWN} cannot reach {OTHER}",
            "says nothing about networks",
            "connections of the pool",
        ],
        [],
    ),
    # A text without any end has its phase and its sentence.
    ("connection refused", None, OWN, ["was refused", "add the line that names"], ["Check"]),
    # Names.
    (
        "getaddrinfo ENOTFOUND web.internal",
        None,
        None,
        ["1. Private addresses are IPv6", "2. .internal names", "App web needs a started Machine"],
        ["brackets"],
    ),
    ("getaddrinfo ENOTFOUND web.internal", DOCUMENTS, None, ["resolver"], ["a started Machine"]),
    ("getaddrinfo ENOTFOUND shpdb.internal", DOCUMENTS, None, ["Check: shpdb.internal may"], []),
    (
        "lookup db.internal on [fdaa::3]:53: server misbehaving",
        None,
        None,
        ["Check: The re"],
        ["2. "],
    ),
    ("getaddrinfo ENOTFOUND reports.internal", DOCUMENTS, SAME, [f"Use {ALLOCATED} instead"], []),
    # What documents show is not to be checked.
    (f"connect ETIMEDOUT {ALLOCATED}:5432", DOCUMENTS, None, ["reports"], ["may be gone"]),
    # Ends that are not private, and the computer itself.
    (
        "dial tcp 10.0.0.5:5432: i/o timeout",
        None,
        OWN,
        ["10.0.0.5 is not an address of the platform's private networks (fdaa::/16)"],
        ["different network", "deploy", "verdict", "ADDRESS"],
    ),
    (f"connect to 10.0.0.5:80 from {SAME}: refused", None, OWN, ["say nothing about"], ["no:"]),
    ("dial tcp 127.0.0.1:80: connection refused", None, None, ["localhost"], ["listen on"]),
    # Proxies and servers.
    (
        f'connect() failed (111: Connection refused), client: {SAME}, upstream: "http://[{OTHER}]:80"',
        None,
        Address("fdaa:0:18::9"),
        [f"{SAME} is the client of a proxy: it is on a different connection.", "permit"],
        [],
    ),
    (f'no pg_hba.conf entry for host "{SAME}"', None, OWN, ["fdaa:2:45b::/48"], ["can reach"]),
    (f"connect: cannot assign requested address [{OWN}]:0", None, OWN, ["Check: At"], ["Outside"]),
    # An address that is cut off.
    (f"dial tcp [{OWN}"[:36], None, None, ["cut off", "fdaa:2:45b::/48"], []),
    ("dial [fdaa:2:45b:a7b...: timeout", None, None, ["cut off"], ["Machine with fdaa"]),
    # An end that cannot be read.
    (
        f"read tcp [{OWN}]:40112->[fdaa:0:1::1g]:5432: timeout",
        None,
        OWN,
        ["'fdaa:0:1::1g' is not a private address: 'g' is not a hex digit"],
        ["permit", "can reach"],
    ),
    # Several targets: what is so for both is printed once, and one that connected is not denied.
    (
        f"dial [{SAME}]:80: timeout; dial [{ALSO}]:80: timeout",
        None,
        OTHER,
        [f"no: {OTHER} cannot reach {SAME} privately", f"  the same is so for {ALSO}\n"],
        [f"cannot reach {ALSO}"],
    ),
    (
        f"* connect to {SAME} port 80 from {OWN} port 40112 failed: Connection refused\n"
        f"* Connected to web.internal ({OTHER}) port 80",
        None,
        None,
        [f"({OTHER}: the networks differ", f"Machine with {SAME} may be gone"],
        ["cannot reach"],
    ),
    # Unknown words.
    (f"died of EFOO at [{SAME}]:5432", None, None, ["network 2:45b", "No words in this"], []),
    # Names alone.
    ("web.internal:80", DOCUMENTS, None, ["web.internal: app web is on network red"], []),
    ("web:80\n", DOCUMENTS, SAME, [f"yes: {SAME} can reach web"], []),
    ("web", DOCUMENTS, None, ["web\n  app              network red"], []),
    # A last group that may be a port.
    (f"refused by {SAME}:6379", None, None, [f"if 6379 is one, the address is {SAME}"], []),
]


@pytest.mark.parametrize(("text", "networks", "own", "contained", "left_out"), ANSWERS)
def test_what_an_answer_says(
    text: str,
    networks: NetworkMap | None,
    own: Address | None,
    contained: list[str],
    left_out: list[str],
) -> None:
    answer = explain(text, networks, own=own)
    assert answer.is_known
    shown = str(answer)
    for words in contained:
        assert words in shown
    for words in left_out:
        assert words not in shown
    assert len(answer.checks) <= 4


# A text in which nothing is known, and what the message must contain.
UNKNOWN = [
    ("hello", "nothing in this text is known"),
    ("10.0.0.5", "this is an IPv4 address"),
    ("fdaa:" + "1:" * 3_000, "is not a private address"),
]


@pytest.mark.parametrize(("text", "message"), UNKNOWN)
def test_a_text_in_which_nothing_is_known_has_a_short_message(text: str, message: str) -> None:
    answer = explain(text)
    assert not answer.is_known
    assert message in answer.title
    assert len(answer.title) <= 300


def test_a_connection_that_was_opened_is_no_failure() -> None:
    for own, differs in ((OWN, True), (Address("fdaa:0:18::9"), False)):
        answer = explain(f"Connection to {OTHER} 5432 port [tcp/postgresql] succeeded!", own=own)
        assert answer.line.phase is Phase.CONNECTED
        assert str(answer).startswith("The connection was open; the line shows no failure")
        assert ("some cross-network route exists" in str(answer)) is differs
        assert not answer.checks


def test_a_failure_is_not_headed_by_a_yes() -> None:
    for failure in ("connect: connection refused", "i/o timeout", "network is unreachable"):
        shown = str(explain(f"dial tcp [{ALSO}]:40112->[{SAME}]:5432: {failure}"))
        assert not re.search("yes|can reach", shown)
        assert "The networks permit the connection" in shown


def test_checks_end_with_what_they_rest_on() -> None:
    answer = explain(f"dial tcp [{SAME}]:80: i/o timeout")
    shown = "\n".join(answer.lines(basis=True))
    assert "unless that is configured. [Networking rules, 1]\n" in shown
    assert "(assumed). [assumed: deploys-replace-machines]\n" in shown
    assert "nft list ruleset.\n" in shown
    assert "[" not in str(answer).replace(f"[{SAME}]", "").replace("[::]", "")


# A line, this Machine, and the next steps.
STEPS: list[tuple[str, Address | None, list[NextStep]]] = [
    # One end.
    (f"[{OTHER}]:80 x", OWN, [DecodeStep(OTHER), ReachStep(source=OWN, target=OTHER)]),
    (f"[{SAME}]:80 x", OWN, [DecodeStep(SAME), ProbeStep(SAME, port=80)]),
    (
        f"[{SAME}]:80 x",
        None,
        [
            DecodeStep(SAME),
            ReachStep(source=None, target=SAME, where=Where.MACHINE),
            ProbeStep(SAME, port=80, where=Where.MACHINE),
        ],
    ),
    ("fdaa:2:45b::/48 is down", OWN, []),
    # Two ends on one network, outside a Machine as inside.
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        None,
        [DecodeStep(ALSO), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    (f"[{SAME}]:40112->[{ALSO}]:80", SAME, [DecodeStep(ALSO), ProbeStep(ALSO, port=80)]),
    # A name is an end, too.
    (
        f"dial reports.internal:80 from {SAME}",
        None,
        [ProbeStep(REPORTS, port=80, where=Where.SOURCE)],
    ),
    # What only reports an error is no end: the destination is.
    (
        f"PING {SAME}({SAME})\nFrom {ALSO} icmp_seq=1 Address unreachable",
        OWN,
        [DecodeStep(SAME), ProbeStep(SAME, port=None)],
    ),
    # The other end is not private: this Machine is none of the two.
    (f"connect to 10.0.0.5:80 from {SAME}", OWN, [DecodeStep(SAME)]),
    # Without evidence of a source, all ends are targets.
    (
        f"{SAME} and {OTHER}",
        OWN,
        [
            DecodeStep(SAME),
            ProbeStep(SAME, port=None),
            DecodeStep(OTHER),
            ReachStep(source=OWN, target=OTHER),
        ],
    ),
]


@pytest.mark.parametrize(("text", "own", "steps"), STEPS)
def test_the_next_steps(text: str, own: Address | None, steps: list[NextStep]) -> None:
    apps = NetworkMap([parse([{"Name": "api", "Network": "blue"}])])
    assert list(explain(text, apps, own=own).next) == steps
    without_documents = [step for step in steps if not isinstance(step, DecodeStep)]
    assert list(explain(text, own=own).next) == without_documents


def test_without_documents_a_name_has_no_verdict_and_no_step_asks_for_one() -> None:
    text = "dial reports.internal:80: refused"
    step = ReachStep(source=None, target=REPORTS, where=Where.MACHINE)
    assert step in explain(text, DOCUMENTS).next
    assert step not in explain(text.replace("reports", "other"), DOCUMENTS).next
    answer = explain(text, own=OWN)
    assert not answer.verdicts
    assert step not in answer.next
    assert answer.missing


def test_with_a_cross_network_address_the_next_step_uses_it() -> None:
    answer = explain("dial reports.internal:80: i/o timeout", DOCUMENTS, own=SAME)
    assert answer.next[0] == ProbeStep(ALLOCATED, port=80)


def test_after_an_open_connection_no_step_tries_one() -> None:
    text = f"read tcp [{OWN}]:40112->[{ALSO}]:5432: i/o timeout"
    assert explain(text, DOCUMENTS, own=OWN).next == (DecodeStep(ALSO),)


def test_documents_are_asked_for_where_they_help() -> None:
    text = f"dial tcp [{ALSO}]:80: i/o timeout"
    lists = (Missing((DocumentKind.APP_LIST,)), Missing((DocumentKind.MACHINE_LIST,)))
    assert explain(text).missing == lists
    assert explain(f"dial tcp [{SAME}]:80: i/o timeout", DOCUMENTS).missing == ()
    assert not explain(f"connect ENETUNREACH {SAME}:80").missing
    assert explain("dial tcp other.internal:80: i/o timeout", DOCUMENTS, own=OWN).missing


# A line in which an address could not be read, and the address as it should be written.
CORRECTED = [
    (f'parse "http://{OWN}:5500/x": invalid port ":5500" after host', f"http://[{OWN}]:5500"),
    ('invalid port in resolver "fdaa::3" in default.conf:77', "[fdaa::3]"),
    (f"API_URL=http://u@{SAME}:8080/x", f"http://u@[{SAME}]:8080"),  # no words of a failure
    (f"dial tcp [{OWN}:9092]:9092: no route to host", f"[{OWN}]:9092"),
    ("connecting to fdaa%3A2%3A45b%3A%3A3:6379. Name or service not known", "fdaa:2:45b::3"),
]


@pytest.mark.parametrize(("text", "corrected"), CORRECTED)
def test_an_address_is_shown_as_it_should_be_written(text: str, corrected: str) -> None:
    answer = explain(text)
    assert answer.line.corrected == corrected
    assert answer.line.phase in (Phase.ADDRESS, None)
    assert f"Write it as {corrected}" in answer.facts
    assert not answer.next


# A line of a program that asks for IPv4, and the setting to change.
SETTINGS_OF_LINES = [
    ("[ioredis] Error: getaddrinfo ENOTFOUND redis.internal", "family: 0"),
    ("java.net.UnknownHostException: db.internal", "preferIPv4Stack"),
    ("dial tcp4: lookup db.internal: no such host", "tcp4"),
]


@pytest.mark.parametrize(("text", "change"), SETTINGS_OF_LINES)
def test_the_setting_of_the_program_is_shown(text: str, change: str) -> None:
    answer = explain(text)
    assert change in str(answer.setting)
    assert str(answer.setting) in str(answer)


def test_a_text_has_at_most_64_kib() -> None:
    with pytest.raises(ValueError, match="at most 65,536"):
        explain("x" * 0x10001)
