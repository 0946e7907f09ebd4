"""Files that a program gives: the rooms take the same things, and have the same errors."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Any

import pytest

from fdaa.networks import read_document
from fdaa.scan import count, find_in_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DATA = b'[{"id": "m1", "private_ip": "fdaa:0:18::3"}]'


def found_in(file: Any) -> list[str]:
    return [str(match.value) for match in find_in_file(file)]


def counted_in(file: Any) -> list[str]:
    return [str(network.network_id.prefix.address) + "3" for network in count([file])]


def read_from(file: Any) -> list[str]:
    document = read_document(file, app="web", file="machines.json")
    return [str(machine.address) for machine in document.machines]


READERS = [found_in, counted_in, read_from]


@pytest.mark.parametrize("read", READERS)
def test_a_missing_file_is_the_error_of_open(read: Callable[[Any], Any], tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for path in (missing, str(missing)):
        with pytest.raises(FileNotFoundError):
            read(path)


@pytest.mark.parametrize("read", READERS)
def test_a_path_and_an_open_file_are_read_alike(
    read: Callable[[Any], list[str]], tmp_path: Path
) -> None:
    path = tmp_path / "machines.json"
    path.write_bytes(DATA)
    packed = gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(DATA)))
    with path.open("rb") as buffered, path.open("rb", buffering=0) as raw, packed:
        for file in (path, str(path), io.BytesIO(DATA), buffered, raw, packed):
            assert read(file) == ["fdaa:0:18::3"]
