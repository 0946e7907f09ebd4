"""Which targets `fdaa probe` finds in a pasted line, and which ends `fdaa reach` does."""

from __future__ import annotations

import re

import pytest
from command import invoke, records

from fdaa import Address
from fdaa.cli._exit_status import CommandError
from fdaa.cli._pasted_ends import read_ends, read_targets  # probe would connect to them
from fdaa.cli._this_machine import KnownAddresses
from fdaa.probe import TargetError

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
PEER = "fdaa:0:18:a7b:7d:f066:3418:2"

# A line, and the targets in it.
LINES = [
    # Targets.
    ("worker:3000", ["worker:3000"]),
    ("[fdaa::3]:53", ["[fdaa::3]:53"]),
    # Names.
    ("getaddrinfo ENOTFOUND reports.internal", ["reports.internal"]),
    ("dial tcp reports.internal:8080: i/o timeout", ["reports.internal:8080"]),
    ("dial tcp: lookup reports.internal on [fdaa::3]:53: no such host", ["reports.internal"]),
    ("getaddrinfo EAI_AGAIN SEA.Reports.internal:80", ["sea.reports.internal:80"]),
    (
        "HTTPConnectionPool(host='reports.internal', port=8080): Max retries exceeded",
        ["reports.internal:8080"],
    ),
    ("Failed to connect to reports.internal port 8080 after 3 ms", ["reports.internal:8080"]),
    ("postgres://u:p@reports.internal:5432/db", ["reports.internal:5432"]),
    ("no answer from reports.internal.", ["reports.internal"]),
    # One address.
    (f"dial tcp [{PEER}]:3000: connect: connection refused", [f"[{PEER}]:3000"]),
    (f"Error: connect ECONNREFUSED {PEER}:3000", [f"[{PEER}]:3000"]),
    ("Error: connect ECONNREFUSED fdaa::3:25565", ["[fdaa::3]:25565"]),
    (f"http://[{PEER}]:8080/x", [f"[{PEER}]:8080"]),
    (f'upstream timed out, upstream: "http://[{PEER}]:8080/"', [f"[{PEER}]:8080"]),
    (f"no route to {PEER}", [PEER]),
    ("refused by fdaa:2:45b::7:3000", ["fdaa:2:45b::7:3000"]),  # the probe asks for brackets
    (f"listening on [{OWN}]:22", [f"[{OWN}]:22"]),  # its own, and the only one
    # Two addresses: not its own.
    (f"read tcp [{OWN}]:40112->[{PEER}]:5432: i/o timeout", [f"[{PEER}]:5432"]),
    (f"IP6 {OWN}.55356 > {PEER}.443: Flags [S]", [f"[{PEER}]:443"]),
    (f"ESTAB 0 0 [{OWN}]:5432 [{PEER}]:50000", [f"[{OWN}]:5432"]),  # the peer is the client
    (f"AMQP connection ([{PEER}]:51234 -> [{OWN}]:5672): missed", [f"[{OWN}]:5672"]),
    (f"IP6 {PEER} > {OWN}: ICMP6, unreachable port, {PEER} tcp port 80", [f"[{PEER}]:80"]),
    (f"[{OWN}]:40112->[{PEER}]:50051", [f"[{PEER}]:50051"]),
    (f"TLS handshake error from [{PEER}]:40112: EOF", [PEER]),  # a client's port
    (f"{PEER}.443 > {OWN}.55356: Flags [R]", [f"[{PEER}]:443"]),
    (f"dig {OWN} @fdaa::3#53", ["[fdaa::3]:53"]),
    # A name and an address: the one with the port.
    (
        f'connection to server at "reports.internal" ({PEER}), port 5432 failed: refused',
        [f"[{PEER}]:5432"],
    ),
    (f"ConnectException: reports.internal/{PEER}:8080", [f"[{PEER}]:8080"]),
    (f"Resolving reports.internal... {PEER}", ["reports.internal", PEER]),
    (f"web[{OWN}]: ENOTFOUND reports.internal", ["reports.internal"]),
    # An address with and without its port is one.
    ("to fdaa:2:45b::3:80 (fdaa:2:45b::3)", ["[fdaa:2:45b::3]:80"]),
    # Names after an escape, and before a colour.
    (r'{"msg":"dial\nreports.internal:80 timeout"}', ["reports.internal:80"]),
    (r'{"msg":"{\"msg\":\"dial\\nreports.internal:80\"}"}', ["reports.internal:80"]),
    ("dial \x1b[31mreports.internal\x1b[0m:80 timeout", ["reports.internal:80"]),
    (f"dial [{PEER}]\x1b[0m:80 timeout", [f"[{PEER}]:80"]),
    (r"open \\reports.internal\share", ["reports.internal"]),  # a path of Windows
]


@pytest.mark.parametrize(("line", "targets"), LINES)
def test_the_targets_of_a_line(line: str, targets: list[str]) -> None:
    assert read_targets(line, (OWN, None)) == targets


@pytest.mark.parametrize(
    "line",
    [
        "connection refused",
        "at jdk.internal.misc.Unsafe.park (Native Method)",
        "lookup foo.internal.example.com failed",
        "connect to 10.0.0.1:80 failed",
        "route fdaa:0:18::/48 is missing",
    ],
)
def test_a_line_without_a_target(line: str) -> None:
    with pytest.raises(CommandError, match="no address and no"):
        read_targets(line, (OWN,))


CUT_OFF = "[fdaa:0:18:a7b:174...]:5432"

# A line whose target is not plain, and what the message says.
UNCLEAR = [
    (
        f"[{OWN}]:40112->{CUT_OFF}: timeout",
        "fdaa:0:18::/48 (cut off) is not a whole address; give ",
    ),
    (f"[{OWN}]:40112->[fdaa...]:80: timeout", "'fdaa...' is not a whole address; give "),
    (f"[{OWN}]:40112->[{PEER}g]:80: timeout", f"'{PEER}g' is not a whole address; give "),
    (f"from [{OWN}]:40112 to fdaa:0:18::/48", "fdaa:0:18::/48 is not a whole address; give "),
    (f"{CUT_OFF} > [{PEER}]:80: timeout", f"give one: fdaa probe '[{PEER}]:80'"),
    ("no web.internal, no api.internal", "several names; give one: fdaa probe 'web.internal' or "),
]


@pytest.mark.parametrize(("line", "message"), UNCLEAR)
def test_a_target_is_not_guessed(line: str, message: str) -> None:
    with pytest.raises(CommandError) as raised:
        read_targets(line, (OWN,))
    assert message in str(raised.value)
    assert f"fdaa probe '[{OWN}]" not in str(raised.value)


def test_probe_connects_to_nothing_if_the_target_is_cut_off() -> None:
    result = invoke("probe", f"[{PEER}]:40112->[fdaa:2:45b:a7b:174...]:5432: timeout")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "fdaa:2:45b::/48 (cut off) is not a whole address" in result.stderr


@pytest.mark.parametrize("word", ["http://web", "web:0", "x/y"])
def test_a_word_that_is_no_target(word: str) -> None:
    with pytest.raises(TargetError):
        read_targets(word, (OWN,))


def test_where_the_target_is_not_clear_the_message_shows_what_to_give() -> None:
    result = invoke("probe", f"read tcp [{OWN}]:40112->[{PEER}]:5432: i/o timeout")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"fdaa probe '[{OWN}]:40112' or fdaa probe '[{PEER}]:5432'" in result.stderr


@pytest.mark.parametrize(
    "line", ["dial reports.internal:99999", "to [fdaa:2:45b::3]:123456", "to reports.internal:0 x"]
)
def test_a_port_out_of_range_is_an_error(line: str) -> None:
    with pytest.raises(TargetError, match="a port is from 1 to 65535"):
        read_targets(line, ())


def test_two_addresses_in_the_documents_are_no_address_and_its_port() -> None:
    line = "from fdaa:2:45b::7:80 to fdaa:2:45b::7"
    known = (Address("fdaa:2:45b::7:80"), Address("fdaa:2:45b::7"))
    assert read_ends(line, OWN, known[:1]) == ("self", "fdaa:2:45b::7")
    assert read_ends(line, OWN, known) == ("fdaa:2:45b::7:80", "fdaa:2:45b::7")


# --- fdaa reach -----------------------------------------------------------------------------------

OTHER = "fdaa:2:45b::3"

# A line, and the source and the target in it.
ENDS = [
    # Two ends.
    (f"read tcp [{OTHER}]:40112->[{PEER}]:5432: i/o timeout", (OTHER, PEER)),
    (f"IP6 {OTHER}.55356 > {PEER}.443: Flags [S]", (OTHER, PEER)),
    (f"[{OTHER}]:40112->[{PEER}]:5432", (OTHER, PEER)),
    (f"IP6 {OTHER}.55356 > fdaa::3.53: AAAA?", (OTHER, "fdaa::3")),
    (f"worker.internal ({OTHER}) to reports.internal ({PEER})", (OTHER, PEER)),
    ("from worker.internal to sea.reports.internal:80", ("worker", "reports")),
    # The source is second.
    (f"dial tcp [{PEER}]:5432: connection refused from {OTHER}", (OTHER, PEER)),
    (f"connect to {PEER} port 5432 from {OTHER} port 40112 failed", (OTHER, PEER)),
    (f"dst={PEER} src={OTHER}", (OTHER, PEER)),
    (f"{PEER} <- {OTHER}", (OTHER, PEER)),
    (f'upstream: "http://[{PEER}]:80/", client: {OTHER}', (OTHER, PEER)),
    (f'{{"upstream": "{PEER}", "client_ip": "{OTHER}"}}', (OTHER, PEER)),
    (f"the response came from [{PEER}]:80, not from {OTHER}", (OTHER, PEER)),
    # The ports, and what was sent in reply.
    (f"IP6 {PEER}.443 > {OTHER}.48512: Flags [R.]", (OTHER, PEER)),
    (f"response from [{PEER}]:443 to [{OTHER}]:48512", (OTHER, PEER)),
    (f"connect EHOSTUNREACH {PEER}:443 - Local ({OTHER}:48512)", (OTHER, PEER)),
    (f"IP6 {PEER} > {OTHER}: ICMP6, unreachable port, {PEER} tcp port 80", (OTHER, PEER)),
    (f"SRC={PEER} DST={OTHER} PROTO=TCP SPT=443 DPT=48512 ACK SYN", (OTHER, PEER)),
    (f"src={PEER} dst={OTHER} sport=443 dport=48512 [UNREPLIED]", (OTHER, PEER)),
    (f"[{PEER}]:8080 is down, checked by {OTHER}", (OTHER, PEER)),
    (f'upstream: "[{PEER}]:50051", client: {OTHER}', (OTHER, PEER)),
    (f"gossip from [{PEER}]:7946 to [{OTHER}]:7946", (PEER, OTHER)),
    (f"[{PEER}]:50051 > [{OTHER}]:50052", (PEER, OTHER)),
    # This Machine is the target.
    (f"Connect from [{PEER}]:40112 to [{OWN}]:443", (PEER, "self")),
    (f"SRC={PEER} DST={OWN} SPT=40112 DPT=443 SYN", (PEER, "self")),
    (f"AMQP connection ([{PEER}]:51234 -> [{OWN}]:5672): missed", (PEER, "self")),
    (f"read tcp [{OWN}]:3000->[{PEER}]:40112: reset", (PEER, "self")),
    (f"{PEER} <- {OWN}", ("self", PEER)),
    (f"{PEER} unreachable ({OWN})", ("self", PEER)),
    # This Machine and another end.
    (f"read tcp [{OWN}]:40112->[{PEER}]:5432: i/o timeout", ("self", PEER)),
    (f"{PEER}.443 > {OWN}.55356: Flags [R]", ("self", PEER)),
    (f"{OWN} looked {PEER} up at [fdaa::3]:53", ("self", PEER)),
    (f"dig {OWN} @fdaa::3#53", ("self", "fdaa::3")),
    (f"web[{OWN}]: ENOTFOUND reports.internal", ("self", "reports")),
    # One end.
    (f"Error: connect ECONNREFUSED {PEER}:3000", ("self", PEER)),
    (f"dial tcp [{PEER}]:80: refused ([{PEER}]:80)", ("self", PEER)),
    ("dial tcp reports.internal:8080: i/o timeout", ("self", "reports")),
    ("dial tcp: lookup reports.internal on [fdaa::3]:53: no such host", ("self", "reports")),
    (f"ConnectException: reports.internal/{PEER}:8080", ("self", PEER)),
    (f"[{OWN}]:40112->[{PEER}]:80", ("self", PEER)),
    (f"to {OTHER}:80 ({OTHER})", ("self", OTHER)),
    ("fdaa::18:2:3:4:5:6 > fdaa::18:2:3:4:5", ("fdaa:0:18:2:3:4:5:6", "fdaa::18:2:3:4:5")),
    # The network of an end that is cut off, or that is a network.
    (f"read tcp [fdaa:9:9:a7b:174...]:40112->[{OTHER}]:5432: timeout", ("fdaa:9:9::/48", OTHER)),
    (f"read tcp [{OTHER}]:40112->[fdaa:9:9:a7b:174\u2026]:5432", (OTHER, "fdaa:9:9::/48")),
    (f"from fdaa:9:9::/48 to {OTHER}", ("fdaa:9:9::/48", OTHER)),
    (f"from {OWN} to fdaa:9:9::/48", ("self", "fdaa:9:9::/48")),
    # Names after an escape.
    (r'{"msg":"dial\nreports.internal:80 timeout"}', ("self", "reports")),
    (r'{"msg":"dial\treports.internal:80 timeout"}', ("self", "reports")),
    ("dial \x1b[31mreports.internal\x1b[0m:80", ("self", "reports")),
    (r"dial \u001b[31mreports.internal\u001b[0m:80", ("self", "reports")),
    ("url=http%3A%2F%2Freports.internal%2Fx y", ("self", "reports")),
    # As two arguments: `self` is this Machine, `self.internal` is an app.
    ("dial self.internal:80", ("self", "self.internal")),
]


@pytest.mark.parametrize(("line", "ends"), ENDS)
def test_the_ends_of_a_line(line: str, ends: tuple[str, str]) -> None:
    assert read_ends(line, OWN) == ends


@pytest.mark.parametrize(("line", "ends"), ENDS)
def test_decode_has_the_direction_of_reach(line: str, ends: tuple[str, str]) -> None:
    """Where both ends are addresses on two networks."""
    command = f"fdaa reach {' '.join(ends)}\n".replace("self", str(OWN))
    shown = invoke("decode", line, PLATFORM_PRIVATE_IP=str(OWN), COLUMNS="200").stdout
    advised = re.findall(r"fdaa reach fdaa\S+ fdaa.*\n", shown)
    assert advised in ([], [command])


def test_a_target_with_a_port_that_clients_have_is_noted() -> None:
    line = "tcp://[fdaa:2:45b::3]:61616 failed"
    note = "fdaa: port 61616 may be a client's, on which nothing listens\n"
    assert note in invoke("probe", line, "--timeout", "0").stderr
    assert note not in invoke("probe", "-q", line, "--timeout", "0").stderr
    assert note not in invoke("probe", "[fdaa:2:45b::3]:61616", "--timeout", "0").stderr


def test_the_own_address_decides_which_group_is_a_port() -> None:
    own = Address("fdaa:7:1a::2")
    known = KnownAddresses((), own)
    line = f"SERVER=fdaa:7:1a::2:443 unreachable from {PEER}"
    assert read_ends(line, own, known) == (PEER, "self")
    assert read_targets("bind fdaa:7:1a::2:3000 in use", (own,), known) == [f"[{own}]:3000"]


def test_reach_takes_a_line_in_place_of_both_ends() -> None:
    line = f"read tcp [{OTHER}]:40112->[{PEER}]:5432: i/o timeout"
    (of_line,) = records(invoke("reach", line, "--json").stdout)
    (of_both,) = records(invoke("reach", OTHER, PEER, "--json").stdout)
    assert of_line == of_both
    assert (of_line["source"], of_line["target"]) == (OTHER, PEER)


@pytest.mark.parametrize(
    ("line", "own", "message"),
    [
        ("web", str(OWN), "Missing argument 'TARGET'."),
        (PEER, str(OWN), "Missing argument 'TARGET'."),
        ("connection refused", str(OWN), "no address and no .internal name in this text"),
        (f"{OTHER}, {PEER}, fdaa:2:1::1", str(OWN), "has 3 ends; give SOURCE and TARGET"),
        (f"listening on [{OWN}]:22", str(OWN), f"use: fdaa reach SOURCE {OWN}"),
        (f"refused by {PEER}", "", f"use: fdaa reach SOURCE {PEER}"),
        (f"[fdaa:...]:1->[{PEER}]:80 x", str(OWN), "'fdaa:...' is not a valid address"),
        (f"from {OTHER}g to {PEER}", str(OWN), f"'{OTHER}g' is not a valid address"),
        (f"from fdaa::/16 to {PEER}", str(OWN), "'fdaa::/16' is not a valid address"),
        (
            f"{{64938,2,99999,0,0,0,0,2}} > {PEER} x",
            str(OWN),
            "2}' is not a valid address",
        ),
        (f"node:fdaa:9:9:a7b... > {PEER} x", str(OWN), "'fdaa:9:9:a7b...' is not a valid address"),
        ("dial _apps.internal:80", str(OWN), "no address and no .internal name"),
    ],
)
def test_reach_says_what_is_missing(line: str, own: str, message: str) -> None:
    result = invoke("reach", line, PLATFORM_PRIVATE_IP=own)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
