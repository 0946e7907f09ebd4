"""The first answer about a line: what it says, and which steps come next."""

from __future__ import annotations

import json
import re

import pytest

from fdaa import Address
from fdaa.explain import (
    Cause,
    Missing,
    NextStep,
    ProbeStep,
    ReachStep,
    VerifyStep,
    Where,
    WhoisStep,
    explain,
)
from fdaa.explain._cause_table import CAUSES_OF
from fdaa.explain._meanings import MEANING
from fdaa.explain._program_settings import SETTINGS
from fdaa.explain._symptoms import explain_words
from fdaa.lines import Evidence, Phase
from fdaa.lines._words import WORDS as WORDS_OF_LINES
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
    (f"[{SAME}]:80 x", OWN, [WhoisStep(SAME), ProbeStep(SAME, port=80)]),
    (f"[{OTHER}]:80 x", OWN, [WhoisStep(OTHER)]),
    (
        f"[{SAME}]:80 x",
        None,
        [
            WhoisStep(SAME),
            ReachStep(source=None, target=SAME, where=Where.MACHINE),
            ProbeStep(SAME, port=80, where=Where.MACHINE),
        ],
    ),
    (f"listening on [{OWN}]:80", OWN, [WhoisStep(OWN)]),
    (f"[{SERVICE}]:53 x", OWN, [ProbeStep(SERVICE, port=53)]),
    (f"[{SERVICE}]:53 x", None, [ProbeStep(SERVICE, port=53, where=Where.MACHINE)]),
    ("fdaa:2:45b::/48 is down", OWN, []),
    ("dial reports.internal:80", OWN, [ProbeStep(REPORTS, port=80)]),
    ("dial reports.internal:80", None, FOR_REPORTS),  # in a Machine
    # Two ends on two networks: the verdict has said what `reach` would.
    (f"[{SAME}]:40112->[{OTHER}]:80", OWN, []),
    (f"[{SAME}]:40112->[{OTHER}]:80", None, []),
    (f"[{OTHER}]:80 is down ({OWN})", OWN, []),
    # Two ends on one network, outside a Machine as inside.
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        None,
        [WhoisStep(ALSO), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        OTHER,
        [WhoisStep(ALSO), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    (f"[{SAME}]:40112->[{ALSO}]:80", SAME, [WhoisStep(ALSO), ProbeStep(ALSO, port=80)]),
    (
        f"[{SAME}]:40112->[{ALSO}]:80",
        ALSO,
        [WhoisStep(SAME), ProbeStep(ALSO, port=80, where=Where.SOURCE)],
    ),
    # A name is an end, too.
    (f"dial reports.internal:80 from {SAME}", None, []),
    (
        f"{OWN}: dial reports.internal:80",
        OWN,
        [WhoisStep(OWN), ProbeStep(REPORTS, port=80)],
    ),
    (
        f"{SAME} -> {SERVICE}: AAAA? reports.internal:80",
        OWN,
        [ProbeStep(REPORTS, port=80)],
    ),
    (f"[{SAME}]:40112->[{SERVICE}]:53", OWN, [ProbeStep(SERVICE, port=53)]),
    # What only reports an error is no end: the destination is.
    (f"From {SERVICE} icmp_seq=1 Destination unreachable: No route", OWN, []),
    (
        f"PING {SAME}({SAME})\nFrom {ALSO} icmp_seq=1 Address unreachable",
        OWN,
        [WhoisStep(SAME), ProbeStep(SAME, port=None)],
    ),
    # The other end is not private: this Machine is none of the two.
    (f"connect to 10.0.0.5:80 from {SAME}", OWN, [WhoisStep(SAME)]),
    (f"203.0.113.9:443 -> [{OTHER}]:80", OWN, [WhoisStep(OTHER)]),
    ("dial tcp 10.0.0.5:80 from reports.internal", OWN, []),
    # More than two ends.
    (f"{SAME}, {ALSO} and {OTHER}", OWN, []),
]


@pytest.mark.parametrize(("text", "own", "steps"), STEPS)
def test_the_next_steps(text: str, own: Address | None, steps: list[NextStep]) -> None:
    apps = parse_document('{"apps": [{"name": "api", "network": "blue"}]}', file="apps.json")
    assert list(explain(text, NetworkMap([apps]), own=own).next) == steps
    without_documents = [step for step in steps if not isinstance(step, WhoisStep)]
    assert list(explain(text, own=own).next) == without_documents


def test_two_networks_that_are_cut_off_are_compared() -> None:
    verdict = explain("fdaa:2:45b:a7b:17:51234 fdaa:0:18:a7b:7d:f:5432").verdict
    assert verdict is not None
    assert (verdict.source, verdict.target) == (SAME.network_id, OTHER.network_id)


def test_a_verdict_does_not_deny_a_connection_that_was_open() -> None:
    answer = explain(f"read tcp [{SAME}]:40112->[{OTHER}]:5432: i/o timeout")
    assert str(answer).startswith("The connection was open")
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
        assert str(answer).startswith("The program could not listen")
        assert not re.search("permit|ways around|cannot reach", str(answer))
        assert answer.causes


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
        assert [cause.cause for cause in answer.causes] == [Cause.NAME_OF_OTHER_NETWORK]
        assert answer.causes[0].text in str(answer)
    failed = explain("getaddrinfo EAI_AGAIN reports.internal", networks, own=SAME)
    assert "elsewhere" in str(failed)  # the resolver gave no answer


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


def test_three_ends_are_named() -> None:
    answer = explain(f"{SAME} via {ALSO} to reports.internal:80")
    assert answer.remarks == (f"3 ends: {SAME}, {ALSO}, reports.internal; a connection has two.",)


# --- what the words mean --------------------------------------------------------------------------

# Words of a program, the phase in which it prints them, and what they are evidence of.
WORDS = [
    ("connect: connection refused", Phase.CONNECTING, Evidence.REFUSED),
    ("read: connection reset by peer", Phase.CONNECTED, Evidence.CLOSED),
    ("read ECONNRESET", Phase.CONNECTED, Evidence.CLOSED),
    (f"dial tcp [{SAME}]:80: i/o timeout", Phase.CONNECTING, Evidence.TIMED_OUT),
    (
        f"read tcp [{OWN}]:40112->[{SAME}]:80: i/o timeout",
        Phase.CONNECTED,
        Evidence.NO_REPLY,
    ),
    (
        f"dial tcp: lookup web.internal on [fdaa::3]:53: read udp [{OWN}]:4->[fdaa::3]:53: "
        "i/o timeout",
        Phase.LOOKUP,
        Evidence.RESOLVER_TIMED_OUT,
    ),
    ("connect: No route to host", Phase.CONNECTING, Evidence.ADDRESS_UNREACHABLE),
    ("Network is unreachable", Phase.CONNECTING, Evidence.NO_ROUTE),
    ("SSL routines::wrong version number", Phase.APPLICATION, Evidence.TLS_FAILED),
    ("status: NXDOMAIN", Phase.LOOKUP, Evidence.NOT_FOUND),
    ("No address associated with hostname", Phase.LOOKUP, Evidence.NO_IPV4_ADDRESS),
    ("getaddrinfo EAI_AGAIN web.internal", Phase.LOOKUP, Evidence.RESOLVER_FAILED),
    ("lookup x on [fdaa::3]:53: server misbehaving", Phase.LOOKUP, Evidence.RESOLVER_FAILED),
    ('no pg_hba.conf entry for host "fdaa::1"', Phase.APPLICATION, Evidence.ACCESS_DENIED),
    ("bind: Address already in use", Phase.HERE, Evidence.ADDRESS_IN_USE),
    ("bind: cannot assign requested address", Phase.HERE, Evidence.LISTEN_ADDRESS),
    (
        "ICMP6, unreachable port",
        Phase.CONNECTING,
        Evidence.PORT_UNREACHABLE,
    ),
    ("connection refused (timeout=5)", Phase.CONNECTING, Evidence.REFUSED),
    (f"getaddrinfo ENOTFOUND [{SAME}]", Phase.ADDRESS, Evidence.NO_NAME_LOOKED_UP),
    (f"address {OWN}:80: too many colons in address", Phase.ADDRESS, Evidence.ADDRESS_NOT_READ),
    (
        "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
        Phase.CONNECTED,
        Evidence.NO_REPLY,
    ),
    # It fires in a lookup and while a connection is opened, too.
    (
        "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
        Phase.CONNECTING,
        Evidence.NO_RESPONSE,
    ),
    (
        "net/http: request canceled while waiting for connection (Client.Timeout exceeded while "
        "awaiting headers)",
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
    ),
    (
        "PSQLException: Connection to reports.internal:5432 refused. Check that the hostname and "
        "port are correct",
        Phase.CONNECTING,
        Evidence.REFUSED,
    ),
    (
        f"IP6 {SAME}.5432 > {OWN}.40112: Flags [R.], seq 0, ack 1, win 0",
        Phase.CONNECTING,
        Evidence.REFUSED,
    ),
    ("LISTEN 0 128 127.0.0.1:3000 0.0.0.0:*", Phase.HERE, Evidence.LISTENS_ELSEWHERE),
    ("tcp 0 0 0.0.0.0:3000 0.0.0.0:* LISTEN", Phase.HERE, Evidence.LISTENS_ELSEWHERE),
    (f"ESTAB 0 0 [{OWN}]:40112 [{SAME}]:5432", Phase.CONNECTED, Evidence.ESTABLISHED),
    ("Timeout was reached with 0 bytes received", Phase.CONNECTED, Evidence.NO_REPLY),
    ("canceling statement due to statement timeout", Phase.APPLICATION, Evidence.QUERY_TIMED_OUT),
    ("Incorrect token audience", Phase.APPLICATION, Evidence.TOKEN_AUDIENCE),
    ("Invalid challenge reply", Phase.APPLICATION, Evidence.NODE_REFUSED),
    (f"connect EACCES {SAME}:80", Phase.CONNECTING, Evidence.PERMISSION_DENIED),
    (f"dial tcp [{SAME}]:80: permission denied", Phase.CONNECTING, Evidence.PERMISSION_DENIED),
    ("no live upstreams while connecting", Phase.CONNECTING, Evidence.NO_UPSTREAM),
    ("502 Bad Gateway", Phase.APPLICATION, Evidence.BAD_GATEWAY),
    ("504 Gateway Time-out", Phase.APPLICATION, Evidence.GATEWAY_TIMEOUT),
    ("CLUSTERDOWN The cluster is down", Phase.APPLICATION, Evidence.CLUSTER_DOWN),
    ("Error: queryAaaa ENODATA web.internal", Phase.LOOKUP, Evidence.NO_ADDRESS),
    ("Error: queryA ENODATA web.internal", Phase.LOOKUP, Evidence.NO_IPV4_ADDRESS),
    ("Error: queryAaaa ECONNREFUSED web.internal", Phase.LOOKUP, Evidence.RESOLVER_FAILED),
    ("Error: queryAaaa EREFUSED web.internal", Phase.LOOKUP, Evidence.RESOLVER_FAILED),
    ("Error: queryAaaa ETIMEOUT web.internal", Phase.LOOKUP, Evidence.RESOLVER_TIMED_OUT),
    ("Net::OpenTimeout: execution expired", Phase.CONNECTING, Evidence.TIMED_OUT),
    (
        "Failed to open TCP connection to web.internal:80 (execution expired)",
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
    ),
    ('Post "http://web.internal:8080/x": EOF', Phase.CONNECTED, Evidence.CLOSED),
    ("rpc error: desc = error reading from server: EOF", Phase.CONNECTED, Evidence.CLOSED),
    ("error reading server preface: EOF", Phase.CONNECTED, Evidence.CLOSED),
    ("Connection closed by fdaa:2:45b::3 port 22", Phase.CONNECTED, Evidence.CLOSED),
    ("EOFException: SSL peer shut down incorrectly", Phase.APPLICATION, Evidence.TLS_FAILED),
    ("resolver error: produced zero addresses", Phase.LOOKUP, Evidence.NOT_FOUND),
    ("HTTP/1.1 503 Service Unavailable", Phase.APPLICATION, Evidence.SERVICE_UNAVAILABLE),
    (f"dial tcp [{SAME}]:80: socket: too many open files", Phase.HERE, Evidence.FILE_LIMIT),
    (
        "FATAL: the database system is starting up",
        Phase.APPLICATION,
        Evidence.SERVER_NOT_READY,
    ),
    (
        "context deadline exceeded while waiting for connections to become ready",
        Phase.CONNECTING,
        Evidence.TIMED_OUT,
    ),
]


@pytest.mark.parametrize(("text", "phase", "evidence"), WORDS)
def test_words_are_evidence_in_their_phase(text: str, phase: Phase, evidence: Evidence) -> None:
    answer = explain(text)
    assert answer.line.words is not None
    assert (answer.line.words.phase, answer.evidence) == (phase, evidence)
    assert answer.is_known
    assert answer.causes


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
def test_settings_and_other_words_are_no_evidence(text: str) -> None:
    answer = explain(text)
    assert (answer.evidence, answer.is_known) == (None, False)
    assert str(answer).endswith(": nothing in this text is known")


def test_each_evidence_of_words_has_a_meaning_and_causes() -> None:
    evidence = {row.evidence for row in WORDS_OF_LINES}
    assert not evidence - MEANING.keys(), "fdaa/explain/_meanings.py needs a meaning of each"
    assert not evidence - CAUSES_OF.keys(), "fdaa/explain/_cause_table.py needs causes of each"
    shown = list(explain_words())
    assert {row.evidence for row in shown} == evidence
    for row in shown:
        assert 1 <= len(row.causes) <= 3, row.evidence
        assert "{" not in "".join(text for _, text in row.causes)
        for text in row.words:
            assert explain(f"x {text.upper()} x").is_known or row.evidence in NEED_MORE


# Their words mean this only together with others.
NEED_MORE = {
    Evidence.HOP_LIMIT_EXCEEDED,
    Evidence.ADDRESS_NOT_READ,
    Evidence.LISTEN_ADDRESS,
    Evidence.LISTENS_ELSEWHERE,
    Evidence.PERMISSION_DENIED,
}


def causes(text: str, networks: NetworkMap | None = None, own: Address | None = None) -> list[str]:
    return [cause.cause.value for cause in explain(text, networks, own=own).shown_causes]


def test_on_one_network_no_cause_is_another_network() -> None:
    text = f"dial tcp [{SAME}]:80: i/o timeout"
    assert causes(text)[0] == "source-on-other-network"
    answer = explain(text, own=OWN)
    assert "The networks permit the connection, so the cause is elsewhere:\n" in str(answer)
    assert "can reach" not in str(answer)
    assert "network" not in " ".join(cause.cause for cause in answer.causes)
    assert causes(f"dial tcp [{OTHER}]:80: i/o timeout", own=OWN)[0] == "other-network"


def test_an_open_connection_excludes_networks_names_and_firewalls() -> None:
    for text in (
        f"read tcp [{OWN}]:40112->[{OTHER}]:5432: i/o timeout",
        f"read tcp [{OWN}]:40112->[{OTHER}]:5432: read: connection reset by peer",
        f"dial [{OTHER}]:80: x509: certificate signed by unknown authority",
    ):
        answer = explain(text, own=OWN)
        for cause in answer.causes:
            assert not re.search("network|name-of|firewall|stale", cause.cause), text
        assert "networks, names and firewalls are not the cause" in str(answer)


def every_cause(
    text: str, networks: NetworkMap | None = None, own: Address | None = None
) -> list[Cause]:
    return [cause.cause for cause in explain(text, networks, own=own).causes]


# A line, and all causes that fit it.
CAUSES = [
    (f"connect ENETUNREACH {SAME}:5432", "outside no-route-here ipv6-off interface-down"),
    (
        f"dial tcp [{SAME}]:5432: connect: network is unreachable",
        "outside no-route-here ipv6-off interface-down",
    ),
    (
        f"connect() failed (111: Connection refused) while connecting to upstream, client: {SAME}, "
        'upstream: "http://127.0.0.1:8080/", host: "reports.internal"',
        "not-listening listens-elsewhere loopback-for-host",
    ),
    (
        "dial tcp 127.0.0.1:5432: connect: connection refused",
        "loopback-for-host listens-elsewhere not-listening",
    ),
    (f"connect EACCES {SAME}:5432", "firewall-rejects forbidden-here"),
    (
        "Failed to open TCP connection to web.internal:443 (Network is unreachable - connect(2) "
        f'for "{SAME}" port 443)',
        "outside no-route-here ipv6-off interface-down",
    ),
    (
        "connect() to unix:/run/app.sock failed (13: Permission denied) while connecting to "
        f"upstream, client: {SAME}",
        "forbidden-here",
    ),
    ("dial unix /var/run/docker.sock: connect: permission denied", "forbidden-here"),
    ("connect ECONNREFUSED ::1:5432", "loopback-for-host listens-elsewhere not-listening"),
    ("connect ECONNREFUSED /run/app.sock", "loopback-for-host listens-elsewhere not-listening"),
    (
        'connection to server on socket "/run/.s.PGSQL.5432" failed: Permission denied',
        "forbidden-here",
    ),
    ("x509: certificate is valid for a.example.com, not reports.internal", "certificate-name"),
    ("Hostname/IP does not match certificate's altnames: Host: a", "certificate-name"),
    ("No subject alternative DNS name matching a found", "certificate-name"),
    ("x509: certificate signed by unknown authority", "certificate certificate-name"),
    (
        f"dial tcp6 [{SAME}]:5432: connect: cannot assign requested address",
        "no-ipv6-here ports-in-use interface-down",
    ),
    (
        "Error: queryAaaa ECONNREFUSED web.internal",
        "resolver-unreachable resolver-firewall ipv6-off interface-down",
    ),
    # No idle connection was used again, and SSH has no TLS.
    (
        "error reading server preface: EOF",
        "one-end-without-tls reset-by-program proxy-without-app",
    ),
    (
        "kex_exchange_identification: Connection closed by remote host",
        "reset-by-program proxy-without-app",
    ),
    (f"dial tcp [{OTHER}]:80: socket: too many open files", "limit"),
]


@pytest.mark.parametrize("own", [None, OWN])
@pytest.mark.parametrize(("text", "expected"), CAUSES)
def test_the_causes_of_a_line(text: str, expected: str, own: Address | None) -> None:
    assert [cause.value for cause in every_cause(text, own=own)] == expected.split()


def test_access_rules_are_those_of_the_server() -> None:
    redis = str(explain("DENIED Redis is running in protected mode"))
    postgres = str(explain(f'no pg_hba.conf entry for host "{SAME}"'))
    assert ("Redis has no password" in redis, "pg_hba.conf" in redis) == (True, False)
    assert ("Redis" in postgres, "pg_hba.conf" in postgres) == (False, True)


def test_a_missing_route_is_one_cause() -> None:
    texts = [cause.text for cause in explain(f"connect ENETUNREACH {SAME}:5432").causes]
    assert sum("has no route" in text for text in texts) == 1


# A line of a program that sent nothing, with a target on another network, and a local cause.
NOT_SENT = [
    (f"connect to {OTHER} port 80 failed: Network is unreachable", Cause.OUTSIDE),
    (f"Error: connect EADDRNOTAVAIL [{OTHER}]:5432", Cause.NO_IPV6_HERE),
    (f"dial tcp4: address {OTHER}: no suitable address found", Cause.ASKS_IPV4_ONLY),
]


@pytest.mark.parametrize(("text", "cause"), NOT_SENT)
def test_a_verdict_does_not_explain_why_nothing_was_sent(text: str, cause: Cause) -> None:
    answer = explain(text, own=OWN)
    assert str(answer).startswith(f"no: {OWN} cannot reach {OTHER}")
    assert cause in [shown.cause for shown in answer.shown_causes]
    assert next(shown.text for shown in answer.causes if shown.cause is cause) in str(answer)


def test_an_address_is_not_a_name_that_has_no_address() -> None:
    text = f"dial tcp4: address {SAME}: no suitable address found"
    assert every_cause(text) == [Cause.ASKS_IPV4_ONLY]
    assert Cause.NO_STARTED_MACHINE in every_cause(
        "dial tcp4: lookup web.internal: no suitable address"
    )


def test_a_source_in_the_line_is_not_outside() -> None:
    text = f"dial tcp [{ALSO}]:40112->[{SAME}]:5432: connect: network is unreachable"
    assert Cause.OUTSIDE not in every_cause(text)


def test_a_failure_is_not_headed_by_a_yes() -> None:
    for failure in ("connect: connection refused", "i/o timeout", "network is unreachable"):
        answer = explain(f"dial tcp [{ALSO}]:40112->[{SAME}]:5432: {failure}")
        assert answer.verdict is not None
        assert answer.verdict.reachable
        assert not re.search("yes|can reach", str(answer))
        assert "The networks permit the connection, so the cause is elsewhere:\n" in str(answer)
    answer = explain(f"read tcp [{ALSO}]:40112->[{SAME}]:5432: i/o timeout")
    assert "permit" not in str(answer)  # the connection was open, which says more


def test_words_that_are_not_known_are_said_to_be_so() -> None:
    remark = "No words in this text are known to be those of a failure, so no cause is given."
    answer = explain(f"thing died of EFOO at [{SAME}]:5432", own=OWN)
    assert remark in answer.remarks
    assert ("network", "2:45b") in answer.rows
    assert answer.next[-1] == ProbeStep(SAME, port=5432)
    for text in (str(SAME), f"[{SAME}]:80", "web.internal:80", f"connect ECONNREFUSED {SAME}:80"):
        assert remark not in explain(text).remarks


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


def test_a_silent_resolver_says_nothing_of_two_networks() -> None:
    answer = explain(
        f"dial tcp: lookup web.internal on [fdaa::3]:53: read udp [{OWN}]:4->[fdaa::3]:53: "
        "i/o timeout",
        own=OWN,
    )
    assert answer.shown_causes[0].cause is Cause.RESOLVER_SILENT
    assert "different networks" not in str(answer)


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


def test_a_started_machine_in_documents_excludes_that_there_is_none() -> None:
    text = "dial tcp: lookup web.internal: no such host"
    assert Cause.NO_STARTED_MACHINE in every_cause(text)
    assert Cause.NO_STARTED_MACHINE not in every_cause(text, documents())


def test_a_complete_app_list_shows_which_names_exist() -> None:
    rows = '[{"name": "web", "network": "red"}, {"name": "shopdb", "network": "red"}]'
    listed = f'{{"apps": {rows}, "total_apps": 2}}'
    complete = NetworkMap([parse_document(listed, file="apps.json")])
    misspelled = "Error: getaddrinfo ENOTFOUND shpdb.internal"
    of_others = {Cause.NAME_OF_OTHER_NETWORK, Cause.NO_STARTED_MACHINE}
    for own in (None, OWN):
        assert of_others < set(every_cause(misspelled, own=own))
        found = every_cause(misspelled, complete, own=own)
        assert found[0] is Cause.NO_SUCH_NAME
        assert not of_others & set(found)
    partial = NetworkMap([parse_document("[]", file="web.json", app="web")])
    assert of_others < set(every_cause(misspelled, partial))
    right = "Error: getaddrinfo ENOTFOUND shopdb.internal"
    assert Cause.NO_SUCH_NAME in every_cause(right)
    assert Cause.NO_SUCH_NAME not in every_cause(right, complete)
    with_region = right.replace("shopdb", "sae.shopdb")
    assert Cause.NO_SUCH_NAME in every_cause(with_region, complete)


def test_a_name_with_its_address_exists() -> None:
    text = f"Connection to node -1 (kafka.internal/{SAME}:9092) could not be established."
    assert Cause.NO_SUCH_NAME not in every_cause(text)
    assert Cause.NO_SUCH_NAME in every_cause(text.replace(f"/{SAME}", ""))


@pytest.mark.parametrize(
    ("resolver", "is_first"),
    [("8.8.8.8", True), ("[2001:db8::1]", True), ("[fdaa::3]", False), ("127.0.0.53", False)],
)
def test_a_resolver_that_is_not_private_comes_first(resolver: str, is_first: bool) -> None:
    for text in (
        f"lookup web.internal on {resolver}:53: no such host",
        f"dig web.internal: status: NXDOMAIN ;; SERVER: {resolver.strip('[]')}#53",
    ):
        assert (every_cause(text)[0] is Cause.OTHER_RESOLVER) is is_first


def test_a_cross_network_address_in_documents_is_not_stale() -> None:
    stale = {Cause.STALE_ADDRESS, Cause.REFUSED_BY_HOST}
    for text in (f"connect ETIMEDOUT {ALLOCATED}:5432", f"connect ECONNREFUSED {ALLOCATED}:5432"):
        assert stale & set(every_cause(text))
        assert not stale & set(every_cause(text, documents()))


def test_a_target_that_is_not_private_has_no_cause_of_private_networks() -> None:
    for target in ("10.0.0.5", "[2001:db8::5]"):
        for text in ("i/o timeout", "connect: connection refused", "network is unreachable"):
            answer = explain(f"dial tcp {target}:5432: {text}")
            assert f"{target.strip('[]')} is not a private address" in answer.remarks[0]
            shown = " ".join(cause.text for cause in answer.causes)
            assert not re.search(r"another network|\[::\]|private|a deploy", shown)


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


def test_a_name_is_never_capitalised() -> None:
    shown = str(explain("dial tcp: lookup db: no such host"))
    assert "  2. db does not exist" in shown
    assert "  1. The app is on another network" in shown


def test_a_lone_cut_off_address_has_no_verdict() -> None:
    answer = explain("fdaa:2:45b:a7b:174:db43", own=OWN)
    assert answer.verdict is None
    assert str(answer).startswith("fdaa:2:45b:a7b:174:db43 is cut off: 6 of 8 groups; ")


def test_a_name_has_what_documents_show_of_its_app() -> None:
    rows = dict(explain("UnknownHostException: reports.internal", documents()).rows)
    assert rows == {"app": "reports", "network": "blue (0:18)", "Machines": "1 started"}


def test_a_verdict_that_states_the_cause_of_a_name_is_followed_by_no_other() -> None:
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
        assert [cause.cause for cause in answer.causes] == [Cause.OTHER_NETWORK]
        assert "ause" not in str(answer).partition("ways around")[0]


def test_a_refusal_from_another_network_is_not_explained_by_isolation() -> None:
    answer = explain(f"dial tcp [{OTHER}]:5432: connect: connection refused", own=OWN)
    assert "something answered, so the connection is configured in a way" in str(answer)
    assert answer.causes
    assert Cause.OTHER_NETWORK not in every_cause(answer.line.text, own=OWN)


def test_a_machine_that_documents_know_is_stopped_comes_first() -> None:
    rows = f'[{{"id": "1", "state": "stopped", "private_ip": "{SAME}"}}]'
    networks = NetworkMap([parse_document(rows, file="web.json", app="web")])
    found = causes(f"dial tcp [{SAME}]:80: i/o timeout", networks, OWN)
    assert found[0] == "machine-down"
    assert "stale-address" not in found
    assert causes(f"connect ECONNREFUSED {SAME}:80", networks, OWN)[0] == "listens-elsewhere"


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
    ("{:error, %Mint.TransportError{reason: :nxdomain}}", "inet6: true"),
]


@pytest.mark.parametrize(("text", "change"), SETTINGS_OF_LINES)
def test_the_setting_of_the_program_is_shown(text: str, change: str) -> None:
    answer = explain(text)
    assert answer.setting is not None
    assert change in answer.setting.change
    assert answer.setting.reference.startswith("https://")
    assert str(answer.setting) in str(answer)


def test_a_setting_says_what_to_do() -> None:
    java = explain("java.net.UnknownHostException: db.internal").setting
    assert str(java) == "Java: remove -Djava.net.preferIPv4Stack=true"
    assert not [setting for setting in SETTINGS if setting.change.startswith("no ")]


@pytest.mark.parametrize(
    "text",
    [
        "curl: (28) Failed to connect to api.internal port 8080 after 9 ms: Connection timed out",
        "dial tcp api.internal:8080: i/o timeout",
        'Post "http://api.internal:8080/x": context deadline exceeded',
    ],
)
def test_a_timeout_to_a_name_is_first_a_machine_that_is_gone(text: str) -> None:
    assert causes(text)[:2] == ["stale-name", "firewall-drops"]


def test_a_program_that_asks_for_both_is_not_told_to_ask_for_ipv6() -> None:
    found = causes("dial tcp: lookup db.internal on [fdaa::3]:53: no such host")
    assert "asks-ipv4-only" not in found


# A lookup, where {} is the family: the first asks for IPv6, the second for IPv4.
LOOKUPS = [
    ("Error: query{} ENOTFOUND web.internal", "Aaaa", "A"),
    ("Error: query{} ENODATA web.internal", "Aaaa", "A"),
    (
        "DNS resolution failed for web.internal:50051: C-ares status is not ARES_SUCCESS "
        "qtype={} name=web.internal is_balancer=0: Domain name not found",
        "AAAA",
        "A",
    ),
]


@pytest.mark.parametrize(("text", "ipv6", "ipv4"), LOOKUPS)
def test_a_program_that_asks_for_ipv6_does_not_ask_for_ipv4_only(
    text: str, ipv6: str, ipv4: str
) -> None:
    assert Cause.ASKS_IPV4_ONLY in every_cause(text.format(ipv4))
    assert Cause.ASKS_IPV4_ONLY not in every_cause(text.format(ipv6))
    assert Cause.NO_STARTED_MACHINE in every_cause(text.format(ipv6))


def test_a_text_may_have_64_kib() -> None:
    trace = "dial tcp: lookup web.internal: no such host\n" + "    at f (/a:1:2) [x::y] " * 2900
    assert explain(trace[:0x10000]).evidence is Evidence.NOT_FOUND
    with pytest.raises(ValueError, match="at most 65,536"):
        explain("x" * 0x10001)


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
    assert WhoisStep(SAME) not in answer.next
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


def test_the_answer_is_one_json_object() -> None:
    answer = explain(f"dial tcp [{SAME}]:80: i/o timeout", own=OWN)
    record = json.loads(json.dumps(answer.to_dict()))
    assert (record["evidence"], record["phase"]) == ("timed-out", "connecting")
    assert record["causes"][0]["cause"] == "stale-address"
    assert record["verdict"]["reachable"] is True


def test_after_an_open_connection_no_step_tries_one() -> None:
    answer = explain(f"read tcp [{OWN}]:40112->[{ALSO}]:5432: i/o timeout", documents(), own=OWN)
    assert answer.next == (WhoisStep(ALSO),)


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
