"""What `fdaa` prints about a text with one address: its network, and what to do next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from command import as_in_a_machine, invoke, on_terminal

if TYPE_CHECKING:
    from pathlib import Path

A = "fdaa:2:45b:a7b:7e:3155:9844:2"
SAME = "fdaa:2:45b::3"
OTHER = "fdaa:0:18::3"


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "networks.json"
    row = {"network_id": "2:45b", "network_id_int": 132187}
    path.write_text(json.dumps({"fdaa_book": 1, "networks": {"customer-17": row}}))
    return str(path)


REFUSED = """\
  symptom          connection refused
  not the cause    on one network, everything before the port: packets arrive
  first            check that the app listens on [::] and on this port
"""

# A text, this Machine's address, and what is printed.
ANSWERS = (
    (
        f"dial tcp [{A}]:3000: connect: connection refused",
        "",
        f"""\
{A}
  network          2:45b
{REFUSED}  next: fdaa whois {A}
  in a Machine: fdaa same self {A}
  in a Machine: fdaa probe '[{A}]:3000'
""",
    ),
    (
        A,
        SAME,
        f"""\
{A}
  network          2:45b
  this Machine     on the same network ({SAME})
  next: fdaa whois {A}
  next: fdaa probe '[{A}]:PORT'
""",
    ),
    (
        f"Error: connect ECONNREFUSED {A}:3000",
        OTHER,
        f"""\
{A}
  network          2:45b
  this Machine     on another network, 0:18
{REFUSED}  next: fdaa whois {A}
  next: fdaa reach self {A}
""",
    ),
    (
        f"listening on [{A}]:3000",
        A,
        f"""\
{A}
  network          2:45b
  this Machine     this is its address
  next: fdaa whois {A}
""",
    ),
    (
        "Error: connect ECONNREFUSED fdaa:2:45b::3:3000",
        A,
        f"""\
fdaa:2:45b::3:3000
  network          2:45b
  this Machine     on the same network ({A})
  a port?          if 3000 is one, the address is fdaa:2:45b::3
{REFUSED}  next: fdaa whois fdaa:2:45b::3:3000
  next: fdaa probe '[fdaa:2:45b::3:3000]:PORT'
""",
    ),
    (
        "dial tcp: lookup reports.internal on [fdaa::3]:53: no such host",
        SAME,
        """\
fdaa::3
  network          0:0 (assumed: the platform's services)
  symptom          name not found
  not the cause    the port and the firewall of the target: nothing was sent
  first            check whether the app exists, and is on the same network
  next: fdaa probe reports
  next: fdaa reach self reports
""",
    ),
    (
        "communications error to fdaa::3#53: timed out",
        "",
        """\
fdaa::3
  network          0:0 (assumed: the platform's services)
  symptom          no response
  in a Machine: fdaa probe '[fdaa::3]:53'
""",
    ),
    (
        "fdaa:2:45b:a7b:174:d3... unreachable",
        OTHER,
        """\
fdaa:2:45b::/48 is the network of an address that is cut off
  network ID       2:45b  0x2045b  132187
  prefix           fdaa:2:45b::/48
  this Machine     on another network, 0:18
""",
    ),
)


@pytest.mark.parametrize(("text", "own", "shown"), ANSWERS, ids=[row[0][:40] for row in ANSWERS])
def test_the_answer(text: str, own: str, shown: str) -> None:
    result = invoke(text, PLATFORM_PRIVATE_IP=own)
    assert (result.stdout, result.exit_code) == (shown, 0)
    assert as_in_a_machine(result.stderr) == ""
    lines = invoke("decode", stdin=f"{text}\n{text}\n".encode(), PLATFORM_PRIVATE_IP=own)
    assert lines.stdout == shown


# A line, and the port to try: not one from which a client connected.
PORTS = (
    (f"Failed to connect to {A} port 3000 after 2 ms", "3000"),
    (f"Accepted publickey for root from {A} port 40112 ssh2", "PORT"),
    (f"[{A}]:99999", "PORT"),
)


@pytest.mark.parametrize(("line", "port"), PORTS)
def test_the_port_in_the_line_is_the_port_to_try(line: str, port: str) -> None:
    assert f"fdaa probe '[{A}]:{port}'\n" in invoke(line).stdout


def test_a_port_that_may_be_a_clients_is_shown_as_one() -> None:
    remark = "  a client's port? systems give 50051 to clients, too\n"
    assert remark in invoke(f"closed [{A}]:50051 x").stdout
    assert remark not in invoke(f"dial tcp [{A}]:50051: connection refused").stdout
    assert "a client's port?" not in invoke(f"[{A}]:3000 refused").stdout


def test_of_this_machines_own_address_the_last_group_is_a_port() -> None:
    result = invoke(f"bind {SAME}:3000: address in use", PLATFORM_PRIVATE_IP=SAME)
    assert result.stdout.startswith(f"{SAME}\n  network          2:45b\n")
    assert (
        as_in_a_machine(result.stderr)
        == f"fdaa: '{SAME}:3000': read {SAME}, port 3000: that address is known\n"
    )
    (bare,) = invoke(
        "decode", "--field", "address", f"{SAME}:3000", PLATFORM_PRIVATE_IP=SAME
    ).stdout.split()
    assert bare == f"{SAME}:3000"  # what is an address as a whole stays one


def test_an_app_with_a_port_that_is_an_id_too_is_said_to_be_both() -> None:
    result = invoke("db:5432")
    assert result.stdout.startswith("fdaa:db:5432::/48 is a network, not an address\n")
    said = "read as a network ID. If db is an app: fdaa probe db:5432, fdaa reach self db"
    assert result.stderr == f"fdaa: 'db:5432': {said}\n"
    for plain in ("2:45b", "fdaa:db:5432::/48", "db:54a2"):
        assert invoke(plain).stderr == ""


def test_one_digit_is_no_port() -> None:
    assert "a port?" not in invoke("fdaa:2:45b::3:2").stdout


def test_the_name_comes_from_the_book(book: str) -> None:
    named = invoke(A, PLATFORM_PRIVATE_IP=OTHER, FDAA_BOOK=book).stdout
    assert "  network          customer-17 (2:45b)\n" in named
    assert "  this Machine     on another network, 0:18 (name unknown)\n" in named
    mine = invoke(OTHER, PLATFORM_PRIVATE_IP=A, FDAA_BOOK=book).stdout
    assert "  this Machine     on another network, customer-17 (2:45b)\n" in mine


@pytest.mark.parametrize("arguments", [(A,), (A, "--json")])
def test_a_variable_that_is_no_address_is_reported_and_ignored(arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments, PLATFORM_PRIVATE_IP="10.0.0.1")
    without = invoke(*arguments, PLATFORM_PRIVATE_IP="")
    assert (result.exit_code, result.stdout) == (without.exit_code, without.stdout)
    (line,) = result.stderr.splitlines()
    assert line.startswith("fdaa: PLATFORM_PRIVATE_IP is ignored: '10.0.0.1' is not a private")
    assert invoke(A, "-q", PLATFORM_PRIVATE_IP="10.0.0.1").stderr == ""


@pytest.mark.parametrize("arguments", [("whois", A), ("same", A, SAME), ("reach", A, OTHER)])
def test_a_command_that_does_not_use_the_variable_says_nothing_of_it(
    arguments: tuple[str, ...],
) -> None:
    for variable in ("10.0.0.1", "fdaa:9:9::1"):
        assert invoke(*arguments, PLATFORM_PRIVATE_IP=variable).stderr == ""


@pytest.mark.parametrize("text", ["connection refused", "connect to 10.0.0.1: connection refused"])
def test_the_symptom_of_a_line_without_an_address_is_shown(text: str) -> None:
    result = invoke(text)
    assert (result.exit_code, result.stdout) == (2, REFUSED)
    assert "no private address in this text" in result.stderr
    assert invoke("decode", stdin=text.encode()).stdout == ""


@pytest.mark.parametrize("text", [A, f"[{'fdaa:' + ':'.join(['ffff'] * 7)}]:65535"])
def test_at_60_columns_no_address_is_split_and_a_command_can_be_pasted(text: str) -> None:
    shown = invoke(text, COLUMNS="60").stdout
    assert max(map(len, shown.splitlines())) <= 60
    wide = invoke(text, COLUMNS="100").stdout
    joined = shown.replace(" \\\n", "")
    assert joined.split() == wide.split()


# Arguments and variables -> whether the bits are drawn on a terminal.
TERMINALS: tuple[tuple[tuple[str, ...], dict[str, str], bool], ...] = (
    ((), {}, True),
    (("--no-picture",), {}, False),
    ((), {"TERM": "dumb"}, False),
    ((), {"ACCESSIBLE": "1"}, False),
    (("--picture",), {"ACCESSIBLE": "1"}, True),
)


@pytest.mark.parametrize(("options", "variables", "drawn"), TERMINALS)
def test_on_a_terminal_the_bits_follow_the_answer_but_not_for_a_screen_reader(
    options: tuple[str, ...], variables: dict[str, str], drawn: bool
) -> None:
    output, status = on_terminal("decode", A, *options, env=variables)
    shown = output.decode()
    assert ("reverse pointer" in shown) == drawn
    assert ("┌" in shown) == drawn
    if "--picture" not in options:
        assert shown.replace("\r\n", "\n").startswith(invoke(A).stdout)
    assert status == 0


@pytest.mark.parametrize("text", ["x --help.internal a", "x -rf.internal:80"])
def test_a_name_with_a_dash_in_front_is_no_app(text: str) -> None:
    result = invoke("decode", text)
    assert result.stderr == f"fdaa: '{text}': no private address in this text\n"


def test_the_app_self_is_not_this_machine() -> None:
    shown = "If self is an app: fdaa probe self.internal:80, fdaa reach self self.internal"
    assert shown in invoke("dial self.internal:80 x").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("web",), "If web is an app: fdaa whois web, fdaa reach self web"),
        (("fdaa:2:45B",), "this is the beginning of an address. Its network? Use fdaa 2:45b"),
        (("--json", "fdaa::3"), "Put --json after the text or the command: fdaa TEXT --json"),
        (("--field", "address", "fdaa::3"), "fdaa TEXT --field"),
    ],
)
def test_what_is_nearly_a_call_gets_the_call(arguments: tuple[str, ...], message: str) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"{message}\n")
