"""Standard streams, bounded and safe to print."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO

import click

from fdaa._support import streams
from fdaa._support.escapes import printable
from fdaa._values.errors import without_index
from fdaa.cli._statuses import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa._values.errors import InputError

QUIET = "fdaa.quiet"  # where click keeps whether --quiet is given

# Bytes, far more than any address and its surroundings. A few more of a longer line are kept, which
# show that it is longer; so memory is bounded.
LINE_LIMIT = 65536
_KEPT = LINE_LIMIT + len(b"?\r")

_LONGEST = 1000  # characters of a message: no name from outside fills the screen


def discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that Python's flush at its exit does not fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


@contextmanager
def after_change(change: str) -> Iterator[None]:
    """Write the result of a change; if that fails, the error says that the change was made."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        discard(sys.stdout)
        reason = f"standard output: {error.strerror or error}"
        raise CommandError(f"{reason}; done all the same: {change}") from None


def complain(message: str, before: str = "") -> None:
    """Print a message on standard error, escaped; the middle of a long one is left out."""
    line = printable(f"fdaa: {message}")
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    write_error(before + line)


def note(message: str) -> None:
    """Print on standard error what is no error; nothing with --quiet."""
    context = click.get_current_context()
    if not context.meta.get(QUIET, False):
        complain(message)


def report(error: InputError, where: str = "") -> None:
    """Print the error of an input, and show its position, if it has one, by a caret below.

    Args:
        error: the error; its place is shown instead of its index.
        where: the text in front, such as `line 3: `.
    """
    if error.at is None:
        complain(f"{where}{error}")
    else:
        complain(f"{where}{without_index(error)}")
        write_error(caret_below(error.text, error.at))


class Complaints:
    """The errors of many inputs: the first of them in full, then how many more."""

    _SHOWN = 10

    def __init__(self) -> None:
        self.count = 0

    def add(self, error: InputError, where: str) -> None:
        """Report an input, after the results that were before it."""
        is_shown = self.shows_next
        self.count += 1
        if is_shown:
            sys.stdout.flush()
            report(error, where)

    @property
    def shows_next(self) -> bool:
        """Whether the next error is printed; else it needs no hint, which takes time."""
        return self.count < self._SHOWN

    def finish(self) -> None:
        """Report how many more there were."""
        more = self.count - self._SHOWN
        if more > 0:
            complain(f"and {more:,} more like these")


_ASIDE = 36  # columns of a text that are shown on each side of a caret at most


def caret_below(text: str, at: int) -> str:
    """Return a text, cut around a character and escaped, and a line with a caret below it."""
    backwards = text[max(0, at - _ASIDE) : at][::-1]
    before = _fitting(backwards)
    before.reverse()
    after = _fitting(text[at : at + _ASIDE])
    if len(before) < at:
        before.insert(0, "...")
    begin = "".join(before)
    end = "".join(after)
    if at + len(after) < len(text):
        end += "..."
    place = columns(begin)
    if after and columns(after[0]) == 0:  # it is drawn over the character before it
        place -= 1
    blanks = " " * place
    return f"  {begin}{end}\n  {blanks}^"


def _fitting(characters: str) -> list[str]:
    """Return the first characters as they are printed, as many as fit beside a caret."""
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    shown: list[str] = []
    room = _ASIDE
    for character in characters:
        escaped = printable(character).encode(encoding, "backslashreplace").decode(encoding)
        room -= columns(escaped)
        if room < 0:
            break
        shown.append(escaped)
    return shown


def columns(text: str) -> int:
    """Return how many columns a terminal needs for a text that is printable."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width  # a table of 1 MB

    number = 0
    for character in text:
        if category(character) in ("Mn", "Me"):  # a mark on the character before it
            continue
        number += 1
        if east_asian_width(character) in "WF":
            number += 1
    return number


def write_error(text: str) -> None:
    """Print on standard error, if there is one, in one piece: other programs write there, too."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{text}\n")  # print() writes the line end apart with PYTHONUNBUFFERED
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)  # no one reads it; the results and the status still come


def raw_output() -> Callable[[bytes], object]:
    """Return a function that writes bytes to standard output: unchanged, but escaped on a terminal.

    Writing no bytes ends the output.
    """
    if not sys.stdout.isatty():
        return sys.stdout.buffer.write
    decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write_escaped(data: bytes) -> None:
        text = printable(decoder.decode(data, final=not data), keep="\n\t")
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding, "backslashreplace"))

    return write_escaped


def standard_input() -> BinaryIO:
    """Return standard input as a binary file; a read waits for input, as from a blocking file.

    Raises:
        CommandError: it is closed.
    """
    try:
        return streams.standard_input().buffer
    except OSError:
        raise CommandError("standard input is closed") from None


def read_lines() -> Iterator[list[bytes]]:
    """Yield the lines of standard input, in batches, without their ends (LF or CRLF).

    A batch is what one read returned, so a slow writer's line is handled before the next comes.

    Raises:
        CommandError: it cannot be read.
    """
    stream = standard_input()
    rest = b""
    while True:
        try:
            # read1 of a BufferedReader, and of a replacement, does not wait for more bytes.
            chunk: bytes = stream.read1(LINE_LIMIT)  # type: ignore[attr-defined]
        except OSError as error:
            raise CommandError(f"standard input: {error.strerror or error}") from None
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[:_KEPT]
        yield [line[:_KEPT].removesuffix(b"\r") for line in lines]
    if rest:
        yield [rest.removesuffix(b"\r")]
