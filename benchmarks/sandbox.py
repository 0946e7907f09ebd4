"""`python -m benchmarks.sandbox`: what a sandbox does in a second, and the memory that it takes.

One client on one connection, one request after the other; each answer is checked. The sandbox is
the process `fdaa sandbox` with a state directory, so each change is on the disk when it is
answered.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from socket import AF_UNIX, socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

REQUESTS = 500
APPS = 2000


class Client:
    """One connection to the API or to a Machine's socket."""

    def __init__(self, connection: http.client.HTTPConnection, token: str = "") -> None:
        self._connection = connection
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def send(self, method: str, path: str, body: object, status: int) -> bytes:
        """Send a request, and stop where the answer is another one than expected."""
        text = None if body is None else json.dumps(body)
        self._connection.request(method, path, text, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == status, (path, answer.status, content)
        return content


def main() -> None:
    """Print the figures as JSON Lines."""
    with tempfile.TemporaryDirectory() as directory:
        began = time.perf_counter()
        command = [sys.executable, "-m", "fdaa", "sandbox", "--state", directory, "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            try:
                assert process.stdout is not None
                variables = json.loads(process.stdout.readline())
                tell("start", time.perf_counter() - began, "s")
                measure(variables, process.pid)
            finally:
                process.terminate()


def measure(variables: dict[str, str], pid: int) -> None:
    """Measure a running sandbox."""
    tell("memory, empty", memory(pid), "MiB")
    port = int(variables["FDAA_API_URL"].rpartition(":")[2])
    api = Client(http.client.HTTPConnection("127.0.0.1", port), variables["FDAA_API_TOKEN"])

    def create(number: int) -> None:
        body = {"app_name": f"app-{number}", "org_slug": "acme", "network": f"n-{number % 50}"}
        api.send("POST", "/v1/apps", body, 201)

    rate("create", create)
    rate("list 500 apps", lambda _: api.send("GET", "/v1/apps?org_slug=acme", None, 200))
    made = json.loads(api.send("POST", "/sandbox/machines", {"app_name": "app-0"}, 201))
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket(AF_UNIX)
    connection.sock.connect(made["socket"])
    machine = Client(connection)
    rate("token (RS256)", lambda _: machine.send("POST", "/v1/tokens/oidc", None, 200))
    rate("destroy", lambda number: api.send("DELETE", f"/v1/apps/app-{number}", None, 202))
    for number in range(APPS):
        create(number)
    listed = json.loads(api.send("GET", "/v1/apps?org_slug=acme", None, 200))
    assert listed["total_apps"] == APPS
    tell(f"memory, {APPS} apps", memory(pid), "MiB")


def rate(what: str, request: Callable[[int], object]) -> None:
    """Tell how many requests a second are answered."""
    began = time.perf_counter()
    for number in range(REQUESTS):
        request(number)
    tell(what, REQUESTS / (time.perf_counter() - began), "requests/s")


def memory(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def tell(what: str, figure: float, unit: str) -> None:
    """Print one figure."""
    print(json.dumps({"what": what, "figure": round(figure, 2), "unit": unit}), flush=True)


if __name__ == "__main__":
    main()
