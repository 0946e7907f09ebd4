"""`fdaa scan`: what is read, as it comes, and what is said of what cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from command import invoke, shell, start
from scan_command import FOUND, LOG, out, run_as_nobody


def test_directories_are_read_and_without_a_name_the_current_one(
    log: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert out("-rl", str(Path(log).parent)).decode().splitlines() == [log, other]
    Path(log).unlink()
    monkeypatch.chdir(Path(other).parent)
    assert out("--recursive") == b"./b.log:fdaa:0:18::9\t0:18\n"


@pytest.mark.slow
def test_a_directory_that_may_not_be_searched_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.log").write_bytes(b"fdaa::1\n")
    (tmp_path / "b.log").write_bytes(b"fdaa::2\n")
    tmp_path.chmod(0o755)
    for mode, name in ((0o000, "closed"), (0o444, "closed/a.log")):
        closed.chmod(mode)
        result = run_as_nobody("-r", "--no-filename", ".", cwd=tmp_path)
        closed.chmod(0o755)
        assert (result.stdout, result.returncode) == (b"fdaa::2\t0:0\n", 2)
        assert result.stderr == f"fdaa: ./{name}: Permission denied\n".encode()


@pytest.mark.parametrize("options", [(), ("--lines",)])
@pytest.mark.slow
def test_a_follower_sees_matches_as_they_come(options: tuple[str, ...]) -> None:
    process = start("scan", *options)
    for number in (b"1", b"2"):
        process.stdin.write(b"peer fdaa:0:18::" + number + b"\n")
        process.stdin.flush()
        assert b"fdaa:0:18::" + number in process.stdout.readline()  # the input has not ended
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.slow
def test_quiet_does_not_wait_for_the_end_of_its_input() -> None:
    process = start("scan", "-q")
    process.stdin.write(b"fdaa::1\n")
    process.stdin.flush()
    assert process.wait(timeout=60) == 0  # the input has not ended
    process.communicate()


def test_what_cannot_be_read_is_one_line_and_the_others_are_read(log: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(LOG * 1000)[:-20])
    bad = [str(tmp_path), str(loop), str(tmp_path / "missing\x1b[31m"), "/proc/self/mem"]
    result = invoke("scan", "--no-filename", *bad, log, str(damaged))
    ended = "Compressed file ended before the end-of-stream marker was reached"
    assert result.stdout_bytes.startswith(FOUND)
    assert result.stderr.splitlines() == [
        f"fdaa: {tmp_path}: Is a directory; use --recursive",
        f"fdaa: {loop}: Too many levels of symbolic links",
        f"fdaa: {tmp_path}/missing\\x1b[31m: No such file or directory",
        "fdaa: /proc/self/mem: Input/output error",
        f"fdaa: {damaged}: decompression failed: {ended}",
    ]
    assert result.exit_code == 2


def test_the_last_line_of_a_damaged_file_is_ended(log: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(gzip.compress(b"x fdaa::1 y\n" * 1000 + b"end")[:-9])
    for option in ("--annotate", "--lines"):
        result = invoke("scan", option, "--no-filename", str(damaged), log)
        assert result.exit_code == 2
        assert result.stdout_bytes.endswith(b"\n" + out(option, "--no-filename", log))
        assert result.stdout.count("fdaa::1") > 900


@pytest.mark.slow
def test_standard_input_is_read_once_and_may_be_closed(log: str) -> None:
    result = shell(f"fdaa scan --no-filename - - < {log}")
    assert (result.stdout, result.returncode) == (FOUND, 0)
    closed = shell(f"fdaa scan --no-filename - {log} <&-")
    assert (closed.stdout, closed.returncode) == (FOUND, 2)
    assert closed.stderr == b"fdaa: standard input: it is closed\n"


@pytest.mark.slow
def test_the_output_file_is_not_read(log: str) -> None:
    # If it were read, it would grow up to this limit, in KiB.
    result = shell(f"ulimit -f 64; fdaa scan --annotate {log} >> {log}")
    assert result.stderr.decode() == f"fdaa: {log}: the input file is also the output\n"
    assert result.returncode == 2
    assert Path(log).read_bytes() == LOG


# --- packed files and UTF-16; the tests of the scanner show that all of them is read --------------


def test_packed_utf_16_is_read_and_its_text_printed_as_utf_8_with_a_note(log: str) -> None:
    Path(log).write_bytes(gzip.compress("\u00e9 fdaa::1 ".encode("utf-16")))
    result = invoke("scan", "--annotate", log)
    assert result.stdout == "\u00e9 fdaa::1 [0:0] "
    assert result.stderr == f"fdaa: {log}: UTF-16, printed as UTF-8\n"
    assert result.exit_code == 0
