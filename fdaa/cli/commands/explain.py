"""`fdaa explain`, and `fdaa TEXT` for short: what does this line mean, and what now?"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._values.ends import SELF, end_text, is_app_too
from fdaa._values.hosts import is_name
from fdaa.cli import _layout as layout
from fdaa.cli._arguments import is_file, note_own_address, read_end, required_own
from fdaa.cli._colour import color_option
from fdaa.cli._document_options import (
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._next import command_for, options_for, verdict_with_options
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._records import Records, record_options
from fdaa.cli._statuses import WRONG, YES, CommandError
from fdaa.cli._streams import LINE_LIMIT, complain, standard_input
from fdaa.explain import Where
from fdaa.explain import explain as answer_about
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from fdaa.cli._document_options import DocumentOptions
    from fdaa.explain import Answer
    from fdaa.probe import ThisComputer

_FIELDS = ("input", "kind", "source", "target", "port", "verdict", "next")

# Where a command runs -> the name of its row, after the first one.
_PLACES = {Where.HERE: "next", Where.MACHINE: "in a Machine", Where.SOURCE: "at the source"}


@click.command()
@click.argument("texts", metavar="TEXT|-", nargs=-1, required=True)
@document_options
@book_option()
@click.option("--all", "show_all", is_flag=True, help="Print every cause.")
@click.option("--why", is_flag=True, help="Show what each sentence is based on.")
@quiet_option
@color_option
@record_options(*_FIELDS)
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

    TEXT is any text: a line of a log, a stack trace, an address, a network ID or a host. For -, it
    is read from standard input, up to 64 KiB.

    Examples:
      $ fdaa 'dial tcp reports.internal:8080: i/o timeout' --apps apps.json
      $ journalctl -u web -n 20 | fdaa -

    Exit status: 0 explained, 2 nothing in TEXT is known.
    """
    inputs = read_inputs(documents, open_book(book_file), reads_texts=texts == ("-",))
    own = read_this_computer()
    text = _text(texts, own)
    if is_app_too(text):  # the documents decide, or it is an error that has both writings
        text = end_text(read_end(text, own, inputs.joined))
    answer = answer_about(text, inputs.joined, own=own.address)
    given = documents.words(book_file)
    if answer.is_known:
        status = status_of(inputs, YES, quiet=quiet)
    else:
        complain(_unknown(text, answer))
        status = status_of(inputs, WRONG, quiet=quiet)
    if quiet:
        return status
    if records:
        commands = [command_for(step, given) for step in answer.next]
        records.write({"input": text, **answer.to_dict(), "next": commands})
    elif answer.is_known:
        if answer.explained is not None:
            answer = replace(answer, explained=verdict_with_options(answer.explained))
        lines = answer.lines(all_causes=show_all, basis=why)
        sys.stdout.writelines(map(_wrapped, lines))
        hidden = len(answer.causes) - len(answer.shown_causes)
        if hidden and not show_all:
            sys.stdout.write(f"  {layout.counted(hidden, 'more cause')}: --all\n")
        for step in answer.next:
            command = layout.shell_line(command_for(step, given))
            sys.stdout.write(layout.command(f"  {_PLACES[step.where]}:", command))
        if answer.missing:
            add = (
                f"For names and holders, add {options_for(answer.missing)}: see fdaa help networks."
            )
            sys.stdout.write(layout.paragraph(add, "  "))
    sys.stdout.flush()  # the answer first
    report_contradictions_exist(inputs)
    note_own_address(own)
    return status


def _text(texts: tuple[str, ...], own: ThisComputer) -> str:
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


def _wrapped(line: str) -> str:
    """Return a line as it fits the terminal; what continues a numbered one is below its text."""
    text = line.lstrip()
    hanging = "   " if text[:1].isdigit() else ""
    return layout.paragraph(text, line[: len(line) - len(text)], hanging)


def _unknown(text: str, answer: Answer) -> str:
    """Return the message about a text in which nothing is known: what to do about it."""
    if not text.strip():
        return "the text is empty; give a line, an address or a host"
    if is_file(text):
        file = layout.shell_line([text])
        scan = layout.command_line("scan", text)
        return f"{quote(text)}: this is a file; use: {scan}, or fdaa - < {file}"
    network = text.removeprefix("network:")
    if network != text and is_name(network):
        return f"{answer.title}. For its ID: fdaa networks --only {network} --book FILE"
    if is_name(text):
        name = inline(text)
        return f"{answer.title}. If {name} is an app: fdaa {name}.internal, fdaa whois {name}"
    return answer.title
