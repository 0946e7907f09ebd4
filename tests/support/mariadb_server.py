"""A real MariaDB of the tests' own, which starts once in a process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sql_servers import Program, keep, need, new_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECONDS = 60  # to start, or to stop


MARIADB = Program("/usr/sbin/mariadbd", "mariadb-server")


class Server(NamedTuple):
    """A server with an empty database."""

    socket: str
    database: str

    @property
    def url(self) -> str:
        """The URL with which SQLAlchemy finds it."""
        need("pymysql")
        return f"mariadb+pymysql://root@/{self.database}?unix_socket={self.socket}"

    def run(self, script: str) -> str:
        """Run a script; return what the client prints.

        Raises:
            RuntimeError: a statement failed.
        """
        command = ["mariadb", "--no-defaults", "--user=root", f"--socket={self.socket}"]
        command += ["--batch", "--raw", "--skip-column-names", "--local-infile", self.database]
        done = subprocess.run(command, input=script.encode(), capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        return done.stdout.decode()


def server() -> Server:
    """Return the server of this process, with a new database."""
    MARIADB.need()
    name = new_name()
    Server(_socket(), "").run(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
    return Server(_socket(), name)


@cache
def _socket() -> str:
    """Start a server; return its socket."""
    return keep(_running())


@contextmanager
def _running() -> Iterator[str]:
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
            yield path
        finally:
            process.terminate()
            process.wait(_SECONDS)


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
