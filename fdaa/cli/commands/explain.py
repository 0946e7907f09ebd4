"""`fdaa explain`, and `fdaa TEXT` for short: what does this line mean, and what now?"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from fdaa._escapes import as_unicode
from fdaa._hosts import Host
from fdaa.cli import _output as output
from fdaa.cli._arguments import SELF, note_own_address, required_own
from fdaa.cli._document_options import (
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._options import book_option, color_option, open_book, quiet_option
from fdaa.cli._output import Records, record_options
from fdaa.cli._streams import LINE_LIMIT, YES, CommandError, standard_input
from fdaa.explain import Compare, Reach, Where, Whois
from fdaa.explain import explain as answer_about
from fdaa.lines import CutOff, read_line
from fdaa.probe import read_own_address

if TYPE_CHECKING:
    from fdaa.cli._document_options import DocumentOptions
    from fdaa.explain import Step
    from fdaa.probe import OwnAddress

_FIELDS = ("input", "kind", "source", "target", "port", "verdict", "next")

# Where a command runs -> the name of its row, after the first one.
_PLACES = {Where.HERE: "next", Where.MACHINE: "in a Machine", Where.SOURCE: "at the source"}


@click.command()
@click.argument("texts", metavar="TEXT|-", nargs=-1, required=True)
@document_options
@book_option()
@click.option("--all", "show_all", is_flag=True, help="Print every cause.")
@click.option("--why", is_flag=True, help="Show the source of each sentence.")
@quiet_option
@color_option
@record_options(*_FIELDS, text="Print one JSON object.")
def explain(
    texts: tuple[str, ...],
    book_file: str | None,
    show_all: bool,
    why: bool,
    quiet: bool,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Explain an error line, and show what to do next.

    TEXT is any text: a line of a log, a stack trace, an address, a network ID, or a host; - reads
    it from standard input, up to 64 KiB. Documents and a book add names, owners and the verdict.

    Examples:
      $ fdaa explain 'dial tcp [fdaa:2:45b::3]:5432: i/o timeout'
      $ fdaa 'dial tcp reports.internal:8080: i/o timeout' --apps apps.json
      $ journalctl -u web -n 20 | fdaa -

    Exit status: 0 explained, 2 invalid input, or nothing in TEXT is known.
    """
    inputs = read_inputs(documents, open_book(book_file), reads_texts=texts == ("-",))
    own = read_own_address()
    text = _text(texts, own)
    line = read_line(text, own.address, inputs.joined.addresses)
    answer = answer_about(line, inputs.joined)
    status = status_of(inputs, YES, quiet=quiet)
    if not quiet and records:
        steps = [_words(step, documents, book_file) for step in answer.next]
        records.write({"input": as_unicode(text), **answer.to_dict(), "next": steps})
    elif not quiet:
        sys.stdout.writelines(output.indented(shown) for shown in str(answer).splitlines())
        for step in answer.next:
            command = shlex.join(_words(step, documents, book_file))
            sys.stdout.write(f"  {_PLACES[step.where]}: {command}\n")
    sys.stdout.flush()
    report_contradictions_exist(inputs)
    note_own_address(own)
    return status


def _text(texts: tuple[str, ...], own: OwnAddress) -> str:
    """Return the text to explain.

    Raises:
        CommandError: it is longer than 64 KiB, or `self` is not known.
    """
    if texts == ("-",):
        data = standard_input().read(LINE_LIMIT + 1)
        text = data.decode("utf-8", "replace")
        size = len(data)
    else:
        text = as_unicode(" ".join(texts))
        size = len(text.encode("utf-8", "replace"))
    if size > LINE_LIMIT:
        raise CommandError(f"the text is longer than {LINE_LIMIT:,} bytes; use: fdaa scan FILE")
    if text == SELF:
        return str(required_own(own))
    return text


# --- next steps -----------------------------------------------------------------------------------


def _words(step: Step, documents: DocumentOptions, book_file: str | None) -> list[str]:
    """Return the words of the command for a step; a port that is not known is PORT."""
    if isinstance(step, Compare):
        return ["fdaa", "same", SELF, str(step.address)]
    given = documents.words(book_file)
    if isinstance(step, Whois):
        return ["fdaa", "whois", str(step.address), *given]
    if isinstance(step, Reach):
        source = SELF
        if step.source is not None:
            source = _end(step.source)
        return ["fdaa", "reach", source, _end(step.target), *given]
    if isinstance(step.target, Host):
        return ["fdaa", "probe", str(step.target), *given]
    return ["fdaa", "probe", f"[{step.target}]:{step.port or 'PORT'}", *given]


def _end(end: object) -> str:
    """Return an end of a line as commands take it."""
    if isinstance(end, CutOff):
        return str(end.network_id.prefix)
    return str(end)
