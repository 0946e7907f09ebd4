"""The sources of text: files and standard input, compressed or not."""

from __future__ import annotations

import codecs
import io
import os
import stat
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from fdaa._support.streams import standard_input
from fdaa.scan._blocks import BLOCK
from fdaa.scan._expression_parts import LEFT

if TYPE_CHECKING:
    from collections.abc import Iterator

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

# So much of a first line shows whether a text is UTF-16, in bytes.
_FIRST_LINE = 4096
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


class Encoding(StrEnum):
    """How a text is read; the last one also as bytes, although it has the mark of UTF-16."""

    BYTES = "bytes"
    UTF_16 = "UTF-16"
    FALSE_MARK = "bytes after a mark of UTF-16"


class Source(NamedTuple):
    """An open file, and its text.

    Args:
        file: as it is, unbuffered.
        size: in bytes, of a regular file; None of anything else.
        text: reads the text, as bytes of an ASCII-compatible encoding; it is `file` itself if that
            is a regular file of such text.
        encoding: of the text; UTF-16 is read as UTF-8.
    """

    file: io.FileIO
    size: int | None
    text: io.RawIOBase
    encoding: Encoding

    def position(self) -> int:
        """Return how many bytes of the file have been read, 0 where that cannot be known."""
        if self.size is None:
            return 0
        return self.file.tell()


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
        text, encoding = _text_of(file, size)
        yield Source(file, size, text, encoding)


def _opened(name: str) -> io.FileIO:
    if name == STANDARD_INPUT:
        return io.FileIO(standard_input().fileno(), closefd=False)
    return io.FileIO(name)


# --- packed files, and UTF-16 ---------------------------------------------------------------------


def _text_of(file: io.FileIO, size: int | None) -> tuple[io.RawIOBase, Encoding]:
    """Return the reader of a file's text, and its encoding."""
    is_plain = size is not None
    begin = file.tell() if is_plain else 0
    pieces = iter(partial(file.read, BLOCK), b"")
    mark, pieces = _begin(pieces, _MARKS)
    if mark in _REFUSED:
        raise OSError(_REFUSED[mark])
    if mark in _PACKED:
        is_plain = False
        mark, pieces = _begin(_unpacked(mark, _Pieces(pieces)), _UTF_16)
    encoding = Encoding.BYTES
    if mark in _UTF_16:
        encoding, pieces = _encoding_after_mark(pieces)
    if encoding is Encoding.UTF_16:
        pieces = _in_utf_8(pieces)
    elif is_plain:
        file.seek(begin)
        return file, encoding
    return _Pieces(pieces), encoding


def _begin(pieces: Iterator[bytes], marks: tuple[bytes, ...]) -> tuple[bytes, Iterator[bytes]]:
    """Return the mark that a text begins with, if any, and the whole text.

    Only as much is read as the decision needs, which is less than the shortest address: text that
    arrives in small pieces is not delayed.
    """
    head = b""
    for piece in pieces:
        head += piece
        if not _is_part_of_one(head, marks):
            break
    whole = chain([head], pieces)
    for mark in marks:
        if head.startswith(mark):
            return mark, whole
    return b"", whole


def _is_part_of_one(head: bytes, marks: tuple[bytes, ...]) -> bool:
    """Whether more text could make this beginning one of the marks."""
    longer = [mark for mark in marks if len(mark) > len(head)]
    return any(mark.startswith(head) for mark in longer)


def _encoding_after_mark(pieces: Iterator[bytes]) -> tuple[Encoding, Iterator[bytes]]:
    """Return the encoding of a text that begins with a mark of UTF-16, and the whole text.

    Two bytes can be there by chance, or by a program that writes other text after them. The first
    line shows it, so no more than that is waited for.
    """
    head = b""
    for piece in pieces:
        head += piece
        if b"\n" in head[:-1] or len(head) >= _FIRST_LINE:
            break
    encoding = Encoding.UTF_16 if _is_utf_16(head[:_FIRST_LINE]) else Encoding.FALSE_MARK
    return encoding, chain([head], pieces)


def _is_utf_16(head: bytes) -> bool:
    """Whether a text that begins with a mark of UTF-16 goes on like it.

    In UTF-16, the NUL bytes belong to ASCII characters, and line feeds are characters of their own.
    Both may also be half of another character (U+4E00, U+4E0A), which is rarer.
    """
    if head in _UTF_16:
        return True  # there is no text
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    text = decoder.decode(head)  # a character may be cut off at its end
    before, line_feed, _ = text.partition("\n")
    line = before + line_feed
    try:
        size = len(line.encode("utf-16-le"))
    except UnicodeEncodeError:  # half of a pair
        return False
    if _line_in_bytes(head[: len(_UTF_16[0]) + size].lower()) is not None:
        return False
    ascii_characters = sum(0 < ord(character) < 0x80 for character in line)
    misplaced_zeros = sum(ord(character) % 0x100 == 0 for character in line)
    misplaced_line_feeds = line.replace("\n", "").encode("utf-16-le").count(b"\n")
    return ascii_characters > misplaced_zeros + misplaced_line_feeds


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
