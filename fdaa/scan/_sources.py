"""The sources of text: files, also those in directories, and standard input; compressed or not."""

from __future__ import annotations

import codecs
import io
import os
import stat
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from fdaa._support.streams import standard_input
from fdaa.scan._blocks import BLOCK
from fdaa.scan._expression_parts import LEFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STANDARD_INPUT = "-"

# By content, not by name (gzip: RFC 1952; zstd: RFC 8878; bzip2, xz, zip: what each begins with).
_GZIP = b"\x1f\x8b\x08"
_XZ = b"\xfd7zXZ\x00"
_BZIP2 = tuple(b"BZh%d1AY&SY" % level for level in range(1, 10))
_EMPTY_BZIP2 = tuple(b"BZh%d\x17rE8P\x90" % level for level in range(1, 10))
_PACKED = (_GZIP, _XZ, *_BZIP2, *_EMPTY_BZIP2)
_UTF_32 = "UTF-32 text; convert it first: iconv -f UTF-32 -t UTF-8 FILE | fdaa scan"
_REFUSED = {
    b"\x28\xb5\x2f\xfd": "compressed with zstd; decompress it first: zstd -dc FILE | fdaa scan",
    b"PK\x03\x04": "a zip archive; extract it first: unzip -p FILE | fdaa scan",
    codecs.BOM_UTF32_LE: _UTF_32,
    codecs.BOM_UTF32_BE: _UTF_32,
}
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARKS = (*_PACKED, *_REFUSED, *_UTF_16)
_LONGEST_MARK = max(map(len, _MARKS))

# How an address begins in bytes. In UTF-16 they would be characters that no text has in a row.
_IN_BYTES = (b"fdaa", b"64938", b".a.a.d.f.ip6.arpa")

# Bytes read at once from a compressed file, and so the most that damage can lose.
_UNPACKED = 4 * 1024
# The most memory that a file may need; `xz -9` asks for 65 MiB, the format allows 4 GiB.
_XZ_MEMORY = 128 * 1024 * 1024


class Failure(NamedTuple):
    """A file that cannot be read, or not to its end, and why.

    Args:
        name: of a file or directory, as it was given or found.
        error: what was raised.
    """

    name: str
    error: OSError


class Source(NamedTuple):
    """An open file, and its text.

    Args:
        file: as it is, unbuffered.
        size: in bytes, of a regular file; None of anything else.
        text: reads the text, as bytes of an ASCII-compatible encoding; it is `file` itself if that
            is a regular file of such text.
        is_utf_16: whether it is UTF-16, which is read as UTF-8.
    """

    file: io.FileIO
    size: int | None
    text: io.RawIOBase
    is_utf_16: bool

    def position(self) -> int:
        """Return how many bytes of the file have been read, 0 where that cannot be known."""
        if self.size is None:
            return 0
        return self.file.tell()


def find_files(names: Iterable[str], *, recursive: bool) -> Iterator[str | Failure]:
    """Yield the names of the files to read: with `recursive`, also those in directories.

    Like `grep -r`, it follows symbolic links that are given but not those that it finds, and it
    reads only regular files in directories. Names are sorted.
    """
    for name in names:
        if recursive and name != STANDARD_INPUT and os.path.isdir(name):
            yield from _in_directory(name)
        else:
            yield name


def _in_directory(top: str) -> Iterator[str | Failure]:
    directories = [top]
    while directories:
        directory = directories.pop()
        files: list[str] = []
        inside: list[str] = []
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    files.append(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    inside.append(entry.path)
        except OSError as error:
            yield Failure(directory, error)
            continue
        yield from files
        directories += reversed(inside)


@contextmanager
def open_source(name: str, output: os.stat_result | None = None) -> Iterator[Source]:
    """Open a file; its text is decompressed, and UTF-16 with a byte order mark becomes UTF-8.

    Args:
        name: as it was given or found; `-` is standard input, and `./-` a file.
        output: the output file, which cannot be read at the same time.

    Raises:
        OSError: it cannot be opened or read, it is the output file, or it is compressed in an
            unsupported way. Reading the text raises it, too, if compressed data is damaged.
    """
    with _opened(name) as file:
        status = os.fstat(file.fileno())
        size = None
        if stat.S_ISREG(status.st_mode):
            size = status.st_size
            if output is not None and os.path.samestat(status, output):
                raise OSError("the input file is also the output")
        text, is_utf_16 = _text_of(file, is_regular=size is not None)
        yield Source(file, size, text, is_utf_16)


def _opened(name: str) -> io.FileIO:
    if name == STANDARD_INPUT:
        return io.FileIO(standard_input().fileno(), closefd=False)
    return io.FileIO(name)


# --- packed files, and UTF-16 ---------------------------------------------------------------------


def _text_of(file: io.FileIO, *, is_regular: bool) -> tuple[io.RawIOBase, bool]:
    """Return the reader of a file's text, and whether that is UTF-16."""
    begin = file.tell() if is_regular else 0
    pieces = iter(partial(file.read, BLOCK), b"")
    mark, pieces = _begin(pieces, _MARKS)
    if mark in _REFUSED:
        raise OSError(_REFUSED[mark])
    is_packed = mark in _PACKED
    if is_packed:
        mark, pieces = _begin(_unpacked(mark, _Pieces(pieces)), _UTF_16)
    if mark in _UTF_16:
        return _Pieces(_in_utf_8(pieces)), True
    if is_regular and not is_packed:
        file.seek(begin)
        return file, False
    return _Pieces(pieces), False


def _begin(pieces: Iterator[bytes], marks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the mark that a text begins with, if any, and the whole text.

    No mark has a line feed: a first line that arrives alone is not delayed.
    """
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= _LONGEST_MARK or b"\n" in head:
            break
    whole = chain([head], pieces)
    for mark in marks:
        if head.startswith(mark):
            return mark, whole
    return b"", whole


def _in_utf_8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield UTF-16 as UTF-8.

    Raises:
        OSError: another program has added bytes with an address, which would not be found.
    """
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    before = b""  # the end of the pieces before, where the line of an address may begin
    size = 0  # of the pieces before
    for piece in pieces:
        text = before + piece
        line = _line_in_bytes(text.lower())
        if line is not None:
            if not size:
                line = max(line, len(_UTF_16[0]))  # without the mark, it is read as bytes
            yield decoder.decode(piece[: max(0, line - len(before))]).encode()
            first = size - len(before) + line + 1
            rest = f"tail -c +{first} FILE | fdaa scan"
            raise OSError(f"UTF-16, and other text from byte {first} on; to read it: {rest}")
        yield decoder.decode(piece).encode()
        size += len(piece)
        before = text[-LEFT:]
    yield decoder.decode(b"", final=True).encode()


def _line_in_bytes(lower: bytes) -> int | None:
    """Return where a line begins that has an address in bytes; None if there is none."""
    starts = [lower.find(begin) for begin in _IN_BYTES if begin in lower]
    if not starts:
        return None
    return lower.rfind(b"\n", 0, min(starts)) + 1


def _unpacked(mark: bytes, file: io.RawIOBase) -> Iterator[bytes]:
    # Each module takes longer to load than most files to read.
    try:
        if mark == _XZ:
            yield from _xz_streams(file)
        elif mark == _GZIP:
            import gzip

            yield from iter(partial(gzip.GzipFile(fileobj=file).read1, _UNPACKED), b"")
        else:
            import bz2

            yield from iter(partial(bz2.BZ2File(file).read1, _UNPACKED), b"")
    except Exception as error:  # gzip, bz2 and lzma raise different errors for damage
        if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
            raise
        raise OSError(f"decompression failed: {error}") from None


def _xz_streams(file: io.RawIOBase) -> Iterator[bytes]:
    """Yield the content of an xz file; lzma.LZMAFile drops data after padding between streams."""
    import lzma

    data = file.read(BLOCK)
    while data:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            if stream.needs_input and not data:
                data = file.read(BLOCK)
                if not data:
                    raise EOFError("the file ends within a stream")
            yield stream.decompress(data or b"", _UNPACKED)
            data = b""
        data = stream.unused_data.lstrip(b"\0")
        while not data:  # the padding goes on
            more = file.read(BLOCK)
            if not more:
                return
            data = more.lstrip(b"\0")


class _Pieces(io.RawIOBase):
    """A file that consists of pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = filter(None, pieces)
        self._ready = b""

    # Python gives `readinto` a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        ready = self._ready or next(self._pieces, b"")
        piece = ready[: len(buffer)]
        self._ready = ready[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)
