"""`fdaa explain`, and `fdaa TEXT` for short: what does this line mean, and what now?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import as_unicode, quote
from fdaa._values.ends import SELF
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options, lacking
from fdaa.cli._input import (
    LINE_LIMIT,
    note_own_address,
    own_address,
    standard_input,
)
from fdaa.cli._output import (
    WRONG,
    YES,
    CommandError,
    Output,
    complain,
    is_file,
    output_options,
)
from fdaa.explain import Where
from fdaa.explain import explain as answer_about
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import Answer

# Where a command runs -> the name of its row, after the first one.
_PLACES = {Where.HERE: "next", Where.MACHINE: "in a Machine", Where.SOURCE: "at the source"}


@click.command()
@click.argument("texts", metavar="TEXT|-", nargs=-1, required=True)
@documents_options
@click.option("--why", is_flag=True, help="Show what each sentence is based on.")
@output_options(
    *("input", "kind", "known", "first", "source", "target", "port", "targets", "addresses"),
    *("clients", "unread", "holders", "phase", "meaning", "facts", "checks", "setting"),
    *("corrected", "verdicts", "next", "missing"),
)
def explain(texts: tuple[str, ...], why: bool, documents: Documents, output: Output) -> int:
    """Explain an error line, and show what to do next.

    TEXT is a log line, a stack trace, an address, a network ID, a host or any other text. - reads
    up to 64 KiB of standard input.

    Exit status: 0 explained (even if the answer is no), 2 nothing recognized.

    Examples:
      $ fdaa 'dial tcp reports.internal:8080: i/o timeout' -d apps.json
      $ journalctl -u web -n 20 | fdaa -
    """
    text = _text(texts)
    own = read_this_computer()
    answer = answer_about(text, documents.joined, own=own.address)
    commands = [documents.command_words(step) for step in answer.next]
    record = {"input": text, **answer.to_dict(), "next": commands}
    if not answer.is_known:
        complain(_unknown(text, answer))
    output.show([record], _lines(answer, documents, basis=why))
    sys.stdout.flush()  # the answer first
    documents.note_contradictions()
    note_own_address(own)
    status = YES if answer.is_known else WRONG
    return documents.status(status, is_needed=False)


def _lines(answer: Answer, documents: Documents, *, basis: bool) -> Iterator[str]:
    if not answer.is_known:
        return
    yield from answer.lines(basis=basis)
    for step in answer.next:
        yield f"  {_PLACES[step.where]}: {documents.command(step)}"
    if documents.given:
        yield from lacking(answer.missing)
    elif answer.missing:
        yield f"For the names of apps, Machines and networks, {HOW_TO_GIVE}"


def _text(texts: tuple[str, ...]) -> str:
    """Return the text to explain.

    Raises:
        CommandError: it is longer than 64 KiB, or `self` is not known.
    """
    text = as_unicode(" ".join(texts))
    if texts == ("-",):
        text = standard_input().read(LINE_LIMIT + 1).decode("utf-8", "replace")
    if len(text.encode("utf-8", "replace")) > LINE_LIMIT:
        raise CommandError(f"the text is longer than {LINE_LIMIT:,} bytes; use: fdaa scan FILE")
    if text == SELF:
        return str(own_address())
    return text


def _unknown(text: str, answer: Answer) -> str:
    """Return the message about a text in which nothing is known: what to do about it."""
    if not text.strip():
        return "the text is empty; give a line, an address or a host"
    if is_file(text):
        return f"{quote(text)}: this is a file; use fdaa scan FILE, or fdaa - < FILE"
    return answer.title
