"""`fdaa decode`: the parts of an address."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from fdaa._address import Address
from fdaa._escapes import as_unicode, quote
from fdaa._hosts import Host
from fdaa.cli import _output as output
from fdaa.cli._arguments import (
    SELF,
    commands_for_app,
    end_text,
    note_own_address,
    read_pasted,
    target_text,
)
from fdaa.cli._options import book_for, book_option, color_option, map_of, quiet_option
from fdaa.cli._output import Records, paragraph, record_options, table, uses_colour, width
from fdaa.cli._streams import WRONG, YES, Complaints, note
from fdaa.explain import (
    Compare,
    Reach,
    Verify,
    Where,
    Whois,
    explain,
    rows_of_network,
)
from fdaa.lines import Line
from fdaa.probe import read_own_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fdaa.cli._arguments import Pasted
    from fdaa.explain import Answer, Step
    from fdaa.lines import Found
    from fdaa.networks import Book, NetworkMap
    from fdaa.probe import OwnAddress

_FIELDS = (*output.FIELDS, output.NETWORK_NAME)


@click.command()
@click.argument("texts", metavar="[TEXT|-]...", nargs=-1)
@click.option(
    "--picture/--no-picture",
    default=None,
    help="Draw the bits of every address.  [default: for one address, on a terminal]",
)
@record_options(*_FIELDS)
@quiet_option
@book_option()
@color_option
def decode(
    texts: tuple[str, ...],
    picture: bool | None,
    records: Records,
    quiet: bool,
    book_file: str | None,
) -> int:
    """Show the network of an address, its parts, and the next step.

    TEXT is an address, a network (2:45b, fdaa:2:45b::/48, or its name in a book), any text with
    addresses in it, such as a line of a log, or self: this Machine's address. Several addresses are
    printed as a table, and compared. If TERM is dumb or ACCESSIBLE is set, only --picture draws the
    bits.

    Without TEXT, or for -, each line of standard input is a TEXT.

    Examples:
      $ fdaa decode fdaa:2:45b:a7b:174:db43:d3c6:2
      $ fdaa decode '[fdaa:2:45b::2]:4711->[fdaa:0:18::3]:80: timeout'
      $ cut -f 3 peers.tsv | fdaa decode --json

    Exit status: 0 every TEXT was decoded, 2 one was not.
    """
    if records and picture:
        raise click.UsageError("--picture cannot be combined with --json or --field")
    book = book_for(records, book_file)
    own = read_own_address()
    networks = None
    if book is not None:
        networks = map_of(book)
    complaints = Complaints()
    all_pasted = _reported(read_pasted(texts, own, book), complaints, book)
    if quiet:
        for _ in all_pasted:  # errors only
            pass
    elif records:
        _write_records(all_pasted, records, book, networks)
    elif picture:
        _draw(all_pasted, networks)
    else:
        _print_answer(all_pasted, own, networks, picture)
    sys.stdout.flush()
    complaints.finish()
    note_own_address(own)
    if complaints.count:
        return WRONG
    return YES


def _reported(
    all_pasted: Iterator[Pasted], complaints: Complaints, book: Book | None
) -> Iterator[Pasted]:
    """Yield all texts, and report the errors of those without an address, and a second reading."""
    for pasted in all_pasted:
        if pasted.error is not None:
            complaints.add(pasted.error, pasted.where)
        app = pasted.app_in_its_place(book)
        if app is not None and not pasted.number:
            note(f"{quote(pasted.text)}: read as a network ID. {commands_for_app(app)}")
        yield pasted


def _write_records(
    all_pasted: Iterator[Pasted],
    records: Records,
    book: Book | None,
    networks: NetworkMap | None,
) -> None:
    """Write a record for each address, and one for the answer about an argument that is a line."""
    for pasted in all_pasted:
        if pasted.error is not None:
            records.remark(output.refusal(pasted.error))
        text = as_unicode(pasted.text)
        for found in pasted.found:
            records.write({"input": text, **output.record(found, book)})
        if records.as_json and not pasted.number and pasted.is_line:
            records.remark({"input": text, **_answer(pasted.line, networks)})


def _answer(line: Line, networks: NetworkMap | None) -> dict[str, object]:
    """Return the fields of an answer, with its next steps as the words of commands."""
    answer = explain(line.text, networks, own=line.own)
    return {**answer.to_dict(), "next": [arguments_for(step) for step in answer.next]}


def _draw(all_pasted: Iterator[Pasted], networks: NetworkMap | None) -> None:
    blank_line = ""  # between pictures
    for pasted in all_pasted:
        for found in pasted.found:
            sys.stdout.write(blank_line + describe(found, networks))
            blank_line = "\n"


def _print_answer(
    all_pasted: Iterator[Pasted],
    own: OwnAddress,
    networks: NetworkMap | None,
    picture: bool | None,
) -> None:
    """Print the answer for one line, or for all addresses, when all input has been read."""
    counts: Counter[Found] = Counter()
    line: Line | None = None  # the first with an address
    without: Line | None = None  # the first argument without one
    for pasted in all_pasted:
        counts.update(pasted.found)
        if line is None and pasted.found:
            line = pasted.line
        if without is None and not pasted.number and not pasted.line.found:
            without = pasted.line
    if line is None:
        if without is not None:
            sys.stdout.writelines(_symptom_lines(without))
        return
    text = line.text
    if len(counts) > len(line.found):  # other lines have more
        line = Line.of(list(counts), own.address)
        text = "\n".join(str(found).removesuffix(" (cut off)") for found in counts)
    sys.stdout.writelines(answer_lines(explain(text, networks, own=own.address), counts))
    match line.found:
        case [Address() as address] if picture is None and draws_pictures():
            sys.stdout.write("\n" + parts(address, networks))


# --- what is printed ------------------------------------------------------------------------------

# --- the answer about a line ----------------------------------------------------------------------

# Where a command runs -> the name of its row, after the first one.
_PLACES = {Where.HERE: "next", Where.MACHINE: "in a Machine", Where.SOURCE: "at the source"}


def answer_lines(answer: Answer, counts: Mapping[Found, int] | None = None) -> Iterator[str]:
    """Yield the lines that show an answer to a person.

    Args:
        answer: the answer.
        counts: how often each address occurs, if some occur in several texts.
    """
    if counts is not None and len(counts) > 1 and max(counts.values()) > 1:
        rows = [(str(found), str(found.network_id), str(count)) for found, count in counts.items()]
        yield from table(rows, ("address", "network", "count"))
    for line in answer.lines():
        yield output.indented(line)
    yield from _step_lines(answer.next)


def _symptom_lines(line: Line) -> Iterator[str]:
    """Yield the lines about a line without an address; the error says the rest."""
    answer = explain(line.text)
    if answer.is_known:
        yield from answer_lines(answer)


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
    if isinstance(step, Verify):
        return ["fdaa", "verify", "--help"]
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
    return "".join(answer_lines(explain(str(found.network_id.prefix), networks)))


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
