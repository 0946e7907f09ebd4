"""Files that a program gives: the rooms take the same things, and have the same errors."""

from __future__ import annotations

import gzip
import io
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from fdaa.networks import read_document
from fdaa.scan import count, find_in_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def count_one(file: Any) -> Any:
    (counted,) = count([file])
    return counted


def find_all(file: Any) -> Any:
    return list(find_in_file(file))


def read_machines(file: Any) -> Any:
    return read_document(file, app="web", file="machines.json")


@pytest.mark.parametrize("read", [count_one, find_all, read_document])
def test_a_missing_file_is_the_error_of_open(read: Callable[[Any], Any], tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(OSError, match="No such file or directory") as expected:
        missing.read_bytes()
    for path in (missing, str(missing)):
        with pytest.raises(FileNotFoundError) as caught:
            read(path)
        assert caught.value.filename == str(missing)
        assert caught.value.errno == expected.value.errno


def test_a_path_and_an_open_file_are_read_alike(tmp_path: Path) -> None:
    data = b'[{"id": "m1", "private_ip": "fdaa:0:18::3"}]'
    path = tmp_path / "machines.json"
    path.write_bytes(data)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(data))
    found = find_all(path)
    assert [str(match.value) for match in found] == ["fdaa:0:18::3"]
    counted = count_one(path)
    document = read_machines(path)
    assert [str(machine.address) for machine in document.machines] == ["fdaa:0:18::3"]
    assert find_all(str(path)) == find_all(packed) == found
    assert count_one(str(path)) == counted
    assert read_machines(str(path)) == document
    for open_again in (
        partial(io.BytesIO, data),
        partial(path.open, "rb"),
        partial(path.open, "rb", buffering=0),
        partial(gzip.open, packed),
    ):
        with open_again() as file:
            assert find_all(file) == found
        with open_again() as file:
            assert replace(count_one(file), file=str(path)) == counted
        with open_again() as file:
            assert read_machines(file) == document
