"""`fdaa scan`: what is read, as it comes, and what is said of what cannot be read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from command import COMMAND, environ, invoke, records, start
from scan_command import FOUND, LOG, out, run_as_nobody
from scan_output import full_disk


def test_directories_are_read_in_order_and_found_links_are_not(
    log: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = Path(log).parent
    (directory / "link.log").symlink_to(log)
    (directory / "inside").mkdir()
    (directory / "inside" / "c.log").write_bytes(b"fdaa:0:18::c\n")
    inside = str(directory / "inside" / "c.log")
    assert out("-rl", str(directory)).decode().splitlines() == [log, other, inside]
    assert out("-r", "--no-filename", str(directory)).count(b"\n") == 6
    monkeypatch.chdir(directory / "inside")
    assert out("--recursive") == b"./c.log:fdaa:0:18::c\t0:18\n"


def test_what_cannot_be_looked_at_in_a_directory_is_named_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    """A path too long for the system, and 1,050 directories inside each other."""
    (tmp_path / "z.log").write_bytes(b"fdaa::2\n")
    for name, depth in (("l" * 250, 20), ("d", 1050)):
        at = os.open(tmp_path, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir(name, dir_fd=at)
            inside = os.open(name, os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = inside
        log = os.open("a.log", os.O_WRONLY | os.O_CREAT, dir_fd=at)
        os.write(log, b"fdaa::1\n")
        os.close(log)
        os.close(at)
    result = invoke("scan", "-r", "--no-filename", str(tmp_path))
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)
    assert result.stdout == "fdaa::2\t0:0\nfdaa::1\t0:0\n"
    assert result.stderr.count("\n") == 1
    assert "lll: File name too long" in result.stderr
    assert result.exit_code == 2


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


@pytest.mark.parametrize("options", [(), ("-n",), ("--json",), ("--lines",), ("--annotate",)])
def test_a_follower_sees_matches_as_they_come(options: tuple[str, ...]) -> None:
    process = start("scan", *options)
    assert process.stdin is not None
    assert process.stdout is not None
    for number in (b"1", b"2"):
        process.stdin.write(b"peer fdaa:0:18::" + number + b"\n")
        process.stdin.flush()
        assert b"fdaa:0:18::" + number in process.stdout.readline()  # the input has not ended
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_fifo_is_read_until_its_writer_ends(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(LOG,))
    writer.start()
    assert out(str(path)) == FOUND
    writer.join()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("LOG",), 0),
        (("NOTHING",), 1),
        (("-c", "NOTHING"), 1),
        (("--network", "9:9", "LOG"), 1),
        (("--annotate", "NOTHING"), 1),
        (("LOG", "missing"), 2),
        (("missing", "LOG"), 2),
    ],
)
def test_the_status_is_greps(
    arguments: tuple[str, ...], status: int, log: str, tmp_path: Path
) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"2001:db8::1\n")
    names = {"LOG": log, "NOTHING": str(nothing)}
    assert invoke("scan", *(names.get(each, each) for each in arguments)).exit_code == status


def test_what_cannot_be_read_is_one_line_and_the_others_are_read(log: str, tmp_path: Path) -> None:
    assert len(invoke("scan", "x" * 100_000).stderr) < 1100
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(LOG * 1000)[:-20])
    bad = [str(tmp_path), str(loop), str(tmp_path / "missing\x1b[31m"), "/proc/self/mem"]
    result = invoke("scan", "--no-filename", *bad, log, str(damaged))
    assert result.stdout_bytes.startswith(FOUND)
    assert result.stderr.splitlines() == [
        f"fdaa: {tmp_path}: Is a directory; --recursive reads it",
        f"fdaa: {loop}: Too many levels of symbolic links",
        f"fdaa: {tmp_path}/missing\\x1b[31m: No such file or directory",
        "fdaa: /proc/self/mem: Input/output error",
        f"fdaa: {damaged}: the packed data ends too early",
    ]
    assert result.exit_code == 2


def test_a_damaged_file_counts_up_to_the_damage(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(LOG * 20_000)[:-20])
    found = invoke("scan", str(damaged)).stdout.count("\n")
    counted = invoke("scan", "-c", "--json", str(damaged))
    assert sum(row["matches"] for row in records(counted.stdout)) == found > 1000
    assert counted.exit_code == 2


def test_a_full_temporary_directory_is_not_taken_for_the_log(tmp_path: Path) -> None:
    log = tmp_path / "one-line.log"
    log.write_bytes(b"x" * 5_000_000 + b" fdaa::1\n")
    with full_disk():
        result = invoke("scan", "--lines", str(log))
    said = rf"fdaa: {log}: a long line does not fit into /.*: File too large\n"
    assert re.fullmatch(said, result.stderr)
    assert (result.stdout, result.exit_code) == ("", 2)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_the_last_line_of_a_damaged_file_is_ended(pack: object, log: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(pack(b"x fdaa::1 y\n" * 1000 + b"end")[:-9])  # type: ignore[operator]
    for option in ("--annotate", "--lines"):
        result = invoke("scan", option, "--no-filename", str(damaged), log)
        assert result.exit_code == 2
        assert result.stdout_bytes.endswith(b"\n" + out(option, "--no-filename", log))
        assert result.stdout.count("fdaa::1") > 900


def test_a_closed_standard_input_is_one_line_and_the_others_are_read(log: str) -> None:
    script = 'exec "$@" scan --no-filename - "$0" <&-'
    command = ["/bin/sh", "-c", script, log, *COMMAND]
    result = subprocess.run(command, capture_output=True, check=False, env=environ())
    assert result.stdout == FOUND
    assert result.stderr == b"fdaa: standard input: it is closed\n"
    assert result.returncode == 2


def test_a_file_that_memory_cannot_unpack_is_one_line(log: str, tmp_path: Path) -> None:
    large = tmp_path / "large.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 90 << 20}]
    large.write_bytes(lzma.compress(bytes(110 << 20), filters=filters))
    script = 'ulimit -v 100000; exec "$@"'
    command = ["/bin/sh", "-c", script, "sh", *COMMAND, "scan", "--no-filename", str(large), log]
    result = subprocess.run(command, capture_output=True, check=False, env=environ())
    assert result.stdout == FOUND
    assert result.stderr.startswith(f"fdaa: {large}: there is not enough memory".encode())
    assert result.returncode == 2


def test_standard_input_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(LOG)
    for jobs in ("1", "2"):
        with path.open("rb") as file:
            command = [*COMMAND, "scan", "--no-filename", "--jobs", jobs, "-", "-"]
            result = subprocess.run(command, stdin=file, capture_output=True, check=False)
        assert (result.stdout, result.returncode) == (FOUND, 0)


def test_the_output_file_is_not_read(log: str) -> None:
    with Path(log).open("ab") as stdout:
        result = subprocess.run(
            [*COMMAND, "scan", "--annotate", log],
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=environ(),
            check=False,
        )
    assert result.stderr.decode() == f"fdaa: {log}: it is the output file too\n"
    assert result.returncode == 2
    assert Path(log).read_bytes() == LOG


@pytest.mark.parametrize("options", [(), ("-c",), ("--lines",), ("--jobs", "2")], ids=str)
def test_a_full_disk_is_one_line(options: tuple[str, ...], log: str) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMMAND, "scan", *options, log],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environ(),
            check=False,
        )
    assert result.stderr == b"fdaa: standard output: No space left on device\n"
    assert result.returncode == 2


def test_ctrl_c_is_130() -> None:
    process = start("scan")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"fdaa::1\n")
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.strip()) == (130, b"")
