"""The first answer about a line: what it says, and which steps come next."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command import as_in_a_machine, invoke, records

from fdaa import Address
from fdaa.explain import (
    SYMPTOMS,
    Compare,
    Probe,
    Reach,
    Step,
    Where,
    Whois,
    explain,
    find_symptom,
)
from fdaa.lines import CutOff, Line, read_line
from fdaa.networks import Host, NetworkMap, Outcome, parse_document

ROOT = Path(__file__).parent.parent.parent
OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
SAME = Address("fdaa:2:45b::3")
ALSO = Address("fdaa:2:45b::4")
OTHER = Address("fdaa:0:18::3")
SERVICE = Address("fdaa::3")
REPORTS = Host("reports.internal", 80)

FOR_REPORTS: list[Step] = [Probe(REPORTS, 80), Reach(None, REPORTS)]

# A line, this Machine, and the next steps.
STEPS: list[tuple[str, Address | None, list[Step]]] = [
    # One end.
    (f"[{SAME}]:80 x", OWN, [Whois(SAME), Probe(SAME, 80)]),
    (f"[{OTHER}]:80 x", OWN, [Whois(OTHER), Reach(None, OTHER)]),
    (
        f"[{SAME}]:80 x",
        None,
        [Whois(SAME), Compare(SAME), Probe(SAME, 80, Where.MACHINE)],
    ),
    (f"listening on [{OWN}]:80", OWN, [Whois(OWN)]),
    (f"[{SERVICE}]:53 x", OWN, [Probe(SERVICE, 53)]),
    (f"[{SERVICE}]:53 x", None, [Probe(SERVICE, 53, Where.MACHINE)]),
    ("fdaa:2:45b::/48 is down", OWN, []),
    ("dial reports.internal:80", OWN, FOR_REPORTS),
    # Two ends on two networks.
    (f"[{SAME}]:40112->[{OTHER}]:80", OWN, [Reach(SAME, OTHER)]),
    (f"[{SAME}]:40112->[{OTHER}]:80", None, [Reach(SAME, OTHER)]),
    (f"[{OTHER}]:80 is down ({OWN})", OWN, [Reach(OWN, OTHER)]),
    # Two ends on one network, outside a Machine as inside.
    (f"[{SAME}]:40112->[{ALSO}]:80", None, [Whois(ALSO), Probe(ALSO, 80, Where.SOURCE)]),
    (f"[{SAME}]:40112->[{ALSO}]:80", OTHER, [Whois(ALSO), Probe(ALSO, 80, Where.SOURCE)]),
    (f"[{SAME}]:40112->[{ALSO}]:80", SAME, [Whois(ALSO), Probe(ALSO, 80)]),
    (f"[{SAME}]:40112->[{ALSO}]:80", ALSO, [Whois(SAME), Probe(ALSO, 80, Where.SOURCE)]),
    # A name is an end, too.
    (f"dial reports.internal:80 from {SAME}", None, [Reach(SAME, REPORTS)]),
    (
        f"{OWN}: dial reports.internal:80",
        OWN,
        [Whois(OWN), *FOR_REPORTS],
    ),
    (
        f"{SAME} -> {SERVICE}: AAAA? reports.internal:80",
        OWN,
        [Probe(REPORTS, 80), Reach(None, REPORTS)],
    ),
    (f"[{SAME}]:40112->[{SERVICE}]:53", OWN, [Probe(SERVICE, 53)]),
    # What only reports an error is no end: the destination is.
    (f"From {SERVICE} icmp_seq=1 Destination unreachable: No route", OWN, []),
    (
        f"PING {SAME}({SAME})\nFrom {ALSO} icmp_seq=1 Address unreachable",
        OWN,
        [Whois(SAME), Probe(SAME, None)],
    ),
    # The other end is not private: this Machine is none of the two.
    (f"connect to 10.0.0.5:80 from {SAME}", OWN, [Whois(SAME)]),
    (f"203.0.113.9:443 -> [{OTHER}]:80", OWN, [Whois(OTHER)]),
    ("dial tcp 10.0.0.5:80 from reports.internal", OWN, []),
    # More than two ends.
    (f"{SAME}, {ALSO} and {OTHER}", OWN, []),
]


@pytest.mark.parametrize(("text", "own", "steps"), STEPS)
def test_the_next_steps(text: str, own: Address | None, steps: list[Step]) -> None:
    assert list(explain(read_line(text, own)).next) == steps


def test_two_networks_that_are_cut_off_are_compared() -> None:
    (step,) = explain(read_line("fdaa:2:45b:a7b:17:51234 fdaa:0:18:a7b:7d:f:5432")).next
    assert isinstance(step, Reach)
    assert (step.source, step.target) == (CutOff(SAME.network_id), CutOff(OTHER.network_id))


def test_the_verdict_is_that_of_the_two_ends() -> None:
    apps = parse_document('{"apps": [{"name": "reports", "network": "blue"}]}', file="apps.json")
    machines = '[{"id": "1", "private_ip": "fdaa:2:45b::9"}]'
    listed = parse_document(machines, file="reports.json", app="reports")
    networks = NetworkMap([apps, listed])
    answer = explain(read_line(f"dial reports.internal:80 from {SAME}: refused"), networks)
    assert answer.verdict is not None
    assert (answer.verdict.outcome, answer.verdict.target) == (
        Outcome.SAME_NETWORK,
        Host("reports.internal", 80),
    )
    assert ("network", "blue (2:45b)") in answer.rows
    assert f"yes: {SAME} can reach reports\n" in str(answer)
    unknown = explain(read_line(f"dial reports.internal:80 from {SAME}: refused"))
    assert unknown.verdict is not None
    assert unknown.verdict.reachable is None
    assert explain(read_line(f"refused by {SAME}")).verdict is None


def test_with_a_cross_network_address_the_next_step_uses_it() -> None:
    rows = '[{"name": "reports", "network": "blue"}, {"name": "web", "network": "red"}]'
    apps = parse_document(f'{{"apps": {rows}}}', file="apps.json")
    listed = parse_document(f'[{{"id": "1", "private_ip": "{SAME}"}}]', file="web.json", app="web")
    address = "fdaa:2:45b:0:1::23"
    allocated = f'{{"ips": [{{"ip": "{address}", "region": "global"}}]}}'
    given = parse_document(allocated, file="reports.json", app="reports")
    line = read_line("dial reports.internal:80: i/o timeout", SAME)
    answer = explain(line, NetworkMap([apps, listed, given]))
    assert str(answer).startswith(f"yes: {SAME} can reach reports through {address}\n")
    assert answer.next[0] == Probe(Address(address), 80)


@pytest.mark.parametrize("text", ["", "connection refused", "fdaa::", f"{SAME}, {ALSO}, {OTHER}"])
def test_a_line_without_two_ends_has_no_verdict(text: str) -> None:
    answer = explain(read_line(text))
    assert (answer.verdict, answer.to_dict()["verdict"]) == (None, None)


def test_an_end_that_is_not_private_is_named() -> None:
    answer = explain(read_line(f"connect to 10.0.0.5:80 from {SAME}: refused", OWN), NetworkMap())
    said = "10.0.0.5 is not a private address, so networks say nothing about the connection"
    assert ("the other end", said) in answer.rows
    assert (answer.verdict, answer.to_dict()["target"]) == (None, None)
    assert answer.to_dict()["source"] == str(SAME)


def test_three_ends_are_named() -> None:
    answer = explain(read_line(f"from {SAME} via {ALSO} to reports.internal:80"))
    assert ("3 ends", f"{SAME}, {ALSO}, reports.internal; a connection has two") in answer.rows
    of_addresses = explain(read_line(f"{SAME} -> {ALSO} -> {OTHER}"))
    assert of_addresses.rows == (("3 ends", f"{SAME}, {ALSO}, {OTHER}; a connection has two"),)
    assert explain(Line.of([SAME, ALSO, OTHER])).rows == ()


# --- the words of a line --------------------------------------------------------------------------

# Words of a program, and the name of the symptom.
WORDS = [
    ("connect: connection refused", "connection refused"),
    ("read: connection reset by peer", "connection reset"),
    ("read ECONNRESET", "connection reset"),
    ("i/o timeout", "no response"),
    ("connect: No route to host", "no route to host"),
    ("Network is unreachable", "no route to the network"),
    ("SSL routines::wrong version number", "TLS"),
    ("status: NXDOMAIN", "name not found"),
    ("getaddrinfo EAI_AGAIN reports.internal", "no response from the resolver"),
    ('FATAL:  no pg_hba.conf entry for host "fdaa::1"', "pg_hba.conf"),
    ("bind: Address already in use", "address in use"),
    ("bind: cannot assign requested address", "address not here"),
    ("ICMP6, destination unreachable, unreachable port", "connection refused"),
    ("connection refused (timeout=5)", "connection refused"),
    ("lookup x on [fdaa::3]:53: server misbehaving", "no response from the resolver"),
    ("ConnectTimeout", "no response"),
    ("read_timeout 65, timeout=30s, GET /timeout", None),
    ("all is well", None),
]


@pytest.mark.parametrize(("text", "name"), WORDS)
def test_the_symptom_of_a_line(text: str, name: str | None) -> None:
    symptom = find_symptom(text)
    assert (symptom and symptom.name) == name


def test_each_symptom_is_found_by_each_of_its_words() -> None:
    for symptom in SYMPTOMS:
        for words in symptom.words:
            assert find_symptom(words.upper()) == symptom


def test_the_answer_has_the_symptom_of_the_line() -> None:
    refused = explain(read_line(f"dial [{SAME}]:80: connection refused", OWN))
    assert ("symptom", "connection refused") in refused.rows
    assert refused.symptom is not None
    assert ("not the cause", refused.symptom.excludes) in refused.rows
    assert ("first", refused.symptom.first) in refused.rows
    apart = explain(read_line(f"dial [{OTHER}]:80: i/o timeout", OWN))
    assert ("symptom", "no response, as is usual between two networks") in apart.rows
    assert "first" not in dict(apart.rows)


# --- the lines of the page ------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "pasted-lines.md").read_text("utf-8")


def lines_of_page() -> list[tuple[str, Address | None, str]]:
    """The pasted lines of the page, this Machine's address, and what the command prints.

    A line in a block of text has the same answer as another one; nothing is shown below it.
    """
    lines: list[tuple[str, Address | None, str]] = []
    own = None
    for language, block in re.findall(r"(?ms)^```(console|text)\n(.*?)^```$", PAGE):
        if language == "text":
            lines += [(line, own, "") for line in block.splitlines()]
            continue
        for command, shown in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block):
            if command.startswith("export PLATFORM_PRIVATE_IP="):
                own = Address(command.partition("=")[2])
            words = shlex.split(command)
            if words[0] == "fdaa" and len(words) == 2 and " " in words[1]:
                lines.append((words[1], own, shown))
    return lines


def spelled(step: Step) -> str:
    """A step as a command, spelled apart from the command's own code."""
    match step:
        case Whois():
            return f"fdaa whois {step.address}"
        case Compare():
            return f"fdaa same self {step.address}"
        case Probe(Host() as host):
            port = "" if host.port is None else f":{host.port}"
            return f"fdaa probe {host.app}{port}"
        case Probe():
            return f"fdaa probe '[{step.target}]:{step.port or 'PORT'}'"
    ends = [end.app if isinstance(end, Host) else end for end in (step.source, step.target)]
    return f"fdaa reach {ends[0] or 'self'} {ends[1]}"


LABELS = {"address", "network", "next:", "in", "a", "Machine:", "at", "the", "source:"}
LABELS |= {"fdaa:", "If", "reports", "is", "an", "app:", ".", ","}


@pytest.mark.parametrize(("text", "own", "shown"), lines_of_page())
def test_the_library_gives_what_the_command_prints(
    text: str, own: Address | None, shown: str
) -> None:
    answer = explain(read_line(text, own))
    if not shown:
        shown = invoke(text, env={"PLATFORM_PRIVATE_IP": str(own)}).output
        shown = as_in_a_machine(shown)
    rest = " ".join(shown.split())
    for piece in [*str(answer).splitlines(), *map(spelled, answer.next)]:
        words = " ".join(piece.split())
        assert words in rest, piece
        rest = rest.replace(words, "", 1)
    assert set(rest.split()) <= LABELS, rest


def test_the_command_prints_the_answer_as_json() -> None:
    text = f"[{SAME}]:40112->[{ALSO}]:80: connection refused"
    *_, shown = records(invoke(text, "--json").stdout)
    answer = explain(read_line(text))
    steps = [["fdaa", "whois", str(ALSO)], ["fdaa", "probe", f"[{ALSO}]:80"]]
    assert shown == {"input": text, **answer.to_dict(), "next": steps}
    of_name = records(invoke("dial reports.internal:80: refused", "--json").stdout)
    assert [record["kind"] for record in of_name] == ["refused", "answer"]
    assert of_name[1]["next"][1] == ["fdaa", "reach", "self", "reports"]


def test_only_an_argument_that_is_a_line_has_an_answer_as_json() -> None:
    text = f"refused by {SAME}"
    for arguments, stdin in (([str(SAME)], ""), (["2:45b"], ""), ([], text)):
        shown = records(invoke("decode", *arguments, "--json", stdin=stdin.encode()).stdout)
        assert len(shown) == 1
    assert invoke("decode", "--field", "kind", text).stdout == "address\n"
