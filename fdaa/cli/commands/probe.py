"""`fdaa probe`: is a port open from here, and if not, which causes fit what was seen?"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import quote
from fdaa._values.ends import end_text
from fdaa._values.errors import OutsidePrefixError
from fdaa._values.text import is_ipv6
from fdaa.cli import _layout as layout
from fdaa.cli._arguments import note_own_address, read_end
from fdaa.cli._document_options import complete_end, document_options, read_inputs, status_of
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._probe_text import SHOWN, ProbeText, with_commands
from fdaa.cli._records import VERDICT_FIELDS, Records, record_options
from fdaa.cli._statuses import NO, UNKNOWN, YES
from fdaa.cli._streams import write_error
from fdaa.explain import explain_conclusion, explain_verdict
from fdaa.lines import Evidence
from fdaa.probe import Conclusion, Connection, Target, ThisComputer, conclude_rounds
from fdaa.probe import probe as run_probe
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import NetworkMap
    from fdaa.probe import Step

_FIELDS = (
    "kind",
    "round",
    "target",
    "address",
    "network_id",
    "network_id_int",
    "interface",
    "platform_private_ip",
    "unusable",
    "invalid",
    "elsewhere",
    "host",
    "evidence",
    "addresses",
    "ipv4",
    "seconds",
    "source",
    "reported_by",
    "error",
    "open",
    "opened",
    "rounds",
    "counts",
    "explanations",
    "not_tested",
    *VERDICT_FIELDS,
)


def seconds(text: str) -> float:
    """Return a number of seconds, at most an hour."""
    with suppress(ValueError):
        number = float(text)
        if 0 <= number <= 3600:
            return number
    raise click.BadParameter(f"{quote(text)}: expected a number of seconds, from 0 to 3600")


@click.command()
@click.argument(
    "targets", metavar="TARGET[:PORT]...", nargs=-1, required=True, shell_complete=complete_end
)
@click.option("--timeout", type=seconds, default=4, show_default=True, help="Deadline of a round.")
@click.option("--count", metavar="N", type=click.IntRange(1), default=1, help="Number of rounds.")
@click.option("--interval", type=seconds, default=1, show_default=True, help="Wait between rounds.")
@click.option("--all", "show_all", is_flag=True, help="Print every cause, address and way around.")
@document_options
@book_option()
@quiet_option
@record_options(*_FIELDS, objects={"counts": tuple(Evidence)})
def probe(
    targets: tuple[str, ...],
    timeout: float,
    count: int,
    interval: float,
    show_all: bool,
    book_file: str | None,
    quiet: bool,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Connect to an app or an address, and list causes of a failure.

    TARGET is an address, an app (looked up as APP.internal), a host name, or self. An address with
    a port requires brackets: [ADDRESS]:PORT. A connection is made to each address of TARGET; no
    data is sent. Without a port, only the name is looked up and the route checked; for self,
    programs that listen where no other Machine can connect are listed.

    Examples:
      $ fdaa probe worker:3000
      $ fdaa probe '[fdaa:2:45b::3]:5432' web:80 --apps apps.json --count 10

    Exit status: 0 open at each address, 1 a negative response, or open at some addresses or at
    times only, 3 unknown: no address, no response, or nothing could be sent.
    """
    inputs = read_inputs(documents, open_book(book_file))
    _check_ports(targets)
    own = read_this_computer()
    to_probe = [_target(text, own, inputs.joined) for text in targets]
    report = Report(inputs, documents, book_file, records, quiet=quiet, show_all=show_all)
    try:
        for number in range(1, count + 1):
            if number > 1:
                time.sleep(interval)
                own = read_this_computer()  # it may have changed
            for step in run_probe(*to_probe, timeout=timeout, own=own):
                report.add(number, step)
    except KeyboardInterrupt:
        if count > 1:
            write_error("")  # ends the line in which the terminal shows ^C
            report.conclude()
        raise
    return status_of(inputs, _status(report.conclude()), quiet=quiet)


def _target(text: str, own: ThisComputer, joined: NetworkMap) -> Target:
    """Return the target that an argument is, with this Machine's own address for `self`."""
    try:
        return Target.parse(end_text(read_end(text, own, joined)))
    except OutsidePrefixError:  # a probe also tries addresses that are not private
        return Target.parse(text)


def _check_ports(targets: tuple[str, ...]) -> None:
    """Raise a UsageError for a port that is an argument of its own."""
    for before, text in pairwise(targets):
        if not text.isdecimal():
            continue
        place = f"[{before}]" if is_ipv6(before) else before
        shown = layout.shell_line([f"{place}:{text}"])
        raise click.UsageError(f"a port follows a colon: fdaa probe {shown}")


def _status(conclusions: list[Conclusion]) -> int:
    """Return the exit status of the worst conclusion."""
    found = {conclusion.is_open for conclusion in conclusions}
    if False in found:
        return NO
    if None in found:
        return UNKNOWN
    return YES


# --- what is printed ------------------------------------------------------------------------------


class Report:
    """Prints each step when it is finished, and one conclusion for all rounds of a target.

    Args:
        inputs: the documents and the book.
        documents: the options that name the documents.
        book_file: the file of the book, or None.
        records: --json and --field.
        quiet: print nothing.
        show_all: print every cause and address.
    """

    def __init__(
        self,
        inputs: Inputs,
        documents: DocumentOptions,
        book_file: str | None,
        records: Records,
        *,
        quiet: bool,
        show_all: bool,
    ) -> None:
        self._inputs = inputs
        self._documents = documents
        self._book_file = book_file
        self._show_all = show_all
        self._records = records
        self._quiet = quiet
        self._own = ThisComputer()
        self._has_own = False
        self._conclusions: dict[Target, list[Conclusion]] = {}  # of the rounds
        self._connections: Counter[tuple[int, str]] = Counter()  # of a round and a target

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, no own address that the last round showed already.

        Args:
            number: the number of the round.
            step: the step.
        """
        is_shown = not self._is_one_of_many(number, step)
        if isinstance(step, ThisComputer):
            is_shown = step != self._own or not self._has_own
            note_own_address(step)
            self._own = step
            self._has_own = True
        elif isinstance(step, Conclusion):
            self._conclusions.setdefault(step.target, []).append(step)
            return
        if self._records:
            self._write_record({**step.to_dict(), "round": number})
        elif is_shown:
            self._write_lines(step)

    def _is_one_of_many(self, number: int, step: Step) -> bool:
        """Return whether a connection is left to the conclusion, which shows all that are alike."""
        if self._show_all or not isinstance(step, Connection):
            return False
        self._connections[number, step.target.text] += 1
        return self._connections[number, step.target.text] > SHOWN

    def conclude(self) -> list[Conclusion]:
        """Print the conclusion for each target from all of its rounds, and return them."""
        conclusions = [conclude_rounds(rounds) for rounds in self._conclusions.values()]
        for conclusion in conclusions:
            if not self._records:
                self._write_lines(conclusion)
                continue
            explained = explain_conclusion(conclusion, self._own, self._inputs.joined)
            commands = with_commands(explained, self._documents, self._book_file)
            self._write_record(commands.to_dict())
            for verdict in explained.verdicts:
                self._write_record(explain_verdict(verdict, is_tried=True).to_dict())
        return conclusions

    def _write_lines(self, step: Step) -> None:
        if self._quiet:
            return
        text = ProbeText(
            self._inputs, self._documents, self._book_file, self._own, show_all=self._show_all
        )
        for line in text.lines(step):
            click.echo(line)  # it flushes

    def _write_record(self, record: dict[str, object]) -> None:
        if not self._quiet:
            click.echo(self._records.line(record), nl=False)
