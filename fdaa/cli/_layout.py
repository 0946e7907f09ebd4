"""The layout of prose, commands and tables on a terminal."""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


# A word of a command, in which no quotes are cut; an option has its value with it.
_WORD = r"""(?x)
    (?: --[a-z-]+ [ ] (?! - ) )?
    (?: '[^']*' | "[^"]*" | [^ '"] )+
"""


def shell_line(words: Iterable[str]) -> str:
    r"""Return words as a shell reads them; a word with a control character as `$'...'`.

    >>> print(shell_line(["fdaa", "it's", "a\x1b b"]))
    fdaa 'it'"'"'s' $'a\x1b\x20b'
    """
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    shown = ""
    for byte in os.fsencode(word):
        character = chr(byte)
        is_plain = character.isascii() and character.isalnum()
        shown += character if is_plain or character in "/.:_-=[]" else f"\\x{byte:02x}"
    return f"$'{shown}'"


def command_line(command: str, *arguments: str, options: Iterable[str] = ()) -> str:
    """Return a command of fdaa, as a shell reads it.

    >>> print(command_line("book rename", "a", "b", options=["--book", "my book.json"]))
    fdaa book rename a b --book 'my book.json'
    >>> print(command_line("scan", "-x.log"))
    fdaa scan -- -x.log
    """
    words = ["fdaa", *command.split()]
    if any(argument.startswith("-") for argument in arguments):
        return shell_line([*words, *options, "--", *arguments])
    return shell_line([*words, *arguments, *options])


def command(label: str, text: str) -> str:
    """Return a command after its label, as lines that fit the terminal, joined by backslashes.

    Args:
        label: what it is: `  next:`.
        text: the command, as a shell reads it.
    """
    below = " " * (len(label) - len(label.lstrip()) + len("next:"))
    lines = [label]
    for word in re.findall(_WORD, text):
        if len(f"{lines[-1]} {word} \\") > width() and lines[-1] != below:
            lines.append(below)
        lines[-1] += f" {word}"
    if lines[0] == label:  # no word of the command fits beside it
        lines[1] = "\n" + lines[1]
        return lines[0] + " \\\n".join(lines[1:]) + "\n"
    return " \\\n".join(lines) + "\n"


def indented(line: str, more: str = "") -> str:
    """Return a line of prose as lines that fit the terminal, indented like the first."""
    text = line.lstrip()
    return paragraph(text, more + line[: len(line) - len(text)])


def counted(number: int, noun: str) -> str:
    """Return a number of things: `1 row`, `2 rows`."""
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


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
    with_head = [head, *lines] if head else lines
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
