"""The phase of words: how far a program had come when it printed them."""

from __future__ import annotations

import pytest

from fdaa.lines import Phase, read_line
from fdaa.lines._phases import find_phase

OWN = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PEER = "fdaa:2:45b::3"

# The lines of each phase.
LINES: dict[Phase, list[str]] = {
    Phase.ADDRESS: [
        f"address {OWN}:80: too many colons in address",
    ],
    Phase.LOOKUP: [
        "lookup x on [fdaa::3]:53: server misbehaving",
        "lookup x on [fdaa::3]:53: no such host",
        f"lookup web.internal on [fdaa::3]:53: read udp [{OWN}]:4->[fdaa::3]:53: i/o timeout",
        "Error: queryAaaa ECONNREFUSED web.internal",
    ],
    Phase.NOT_SENT: [
        "Network is unreachable",
        f"dial tcp [{PEER}]:80: permission denied",
        f"dial tcp [{PEER}]:80: connect: cannot assign requested address",
    ],
    Phase.REFUSED: [
        f"dial tcp [{PEER}]:80 refused",
        "ICMP6, unreachable port",
        f"IP6 {PEER}.5432 > {OWN}.40112: Flags [R.], seq 0, ack 1, win 0",
    ],
    Phase.UNREACHABLE: ["connect: No route to host", "Connection failed (113)"],
    Phase.SILENT: [
        f"dial tcp [{PEER}]:80: i/o timeout",
        # It fires in a lookup and while a connection is opened, too.
        "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
        "net/http: request canceled while waiting for connection (Client.Timeout exceeded)",
    ],
    Phase.CONNECTED: [
        f"ESTAB 0 0 [{OWN}]:40112 [{PEER}]:5432",
        f"Connection to {PEER} 5432 port [tcp/postgresql] succeeded!",
        f"* Connected to web.internal ({PEER}) port 80",
        f"64 bytes from {PEER}: icmp_seq=1 ttl=64 time=0.3 ms",
        f"Accepted publickey for root from {PEER} port 40112 ssh2",
        f'[{PEER}]:40112 "GET /timeout HTTP/1.1" 404',
        f"GET http://[{PEER}]:80/health 204",
        f"IP6 {PEER}.5432 > {OWN}.40112: Flags [S.], seq 0, ack 1",
    ],
    Phase.STALLED: [
        f"read tcp [{OWN}]:40112->[{PEER}]:80: i/o timeout",
        "upstream timed out (110: Connection timed out) while reading response header",
        "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
        "read ETIMEDOUT",
    ],
    Phase.RESPONDED: [
        'Post "http://web.internal:8080/x": EOF',
        "rpc error: desc = error reading from server: EOF",
        "connection to db: FATAL: permission denied for database web",
        f'connection to server at "{PEER}", port 5432 failed: FATAL:  database "x" does not exist',
        'connection to server at "db", port 5432 failed: FATAL:  no route to host "x" in the pool',
    ],
    Phase.HERE: [
        "bind: cannot assign requested address",
        f"dial tcp [{PEER}]:80: socket: too many open files",
        "LISTEN 0 128 127.0.0.1:3000 0.0.0.0:*",
    ],
    Phase.FAILED: [
        "curl: (7) Failed to connect to web.internal port 80: Could not connect to server",
        "HTTP/1.1 502 Bad Gateway",
    ],
}
ROWS = [(line, phase) for phase, lines in LINES.items() for line in lines]


@pytest.mark.parametrize(("line", "phase"), ROWS)
def test_words_are_printed_in_their_phase(line: str, phase: Phase) -> None:
    assert find_phase(line) is phase


def test_each_phase_has_words_in_any_case() -> None:
    assert set(LINES) == set(Phase)
    assert find_phase("X CONNECTION REFUSED X") is Phase.REFUSED


# What programs print when nothing failed, and settings.
NO_FAILURES = [
    "user 42 failed to load page",
    "GET /login 404 not found",
    "closing connection, session limit is 5",
    "read_timeout 65, timeout=30s, GET /timeout",
    "LISTEN 0 128 [::]:3000 [::]:*",
    "listen EACCES: permission denied 0.0.0.0:80",
    "all is well",
    "",
]


@pytest.mark.parametrize("line", NO_FAILURES)
def test_other_words_are_of_no_phase(line: str) -> None:
    assert find_phase(line) is None


# A text of several lines, and its phase.
SEVERAL_LINES = [
    # The first line that shows a failure.
    ("connect: connection refused\nconnect: no route to host", Phase.REFUSED),
    (f"* Connected to web.internal ({PEER}) port 80\n* Empty reply from server", Phase.RESPONDED),
    ("all is well\nconnected to web.internal", Phase.CONNECTED),
    # A line that does not say why is explained by another.
    ("fetch failed\n  cause: Error: connect ECONNREFUSED ::1:5000", Phase.REFUSED),
    (
        "Connection to db.internal:5432 refused. Check that it runs\n  No route to host",
        "unreachable",
    ),
    (r"{'msg': 'it timed out\nlookup web.internal: no such host'}", Phase.LOOKUP),
    ("502 Bad Gateway\ndial tcp [::1]:80: i/o timeout", Phase.SILENT),
]


@pytest.mark.parametrize(("text", "phase"), SEVERAL_LINES)
def test_the_phase_of_a_text_is_that_of_the_first_line_that_shows_a_failure(
    text: str, phase: Phase
) -> None:
    assert read_line(text).phase == phase


# Each repeats what an expression begins with, so that it is tried at every place.
REPEATED = [
    "a",
    "connect( ",
    "host fdaa:2:",
    "lookup a on ",
    "://a@",
    "fail to a b c ",
    "::1:1 ",
    "\\n x",
    "; [fdaa:2:45b::3]:80 ",
    "from fdaa:2:45b::3 to web.internal ",
    "fdaa:2:45b::1g ",
    "10.0.0.1 ",
    "\n[fdaa:2:45b::3]:80 [fdaa:2:45b::4]:81",
]


@pytest.mark.slow
@pytest.mark.parametrize("words", REPEATED)
def test_a_text_of_64_kib_is_read(words: str) -> None:
    """In a quadratic time, each of these would take minutes."""
    assert read_line((words * 65536)[:65536]).text


def test_a_text_with_thousands_of_ends_is_a_list() -> None:
    text = "\n".join(f"dial [fdaa:2:{number:x}::3]:80: timeout" for number in range(1500))
    line = read_line(text)
    assert (line.source, line.targets, len(line.found)) == (None, (), 1500)
