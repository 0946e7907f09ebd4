"""Limits of the system, and faults: a probe does what it can, and says what it could not try.

Status 1 is a result (a response said no), so a fault never has it.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from command import COMMAND, environ, invoke, records

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534


@pytest.fixture
def opened() -> Iterator[int]:
    """Yield a port of ::1 that is open."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        yield listener.getsockname()[1]


def script(source: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", source]
    return subprocess.run(
        command, env=environ(), capture_output=True, text=True, check=False, timeout=60
    )


def test_without_a_file_descriptor_nothing_is_concluded(opened: int) -> None:
    result = script(f"""
import resource
from fdaa.probe import probe
list(probe("[::1]:{opened}"))
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
*_, made, first, second = probe("[::1]:{opened}", "name.example:80", timeout=3600)
for conclusion in first, second:
    print(conclusion.is_open, *conclusion.counts, len(conclusion.facts))
print(made.error)
""")
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "None here 0",
        "None here 0",
        "Too many open files",
    ]


def test_a_name_that_could_not_be_looked_up_is_not_a_name_that_does_not_exist() -> None:
    """No file is left for the resolver."""
    result = script("""
import resource
from fdaa.probe import probe
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
*_, lookup, conclusion = probe("localhost:80", timeout=3600)
print(lookup.phase, lookup.error, conclusion.is_open)
""")
    assert (result.stderr, result.stdout) == ("", "here Too many open files None\n")


# The room for memory is too small for the stack of a thread.
_NO_MEMORY = """
import re, resource, sys
from pathlib import Path
from fdaa.cli.main import fdaa
from fdaa.cli.commands import probe
in_use = int(re.search(r"VmSize:\\s*([0-9]+)", Path("/proc/self/status").read_text())[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (in_use + 4_000_000, in_use + 4_000_000))
fdaa(["probe", "--json", *sys.argv[1:]])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_without_memory_for_a_thread_addresses_are_still_probed(opened: int) -> None:
    command = [sys.executable, "-c", _NO_MEMORY, f"[::1]:{opened}", "name.example:80"]
    check_without_threads(subprocess.run(command, env=environ(), capture_output=True, check=False))


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
def test_without_another_process_addresses_are_still_probed(opened: int) -> None:
    command = ["prlimit", "--nproc=0", *COMMAND, "probe", "--json"]
    if os.geteuid() == 0:  # who has no limit: another user, who can read this Python
        may_read = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
        command = ["setpriv", f"--reuid={NOBODY}", *may_read, *command]
    command += [f"[::1]:{opened}", "name.example:80"]
    env = environ(PYTHONDONTWRITEBYTECODE="1")
    check_without_threads(subprocess.run(command, env=env, capture_output=True, check=False))


def check_without_threads(result: subprocess.CompletedProcess[bytes]) -> None:
    assert (result.returncode, result.stderr) == (3, b"")
    *_, address, name = records(result.stdout.decode())
    assert address["open"] is True
    (explained,) = name["phases"]
    assert explained["phase"] == "here"
    assert "at a limit of files, processes or memory" in explained["checks"][0]


_CANNOT_LOAD = """
import resource, sys
from fdaa.__main__ import main
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
sys.argv = ["fdaa", "probe", "::1"]
main()
"""


def test_a_command_that_cannot_be_loaded_is_one_line_and_not_status_1() -> None:
    result = script(_CANNOT_LOAD)
    assert (result.returncode, result.stdout) == (3, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("fdaa: cannot start: ")


def test_a_fault_is_one_line_and_not_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: str, **__: float) -> Iterator[object]:
        raise RuntimeError("a fault")

    monkeypatch.setattr("fdaa.cli.commands.probe.run_probe", fail)
    result = invoke("probe", "::1")
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert line.startswith("fdaa: internal error: RuntimeError: a fault (")
