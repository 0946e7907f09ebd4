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
    "decode 132187": ["'132187'", "0x2045b if it is decimal"],
    "decode fdaa:2:45b": ["2:45b", "fdaa:2:45b::/48"],
    "decode 10.0.0.1": ["'10.0.0.1'", "IPv4"],
    "decode ''": ["''", "empty"],
    "decode web": ["'web'", "documents", "-d PATH"],
    "decode wbe -d docs": ["'wbe'", "did you mean web?"],
    "decode 'to fdaa::1 failed'": ["fdaa 'TEXT'"],
    "decode old.json": ["'old.json'", "file", "fdaa scan"],
    "reach db:5432 web": ["network:db:5432", "db.internal:5432"],
    "reach self web": ["PLATFORM_PRIVATE_IP"],
    "same web worker": ["'web'", "fdaa reach"],
    "build 2:45b xyz": ["'xyz'", "REST"],
    "check name 17-x": ["'1'"],
    "explain old.json": ["fdaa scan"],
    "'nothing here'": ["'nothing here'"],
    # names that no document has
    "networks custmer-17 -d docs": ["'custmer-17'", "did you mean customer-17?"],
    "scan --network nosuch old.json": ["'nosuch'", "-d PATH"],
    "scan --network custmer-17 -d docs old.json": ["did you mean customer-17?"],
    "scan --network cold-storage -d docs old.json": ["'cold-storage'", "ID"],
    # calls
    "netwoks": ["'netwoks'", "did you mean networks?"],
    "dial tcp fdaa::1": ["'dial'", "quotes"],
    "--json decode fdaa::1": ["fdaa decode --json"],
    "-x": ["'-x'", "Put -- before a text"],
    "--json": ["'TEXT|-'"],
    "-d docs": ["'TEXT|-'"],
    "--json --": ["'TEXT|-'"],
    "decode --jsn": ["'--jsn'", "'--json'"],
    "decode --field nosuch fdaa::1": ["'nosuch'", "network_id"],
    "decode --json --field kind fdaa::1": ["--json and --field"],
    "same fdaa::1": ["two addresses", "self"],
    "reach web": ["TARGET"],
    "check allocations": ["-d PATH"],
    "networks": ["-d PATH"],
    "networks -d docs --format mermaid --json": ["--format"],
    "networks -d docs --save docs/apps.json": ["docs/apps.json", "another kind"],
    "networks -d docs --save -": ["--save needs the name of a file"],
    "networks -d docs --save docs": ["docs: not a regular file"],
    "networks -d docs --save missing/x.json": ["missing/x.json", "No such file"],
    "sql duckdb --temp --permanent": ["--temp and --permanent"],
    "verify --issuer https://i.example --aud a --max-lifetime nan old.json": ["--max-lifetime"],
    "scan docs": ["docs", "--recursive"],
    "scan fdaa::1": ["fdaa::1", "fdaa explain TEXT"],
}


@pytest.mark.parametrize("line", WRONG)
def test_the_message_names_the_input_and_what_to_do(line: str) -> None:
    called = call(line)
    if not line.startswith("check name"):
        assert called.status == (1 if line.startswith("networks custmer") else 2)
    message = called.err or called.out
    for expected in WRONG[line]:
        assert expected in message
    first = message.splitlines()[-1]
    assert len(first) < 300
    assert message.isascii()
    assert "Traceback" not in message
    assert not re.search(r"base_url|None|\{|Error\b", message)


@pytest.mark.parametrize(
    "line",
    [
        "'nonsense\x1b[31m'",
        "decode '--no\x9b'",
        "x" * 10_000,
        f"decode {'x' * 10_000}",
        f"decode --{'x' * 10_000}",
        f"decode --field {'x' * 10_000}",
        f"scan {'x' * 10_000}",
        f"networks -d {'x' * 10_000}",
        "build '1\nfdaa: forged'",
        "build 1 2 '3\nfdaa: forged'",
        "sql",  # click lists the choices on lines of their own
    ],
    ids=range(11),
)
def test_nothing_raw_or_long_is_printed(line: str) -> None:
    called = call(line)
    assert (called.status, called.out) == (2, "")
    assert called.err.isascii()
    assert "\x1b" not in called.err
    assert "\nfdaa: forged" not in called.err
    assert len(called.err) < 2100


@pytest.mark.parametrize(
    "line",
    [
        "networks -d ''",
        "networks -d docs --save ''",
        "scan ''",
        "token --output ''",
        "apps list --token-file ''",
    ],
)
def test_an_empty_name_of_a_file_is_refused(line: str) -> None:
    """It comes from a variable of the shell that is not set."""
    called = call(line)
    assert (called.status, called.out) == (2, "")
    assert "the name of the file is empty" in called.err


def test_without_arguments_the_help_is_an_error() -> None:
    called = call("")
    assert (called.status, called.out) == (2, "")
    assert called.err == call("--help").out
