"""What `decode` prints for people: the answer about a line, and the bits of an address."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa._address import Address
from fdaa._answers import Compare, Reach, Where, Whois, first_answer, rows_of_network
from fdaa.cli._arguments import end_text, target_text
from fdaa.cli._render import paragraph, table, uses_colour, width
from fdaa.cli._this_machine import SELF
from fdaa.lines import Host, Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fdaa._answers import FirstAnswer, Step
    from fdaa.lines import Found
    from fdaa.networks import NetworkMap

# --- the answer about a line ----------------------------------------------------------------------

_HEAD = ("address", "network", "name")
# Where a command runs -> the name of its row, after the first one.
_PLACES = {Where.HERE: "next", Where.MACHINE: "in a Machine", Where.SOURCE: "at the source"}


def answer_lines(answer: FirstAnswer, counts: Mapping[Found, int] | None = None) -> Iterator[str]:
    """Yield the lines that show an answer to a person.

    Args:
        answer: the answer.
        counts: how often each address occurs, if some occur in several texts.
    """
    if answer.title:
        yield paragraph(answer.title)
    yield from _table(answer, counts)
    for sentence in answer.conclusion:
        yield paragraph(sentence)
    for name, value in answer.rows:
        yield from _row(name, value)
    yield from _step_lines(answer.next)


def _table(answer: FirstAnswer, counts: Mapping[Found, int] | None) -> Iterator[str]:
    if not answer.table:
        return
    head = _HEAD[: len(answer.table[0])]
    rows = list(answer.table)
    if counts is not None and max(counts.values()) > 1:
        head = (*head, "count")
        rows = [(*row, str(count)) for row, count in zip(rows, counts.values(), strict=True)]
    yield from table(rows, head)


def _step_lines(steps: tuple[Step, ...]) -> Iterator[str]:
    """Yield the commands for some steps, each after `next`, or after where it runs."""
    for step in steps:
        yield from _command(_PLACES[step.where], _command_for(step))


# --- next steps -----------------------------------------------------------------------------------


def arguments_for(step: Step) -> list[str]:
    """Return the words of the command for a step; a port that is not known is PORT.

    >>> from fdaa import Address
    >>> arguments_for(Whois(Address("fdaa:2:45b::3")))
    ['fdaa', 'whois', 'fdaa:2:45b::3']
    """
    if isinstance(step, Whois):
        return ["fdaa", "whois", str(step.address)]
    if isinstance(step, Compare):
        return ["fdaa", "same", SELF, str(step.address)]
    if isinstance(step, Reach):
        source = SELF
        if step.source is not None:
            source = end_text(step.source)
        return ["fdaa", "reach", source, end_text(step.target)]
    if isinstance(step.target, Host):
        return ["fdaa", "probe", target_text(step.target)]
    return ["fdaa", "probe", f"[{step.target}]:{step.port or 'PORT'}"]


def _command_for(step: Step) -> str:
    """Return the command for a step, quoted for a shell."""
    words = []
    for word in arguments_for(step):
        if "[" in word:
            word = f"'{word}'"
        words.append(word)
    return " ".join(words)


# --- the bits and the parts -----------------------------------------------------------------------


def draws_pictures() -> bool:
    """Whether to draw the bits of an address where no option says so: on a terminal.

    A screen reader would read the lines aloud; TERM=dumb and ACCESSIBLE are set for one.
    """
    if os.environ.get("TERM") == "dumb" or os.environ.get("ACCESSIBLE"):
        return False
    return sys.stdout.isatty()


def describe(found: Found, networks: NetworkMap | None) -> str:
    """Return the bits of an address and its parts; the parts of a network."""
    if isinstance(found, Address):
        return f"{found}\n" + parts(found, networks)
    answer = first_answer(Line.of([found]), networks)
    return "".join(answer_lines(answer))


def parts(address: Address, networks: NetworkMap | None) -> str:
    """Return the bits of an address, and its parts."""
    lines = [_picture(address)]
    for name, value in rows_of_network(address.network_id, networks):
        lines += _row(name, value)
    lines += _row("exploded", address.exploded)
    lines += _row("reverse pointer", address.reverse_pointer)
    return "".join(lines)


_PICTURE = """\
  ┌──────────┬──────────────┬────────────────────────────┐
  │   {}   │  {}   │  {}  │
  └──────────┴──────────────┴────────────────────────────┘
     fixed      network ID               rest
    16 bits      32 bits               80 bits
"""
_IN_ASCII = str.maketrans("┌┬┐└┴┘─│", "++++++-|")


def _picture(address: Address) -> str:
    """Draw the bits; the parts of the exploded text always have these widths."""
    digits = address.exploded
    fixed = digits[:4]
    network_id = digits[5:14]
    rest = digits[15:]
    if uses_colour():
        fixed = click.style(fixed, dim=True)
        network_id = click.style(network_id, fg="cyan", bold=True)
        rest = click.style(rest, dim=True)
    picture = _PICTURE.format(fixed, network_id, rest)
    try:
        picture.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return picture.translate(_IN_ASCII)
    return picture


# --- lines ----------------------------------------------------------------------------------------


def _row(name: str, value: str) -> Iterator[str]:
    """Yield a name and its value; on a narrow terminal, the value is below its name."""
    line = f"  {name:16} {value}"
    if len(line) <= width():
        yield f"{line}\n"
        return
    yield f"  {name}\n"
    yield paragraph(value, "    ")


def _command(name: str, command: str) -> Iterator[str]:
    """Yield a command; where it does not fit, it is on a line of its own, and continued."""
    beside = f"  {name}: {command}"
    if len(beside) <= width():
        yield f"{beside}\n"
        return
    yield f"  {name}:\n"
    if len(command) + 4 > width():
        command = " \\\n      ".join(command.rsplit(" ", 1))
    yield f"    {command}\n"
