"""Packed files, UTF-16 and damage: all that can be read is read, and the rest is reported."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import random
import re
import zipfile
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from scan_output import LOG, PSEUDONYMS, output, standard_input

from fdaa import Address
from fdaa.scan import count, find_addresses, find_in_file
from fdaa.scan._count import Count
from fdaa.scan._pieces import Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Converted, Options, Scan, Show
from fdaa.scan._sources import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    Pack = Callable[[bytes], bytes]

# All text, and no ID in it.
TEXT = Options(Show.ANNOTATED, keep=Filter(frozenset({0xFFFFFFFF})))
NOISE = random.Random(1).randbytes(300_000)  # it hardly gets smaller

# The fastest, and the one with the smallest blocks.
xz = partial(lzma.compress, preset=0)
bzip2 = partial(bz2.compress, compresslevel=1)

packers = [gzip.compress, bzip2, xz]
each_packer = pytest.mark.parametrize("pack", packers, ids=["gzip", "bzip2", "xz"])


def printed(events: Iterable[object]) -> tuple[list[object], bytes]:
    """Return the notes of a scan, and all that is printed."""
    notes = []
    data = b""
    for event in events:
        if isinstance(event, Piece):
            data += event.data
        else:
            notes.append(event)
    return notes, data


def read(data: bytes, tmp_path: Path) -> bytes:
    """Return the text of a file."""
    text, failure = read_until_failure(data, tmp_path)
    assert failure is None
    return text


def read_until_failure(data: bytes, tmp_path: Path) -> tuple[bytes, str | None]:
    """Return the text of a file, and why it cannot be read to its end."""
    path = tmp_path / "file"
    path.write_bytes(data)
    notes, text = printed(Scan([str(path)], TEXT))
    if notes and isinstance(notes[-1], Failure):
        return text, str(notes[-1].error)
    return text, None


# --- packed files ---------------------------------------------------------------------------------


@each_packer
def test_packed_streams_are_one_text(pack: Pack, tmp_path: Path) -> None:
    assert read(pack(LOG) + pack(b"") + pack(NOISE), tmp_path) == LOG + NOISE
    assert read(pack(LOG * 2000), tmp_path) == LOG * 2000
    in_tiny_pieces, _ = output(TEXT, pack(LOG) + pack(b"") + pack(LOG), 1)
    assert in_tiny_pieces == LOG * 2


@pytest.mark.parametrize(("pack", "padding"), [(gzip.compress, 20_000), (xz, 600_000)])
def test_zeros_between_and_after_packed_streams_are_padding(
    pack: Pack, padding: int, tmp_path: Path
) -> None:
    """Also more than is read at once."""
    packed = pack(LOG) + bytes(padding) + pack(NOISE) + bytes(8)
    assert read(packed, tmp_path) == LOG + NOISE


@each_packer
@pytest.mark.parametrize("damage", ["changed", "cut off", "without its last byte"])
def test_what_comes_before_damage_is_read_and_counted(
    pack: Pack, damage: str, tmp_path: Path
) -> None:
    line = b"fdaa:0:18::3 "
    log = b"".join(line + NOISE[at : at + 20].hex().encode() + b"\n" for at in range(8000))
    packed = pack(log)
    at = len(packed) * 9 // 10
    damaged = packed[:at]
    if damage == "changed":
        damaged += bytes(40) + packed[at + 40 :]
    if damage == "without its last byte":
        damaged = packed[:-1]
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


def test_what_only_begins_like_a_packed_file_is_text(tmp_path: Path) -> None:
    for begin in (b"", b"(", b"\x1f\x8b", b"BZhello", b"\xfd7zXZ", b"PK", b"\xff"):
        assert read(begin, tmp_path) == begin
        assert read(begin + b" fdaa::1", tmp_path) == begin + b" fdaa::1"


def test_what_cannot_be_unpacked_is_refused_with_what_unpacks_it(tmp_path: Path) -> None:
    """It would be a text without addresses."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("log", LOG)
    zstd = b"\x28\xb5\x2f\xfd" + LOG
    utf_32 = "fdaa::1\n".encode("utf-32")
    for data, hint in (
        (archive.getvalue(), "extract it first: unzip -p FILE | fdaa scan"),
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


class Damaged(io.RawIOBase):
    """A file that cannot be read after some pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = list(pieces)

    # Python gives `readinto` a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._pieces:
            raise OSError(5, "Input/output error")
        piece = self._pieces.pop(0)
        buffer[: len(piece)] = piece
        return len(piece)


def test_an_error_comes_after_the_addresses_that_were_read_before_it() -> None:
    """The last could go on after the error."""
    found = find_in_file(Damaged(b"peer fdaa:0:18::3 and fdaa:0", b":19::4"))
    assert [next(found).text, next(found).text] == ["fdaa:0:18::3", "fdaa:0:19::4"]
    with pytest.raises(OSError, match="Input/output error"):
        next(found)


# --- UTF-16 ---------------------------------------------------------------------------------------

IN_UTF_8 = LOG.decode("latin-1").replace("\x00", "\u0113\U0001f600")

each_utf_16 = pytest.mark.parametrize(
    "data",
    [
        pytest.param(codecs.BOM_UTF16_LE + IN_UTF_8.encode("utf-16-le"), id="little"),
        pytest.param(codecs.BOM_UTF16_BE + IN_UTF_8.encode("utf-16-be"), id="big"),
    ],
)


OF_TEXT: tuple[dict[str, Any], ...] = (
    {"show": Show.LINES, "numbered": True},
    {"show": Show.PSEUDONYMIZED, "pseudonyms": PSEUDONYMS},
)


@each_utf_16
def test_utf_16_is_read_as_its_utf_8(data: bytes, tmp_path: Path) -> None:
    path = str(tmp_path / "log")
    in_utf_8 = tmp_path / "utf-8"
    in_utf_8.write_bytes(IN_UTF_8.encode())
    (tmp_path / "log").write_bytes(data)
    assert printed(Scan([path])) == printed(Scan([str(in_utf_8)]))
    for arguments in OF_TEXT:
        _, expected = printed(Scan([str(in_utf_8)], Options(**arguments)))
        assert printed(Scan([path], Options(jobs=2, **arguments))) == ([Converted(path)], expected)
    assert sum(network.matches for network in count([path])) == 4
    with standard_input(data, 1):
        assert printed(Scan(["-"], TEXT)) == ([Converted("-")], IN_UTF_8.encode())


def test_utf_16_with_any_characters_is_converted(tmp_path: Path) -> None:
    texts = (
        "",
        "fdaa::1",
        "一上一 上 fdaa::1 错误\n",  # the bytes of other characters
        "上" * 40 + " " * 50 + "fdaa::1 上\n上一",  # the byte of a line feed first
        " " * 4000 + "\U0001f600 fdaa::1",
    )
    for order in ("utf-16-le", "utf-16-be"):
        for text in texts:
            assert read(f"\ufeff{text}".encode(order), tmp_path).decode() == text


@pytest.mark.parametrize("size", [7, 4096])
@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "added",
    [
        b"boot\npeer FDAA::2 ok\n",
        b"peer {64938, 0,0,0,0,0,0,2}\n",
        f"{Address('fdaa::2').reverse_pointer}\n".encode(),
    ],
)
def test_bytes_that_are_added_to_utf_16_are_an_error_that_says_where(
    added: bytes, order: str, size: int
) -> None:
    """`>` of PowerShell writes UTF-16, and other programs add bytes to it."""
    for text, expected in (("fdaa::1\r\n", b"fdaa::1\t0:0\n"), ("", b"")):
        data = f"\ufeff{text}".encode(order) + added
        with standard_input(data, size):
            (failure,), data_printed = printed(Scan(["-"]))
        assert data_printed == expected
        assert isinstance(failure, Failure)
        said = re.search(r"other text from byte (\d+) on; .* tail -c \+\1 FILE", str(failure.error))
        assert said is not None
        rest = data[int(said[1]) - 1 :]
        assert [match.value for match in find_addresses(rest)] == [Address("fdaa::2")]
