"""Files as the scanner reads them: packed ones unpacked, large ones cut into parts at line ends."""

from __future__ import annotations

import io
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from collections.abc import Callable, Iterator
    from gzip import GzipFile
    from lzma import LZMADecompressor

# By content (gzip: RFC 1952; bzip2 and xz: the first bytes of each file), not by name.
_GZIP = b"\x1f\x8b\x08"
_XZ = b"\xfd7zXZ\x00"
_BZIP2 = tuple(
    b"BZh%d" % level + mark for level in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")
)
_MAGIC = (_GZIP, _XZ, *_BZIP2)

CHUNK = 64 * 1024
# What a file may ask for; `xz -9` asks for 65 MiB, the format allows 4 GiB.
_XZ_MEMORY = 128 * 1024 * 1024


def unpacked(raw: io.RawIOBase) -> io.RawIOBase:
    """Return what reads the file's text: the file itself, or what unpacks it.

    No more is read ahead than it takes to tell, which is less than the shortest address.

    Args:
        raw: a file opened with `buffering=0`, at its start.

    Raises:
        OSError: the file cannot be read. The reader raises it too where packed data is damaged.
    """
    head = b""
    while any(magic.startswith(head) and magic != head for magic in _MAGIC):
        piece = raw.read(1)
        if not piece:
            break
        head += piece
    file = _Rewound(head, raw)
    if head == _GZIP:
        import gzip

        return _Unpacked(gzip.GzipFile(fileobj=file, mode="rb"))
    if head == _XZ:
        import lzma

        xz = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        return _Unpacked(_Streams(file, xz, padding=b"\0"))
    if head in _BZIP2:
        import bz2

        return _Unpacked(_Streams(file, bz2.BZ2Decompressor))
    return file if head else raw


def is_packed(file: io.RawIOBase) -> bool:
    """Tell whether what `unpacked` has returned unpacks."""
    return isinstance(file, _Unpacked)


class Watched(io.RawIOBase):
    """A file that tells how many bytes have been read of it.

    Args:
        file: what is read.
        tell: is called with the number of bytes of each read.
    """

    def __init__(self, file: io.RawIOBase, tell: Callable[[int], None]) -> None:
        self._file = file
        self._tell = tell

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        """Read into `buffer`; return how many bytes."""
        count = self._file.readinto(buffer)
        if count:
            self._tell(count)
        return count


class _Rewound(io.RawIOBase):
    """A file whose first bytes have been read already; a pipe cannot go back to them."""

    def __init__(self, head: bytes, raw: io.RawIOBase) -> None:
        self._head = head
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        if not self._head:
            return self._raw.readinto(buffer)
        piece, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


class _Streams:
    """Packed streams in one format, one behind the other.

    The readers of Python's modules take what follows a stream for rubbish and end there, a damaged
    second stream too. Here it is another stream, or padding, or damage.

    Args:
        file: the packed file.
        new: makes what unpacks a stream.
        padding: the bytes that may stand between streams.
    """

    def __init__(
        self,
        file: io.RawIOBase,
        new: Callable[[], BZ2Decompressor | LZMADecompressor],
        padding: bytes = b"",
    ) -> None:
        self._file = file
        self._new = new
        self._padding = padding
        self._stream = new()

    def read1(self, size: int, /) -> bytes:
        """Return up to `size` bytes, none at the end.

        Raises:
            EOFError: the file ends within a stream.
        """
        while True:
            data = b""
            if self._stream.eof:
                data = self._behind()
                if not data:
                    return b""
                self._stream = self._new()
            elif self._stream.needs_input:
                data = self._file.read(CHUNK) or b""
                if not data:
                    raise EOFError
            piece = self._stream.decompress(data, size)
            if piece:
                return piece

    def _behind(self) -> bytes:
        data = self._stream.unused_data.lstrip(self._padding)
        while not data:
            more = self._file.read(CHUNK)
            if not more:
                break
            data = more.lstrip(self._padding)
        return data


class _Unpacked(io.RawIOBase):
    """A packed file whose damage is an OSError, whatever its format."""

    def __init__(self, file: GzipFile | _Streams) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        from lzma import LZMAError
        from zlib import error as ZlibError  # noqa: N812 - it is a class

        try:
            piece = self._file.read1(len(buffer))
        except EOFError:
            raise OSError("the packed data ends too early") from None
        except (LZMAError, ZlibError, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:  # of the file itself
                raise
            if "Memory usage limit" in str(error):  # lzma has no error of its own for it
                limit = f"{_XZ_MEMORY // 1024**2} MiB of memory"
                raise OSError(f"to be unpacked it asks for more than {limit}") from None
            raise OSError(f"the packed data is damaged: {error}") from None
        buffer[: len(piece)] = piece
        return len(piece)


class Part(NamedTuple):
    """A part of a file, whole lines: where it begins and ends, in bytes."""

    begin: int
    end: int


def parts(file: io.RawIOBase, size: int) -> list[Part]:
    """Cut a file into parts at line ends.

    A part is longer than `size` where a line is, and the last one ends where the file ends now.

    Args:
        file: a regular file, opened with `buffering=0`.
        size: of a part, in bytes.
    """
    end = file.seek(0, io.SEEK_END)
    cut = [0]
    while cut[-1] < end:
        at = cut[-1] + size - 1  # where a line ends there, the part is full
        for piece in pieces(file, Part(at, end)):
            newline = piece.find(b"\n")
            at += len(piece) if newline < 0 else newline + 1
            if newline >= 0:
                break
        cut.append(min(at, end))
    return [Part(*both) for both in pairwise(cut)]


def pieces(file: io.RawIOBase, part: Part, size: int = CHUNK) -> Iterator[bytearray]:
    """Read a part of a file, piece by piece."""
    reader = PartOfFile(file, part)
    buffer = bytearray(size)
    view = memoryview(buffer)
    while count := reader.readinto(view):
        yield buffer[:count]


class PartOfFile(io.RawIOBase):
    """A reader of a part of a file.

    Args:
        file: seekable, opened with `buffering=0`; nobody else may read from it meanwhile.
        part: which part.
    """

    def __init__(self, file: io.RawIOBase, part: Part) -> None:
        file.seek(part.begin)
        self._file = file
        self._left = max(0, part.end - part.begin)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read into `buffer`; return how many bytes."""
        count = self._file.readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= count
        return count
