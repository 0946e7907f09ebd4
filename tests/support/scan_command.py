"""`fdaa scan` on one log, whose matches are known."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from command import as_in_a_machine, environ, invoke, run

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def out(
    *arguments: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    **variables: str,
) -> bytes:
    known = {**(env or {}), **variables}
    if stdin or not arguments:
        result = run("scan", *arguments, stdin=stdin, env=known)
        assert result.stderr == b""
        return result.stdout
    # Files are as real, and it is faster.
    in_process = invoke("scan", *arguments, env=known)
    assert as_in_a_machine(in_process.stderr) == ""
    return in_process.stdout_bytes


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
