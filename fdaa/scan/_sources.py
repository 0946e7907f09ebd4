"""Where text comes from: files, directories and standard input, packed or not.

What cannot be read is named and the rest is read. Only files that were named are waited for.
"""

from __future__ import annotations

import bz2
import io
import lzma
import os
import stat
import sys
import zlib
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STANDARD_INPUT = "-"

# By content, not by name (gzip: RFC 1952; zstd: RFC 8878; bzip2, xz: what each file begins with).
_GZIP = b"\x1f\x8b\x08"
_XZ = b"\xfd7zXZ\x00"
_BZIP2 = tuple(
    b"BZh%d" % level + mark for level in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")
)
_ZSTD = b"\x28\xb5\x2f\xfd"
_MAGIC = (_GZIP, _XZ, *_BZIP2, _ZSTD)

_PACKED_PIECE = 8 * 1024
# What is unpacked at once, and so what is lost where damage is met.
_UNPACKED_PIECE = 256
# What a file may ask for; `xz -9` asks for 65 MiB, the format allows 4 GiB.
_XZ_MEMORY = 128 * 1024 * 1024
# Of what was listed as a file: a link is not followed, and a FIFO does not block.
_AS_LISTED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Source(NamedTuple):
    """A name that was given, or found in a directory.

    Args:
        name: as it was given; `-` is standard input.
        listed: whether it was found in a directory, as a regular file.
    """

    name: str
    listed: bool = False


class Unreadable(NamedTuple):
    """What cannot be read, and why."""

    name: str
    error: OSError


class Opened(NamedTuple):
    """An open source.

    Args:
        name: as it was given or found.
        file: unbuffered, at its start.
        size: in bytes, of a regular file; None of anything else.
    """

    name: str
    file: io.RawIOBase
    size: int | None


def sources(names: tuple[str, ...], *, recursive: bool) -> Iterator[Source | Unreadable]:
    """Yield what is to be read: the names, and with `recursive` the files in named directories.

    As `grep -r` does, it follows symbolic links that are given and none that it finds, and of what
    it finds it takes regular files only. Names come in order.
    """
    for name in names:
        if recursive and name != STANDARD_INPUT and os.path.isdir(name):  # noqa: PTH112 - a name
            yield from _in_directory(name)
        else:
            yield Source(name)


def _in_directory(top: str) -> Iterator[Source | Unreadable]:
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
            yield Unreadable(directory, error)
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    inside.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield Source(entry.path, listed=True)
            except OSError as error:
                yield Unreadable(entry.path, error)
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
    os.set_blocking(descriptor, True)  # a read waits for what is to come
    return io.FileIO(descriptor, closefd=False)


# --- packed files ---------------------------------------------------------------------------------


def unpacked(raw: io.RawIOBase) -> io.RawIOBase:
    """Return what reads the file's text: the file itself, or what unpacks it.

    No more is read ahead than it takes to tell, which is less than the shortest address.

    Args:
        raw: an unbuffered file, at its start.

    Raises:
        OSError: the file cannot be read, or is packed by zstd, which Python does not unpack before
            3.14. The reader raises it too where packed data is damaged.
    """
    head = b""
    while any(magic.startswith(head) and magic != head for magic in _MAGIC):
        piece = raw.read(1)
        if not piece:
            break
        head += piece
    if head == _ZSTD:
        raise OSError("it is packed by zstd; unpack it first: zstd -dc FILE | fdaa scan")
    file = _Rewound(head, raw)
    if head == _GZIP:
        return _Unpacked(file, _Gunzip, padding=b"\0")
    if head == _XZ:
        xz = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        return _Unpacked(file, xz, padding=b"\0")
    if head in _BZIP2:
        return _Unpacked(file, bz2.BZ2Decompressor)
    return file


def is_packed(file: io.RawIOBase) -> bool:
    """Tell whether what `unpacked` has returned unpacks."""
    return isinstance(file, _Unpacked)


class _Rewound(io.RawIOBase):
    """A file whose first bytes have been read already; a pipe cannot go back to them."""

    def __init__(self, head: bytes, raw: io.RawIOBase) -> None:
        self._head = head
        self._raw = raw

    # Python gives it a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]
        if not self._head:
            return self._raw.readinto(buffer)
        piece, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


class _Decompressor(Protocol):
    """What unpacks one stream; the same in all formats."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gunzip:
    """zlib's object for a stream of gzip, with the face that those of bz2 and lzma have."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class _Unpacked(io.RawIOBase):
    """A packed file: streams in one format, one behind the other.

    The readers of Python's modules take what follows a stream for rubbish and end there, a damaged
    second stream too. Here it is another stream, or padding, or damage.

    Args:
        file: the packed file.
        new: makes what unpacks a stream.
        padding: the bytes that may stand between streams.
    """

    def __init__(
        self, file: io.RawIOBase, new: Callable[[], _Decompressor], padding: bytes = b""
    ) -> None:
        self._file = file
        self._new = new
        self._padding = padding
        self._stream = new()
        self._error: OSError | None = None  # raised when all before it has been read

    # Python gives it a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        filled = 0
        while filled < len(buffer) and self._error is None:
            try:
                piece = self._read(min(len(buffer) - filled, _UNPACKED_PIECE), wait=not filled)
            except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
                self._error = _as_os_error(error)
                break
            if not piece:
                break
            buffer[filled : filled + len(piece)] = piece
            filled += len(piece)
        if self._error is not None and not filled:
            raise self._error
        return filled

    def _read(self, size: int, *, wait: bool) -> bytes:
        """Return up to `size` bytes; none at the end, or where more of the file would be needed.

        Raises:
            EOFError: the file ends within a stream.
        """
        while True:
            data = b""
            if self._stream.eof or self._stream.needs_input:
                if not wait:
                    return b""
                if self._stream.eof:
                    data = self._behind()
                    if not data:
                        return b""
                    self._stream = self._new()
                else:
                    data = self._file.read(_PACKED_PIECE) or b""
            piece = self._stream.decompress(data, size)
            if piece:
                return piece
            if not (data or self._stream.eof) and self._stream.needs_input:  # nothing is held back
                raise EOFError

    def _behind(self) -> bytes:
        data = self._stream.unused_data.lstrip(self._padding)
        while not data:
            more = self._file.read(_PACKED_PIECE)
            if not more:
                break
            data = more.lstrip(self._padding)
        return data


def _as_os_error(error: Exception) -> OSError:
    if isinstance(error, OSError) and error.errno is not None:  # of the file itself
        return error
    if isinstance(error, EOFError):
        return OSError("the packed data ends too early")
    if "Memory usage limit" in str(error):  # lzma has no error of its own for it
        limit = f"{_XZ_MEMORY // 1024**2} MiB of memory"
        return OSError(f"unpacking needs more than {limit}")
    return OSError(f"the packed data is damaged: {error}")
