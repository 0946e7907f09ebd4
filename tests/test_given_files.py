"""Files that a program gives: the rooms take the same things."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Any

from fdaa.networks import read_document
from fdaa.scan import count, find_in_file

if TYPE_CHECKING:
    from pathlib import Path

DATA = b'[{"id": "m1", "private_ip": "fdaa:0:18::3"}]'


def assert_read(file: Any) -> None:
    (match,) = find_in_file(file)
    assert str(match.value) == "fdaa:0:18::3"


def assert_counted(file: Any) -> None:
    (network,) = count([file])
    assert (str(network.network_id), network.matches) == ("0:18", 1)


def assert_joined(file: Any) -> None:
    (machine,) = read_document(file, app="web", file="machines.json").machines
    assert str(machine.address) == "fdaa:0:18::3"


def test_a_path_and_an_open_file_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "machines.json"
    path.write_bytes(DATA)
    for read in (assert_read, assert_counted, assert_joined):
        packed = gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(DATA)))
        with path.open("rb") as buffered, path.open("rb", buffering=0) as raw, packed:
            for file in (path, str(path), io.BytesIO(DATA), buffered, raw, packed):
                read(file)
