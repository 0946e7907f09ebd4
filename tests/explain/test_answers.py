"""The first answer about a line: what it says, and which steps come next."""

from __future__ import annotations

import json
import re

import pytest

from fdaa import Address
from fdaa.explain import (
    DecodeStep,
    Missing,
    NextStep,
    ProbeStep,
    ReachStep,
    VerifyStep,
    Where,
    explain,
)
from fdaa.explain._phase_words import explain_words
from fdaa.lines import Phase
from fdaa.networks import DocumentKind, Host, NetworkMap, Outcome, parse_document

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
SAME = Address("fdaa:2:45b::3")
ALSO = Address("fdaa:2:45b::4")
OTHER = Address("fdaa:0:18::3")
SERVICE = Address("fdaa::3")
REPORTS = Host("reports.internal", port=80)

FOR_REPORTS: list[NextStep] = [ProbeStep(REPORTS, port=80, where=Where.MACHINE)]

# A line, this Machine, and the next steps.
STEPS: list[tuple[str, Address | None, list[NextStep]]] = [
    # One end.
    (f"[{SAME}]:80 x", OWN, [DecodeStep(SAME), ProbeStep(SAME, port=80)]),
    (f"[{OTHER}]:80 x", OWN, [DecodeStep(OTHER)]),
    (f"[{OTHER}]:80 died of thirst", OWN, [DecodeStep(OTHER), ProbeStep(OTHER, port=80)]),
    (
        f"[{SAME}]:80 x",
        None,
        [
            DecodeStep(SAME),
            ReachStep(source=None, target=SAME, where=Where.MACHINE),
            ProbeStep(SAME, port=80, where=Where.MACHINE),
        ],
    ),
    (f"listening on [{OWN}]:80", OWN, [DecodeStep(OWN)]),
    (f"[{SERVICE}]:53 x", OWN, [ProbeStep(SERVICE, port=53)]),
    (f"[{SERVICE}]:53 x", None, [ProbeStep(SERVICE, port=53, where=Where.MACHINE)]),
    ("fdaa:2:45b::/48 is down", OWN, []),
    ("dial reports.internal:80", OWN, [ProbeStep(REPORTS, port=80)]),
    ("dial reports.internal:80", None, FOR_REPORTS),  # in a Machine
    # Two ends on two networks: the verdict has said what `reach` would.
    (f"[{SAME}]:40112->[{OTHER}]:80", OWN, [DecodeStep(OTHER)]),
    (f"[{SAME}]:40112->[{OTHER}]:80", None, [DecodeStep(OTHER)]),
    (f"[{OTHER}]:80 is down ({OWN})", OWN, [DecodeStep(OTHER)]),
    # Two ends on one network, outside a Machine as inside.
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        None,
        [DecodeStep(ALSO), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        OTHER,
        [DecodeStep(ALSO), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    (f"[{SAME}]:40112->[{ALSO}]:80", SAME, [DecodeStep(ALSO), ProbeStep(ALSO, port=80)]),
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        ALSO,
        [DecodeStep(SAME), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    # A name is an end, too.
    (
        f"dial reports.internal:80 from {SAME}",
        None,
        [ProbeStep(REPORTS, port=80, where=Where.SOURCE)],
    ),
    (
        f"{OWN}: dial reports.internal:80",
        OWN,
        [ProbeStep(REPORTS, port=80)],
    ),
    (
        f"{SAME} -> {SERVICE}: AAAA? reports.internal:80",
        OWN,
        [ProbeStep(REPORTS, port=80, where=Where.SOURCE)],
    ),
    (
        f"[{SAME}]:40112->[{SERVICE}]:53",
        OWN,
        [ProbeStep(SERVICE, port=53, where=Where.SOURCE)],
    ),
    # What only reports an error is no end: the destination is.
    (f"From {SERVICE} icmp_seq=1 Destination unreachable: No route", OWN, []),
    (
        f"PING {SAME}({SAME})\nFrom {ALSO} icmp_seq=1 Address unreachable",
        OWN,
        [DecodeStep(SAME), ProbeStep(SAME, port=None)],
    ),
    # The other end is not private: this Machine is none of the two.
    (f"connect to 10.0.0.5:80 from {SAME}", OWN, [DecodeStep(SAME)]),
    (f"203.0.113.9:443 -> [{OTHER}]:80", OWN, [DecodeStep(OTHER)]),
    ("dial tcp 10.0.0.5:80 from reports.internal", OWN, []),
    # Without evidence of a source, all ends are targets.
    (
        f"{SAME}, {ALSO} and {OTHER}",
        OWN,
        [
            DecodeStep(SAME),
            ProbeStep(SAME, port=None),
            DecodeStep(ALSO),
            ProbeStep(ALSO, port=None),
            DecodeStep(OTHER),
        ],
    ),
]


@pytest.mark.parametrize(("text", "own", "steps"), STEPS)
def test_the_next_steps(text: str, own: Address | None, steps: list[NextStep]) -> None:
    apps = parse_document('{"apps": [{"name": "api", "network": "blue"}]}', file="apps.json")
    assert list(explain(text, NetworkMap([apps]), own=own).next) == steps
    without_documents = [step for step in steps if not isinstance(step, DecodeStep)]
    assert list(explain(text, own=own).next) == without_documents


def test_two_networks_that_are_cut_off_are_compared() -> None:
    verdict = explain("fdaa:2:45b:a7b:17:51234 fdaa:0:18:a7b:7d:f:5432").verdict
    assert verdict is not None
    assert (verdict.source, verdict.target) == (SAME.network_id, OTHER.network_id)


def test_a_verdict_does_not_deny_a_connection_that_was_open() -> None:
    answer = explain(f"read tcp [{SAME}]:40112->[{OTHER}]:5432: i/o timeout")
    assert str(answer).startswith("The connection was open")
    assert "some cross-network route exists" in str(answer)
    assert "cannot reach" not in str(answer)
    dialled = explain(f"dial tcp [{OTHER}]:5432: i/o timeout, local {SAME}")
    assert str(dialled).startswith(f"no: {SAME} cannot reach {OTHER}")


@pytest.mark.parametrize("address", [OTHER, SAME])
def test_a_program_that_cannot_listen_has_no_verdict(address: Address) -> None:
    for text in (
        f"nginx: [emerg] bind() to [{address}]:80 failed (99: Cannot assign requested address)",
        f"Error: listen EADDRNOTAVAIL: address not available {address}",
        f"Error: listen EADDRINUSE: address already in use [{address}]:3000",
    ):
        answer = explain(text, own=OWN)
        assert answer.verdict is None
        assert str(answer).startswith("The program failed on its own computer")
        assert not re.search("permit|ways around|cannot reach", str(answer))
        assert answer.checks


def test_the_verdict_is_that_of_the_two_ends() -> None:
    apps = parse_document('{"apps": [{"name": "reports", "network": "blue"}]}', file="apps.json")
    machines = '[{"id": "1", "private_ip": "fdaa:2:45b::9"}]'
    listed = parse_document(machines, file="reports.json", app="reports")
    networks = NetworkMap([apps, listed])
    answer = explain(f"dial reports.internal:80 from {SAME}: refused", networks)
    assert answer.verdict is not None
    assert (answer.verdict.outcome, answer.verdict.target) == (
        Outcome.SAME_NETWORK,
        Host("reports.internal", port=80),
    )
    assert ("network", "blue (2:45b)") in answer.rows
    assert f"yes: {SAME} can reach reports\n" in str(answer)
    assert explain(f"refused by {SAME}").verdict is None


def test_without_documents_a_name_has_no_verdict_and_no_step_asks_for_one() -> None:
    for own in (None, OWN):
        for text in ("dial reports.internal:80: refused", f"dial reports.internal:80 from {ALSO}"):
            answer = explain(text, own=own)
            assert answer.verdict is None
            assert not [step for step in answer.next if isinstance(step, ReachStep)]
            assert answer.missing
    text = "dial reports.internal:80: refused"
    step = ReachStep(source=None, target=REPORTS, where=Where.MACHINE)
    assert step in explain(text, documents()).next
    assert step not in explain(text.replace("reports", "other"), documents()).next
    assert explain(text, documents(), own=OWN).verdict is not None


def test_with_a_cross_network_address_the_next_step_uses_it() -> None:
    rows = '[{"name": "reports", "network": "blue"}, {"name": "web", "network": "red"}]'
    apps = parse_document(f'{{"apps": {rows}}}', file="apps.json")
    listed = parse_document(f'[{{"id": "1", "private_ip": "{SAME}"}}]', file="web.json", app="web")
    address = "fdaa:2:45b:0:1::23"
    allocated = f'{{"ips": [{{"ip": "{address}", "region": "global"}}]}}'
    given = parse_document(allocated, file="reports.json", app="reports")
    networks = NetworkMap([apps, listed, given])
    answer = explain("dial reports.internal:80: i/o timeout", networks, own=SAME)
    assert f"The networks permit the connection through {address}, so " in str(answer)
    assert answer.next[0] == ProbeStep(Address(address), port=80)
    for text in ("getaddrinfo ENOTFOUND reports.internal", "lookup reports.internal: ENODATA"):
        answer = explain(text, networks, own=SAME)
        assert f"\nUse {address} instead of reports.internal:\n" in str(answer)
        assert "elsewhere" not in str(answer)


@pytest.mark.parametrize("text", ["", "connection refused", "fdaa::", f"{SAME}, {ALSO}, {OTHER}"])
def test_a_line_without_two_ends_has_no_verdict(text: str) -> None:
    answer = explain(text)
    assert (answer.verdict, answer.to_dict()["verdict"]) == (None, None)


def test_an_end_that_is_not_private_is_named() -> None:
    answer = explain(f"connect to 10.0.0.5:80 from {SAME}: refused", NetworkMap(), own=OWN)
    said = "10.0.0.5 is not a private address, so networks say nothing about the connection"
    assert f"{said}." in answer.remarks
    assert (answer.verdict, answer.to_dict()["target"]) == (None, None)
    assert answer.to_dict()["source"] == str(SAME)


def test_two_targets_of_one_message_are_no_connection_between_them() -> None:
    for text in (
        f'connection to server at "db.internal" ({SAME}), port 5432 failed: Connection refused\n'
        f'connection to server at "db.internal" ({OTHER}), port 5432 failed: Connection refused',
        f"AggregateError: Error: connect ECONNREFUSED {SAME}:5432, connect ECONNREFUSED {OTHER}:5432",
        f"Multiple exceptions: [Errno 111] Connect call failed ('{SAME}', 5432, 0, 0), [Errno 111] "
        f"Connect call failed ('{OTHER}', 5432, 0, 0)",
    ):
        assert explain(text).verdict is None
        answer = explain(text, own=OWN)
        assert [tried.port for tried in answer.line.targets] == [5432, 5432]
        assert [each.verdict.reachable for each in answer.verdicts] == [False, True]
        assert str(answer).startswith(f"no: {OWN} cannot reach {OTHER}")


def test_the_same_verdict_is_said_once() -> None:
    answer = explain(f"dial [{SAME}]:80: timeout; dial [{ALSO}]:80: timeout", own=OTHER)
    assert [each.also for each in answer.verdicts] == [(str(ALSO),)]
    assert f"  the same is so for {ALSO}\n" in str(answer)


def test_several_sources_are_none() -> None:
    answer = explain(f"[{SAME}]:40112->[{OTHER}]:80, [{ALSO}]:40113->[{OTHER}]:80")
    assert (answer.line.source, answer.verdict) == (None, None)
    assert "several may be the source" in answer.remarks[0]


def test_an_end_that_cannot_be_read_is_said_and_not_replaced() -> None:
    answer = explain(f"read tcp [{OWN}]:40112->[fdaa:0:1::1g]:5432: timeout", own=OWN)
    assert answer.verdict is None
    assert "'fdaa:0:1::1g' is not a private address" in answer.remarks[0]


@pytest.mark.parametrize(
    "text",
    [
        "Connection to {} 5432 port [tcp/postgresql] succeeded!",
        "* Connected to web.internal ({}) port 80",
        "64 bytes from {}: icmp_seq=1 ttl=64 time=0.3 ms",
        "Accepted publickey for root from {} port 40112 ssh2",
        "connection authorized: user=web host=[{}]",
        'GET http://[{}]:80/ "HTTP/1.1 404"',
        f"IP6 {{}}.5432 > {OWN}.40112: Flags [S.], seq 0, ack 1",
    ],
)
def test_a_connection_that_was_opened_is_no_failure(text: str) -> None:
    answer = explain(text.format(OTHER), own=OWN)
    assert answer.line.phase is Phase.CONNECTED
    assert str(answer).startswith("The connection was open")
    assert "some cross-network route exists" in str(answer)
    assert not answer.checks
    assert "route" not in str(explain(text.format(SAME), own=OWN))


def test_a_text_without_an_end_has_its_phase_and_no_more() -> None:
    for text in ("connection refused", "i/o timeout", "getaddrinfo failed", "broken pipe"):
        answer = explain(text)
        assert str(answer) == f"{answer.meaning}."
        assert not (answer.next or answer.missing)


def test_a_message_of_a_pool_does_not_hide_a_no() -> None:
    text = f"pool timed out while waiting for a connection to [{OTHER}]:5432"
    assert str(explain(text, own=OWN)).startswith(f"no: {OWN} cannot reach {OTHER}")
    assert "All connections of the pool may be in use" in checks(text)


def test_a_read_without_an_answer_may_have_lost_large_packets() -> None:
    for words in ("read tcp [{}]:40112->[{}]:443: i/o timeout", "{} {} TLS handshake timeout"):
        assert f"ping -M do -s 1300 {SAME}" in checks(words.format(OWN, SAME), own=OWN)


# --- what the words mean --------------------------------------------------------------------------

# Words of a program, the phase in which it prints them, and what they are evidence of.
WORDS = [
    ("connect: connection refused", Phase.REFUSED),
    ("read: connection reset by peer", Phase.RESPONDED),
    ("read ECONNRESET", Phase.RESPONDED),
    (f"dial tcp [{SAME}]:80: i/o timeout", Phase.SILENT),
    (
        f"read tcp [{OWN}]:40112->[{SAME}]:80: i/o timeout",
        Phase.STALLED,
    ),
    (
        f"dial tcp: lookup web.internal on [fdaa::3]:53: read udp [{OWN}]:4->[fdaa::3]:53: "
        "i/o timeout",
        Phase.LOOKUP,
    ),
    ("connect: No route to host", Phase.UNREACHABLE),
    ("Network is unreachable", Phase.NOT_SENT),
    ("SSL routines::wrong version number", Phase.RESPONDED),
    ("status: NXDOMAIN", Phase.LOOKUP),
    ("No address associated with hostname", Phase.LOOKUP),
    ("getaddrinfo EAI_AGAIN web.internal", Phase.LOOKUP),
    ("lookup x on [fdaa::3]:53: server misbehaving", Phase.LOOKUP),
    ('no pg_hba.conf entry for host "fdaa::1"', Phase.RESPONDED),
    ("bind: Address already in use", Phase.HERE),
    ("bind: cannot assign requested address", Phase.HERE),
    (
        "ICMP6, unreachable port",
        Phase.REFUSED,
    ),
    ("connection refused (timeout=5)", Phase.REFUSED),
    (f"getaddrinfo ENOTFOUND [{SAME}]", Phase.ADDRESS),
    (f"address {OWN}:80: too many colons in address", Phase.ADDRESS),
    (
        "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
        Phase.STALLED,
    ),
    # It fires in a lookup and while a connection is opened, too.
    (
        "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
        Phase.SILENT,
    ),
    (
        "net/http: request canceled while waiting for connection (Client.Timeout exceeded while "
        "awaiting headers)",
        Phase.SILENT,
    ),
    (
        "PSQLException: Connection to reports.internal:5432 refused. Check that the hostname and "
        "port are correct",
        Phase.REFUSED,
    ),
    (
        f"IP6 {SAME}.5432 > {OWN}.40112: Flags [R.], seq 0, ack 1, win 0",
        Phase.REFUSED,
    ),
    ("LISTEN 0 128 127.0.0.1:3000 0.0.0.0:*", Phase.HERE),
    ("tcp 0 0 0.0.0.0:3000 0.0.0.0:* LISTEN", Phase.HERE),
    (f"ESTAB 0 0 [{OWN}]:40112 [{SAME}]:5432", Phase.CONNECTED),
    ("Timeout was reached with 0 bytes received", Phase.STALLED),
    ("canceling statement due to statement timeout", Phase.RESPONDED),
    ("Incorrect token audience", Phase.RESPONDED),
    ("Invalid challenge reply", Phase.RESPONDED),
    (f"connect EACCES {SAME}:80", Phase.NOT_SENT),
    (f"dial tcp [{SAME}]:80: permission denied", Phase.NOT_SENT),
    ("no live upstreams while connecting", Phase.FAILED),
    ("502 Bad Gateway", Phase.RESPONDED),
    ("504 Gateway Time-out", Phase.RESPONDED),
    ("CLUSTERDOWN The cluster is down", Phase.RESPONDED),
    ("Error: queryAaaa ENODATA web.internal", Phase.LOOKUP),
    ("Error: queryA ENODATA web.internal", Phase.LOOKUP),
    ("Error: queryAaaa ECONNREFUSED web.internal", Phase.LOOKUP),
    ("Error: queryAaaa EREFUSED web.internal", Phase.LOOKUP),
    ("Error: queryAaaa ETIMEOUT web.internal", Phase.LOOKUP),
    ("Net::OpenTimeout: execution expired", Phase.SILENT),
    (
        "Failed to open TCP connection to web.internal:80 (execution expired)",
        Phase.SILENT,
    ),
    ('Post "http://web.internal:8080/x": EOF', Phase.RESPONDED),
    ("rpc error: desc = error reading from server: EOF", Phase.RESPONDED),
    ("error reading server preface: EOF", Phase.RESPONDED),
    ("Connection closed by fdaa:2:45b::3 port 22", Phase.RESPONDED),
    ("EOFException: SSL peer shut down incorrectly", Phase.RESPONDED),
    ("resolver error: produced zero addresses", Phase.LOOKUP),
    ("HTTP/1.1 503 Service Unavailable", Phase.RESPONDED),
    (f"dial tcp [{SAME}]:80: socket: too many open files", Phase.HERE),
    (
        "FATAL: the database system is starting up",
        Phase.RESPONDED,
    ),
    (
        "context deadline exceeded while waiting for connections to become ready",
        Phase.SILENT,
    ),
]


def test_a_failure_is_not_headed_by_a_yes() -> None:
    for failure in ("connect: connection refused", "i/o timeout", "network is unreachable"):
        answer = explain(f"dial tcp [{ALSO}]:40112->[{SAME}]:5432: {failure}")
        assert answer.verdict is not None
        assert answer.verdict.reachable
        assert not re.search("yes|can reach", str(answer))
        assert "The networks permit the connection, so the cause is elsewhere:\n" in str(answer)
    answer = explain(f"read tcp [{ALSO}]:40112->[{SAME}]:5432: i/o timeout")
    assert "permit" not in str(answer)  # the connection was open, which says more


def test_a_server_that_refuses_a_client_was_reached_by_it() -> None:
    for text in (
        f'FATAL: no pg_hba.conf entry for host "{SAME}", user "web", no encryption',
        f"ERROR 1045 (28000): Access denied for user 'web'@'{SAME}' (using password: YES)",
    ):
        line = explain(text, own=OWN).line
        assert (line.source, line.target) == (SAME, OWN)
        assert explain(text).line.source == SAME
        assert (explain(text, own=SAME).line.source, explain(text, own=SAME).verdict) == (
            SAME,
            None,
        )
        assert "can reach" not in str(explain(text, own=OWN))


@pytest.mark.parametrize(
    "text",
    [
        f"connect ECONNREFUSED {SAME}:6379",
        f"Could not connect to Redis at {SAME}:6379: Connection refused",
        f"Error 111 connecting to {SAME}:6379. Connection refused.",
    ],
)
def test_a_program_that_prints_each_port_prints_one(text: str) -> None:
    line = explain(text).line
    assert (line.found, line.port) == ((SAME,), 6379)
    other = explain(f"refused by {SAME}:6379")
    assert other.line.found == (Address(f"{SAME}:6379"),)
    assert ("a port?", f"if 6379 is one, the address is {SAME}") in other.rows


def test_documents_are_asked_for_where_names_help() -> None:
    assert explain(f"connect ECONNREFUSED {SAME}:80").missing
    assert explain(f'no pg_hba.conf entry for host "{SAME}"').missing
    for text in (
        f"connect ENETUNREACH {SAME}:80",
        f"connect EACCES {SAME}:80",
        f"address {SAME}:80: too many colons in address",
        "x509: certificate is valid for a, not web.internal",
        "GET http://web.internal:80/: 502 Bad Gateway",
        f'connect() failed (111: Connection refused), client: {SAME}, upstream: "http://[::1]:80/"',
    ):
        assert not explain(text).missing


def test_without_a_route_the_next_step_runs_at_the_source() -> None:
    text = f"dial tcp [{SAME}]:80: connect: network is unreachable"
    assert explain(text).next == (ProbeStep(SAME, port=80, where=Where.SOURCE),)
    assert explain(text, own=OWN).next == (ProbeStep(SAME, port=80),)


def documents() -> NetworkMap:
    """Return documents: web, with a started Machine, is on red, and reports on blue."""
    rows = '[{"name": "reports", "network": "blue"}, {"name": "web", "network": "red"}]'
    machines = f'[{{"id": "1", "state": "started", "private_ip": "{SAME}"}}]'
    others = f'[{{"id": "2", "state": "started", "private_ip": "{OTHER}"}}]'
    given = f'{{"ips": [{{"ip": "{ALLOCATED}", "region": "global"}}]}}'
    return NetworkMap(
        [
            parse_document(f'{{"apps": {rows}}}', file="apps.json"),
            parse_document(machines, file="web.json", app="web"),
            parse_document(others, file="reports.json", app="reports"),
            parse_document(given, file="addresses.json", app="reports"),
        ]
    )


ALLOCATED = Address("fdaa:2:45b:0:1::23")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("10.0.0.1", "10.0.0.1: this is an IPv4 address; private addresses are IPv6"),
        ("2001:db8::1", "2001:db8::1: this IPv6 address is not private (fdaa::/16)"),
        (
            "fdaa:3:1f::1g",
            "'fdaa:3:1f::1g' is not a private address: 'g' is not a hex digit (index 12)",
        ),
    ],
)
def test_a_lone_address_that_is_not_private_is_shown_as_what_it_is(text: str, title: str) -> None:
    assert (explain(text).title, explain(text).is_known) == (title, False)


def test_that_an_address_is_not_private_is_shown_once() -> None:
    for text in ("sent to 10.0.0.5", "dial tcp 10.0.0.5:5432: i/o timeout"):
        assert str(explain(text)).count("10.0.0.5 is not a private address") == 1


def test_a_lone_cut_off_address_has_no_verdict() -> None:
    answer = explain("fdaa:2:45b:a7b:174:db43", own=OWN)
    assert answer.verdict is None
    assert str(answer).startswith("fdaa:2:45b:a7b:174:db43 is cut off: 6 of 8 groups; ")


def test_a_name_has_what_documents_show_of_its_app() -> None:
    rows = dict(explain("UnknownHostException: reports.internal", documents()).rows)
    assert rows == {"app": "reports", "network": "blue (0:18)", "Machines": "1 started"}


# A line, and the address in it as it should be written.
CORRECTED = [
    (f'parse "http://{OWN}:5500/x": invalid port ":5500" after host', f"http://[{OWN}]:5500"),
    (f"address {OWN}:8080: too many colons in address", f"[{OWN}]:8080"),
    ('invalid port in resolver "fdaa::3" in default.conf:77', "[fdaa::3]"),
    (f"http://{SAME}:8080/: Bad port number.", f"http://[{SAME}]:8080"),
    (f"Failed to parse: http://{SAME}:8080/", f"http://[{SAME}]:8080"),
    (f"API_URL=http://u@{SAME}:8080/x", f"http://u@[{SAME}]:8080"),  # no words of a failure
    (f"getaddrinfo ENOTFOUND [{OWN}]", str(OWN)),
    (f"Can't reach database server at `[{OWN}]`:`5432`", str(OWN)),
    (f'bad URI(is not URI?): "redis://u:p@{SAME}:6379/0"', f"redis://u:p@[{SAME}]:6379"),
    (f"dial tcp [{OWN}:9092]:9092: no route to host", f"[{OWN}]:9092"),
    ("connecting to fdaa%3A2%3A45b%3A%3A3:6379. Name or service not known", "fdaa:2:45b::3"),
]


@pytest.mark.parametrize(("text", "corrected"), CORRECTED)
def test_an_address_is_shown_as_it_should_be_written(text: str, corrected: str) -> None:
    answer = explain(text)
    assert answer.line.corrected == corrected
    assert f"Write it as {corrected}" in answer.remarks
    assert not answer.next


# A line of a program that asks for IPv4, and the setting to change.
SETTINGS_OF_LINES = [
    ("Postgrex.Protocol failed to connect: tcp connect (db.internal:5432): :nxdomain", ":inet6"),
    ("[ioredis] Error: getaddrinfo ENOTFOUND redis.internal", "family: 0"),
    ("java.net.UnknownHostException: db.internal", "preferIPv4Stack"),
    ("Error: getaddrinfo ENOTFOUND db.internal", "family: 0 or 6"),
    ("curl: (6) Could not resolve host: db.internal", "-4"),
    ("dial tcp4: lookup db.internal: no such host", "tcp4"),
    ("{no_ping,'app@db.internal'}", "inet6_tcp"),
    ("%Mint.TransportError{reason: :nxdomain} http://web.internal", "inet6: true"),
]


def test_a_name_alone_has_an_answer() -> None:
    apps = parse_document('{"apps": [{"name": "web", "network": "blue"}]}', file="apps.json")
    assert explain("web.internal:80").is_known
    assert str(explain("web.internal:80", NetworkMap([apps]))).startswith(
        "web.internal: app web is on network blue"
    )


def test_what_is_missing_is_data() -> None:
    text = f"dial tcp [{SAME}]:80: i/o timeout"
    assert explain(text).missing == (
        Missing((DocumentKind.APP_LIST,)),
        Missing((DocumentKind.MACHINE_LIST,)),
    )
    rows = f'[{{"id": "1", "private_ip": "{SAME}"}}]'
    networks = NetworkMap([parse_document(rows, file="web.json", app="web")])
    answer = explain(text, networks)
    assert answer.missing == ()
    assert DecodeStep(SAME) not in answer.next
    assert ("app", "web") in answer.rows


def test_a_token_is_looked_into() -> None:
    assert explain("InvalidIdentityToken: Incorrect token audience").next == (VerifyStep(),)


def test_the_client_of_a_proxy_is_shown_as_what_it_is() -> None:
    answer = explain(
        "connect() failed (111: Connection refused) while connecting to upstream, "
        f'client: {SAME}, server: _, upstream: "http://[{OTHER}]:8080/"',
        own=Address("fdaa:0:18::9"),
    )
    assert answer.verdict is not None
    assert answer.verdict.reachable
    assert f"{SAME} is the client of a proxy: it is on a different connection." in answer.remarks


def test_after_an_open_connection_no_step_tries_one() -> None:
    answer = explain(f"read tcp [{OWN}]:40112->[{ALSO}]:5432: i/o timeout", documents(), own=OWN)
    assert answer.next == (DecodeStep(ALSO),)


# A text that documents have a name for, and the first words of the answer.
NAMES_IN_DOCUMENTS = [
    ("web", "web\n  app              network blue (2:45b)"),
    ("blue", "blue\n  network          network blue (2:45b)"),
    ("m1", "m1\n  Machine          started"),
    ("db:5432", "db:5432: app db is on network blue (2:45b)"),
]


def test_a_lone_name_beside_its_address_is_the_address() -> None:
    assert explain(f"web.internal/[{SAME}]:50051").title == str(SAME)


@pytest.mark.parametrize(("text", "first"), NAMES_IN_DOCUMENTS)
def test_a_name_is_what_documents_have_it_for(text: str, first: str) -> None:
    rows = '[{"name": "web", "network": "blue"}, {"name": "db", "network": "blue"}]'
    apps = parse_document(f'{{"apps": {rows}}}', file="apps.json")
    machines = f'[{{"id": "m1", "state": "started", "private_ip": "{SAME}"}}]'
    listed = parse_document(machines, file="web.json", app="web")
    answer = explain(text, NetworkMap([apps, listed]))
    assert answer.is_known
    assert str(answer).startswith(first)
    if ":" not in text:
        assert not explain(text).is_known
    else:
        assert "db:5432 is not app db" in str(explain(text))


@pytest.mark.parametrize(("text", "phase"), WORDS)
def test_words_are_printed_in_their_phase(text: str, phase: Phase) -> None:
    answer = explain(text)
    assert answer.line.phase is phase
    assert answer.is_known
    assert answer.meaning


@pytest.mark.parametrize(
    "text",
    [
        "read_timeout 65, timeout=30s, GET /timeout",
        "LISTEN 0 128 [::]:3000 [::]:*",
        "listen EACCES: permission denied 0.0.0.0:80",
        "Permission denied (publickey); connect again",
        "connection to db: FATAL: permission denied for database web",
        "Could not locate Gemfile",
        "all is well",
        "",
    ],
)
def test_settings_and_other_words_are_of_no_phase(text: str) -> None:
    answer = explain(text)
    assert (answer.line.phase, answer.is_known) == (None, False)
    assert str(answer).endswith(": nothing in this text is known")


def test_each_phase_has_words_and_a_meaning() -> None:
    shown = list(explain_words())
    assert [row.phase for row in shown] == list(Phase)
    for row in shown:
        assert row.meaning
        assert "{" not in "".join(row.checks)
        for words in row.words:
            assert explain(f"x {words.upper()} x").is_known, words


def checks(text: str, networks: NetworkMap | None = None, own: Address | None = None) -> str:
    return "\n".join(explain(text, networks, own=own).checks)


def test_a_verdict_decides_about_networks() -> None:
    text = f"dial tcp [{SAME}]:80: i/o timeout"
    assert checks(text).startswith("The ends may be on different networks")
    answer = explain(text, own=OWN)
    assert "The networks permit the connection, so the cause is elsewhere:\n" in str(answer)
    assert "can reach" not in str(answer)
    assert "networks" not in "".join(answer.checks)
    assert not checks(f"dial tcp [{OTHER}]:80: i/o timeout", own=OWN)


def test_an_open_connection_excludes_networks_names_and_firewalls() -> None:
    for text in (
        f"read tcp [{OWN}]:40112->[{OTHER}]:5432: i/o timeout",
        f"read tcp [{OWN}]:40112->[{OTHER}]:5432: read: connection reset by peer",
        f"dial [{OTHER}]:80: x509: certificate signed by unknown authority",
    ):
        assert not re.search("network|firewall|deploy", checks(text, own=OWN)), text
        assert "names, ports and private networks are not the cause" in str(explain(text, own=OWN))


def test_a_connection_to_itself_has_no_network() -> None:
    for text in (
        "dial tcp 127.0.0.1:5432: connect: connection refused",
        "connect ECONNREFUSED ::1:5432",
        "connect ECONNREFUSED /run/app.sock",
        "dial unix /var/run/docker.sock: connect: permission denied",
        f'connect() failed (111: Connection refused), client: {SAME}, upstream: "http://[::1]:80/"',
    ):
        assert "its own computer (localhost)" in checks(text)
        assert "must listen" not in checks(text)


def test_rules_for_clients_need_their_network() -> None:
    assert SAME.network_id.prefix.__str__() in checks(f'no pg_hba.conf entry for host "{SAME}"')


def test_words_that_are_not_known_are_said_to_be_so() -> None:
    remark = "No words in this text are known to be those of a failure."
    answer = explain(f"thing died of EFOO at [{SAME}]:5432", own=OWN)
    assert remark in answer.remarks
    assert ("network", "2:45b") in answer.rows
    assert answer.next[-1] == ProbeStep(SAME, port=5432)
    assert ProbeStep(OTHER, port=80) in explain(f"[{OTHER}]:80 died of thirst", own=OWN).next
    for text in (str(SAME), f"[{SAME}]:80", "web.internal:80", f"connect ECONNREFUSED {SAME}:80"):
        assert remark not in explain(text).remarks


def test_a_source_in_the_line_is_not_outside() -> None:
    text = f"dial tcp [{ALSO}]:40112->[{SAME}]:5432: connect: network is unreachable"
    assert "Outside a Machine" not in checks(text)


def test_what_documents_show_is_not_to_be_checked() -> None:
    text = "dial tcp: lookup web.internal: no such host"
    assert "needs a started Machine" in checks(text)
    assert "needs a started Machine" not in checks(text, documents())
    for text in (f"connect ETIMEDOUT {ALLOCATED}:5432", f"connect ECONNREFUSED {ALLOCATED}:5432"):
        assert "may be gone" in checks(text)
        assert "may be gone" not in checks(text, documents())


def test_a_complete_app_list_shows_which_names_exist() -> None:
    rows = '[{"name": "web", "network": "red"}, {"name": "shopdb", "network": "red"}]'
    listed = f'{{"apps": {rows}, "total_apps": 2}}'
    complete = NetworkMap([parse_document(listed, file="apps.json")])
    misspelled = "Error: getaddrinfo ENOTFOUND shpdb.internal"
    assert checks(misspelled, complete).startswith("shpdb.internal may be misspelled")
    assert "misspelled" not in checks(misspelled.replace("shpdb", "shopdb"), complete)
    assert "network of their app" in checks(misspelled)


def test_a_target_that_is_not_private_has_no_cause_of_private_networks() -> None:
    for target in ("10.0.0.5", "[2001:db8::5]"):
        for text in ("i/o timeout", "connect: connection refused", "network is unreachable"):
            answer = explain(f"dial tcp {target}:5432: {text}")
            assert f"{target.strip('[]')} is not a private address" in answer.remarks[0]
            assert not re.search(r"different network|\[::\]|deploy", "".join(answer.checks))


def test_a_verdict_that_states_the_cause_is_followed_by_no_other() -> None:
    machines = f'[{{"id": "1", "private_ip": "{OTHER}"}}]'
    rows = '[{"name": "reports", "network": "blue"}]'
    networks = NetworkMap(
        [
            parse_document(f'{{"apps": {rows}}}', file="apps.json"),
            parse_document(machines, file="reports.json", app="reports"),
            parse_document('{"ips": []}', file="addresses.json", app="reports"),
        ]
    )
    for target in ("reports.internal", f"[{OTHER}]"):
        answer = explain(f"tcp connect ({target}:5432): timeout", networks, own=OWN)
        assert str(answer).startswith("no: ")
        assert not answer.checks


def test_a_refusal_from_another_network_is_not_explained_by_isolation() -> None:
    answer = explain(f"dial tcp [{OTHER}]:5432: connect: connection refused", own=OWN)
    assert "something answered, so the connection is configured in a way" in str(answer)
    assert answer.checks
    assert "different networks" not in "".join(answer.checks)


def test_a_machine_that_documents_know_is_stopped_is_the_answer() -> None:
    rows = f'[{{"id": "1", "state": "stopped", "private_ip": "{SAME}"}}]'
    networks = NetworkMap([parse_document(rows, file="web.json", app="web")])
    answer = explain(f"dial tcp [{SAME}]:80: i/o timeout", networks, own=OWN)
    assert "stopped" in str(answer)
    assert not answer.checks


@pytest.mark.parametrize(("text", "change"), SETTINGS_OF_LINES)
def test_the_setting_of_the_program_is_shown(text: str, change: str) -> None:
    answer = explain(text)
    assert change in str(answer.setting)
    assert str(answer.setting) in str(answer)


def test_a_program_that_asks_for_both_is_not_told_to_ask_for_ipv6() -> None:
    assert "IPv4" not in checks("dial tcp: lookup db.internal on [fdaa::3]:53: no such host")


def test_a_text_may_have_64_kib() -> None:
    trace = "dial tcp: lookup web.internal: no such host\n" + "    at f (/a:1:2) [x::y] " * 2900
    assert explain(trace[:0x10000]).line.phase is Phase.LOOKUP
    with pytest.raises(ValueError, match="at most 65,536"):
        explain("x" * 0x10001)


def test_the_answer_is_one_json_object() -> None:
    answer = explain(f"dial tcp [{SAME}]:80: i/o timeout", own=OWN)
    record = json.loads(json.dumps(answer.to_dict()))
    assert record["phase"] == "silent"
    assert "may be gone" in record["checks"][0]
    assert record["verdict"]["reachable"] is True
