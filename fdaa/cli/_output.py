"""How results are printed: as records for programs (--json and --field), and for people."""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import suppress
from functools import wraps
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from fdaa import _bits
from fdaa._address import Address
from fdaa._escapes import as_unicode, printable, quote
from fdaa._id_text import id_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from fdaa._errors import InputError
    from fdaa.lines import Found
    from fdaa.networks import Book


# --- the record of an address ---------------------------------------------------------------------

NETWORK_NAME = "network_name"  # the last field, where there is a book


_Fields: TypeAlias = dict[str, str | int | None]


def short_record(found: Found) -> _Fields:
    """Return the first fields of an address or a network."""
    network_id = found.network_id
    if isinstance(found, Address):
        kind = "address"
        address = str(found)
        prefix = str(network_id.prefix)
    else:
        kind = "prefix"
        address = None
        prefix = str(found)
    return {"kind": kind, "address": address, **id_fields(network_id), "prefix": prefix}


def record(found: Found, book: Book | None = None) -> _Fields:
    """Return the fields of an address or a network, in their documented order, without `input`."""
    fields = short_record(found)
    if isinstance(found, Address):
        packed = found.packed.hex()
        fields["rest"] = packed[-_bits.REST_BITS // 4 :]
        fields["packed"] = packed
        fields["exploded"] = found.exploded
        fields["reverse_pointer"] = found.reverse_pointer
    else:
        fields.update(dict.fromkeys(("rest", "packed", "exploded", "reverse_pointer")))
    if book is not None:
        fields[NETWORK_NAME] = book.name_of(found.network_id)
    return fields


RECORD_FIELDS = tuple(record(Address.build(0)))
FIELDS = ("input", *RECORD_FIELDS)


def refusal(error: InputError) -> dict[str, str | int | None]:
    """Return the fields of a refused input."""
    return {
        "input": as_unicode(error.text),
        "kind": "refused",
        "error": error.reason,
        "at": error.at,
    }


_ENCODER = json.JSONEncoder(check_circular=False)  # records are no circles


def json_line(fields: Mapping[str, Any]) -> str:
    """Return one line of JSON, in ASCII."""
    return json_text(fields) + "\n"


def json_text(value: object) -> str:
    """Return a value as JSON, in ASCII."""
    return _ENCODER.encode(value).replace("\x7f", "\\u007f")


# --- --json and --field ---------------------------------------------------------------------------


class Records:
    """Writes records as --json or --field asks; false if neither is given.

    A result is written in both cases, a remark (input that is refused, a contradiction) as JSON
    only: with --field, it is on standard error alone.

    Args:
        as_json: write each record as a line of JSON.
        fields: write only these fields of each record that has all of them, separated by tabs; a
            dot leads into an object in the record: `claims.sub`.
    """

    def __init__(self, as_json: bool = False, fields: tuple[str, ...] = ()) -> None:
        self.as_json = as_json
        self.fields = fields

    def __bool__(self) -> bool:
        return self.as_json or bool(self.fields)

    def line(self, record: Mapping[str, Any]) -> str:
        """Return the line for a record; it is empty for a record without one of the fields."""
        if not self.fields:
            return json_line(record)
        cells = []
        for name in self.fields:
            try:
                cells.append(_cell(_value(record, name)))
            except KeyError:
                return ""
        return "\t".join(cells) + "\n"

    def write(self, record: Mapping[str, Any]) -> None:
        """Write a result."""
        sys.stdout.write(self.line(record))

    def remark(self, record: Mapping[str, Any]) -> None:
        """Write a remark."""
        if self.as_json:
            sys.stdout.write(json_line(record))


NO_RECORDS = Records()


def _value(record: Mapping[str, Any], name: str) -> object:
    """Return a field of a record; raise a KeyError if it does not have it."""
    if name in record:
        return record[name]
    first, dot, rest = name.partition(".")
    if not dot or not isinstance(record[first], dict):
        raise KeyError(name)
    return _value(record[first], rest)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value)
    return json_text(value)


def _check_field(
    field: str, names: tuple[str, ...], objects: Mapping[str, Collection[str]]
) -> None:
    """Raise a BadParameter for a field that no record has; as in `record_options`."""
    name, dot, rest = field.partition(".")
    if name not in names:
        raise click.BadParameter(f"{quote(field)} is not one of: {', '.join(names)}")
    if not dot:
        return
    if name not in objects:
        raise click.BadParameter(f"{quote(field)}: {name} is not an object")
    if objects[name] and rest not in objects[name]:
        known = ", ".join(objects[name])
        raise click.BadParameter(f"{quote(field)}: {name} has only {known}")


def record_options(
    *names: str,
    text: str = "Print JSON Lines.",
    objects: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Callable[..., Any]:
    """Return a decorator that adds --json and --field, passed to the command as `records`.

    Args:
        names: the fields of the command's results; without them, any name is accepted.
        text: the help of --json.
        objects: the fields that are objects, each with its own fields; none stands for any.
    """
    listed = ", ".join(names) or "any"

    def check(_context: object, _option: object, fields: tuple[str, ...]) -> tuple[str, ...]:
        if names:
            for field in fields:
                _check_field(field, names, objects)
        return fields

    def complete(_context: object, _option: object, incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("as_json", "--json", is_flag=True, help=text)
        @click.option(
            "fields",
            "--field",
            metavar="NAME",
            multiple=True,
            callback=check,
            shell_complete=complete,
            help=f"Print only this field of the JSON. Repeatable, tab-separated. NAME: {listed}.",
        )
        @wraps(command)
        def with_records(*, as_json: bool, fields: tuple[str, ...], **options: Any) -> Any:
            if as_json and fields:
                raise click.UsageError("--json and --field cannot be combined")
            return command(records=Records(as_json, fields), **options)

        return with_records

    return decorate


# --- for people -----------------------------------------------------------------------------------

COLOR = "fdaa.color"  # where click keeps what --color says
_WIDEST = 100  # columns; longer lines are hard to read


def width() -> int:
    """Return the width of prose: the terminal's, at most 100 columns."""
    return min(_terminal_width(), _WIDEST)


def _terminal_width() -> int:
    """Return COLUMNS, or the width of the terminal; 80 where output goes elsewhere.

    shutil has the same function, but importing shutil takes 3 ms.
    """
    with suppress(OSError, ValueError):
        columns = int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(1).columns
        return columns if columns > 0 else 80
    return 80


def paragraph(text: str, indent: str = "", hanging: str = "") -> str:
    """Return prose as lines that fit the terminal; a name with hyphens stays whole.

    Args:
        text: the prose.
        indent: what each line begins with.
        hanging: what each line but the first has after that.
    """
    if text.isprintable() and len(indent) + len(text) <= width():
        return f"{indent}{text}\n"
    import textwrap  # 1 ms, which a short line does not need

    filled = textwrap.fill(
        text,
        width(),
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_on_hyphens=False,
    )
    return filled + "\n"


def command(name: str, words: list[str]) -> Iterator[str]:
    """Yield a command after what it is; where it does not fit, each option is on its own line.

    Args:
        name: what it is, such as `next`.
        words: the words of the command.
    """
    beside = f"  {name}: {shlex.join(words)}"
    if len(beside) <= width():
        yield f"{beside}\n"
        return
    parts: list[list[str]] = [[]]
    for word in words:
        if word.startswith("--") and parts[-1]:
            parts.append([])
        parts[-1].append(word)
    yield f"  {name}:\n"
    yield "    " + " \\\n      ".join(map(shlex.join, parts)) + "\n"


def indented(line: str, more: str = "") -> str:
    """Return a line of prose as lines that fit the terminal, indented like the first."""
    text = line.lstrip()
    return paragraph(text, more + line[: len(line) - len(text)])


def counted(number: int, noun: str, ending: str = "s") -> str:
    """Return a number of things: `1 row`, `2 rows`, `2 addresses` with the ending `es`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{ending}"


def table(rows: Iterable[tuple[str, ...] | str], head: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a table that fits the terminal, none without rows.

    Where it does not fit, the widest columns are wrapped between words. Where that is not enough,
    each row is a list of its cells, so that no address is split.

    Args:
        rows: the cells of each row; a text becomes separate lines.
        head: the names of the columns.
    """
    lines = list(rows)
    if not lines:
        return
    with_head = lines
    if head:
        with_head = [head, *lines]
    widths = _widths(with_head)
    if widths is None:
        yield from _lists(lines, head)
        return
    for line in with_head:
        if isinstance(line, str):
            yield indented(line)
        else:
            yield from _aligned(line, widths)


def _widths(lines: list[tuple[str, ...] | str]) -> list[int] | None:
    """Return the widths of columns that fit the terminal, or None if no word may be split."""
    widths: list[int] = []
    least: list[int] = []  # the longest word of each column
    rows = [line for line in lines if not isinstance(line, str)]
    for column in zip(*rows, strict=True):
        words = " ".join(column).split(" ")
        widths.append(max(map(len, column)))
        least.append(max(map(len, words)))
    too_wide = sum(widths) + 2 * (len(widths) - 1) - _terminal_width()
    while too_wide > 0:
        with_room = [number for number, width in enumerate(widths) if width > least[number]]
        if not with_room:
            return None
        widest = max(with_room, key=widths.__getitem__)
        widths[widest] -= 1
        too_wide -= 1
    return widths


def _aligned(cells: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    """Yield the lines of a row."""
    wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*wrapped, fillvalue=""):
        padded = [part.ljust(width) for part, width in zip(parts, widths, strict=True)]
        yield "  ".join(padded).rstrip() + "\n"


def _wrapped(cell: str, width: int) -> list[str]:
    if len(cell) <= width:
        return [cell]
    import textwrap  # late, as in `paragraph`

    return textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False)


def _lists(lines: list[tuple[str, ...] | str], head: tuple[str, ...]) -> Iterator[str]:
    """Yield each row as a list: its first cell, and below it the others with their names."""
    names = ("",) * len(lines[0])
    if head:
        longest = max(map(len, head))
        names = tuple(f"{name:{longest}}  " for name in head)
    for line in lines:
        if isinstance(line, str):
            yield indented(line)
            continue
        first, *others = line
        yield f"{first}\n"
        for name, cell in zip(names[1:], others, strict=True):
            yield paragraph(f"{name}{cell}", "  ")


def uses_colour() -> bool:
    """Whether to colour standard output: as --color says, else if it is a terminal.

    NO_COLOR (no-color.org), FORCE_COLOR (force-color.org) and TERM=dumb decide before the terminal.
    """
    wanted: str = click.get_current_context().meta.get(COLOR, "auto")
    if wanted != "auto" or os.environ.get("NO_COLOR"):
        return wanted == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
