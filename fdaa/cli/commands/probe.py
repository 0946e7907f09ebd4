"""`fdaa probe`: does anything answer, and if not, why? The prose is made here."""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fdaa.address import Address
from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._document_options import complete_end, document_options, read_inputs, status_of
from fdaa.cli._exit_status import NO, UNKNOWN, YES
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._streams import inline
from fdaa.cli._this_machine import SELF, this_machine
from fdaa.cli.commands.reach import describe as describe_verdict
from fdaa.errors import PRIVATE_IP_VARIABLE, printable
from fdaa.networks import Outcome as ReachOutcome
from fdaa.networks import reach
from fdaa.probe import (
    Cause,
    Conclusion,
    Connection,
    LookUp,
    Origin,
    Outcome,
    OwnAddress,
    Relation,
    Target,
)
from fdaa.probe import probe as run_probe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions, Inputs
    from fdaa.networks import Verdict
    from fdaa.probe import Finding, Peer, Step


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    if math.isnan(value):  # click takes it for a number in any range
        raise click.BadParameter("expected a number of seconds")
    return value


@click.command()
@click.argument(
    "targets",
    metavar="TARGET[:PORT]...",
    nargs=-1,
    required=True,
    shell_complete=complete_end,
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600, min_open=True),
    callback=_number,
    default=3.0,
    show_default=True,
    help="The deadline for all look-ups and connections of a round.",
)
@click.option(
    "--count",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    help="Repeat: N rounds, then a summary.",
)
@click.option(
    "--interval",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    callback=_number,
    default=1.0,
    show_default=True,
    help="The pause between two rounds.",
)
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
    """Connect to an app or an address, and say why nothing answers.

    Each TARGET is looked up, and each of its addresses gets a connection. TARGET is an address, an
    app (looked up as APP.internal), a host name, or self. An address with a port requires brackets:
    [ADDRESS]:PORT. Without a port, only the name is looked up and the route checked. No data is
    sent.

    Examples:
      $ fdaa probe worker:3000
      $ fdaa probe '[fdaa:2:45b::3]:5432' web:80 --apps apps.json --timeout 1
      $ fdaa probe worker:3000 --count 10 --interval 0.5

    Exit status: 0 each target answers, 1 one does not, 2 wrong input, 3 not known.
    """
    parsed = [Target.parse(_without_self(text)) for text in targets]
    inputs = read_inputs(documents, open_book(book_file))
    report = _Report(inputs, as_json, quiet)
    for number in range(1, count + 1):
        if number > 1:
            time.sleep(interval)
        for step in run_probe(*parsed, timeout=timeout):
            report.add(number, step)
    if count > 1:
        report.summarize()
    return status_of(inputs, report.status())


def _without_self(text: str) -> str:
    """Return a target with this Machine's own address in place of `self`."""
    name, colon, port = text.partition(":")
    return f"[{this_machine()}]{colon}{port}" if name == SELF else text


class _Report:
    """Prints steps as they finish, and keeps what the summary and the exit status need."""

    def __init__(self, inputs: Inputs, as_json: bool, quiet: bool) -> None:
        self._inputs, self._as_json, self._quiet = inputs, as_json, quiet
        self._own = OwnAddress()
        self._look_ups: dict[str | None, LookUp] = {}
        self._connections: dict[Target, list[Connection]] = {}
        self._conclusions: dict[Target, Conclusion] = {}
        self._answers: set[bool | None] = set()

    def add(self, number: int, step: Step) -> None:
        """Print a step of a round; for people, nothing that the last round showed already."""
        verdicts: list[Verdict] = []
        is_new = True
        match step:
            case OwnAddress():
                is_new = number == 1
                self._own = step
            case LookUp():
                self._look_ups[step.host] = step
            case Connection():
                self._connections.setdefault(step.target, []).append(step)
            case Conclusion():
                step, verdicts = self._with_documents(step)
                is_new = self._conclusions.get(step.target) != step
                self._conclusions[step.target] = step
                self._answers.add(step.answers)
        if self._as_json:
            self._write(output.json_line({**step.to_dict(), "round": number}))
            for each in verdicts:
                self._write(output.json_line({"kind": "reach", **each.to_dict(), "round": number}))
        elif is_new:
            lines = [*self._lines(step), *(line for v in verdicts for line in _by_rules(v))]
            self._write("".join(f"{line}\n" for line in lines))

    def summarize(self) -> None:
        """Print how the connections to each target ended, in all rounds together."""
        for target, made in self._connections.items():
            outcomes = Counter(each.outcome for each in made)
            times = [each.seconds for each in made if each.outcome is Outcome.OPEN]
            median = statistics.median(times) if times else None
            if self._as_json:
                fields = {"kind": "summary", "target": target.text, "outcomes": outcomes}
                self._write(output.json_line({**fields, "median_seconds": median}))
            else:
                ended = ", ".join(f"{number} {_words(each)}" for each, number in outcomes.items())
                after = "" if median is None else f" (open after {_ms(median)}, the median)"
                self._write(f"{target.text}: {ended}{after}\n")

    def status(self) -> int:
        """Return the exit status: of the worst target, in the worst round."""
        return NO if False in self._answers else UNKNOWN if None in self._answers else YES

    def _write(self, text: str) -> None:
        """Print at once, so that a step is seen when it is finished."""
        if not self._quiet:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _with_documents(self, conclusion: Conclusion) -> tuple[Conclusion, list[Verdict]]:
        """Return a conclusion without causes that documents exclude, and what `reach` says."""
        inputs, own, app = self._inputs, self._own.address, conclusion.target.app
        if own is None or conclusion.answers:
            return conclusion, []
        has_documents = bool(inputs.documents or inputs.joined.book)
        ends: dict[object, str | Address] = {}  # one for each network
        for finding in conclusion.causes:
            if has_documents or finding.kind in (Cause.RESOLVED_ELSEWHERE, Cause.ISOLATED):
                for address in finding.addresses:
                    if isinstance(address, Address):
                        ends.setdefault(address.network_id, address)
        if has_documents and app and not ends:
            ends[app] = app
        verdicts = [reach(own, end, inputs.joined) for end in ends.values()]
        if any(each.outcome is ReachOutcome.OWN_CROSS_NETWORK_ADDRESS for each in verdicts):
            certain = Cause.OWN_CROSS_NETWORK_ADDRESS
            causes = tuple(each for each in conclusion.causes if each.kind is certain)
            conclusion = replace(conclusion, causes=causes)
        return conclusion, verdicts

    def _lines(self, step: Step) -> Iterator[str]:
        match step:
            case OwnAddress(address, origin):
                where = PRIVATE_IP_VARIABLE if origin is Origin.VARIABLE else "an interface"
                yield f"own address  {address} from {where}" if address else "own address  none"
                if address is not None:
                    yield f"             {self._network(address)}"
            case LookUp(host, outcome, peers, left_out):
                number = output.counted(len(peers) + left_out, "IPv6 address", "es")
                ended = number if outcome is Outcome.FOUND else _words(outcome)
                yield f"look-up      {host}: {ended} after {_ms(step.seconds)}"
                yield from (f"             {self._peer(peer)}" for peer in peers)
                if left_out:
                    yield f"             {left_out} more are not tried"
            case Connection(target, peer, outcome, seconds, error):
                why = f" ({printable(error)})" if error else ""
                ended = f"{_place(peer.address, target.port)} {_words(outcome)}"
                if target.port is None:
                    yield f"route        {ended}{why}"
                else:
                    yield f"connection   {ended} after {_ms(seconds)}{why}"
            case Conclusion(target, answers, causes):
                yield f"\n{target.text}: {_ANSWERS[answers]}"
                for finding in causes:
                    yield from self._explain(target, finding)

    def _peer(self, peer: Peer) -> str:
        return f"{peer.address}, {self._network(peer.address)}{_RELATIONS[peer.relation]}"

    def _network(self, address: object) -> str:
        if not isinstance(address, Address):
            return "not a private address"
        network, book = self._inputs.joined.by_id(address.network_id), self._inputs.joined.book
        name = network.name if network else book.name_of(address.network_id) if book else None
        network_id = str(address.network_id)
        return f"network {inline(name)} ({network_id})" if name else f"network {network_id}"

    def _explain(self, target: Target, finding: Finding) -> Iterator[str]:
        """Yield one sentence, within the width of the terminal, and the next command."""
        look_up = self._look_ups.get(target.host) or LookUp("", Outcome.FAILED)
        first, *others = finding.addresses or (None,)
        words = {
            "target": target,
            "address": first,
            "addresses": f"{first} and {len(others)} more" if others else first,
            "network": self._network(first),
            "own": self._network(self._own.address),
            "ipv4": ", ".join(look_up.ipv4[:3]),
            "error": printable(look_up.error or ""),
            "with_port": _place(target.address, "PORT")
            if target.address
            else f"{target.text}:PORT",
        }
        is_host = finding.kind is Cause.NAME_NOT_FOUND and not target.app
        sentence, command = _HOST_NOT_FOUND if is_host else _PROSE[finding.kind]
        yield output.paragraph(sentence.format_map(words), "  ").rstrip("\n")
        yield f"    next: {command.format_map(words)}"


def _by_rules(verdict: Verdict) -> Iterator[str]:
    """Yield what `fdaa reach` prints."""
    yield "  By the rules and the documents:"
    for line in describe_verdict(verdict, why=False, tried=True):
        yield output.indented(line, "    ").rstrip("\n")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _words(outcome: Outcome) -> str:
    return outcome.value.replace("-", " ")


def _place(address: object, port: object) -> str:
    return f"[{address}]:{port}" if port else f"{address}"


_ANSWERS = {True: "something answers", False: "nothing answers", None: "not known"}
_RELATIONS = {
    Relation.SAME_NETWORK: ", the same as ours",
    Relation.OTHER_NETWORK: ", not ours",
    Relation.SERVICE: ", a service of the platform",
    Relation.NOT_PRIVATE: "",
    Relation.UNKNOWN: "",
}
_REACH = "fdaa reach self {address} --apps FILE"
_IN_MACHINE = "ss -ltnp 'sport = :{target.port}'  (in that Machine)"
# One sentence, and the command that settles it.
_HOST_NOT_FOUND = ("{target.host} does not resolve.", "getent ahosts {target.host}")
_PROSE = {
    Cause.NAME_NOT_FOUND: (
        "{target.host} does not resolve: app {target.app} is not on this network, or has no "
        "started Machine; .internal names resolve on their own network only.",
        "fdaa reach self {target.app} --apps FILE",
    ),
    Cause.NO_RESOLVER: ("The resolver did not respond ({error}).", "cat /etc/resolv.conf"),
    Cause.IPV4_ONLY: (
        "{target.host} has IPv4 addresses only ({ipv4}); private addresses are IPv6 (AAAA).",
        "getent ahostsv6 {target.host}",
    ),
    Cause.RESOLVED_ELSEWHERE: (
        "{target.host} resolves to {addresses} on {network}; this Machine is on {own}.",
        _REACH,
    ),
    Cause.NOT_LISTENING: (
        "{addresses} refused: nothing listens there on port {target.port} on IPv6, or only on "
        "0.0.0.0 or 127.0.0.1; an app must listen on [::] or on its private address.",
        _IN_MACHINE,
    ),
    Cause.RESET: ("{addresses} accepted the connection and reset it at once.", _IN_MACHINE),
    Cause.MACHINE_GONE: (
        "The Machine that had {addresses} may be gone: each deploy replaces Machines.",
        "fdaa whois {address} --machines APP=FILE",
    ),
    Cause.FIREWALL: (
        "A firewall in that Machine or in this one may drop connections to {addresses}.",
        "nft list ruleset  (in both Machines)",
    ),
    Cause.ISOLATED: (
        "{addresses} is on {network}, this Machine on {own}: networks are isolated.",
        _REACH,
    ),
    Cause.OWN_CROSS_NETWORK_ADDRESS: (
        "{addresses} may be allocated to an app on this Machine's own network, for clients on "
        "another; from here, only the addresses of its Machines work.",
        "fdaa check --apps FILE --addresses APP=FILE",
    ),
    Cause.NO_ROUTE: ("There is no route to {addresses}.", "ip -6 route get {address}"),
    Cause.NOT_TRIED: ("A connection to {addresses} could not be tried.", "ulimit -n"),
    Cause.NO_OWN_ADDRESS: (
        "This machine has no private address; run this inside a Machine, or through a tunnel.",
        "ip -6 address show",
    ),
    Cause.NO_BRACKETS: (
        "{target.text} was read as an address without a port; a port requires brackets.",
        "fdaa probe '{target.with_brackets}'",
    ),
    Cause.NO_PORT: ("No port was given, so no connection was tried.", "fdaa probe '{with_port}'"),
}
