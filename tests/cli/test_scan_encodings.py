"""`fdaa scan` of packed files and of UTF-16: the text that is in them, or why it cannot be read."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import random
import threading
import zipfile
from typing import IO, TYPE_CHECKING

import pytest
from command import invoke, records, start
from scan_command import FOUND, LOG, out

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Pack = Callable[..., bytes]

PACKERS: dict[str, Pack] = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}
each_packer = pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)


def drawn_log(lines: int, seed: int = 1) -> bytes:
    """A log with addresses; each line is followed by 0 to 60 bytes that hardly get smaller."""
    rng = random.Random(seed)
    return b"".join(
        b"%06d fdaa:0:18::%x %b\n" % (i, rng.getrandbits(16), rng.randbytes(rng.randrange(30)))
        for i in range(lines)
    ).replace(b"\xff", b"x")


def with_level(pack: Pack, data: bytes, level: int) -> bytes:
    if pack is lzma.compress:
        return lzma.compress(data, preset=level)
    return pack(data, compresslevel=max(level, 1))


@pytest.mark.slow
@each_packer
def test_packed_files_of_any_size_and_level_are_read_whole(pack: Pack, tmp_path: Path) -> None:
    """Some hold exactly what is unpacked at once, or what a file is read by, once or many times."""
    rng = random.Random(2)
    log = drawn_log(4000)
    sizes = [0, 1, 5, 255, 256, 4095, 4096, 4097, 8192, 16384, 98304, 65536, 131072]
    sizes += [rng.randrange(len(log)) for _ in range(48)]
    packed: list[str] = []
    plain: list[str] = []
    for number, size in enumerate(sizes):
        for names, data in (
            (plain, log[:size]),
            (packed, with_level(pack, log[:size], number % 10)),
        ):
            path = tmp_path / f"{len(names)}-{names is packed}"
            path.write_bytes(data)
            names.append(str(path))
    assert out("--annotate", "--no-filename", *packed) == out("--annotate", "--no-filename", *plain)


HALF = len(LOG) // 2
SEVERAL = {
    "gzip": gzip.compress(LOG[:HALF]) + gzip.compress(b"") + gzip.compress(LOG[HALF:]),
    "bzip2": bz2.compress(LOG[:HALF]) + bz2.compress(b"") + bz2.compress(LOG[HALF:]),
    "xz": lzma.compress(LOG[:HALF]) + lzma.compress(b"") + lzma.compress(LOG[HALF:]),
    "padded gzip": gzip.compress(LOG[:HALF]) + bytes(20_000) + gzip.compress(LOG[HALF:]) + bytes(9),
    "padded xz": lzma.compress(LOG[:HALF]) + bytes(20_000) + lzma.compress(LOG[HALF:]) + bytes(8),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_streams_are_one_text_also_in_tiny_pieces(name: str, log: str) -> None:
    expected = out("--annotate", log)
    assert out("--annotate", stdin=SEVERAL[name]) == expected
    process = start("scan", "--annotate")
    reader = threading.Thread(target=feed, args=(process.stdin, SEVERAL[name][:4000]))
    reader.start()
    reader.join()
    process.stdin.write(SEVERAL[name][4000:])
    assert process.communicate()[0] == expected


def feed(pipe: IO[bytes], data: bytes) -> None:
    """Write a byte at a time, then seven."""
    for begin, size in [(i, 1) for i in range(40)] + [(i, 7) for i in range(40, len(data), 7)]:
        pipe.write(data[begin : begin + size])
        pipe.flush()


@pytest.mark.slow
@each_packer
@pytest.mark.parametrize("damage", ["changed", "cut off"])
def test_what_comes_before_damage_counts(
    pack: Pack, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = drawn_log(40_000)  # more than a block of bzip2
    packed = pack(log)
    at = len(packed) * 9 // 10
    wrong = packed[:at] if damage == "cut off" else packed[:at] + bytes(40) + packed[at + 40 :]
    (tmp_path / "log").write_bytes(wrong)
    result = invoke("scan", "-n", "log")
    assert result.exit_code == 2
    assert result.stderr.startswith("fdaa: log: decompression failed: ")
    before = slice(20_000)  # of matches; what is read after damage differs by format
    assert result.stdout.splitlines()[before] == out("-n", stdin=log).decode().splitlines()[before]
    counted = invoke("scan", "-c", "--json", "log")
    assert counted.exit_code == 2
    assert sum(row["matches"] for row in records(counted.stdout)) == result.stdout.count("\n")


@pytest.mark.parametrize(
    "data", [b"", b"(", b"\x1f", b"B", b"BZh", b"BZhello", b"\xfd7zXZ", b"\x1f\x8b", b"PK", b"\xff"]
)
def test_what_only_begins_like_a_packed_file_is_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data + b" fdaa::1")
    assert out("--annotate", str(tmp_path / "log")) == data + b" fdaa::1 [0:0]"
    (tmp_path / "log").write_bytes(data)
    assert invoke("scan", "--annotate", str(tmp_path / "log")).stdout_bytes == data


def test_what_cannot_be_unpacked_here_is_refused_with_what_reads_it(
    log: str, tmp_path: Path
) -> None:
    """What is packed looks like a text without addresses."""
    archive = tmp_path / "log.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(log)
    zstd = tmp_path / "log.zst"
    zstd.write_bytes(b"\x28\xb5\x2f\xfd" + LOG)
    utf_32 = tmp_path / "log.utf32"
    utf_32.write_bytes("fdaa::1\n".encode("utf-32"))
    hints = {
        archive: "unzip -p FILE | fdaa scan",
        zstd: "zstd -dc FILE | fdaa scan",
        utf_32: "iconv -f UTF-32 -t UTF-8 FILE | fdaa scan",
    }
    for path, hint in hints.items():
        result = invoke("scan", str(path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert hint in result.stderr


def test_an_xz_file_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    (tmp_path / "log").write_bytes(lzma.compress(LOG, filters=filters))
    result = invoke("scan", str(tmp_path / "log"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Memory usage limit" in result.stderr


# --- UTF-16 ---------------------------------------------------------------------------------------

TEXT = LOG.decode("latin-1").replace("\x00", "\u0113\U0001f600")
UTF_16 = {
    "little": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "big": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "packed": gzip.compress(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le")),
}
MODES = (
    (),
    ("-n",),
    ("--json",),
    ("-c",),
    ("-l",),
    ("--lines", "-n"),
    ("--annotate",),
    ("--pseudonymize",),
    ("--reveal",),
)


@pytest.mark.parametrize("data", UTF_16.values(), ids=UTF_16)
@pytest.mark.parametrize("options", MODES)
def test_utf_16_is_read_as_its_utf_8(
    data: bytes,
    options: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FDAA_KEY", "k")
    (tmp_path / "log").write_bytes(TEXT.encode())
    expected = invoke("scan", *options, "log")
    (tmp_path / "log").write_bytes(data)
    result = invoke("scan", "--jobs", "2", *options, "log")
    assert result.stdout_bytes == expected.stdout_bytes != b""
    prints_text = options[:1] in (("--lines",), ("--annotate",), ("--pseudonymize",), ("--reveal",))
    notes = expected.stderr.splitlines()
    if prints_text:
        notes.append("fdaa: log: UTF-16, printed as UTF-8")
    assert sorted(result.stderr.splitlines()) == sorted(notes)
    assert result.exit_code == expected.exit_code == 0


def test_utf_16_is_hidden_whole_or_told(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("peer fdaa:0:18::3\r\n", encoding="utf-16")
    result = invoke("scan", "--pseudonymize", "--strict", str(path))
    assert result.exit_code == 0
    assert b"peer fdaa:" in result.stdout_bytes
    assert b"0:18::3" not in result.stdout_bytes
    path.write_text("xfdaa:0:18::3\r\n", encoding="utf-16")
    assert invoke("scan", "--pseudonymize", "--strict", str(path)).exit_code == 2


def test_utf_16_comes_in_any_pieces_and_may_be_cut_off() -> None:
    process = start("scan", "--annotate")
    feed(process.stdin, UTF_16["big"] + b"\x00")
    written, noted = process.communicate()
    assert noted == b"fdaa: standard input: UTF-16, printed as UTF-8\n"
    annotated = out("--annotate", stdin=TEXT.encode())
    assert written == annotated + "\ufffd".encode()
    process = start("scan")
    process.stdin.write("peer fdaa:0:18::3\n".encode("utf-16"))
    process.stdin.flush()
    assert process.stdout.readline() == b"fdaa:0:18::3\t0:18\n"  # the input has not ended
    process.communicate()
    assert out(stdin=TEXT.encode("utf-16")) == FOUND
