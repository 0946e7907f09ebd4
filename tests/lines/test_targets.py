"""The target of a line, and its port."""

from __future__ import annotations

import pytest

from fdaa import Address
from fdaa.lines import read_line

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
PEER = "fdaa:0:18:a7b:7d:f066:3418:2"

# A line, and its target.
LINES = [
    # Names.
    ("getaddrinfo ENOTFOUND reports.internal", "reports.internal"),
    ("getaddrinfo EAI_AGAIN SEA.Reports.internal:80", "sea.reports.internal:80"),
    (
        "HTTPConnectionPool(host='reports.internal', port=8080): Max retries exceeded",
        "reports.internal:8080",
    ),
    ("Failed to connect to reports.internal port 8080 after 3 ms", "reports.internal:8080"),
    ("postgres://u:p@reports.internal:5432/db", "reports.internal:5432"),
    ("no answer from reports.internal.", "reports.internal"),
    # One address.
    (f"dial [{PEER}%eth0]:3000: timeout", f"[{PEER}]:3000"),
    (f"worker.internal:3000 [worker.internal/{PEER}]: refused", f"[{PEER}]:3000"),
    (f"PING {PEER}({PEER}) 56 data bytes\nFrom {OWN} icmp_seq=1 Address unreachable", PEER),
    (f"From {OWN}: icmp_seq=1 ttl=64", str(OWN)),
    (f"dial tcp [{PEER}]:3000: connect: connection refused", f"[{PEER}]:3000"),
    ("Error: connect ECONNREFUSED fdaa::3:25565", "[fdaa::3]:25565"),
    ("tcp connect (fdaa:0:18::3:5432): no route to host", "[fdaa:0:18::3]:5432"),
    (f"http://[{PEER}]:8080/x", f"[{PEER}]:8080"),
    (f'upstream timed out, upstream: "http://[{PEER}]:8080/"', f"[{PEER}]:8080"),
    (f"no route to {PEER}", PEER),
    ("refused by fdaa:2:45b::7:3000", "fdaa:2:45b::7:3000"),  # not a known address
    (f"listening on [{OWN}]:22", f"[{OWN}]:22"),  # its own, and the only one
    # Two addresses: not its own.
    (f"IP6 {OWN}.55356 > {PEER}.443: Flags [S]", f"[{PEER}]:443"),
    (f"ESTAB 0 0 [{OWN}]:5432 [{PEER}]:50000", f"[{OWN}]:5432"),  # the peer is the client
    (f"IP6 {PEER} > {OWN}: ICMP6, unreachable port, {PEER} tcp port 80", f"[{PEER}]:80"),
    (f"[{OWN}]:40112->[{PEER}]:50051", f"[{PEER}]:50051"),
    # A name beside its address is one end with it.
    (
        f'connection to server at "reports.internal" ({PEER}), port 5432 failed: refused',
        f"[{PEER}]:5432",
    ),
    (
        f'could not connect to server: refused\n\tIs the server running on host "reports.internal" '
        f"({PEER}) and accepting\n\tTCP/IP connections on port 5432?",
        f"[{PEER}]:5432",
    ),
    # An address with and without its port is one.
    # Names after an escape, and before a colour.
    (r'{"msg":"{\"msg\":\"dial\\nreports.internal:80\"}"}', "reports.internal:80"),
    ("dial \x1b[31mreports.internal\x1b[0m:80 timeout", "reports.internal:80"),
    (f"dial [{PEER}]\x1b[0m:80 timeout", f"[{PEER}]:80"),
    (r"open \\reports.internal\share", "reports.internal"),  # a path of Windows
    # An address and a name: the one that was dialled.
    (f"dial tcp reports.internal:80 from {PEER}: i/o timeout", "reports.internal:80"),
    (f"Connect from web.internal:40112 to [{OWN}]:443", f"[{OWN}]:443"),
    (f"dial [{PEER}]:3000 from [fdaa:2:45b::3]:50052", f"[{PEER}]:3000"),
    (f"203.0.113.9:443 -> [{PEER}]:3000", f"[{PEER}]:3000"),
    # A network.
    ("route fdaa:0:18::/48 is missing", "fdaa:0:18::/48"),
    # No port from 1 to 65535.
    ("dial reports.internal:99999", "reports.internal"),
]


def target_of(text: str) -> str | None:
    """The target of a line and its port as text."""
    line = read_line(text, OWN)
    if line.target is None:
        return None
    if isinstance(line.target, Address) and line.port is not None:
        return f"[{line.target}]:{line.port}"
    return str(line.target)


@pytest.mark.parametrize(("text", "target"), LINES)
def test_the_target_of_a_line(text: str, target: str) -> None:
    assert target_of(text) == target


@pytest.mark.parametrize(
    "text",
    [
        "connection refused",
        "HOSTNAME LOOKUP FAILURE",
        "it's.internal to us",
        "dial \u00e9reports.internal:80",
        "at jdk.internal.misc.Unsafe.park (Native Method)",
        "lookup foo.internal.example.com failed",
        "connect to 10.0.0.1:80 failed",
        f"connect to 10.0.0.1:80 from {PEER}",
        f"From {PEER} icmp_seq=1 Destination unreachable: Address unreachable",
        f"From gw.internal ({PEER}) icmp_seq=1 Destination unreachable: No route",
        f"From {PEER} ({PEER}) icmp_seq=1 Time exceeded: Hop limit",
    ],
)
def test_a_line_without_a_target(text: str) -> None:
    assert target_of(text) is None
