"""`fdaa probe`: is a port open from here, and if not, what is known, and what to check?"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fdaa._values.ends import SELF, end_text
from fdaa._values.errors import OutsidePrefixError
from fdaa.cli._documents import Documents, documents_options
from fdaa.cli._input import note_own_address, read_end
from fdaa.cli._output import NO, STATUS_OF, UNKNOWN, YES, Output, output_options, write_error
from fdaa.explain import describe_step, explain_conclusion
from fdaa.probe import Conclusion, Connection, Target, ThisComputer, conclude_rounds
from fdaa.probe import probe as run_probe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fdaa.networks import NetworkMap
    from fdaa.probe import Step

_SHOWN = 3  # connections of a round and a target; --json has all
# The fields of its records.
_OF_EACH = ("kind", "round", "target", "address", "network_id", "network_id_int", "phase", "error")
_OF_OWN_ADDRESS = ("interface", "platform_private_ip", "unusable", "invalid", "elsewhere")
_OF_STEP = ("host", "addresses", "ipv4", "seconds", "source", "reported_by")
_OF_RESULT = ("open", "opened", "rounds", "counts", "facts", "phases", "not_tested", "verdicts")
_FROM_GOOD_TO_BAD = (YES, UNKNOWN, NO)
_SECONDS = click.FloatRange(0, 3600)


@click.command(context_settings={"show_default": True})
@click.argument("targets", metavar="TARGET[:PORT]...", nargs=-1, required=True)
@click.option("--timeout", metavar="SECONDS", type=_SECONDS, default=4, help="Limit of a round.")
@click.option("--count", metavar="N", type=click.IntRange(1), default=1, help="Number of rounds.")
@click.option(
    "--interval", metavar="SECONDS", type=_SECONDS, default=1, help="Time between rounds."
)
@documents_options
@output_options(*_OF_EACH, *_OF_OWN_ADDRESS, *_OF_STEP, *_OF_RESULT, "remarks", "next")
def probe(
    targets: tuple[str, ...],
    timeout: float,
    count: int,
    interval: float,
    documents: Documents,
    output: Output,
) -> int:
    """Connect to an app or address; if that fails, show what to check.

    TARGET is an app (looked up as APP.internal), an address (with a port, [ADDRESS]:PORT), a host
    name, a URL, or self. A connection is made to each of its addresses; no data is sent. Without a
    port, only the name and the route are checked; for self, also whether programs listen where no
    other Machine can connect.

    Exit status: 0 open at every address, 1 a negative response, or open only at some addresses or
    in some rounds, 3 no address, no response, or nothing could be sent.

    Examples:
      $ fdaa probe worker:3000
      $ fdaa probe '[fdaa:2:45b::3]:5432' web:80 -d apps.json --count 10
    """
    to_probe = [_target(text, documents.joined) for text in targets]
    report = _Report(documents, output)
    try:
        for number in range(1, count + 1):
            if number > 1:
                time.sleep(interval)
            for step in run_probe(*to_probe, timeout=timeout):
                report.add(number, step)
    except KeyboardInterrupt:
        if count > 1:
            write_error("")  # ends the line in which the terminal shows ^C
            report.conclude()
        raise
    status = YES
    for conclusion in report.conclude():
        status = max(status, STATUS_OF[conclusion.is_open], key=_FROM_GOOD_TO_BAD.index)
    return documents.status(status, is_needed=False)


def _target(text: str, networks: NetworkMap) -> Target:
    """Return the target that an argument is, with this Machine's own address for `self`."""
    if text.isdecimal():
        raise click.UsageError(f"a port follows a colon: web:{text}, [ADDRESS]:{text}")
    if "://" in text:
        return Target.parse(text)
    try:
        target = Target.parse(end_text(read_end(text, networks)))
    except OutsidePrefixError:  # a probe also tries addresses that are not private
        return Target.parse(text)
    if text == SELF:
        return replace(target, text=text)  # no one gave the address
    return target


class _Report:
    """Prints each step when it is finished, and one conclusion for all rounds of a target."""

    def __init__(self, documents: Documents, output: Output) -> None:
        self._documents = documents
        self._output = output
        self._own = ThisComputer()
        self._rounds: dict[Target, list[Conclusion]] = {}
        self._connections: Counter[tuple[int, Target]] = Counter()  # of a round and a target

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, the own address once."""
        is_shown = True
        if isinstance(step, Conclusion):
            self._rounds.setdefault(step.target, []).append(step)
            return
        if isinstance(step, ThisComputer):
            note_own_address(step)
            self._own = step
            is_shown = number == 1
        elif isinstance(step, Connection):
            self._connections[number, step.target] += 1
            is_shown = self._connections[number, step.target] <= _SHOWN
        lines: list[str] = []
        if is_shown:
            lines.extend(describe_step(step, self._own, self._documents.joined))
        self._show({**step.to_dict(), "round": number}, lines)

    def conclude(self) -> list[Conclusion]:
        """Print the conclusion for each target from all of its rounds, and return them."""
        documents = self._documents
        conclusions = []
        for rounds in self._rounds.values():
            conclusion = conclude_rounds(rounds)
            conclusions.append(conclusion)
            explained = explain_conclusion(
                conclusion, self._own, documents.joined, is_incomplete=documents.is_incomplete
            )
            lines = ["", *explained.lines()]
            commands = []
            for step in explained.next:
                lines.append(f"  next: {documents.command(step)}")
                commands.append(documents.command_words(step))
            self._show({**explained.to_dict(), "next": commands}, lines)
        return conclusions

    def _show(self, record: dict[str, object], lines: Iterable[str]) -> None:
        self._output.show([record], lines)
        sys.stdout.flush()  # the next step may take long
