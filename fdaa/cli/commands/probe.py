"""`fdaa probe`: does anything answer, and if not, why? With the text for people."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fdaa._escapes import quote
from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._document_options import complete_end, document_options, read_inputs, status_of
from fdaa.cli._exit_status import NO, UNKNOWN, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._this_machine import SELF, this_machine
from fdaa.cli._verdict_text import describe_network, describe_verdict
from fdaa.membership import PRIVATE_IP_VARIABLE
from fdaa.networks import KnownNetwork, reach
from fdaa.networks import Outcome as ReachOutcome
from fdaa.probe import Cause, Conclusion, Connection, LookUp, Outcome, OwnAddress
from fdaa.probe import probe as run_probe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import Verdict
    from fdaa.probe import Step


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
@click.option("--timeout", type=seconds, default=3, show_default=True, help="Deadline of a round.")
@click.option("--count", metavar="N", type=click.IntRange(1), default=1, help="Number of rounds.")
@click.option("--interval", type=seconds, default=1, show_default=True, help="Wait between rounds.")
@document_options
@book_option()
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object for each step.")
def probe(
    targets: tuple[str, ...],
    timeout: float,
    count: int,
    interval: float,
    book_file: str | None,
    quiet: bool,
    as_json: bool,
    documents: DocumentOptions,
) -> int:
    """Connect to an app or an address, and explain a failure.

    Each TARGET is looked up, and a connection is made to each of its addresses. TARGET is an
    address, an app (looked up as APP.internal), a host name, or self. An address with a port
    requires brackets: [ADDRESS]:PORT. Without a port, only the name is looked up and the route
    checked. No data is sent. Several rounds end with a summary.

    Examples:
      $ fdaa probe worker:3000
      $ fdaa probe '[fdaa:2:45b::3]:5432' web:80 --apps apps.json --timeout 1
      $ fdaa probe worker:3000 --count 10 --interval 0.5

    Exit status: 0 each target answers, 1 one does not, 2 invalid input, 3 unknown.
    """
    inputs = read_inputs(documents, open_book(book_file))
    report = _Report(inputs, as_json, quiet)
    for number in range(1, count + 1):
        if number > 1:
            time.sleep(interval)
        for step in run_probe(*map(_without_self, targets), timeout=timeout):
            report.add(number, step)
    if count > 1:
        report.summarize()
    answers = {conclusion.answers for conclusion in report.conclusions}
    status = NO if False in answers else UNKNOWN if None in answers else YES
    return status_of(inputs, status, quiet=quiet)


def _without_self(text: str) -> str:
    """Return a target with this Machine's own address in place of `self`."""
    name, colon, port = text.partition(":")
    return f"[{this_machine()}]{colon}{port}" if name == SELF else text


class _Report:
    """Prints each step when it is finished, and keeps the conclusions."""

    def __init__(self, inputs: Inputs, as_json: bool, quiet: bool) -> None:
        self.conclusions: list[Conclusion] = []
        self._inputs, self._as_json, self._quiet = inputs, as_json, quiet
        self._own = OwnAddress()
        self._last: dict[object, object] = {}  # kind and target -> the record of the last round

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, nothing that the last round showed already."""
        verdicts: list[Verdict] = []
        if isinstance(step, OwnAddress):
            self._own = step
        elif isinstance(step, Conclusion):
            step, verdicts = self._with_documents(step)
            self.conclusions.append(step)
        record = step.to_dict()
        if self._as_json:
            records = [record, *({"kind": "reach", **verdict.to_dict()} for verdict in verdicts)]
            self._write(output.json_line({**entry, "round": number}) for entry in records)
        elif self._last.get(key := (record["kind"], record.get("target"))) != record:
            self._last[key] = record
            self._write(f"{line}\n" for line in self._lines(step, verdicts))

    def summarize(self) -> None:
        """Print how the connections to each target ended, in all rounds together."""
        outcomes: dict[str, Counter[Outcome]] = {}
        for conclusion in self.conclusions:
            ended = (connection.outcome for connection in conclusion.connections)
            outcomes.setdefault(conclusion.target.text, Counter()).update(ended)
        for target, counter in outcomes.items():
            fields = {"kind": "summary", "target": target, "outcomes": counter}
            shown = ", ".join(f"{count} {_words(outcome)}" for outcome, count in counter.items())
            self._write([output.json_line(fields) if self._as_json else f"{target}: {shown}\n"])

    def _write(self, lines: Iterable[str]) -> None:
        if not self._quiet:
            click.echo("".join(lines), nl=False)  # it flushes

    def _with_documents(self, conclusion: Conclusion) -> tuple[Conclusion, list[Verdict]]:
        """Return a conclusion without causes that documents exclude, and what `reach` returns."""
        own, causes, joined = self._own.address, conclusion.causes, self._inputs.joined
        has_documents = bool(self._inputs.documents or joined.book)
        if (
            own is None
            or conclusion.answers
            or not (has_documents or _ISOLATED.intersection(causes))
        ):
            return conclusion, []
        found = (address for addresses in causes.values() for address in addresses)
        ends = {address.network_id: address for address in found if isinstance(address, Address)}
        app = [conclusion.target.app] if conclusion.target.app else []
        verdicts = [reach(own, end, joined) for end in ends.values() or app]
        if any(verdict.outcome is ReachOutcome.OWN_CROSS_NETWORK_ADDRESS for verdict in verdicts):
            cause = Cause.OWN_CROSS_NETWORK_ADDRESS
            conclusion = replace(conclusion, causes={cause: causes.get(cause, ())})
        return conclusion, verdicts

    def _lines(self, step: Step, verdicts: list[Verdict]) -> Iterator[str]:
        match step:
            case OwnAddress(None):
                yield "own address  none"
            case OwnAddress(address, interface):
                yield f"own address  {address} from {interface or PRIVATE_IP_VARIABLE}"
                yield f"             {self._network(address)}"
            case LookUp(host, outcome, addresses):
                number = output.counted(len(addresses), "IPv6 address", "es")
                ended = number if outcome is Outcome.FOUND else _words(outcome)
                yield f"look-up      {host}: {ended} after {_ms(step)}"
                for address in addresses:
                    compared = _COMPARED[self._own.same_network(address)]
                    yield f"             {address}, {self._network(address)}{compared}"
            case Connection(target, address, outcome) if target.port is None:
                yield f"route        {address} {_words(outcome)}"
            case Connection(target, address, outcome):
                yield f"connection   [{address}]:{target.port} {_words(outcome)} after {_ms(step)}"
            case Conclusion(target):
                yield f"\n{target.text}: {_ANSWERS[step.answers]}"
                yield from self._explanation(step)
                for verdict in verdicts:
                    yield "  By the rules and the documents:"
                    for line in describe_verdict(verdict, why=False, tried=True):
                        yield output.indented(line, "    ").rstrip("\n")

    def _explanation(self, conclusion: Conclusion) -> Iterator[str]:
        """Yield a sentence for each cause, within the width of the terminal, and a command."""
        target, look_up = conclusion.target, conclusion.look_up
        for cause, addresses in conclusion.causes.items():
            first, *rest = addresses or (None,)
            words = {
                "target": target,
                "address": first,
                "addresses": f"{first} and {len(rest)} more" if rest else first,
                "network": self._network(first),
                "own": self._network(self._own.address),
                "ipv4": ", ".join(look_up.ipv4[:3]) if look_up else "",
                "place": f"[{target.address}]" if target.address else target.text,
            }
            is_host = cause is Cause.NAME_NOT_FOUND and not target.app
            sentence, command = (_HOST_NOT_FOUND if is_host else _PROSE[cause]).split("\n")
            yield output.paragraph(sentence.format_map(words), "  ").rstrip("\n")
            yield f"    next: {command.format_map(words)}"
        if not self._inputs.documents and any(
            "FILE" in _PROSE[cause] for cause in conclusion.causes
        ):
            yield "  FILE is a document of the platform: see `fdaa networks --help`."

    def _network(self, address: object) -> str:
        if not isinstance(address, Address):
            return "not a private address"
        network, book = self._inputs.joined.by_id(address.network_id), self._inputs.joined.book
        name = network.name if network else book.name_of(address.network_id) if book else None
        return describe_network(KnownNetwork(name, address.network_id))


def _ms(step: LookUp | Connection) -> str:
    error = f" ({step.error})" if step.outcome is Outcome.FAILED else ""
    return f"{step.seconds * 1000:.1f} ms{error}"


def _words(outcome: Outcome) -> str:
    return outcome.value.replace("-", " ")


_ISOLATED = {Cause.RESOLVED_ELSEWHERE, Cause.ISOLATED}
_ANSWERS = {True: "something answers", False: "nothing answers", None: "not known"}
_COMPARED = {True: ", same network", False: ", another network", None: ""}
_HOST_NOT_FOUND = "{target.host} does not resolve.\ngetent ahosts {target.host}"
# A sentence, and on the next line the command that settles it.
_PROSE = {
    Cause.NAME_NOT_FOUND: "{target.host} does not resolve: app {target.app} is not on this "
    "network, or has no started Machine; .internal names resolve on their own network only.\n"
    "fdaa reach self {target.app} --apps FILE",
    Cause.NO_RESOLVER: "The resolver did not respond.\ncat /etc/resolv.conf",
    Cause.IPV4_ONLY: "{target.host} has IPv4 addresses only ({ipv4}); private addresses are IPv6 "
    "(AAAA).\ngetent ahostsv6 {target.host}",
    Cause.RESOLVED_ELSEWHERE: "{target.host} resolves to {addresses} on {network}; this Machine is "
    "on {own}.\nfdaa reach self {address} --apps FILE",
    Cause.NOT_LISTENING: "{addresses} refused: nothing listens there on port {target.port} on "
    "IPv6, or only on 0.0.0.0 or 127.0.0.1; an app must listen on [::] or on its private "
    "address.\nss -ltnp 'sport = :{target.port}'  (in that Machine)",
    Cause.RESET: "{addresses} accepted the connection and reset it at once.\n"
    "ss -ltnp 'sport = :{target.port}'  (in that Machine)",
    Cause.MACHINE_GONE: "The Machine that had {addresses} may be gone: each deploy replaces "
    "Machines.\nfdaa whois {address} --machines APP=FILE",
    Cause.FIREWALL: "A firewall in that Machine or in this one may drop connections to "
    "{addresses}.\nnft list ruleset  (in both Machines)",
    Cause.ISOLATED: "{addresses} is on {network}, this Machine on {own}: networks are isolated.\n"
    "fdaa reach self {address} --apps FILE",
    Cause.OWN_CROSS_NETWORK_ADDRESS: "{addresses} may be allocated to an app on this Machine's own "
    "network, for clients on another; from here, only the addresses of its Machines work.\n"
    "fdaa check --apps FILE --addresses APP=FILE",
    Cause.NO_ROUTE: "There is no route to {addresses}.\nip -6 route get {address}",
    Cause.NOT_TRIED: "A connection to {addresses} could not be tried.\nulimit -n",
    Cause.NO_OWN_ADDRESS: "This machine has no private address (PLATFORM_PRIVATE_IP; on Linux also "
    "that of an interface): run this inside a Machine, or through a tunnel.\nip -6 address show",
    Cause.NO_BRACKETS: "{target.text} was read as an address without a port; a port requires "
    "brackets.\nfdaa probe '{target.with_brackets}'",
    Cause.NO_PORT: "No port was given, so no connection was tried.\nfdaa probe '{place}:PORT'",
}
