"""The client's own cost: a call of `fdaa.platform` against the same request of bare httpx2.

    python -m benchmarks.platform [--rounds 7]

- `call`: the apps of an organization that has two, requested over one connection from a server in
  another process that does nothing else. Against it, `httpx2.Client.get` with the same headers, and
  `json()`. Processor time; wanted: at most 1.4 times as much. `row` is what a list costs for each
  app in it.
- `list`: 10,000 apps listed and joined with `NetworkMap`. Wanted: under 2 seconds on the clock.

Each figure is the median of interleaved rounds. Before it is timed, the answers are compared.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import socket
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx2

from fdaa.networks import NetworkMap
from fdaa.platform import Client

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = 200
SMALL, LARGE = 2, 10_000
TOKEN = "benchmark"  # noqa: S105 - nobody checks it


def app_list(apps: int) -> bytes:
    """Return the answer of the API for so many apps, two on each network."""
    rows = [
        {
            "id": f"{i:014x}",
            "name": f"app-{i}",
            "machine_count": 1,
            "volume_count": 0,
            "network": f"customer-{i // 2}",
        }
        for i in range(apps)
    ]
    return json.dumps({"total_apps": apps, "apps": rows}).encode()


def serve(listener: socket.socket) -> None:
    """Answer every request with a list: `org_slug` says how many apps."""
    heads = {}
    for apps in (SMALL, LARGE):
        body = app_list(apps)
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        heads[f"org_slug={apps} ".encode()] = head.encode() + body
    while True:
        connection, _ = listener.accept()
        with connection:
            while request := connection.recv(65536):
                connection.sendall(next(answer for key, answer in heads.items() if key in request))


def seconds(operation: Callable[[], object], times: int, clock: Callable[[], float]) -> float:
    """Return how long one call takes, of so many."""
    started = clock()
    for _ in range(times):
        operation()
    return (clock() - started) / times


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.platform", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = multiprocessing.get_context("fork").Process(target=serve, args=(listener,))
        server.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            measure(url, rounds)
        finally:
            server.terminate()
            server.join()


def measure(url: str, rounds: int) -> None:
    """Time both clients at one server, one connection after the other."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    place = f"{url}/v1/apps?org_slug={SMALL}"
    ours: list[float] = []
    theirs: list[float] = []
    rows: list[float] = []
    joins: list[float] = []
    for _ in range(rounds):
        with Client(url, TOKEN) as client:
            names = [app.name for app in client.list_apps(str(SMALL))]
            ours.append(seconds(partial(client.list_apps, str(SMALL)), CALLS, time.process_time))
            large = seconds(partial(client.list_apps, str(LARGE)), 1, time.process_time)
            rows.append(large / LARGE)
            joins.append(seconds(partial(join, client), 1, time.perf_counter))
        with httpx2.Client(headers=headers) as bare:
            ask = partial(plain, bare, place)
            assert [app["name"] for app in ask()["apps"]] == names
            theirs.append(seconds(ask, CALLS, time.process_time))
    call, bare_call, row, listed = map(statistics.median, (ours, theirs, rows, joins))
    ratio = call / bare_call
    print(f"call: {call * 1e6:.0f} us, bare httpx2 {bare_call * 1e6:.0f} us: {ratio:.2f} times")
    print(f"row:  {row * 1e6:.1f} us")
    print(f"list: {LARGE} apps listed and joined in {listed:.2f} s")


def plain(bare: httpx2.Client, place: str) -> Any:
    """Return the list as bare httpx2 gives it."""
    return bare.get(place).json()


def join(client: Client) -> None:
    """List many apps and join them."""
    joined = NetworkMap([client.list_apps(str(LARGE)).document])
    assert len(joined.networks) == LARGE // 2


if __name__ == "__main__":
    main()
