"""A real MariaDB of the tests' own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sql_servers import Program, need

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECONDS = 60  # to start, or to stop


MARIADB = Program("/usr/sbin/mariadbd", "mariadb-server")


@contextmanager
def mariadb() -> Iterator[str]:
    """Start a server; yield the URL with which SQLAlchemy finds it."""
    need("pymysql")
    with server() as path:
        yield f"mariadb+pymysql://root@/english?unix_socket={path}"


@contextmanager
def server() -> Iterator[str]:
    """Start a server with an empty database `english`; yield its socket."""
    MARIADB.need()
    with tempfile.TemporaryDirectory(prefix="fdaa-") as name:
        directory = Path(name)
        if os.geteuid() == 0:  # it changes to that user then
            shutil.chown(directory, "mysql")
        options = ["--no-defaults", "--user=mysql", f"--datadir={directory}/data"]
        options.append(f"--tmpdir={directory}")  # TMPDIR can be another user's
        install = ["mariadb-install-db", *options, "--auth-root-authentication-method=normal"]
        subprocess.run(install, stdout=subprocess.DEVNULL, check=True)
        path = f"{directory}/socket"
        options += [f"--socket={path}", "--skip-networking", "--local-infile"]
        process = _started(["mariadbd", *options], directory)
        try:
            run_script("CREATE DATABASE english CHARACTER SET utf8mb4", path, database="")
            yield path
        finally:
            process.terminate()
            process.wait(_SECONDS)


def run_script(script: str, path: str, database: str = "english") -> str:
    """Run a script on the server with this socket; return what the client prints.

    Raises:
        RuntimeError: a statement failed.
    """
    command = ["mariadb", "--no-defaults", "--user=root", f"--socket={path}"]
    command += ["--batch", "--raw", "--skip-column-names", "--local-infile", database]
    done = subprocess.run(command, input=script.encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return done.stdout.decode()


def _started(command: list[str], directory: Path) -> subprocess.Popen[bytes]:
    """Start a server, and return when it says, as it says to systemd, that it is ready."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as notified:
        address = directory / "notify"
        notified.bind(str(address))
        address.chmod(0o666)
        notified.settimeout(_SECONDS)
        environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
        with (directory / "log").open("wb") as log:
            process = subprocess.Popen(command, env=environment, stderr=log)
        while b"READY=1" not in notified.recv(4096):
            pass
        return process
