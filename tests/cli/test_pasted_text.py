"""What a text is, to every command; shown by `fdaa decode`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from command import as_in_a_machine, invoke, on_terminal

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "2.0.0.0.6.c.3.d.3.4.b.d.4.7.1.0.b.7.a.0.b.5.4.0.2.0.0.0.a.a.d.f.ip6.arpa"
PASTED = (
    # text, what is decoded, what is said about how it was read, why
    ("[fdaa::3]:53", ["fdaa::3"], "'[fdaa::3]:53': read fdaa::3", "brackets and a port"),
    ("fdaa:2:45b::3%eth0", ["fdaa:2:45b::3"], "read fdaa:2:45b::3", "a zone"),
    ("fdaa:0:18:a7b::2/112", ["fdaa:0:18:a7b::2"], "read fdaa:0:18:a7b::2", "its link's length"),
    ("fdaa::3/128", ["fdaa::3"], "read fdaa::3", "one address as a prefix"),
    (f"{POINTER}.", ["fdaa:2:45b:a7b:174:db43:d3c6:2"], "read as the reverse pointer", "a pointer"),
    ("{64938, 0, 24, 0, 0, 0, 0, 3}", ["fdaa:0:18::3"], "", "a tuple of Elixir"),
    (" fdaa::3\t", ["fdaa::3"], "", "white space"),
    (
        "dial tcp [fdaa:0:18::3]:5432: connect: [fdaa:0:18::3]:5432 refused",
        ["fdaa:0:18::3"],
        "",
        "one address twice",
    ),
    (
        "fdaa:0:18::3.53 > fdaa:2:45b::4.99",
        ["fdaa:0:18::3", "fdaa:2:45b::4"],
        "",
        "two addresses",
    ),
)


@pytest.mark.parametrize(("text", "addresses", "note", "why"), PASTED, ids=[r[3] for r in PASTED])
def test_each_address_of_a_pasted_text_is_decoded(
    text: str, addresses: list[str], note: str, why: str
) -> None:
    """Only of a single word is it said what was read: of a pasted line it is plain."""
    argument = invoke("decode", "--field", "address", text)
    line = invoke("decode", "--field", "address", stdin=text.encode() + b"\n")
    for result in (argument, line):
        assert (result.stdout.split(), result.exit_code) == (addresses, 0), why
    assert note in argument.stderr
    assert bool(argument.stderr) == bool(note)
    assert line.stderr == ""


def test_a_note_is_printed_before_the_result_of_its_text() -> None:
    output, status = on_terminal("decode", "--field", "network_id", "[fdaa:1::]", "x", "fdaa:2::")
    note, first, refused, *last = output.decode().split("\r\n")
    assert "read fdaa:1::" in note
    assert "'x'" in refused
    assert (first, last, status) == ("1:0", ["2:0", ""], 2)


LINE = "read tcp [fdaa:2:45b::2]:4711->[FDAA:0:18::3]:80: i/o timeout, again fdaa:0:18::3"
SEVERAL: tuple[tuple[list[str], str, str, str], ...] = (
    # arguments, lines of standard input, what is shown, why
    (
        [LINE],
        "",
        "address        network\n"
        "fdaa:2:45b::2  2:45b\n"
        "fdaa:0:18::3   0:18\n"
        "2 different networks: 2:45b, 0:18\n"
        "  next: fdaa reach fdaa:2:45b::2 fdaa:0:18::3\n",
        "two networks, one address twice",
    ),
    (
        ["connect to fdaa:2:45b::2 port 80 from fdaa:0:18::3 port 40112 failed"],
        "",
        "address        network\n"
        "fdaa:2:45b::2  2:45b\n"
        "fdaa:0:18::3   0:18\n"
        "2 different networks: 2:45b, 0:18\n"
        "  next: fdaa reach fdaa:0:18::3 fdaa:2:45b::2\n",
        "the source is second",
    ),
    (
        [],
        f"{LINE}\nto fdaa:2:45b::2\n",
        "address        network  count\n"
        "fdaa:2:45b::2  2:45b    2\n"
        "fdaa:0:18::3   0:18     1\n"
        "2 different networks: 2:45b, 0:18\n"
        "  next: fdaa reach fdaa:2:45b::2 fdaa:0:18::3\n",
        "how many lines have each",
    ),
    (
        ["Could not connect to fdaa:2:45b::9:80 (fdaa:2:45b::9), fdaa:2:45b::7:80"],
        "",
        "address           network\n"
        "fdaa:2:45b::9     2:45b\n"
        "fdaa:2:45b::7:80  2:45b\n"
        "same network\n"
        "  next: fdaa whois fdaa:2:45b::9\n"
        "  at the source: fdaa probe '[fdaa:2:45b::9]:80'\n",
        "with and without its port",
    ),
    (
        ["IP6 fdaa:2:45b::2.40112 > fdaa::3.53: AAAA?"],
        "",
        "address        network\n"
        "fdaa:2:45b::2  2:45b\n"
        "fdaa::3        0:0\n"
        "2 different networks: 2:45b, 0:0\n"
        "Network ID 0 is assumed to belong to the platform's services (fdaa::3 is the\n"
        "resolver). No rule says which networks can reach them.\n"
        "  in a Machine: fdaa probe '[fdaa::3]:53'\n",
        "a service",
    ),
    (
        ["fdaa:2:45b::2", "fdaa:2:45b::3"],
        "",
        "address        network\nfdaa:2:45b::2  2:45b\nfdaa:2:45b::3  2:45b\nsame network\n"
        "  next: fdaa whois fdaa:2:45b::3\n"
        "  at the source: fdaa probe '[fdaa:2:45b::3]:PORT'\n",
        "one network",
    ),
    (
        [],
        "a fdaa:2:45b::2\nb fdaa:2:45b::/48\n",
        "address          network\nfdaa:2:45b::2    2:45b\nfdaa:2:45b::/48  2:45b\nsame network\n",
        "lines, and a network",
    ),
    (
        ["fdaa:1::1 fdaa:2:45b:a7b:174:d3... fdaa:0:18:\u2026"],
        "",
        "address                    network\n"
        "fdaa:1::1                  1:0\n"
        "fdaa:2:45b::/48 (cut off)  2:45b\n"
        "fdaa:0:18::/48 (cut off)   0:18\n"
        "3 different networks: 1:0, 2:45b, 0:18\n"
        "  3 ends\n    fdaa:1::1, fdaa:2:45b::/48, fdaa:0:18::/48; a connection has two\n",
        "addresses that are cut off",
    ),
    (
        [
            "fdaa:0:1:: fdaa:0:2:: fdaa:0:3:: fdaa:0:4:: fdaa:0:5:: fdaa:0:6::",
            "fdaa:0:7:: fdaa:0:8:: fdaa:0:9:: fdaa:0:a:: fdaa:0:b:: fdaa:0:c::",
        ],
        "",
        "12 different networks: 0:1, 0:2, 0:3, 0:4, 0:5, 0:6, 0:7, 0:8, 0:9, 0:a and 2\nmore\n",
        "many networks",
    ),
)


@pytest.mark.parametrize(
    ("arguments", "stdin", "shown", "why"), SEVERAL, ids=[row[3] for row in SEVERAL]
)
def test_several_addresses_are_a_table_and_a_verdict(
    arguments: list[str], stdin: str, shown: str, why: str
) -> None:
    result = invoke("decode", *arguments, stdin=stdin.encode())
    assert result.stdout.endswith(shown), why
    assert (result.stderr, result.exit_code) == ("", 0)


def test_an_address_that_is_cut_off_is_its_network() -> None:
    for text in ("fdaa:2:45b:a7b:174:d3...", "FDAA:2:45b:\u2026", "[fdaa:0002:045b:a7b:1..."):
        result = invoke("decode", text)
        assert result.stdout.startswith(
            "fdaa:2:45b::/48 is the network of an address that is cut off\n"
        )
        assert result.stderr.endswith("read fdaa:2:45b::/48 (cut off)\n")
    for text in ("fdaa:2:45b...", "x:fdaa:2:45b:a7b..."):
        assert invoke("decode", text).exit_code == 2


def test_a_reverse_pointer_in_place_of_a_command_is_decoded() -> None:
    for first in "3a":
        pointer = f"{first}.{'0.' * 19}8.1.0.0.0.0.0.0.a.a.d.f.ip6.arpa"
        shown = invoke(pointer)
        assert shown.stdout.startswith(f"fdaa:0:18::{first}\n")
        assert shown.exit_code == 0


HINTS = (
    # text, what is suggested
    ("web.internal", "If web is an app: fdaa probe web, fdaa reach self web (in a Machine)"),
    (
        "web.internal:3000",
        "If web is an app: fdaa probe web:3000, fdaa reach self web (in a Machine)",
    ),
    (
        "worker:3000",
        "If worker is an app: fdaa probe worker:3000, fdaa reach self worker (in a Machine)",
    ),
    (
        "sea.web.internal",
        "If web is an app: fdaa probe sea.web.internal, fdaa reach self web (in a Machine)",
    ),
    (
        "Error: getaddrinfo ENOTFOUND reports.internal",
        "If reports is an app: fdaa probe reports, fdaa reach self reports (in a Machine)",
    ),
    (
        "dial tcp 10.0.0.1: lookup reports.internal:8080, reports.internal",
        "If reports is an app: fdaa probe reports:8080, fdaa reach self reports (in a Machine)",
    ),
    ("localhost:5432", "A host name? Use fdaa probe localhost:5432"),
    ("db.example.com:5432", "A host name? Use fdaa probe db.example.com:5432"),
)


@pytest.mark.parametrize(("text", "hint"), HINTS)
def test_an_app_or_a_host_is_for_probe_and_reach(text: str, hint: str) -> None:
    for arguments in ([text], ["decode", text]):
        result = invoke(*arguments)
        assert result.exit_code == 2
        assert result.stderr.rstrip().endswith(hint)


def test_in_a_machine_the_commands_run_as_they_are() -> None:
    shown = invoke("web.internal", PLATFORM_PRIVATE_IP="fdaa:2:45b::3").stderr
    assert as_in_a_machine(shown).endswith(
        "If web is an app: fdaa probe web, fdaa reach self web\n"
    )


def test_a_long_text_without_an_address_gets_a_short_error() -> None:
    for text in ("x y " * 10_000, "z" * 60_000, "fdaa" * 10_000, "x." * 20_000, "x" * 100_000):
        result = invoke("decode", text)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr) < 400


def test_the_name_of_a_file_gets_a_hint_to_scan_it(tmp_path: Path) -> None:
    log = tmp_path / "it's a.log"
    log.touch()
    result = invoke("decode", str(log))
    assert result.stderr.rstrip().endswith(
        f"this is a file; use: fdaa scan {shlex.quote(str(log))}"
    )
    assert result.exit_code == 2


CARETS = (
    # text, the two lines that show the place, why
    ("fdaa::1g", "  fdaa::1g\n         ^", "the last character"),
    ("fdaa:::1", "  fdaa:::1\n        ^", "in the middle"),
    ("fdaa\x1b::1", "  fdaa\\x1b::1\n      ^", "escaped"),
    ("fdaa\u65e5::1", "  fdaa\u65e5::1\n      ^", "a wide character"),
    ("fdaa:\u65e5\u672c:g:", "  fdaa:\u65e5\u672c:g:\n       ^", "two wide characters"),
    ("fdaa:e\u0301::1", "  fdaa:e\u0301::1\n       ^", "a combining character, over the e"),
    (
        "error: fdaa:0:and::1 unreachable",
        "  error: fdaa:0:and::1 unreachable\n                 ^",
        "inside prose",
    ),
    ("fdaa::" + "1" * 100, f"  fdaa::{'1' * 40}...\n            ^", "a long text"),
    ("fdaa:0:0:0000:000:0000:0000:0000g" + "x" * 90, None, "a long text, cut on both sides"),
)


@pytest.mark.parametrize(("text", "shown", "why"), CARETS, ids=[row[2] for row in CARETS])
def test_the_place_of_a_fault_is_shown(text: str, shown: str | None, why: str) -> None:
    stderr = invoke("decode", text).stderr
    assert "(index" not in stderr
    if shown is not None:
        assert stderr.partition("\n")[2] == shown + "\n", why
    for line in stderr.splitlines()[1:]:
        assert len(line) <= 80


def test_only_the_first_complaints_are_printed() -> None:
    lines = b"fdaa::1\n" + b"bad\n" * 1234
    result = invoke("decode", "--field", "input", stdin=lines)
    assert result.stderr.count("'bad'") == 10
    assert result.stderr.splitlines()[-1] == "fdaa: and 1,224 more like these"
    quiet = invoke("decode", "-q", "--field", "input", stdin=lines)
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == ("", result.stderr, 2)
