"""Wrong input and wrong calls: each message names the input, the fault and what to do."""

from __future__ import annotations

import re

import pytest
from command import call

pytestmark = pytest.mark.usefixtures("documents")

# Line -> what the message must contain.
WRONG = {
    # texts that are no address
    "decode fdaa::1g": ["'fdaa::1g'", "'g' is not a hex digit", "       ^"],
    "decode web": ["'web'", "documents", "-d PATH"],
    "decode wbe -d docs": ["'wbe'", "did you mean web?"],
    "decode worker -d docs/apps.json": ["'worker'", "the Machine list of worker"],
    "decode 'to fdaa::1 failed'": ["fdaa 'TEXT'"],
    "decode old.json": ["'old.json'", "file", "fdaa scan"],
    "reach db:5432 web": ["network:db:5432", "db.internal:5432"],
    "reach self web": ["PLATFORM_PRIVATE_IP"],
    "same web worker": ["'web'", "fdaa reach"],
    "build 2:45b xyz": ["'xyz'", "REST"],
    "explain old.json": ["fdaa scan"],
    "'nothing here'": ["'nothing here'"],
    "scan fdaa::1": ["fdaa::1", "fdaa explain TEXT"],
    "scan --network nosuch old.json": ["'nosuch'", "-d PATH"],
    "scan --network custmer-17 -d docs old.json": ["did you mean customer-17?"],
    "scan --network cold-storage -d docs old.json": ["'cold-storage'", "ID"],
    # calls
    "netwoks": ["'netwoks'", "did you mean networks?"],
    "dial tcp fdaa::1": ["'dial'", "quotes"],
    "--json decode fdaa::1": ["fdaa decode --json"],
    "-x": ["'-x'", "Put -- before a text"],
    "--json": ["'TEXT|-'"],
    "decode --jsn": ["'--jsn'", "'--json'"],
    "decode --field nosuch fdaa::1": ["'nosuch'", "network_id"],
    "decode --json --field kind fdaa::1": ["--json and --field"],
    "same fdaa::1": ["two addresses", "self"],
    "check allocations": ["-d PATH"],
    "networks": ["-d PATH"],
    "networks -d docs --format mermaid --json": ["--format"],
    "networks -d docs --save docs/apps.json": ["docs/apps.json", "another kind"],
    "networks -d docs --save -": ["--save needs the name of a file"],
    "networks -d docs --save missing/x.json": ["missing/x.json", "No such file"],
    "networks -d ''": ["the name of the file is empty"],  # a variable of the shell is not set
}


@pytest.mark.parametrize("line", WRONG)
def test_the_message_names_the_input_and_what_to_do(line: str) -> None:
    called = call(line)
    assert called.status == 2
    for expected in WRONG[line]:
        assert expected in called.err
    assert len(called.err.splitlines()[-1]) < 300
    assert called.err.isascii()
    assert not re.search(r"Traceback|base_url|None|\{|Error\b", called.err)


def test_a_network_that_is_not_in_the_documents_is_a_no_with_a_suggestion() -> None:
    called = call("networks custmer-17 -d docs")
    assert (called.status, "did you mean customer-17?" in called.err) == (1, True)


@pytest.mark.parametrize(
    "line",
    [
        "'nonsense\x1b[31m'",
        "networks -d 'a\x1b[31m'",
        "decode '--no\x9b'",
        "x" * 10_000,
        f"decode {'x' * 10_000}",
        f"decode --field {'x' * 10_000}",
        f"networks -d {'x' * 10_000}",
        "build '1\nfdaa: forged'",
        "build 1 2 '3\nfdaa: forged'",
        "sql",  # click lists the choices on lines of their own
    ],
    ids=range(10),
)
def test_nothing_raw_or_long_is_printed(line: str) -> None:
    called = call(line)
    assert (called.status, called.out) == (2, "")
    assert called.err.isascii()
    assert "\x1b" not in called.err
    assert "\nfdaa: forged" not in called.err
    assert len(called.err) < 2100
