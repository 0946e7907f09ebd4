"""What every command has in common as a process: its exit status, its errors, its streams."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import click

from fdaa.errors import QUOTED, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

YES, NO, WRONG = 0, 1, 2
INTERRUPTED = 130

# Far more than any address and its surroundings; a longer line is cut here, so memory is bounded.
LINE_LIMIT = 65536
_READ_SIZE = 65536

_NOT_PLAIN = frozenset(" \"'\\,;()")  # what would look like a part of the line around it
_ESCAPES = {c: f"\\x{c:02x}" for c in (*range(32), *range(127, 160)) if chr(c) != "\n"}


class Program(click.Group):
    """A group whose commands return their exit status, and that never ends in a traceback."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._later: dict[str, Callable[[], click.Command]] = {}

    def add_later(self, name: str) -> Callable[[Callable[[], click.Command]], None]:
        """Add a command that the decorated function imports when it is asked for."""

        def add(load: Callable[[], click.Command]) -> None:
            self._later[name] = load

        return add

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, those that are not loaded too."""
        return sorted({*super().list_commands(ctx), *self._later})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loaded if need be."""
        if cmd_name in self._later:
            self.add_command(self._later.pop(cmd_name)(), cmd_name)
        return super().get_command(ctx, cmd_name)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run and exit: 0 yes or done, 1 no, 2 wrong input or call, 130 after Ctrl-C."""
        kwargs["standalone_mode"] = False
        try:
            if sys.stdout is None:
                raise click.ClickException("standard output is closed")
            status = super().main(*args, **kwargs) or YES
            sys.stdout.flush()
        except click.UsageError as error:
            usage = error.ctx.get_usage() + "\n" if error.ctx else ""
            complain(f"{error.format_message()}", before=usage)
            status = WRONG
        except click.ClickException as error:
            complain(error.format_message())
            status = WRONG
        except (click.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except OSError as error:
            # Standard output: whatever reads or opens files reports its own errors by name.
            _discard_output()
            complain(f"standard output: {error.strerror or error}")
            status = WRONG
        sys.exit(status)


def _discard_output() -> None:
    """Let the interpreter's last flush succeed, which would complain once more."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())


def complain(message: str, before: str = "") -> None:
    """Say what is wrong on standard error, with nothing in it that a terminal would obey."""
    click.echo(before + printable(f"fdaa: {message}"), err=True)


def printable(text: str) -> str:
    r"""Return `text` in ASCII with control characters escaped; line ends stay.

    >>> print(printable("\x1b[31mn\u00e4me"))
    \x1b[31mn\xe4me
    """
    return text.translate(_ESCAPES).encode("ascii", "backslashreplace").decode()


def inline(text: str) -> str:
    r"""Return a name from outside for a place inside a line: as it is if it is plain, else quoted.

    >>> print(inline("web-1"), inline("a b"), inline("\x1b[31m"))
    web-1 'a b' '\x1b[31m'
    """
    plain = text.isascii() and text.isprintable() and not _NOT_PLAIN.intersection(text)
    return text if plain and 0 < len(text) <= QUOTED else quote(text)


def read_lines(stream: BinaryIO, name: str) -> Iterator[list[bytes]]:
    """Yield the lines of a stream as they come, in batches, without their ends (LF or CRLF).

    A batch is what one read brought, so a slow writer's line is seen before the next one comes.

    Raises:
        click.ClickException: the stream cannot be read.
    """
    rest = b""
    while True:
        try:
            # read1 of a BufferedReader, and of what stands for one, waits for no more than it has.
            chunk: bytes = stream.read1(_READ_SIZE)  # type: ignore[attr-defined]
        except OSError as error:
            raise click.ClickException(f"{name}: {error.strerror or error}") from None
        if not chunk:
            break
        first, *others = chunk.split(b"\n")
        rest = (rest + first)[:LINE_LIMIT]
        if others:
            lines = [rest, *others[:-1]]
            rest = others[-1]
            yield [line[:LINE_LIMIT].removesuffix(b"\r") for line in lines]
    if rest:
        yield [rest.removesuffix(b"\r")]
