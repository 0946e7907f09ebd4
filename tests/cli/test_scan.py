"""`fdaa scan`: what is printed, and what makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import invoke, records
from scan_command import FOUND, LOG, out

from fdaa.scan import Pseudonyms, find_addresses


def test_a_match_a_line_with_its_network(log: str) -> None:
    assert out(log) == FOUND
    assert out(stdin=LOG) == FOUND
    assert out("-", stdin=LOG) == FOUND


def test_names_stand_in_front_as_grep_does_it(log: str, other: str) -> None:
    both = b""
    for line in FOUND.splitlines():
        both += log.encode() + b":" + line + b"\n"
    last = b"fdaa:0:18::9\t0:18\n"
    assert out(log, other) == both + other.encode() + b":" + last
    assert out("--no-filename", log, other) == FOUND + last
    assert out("-H", other) == out("--with-filename", other) == other.encode() + b":" + last
    assert out("--with-filename", "-", stdin=b"fdaa::1") == b"-:fdaa::1\t0:0\n"


def test_line_numbers_stand_after_the_names(log: str) -> None:
    numbered = b""
    for number, line in zip((2, 2, 3, 5), FOUND.splitlines(keepends=True), strict=True):
        numbered += b"%b:%d:%b" % (log.encode(), number, line)
    assert out("-nH", log) == numbered
    assert out("-n", "--json", log) == out("--json", log)  # which has them anyway


def test_a_match_in_json_has_these_fields_in_this_order(log: str) -> None:
    first, *_, last = records(out("--json", log).decode())
    assert list(first.items()) == [
        ("file", log),
        ("line", 2),
        ("column", 15),
        ("text", "FDAA:0:3b99:a7b:7e:3155:9844:2"),
        ("kind", "address"),
        ("address", "fdaa:0:3b99:a7b:7e:3155:9844:2"),
        ("network_id", "0:3b99"),
        ("network_id_int", 0x3B99),
        ("prefix", "fdaa:0:3b99::/48"),
    ]
    assert (last["line"], last["column"], last["text"]) == (5, 6, "fdaa:0:18::2:3000")
    assert records(out("--json", stdin=b"fdaa::1").decode())[0]["file"] == "-"


def test_networks_are_kept_or_left_out(log: str) -> None:
    first, second, third, fourth = FOUND.splitlines(keepends=True)
    for network in ("0:3b99", "0x3b99", "fdaa:0:3b99::/48"):
        assert out("--network", network, log) == first + third
        assert out("--network", network, "-v", log) == second + fourth
    assert out("--network", "0:3b99", "--network", "0:0", log) == first + second + third
    mine = "fdaa:0:3b99::7"
    assert out("--network", "self", log, PLATFORM_PRIVATE_IP=mine) == first + third


def test_names_of_files_with_matches_or_only_a_status(log: str, other: str, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"2001:db8::1\n")
    assert out("-l", log, str(nothing), other) == f"{log}\n{other}\n".encode()
    assert out("-l", "--network", "0:3b99", log, other) == f"{log}\n".encode()
    for names, status in (
        ([log, "missing"], 0),  # it stops at the first match
        ([str(nothing)], 1),
        ([str(nothing), log], 0),
        ([str(nothing), "missing"], 2),
    ):
        result = invoke("scan", "-q", *names)
        assert (result.exit_code, result.stdout) == (status, "")


def test_the_name_of_a_file_stays_on_its_line(tmp_path: Path) -> None:
    name = tmp_path / "x.log\nsafe.log"
    name.write_text("fdaa::3\n")
    shown = f"{tmp_path}/x.log\\nsafe.log"
    assert invoke("scan", "-l", str(name)).stdout == f"{shown}\n"
    assert invoke("scan", "-H", str(name)).stdout == f"{shown}:fdaa::3\t0:0\n"
    assert invoke("scan", "-H", "--lines", str(name)).stdout == f"{shown}:fdaa::3\n"


FINGERPRINT = f"fingerprint of the secret: {Pseudonyms('secret').fingerprint}"


def test_pseudonyms_are_made_and_revealed_by_one_secret(log: str, tmp_path: Path) -> None:
    secret_file = tmp_path / "secret"
    secret_file.write_bytes(b"secret\r\n")
    of_file = invoke("scan", "--pseudonymize", "--secret-file", str(secret_file), log)
    of_variable = invoke("scan", "--pseudonymize", log, FDAA_SECRET="secret")
    hidden = of_file.stdout_bytes
    assert hidden == of_variable.stdout_bytes
    real_values = {match.value for match in find_addresses(LOG)}
    hidden_values = {match.value for match in find_addresses(hidden)}
    assert real_values.isdisjoint(hidden_values)
    for result in (of_file, of_variable):
        assert result.stderr.splitlines()[0] == f"fdaa: {FINGERPRINT}"
    Path(log).write_bytes(hidden)
    revealed = invoke(
        "scan", "--reveal", "--secret-file", str(secret_file), log, FDAA_SECRET="other"
    )
    assert revealed.stdout_bytes.lower() == LOG.lower()
    warning = "; if --pseudonymize printed another fingerprint, these addresses are wrong"
    assert revealed.stderr == f"fdaa: {FINGERPRINT}{warning}\n"


def test_without_a_secret_no_one_can_reveal_the_result(log: str) -> None:
    Path(log).write_bytes(b"fdaa::3")
    first = invoke("scan", "--pseudonymize", log)
    second = invoke("scan", "--pseudonymize", log)
    assert first.stdout_bytes != second.stdout_bytes
    assert "no secret" in first.stderr


def test_what_pseudonymize_leaves_unchanged_is_reported(log: str) -> None:
    possible = b"%66daa%3A%3A1\nxFDAA::1 xfdaa::1\n" + b"xfdaa::1\n" * 4
    Path(log).write_bytes(b"fdaa:0:18::3\nfdaa::/16\n" + possible + b"fdaa:0:18::/48\n")
    shown = "".join(f"{log}:{line}, " for line in range(2, 7))
    for options, status in (((), 0), (("--strict",), 2)):
        result = invoke("scan", "--pseudonymize", *options, log, FDAA_SECRET="k")
        assert result.exit_code == status
        assert "fdaa:0:18" not in result.stdout
        _, told = result.stderr.splitlines()
        assert told == f"fdaa: 8 places left unchanged, which may be addresses: {shown}..."
    Path(log).write_bytes(b"fdaa:0:18::3\n")
    strict = invoke("scan", "--pseudonymize", "--strict", log, FDAA_SECRET="k")
    assert strict.exit_code == 0


def test_an_empty_secret_is_refused(log: str) -> None:
    for secret in (("--secret-file", "/dev/null"), ()):
        result = invoke("scan", "--pseudonymize", *secret, log, FDAA_SECRET="")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "is empty" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--json", "--lines"), "--lines and --json cannot be combined"),
        (("-n", "--annotate"), "--line-number requires"),
        (("-v",), "requires --network"),
        (("--reveal",), "--reveal requires --secret-file FILE, or FDAA_SECRET"),
        (("--secret-file", "/dev/null"), "--secret-file requires --pseudonymize or --reveal"),
        (("--pseudonymize", "--network", "0:18"), "cannot be combined"),
        (("--network", "1x"), "'1x' is not a network ID"),
        (("--strict",), "--strict requires"),
        (("-q", "--pseudonymize", "--strict"), "--quiet cannot be combined"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    arguments: tuple[str, ...], message: str, log: str
) -> None:
    result = invoke("scan", *arguments, log)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A document that has one name with its ID."""
    path = tmp_path / "networks.json"
    path.write_text('{"fdaa_networks": 1, "networks": {"blue": {"network_id": "0:18"}}}')
    return str(path)


def test_with_documents_networks_have_names(saved: str, log: str) -> None:
    for network in ("blue", "network:blue", "network:0:18"):
        shown = out("-d", saved, "--network", network, log)
        assert shown == b"fdaa:0:18::2:3000\t0:18\tblue\n"
    assert out(log, FDAA_DOCUMENTS=saved).splitlines()[0].endswith(b"\t0:3b99\t")
    assert out("-n", log, FDAA_DOCUMENTS=saved).endswith(b"\n5:fdaa:0:18::2:3000\t0:18\tblue\n")
    (fields,) = records(out("-d", saved, "--network", "blue", "--json", log).decode())
    assert list(fields)[-1] == "network_name"
    assert fields["network_name"] == "blue"
    for options in ((), ("--network", "blue")):
        annotated = out("-d", saved, "--annotate", *options, log)
        assert annotated.endswith(b"peer fdaa:0:18::2:3000 [0:18 blue]")
        assert (b"[fdaa::3 [0:0]]:53" in annotated) == (not options)
    assert b"\nblue     0:18    " in out("-d", saved, "--count", log)
    (_, _, last) = records(out("-d", saved, "--count", "--json", log).decode())
    assert last["network_name"] == "blue"
