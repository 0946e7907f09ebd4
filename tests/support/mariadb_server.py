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

import pytest
from sql_engines import need

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECONDS = 60  # to start, or to stop


@contextmanager
def mariadb() -> Iterator[str]:
    """Start a server; yield the URL with which SQLAlchemy finds it."""
    need("pymysql")
    if shutil.which("mariadbd") is None:
        pytest.skip("MariaDB is not installed; Debian's package `mariadb-server` has it")
    with tempfile.TemporaryDirectory(prefix="fdaa-") as name:
        directory = Path(name)
        if os.geteuid() == 0:  # it changes to that user then
            shutil.chown(directory, "mysql")
        options = ["--no-defaults", "--user=mysql", f"--datadir={directory}/data"]
        install = ["mariadb-install-db", *options, "--auth-root-authentication-method=normal"]
        subprocess.run(install, stdout=subprocess.DEVNULL, check=True)
        options += [f"--socket={directory}/socket", "--skip-networking"]
        server = _started(["mariadbd", *options], directory)
        try:
            create = ["-e", "CREATE DATABASE english CHARACTER SET utf8mb4"]
            client = ["mariadb", "--no-defaults", "--user=root", f"--socket={directory}/socket"]
            subprocess.run([*client, *create], check=True)
            yield f"mariadb+pymysql://root@/english?unix_socket={directory}/socket"
        finally:
            server.terminate()
            server.wait(_SECONDS)


def _started(command: list[str], directory: Path) -> subprocess.Popen[bytes]:
    """Start a server, and return when it says, as it says to systemd, that it is ready."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as notified:
        address = directory / "notify"
        notified.bind(str(address))
        address.chmod(0o666)
        notified.settimeout(_SECONDS)
        environment = {**os.environ, "NOTIFY_SOCKET": str(address)}
        with (directory / "log").open("wb") as log:
            server = subprocess.Popen(command, env=environment, stderr=log)
        while b"READY=1" not in notified.recv(4096):
            pass
        return server
