"""Where text comes from: files, directories and standard input, packed or not.

What cannot be read is named and the rest is read. Only files that were named are waited for.
"""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STANDARD_INPUT = "-"

# By content, not by name (gzip: RFC 1952; zstd: RFC 8878; bzip2, xz, zip: what each begins with).
_GZIP = b"\x1f\x8b\x08"
_XZ = b"\xfd7zXZ\x00"
_BZIP2 = tuple(
    b"BZh%d" % level + mark for level in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")
)
_REFUSED = {
    b"\x28\xb5\x2f\xfd": "packed by zstd; unpack it first: zstd -dc FILE | fdaa scan",
    b"PK\x03\x04": "a zip archive; unpack it first: unzip -p FILE | fdaa scan",
}
_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE

# What is read at once of a packed file, and so what can be lost where damage is met.
PACKED_BLOCK = 4 * 1024
_PIECE = 16 * 1024
# What a file may ask for; `xz -9` asks for 65 MiB, the format allows 4 GiB.
_XZ_MEMORY = 128 * 1024 * 1024
# Of what was listed as a file: a link is not followed, and a FIFO does not block.
_AS_LISTED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Source:
    """A name that was given, or found in a directory.

    Args:
        name: as it was given; `-` is standard input.
        listed: whether it was found in a directory, as a regular file.
    """

    name: str
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """What cannot be read, or not to its end, and why.

    Args:
        name: of a file or directory, as it was given or found.
        error: what was raised.
    """

    name: str
    error: OSError


@dataclass(frozen=True, slots=True)
class Opened:
    """An open source.

    Args:
        name: as it was given or found.
        file: unbuffered, at its start.
        size: in bytes, of a regular file; None of anything else.
    """

    name: str
    file: io.RawIOBase
    size: int | None


def sources(names: Iterable[str], *, recursive: bool) -> Iterator[Source | Failure]:
    """Yield what must be read: the names, and with `recursive` the files in named directories.

    As `grep -r` does, it follows symbolic links that are given and none that it finds, and of what
    it finds it takes regular files only. Names come in order.
    """
    for name in names:
        if recursive and name != STANDARD_INPUT and os.path.isdir(name):  # noqa: PTH112 - a name
            yield from _in_directory(name)
        else:
            yield Source(name)


def _in_directory(top: str) -> Iterator[Source | Failure]:
    to_do = [top]
    while to_do:
        directory = to_do.pop()
        inside = []
        try:
            if directory != top and os.path.islink(directory):  # noqa: PTH114 - a name
                continue  # it was no link when it was listed
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield Failure(directory, error)
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    inside.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield Source(entry.path, listed=True)
            except OSError as error:
                yield Failure(entry.path, error)
        to_do += reversed(inside)


def open_source(source: Source, output: os.stat_result | None = None) -> Opened | None:
    """Open a source; None where what was listed as a file no longer is one.

    Args:
        source: what to open.
        output: the file that results go to, which cannot be read at the same time.

    Raises:
        OSError: it cannot be opened, or it is the output file.
    """
    file = _standard_input() if source.name == STANDARD_INPUT else _open(source)
    if file is None:
        return None
    status = os.fstat(file.fileno())
    regular = stat.S_ISREG(status.st_mode)
    if source.listed and not regular:
        file.close()
        return None
    if regular and output is not None and os.path.samestat(status, output):
        file.close()
        raise OSError("it is the output file too")
    return Opened(source.name, file, status.st_size if regular else None)


def _open(source: Source) -> io.FileIO | None:
    more = _AS_LISTED if source.listed else 0
    try:
        return io.FileIO(source.name, opener=lambda name, flags: os.open(name, flags | more))
    except OSError:
        if source.listed and os.path.islink(source.name):  # noqa: PTH114 - a name
            return None
        raise


def _standard_input() -> io.FileIO:
    if sys.stdin is None:
        raise OSError("it is closed")
    descriptor = sys.stdin.fileno()
    if hasattr(os, "set_blocking"):  # not on Windows before Python 3.12
        os.set_blocking(descriptor, True)  # a read waits for what is to come
    return io.FileIO(descriptor, closefd=False)


# --- packed files, and UTF-16 ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file.

    Args:
        file: reads it, as bytes of an encoding that keeps ASCII.
        is_packed: whether the file is packed.
        is_utf16: whether it is UTF-16, which is read as UTF-8.
    """

    file: io.RawIOBase
    is_packed: bool
    is_utf16: bool


def text_of(raw: io.RawIOBase) -> Text:
    """Return a file's text: unpacked, and as UTF-8 where UTF-16 says so by its byte order mark.

    No more is read ahead than it takes to decide, which is less than the shortest address.

    Args:
        raw: an unbuffered file, at its start.

    Raises:
        OSError: the file cannot be read, or is packed as Python cannot unpack it. The reader raises
            it too where packed data is damaged.
    """
    file = _Peeked(raw, (_GZIP, _XZ, *_BZIP2, *_REFUSED, *_UTF_16))
    if file.head in _REFUSED:
        raise OSError(_REFUSED[file.head])
    is_packed = file.head in (_GZIP, _XZ, *_BZIP2)
    if is_packed:
        file = _Peeked(_unpacked(file), _UTF_16)
    is_utf16 = file.head in _UTF_16
    return Text(_Pieces(_as_utf8(file)) if is_utf16 else file, is_packed, is_utf16)


def _unpacked(file: _Peeked) -> io.RawIOBase | io.BufferedIOBase:
    # Each module takes longer to load than most files to read.
    if file.head == _GZIP:
        import gzip

        return gzip.GzipFile(fileobj=file)
    if file.head == _XZ:
        return _Pieces(_xz_streams(file))
    import bz2

    return bz2.BZ2File(file)


def _xz_streams(file: io.RawIOBase) -> Iterator[bytes]:
    """Yield what an xz file holds; lzma.LZMAFile drops what follows padding between streams."""
    import lzma

    data = file.read(_PIECE)
    while data:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            if stream.needs_input and not data:
                data = file.read(_PIECE)
                if not data:
                    raise EOFError("the file ends within a stream")
            yield stream.decompress(data or b"", PACKED_BLOCK)
            data = b""
        data = stream.unused_data.lstrip(b"\0")
        while not data and (more := file.read(_PIECE)):
            data = more.lstrip(b"\0")


def _as_utf8(file: io.RawIOBase) -> Iterator[bytes]:
    """Yield a file in UTF-16 as UTF-8; what is no UTF-16 is U+FFFD."""
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    while data := file.read(_PIECE):
        yield decoder.decode(data).encode()
    yield decoder.decode(b"", final=True).encode()


# Python gives `readinto` a memoryview; typeshed says any buffer.
class _Pieces(io.RawIOBase):
    """A file that consists of pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._ready = b""

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            try:
                self._ready = next(self._pieces)
            except StopIteration:
                return 0
        piece, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


class _Peeked(io.RawIOBase):
    """A file whose first bytes have been read; a pipe cannot go back to them.

    Args:
        file: what is read.
        marks: reading stops where the first bytes are one of these, or can no longer be one.

    Attributes:
        head: the first bytes.
    """

    def __init__(self, file: io.RawIOBase | io.BufferedIOBase, marks: tuple[bytes, ...]) -> None:
        # What is there is enough: no read waits for more.
        self._readinto = getattr(file, "readinto1", None) or file.readinto
        self._ready = self.head = b""
        byte = memoryview(bytearray(1))
        while any(mark.startswith(self.head) and mark != self.head for mark in marks):
            if not self.readinto(byte):
                break
            self.head += byte
        self._ready = self.head

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        if self._ready:
            piece, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
            buffer[: len(piece)] = piece
            return len(piece)
        try:
            count: int | None = self._readinto(buffer)
        except Exception as error:  # of damage there are four kinds: gzip, bz2 and lzma differ
            if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
                raise
            raise OSError(f"unpacking failed: {error}") from None
        return count
