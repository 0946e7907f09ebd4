"""The phase of words that are in no report and not on the page, and of texts of several lines."""

from __future__ import annotations

import pytest

from fdaa.lines import Phase, read_line

OWN = "fdaa:2:45b:a7b:174:db43:d3c6:2"
PEER = "fdaa:2:45b::3"

# A text and its phase.
TEXTS = [
    ("lookup x on [fdaa::3]:53: server misbehaving", "lookup"),
    ("Error: queryAaaa ECONNREFUSED web.internal", "lookup"),
    (f"dial tcp [{PEER}]:80: permission denied", "not-sent"),
    ("X CONNECTION REFUSED X", "refused"),
    (f"dial tcp [{PEER}]:80 refused", "refused"),
    (f"dial tcp [{PEER}]:80: connect: \x1b[31mconnection refused\x1b[0m", "refused"),
    (rf"connect {PEER} \u001b[1;31mrefused", "refused"),
    ("ICMP6, unreachable port", "refused"),
    (f"IP6 {PEER}.5432 > {OWN}.40112: Flags [R.], seq 0, ack 1, win 0", "refused"),
    # It fires in a lookup and while a connection is opened, too.
    ("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", "silent"),
    (f"ESTAB 0 0 [{OWN}]:40112 [{PEER}]:5432", "connected"),
    (f"Connection to {PEER} 5432 port [tcp/postgresql] succeeded!", "connected"),
    (f"Accepted publickey for root from {PEER} port 40112 ssh2", "connected"),
    (f'[{PEER}]:40112 "GET /timeout HTTP/1.1" 404', "connected"),
    (f"GET http://[{PEER}]:80/health 204", "connected"),
    (f"IP6 {PEER}.5432 > {OWN}.40112: Flags [S.], seq 0, ack 1", "connected"),
    ('Post "http://web.internal:8080/x": EOF', "responded"),
    ("rpc error: desc = error reading from server: EOF", "responded"),
    ("connection to db: FATAL: permission denied for database web", "responded"),
    ('connection to server at "db", port 5 failed: FATAL:  no route to host "x"', "responded"),
    ("LISTEN 0 128 127.0.0.1:3000 0.0.0.0:*", "here"),
    # Nothing failed, or it is a setting.
    ("user 42 failed to load page", None),
    ("GET /login 404 not found", None),
    ("closing connection, session limit is 5", None),
    ("read_timeout 65, timeout=30s, GET /timeout", None),
    ("LISTEN 0 128 [::]:3000 [::]:*", None),
    ("listen EACCES: permission denied 0.0.0.0:80", None),
    ("", None),
    # The first line that shows a failure counts.
    ("connect: connection refused\nconnect: no route to host", "refused"),
    (f"* Connected to web.internal ({PEER}) port 80\n* Empty reply from server", "responded"),
    ("all is well\nconnected to web.internal", "connected"),
    # A line that does not say why is explained by another.
    (
        "Connection to db.internal:5432 refused. Check that it runs\n No route to host",
        "unreachable",
    ),
    (r"{'msg': 'it timed out\nlookup web.internal: no such host'}", "lookup"),
    ("502 Bad Gateway\ndial tcp [::1]:80: i/o timeout", "silent"),
]


@pytest.mark.parametrize(("text", "phase"), TEXTS)
def test_a_text_has_the_phase_of_the_first_line_that_shows_a_failure(
    text: str, phase: Phase | None
) -> None:
    assert read_line(text).phase == phase


# Each repeats what an expression begins with, so that it is tried at every place.
REPEATED = [
    "connect( ",
    "host fdaa:2:",
    "lookup a on ",
    "://a@",
    "fail to a b c ",
    "\\n x",
    "; [fdaa:2:45b::3]:80 ",
    "from fdaa:2:45b::3 to web.internal ",
    "fdaa:2:45b::1g ",
    "10.0.0.1 ",
]


@pytest.mark.slow
@pytest.mark.parametrize("words", REPEATED)
def test_a_text_of_64_kib_is_read(words: str) -> None:
    """In a quadratic time, each of these would take minutes."""
    assert read_line((words * 65536)[:65536]).text


def test_a_text_with_hundreds_of_ends_is_a_list() -> None:
    text = "\n".join(f"dial [fdaa:2:{number:x}::3]:80: timeout" for number in range(200))
    line = read_line(text)
    assert (line.source, line.targets, len(line.found)) == (None, (), 200)
