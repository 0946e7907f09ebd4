"""`fdaa probe`: is a port open from here, and if not, what is known, and what to check?"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import click

from fdaa._support.escapes import inline
from fdaa._values.ends import end_text
from fdaa._values.errors import OutsidePrefixError
from fdaa._values.membership import PRIVATE_IP_VARIABLE
from fdaa.cli._documents import Documents, documents_options
from fdaa.cli._input import note_own_address, read_end
from fdaa.cli._output import NO, UNKNOWN, YES, Output, output_options, write_error
from fdaa.explain import explain_conclusion
from fdaa.explain._conclusion_words import seen_of
from fdaa.explain._known_names import describe_network_of
from fdaa.probe import Conclusion, Connection, Lookup, Target, ThisComputer, conclude_rounds
from fdaa.probe import probe as run_probe
from fdaa.probe._target import of_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.explain import ExplainedConclusion
    from fdaa.networks import NetworkMap
    from fdaa.probe import Step

_BELOW = " " * 13  # below what was seen
_SHOWN = 3  # of addresses; --json has all
_UNUSABLE = {
    "duplicate": "a duplicate: another computer has it, and this one does not connect from it",
    "tentative": "tentative: the system checks it for duplicates, and does not connect from it yet",
}
_COMPARED = {True: ", another network", False: ", same network", None: ""}
_SECONDS = click.FloatRange(0, 3600)


@click.command()
@click.argument("targets", metavar="TARGET[:PORT]...", nargs=-1, required=True)
@click.option("--timeout", type=_SECONDS, default=4, show_default=True, help="Limit of a round.")
@click.option("--count", metavar="N", type=click.IntRange(1), default=1, help="Number of rounds.")
@click.option("--interval", type=_SECONDS, default=1, help="Wait between rounds.")
@documents_options
@output_options(
    *("kind", "round", "target", "address", "network_id", "network_id_int", "interface"),
    *("platform_private_ip", "unusable", "invalid", "elsewhere", "host", "phase", "addresses"),
    *("ipv4", "seconds", "source", "error", "open", "opened", "rounds", "counts", "facts"),
    *("phases", "not_tested", "remarks", "verdicts", "next"),
)
def probe(
    targets: tuple[str, ...],
    timeout: float,
    count: int,
    interval: float,
    documents: Documents,
    output: Output,
) -> int:
    """Connect to an app or an address, and show what to check if that fails.

    TARGET is an address, an app (looked up as APP.internal), a host name, a URL, or self. An
    address with a port requires brackets: [ADDRESS]:PORT. A connection is made to each address of
    TARGET; no data is sent. Without a port, only the name is looked up and the route checked; for
    self, programs that listen where no other Machine can connect are listed.

    Exit status: 0 open at each address, 1 a negative response, or open at some addresses or at
    times only, 3 unknown: no address, no response, or nothing could be sent.

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
    found = {conclusion.is_open for conclusion in report.conclude()}
    status = NO if False in found else UNKNOWN if None in found else YES
    return documents.status(status, quiet=output.quiet, is_needed=False)


def _target(text: str, joined: NetworkMap) -> Target:
    """Return the target that an argument is, with this Machine's own address for `self`."""
    if text.isdecimal():
        raise click.UsageError(f"a port follows a colon: web:{text}, [ADDRESS]:{text}")
    text = of_url(text)
    try:
        return Target.parse(end_text(read_end(text, joined)))
    except OutsidePrefixError:  # a probe also tries addresses that are not private
        return Target.parse(text)


class _Report:
    """Prints each step when it is finished, and one conclusion for all rounds of a target."""

    def __init__(self, documents: Documents, output: Output) -> None:
        self._documents = documents
        self._output = output
        self._own: ThisComputer | None = None
        self._rounds: dict[Target, list[Conclusion]] = {}
        self._connections: Counter[tuple[int, str]] = Counter()  # of a round and a target

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, no own address that the last round showed."""
        text: Iterator[str] = iter(())
        if isinstance(step, Conclusion):
            self._rounds.setdefault(step.target, []).append(step)
            return
        if isinstance(step, ThisComputer):
            note_own_address(step)
            if step != self._own:
                text = self._own_address(step)
            self._own = step
        elif isinstance(step, Lookup):
            text = self._lookup(step, self._own or ThisComputer())
        else:
            self._connections[number, step.target.text] += 1
            if self._connections[number, step.target.text] <= _SHOWN:
                text = self._connection(step)
        self._show({**step.to_dict(), "round": number}, text)

    def conclude(self) -> list[Conclusion]:
        """Print the conclusion for each target from all of its rounds, and return them."""
        conclusions = [conclude_rounds(rounds) for rounds in self._rounds.values()]
        for conclusion in conclusions:
            explained = explain_conclusion(
                conclusion,
                self._own or ThisComputer(),
                self._documents.joined,
                is_incomplete=self._documents.is_incomplete,
            )
            commands = [self._documents.command_words(step) for step in explained.next]
            self._show({**explained.to_dict(), "next": commands}, self._conclusion(explained))
        return conclusions

    def _show(self, record: dict[str, object], text: Iterator[str]) -> None:
        self._output.show([record], text)
        sys.stdout.flush()  # the next step may take long

    def _own_address(self, own: ThisComputer) -> Iterator[str]:
        if own.address is None:
            yield "own address  none"
            return
        where = f"from {PRIVATE_IP_VARIABLE}"
        if own.interface is not None:
            where = f"on {inline(own.interface)}"
        yield f"own address  {own.address} {where}"
        yield f"{_BELOW}{describe_network_of(own.address, self._documents.joined)}"
        if own.unusable is not None:
            yield f"{_BELOW}{_UNUSABLE[own.unusable]}"

    def _lookup(self, lookup: Lookup, own: ThisComputer) -> Iterator[str]:
        yield _step("lookup", lookup.host, lookup)
        for address in lookup.addresses[:_SHOWN]:
            network = describe_network_of(address, self._documents.joined)
            yield f"{_BELOW}{address}, {network}{_COMPARED[own.has_other_network(address)]}"
        if len(lookup.addresses) > _SHOWN:
            yield f"{_BELOW}{len(lookup.addresses) - _SHOWN} more: --json"

    def _connection(self, connection: Connection) -> Iterator[str]:
        port = connection.target.port
        place = str(connection.address) if port is None else f"[{connection.address}]:{port}"
        yield _step("connection", place, connection)
        source = connection.source
        if source not in (None, self._own and self._own.address, connection.address):
            yield f"{_BELOW}from {source}, {describe_network_of(source, self._documents.joined)}"

    def _conclusion(self, explained: ExplainedConclusion) -> Iterator[str]:
        yield ""
        yield from explained.lines()
        for step in explained.next:
            yield f"  next: {self._documents.command(step)}"


def _step(done: str, what: str, step: Lookup | Connection) -> str:
    """Return what a step saw, with its label in a column."""
    after = ""
    if step.seconds >= 1:
        after = f" after {step.seconds:.1f} s"
    elif step.seconds:
        after = f" after {step.seconds * 1000:.1f} ms"
    return f"{done:12} {what}: {seen_of(step)}{after}"
