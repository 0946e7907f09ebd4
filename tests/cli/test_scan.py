"""`fdaa scan`, and pasted text for `fdaa decode`."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import pty
import shlex
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, environ, invoke, on_terminal, records, run, start

from fdaa import NetworkID, same_network
from fdaa.networks._book import learn
from fdaa.networks._model import Evidence, Origin
from fdaa.scan import find_addresses
from fdaa.scan._sources import Source as ScanSource
from fdaa.scan._sources import open_source

LOG = (
    b"boot\n"
    b"listening on [FDAA:0:3b99:a7b:7e:3155:9844:2]:22 (DNS: [fdaa::3]:53)\n"
    b"\x1b[32mfdaa:0:3b99::3\x1b[0m \xff\x00\n"
    b"2001:db8:fdaa::1 fdaa::1g\n"
    b"peer fdaa:0:18::2:3000"
)
FOUND = (
    b"fdaa:0:3b99:a7b:7e:3155:9844:2\t0:3b99\n"
    b"fdaa::3\t0:0\n"
    b"fdaa:0:3b99::3\t0:3b99\n"
    b"fdaa:0:18::2:3000\t0:18\n"
)


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "a.log"
    path.write_bytes(LOG)
    return str(path)


@pytest.fixture
def other(tmp_path: Path) -> str:
    path = tmp_path / "b.log"
    path.write_bytes(b"fdaa:0:18::9\n")
    return str(path)


def out(*arguments: str, stdin: bytes = b"", **variables: str) -> bytes:
    if stdin or not arguments:
        result = run("scan", *arguments, stdin=stdin, **variables)
        assert result.stderr == b""
        return result.stdout
    in_process = invoke("scan", *arguments, **variables)  # files are as real, and it is faster
    assert in_process.stderr == ""
    return in_process.stdout_bytes


# --- what is printed ------------------------------------------------------------------------------


def test_a_match_a_line_with_its_network(log: str) -> None:
    assert out(log) == FOUND
    assert out(stdin=LOG) == FOUND
    assert out("-", stdin=LOG) == FOUND


def test_names_stand_in_front_as_grep_does_it(log: str, other: str) -> None:
    both = b"".join(b"%b:%b\n" % (log.encode(), line) for line in FOUND.splitlines())
    last = b"fdaa:0:18::9\t0:18\n"
    assert out(log, other) == both + other.encode() + b":" + last
    assert out("--no-filename", log, other) == FOUND + last
    assert out("--with-filename", other) == other.encode() + b":" + last
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
    assert process.stdin is not None
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
    assert out("--lines", "-n", "--network", "0:18", log) == b"5:" + lines[4] + b"\n"


def test_annotations_are_all_that_is_added(log: str) -> None:
    annotated = out("--annotate", log)
    assert b"[FDAA:0:3b99:a7b:7e:3155:9844:2 [0:3b99]]:22 (DNS: [fdaa::3 [0:0]]:53)" in annotated
    for mark in (b" [0:3b99]", b" [0:0]", b" [0:18]"):
        annotated = annotated.replace(mark, b"")
    assert annotated == LOG


def test_pseudonyms_keep_the_rest_of_the_text_and_who_is_on_one_network(log: str) -> None:
    hidden = run("scan", "--pseudonymize", "--key", "secret", log).stdout
    assert hidden == run("scan", "--pseudonymize", stdin=LOG, FDAA_KEY="secret").stdout
    ours, theirs = ([m.address for m in find_addresses(text)] for text in (LOG, hidden))
    assert len(ours) == len(theirs)
    for one, new in zip(ours, theirs, strict=True):
        for other, other_new in zip(ours, theirs, strict=True):
            assert same_network(one, other) == same_network(new, other_new)
            assert (one == other) == (new == other_new)
    assert not set(ours) & set(theirs)
    assert without_addresses(hidden) == without_addresses(LOG)
    back = run("scan", "--reveal", "--key", "secret", stdin=hidden).stdout
    assert [m.address for m in find_addresses(back)] == ours


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


def without_addresses(text: bytes) -> list[bytes]:
    pieces, at = [], 0
    for match in find_addresses(text):
        pieces.append(text[at : match.start])
        at = match.end
    return [*pieces, text[at:]]


def test_without_a_key_nobody_can_tell_twice() -> None:
    assert out("--pseudonymize", stdin=b"fdaa::3") != out("--pseudonymize", stdin=b"fdaa::3")


# --- what is read ---------------------------------------------------------------------------------


def test_directories_are_read_in_order_and_found_links_are_not(log: str, other: str) -> None:
    directory = Path(log).parent
    (directory / "link.log").symlink_to(log)
    os.mkfifo(directory / "fifo")
    (directory / "inside").mkdir()
    (directory / "inside" / "c.log").write_bytes(b"fdaa:0:18::c\n")
    names = [line.rsplit(b":fdaa:", 1)[0] for line in out("-r", str(directory)).splitlines()]
    inside = str(directory / "inside" / "c.log")
    assert [name.decode() for name in dict.fromkeys(n for n in names if b"\t" not in n)][-2:] == [
        other,
        inside,
    ]
    assert out("-r", "--no-filename", str(directory)).count(b"\n") == 6
    relative = subprocess.run(
        [*COMMAND, "scan", "--recursive"],
        cwd=directory / "inside",
        env=environ(),
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert relative.stdout == b"./c.log:fdaa:0:18::c\t0:18\n"


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
    result = run("scan", "-r", "--no-filename", str(tmp_path))
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)
    assert result.stdout == b"fdaa::2\t0:0\nfdaa::1\t0:0\n"
    assert result.stderr.count(b"\n") == 1
    assert b"lll: File name too long" in result.stderr
    assert result.returncode == 2


# Root may search all, and start any number of processes.
AS_NOBODY = """
import difflib, os, resource, sys  # all that is needed, as nobody may not read every library
import concurrent.futures.process, multiprocessing.popen_fork
import fdaa.cli.commands.scan
from fdaa.cli.main import fdaa
limit = int(os.environ.get("PROCESSES", "0"))
resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
if os.getuid() == 0:
    os.setuid(65534 - limit)  # nobody, or somebody who has no process either
fdaa.main(sys.argv[1:], prog_name="fdaa")
"""


def run_as_nobody(
    *arguments: str, processes: int = 0, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", AS_NOBODY, "scan", *arguments]
    env = environ(PROCESSES=str(processes))
    return subprocess.run(command, capture_output=True, env=env, check=False, **options)


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


@pytest.mark.parametrize("replaced_by", ["link", "fifo", "directory"])
def test_what_is_no_file_any_more_is_neither_followed_nor_waited_for(
    replaced_by: str, log: str, tmp_path: Path
) -> None:
    path = tmp_path / "listed"
    if replaced_by == "link":
        path.symlink_to(log)
    elif replaced_by == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    source = ScanSource(str(path), listed=True)
    if replaced_by == "directory":
        with pytest.raises(IsADirectoryError):
            open_source(source)
    else:
        assert open_source(source) is None


@pytest.mark.parametrize(
    "options", [(), ("-c",), ("-n",), ("--json",), ("--lines",), ("--annotate",)]
)
def test_workers_give_the_same_bytes(options: tuple[str, ...], log: str) -> None:
    path = Path(log)
    path.write_bytes((LOG + b"\n") * 2000)
    one = out("--jobs", "1", *options, log)
    assert out("--jobs", "3", *options, log) == one
    with path.open("rb") as stdin:
        result = subprocess.run(
            [*COMMAND, "scan", "--jobs", "2", "--no-filename", *options, "-"],
            stdin=stdin,
            capture_output=True,
            env=environ(),
            check=True,
        )
    assert result.stdout.replace(b'"-"', f'"{log}"'.encode()).count(b"\n") == one.count(b"\n")


# --- as it comes ----------------------------------------------------------------------------------


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


# --- status and errors ----------------------------------------------------------------------------


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
    assert run("scan", *(names.get(each, each) for each in arguments)).returncode == status


def test_what_cannot_be_read_is_one_line_and_the_others_are_read(log: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(LOG * 1000)[:-20])
    bad = [str(tmp_path), str(loop), str(tmp_path / "missing\x1b[31m"), "/proc/self/mem"]
    result = run("scan", "--no-filename", *bad, log, str(damaged))
    assert result.stdout.startswith(FOUND)
    assert result.stderr.decode("ascii").splitlines() == [
        f"fdaa: {tmp_path}: Is a directory; --recursive reads it",
        f"fdaa: {loop}: Too many levels of symbolic links",
        f"fdaa: {tmp_path}/missing\\x1b[31m: No such file or directory",
        "fdaa: /proc/self/mem: Input/output error",
        f"fdaa: {damaged}: the packed data ends too early",
    ]
    assert result.returncode == 2


def test_a_damaged_file_counts_up_to_the_damage(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(LOG * 20_000)[:-20])
    found = run("scan", str(damaged)).stdout.count(b"\n")
    counted = run("scan", "-c", "--json", str(damaged))
    assert sum(row["matches"] for row in records(counted.stdout.decode())) == found > 1000
    assert counted.returncode == 2


def test_a_full_temporary_directory_is_not_taken_for_the_log(tmp_path: Path) -> None:
    log = tmp_path / "one-line.log"
    log.write_bytes(b"x" * 5_000_000 + b" fdaa::1\n")
    script = 'ulimit -f 100; exec "$@"'
    command = ["/bin/sh", "-c", script, "sh", *COMMAND, "scan", "--lines", str(log)]
    result = subprocess.run(command, capture_output=True, check=False, env=environ())
    assert result.stdout == b""
    assert result.stderr.startswith(f"fdaa: {log}: a long line does not fit into ".encode())
    assert result.stderr.endswith(b": File too large\n")
    assert result.returncode == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_the_last_line_of_a_damaged_file_is_ended(pack: object, log: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(pack(b"x fdaa::1 y\n" * 1000 + b"end")[:-9])  # type: ignore[operator]
    for option in ("--annotate", "--lines"):
        result = run("scan", option, "--no-filename", str(damaged), log)
        assert result.returncode == 2
        whole = run("scan", option, "--no-filename", log).stdout
        assert result.stdout.endswith(b"\n" + whole)
        assert result.stdout.count(b"fdaa::1") > 900


@pytest.mark.parametrize("options", [(), ("--json",), ("-c",)])
def test_a_killed_worker_leaves_whole_records(options: tuple[str, ...], tmp_path: Path) -> None:
    large, behind = tmp_path / "large.log", tmp_path / "behind.log"
    line = b"2026-05-17 peer fdaa:0:18::3 and then some more text\n"
    large.write_bytes(line * 1_500_000)
    behind.write_bytes(b"fdaa:0:19::4\n")
    command = ("scan", "--no-filename", "--jobs", "2", *options, str(large), str(behind))
    process = start(*command, stdin=subprocess.DEVNULL)
    os.kill(int(workers_of(process)[0]), signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=120)
    assert stderr.decode() == f"fdaa: {large}: a worker process was killed\n"
    assert process.returncode == 2
    *lines, last = stdout.splitlines(keepends=True)
    assert b"0:19" in last
    if not options:
        assert set(lines) <= {b"fdaa:0:18::3\t0:18\n"}
    elif options == ("--json",):
        assert {each["network_id"] for each in records(b"".join(lines).decode())} <= {"0:18"}


def test_workers_that_are_killed_while_they_answer_are_an_error(tmp_path: Path) -> None:
    large = tmp_path / "large.log"
    large.write_bytes(b"fdaa:0:18::3\n" * 2_000_000)
    process = start("scan", "--jobs", "2", str(large), stdin=subprocess.DEVNULL)
    workers = workers_of(process)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"f"  # the next parts are under way
    process.send_signal(signal.SIGSTOP)  # so that the pipe of each worker gets full
    asleep = 0
    while asleep < 10:
        time.sleep(0.02)
        asleep = asleep + 1 if all(_state(worker) == "S" for worker in workers) else 0
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    _, stderr = process.communicate(timeout=60)
    assert stderr.decode() == f"fdaa: {large}: a worker process was killed\n"
    assert process.returncode == 2


def workers_of(process: subprocess.Popen[bytes]) -> list[str]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(workers := children.read_text().split()) < 2:
        os.sched_yield()
    return workers


@pytest.mark.parametrize("processes", [0, 3, 4, 5, 7])
def test_where_too_few_processes_can_be_started_one_reads(processes: int, log: str) -> None:
    """Threads count as processes do, so each limit stops another one of the start."""
    for options in ((), ("-c",)):
        with Path(log).open("rb") as stdin:
            result = run_as_nobody("--jobs", "2", *options, "-", processes=processes, stdin=stdin)
        assert result.stdout == out(*options, stdin=LOG)
        assert (result.stderr, result.returncode) == (b"", 0)


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


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_at_once_when_their_parent_does(number: int, tmp_path: Path) -> None:
    large = tmp_path / "large.log"
    with large.open("wb") as file:
        for part in range(4):  # holes, with line ends to cut it at: reading it takes long
            file.seek(part << 35)
            file.write(b"\n" * 100_000)
    process = start("scan", "-c", "--jobs", "2", str(large))
    workers = workers_of(process)
    process.send_signal(number)
    process.communicate(timeout=30)
    while any(_state(worker) not in "ZX" for worker in workers):
        os.sched_yield()


def test_ctrl_c_is_quiet_wherever_workers_are(log: str) -> None:
    for moment in range(6):  # they start and end all the time
        process = start("scan", "--jobs", "2", *[log] * 200, stdin=subprocess.DEVNULL)
        assert process.stdout is not None
        process.stdout.read(800 * moment + 1)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr.strip()) == (130, b"")


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return "X"


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--json", "--lines"), "--json and --lines cannot be combined"),
        (("-c", "--annotate"), "cannot be combined"),
        (("--annotate", "--pseudonymize"), "cannot be combined"),
        (("-n", "--annotate"), "--line-number goes with"),
        (("-v",), "needs a --network"),
        (("--reveal",), "needs the --key"),
        (("--pseudonymize", "--key", ""), "the key in --key is empty"),
        (("--key", "x"), "--key goes with --pseudonymize"),
        (("--pseudonymize", "--network", "0:18"), "does not go with"),
        (("--network", "1x"), "'1x' is not a network ID"),
        (("--network", "self"), "PLATFORM_PRIVATE_IP"),
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "65"), "--jobs"),
        (("--strict",), "--strict goes with"),
        (("-l", "--lines"), "--lines and --files-with-matches cannot be combined"),
    ],
)
def test_a_wrong_call(arguments: tuple[str, ...], message: str, log: str) -> None:
    result = invoke("scan", *arguments, log)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


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


def test_a_closed_pipe_ends_it_silently(log: str) -> None:
    Path(log).write_bytes((LOG + b"\n") * 100_000)
    process = start("scan", "--jobs", "2", log, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == -signal.SIGPIPE
    assert process.stderr.read() == b""
    process.stderr.close()


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


# --- on a terminal --------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--lines", "--annotate"])
def test_a_terminal_obeys_nothing_in_a_log(option: str, log: str) -> None:
    output, _ = on_terminal("scan", option, log, NO_COLOR="1")
    assert b"\x1b" not in output
    assert b"\x00" not in output
    assert b"\\x1b[32mfdaa:0:3b99::3" in output


def on_terminal_in_part(stdout: int | None, *arguments: str) -> bytes:
    """Run it with standard error on a terminal; return what that shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs if stdout is None else stdout,
        stderr=theirs,
        env=environ(TERM="xterm"),
    )
    os.close(theirs)
    shown = read_all(ours)
    assert process.wait(timeout=60) == 0
    return shown


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_reading_shows_its_progress(jobs: str, log: str) -> None:
    path = Path(log)
    with path.open("wb") as file:
        file.write(LOG)
        file.truncate(33 * 1024 * 1024)
    arguments = ("scan", "-c", "--jobs", jobs, log)
    shown = on_terminal_in_part(subprocess.DEVNULL, *arguments)
    assert b"100%" in shown
    assert on_terminal_in_part(subprocess.DEVNULL, *arguments, "--no-progress") == b""
    assert b"100%" in on_terminal_in_part(None, *arguments)  # the table comes behind it
    assert b"%" not in on_terminal_in_part(None, "scan", log)  # matches are on the terminal
    os.truncate(path, 1024 * 1024)
    assert on_terminal_in_part(subprocess.DEVNULL, *arguments) == b""


def test_matches_in_lines_have_a_colour_on_a_terminal(log: str) -> None:
    output, _ = on_terminal("scan", "--lines", "-n", log)
    assert b"2:listening on [\x1b[1;31mFDAA:0:3b99:a7b:7e:3155:9844:2\x1b[0m]:22" in output
    assert b"\\x1b[32m\x1b[1;31mfdaa:0:3b99::3\x1b[0m\\x1b[0m \\xff" in output
    assert b"\x1b[1;31m" not in out("--lines", log)
    assert b"\x1b[1;31m" not in on_terminal("scan", "--lines", log, NO_COLOR="1")[0]


@pytest.mark.parametrize("reader", ["head", "gone"])
def test_the_bar_is_harmless(reader: str, log: str, tmp_path: Path) -> None:
    """The cursor stays as it is when the reader ends it; a terminal that goes away ends nothing."""
    line = b"2026-05-17 peer fdaa:0:18::3 and then some more text " + b"x" * 500 + b"\n"
    Path(log).write_bytes(line * 150_000)
    ours, theirs = pty.openpty()
    result = tmp_path / "result"
    command = f"{shlex.join(COMMAND)} scan --jobs 1 {log}" + (
        " | head -1" if reader == "head" else ""
    )
    with result.open("wb") as stdout:
        process = subprocess.Popen(["/bin/sh", "-c", command], stdout=stdout, stderr=theirs)
    os.close(theirs)
    if reader == "gone":
        os.close(ours)
        assert process.wait(timeout=120) == 0
        assert result.read_bytes().count(b"\n") == 150_000
    else:
        assert process.wait(timeout=120) == 0
        assert b"\x1b" not in read_all(ours)
        assert result.read_bytes() == b"fdaa:0:18::3\t0:18\n"


def read_all(descriptor: int) -> bytes:
    shown = b""
    with suppress(OSError):  # Linux's way to say that the other end is closed
        while chunk := os.read(descriptor, 65536):
            shown += chunk
    os.close(descriptor)
    return shown


def test_help_tells_of_several_networks_and_of_the_services() -> None:
    text = " ".join(invoke("scan", "--help").stdout.split())
    assert "Repeatable. Network 0:0 is the platform's services." in text


# --- networks by name -----------------------------------------------------------------------------


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "book.json"
    source = Origin("apps.json", "apps[0].network")
    learn(path, [Evidence("blue", NetworkID(0x18), "web", "fdaa:0:18::2", (source,))])
    return str(path)


def test_with_a_book_networks_have_names(book: str, log: str) -> None:
    assert out("--book", book, "--network", "blue", log) == b"fdaa:0:18::2:3000\t0:18\tblue\n"
    assert out(log, FDAA_BOOK=book).splitlines()[0].endswith(b"\t0:3b99\t")
    (fields,) = records(out("--book", book, "--network", "blue", "--json", log).decode())
    assert list(fields)[-1] == "network_name"
    assert fields["network_name"] == "blue"
    assert b"fdaa:0:18::2:3000 [0:18 blue]" in out("--book", book, "--annotate", log)
    assert b"\n0:18 blue " in out("--book", book, "--count", log)
    (_, _, last) = records(out("--book", book, "--count", "--json", log).decode())
    assert last["network_name"] == "blue"


def test_a_name_needs_a_book_that_has_it(book: str, log: str) -> None:
    for options in ((), ("--book", book)):
        result = run("scan", *options, "--network", "green", log)
        assert (result.returncode, result.stdout) == (2, b"")
        assert b"'green'" in result.stderr


def test_what_only_some_scans_need_is_loaded_by_them_alone() -> None:
    """Pools of processes and OpenSSL take longer to load than the rest of the command."""
    program = "import sys, fdaa.cli.commands.scan; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert {"multiprocessing", "concurrent.futures", "hashlib"}.isdisjoint(loaded)
