"""`fdaa probe`: is a port open from here, and if not, which causes fit what was seen?"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from fdaa._address import Address
from fdaa._escapes import quote
from fdaa._membership import PRIVATE_IP_VARIABLE
from fdaa.cli._book_names import open_book
from fdaa.cli._document_options import complete_end, document_options, read_inputs, status_of
from fdaa.cli._exit_status import NO, UNKNOWN, YES, CommandError
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._probe_report import FIELDS, Report
from fdaa.cli._records import Records, record_options
from fdaa.cli._streams import note, write_error
from fdaa.cli._this_machine import SELF, read_this_machine
from fdaa.lines import find_targets, read_line
from fdaa.probe import Evidence, Target, TargetError, read_own_address
from fdaa.probe import probe as run_probe

if TYPE_CHECKING:
    from collections.abc import Container

    from fdaa.cli._document_options import DocumentOptions
    from fdaa.lines import Mention, Targets
    from fdaa.probe import Conclusion, OwnAddress


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
@record_options(
    *FIELDS, text="Print one JSON object for each step.", objects={"counts": tuple(Evidence)}
)
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

    Each TARGET is looked up, and a connection is made to each of its addresses. TARGET is an
    address, an app (looked up as APP.internal), a host name, self, or a pasted line with an address
    or an .internal name in it. An address with a port requires brackets: [ADDRESS]:PORT. Without a
    port, only the name is looked up and the route checked. No data is sent. Several rounds end with
    a summary, also after Ctrl-C.

    Examples:
      $ fdaa probe worker:3000
      $ fdaa probe '[fdaa:2:45b::3]:5432' web:80 --apps apps.json --timeout 1
      $ fdaa probe 'dial tcp worker.internal:3000: i/o timeout'
      $ fdaa probe worker:3000 --count 10 --interval 0.5

    Exit status: 0 the port of each target is open, 1 a negative response for one at least, 2
    invalid input, 3 unknown: no address, no response, or nothing could be sent.
    """
    inputs = read_inputs(documents, open_book(book_file))
    to_probe = _targets(targets, inputs.joined.addresses)
    report = Report(inputs, documents, records, quiet=quiet, show_all=show_all)
    try:
        for number in range(1, count + 1):
            if number > 1:
                time.sleep(interval)
            for step in run_probe(*to_probe, timeout=timeout):
                report.add(number, step)
    except KeyboardInterrupt:
        if count > 1:
            write_error("")  # ends the line in which the terminal shows ^C
            report.summarize()
        raise
    if count > 1:
        report.summarize()
    return status_of(inputs, _status(report.conclusions), quiet=quiet)


def _targets(arguments: tuple[str, ...], known: Container[Address]) -> list[Target]:
    """Return the targets in the arguments, with this Machine's own address in place of `self`."""
    own = read_own_address()
    targets = []
    for text in arguments:
        name, colon, port = text.partition(":")
        if name == SELF:
            targets.append(Target.parse(f"[{_self(own)}]{colon}{port}"))
        else:
            targets.extend(_read_targets(text, own, known))
    return targets


def _read_targets(text: str, own: OwnAddress, known: Container[Address]) -> list[Target]:
    """Return the target that an argument is, or those that a line names.

    Raises:
        TargetError: it is one word, and no target; or its port is not from 1 to 65535.
        CommandError: it has no address and no name, several addresses or names, or an address in it
            is not whole.
    """
    try:
        return [Target.parse(text)]
    except TargetError as error:
        no_target = error
    line = read_line(text, own.platform_private_ip, known)
    found = find_targets(line, (own.address, own.platform_private_ip))
    if not found.candidates and found.not_whole is None:
        if text.split() == [text]:
            raise no_target
        reason = "no address and no .internal name in this text; give APP:PORT or [ADDRESS]:PORT"
        for mention in line.mentions:
            reason = f"{mention.end} only reports an error; give the destination: [ADDRESS]:PORT"
        raise CommandError(f"{quote(text)}: {reason}")
    if found.not_whole is not None:
        reason = f"{found.not_whole} is not a whole address{_to_give(found)}"
        raise CommandError(f"{quote(text)}: {reason}")
    if found.several is not None:
        raise CommandError(f"{quote(text)} has several {found.several}{_to_give(found)}")
    for candidate in found.candidates:
        if candidate.may_be_clients and not candidate.is_clients:
            port = f"port {candidate.digits_to_try} may be a client's, on which nothing listens"
            note(port)
    return [Target.parse(_text_of(candidate)) for candidate in found.candidates]


_SHOWN = 3  # targets in a message


def _to_give(found: Targets) -> str:
    """Return the end of a message: the commands that probe one of several targets."""
    if not found.candidates:
        return "; give APP:PORT or [ADDRESS]:PORT"
    commands = [f"fdaa probe '{_text_of(each)}'" for each in found.candidates[:_SHOWN]]
    return f"; give one: {' or '.join(commands)}"


def _text_of(candidate: Mention) -> str:
    """Return a target as text: `reports.internal:80`, `[fdaa::3]:53`."""
    if candidate.digits_to_try is None:
        return str(candidate.end)
    if isinstance(candidate.end, Address):
        return f"[{candidate.end}]:{candidate.digits_to_try}"
    return f"{candidate.end}:{candidate.digits_to_try}"


def _self(own: OwnAddress) -> Address:
    """Return the address that `self` is: one that an interface has, whatever the variable says."""
    if own.address is not None:
        return own.address
    if own.platform_private_ip is None:
        read_this_machine().required()
    raise CommandError(
        f"self: {PRIVATE_IP_VARIABLE} is {own.platform_private_ip}, but no interface of this "
        "computer has a private address"
    )


def _status(conclusions: list[Conclusion]) -> int:
    """Return the exit status of the worst conclusion."""
    found = {conclusion.is_open for conclusion in conclusions}
    if False in found:
        return NO
    if None in found:
        return UNKNOWN
    return YES
