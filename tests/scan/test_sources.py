"""What is read: names, directories, standard input, and packed files up to their damage."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import shutil
import sys
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scan_output import LOG as SHORT_LOG
from scan_output import annotate, matches, output, together

from fdaa.scan._blocks import read_blocks
from fdaa.scan._sources import Source, Unreadable, open_source, sources, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = SHORT_LOG * 3  # more than is unpacked at once


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("b/2.log", "a.log", "b/1.log", "c/d/3.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "b" / "0.log").symlink_to(tmp_path / "a.log")
    (tmp_path / "b" / "link").symlink_to(tmp_path / "c")
    os.mkfifo(tmp_path / "b" / "fifo")
    return tmp_path


def test_directories_are_read_in_order_and_what_they_link_to_is_not(top: Path) -> None:
    def found(*names: str, recursive: bool = True) -> list[tuple[str, bool]]:
        paths = tuple(str(top / name) for name in names)
        each = list(sources(paths, recursive=recursive))
        assert not any(isinstance(source, Unreadable) for source in each)
        return [(os.path.relpath(source[0], top), bool(source[1])) for source in each]

    listed = [(name, True) for name in ("a.log", "b/1.log", "b/2.log", "c/d/3.log")]
    assert found(".") == listed
    assert found("c", "b") == [listed[3], *listed[1:3]]
    assert found("b/link", "a.log") == [("b/link/d/3.log", True), ("a.log", False)]
    assert found(".", "b/fifo", recursive=False) == [(".", False), ("b/fifo", False)]
    assert list(sources(("-",), recursive=True)) == [Source("-")]


def test_a_directory_that_is_gone_when_its_turn_comes_is_named(top: Path) -> None:
    found, again = (sources((str(top),), recursive=True) for _ in "12")
    assert next(found) == next(again) == Source(str(top / "a.log"), listed=True)
    shutil.rmtree(top / "b")
    gone, last = found
    (top / "b").symlink_to(top / "c")
    assert list(again) == [last]  # a link by now, which is not followed
    assert gone[0] == str(top / "b")
    assert isinstance(gone[1], FileNotFoundError)
    assert last == Source(str(top / "c" / "d" / "3.log"), listed=True)


def test_a_file_is_opened_with_its_size(top: Path) -> None:
    log = str(top / "a.log")
    opened = open_source(Source(log), (top / "b" / "1.log").stat())
    with opened.file as file:
        assert (opened.name, opened.size, file.read()) == (log, len(LOG), LOG)
    with pytest.raises(OSError, match=r"^it is the output file too$"):
        open_source(Source(log), Path(log).stat())


@pytest.mark.parametrize("name", ["b/0.log", "b/fifo", "b"])
def test_what_is_no_file_any_more_is_neither_followed_nor_waited_for(name: str, top: Path) -> None:
    source = Source(str(top / name), listed=True)
    if name == "b":
        with pytest.raises(IsADirectoryError):
            open_source(source)
    else:
        assert open_source(source) is None


def test_standard_input_is_waited_for_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.write(theirs, LOG)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        opened = open_source(Source("-"))
        assert (opened.name, opened.size, opened.file.read(999)) == ("-", None, LOG)
        opened.file.close()
        assert os.get_blocking(ours)
    os.close(theirs)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match=r"^it is closed$"):
        open_source(Source("-"))


# --- packed files ---------------------------------------------------------------------------------


def packed_files() -> dict[str, bytes]:
    half = len(LOG) // 2
    return {
        "gzip": gzip.compress(LOG),
        "bzip2": bz2.compress(LOG),
        "xz": lzma.compress(LOG),
        "two gzip": gzip.compress(LOG[:half]) + gzip.compress(LOG[half:]) + b"\0" * 8,
        "two bzip2": bz2.compress(LOG[:half]) + bz2.compress(LOG[half:]),
        "two xz": lzma.compress(LOG[:half]) + b"\0" * 4 + lzma.compress(LOG[half:]) + b"\0" * 8,
        "padded gzip": gzip.compress(LOG[:half]) + b"\0" * 20_000 + gzip.compress(LOG[half:]),
        "not packed": LOG,
    }


@pytest.mark.parametrize("size", [1, 300, 4096])
@pytest.mark.parametrize("name", packed_files())
def test_packed_files_are_read_through(name: str, size: int, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(packed_files()[name])
    with (tmp_path / "log").open("rb", buffering=0) as file:
        written, _ = together(annotate()(read_blocks(unpacked(file), size), line=1))
    assert written == output(annotate(), LOG)[0]


def test_a_file_packed_by_zstd_is_refused(tmp_path: Path) -> None:
    """What is packed looks like a text without addresses."""
    (tmp_path / "log").write_bytes(b"\x28\xb5\x2f\xfd" + LOG)
    with (tmp_path / "log").open("rb", buffering=0) as file, pytest.raises(OSError, match="zstd"):
        unpacked(file)


@pytest.mark.parametrize(
    "data", [b"", b"(", b"\x1f", b"B", b"BZh", b"BZhello fdaa::1", b"\xfd7zXZ", b"\x1f\x8b"]
)
def test_what_only_begins_like_a_packed_file_is_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        written, _ = together(annotate()(read_blocks(unpacked(file)), line=1))
    assert written == data.replace(b"fdaa::1", b"fdaa::1 [0:0]")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("damage", ["changed", "cut", "text", "a letter in front", "zlib"])
def test_what_follows_a_packed_stream_is_never_dropped(
    pack: Callable[[bytes], bytes], damage: str, tmp_path: Path
) -> None:
    second = bytearray(pack(LOG))
    if damage == "changed":
        second[len(second) // 2 :] = bytes(255 - byte for byte in second[len(second) // 2 :])
    elif damage == "cut":
        del second[-9:]
    elif damage == "a letter in front":
        second[:0] = b"X"
    else:
        second = bytearray(
            zlib.compress(LOG) if damage == "zlib" else b"this is no packed stream\n"
        )
    (tmp_path / "log").write_bytes(pack(LOG) + second)
    kept, error = read_until_damage(tmp_path / "log")
    assert str(error).startswith(("the packed data ends too early", "the packed data is damaged"))
    assert kept.startswith(LOG)


def read_until_damage(path: Path) -> tuple[bytes, OSError]:
    """Return what can be read of a damaged file, and the error."""
    kept = bytearray()
    with path.open("rb", buffering=0) as file:
        try:
            for block in read_blocks(unpacked(file)):
                kept += block.raw[block.begin : block.end]
        except OSError as error:
            return bytes(kept), error
    raise AssertionError("no damage was met")


def test_an_xz_file_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    (tmp_path / "log").write_bytes(lzma.compress(LOG, filters=filters))
    with (
        (tmp_path / "log").open("rb", buffering=0) as file,
        pytest.raises(OSError, match="128 MiB"),
    ):
        together(matches()(read_blocks(unpacked(file)), line=1))


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", PACKERS)
def test_all_that_could_be_unpacked_before_damage_is_kept(name: str, tmp_path: Path) -> None:
    """What a decompressor gives that is fed byte by byte is all that there is before the damage."""
    data = bytearray(PACKERS[name](drawn_log()))
    middle = len(data) * 2 // 3
    data[middle : middle + 40] = bytes(40)
    (tmp_path / "log").write_bytes(data)
    kept, error = read_until_damage(tmp_path / "log")
    assert "damaged" in str(error)
    possible = b"".join(fed_byte_by_byte(name, bytes(data)))
    assert possible.startswith(kept[:1000])
    assert len(kept) > len(possible) - 1500


@pytest.mark.parametrize("name", PACKERS)
def test_a_packed_file_that_is_cut_off_gives_all_that_is_in_it(name: str, tmp_path: Path) -> None:
    data = PACKERS[name](drawn_log())
    pieces = fed_byte_by_byte(name, data)
    most = max(range(len(pieces)), key=lambda at: len(pieces[at]))
    for end in (most // 2, most, most + 1, most + 2):
        (tmp_path / "log").write_bytes(data[:end])
        kept, error = read_until_damage(tmp_path / "log")
        feed = decompressor(name)
        # What it holds back comes when nothing more is fed.
        assert kept == feed(data[:end]) + b"".join(iter(partial(feed, b""), b""))
        assert "ends too early" in str(error)


def drawn_log() -> bytes:
    rng = random.Random(1)
    return b"".join(b"%06d fdaa:0:18::%x\n" % (i, rng.getrandbits(16)) for i in range(20_000))


def decompressor(name: str) -> Callable[[bytes], bytes]:
    if name == "gzip":
        return zlib.decompressobj(31).decompress
    return {"bzip2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}[name]().decompress


def fed_byte_by_byte(name: str, data: bytes) -> list[bytes]:
    pieces: list[bytes] = []
    feed = decompressor(name)
    with suppress(OSError, lzma.LZMAError, zlib.error):
        pieces.extend(feed(data[i : i + 1]) for i in range(len(data)))
    return pieces
