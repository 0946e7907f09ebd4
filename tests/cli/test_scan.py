"""`fdaa scan`: what is printed, and what makes no sense."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from books import fact, learn
from command import environ, invoke, records, run, start
from scan_command import FOUND, LOG, out

from fdaa.scan import find_addresses


def test_a_match_a_line_with_its_network(log: str) -> None:
    assert out(log) == FOUND
    assert out(stdin=LOG) == FOUND
    assert out("-", stdin=LOG) == FOUND


def test_names_stand_in_front_as_grep_does_it(log: str, other: str) -> None:
    both = b"".join(b"%b:%b\n" % (log.encode(), line) for line in FOUND.splitlines())
    last = b"fdaa:0:18::9\t0:18\n"
    assert out(log, other) == both + other.encode() + b":" + last
    assert out("--no-filename", log, other) == FOUND + last
    assert out("-H", other) == out("--with-filename", other) == other.encode() + b":" + last
    assert out("--with-filename", "-", stdin=b"fdaa::1") == b"-:fdaa::1\t0:0\n"


def test_line_numbers(log: str) -> None:
    numbers = [line.split(b":")[0] for line in out("-n", log).splitlines()]
    assert numbers == [b"2", b"2", b"3", b"5"]
    assert out("-n", "--json", log) == out("--json", log)  # which has them anyway
    assert out("-n", "--with-filename", log).startswith(log.encode() + b":2:fdaa:0:3b99:")


def test_json(log: str) -> None:
    first, *_, last = records(out("--json", log).decode())
    assert list(first.items()) == [
        ("file", log),
        ("line", 2),
        ("column", 15),
        ("text", "FDAA:0:3b99:a7b:7e:3155:9844:2"),
        ("address", "fdaa:0:3b99:a7b:7e:3155:9844:2"),
        ("prefix_length", None),
        ("network_id", "0:3b99"),
        ("network_id_int", 0x3B99),
    ]
    assert (last["line"], last["column"], last["text"]) == (5, 6, "fdaa:0:18::2:3000")
    assert records(out("--json", stdin=b"fdaa::1").decode())[0]["file"] == "-"


def test_counts_by_network_most_first(log: str) -> None:
    table = [line.split() for line in out("-c", log).decode().splitlines()]
    assert table == [
        ["NETWORK", "MATCHES", "ADDRESSES", "FIRST"],
        ["0:3b99", "2", "2", f"{log}:2"],
        ["0:0", "1", "1", f"{log}:2"],
        ["0:18", "1", "1", f"{log}:5"],
    ]


def test_counts_as_json(log: str, other: str) -> None:
    _, _, last = records(
        out("--count", "--json", "--network", "0:3b99", "-v", log, other, log).decode()
        + out("-c", "--json", other).decode()
    )
    assert last == {
        "network_id": "0:18",
        "network_id_int": 24,
        "prefix": "fdaa:0:18::/48",
        "matches": 1,
        "addresses": 1,
        "first": {"file": other, "line": 1},
    }


def test_networks_are_kept_or_left_out(log: str) -> None:
    kept = [line for line in FOUND.splitlines(keepends=True) if line.endswith(b"\t0:3b99\n")]
    others = [line for line in FOUND.splitlines(keepends=True) if line not in kept]
    for network in ("0:3b99", "0x3b99", "fdaa:0:3b99::/48"):
        assert out("--network", network, log) == b"".join(kept)
        assert out("--network", network, "-v", log) == b"".join(others)
    assert out("--network", "0:3b99", "--network", "0:0", log).count(b"\n") == 3
    mine = "fdaa:0:3b99::7"
    assert out("--network", "self", log, PLATFORM_PRIVATE_IP=mine) == b"".join(kept)


def test_line_numbers_of_grep_hide_no_address(log: str) -> None:
    Path(log).write_bytes(b"fdaa:0:18::3\nx\nfdaa:0:18::4\n")
    for options in (("-n", ""), ("-Hn", ""), ("-Hn", "-A1"), ("-n", "-A1")):
        grep = ["grep", *filter(None, options), "fdaa", log]
        text = subprocess.run(grep, capture_output=True, check=True, env=environ()).stdout
        assert out(stdin=text) == b"fdaa:0:18::3\t0:18\nfdaa:0:18::4\t0:18\n"


def test_quiet_prints_nothing_and_stops_at_the_first_match(log: str, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"2001:db8::1\n")
    for names, status in (
        ([log, "missing"], 0),
        ([str(nothing)], 1),
        ([str(nothing), log], 0),
        ([str(nothing), "missing"], 2),
    ):
        result = invoke("scan", "-q", *names)
        assert (result.exit_code, result.stdout) == (status, "")
    assert invoke("scan", "-q", "--network", "9:9", log).exit_code == 1
    process = start("scan", "-q")
    process.stdin.write(b"fdaa::1\n")
    process.stdin.flush()
    assert process.wait(timeout=60) == 0  # the input has not ended
    process.communicate()


def test_names_of_files_with_matches(log: str, other: str, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"2001:db8::1\n")
    assert out("-l", log, str(nothing), other) == f"{log}\n{other}\n".encode()
    assert out("-l", "--network", "0:3b99", log, other) == f"{log}\n".encode()
    assert invoke("scan", "-l", str(nothing)).exit_code == 1


def test_whole_lines(log: str) -> None:
    lines = LOG.splitlines(keepends=True)
    assert out("--lines", log) == lines[1] + lines[2] + lines[4] + b"\n"
    numbered = out("--lines", "-n", "--with-filename", "--network", "0:18", log)
    assert numbered == log.encode() + b":5:" + lines[4] + b"\n"


def test_annotations_are_all_that_is_added(log: str) -> None:
    annotated = out("--annotate", log)
    assert b"[FDAA:0:3b99:a7b:7e:3155:9844:2 [0:3b99]]:22 (DNS: [fdaa::3 [0:0]]:53)" in annotated
    for mark in (b" [0:3b99]", b" [0:0]", b" [0:18]"):
        annotated = annotated.replace(mark, b"")
    assert annotated == LOG


def test_pseudonyms_are_made_and_revealed_by_one_key_given_in_either_way(log: str) -> None:
    hidden = invoke("scan", "--pseudonymize", "--key", "secret", log).stdout_bytes
    assert hidden == run("scan", "--pseudonymize", stdin=LOG, FDAA_KEY="secret").stdout
    ours, theirs = ({m.address for m in find_addresses(text)} for text in (LOG, hidden))
    assert ours.isdisjoint(theirs)
    assert out("--reveal", "--key", "secret", stdin=hidden).lower() == LOG.lower()


def test_what_pseudonymize_leaves_is_told(log: str) -> None:
    Path(log).write_bytes(b"fdaa:0:18::3\nxFDAA::1 fdaa::/16\n%66daa%3A%3A1\nfdaa:0:18::/48\n")
    for options, status in (((), 0), (("--strict",), 2)):
        result = invoke("scan", "--pseudonymize", *options, log)
        assert result.exit_code == status
        assert result.stdout.count("fdaa:0:18") == 0
        assert result.stderr == f"fdaa: left 3 places with 'fdaa' unchanged: {log}:2, {log}:3\n"
    Path(log).write_bytes(b"fdaa:0:18::3\n")
    assert out("--pseudonymize", "--strict", log)
    assert out("--reveal", "--key", "k", stdin=b"fdaa::1 xfdaa::1")
    Path(log).write_bytes(b"xfdaa::1\n" * 9)
    told = invoke("scan", "--pseudonymize", "--jobs", "2", log).stderr
    assert told.endswith(f", {log}:5, ...\n")


def test_an_empty_key_is_refused_wherever_it_comes_from(log: str) -> None:
    for option in ("--pseudonymize", "--reveal"):
        result = invoke("scan", option, log, FDAA_KEY="")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "FDAA_KEY is empty" in result.stderr


def test_without_a_key_nobody_can_tell_twice() -> None:
    assert out("--pseudonymize", stdin=b"fdaa::3") != out("--pseudonymize", stdin=b"fdaa::3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--json", "--lines"), "--json and --lines cannot be combined"),
        (("-c", "--annotate"), "cannot be combined"),
        (("--annotate", "--pseudonymize"), "cannot be combined"),
        (("-n", "--annotate"), "--line-number requires"),
        (("-v",), "requires --network"),
        (("--reveal",), "requires --key"),
        (("--pseudonymize", "--key", ""), "the key in --key is empty"),
        (("--key", "x"), "--key requires --pseudonymize"),
        (("--pseudonymize", "--network", "0:18"), "cannot be combined"),
        (("--network", "1x"), "'1x' is not a network ID"),
        (("--network", "self"), "PLATFORM_PRIVATE_IP"),
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "65"), "--jobs"),
        (("--strict",), "--strict requires"),
        (("-q", "--pseudonymize", "--strict"), "--quiet cannot be combined"),
        (("-l", "--lines"), "--lines and --files-with-matches cannot be combined"),
    ],
)
def test_a_wrong_call(arguments: tuple[str, ...], message: str, log: str) -> None:
    result = invoke("scan", *arguments, log)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_help_tells_of_several_networks_and_of_the_services() -> None:
    text = " ".join(invoke("scan", "--help").stdout.split())
    assert "Repeatable. Network 0:0 has the platform's services." in text


@pytest.fixture
def book(tmp_path: Path) -> str:
    learn(tmp_path / "book.json", [fact("blue", 0x18)])
    return str(tmp_path / "book.json")


def test_with_a_book_networks_have_names(book: str, log: str) -> None:
    assert out("--book", book, "--network", "blue", log) == b"fdaa:0:18::2:3000\t0:18\tblue\n"
    assert out(log, FDAA_BOOK=book).splitlines()[0].endswith(b"\t0:3b99\t")
    assert out("-n", log, FDAA_BOOK=book).endswith(b"\n5:fdaa:0:18::2:3000\t0:18\tblue\n")
    (fields,) = records(out("--book", book, "--network", "blue", "--json", log).decode())
    assert list(fields)[-1] == "network_name"
    assert fields["network_name"] == "blue"
    for options in ((), ("--network", "blue")):
        annotated = out("--book", book, "--annotate", *options, log)
        assert annotated.endswith(b"peer fdaa:0:18::2:3000 [0:18 blue]")
        assert (b"[fdaa::3 [0:0]]:53" in annotated) == (not options)
    assert b"\n0:18 blue " in out("--book", book, "--count", log)
    (_, _, last) = records(out("--book", book, "--count", "--json", log).decode())
    assert last["network_name"] == "blue"


def test_a_name_needs_a_book_that_has_it(book: str, log: str) -> None:
    for options in ((), ("--book", book)):
        result = invoke("scan", *options, "--network", "green", log)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "'green'" in result.stderr
