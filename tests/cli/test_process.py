"""What every command has in common as a process."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from command import environ, invoke, run, shell, start

from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piped import Piped

ROOT = Path(__file__).parent.parent.parent

CALLS = (
    "decode --json -",
    "--help",
    "scan -c",
    f"scan --jobs 2 {ROOT}/docs/examples/instances.txt",
)
SLOW_CALLS = [
    pytest.param(call, marks=pytest.mark.slow)
    for call in (
        "same fdaa::1 fdaa::2",
        "whoami --socket /nowhere",
        f"networks -d {ROOT}/docs/examples/apps.json",
        "reach --json self fdaa::2",
        "scan",
        "scan --lines",
    )
]


def paths(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield what is typed for a group, and for all the commands in it."""
    yield above
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        path = (*above, name)
        if isinstance(command, click.Group):
            yield from paths(command, path)
        else:
            yield path


COMMANDS = list(paths(fdaa))


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_every_command_has_both_help_options_and_an_example(command: tuple[str, ...]) -> None:
    short = invoke(*command, "-h")
    long = invoke(*command, "--help")
    assert short.stdout == long.stdout
    assert re.search(r"^ +(Examples?|For example):\n +\$ .*fdaa ", long.stdout, re.MULTILINE)
    for option in ("--json", "--field"):
        has_option = re.search(rf"^  {option} +", long.stdout, re.MULTILINE) is not None
        assert has_option != (command in NO_RECORDS)
    assert long.stdout.isascii()


# What prints nothing of its own, or text for other programs.
NO_RECORDS = {
    (),
    ("apps",),
    ("book",),
    ("check",),
    ("completion",),
    ("help",),
    ("sandbox", "fault"),
    ("sandbox", "rotate"),
    ("sandbox", "run"),
    ("sql",),
}


def test_the_version_is_the_distributions() -> None:
    for option in ("--version", "-V"):
        assert invoke(option).stdout == f"fdaa {version('fdaa')}\n"


def test_the_script_and_the_module_are_the_same_command() -> None:
    script = shutil.which("fdaa", path=str(Path(sys.executable).parent))
    assert script is not None
    ran = subprocess.run([script, "decode", "x"], capture_output=True, env=environ(), check=False)
    module = run("decode", "x")
    assert (ran.stdout, ran.stderr) == (module.stdout, module.stderr)
    assert ran.returncode == module.returncode == 2


def test_the_shell_can_complete_commands() -> None:
    result = run(_FDAA_COMPLETE="bash_complete", COMP_WORDS="fdaa de", COMP_CWORD="1")
    assert result.stdout == b"plain,decode\n"


@pytest.mark.parametrize("path", COMMANDS, ids=str)
def test_the_help_of_each_command_fits(path: tuple[str, ...]) -> None:
    for width in (60, 80, 120):
        arguments = [*path, "--help"]
        call = CliRunner().invoke(fdaa, arguments, prog_name="fdaa", terminal_width=width)
        assert max(map(len, call.stdout.splitlines())) <= width


def test_the_help_lists_every_command_by_task() -> None:
    shown = invoke("--help").stdout
    listed = re.findall(r"^  ([a-z]+)  ", shown, re.MULTILINE)
    assert sorted(listed) == sorted({path[0] for path in COMMANDS if path})
    for section in ("Addresses:", "Networks:", "More:"):
        assert section in shown.splitlines()


def test_the_help_fits_one_screen_in_the_order_of_need() -> None:
    shown = invoke("--help", COLUMNS="80").stdout
    assert shown.count("\n") <= 43
    order = ["$ fdaa fdaa:", "  decode  ", "  reach  ", "  networks  ", "  whoami  ", "  build  "]
    assert sorted(order, key=shown.index) == order
    assert re.findall(r"^  (\w+)  ", shown, re.MULTILINE)[-3:] == ["build", "completion", "sql"]


def test_help_is_a_command_too() -> None:
    for path in COMMANDS:
        assert invoke("help", *path).stdout == invoke(*path, "--help").stdout


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("decod",), "No such command 'decod'. Did you mean 'decode'?"),
        (("book", "zzz"), "No such command 'zzz'.\n"),
        (("decode", "x"), "fdaa decode has no commands"),
        (("nosuch",), "fdaa: No such command 'nosuch'.\n"),
        (("fdaa::3",), "fdaa: No such command 'fdaa::3'.\n"),
        (("name",), "fdaa: No such command 'name'. Did you mean 'check name'?\n"),
    ],
)
def test_help_for_what_is_no_command_is_refused(path: tuple[str, ...], said: str) -> None:
    wrong = invoke("help", *path)
    assert (wrong.stdout, wrong.exit_code) == ("", 2)
    assert said in wrong.stderr


DASH = "(put -- before a text that begins with a dash)"


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        # a word that is no command
        (("decod",), "Did you mean 'decode'?"),
        (("network", "-d", "a"), "Did you mean 'networks'?"),
        (("name", "customer-17"), "Did you mean 'check name'?"),
        (("name", "-d", "a"), "Did you mean 'check name'?"),
        (("list",), "Did you mean 'apps list' or 'book list'?"),
        (("web",), "If web is an app: fdaa whois web, fdaa reach self web"),
        (("a;b",), "If 'a;b' is an app: fdaa whois 'a;b', fdaa reach self 'a;b'"),
        (("dial", "tcp", "[fdaa::3]:53:", "timeout"), "Put a pasted line in quotes."),
        # an option in another place, or of another command
        (("--json", "fdaa::3"), "Put --json after the text or the command: fdaa TEXT --json"),
        (("-d", "a"), "Put -d after the text or the command: fdaa TEXT --apps"),
        (("check", "-d", "a"), "Use check allocations or check name."),
        (("apps", "--org"), "Use apps create, apps destroy or apps list."),
        (("decode", "x", "--org=a"), "With documents: fdaa explain TEXT"),
        (("same", "x", "y", "--documents=a"), "With documents: fdaa reach SOURCE TARGET"),
        (("scan", "-d", "a"), "`fdaa book learn` creates it from -d and --machines."),
        (("decode", "--jso"), "Did you mean '--json'?"),
        # a text that is no option
        (("decode", "-->"), DASH),
        (("build", "2:45b", "-1"), DASH),
        (("-fdaa::3",), DASH),
    ],
)
def test_a_wrong_call_gets_the_call_that_may_be_meant(
    arguments: tuple[str, ...], advice: str
) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f" {advice}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense\x1b[31m",),
        ("decode", "--no\x9b"),
        ("x" * 100_000,),
        ("decode", "--" + "x" * 100_000),
        ("decode", "--field", "x" * 100_000),
        ("sql",),  # click lists the choices on lines of their own
    ],
    ids=range(6),
)
def test_a_wrong_call_gets_the_usage_and_nothing_raw_or_long(arguments: tuple[str, ...]) -> None:
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: fdaa")
    assert result.stderr.isascii()
    assert "\x1b" not in result.stderr
    assert "\\n" not in result.stderr
    assert len(result.stderr) < 2000


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (("decode", "fdaa::1", "-d", ""), "-d"),
        (("networks", "-d", ""), "-d"),
        (("decode", "--all", "--parquet=", "-d", "a"), "--parquet"),
        (("scan", "--secret-file", "", "--pseudonymize"), "--secret-file"),
        (("token", "--output", ""), "--output"),
        (("apps", "list", "--token-file", ""), "--token-file"),
    ],
)
def test_an_empty_name_of_a_file_is_refused_with_its_option(
    call: tuple[str, ...], option: str
) -> None:
    """It comes from a variable of the shell that is not set."""
    result = invoke(*call)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Invalid value for '{option}': the name of the file is empty" in result.stderr


@pytest.mark.parametrize("call", [*CALLS, *SLOW_CALLS])
def test_a_full_disk_is_one_line_and_a_status(call: str) -> None:
    result = shell(f"fdaa {call} > /dev/full", b"fdaa::1\n" * 10_000)
    *notes, last = result.stderr.splitlines()
    assert last == b"fdaa: standard output: No space left on device"
    assert all(note.startswith(b"fdaa: PLATFORM_PRIVATE_IP is ") for note in notes)
    assert result.returncode == 2


def test_where_memory_is_missing_the_answer_is_not_known(tmp_path: Path) -> None:
    with (tmp_path / "book.json").open("wb") as book:
        book.truncate(200 * 1024**2)
    done = shell(f"ulimit -v 200000; fdaa book list -d {book.name}")
    assert (done.returncode, done.stderr) == (3, b"fdaa: not enough memory\n")


def write_line(process: Piped[bytes], line: bytes) -> None:
    process.stdin.write(line)
    process.stdin.flush()


def test_a_closed_pipe_ends_it_silently() -> None:
    with start("decode", "--json", "-") as process:
        write_line(process, b"fdaa::1\n")
        process.stdout.readline()
        process.stdout.close()
        write_line(process, b"fdaa::2\n")
        assert process.wait(timeout=60) == -signal.SIGPIPE
        assert process.stderr.read() == b""


@pytest.mark.parametrize("command", ["decode", "decode"])
def test_a_line_is_answered_at_once_and_ctrl_c_is_130_and_no_traceback(command: str) -> None:
    with start(command, "--field", "input") as process:
        write_line(process, b"fdaa::1\n")
        assert process.stdout.readline() == b"fdaa::1\n"  # it has started, and waits for more
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        assert (process.returncode, stdout, stderr.strip()) == (130, b"", b"")


UNBUFFERED = pytest.param({"PYTHONUNBUFFERED": "1"}, marks=pytest.mark.slow)
INTERRUPTED = """if True:
    import os, signal, sys

    class Interrupt:
        def find_spec(self, name, path=None, target=None):
            if name == sys.argv[1]:
                os.kill(os.getpid(), signal.SIGINT)

    sys.meta_path.insert(0, Interrupt())
    from fdaa.__main__ import main
    sys.argv[1:] = ["same", "fdaa::1", "fdaa::2"]
    main()
"""


@pytest.mark.parametrize("loading", ["click", "fdaa.cli.main", "fdaa.cli.commands.same"])
def test_ctrl_c_while_the_command_loads_is_quiet(loading: str) -> None:
    script = INTERRUPTED.replace("sys.argv[1]:", f"{loading!r}:")
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environ(), check=False
    )
    assert result.returncode in (130, -signal.SIGINT)
    assert (result.stdout, result.stderr.strip()) == (b"", b"")


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_a_poor_locale_is_no_problem(variables: dict[str, str]) -> None:
    for call in (("decode", "fdaa::1", "n\u00e4me"), ("name", "\u212a"), ("decode", "--\u00e4")):
        result = run(*call, env=variables)
        assert result.returncode in (1, 2)
        assert b"Traceback" not in result.stderr
        assert result.stderr.isascii()


def test_a_stream_that_cannot_be_read_is_named() -> None:
    directory = os.open("/", os.O_RDONLY)
    script = (
        "import os, sys; from fdaa.__main__ import main; os.dup2(int(sys.argv.pop(1)), 0); main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(directory), "decode", "-"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environ(),
        pass_fds=[directory],
        check=False,
    )
    os.close(directory)
    assert result.stderr == b"fdaa: standard input: Is a directory\n"
    assert result.returncode == 2


def test_without_a_command_the_help_is_shown_once() -> None:
    result = run()
    assert result.returncode == 2
    assert result.stdout == b""
    assert result.stderr == run("--help").stdout


def test_what_a_short_write_leaves_is_not_lost(tmp_path: Path) -> None:
    """Unbuffered, Python drops the rest of a short write without a word."""
    small = f"ulimit -f 1; fdaa decode --json > {tmp_path}/small"
    for variables in ({}, {"PYTHONUNBUFFERED": "1"}):
        result = shell(small, b"fdaa::1\n" * 100, env=variables)
        assert result.stderr == b"fdaa: standard output: File too large\n"
        assert result.returncode == 2


@pytest.mark.parametrize("unbuffered", [{}, UNBUFFERED], ids=str)
@pytest.mark.parametrize("redirect", ["2>/dev/full", "2<&0", "2>&-"])
def test_the_status_does_not_depend_on_who_can_be_told(
    redirect: str, unbuffered: dict[str, str]
) -> None:
    lines = b"fdaa::1\nbad\nfdaa::2\n"
    decoded = shell(f"fdaa decode --field input - {redirect}", lines, env=unbuffered)
    assert (decoded.stdout, decoded.returncode) == (b"fdaa::1\nfdaa::2\n", 2)
    assert shell(f"fdaa nonsense {redirect}", env=unbuffered).returncode == 2


def test_a_closed_stream_is_said_where_it_can_be() -> None:
    for script in ("fdaa decode - <&-", "fdaa decode fdaa::1 - <&-"):
        result = shell(script)
        assert (result.stderr, result.returncode) == (b"fdaa: standard input is closed\n", 2)
    for script in ("fdaa decode x <&-", "fdaa decode x >&-", "fdaa decode <&-"):
        result = shell(script)
        assert result.returncode == 2
        assert b"Traceback" not in result.stderr


def test_a_pause_of_non_blocking_input_is_not_its_end() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    with start("decode", "--field", "input", stdin=ours) as process:
        os.close(ours)
        for line in (b"fdaa::1\n", b"fdaa::2\n"):
            os.write(theirs, line)
            assert process.stdout.readline() == line
        os.close(theirs)
        process.communicate(timeout=60)
        assert process.returncode == 0


def test_no_line_of_ours_can_be_forged() -> None:
    for arguments in (("build", "1", "2", "3\nfdaa: forged"), ("build", "1\nfdaa: forged")):
        result = invoke(*arguments)
        assert "\nfdaa: forged" not in result.stderr
        assert "\\nfdaa: forged" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pipes that keep writes apart")
def test_a_message_is_written_in_one_piece() -> None:
    """Else what another program prints may come between it and its line end."""
    reading, writing = os.pipe2(os.O_DIRECT)
    with os.fdopen(writing, "wb") as errors:
        subprocess.run(
            [sys.executable, "-m", "fdaa", "decode", "here", "there"],
            env=environ(PYTHONUNBUFFERED="1"),
            stderr=errors,
            check=False,
        )
    first = os.read(reading, 65536)
    os.close(reading)
    assert first.startswith(b"fdaa: 'here' is neither an address")
    assert first.endswith(b"\n")
    assert b"there" not in first
