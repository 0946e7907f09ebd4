"""Packed files and UTF-16: their whole text is read, and damage is reported."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import random
import re
import zipfile
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import LOG, PSEUDONYMS, output, standard_input

from fdaa import Address
from fdaa.scan import count, find_addresses
from fdaa.scan._count import Count
from fdaa.scan._pieces import Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Converted, Options, Scan, Show
from fdaa.scan._sources import Failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Pack = Callable[[bytes], bytes]

# All text, and no ID in it.
TEXT = Options(Show.ANNOTATED, keep=Filter(frozenset({0xFFFFFFFF})))
NOISE = random.Random(1).randbytes(300_000)  # it hardly gets smaller

xz = partial(lzma.compress, preset=0)  # the fastest

each_packer = pytest.mark.parametrize(
    "pack",
    [
        pytest.param(gzip.compress, id="gzip"),
        pytest.param(bz2.compress, id="bzip2"),
        pytest.param(xz, id="xz"),
    ],
)


def read(data: bytes, tmp_path: Path) -> bytes:
    """Return the text of a file."""
    text, failure = read_until_failure(data, tmp_path)
    assert failure is None
    return text


def read_until_failure(data: bytes, tmp_path: Path) -> tuple[bytes, str | None]:
    """Return the text of a file, and why it cannot be read to its end."""
    path = tmp_path / "file"
    path.write_bytes(data)
    text = b""
    failure = None
    for event in Scan([str(path)], TEXT):
        if isinstance(event, Piece):
            text += event.data
        if isinstance(event, Failure):
            failure = str(event.error)
    return text, failure


# --- packed files ---------------------------------------------------------------------------------


@each_packer
def test_packed_streams_are_one_text(pack: Pack, tmp_path: Path) -> None:
    assert read(pack(LOG) + pack(b"") + pack(NOISE), tmp_path) == LOG + NOISE
    assert read(pack(LOG * 2000), tmp_path) == LOG * 2000


@pytest.mark.parametrize(
    ("pack", "padding"),
    [
        pytest.param(gzip.compress, 20_000, id="gzip"),
        pytest.param(xz, 4, id="xz"),
        pytest.param(xz, 600_000, id="xz, more than is read at once"),
    ],
)
def test_zeros_between_and_after_packed_streams_are_padding(
    pack: Pack, padding: int, tmp_path: Path
) -> None:
    packed = pack(LOG) + bytes(padding) + pack(NOISE) + bytes(8)
    assert read(packed, tmp_path) == LOG + NOISE


@each_packer
@pytest.mark.parametrize("size", [1, 7])
def test_packed_streams_may_arrive_in_tiny_pieces(pack: Pack, size: int) -> None:
    packed = pack(LOG) + pack(b"") + pack(LOG)
    assert output(TEXT, packed, size)[0] == LOG * 2


@each_packer
@pytest.mark.parametrize("kept", [-1, 150_000])
def test_a_packed_file_that_is_cut_off_is_an_error(pack: Pack, kept: int, tmp_path: Path) -> None:
    _, failure = read_until_failure(pack(NOISE)[:kept], tmp_path)
    assert failure is not None
    assert failure.startswith("decompression failed: ")
    assert "None" not in failure
    if pack is xz:
        assert failure.endswith(": the file ends within a stream")


@each_packer
@pytest.mark.parametrize("damage", ["changed", "cut off"])
def test_what_comes_before_damage_is_read_and_counted(
    pack: Pack, damage: str, tmp_path: Path
) -> None:
    line = b"fdaa:0:18::3 "
    log = b"".join(line + NOISE[at : at + 20].hex().encode() + b"\n" for at in range(20_000))
    packed = pack(log)
    at = len(packed) * 9 // 10
    damaged = packed[:at]
    if damage == "changed":
        damaged += bytes(40) + packed[at + 40 :]
    text, failure = read_until_failure(damaged, tmp_path)
    assert failure is not None
    assert failure.startswith("decompression failed: ")
    before = len(log) // 3  # what is read close to the damage differs by format
    assert text[:before] == log[:before]
    total = Count()
    *_, last = Scan([str(tmp_path / "file")], Options(), total)
    assert isinstance(last, Failure)
    counted = sum(network.matches for network in total.networks())
    assert counted == len(list(find_addresses(text)))


@pytest.mark.parametrize(
    "begin",
    [b"", b"(", b"\x1f", b"B", b"BZh", b"BZhello", b"\xfd7zXZ", b"\x1f\x8b", b"PK", b"\xff"],
)
def test_what_only_begins_like_a_packed_file_is_text(begin: bytes, tmp_path: Path) -> None:
    assert read(begin, tmp_path) == begin
    assert read(begin + b" fdaa::1", tmp_path) == begin + b" fdaa::1"


def zip_archive(tmp_path: Path) -> bytes:
    path = tmp_path / "log.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("log", LOG)
    return path.read_bytes()


def test_what_cannot_be_unpacked_is_refused_with_what_unpacks_it(tmp_path: Path) -> None:
    """It would be a text without addresses."""
    zstd = b"\x28\xb5\x2f\xfd" + LOG
    utf_32 = "fdaa::1\n".encode("utf-32")
    for data, hint in (
        (zip_archive(tmp_path), "extract it first: unzip -p FILE | fdaa scan"),
        (zstd, "decompress it first: zstd -dc FILE | fdaa scan"),
        (utf_32, "convert it first: iconv -f UTF-32 -t UTF-8 FILE | fdaa scan"),
    ):
        text, failure = read_until_failure(data, tmp_path)
        assert text == b""
        assert failure is not None
        assert failure.endswith(hint)


def test_an_xz_file_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    text, failure = read_until_failure(lzma.compress(LOG, filters=filters), tmp_path)
    assert text == b""
    assert failure is not None
    assert "Memory usage limit" in failure


# --- UTF-16 ---------------------------------------------------------------------------------------

IN_UTF_8 = LOG.decode("latin-1").replace("\x00", "\u0113\U0001f600")

each_utf_16 = pytest.mark.parametrize(
    "data",
    [
        pytest.param(codecs.BOM_UTF16_LE + IN_UTF_8.encode("utf-16-le"), id="little"),
        pytest.param(codecs.BOM_UTF16_BE + IN_UTF_8.encode("utf-16-be"), id="big"),
        pytest.param(gzip.compress(IN_UTF_8.encode("utf-16")), id="packed"),
    ],
)


@each_utf_16
@pytest.mark.parametrize(
    ("arguments", "prints_text"),
    [
        pytest.param({}, False, id="matches"),
        pytest.param({"show": Show.LINES, "numbered": True}, True, id="lines"),
        pytest.param({"show": Show.PSEUDONYMIZED, "pseudonyms": PSEUDONYMS}, True, id="hidden"),
    ],
)
def test_utf_16_is_read_as_its_utf_8(
    data: bytes, arguments: dict[str, Any], prints_text: bool, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    path.write_bytes(IN_UTF_8.encode())
    expected = printed(path, Options(**arguments))
    path.write_bytes(data)
    if prints_text:
        expected.insert(0, Converted(str(path)))
    assert printed(path, Options(jobs=2, **arguments)) == expected
    assert sum(network.matches for network in count([path])) == 4


def printed(path: Path, options: Options) -> list[bytes | Converted]:
    """Return that a text is converted, if it is; then all that is printed."""
    events: list[bytes | Converted] = []
    data = b""
    for event in Scan([str(path)], options):
        if isinstance(event, Converted):
            events.append(event)
        else:
            assert isinstance(event, Piece)
            data += event.data
    assert data != b""
    events.append(data)
    return events


@each_utf_16
@pytest.mark.parametrize("size", [1, 7])
def test_utf_16_may_arrive_in_tiny_pieces(data: bytes, size: int) -> None:
    with standard_input(data, size):
        converted, *pieces = Scan(["-"], TEXT)
    assert converted == Converted("-")
    text = b""
    for piece in pieces:
        assert isinstance(piece, Piece)
        text += piece.data
    assert text == IN_UTF_8.encode()


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("fdaa::1", id="no line feed"),
        pytest.param("一上一 上 fdaa::1 错误\n", id="characters with the bytes of others"),
        pytest.param("上" * 40 + " " * 50 + "fdaa::1 上\n上一", id="bytes of a line feed first"),
        pytest.param(" " * 4000 + "\U0001f600 fdaa::1", id="a long line"),
        pytest.param("\N{REPLACEMENT CHARACTER} fdaa::1\n", id="what others have replaced"),
        pytest.param("x\0 fdaa::1\n", id="a null character"),
    ],
)
def test_utf_16_with_any_characters_is_converted(order: str, text: str, tmp_path: Path) -> None:
    mark = "\ufeff".encode(order)
    assert read(mark + text.encode(order), tmp_path).decode() == text
    assert read(mark, tmp_path) == b""


@pytest.mark.parametrize("size", [1, 7, 4096])
@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["fdaa::1\r\n", ""])
@pytest.mark.parametrize(
    "added",
    [
        b"boot\npeer FDAA::2 ok\n",
        b"peer {64938, 0,0,0,0,0,0,2}\n",
        f"{Address('fdaa::2').reverse_pointer}\n".encode(),
    ],
)
def test_bytes_that_are_added_to_utf_16_are_an_error_that_says_where(
    added: bytes, text: str, order: str, size: int
) -> None:
    """`>` of PowerShell writes UTF-16, and other programs add bytes to it."""
    data = f"\ufeff{text}".encode(order) + added
    with standard_input(data, size):
        *events, failure = Scan(["-"], Options(jobs=1))
    printed = b"".join(event.data for event in events if isinstance(event, Piece))
    assert printed == (b"fdaa::1\t0:0\n" if text else b"")
    assert isinstance(failure, Failure)
    said = re.search(r"other text from byte (\d+) on; .* tail -c \+\1 FILE", str(failure.error))
    assert said is not None
    rest = data[int(said[1]) - 1 :]
    assert [match.value for match in find_addresses(rest)] == [Address("fdaa::2")]
