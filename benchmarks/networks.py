"""The join of organizations of two sizes, against `json.loads` on the same documents.

    python -m benchmarks.networks [--rounds 3]

- `small`: 600 apps on 300 networks with three Machines each: an app list, and a directory with a
  Machine list for each app. The whole command is timed, its start included: wanted under 0.2 s.
- `status`: 100,000 apps on 50,000 networks with 300,000 Machines: an app list, and a status
  document for each app, Machines with their configuration, as tools print them.
- `one`: the same, all Machines in one list, which does not tell whose they are.
- `growth`: 5,000, 10,000 and 20,000 apps on one network, after the join: 300 stale addresses
  (`find_holder`), 100 verdicts on two apps (`reach`), 1,000 allocated addresses
  (`check_allocations`), and the networks that reach each app (`clients_of`). The largest takes 4
  times the smallest where it is linear, 16 times where it is quadratic.

Of the large ones the join is timed in a process of its own: processor time, and by how much its
peak of memory grows over that of a process that only holds the documents' bytes. Wanted: 10 seconds
and 1 GB. Each figure is the median of interleaved rounds. What is timed is checked first: the join
gives back the organization that was made.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdaa import Address
from fdaa.networks import NetworkMap, check_allocations, find_holder, parse_document, reach

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL, LARGE = 600, 100_000  # apps
MACHINES_EACH = 3
CONFIG = {
    "env": {"PORT": "8080", "LOG_LEVEL": "info"},
    "guest": {"cpu_kind": "shared", "cpus": 1, "memory_mb": 256},
    "services": [{"protocol": "tcp", "internal_port": 8080, "ports": [{"port": 443}]}],
    "image": "registry/web:v12",
}
_PLAIN = "import json, sys; [json.load(open(file, 'rb')) for file in sys.argv[1:]]"


def network_of(app: int) -> int:
    """Return the number, and in this organization the ID, of an app's network."""
    return app // 2


def app_list(apps: int) -> bytes:
    """Return the app list of an organization, as the API answers it."""
    rows = [
        {"id": f"{app:014x}", "name": f"app-{app}", "network": f"customer-{network_of(app)}"}
        for app in range(apps)
    ]
    return json.dumps({"total_apps": apps, "apps": rows}).encode()


def machines(app: int, draw: random.Random) -> list[dict[str, Any]]:
    """Return the Machines of an app, as the API answers them."""
    high, low = divmod(network_of(app), 65536)
    prefix = f"fdaa:{high:x}:{low:x}:a7b"
    return [
        {
            "id": f"{draw.getrandbits(56):014x}",
            "name": f"machine-{app}-{i}",
            "state": "started",
            "private_ip": f"{prefix}:{draw.getrandbits(16):x}:{draw.getrandbits(16):x}:2:{i}",
            "config": CONFIG,
        }
        for i in range(MACHINES_EACH)
    ]


def documents(shape: str) -> list[bytes]:
    """Return the documents of the large organization; the first is its app list."""
    draw = random.Random(1)
    rows = [machines(app, draw) for app in range(LARGE)]
    if shape == "one":
        written: list[Any] = [[machine for its in rows for machine in its]]
    else:
        written = [{"Name": f"app-{app}", "Machines": its} for app, its in enumerate(rows)]
    return [app_list(LARGE), *(json.dumps(each).encode() for each in written)]


def join(data: list[bytes]) -> NetworkMap:
    """Read and join documents."""
    return NetworkMap([parse_document(each, file=f"{i}.json") for i, each in enumerate(data)])


def check(joined: NetworkMap, shape: str) -> None:
    """Stop unless the join gave back what was made."""
    named = [row for row in joined.networks if row.name is not None]
    assert len(named) == LARGE // 2, "a row for each network"
    assert not joined.contradictions, "nothing contradictory"
    assert not joined.problems, "nothing wrong"
    seen = sum(row.machines or 0 for row in joined.networks)
    assert seen == LARGE * MACHINES_EACH, "each Machine counted once"
    if shape == "status":
        assert all(row.name == f"customer-{int(row.network_id or 0)}" for row in named)


# --- the large ones, each measured in a process of its own ----------------------------------------


def measure(what: str, path: str) -> None:
    """Print the processor time, in seconds, and the growth of the peak, in MiB, of one run."""
    with Path(path).open("rb") as lines:
        data = list(lines)
    before, start = peak(), time.process_time()
    kept = [json.loads(each) for each in data] if what == "load" else join(data)
    print(time.process_time() - start, peak() - before)
    del kept


def peak() -> float:
    """Return this process's peak, in MiB; getrusage would tell its parent's (Linux)."""
    status = Path("/proc/self/status").read_text()
    lines = (line.split() for line in status.splitlines())
    return next(int(line[1]) / 1024 for line in lines if line[0] == "VmHWM:")


def compare_large(shape: str, rounds: int) -> None:
    """Print what joining the large organization costs."""
    data = documents(shape)
    check(join(data), shape)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"\n".join(data))
        file.flush()
        del data
        found: dict[str, list[list[float]]] = {"load": [], "join": []}
        for _ in range(rounds):
            for what, results in found.items():
                command = [sys.executable, "-m", "benchmarks.networks", "--measure", what]
                run = subprocess.run([*command, file.name], check=True, capture_output=True)
                results.append([float(each) for each in run.stdout.split()])
    (load, held), (joining, grown) = (
        [statistics.median(column) for column in zip(*results, strict=True)]
        for results in found.values()
    )
    print(
        f"{shape:7} {joining:.1f} s, {joining / load:.2f} times json.loads (goal 10 s);"
        f" {grown:.0f} MiB, {grown / held:.2f} times (goal 1,000)",
        flush=True,
    )


# --- the small one: the whole command -------------------------------------------------------------


def compare_small(rounds: int) -> None:
    """Print what the command takes for the small organization."""
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        apps, lists = directory / "apps.json", directory / "machines"
        apps.write_bytes(app_list(SMALL))
        lists.mkdir()
        for app in range(SMALL):
            (lists / f"app-{app}.json").write_text(json.dumps(machines(app, draw)))
        fdaa = str(Path(sys.executable).with_name("fdaa"))
        command = [fdaa, "networks", "--apps", str(apps), "--machines", f"{lists}/"]
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert len(shown.splitlines()) == 1 + SMALL // 2, "a line for each network"
        plain = [sys.executable, "-c", _PLAIN, str(apps), *map(str, sorted(lists.iterdir()))]
        base, taken = _interleaved(max(rounds, 9), lambda: _run(plain), lambda: _run(command))
    print(f"small   {taken:.3f} s, {taken / base:.2f} times Python with json.load (goal 0.2 s)")


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _interleaved(rounds: int, *calls: Callable[[], object]) -> list[float]:
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, taken in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


# --- growth ---------------------------------------------------------------------------------------

SIZES = (5_000, 10_000, 20_000)  # apps


def crowded(apps: int) -> NetworkMap:
    """Return the map of an organization with all apps on one network, and 1,000 allocations."""
    rows = [{"name": f"app-{app}", "network": "customer"} for app in range(apps)]
    read = [parse_document(json.dumps({"apps": rows}), file="apps.json")]
    for app in range(apps):
        machine = {"id": f"m{app}", "private_ip": str(Address.build(1, app + 1))}
        read.append(parse_document(json.dumps([machine]), file=f"{app}.json", app=f"app-{app}"))
    addresses = [str(Address.build(2, number + 1)) for number in range(1_000)]
    read.append(parse_document(json.dumps(addresses), file="ips.json", app="app-0"))
    return NetworkMap(read)


def compare_growth(rounds: int) -> None:
    """Print what questions take among more and more apps."""
    stale = Address.build(1, 2**32)
    small = crowded(10)
    assert len(find_holder(stale, small).looked_at) == 10, "all apps were searched"
    assert reach("app-1", "app-0", small).reachable, "they are on one network"
    assert len(check_allocations(small)) == 1_000, "each allocation is checked"
    questions: dict[str, Callable[[NetworkMap], object]] = {
        "find_holder": lambda each: [find_holder(stale, each) for _ in range(300)],
        "reach": lambda each: [reach("app-1", "app-0", each) for _ in range(100)],
        "check_allocations": check_allocations,
        "clients_of": lambda each: [each.clients_of(app) for app in each.networks[0].apps],
    }
    for name, ask in questions.items():
        times = []
        for apps in SIZES:
            taken = []
            for _ in range(rounds):
                joined = crowded(apps)
                start = time.perf_counter()
                ask(joined)
                taken.append(time.perf_counter() - start)
            times.append(statistics.median(taken))
        shown = ", ".join(f"{taken:.3f} s" for taken in times)
        print(f"growth  {name:17} {shown}: {times[-1] / times[0]:.1f} times for 4 times the apps")


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(*options.measure)
        return
    compare_small(options.rounds)
    compare_growth(options.rounds)
    for shape in ("status", "one"):
        compare_large(shape, options.rounds)


if __name__ == "__main__":
    main()
