"""What commands print: answers as text, --json or --field; and errors, safe on any terminal."""

from __future__ import annotations

import codecs
import os
import shlex
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from fdaa._support.escapes import printable, quote
from fdaa._values.errors import InputError, without_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fdaa._values.errors import FdaaError

YES = 0  # or done
NO = 1
WRONG = 2  # the input or the call
UNKNOWN = 3
INTERRUPTED = 130
STATUS_OF = {True: YES, False: NO, None: UNKNOWN}  # an answer -> its status

_LONGEST = 1000  # characters of a message: no name from outside fills the screen
_ASIDE = 36  # characters that are shown on each side of a caret


class CommandError(Exception):
    """Ends a command; its text is printed.

    The status is 2, but 3 where it is not known whether something was done.
    """

    def __init__(self, message: str, status: int = WRONG) -> None:
        super().__init__(message)
        self.status = status


class _FileName(click.Path):
    """The name of a file. An empty one is refused: it comes from a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as it was given."""
        if not value:
            self.fail("the name of the file is empty", param, ctx)
        return str(value)

    def split_envvar_value(self, rv: str) -> list[str]:
        """Return the names in a variable; empty ones are skipped."""
        return list(filter(None, super().split_envvar_value(rv)))


FILE = _FileName()


def is_file(text: str) -> bool:
    """Whether a text is the name of a file."""
    return os.path.isfile(text)  # noqa: PTH113 - Path's raises where it may not look


# --- answers --------------------------------------------------------------------------------------


class Output(NamedTuple):
    """How a command prints its answers.

    Args:
        as_json: a line of JSON for each answer.
        fields: only these fields of each, separated by tabs; `claims.sub` is in an object.
        quiet: nothing.
    """

    as_json: bool = False
    fields: tuple[str, ...] = ()
    quiet: bool = False

    @property
    def is_text(self) -> bool:
        """Whether people read it."""
        return not (self.as_json or self.fields or self.quiet)

    def show(
        self, answers: Iterable[Any], text: Iterable[str] | None = None, remarks: Iterable[Any] = ()
    ) -> None:
        """Print answers.

        Args:
            answers: the answers, with `str` and `to_dict`, or as dictionaries; --field prints each
                that has the fields.
            text: their lines for people; None for those of `str`.
            remarks: what is no answer; only --json has it.
        """
        if self.is_text:
            if text is None:
                text = map(str, answers)
            sys.stdout.writelines(f"{line}\n" for line in text)
            return
        for answer in answers:  # they are read, though nothing may be printed
            if not self.quiet:
                sys.stdout.write(self.line(answer))
        if self.as_json and not self.quiet:
            sys.stdout.writelines(map(self.line, remarks))

    def line(self, answer: Any) -> str:
        """Return the line of JSON or of fields; it is empty without one of the fields."""
        record = answer if isinstance(answer, dict) else answer.to_dict()
        if not self.fields:
            return _json(record) + "\n"
        cells = []
        for name in self.fields:
            cell = _value(record, name)
            if cell is None:
                return ""
            cells.append(cell)
        return "\t".join(cells) + "\n"


def _value(value: Any, name: str) -> str | None:
    """Return a field as text; None where the record does not have it."""
    keys = [name]
    if name not in value:
        keys = name.split(".")
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value)
    return _json(value)


def _json(value: object) -> str:
    import json  # late: a line for people needs none

    return json.dumps(value).replace("\x7f", "\\u007f")  # in ASCII, for any terminal


def output_options(*names: str) -> Callable[..., Any]:
    """Return a decorator that adds --json, --field and --quiet, passed as `output`.

    Args:
        names: the fields of the answers.
    """

    def check(_: object, __: object, fields: tuple[str, ...]) -> tuple[str, ...]:
        for field in fields:
            if field.partition(".")[0] not in names:
                raise click.BadParameter(f"{quote(field)} is not one of: {', '.join(names)}")
        return fields

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("as_json", "--json", is_flag=True, help="Print JSON Lines.")
        @click.option(
            "fields",
            "--field",
            metavar="NAME",
            multiple=True,
            callback=check,
            help="Print only this field of the JSON. Repeatable, separated by tabs. "
            f"NAME: {', '.join(names)}.",
        )
        @click.option("-q", "--quiet", is_flag=True, help="Print only errors, no results.")
        @wraps(command)
        def with_output(as_json: bool, fields: tuple[str, ...], quiet: bool, **others: Any) -> Any:
            if as_json and fields:
                raise click.UsageError("--json and --field cannot be combined")
            click.get_current_context().meta["fdaa.quiet"] = quiet
            return command(output=Output(as_json, fields, quiet), **others)

        return with_output

    return decorate


# --- text -----------------------------------------------------------------------------------------


def shell_line(words: Iterable[str]) -> str:
    """Return words as a shell reads them."""
    return printable(shlex.join(words))


def counted(number: int, noun: str) -> str:
    """Return a number of things: `1 row`, `2 rows`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s"


def raw_output() -> Callable[[bytes], object]:
    """Return a function that writes bytes to standard output: escaped on a terminal.

    Writing no bytes ends the output.
    """
    if not sys.stdout.isatty():
        return sys.stdout.buffer.write
    decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write_escaped(data: bytes) -> None:
        text = printable(decoder.decode(data, final=not data), keep="\n\t")
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding, "backslashreplace"))

    return write_escaped


# --- errors ---------------------------------------------------------------------------------------


def discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that Python's flush at its exit does not fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def write_error(text: str) -> None:
    """Print on standard error, if there is one, in one piece: other programs write there, too."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)  # no one reads it; the results and the status still come


def complain(message: str, before: str = "") -> None:
    """Print a message on standard error, escaped; the middle of a long one is left out."""
    line = printable(f"fdaa: {message}")
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    write_error(before + line)


def note(message: str) -> None:
    """Print on standard error what is no error; nothing with --quiet."""
    if not click.get_current_context().meta.get("fdaa.quiet"):
        complain(message)


def report(error: FdaaError, where: str = "") -> None:
    """Print an error; that of an input with a caret below its position, if it has one."""
    sys.stdout.flush()
    if not isinstance(error, InputError) or error.at is None:
        complain(f"{where}{error}")
    else:
        complain(f"{where}{without_index(error)}")
        write_error(caret_below(error.text, error.at))


def error_record(error: InputError) -> dict[str, Any]:
    """Return the record of an input that gives no result."""
    return {"kind": "error", "error": error.reason, "at": error.at}


def caret_below(text: str, at: int) -> str:
    """Return a text, cut around a character and escaped, and a line with a caret below it."""
    start = max(0, at - _ASIDE)
    begin = printable(text[start:at])
    if start:
        begin = f"...{begin}"
    end = printable(text[at : at + _ASIDE])
    if at + _ASIDE < len(text):
        end += "..."
    return f"  {begin}{end}\n  {' ' * len(begin)}^"
