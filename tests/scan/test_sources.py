"""What is read: names, directories and standard input; packed files and UTF-16."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import random
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scan_output import LOG

# Private: the names of many files, the text of one, and what a disk that fails does to it.
from fdaa.scan._names import find_files
from fdaa.scan._sources import _unpacked, open_source
from fdaa.scan.engine import Failure, Options, Piece, Scan, Show

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("b/2.log", "a.log", "b/1.log", "c/d/3.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "b" / "0.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "b" / "link").symlink_to(tmp_path / "c")
    os.mkfifo(tmp_path / "b" / "fifo")
    return tmp_path


def test_directories_are_read_in_order_and_links_in_them_are_not_followed(top: Path) -> None:
    def found(*names: str) -> list[str]:
        paths = [str(top / name) for name in names]
        events = [*Scan(paths, Options(Show.FILES, recursive=True))]
        assert all(isinstance(event, Piece) for event in events)
        printed = b"".join(event.data for event in events if isinstance(event, Piece))
        return [os.path.relpath(name, top) for name in printed.decode().splitlines()]

    assert found(".") == ["a.log", "b/1.log", "b/2.log", "c/d/3.log"]
    assert found("c", "b") == ["c/d/3.log", "b/1.log", "b/2.log"]
    assert found("b/link", "a.log") == ["b/link/d/3.log", "a.log"]
    assert list(find_files(("-", "c"), recursive=True)) == ["-", "c"]
    assert list(find_files((str(top),), recursive=False)) == [str(top)]


def test_a_directory_that_is_gone_when_its_turn_comes_is_a_failure(top: Path) -> None:
    events = iter(Scan([str(top)], Options(Show.FILES, recursive=True)))
    assert next(events) == Piece(f"{top}/a.log\n".encode())
    shutil.rmtree(top / "b")
    gone, last = events
    assert isinstance(gone, Failure)
    assert gone.name == str(top / "b")
    assert isinstance(gone.error, FileNotFoundError)
    assert last == Piece(f"{top}/c/d/3.log\n".encode())


def test_a_file_is_opened_with_its_size(top: Path) -> None:
    log = str(top / "a.log")
    with open_source(log, (top / "b" / "1.log").stat()) as source:
        assert (source.size, source.text.read(), source.position()) == (len(LOG), LOG, len(LOG))
    is_output = pytest.raises(OSError, match=r"^the input file is also the output$")
    with is_output, open_source(log, Path(log).stat()):
        pass


def test_standard_input_is_waited_for_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.write(theirs, LOG)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with open_source("-") as source:
            assert (source.size, source.text.read(999), source.position()) == (None, LOG, 0)
        assert os.get_blocking(ours)
    os.close(theirs)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match=r"^it is closed$"), open_source("-"):
        pass


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
NOISE = random.Random(1).randbytes(700_000)  # it hardly gets smaller


def read(data: bytes, tmp_path: Path) -> bytes:
    path = tmp_path / "packed"
    path.write_bytes(data)
    with open_source(str(path)) as source:
        text: bytes = source.text.readall()
        return text


@pytest.mark.parametrize("name", PACKERS)
def test_packed_streams_are_one_text(name: str, tmp_path: Path) -> None:
    pack = PACKERS[name]
    packed = pack(LOG) + pack(b"") + pack(NOISE)
    assert read(packed, tmp_path) == LOG + NOISE
    assert read(pack(LOG * 9000), tmp_path) == LOG * 9000
    if name == "xz":
        for padding in (4, 600_000):
            assert read(pack(LOG) + bytes(padding) + packed + bytes(8), tmp_path) == LOG * 2 + NOISE
    assert read(pack(NOISE), tmp_path) == NOISE
    with open_source(str(tmp_path / "packed")) as source:
        assert len(source.text.read(1_000_000)) <= 4096  # what damage can lose at most


@pytest.mark.parametrize("name", PACKERS)
def test_a_packed_file_that_is_cut_off_is_an_error(name: str, tmp_path: Path) -> None:
    for kept in (-1, 300_000):
        with pytest.raises(OSError, match=r"^decompression failed: [A-Za-z]") as caught:
            read(PACKERS[name](NOISE)[:kept], tmp_path)
        assert "None" not in str(caught.value)
        if name == "xz":
            assert str(caught.value).endswith(": the file ends within a stream")


class BrokenDisk(io.RawIOBase):
    def readinto(self, _: object) -> int:
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize("mark", [b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\x00"])
def test_an_error_of_the_system_is_not_one_of_decompression(mark: bytes) -> None:
    with pytest.raises(OSError, match=r"^\[Errno 5\] Input/output error$"):
        next(_unpacked(mark, BrokenDisk()))


def test_what_is_no_utf_16_is_replaced(tmp_path: Path) -> None:
    utf_16 = "fdaa::1 ".encode("utf-16") + b"\x00\xd8x\x00"  # half of a pair
    assert read(utf_16 + b"y", tmp_path) == "fdaa::1 \N{REPLACEMENT CHARACTER}".encode() + (
        "x\N{REPLACEMENT CHARACTER}".encode()
    )


@pytest.mark.skipif(not hasattr(os, "O_DIRECT"), reason="a pipe here has no packets")
@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "utf-16", "text", "zstd"])
def test_a_mark_may_arrive_byte_by_byte(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = {"utf-16": LOG.decode("latin-1").encode("utf-16"), "zstd": b"\x28\xb5\x2f\xfd more"}
    data = PACKERS[name](LOG) if name in PACKERS else others.get(name, LOG)
    ours, theirs = os.pipe2(os.O_DIRECT)  # a read returns what was written at once
    for at in range(8):
        os.write(theirs, data[at : at + 1])
    os.write(theirs, data[8:])
    os.close(theirs)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        if name == "zstd":
            with pytest.raises(OSError, match="zstd"), open_source("-"):
                pass
            return
        with open_source("-") as source:
            text = source.text.readall()
    assert text == (LOG.decode("latin-1").encode() if name == "utf-16" else LOG)
