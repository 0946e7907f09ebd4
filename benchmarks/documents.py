"""Documents: the join, beside `json.loads` on the same documents, in processes of their own."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Row
from fdaa.networks import NetworkMap, parse_document

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE = 100_000  # apps, two on each network, with three Machines each
CONFIG = {"env": {"PORT": "8080"}, "guest": {"cpus": 1}, "image": "registry/web:v12"}


def rows(*, small: bool) -> Iterator[Row]:
    """Yield the rows of this area: processor time."""
    apps = LARGE
    if small:
        apps = 1_000
    for shape in ("a status document for each app", "all Machines in one list"):
        data = documents(apps, shape)
        check(join(data), apps)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\n".join(data))
            file.flush()
            found = {what: _measured(what, file.name) for what in ("join", "load")}
        job = f"join of {apps:,} apps, {shape}"
        yield Row(job, found["join"], "`json.loads`", found["load"])


def documents(apps: int, shape: str) -> list[bytes]:
    """Return an app list, and the Machines in one shape."""
    draw = random.Random(1)
    listed = [{"name": f"app-{app}", "network": f"customer-{app // 2}"} for app in range(apps)]
    machines = [_machines(app, draw) for app in range(apps)]
    written: list[Any] = [{"total_apps": apps, "apps": listed}]
    if shape.startswith("all"):
        written.append([machine for each in machines for machine in each])
    else:
        written += [{"Name": f"app-{app}", "Machines": its} for app, its in enumerate(machines)]
    return [json.dumps(document).encode() for document in written]


def _machines(app: int, draw: random.Random) -> list[dict[str, Any]]:
    high, low = divmod(app // 2, 65536)
    machines = []
    for number in range(3):
        address = f"fdaa:{high:x}:{low:x}:a7b:{app >> 16:x}:{app & 0xFFFF:x}:2:{number}"
        identifier = f"{draw.getrandbits(56):014x}"
        machines.append({"id": identifier, "private_ip": address, "config": CONFIG})
    return machines


def join(data: list[bytes]) -> NetworkMap:
    """Read and join documents."""
    return NetworkMap([parse_document(each, file=f"{i}.json") for i, each in enumerate(data)])


def load(data: list[bytes]) -> list[object]:
    """Do only the part of the job that no one can leave out."""
    return [json.loads(each) for each in data]


def check(joined: NetworkMap, apps: int) -> None:
    """Stop unless the join gave back what was made."""
    assert len([row for row in joined.networks if row.name is not None]) == apps // 2
    assert not joined.contradictions
    assert sum(row.machine_count or 0 for row in joined.networks) == 3 * apps


def _measured(what: str, file: str) -> float:
    command = [sys.executable, "-m", "benchmarks.documents", what, file]
    return float(subprocess.check_output(command))


def measure(what: str, path: str) -> None:
    """Print the processor time of one run, in seconds."""
    data = Path(path).read_bytes().split(b"\n")
    start = time.process_time()
    _kept = {"load": load, "join": join}[what](data)
    print(time.process_time() - start)


if __name__ == "__main__":
    measure(sys.argv[1], sys.argv[2])
