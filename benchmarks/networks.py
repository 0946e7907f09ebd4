"""The join of a large organization and its book, against `json.loads` on the same documents.

    python benchmarks/networks.py [--apps 100000] [--rounds 3]

100,000 apps on 50,000 networks with three Machines each: one app list, and the Machines four ways:

- `status`: a status document for each app, Machines with their configuration, as tools print them;
- `lists`: a Machine list for each app, Machines with the five fields that every list has;
- `one`: all Machines with their configuration in one list, which does not tell whose they are;
- `bare`: that list with five fields each. Nothing can be joined: each ID is a row without a name.

Time is the median of interleaved rounds, in times of `json.loads` twice over: where what it makes
is dropped, document by document, and where all of it is held (so that Python's garbage collector
goes through it again and again). Memory is the growth of a fresh process's peak, all held. What is
timed is checked first: the join gives back the organization that was made, the book what it
learned.

And a book of 50,000 networks: loading it, and a look-up in it beside one in a book of 50.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdaa import Address, NetworkID
from fdaa.networks._book import Book, learn
from fdaa.networks._documents import parse_document
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import Evidence, Origin

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = ("status", "lists", "one", "bare")
MACHINES_EACH = 3
CONFIG = {
    "env": {"PORT": "8080", "LOG_LEVEL": "info"},
    "guest": {"cpu_kind": "shared", "cpus": 1, "memory_mb": 256},
    "services": [{"protocol": "tcp", "internal_port": 8080, "ports": [{"port": 443}]}],
    "image": "registry/web:v12",
}


def network_of(app: int) -> int:
    """Return the number, and in this organization the ID, of an app's network."""
    return app // 2


def make(apps: int, shape: str) -> list[bytes]:
    """Return an organization's documents; the first is its app list."""
    draw = random.Random(1)
    listed = [
        {
            "id": f"{draw.getrandbits(56):014x}",
            "name": f"app-{app}",
            "machine_count": MACHINES_EACH,
            "volume_count": 0,
            "network": f"customer-{network_of(app)}",
        }
        for app in range(apps)
    ]
    documents = [json.dumps({"total_apps": apps, "apps": listed})]
    rows: list[dict[str, Any]] = []
    for app in range(apps):
        high, low = divmod(network_of(app), 65536)
        for i in range(MACHINES_EACH):
            rest = ":".join(f"{draw.getrandbits(16):x}" for _ in range(3))
            row: dict[str, Any] = {
                "id": f"{draw.getrandbits(56):014x}",
                "name": f"machine-{app}-{i}",
                "state": "started",
                "region": "sea",
                "private_ip": f"fdaa:{high:x}:{low:x}:a7b:{rest}:2",
            }
            if shape in ("status", "one"):
                row |= {"instance_id": f"{draw.getrandbits(120):030x}", "config": CONFIG}
            rows.append(row)
        if shape in ("status", "lists"):
            status = {"Name": f"app-{app}", "Machines": rows}
            documents.append(json.dumps(status if shape == "status" else rows))
            rows = []
    if rows:
        documents.append(json.dumps(rows))
    return [document.encode() for document in documents]


def load(documents: list[bytes]) -> list[Any]:
    """Do what the join is measured against."""
    return [json.loads(document) for document in documents]


def load_and_drop(documents: list[bytes]) -> None:
    """Do it without keeping anything, as the join keeps none of the JSON either."""
    for document in documents:
        json.loads(document)


def join(documents: list[bytes]) -> NetworkMap:
    """Read and join the documents; the second and later ones of many are of an app each."""
    listed, *machines = documents
    apps = [None] if len(machines) == 1 else [f"app-{app}" for app in range(len(machines))]
    read = (
        parse_document(data, f"{app}.json", app) for data, app in zip(machines, apps, strict=True)
    )
    return NetworkMap(chain([parse_document(listed, "apps.json")], read))


def check(joined: NetworkMap, apps: int, shape: str) -> None:
    """Stop unless the join gave back what was made."""
    named = [row for row in joined.networks if row.name is not None]
    assert len(named) == (apps + 1) // 2, "a row for each network"
    assert not joined.contradictions, "nothing contradictory"
    assert not joined.problems, "nothing wrong"
    machines = sum(row.machines for row in joined.networks)
    assert machines == apps * MACHINES_EACH, "each Machine counted once"
    if shape in ("status", "lists"):
        for row in named:
            assert row.name == f"customer-{int(row.network_id or 0)}", row


def time_book(networks: int, rounds: int) -> None:
    """Print what loading a book costs, and whether a look-up depends on its size."""
    with tempfile.TemporaryDirectory() as directory:
        paths = {size: Path(directory) / f"{size}.json" for size in (50, networks)}
        for size, path in paths.items():
            sources = (Origin("apps.json", "apps[3].network"), Origin("m.json", "[0].private_ip"))
            ids = map(NetworkID, range(size))
            learn(
                path,
                (
                    Evidence(
                        f"customer-{int(id_)}",
                        id_,
                        f"app-{int(id_)}",
                        str(Address.build(id_, 3)),
                        sources,
                    )
                    for id_ in ids
                ),
            )
        path = paths[networks]
        books = {size: Book.load(path) for size, path in paths.items()}
        assert books[networks].id_of("customer-49") == 49, "the book has what it learned"
        plain, checked = interleaved(
            rounds, lambda: json.loads(path.read_bytes()), lambda: Book.load(path)
        )
        print(f"book    time {checked / plain:.2f} ({plain:.3f} s -> {checked:.3f} s)")

    def look_up(book: Book) -> None:
        for _ in range(20_000):
            book.id_of("customer-49")
            book.name_of(49)

    small, large = interleaved(rounds, lambda: look_up(books[50]), lambda: look_up(books[networks]))
    print(f"look-up time {large / small:.2f} of one in a book of 50")


def interleaved(rounds: int, *calls: Callable[[], object]) -> list[float]:
    """Return each call's median time, in seconds."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, taken in zip(calls, times, strict=True):
            gc.collect()
            start = time.perf_counter()
            result = call()
            taken.append(time.perf_counter() - start)
            del result
    return [statistics.median(taken) for taken in times]


def peak_growth(what: str, apps: int, shape: str) -> int:
    """Return by how many KiB a fresh process's peak grows when it loads or joins."""
    command = [sys.executable, __file__, "--apps", str(apps), "--grow", what, "--shape", shape]
    return int(subprocess.run(command, check=True, capture_output=True).stdout)


def grow(what: str, apps: int, shape: str) -> None:
    """Print by how much this process's peak grows; another process makes the documents."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "documents"
        command = [sys.executable, __file__, "--apps", str(apps), "--write", str(path)]
        subprocess.run([*command, "--shape", shape], check=True)
        with path.open("rb") as lines:
            documents = list(lines)
    before = peak()
    kept = load(documents) if what == "load" else join(documents)
    print(peak() - before)
    del kept


def peak() -> int:
    """Return this process's peak, in KiB; getrusage would tell its parent's (Linux)."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def main() -> None:
    """Run the benchmark and print a table of ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--apps", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shape", choices=SHAPES)
    parser.add_argument("--grow", choices=("load", "join"), help=argparse.SUPPRESS)
    parser.add_argument("--write", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        Path(options.write).write_bytes(b"\n".join(make(options.apps, options.shape)))
        return
    if options.grow:
        grow(options.grow, options.apps, options.shape)
        return
    time_book(options.apps // 2, max(options.rounds, 9))
    print(f"{options.apps} apps, {options.apps * MACHINES_EACH} Machines; json.loads = 1")
    for shape in SHAPES if options.shape is None else (options.shape,):
        documents = make(options.apps, shape)
        check(join(documents), options.apps, shape)
        dropping, holding, joining = interleaved(
            options.rounds,
            lambda d=documents: load_and_drop(d),
            lambda d=documents: load(d),
            lambda d=documents: join(d),
        )
        held = peak_growth("load", options.apps, shape)
        grown = peak_growth("join", options.apps, shape)
        print(
            f"{shape:7} time {joining / dropping:.2f} of {dropping:.2f} s (dropped),"
            f" {joining / holding:.2f} of {holding:.2f} s (held) -> {joining:.2f} s;"
            f"  memory {grown / held:.2f} ({held // 1024} MiB -> {grown // 1024} MiB)",
            flush=True,
        )


if __name__ == "__main__":
    main()
