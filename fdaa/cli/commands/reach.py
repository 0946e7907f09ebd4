"""`fdaa reach`: can SOURCE reach TARGET, and if not, what now?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._address import Address, NetworkID
from fdaa._errors import InputError
from fdaa._escapes import inline, quote
from fdaa._network_name import NetworkName
from fdaa.cli import _render as output
from fdaa.cli._apps_in_text import apps_asked
from fdaa.cli._book_names import open_book
from fdaa.cli._document_options import (
    complete_end,
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._exit_status import NO, UNKNOWN, YES, CommandError
from fdaa.cli._names_in_text import has_wrong_port, is_name, read_host
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_ends import read_ends
from fdaa.cli._pasted_text import read_text
from fdaa.cli._records import Records, record_options
from fdaa.cli._this_machine import SELF, known_addresses, known_machine
from fdaa.explain import explain_verdict
from fdaa.networks import reach as judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.cli._document_options import DocumentOptions
    from fdaa.cli._places_in_text import Found
    from fdaa.networks import NetworkMap

_FIELDS = ("kind", "source", "target", "reachable", "outcome", "via", "reasons", "ways")
_STATUS = {True: YES, False: NO, None: UNKNOWN}
_NETWORK = "network:"  # the text before a network's name


@click.command()
@click.argument("source", shell_complete=complete_end)
@click.argument("target", shell_complete=complete_end, required=False)
@document_options
@book_option()
@click.option("--why", is_flag=True, help="Show the source of each sentence.")
@quiet_option
@record_options(*_FIELDS, text="Print one JSON object.")
def reach(
    source: str,
    target: str | None,
    book_file: str | None,
    why: bool,
    quiet: bool,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Show whether SOURCE can reach TARGET, and what to do if not.

    SOURCE and TARGET are each an address, an app or its host (web, web.internal:8080), a Machine's
    identifier, a network ID (2:45b), a network name (network:customer-17), or self: this Machine. A
    pasted line replaces both: its two ends, or self and its only end. The result is about networks:
    it does not show whether anything is listening.

    Examples:
      $ fdaa reach web api --apps apps.json --machines web=web.json --machines api=api.json
      $ fdaa reach self fdaa:2:45b::3 --book networks.json
      $ fdaa reach '[fdaa:2:45b::2]:47112->[fdaa:0:18::3]:80: timeout'
      $ fdaa reach network:customer-17 2:224b --book networks.json -q || echo "not reachable"

    Exit status: 0 reachable, 1 not reachable, 2 invalid input, 3 unknown.
    """
    inputs = read_inputs(documents, open_book(book_file))
    joined = inputs.joined
    if target is None:
        known = known_addresses(joined.addresses)
        source, target = read_ends(source, known_machine(), known)
    start = _end(source, joined)
    end = _end(target, joined)
    verdict = judge(start, end, joined)
    status = status_of(inputs, _STATUS[verdict.reachable], quiet=quiet)
    if quiet:
        return status
    explained = explain_verdict(verdict, joined)
    if records:
        records.write(explained.to_dict())
    else:
        sys.stdout.writelines(map(output.indented, explained.lines(sources=why)))
        if verdict.reachable and start == known_addresses().own:
            sys.stdout.writelines(_next_step(end))
    sys.stdout.flush()  # the verdict first
    report_contradictions_exist(inputs)
    return status


def _next_step(end: Address | NetworkID | NetworkName | str) -> Iterator[str]:
    """Yield the command that tries a connection from this Machine to a target."""
    if isinstance(end, Address):
        yield f"next: fdaa probe '[{end}]:PORT'\n"
    elif isinstance(end, str) and not isinstance(end, NetworkName):
        yield f"next: fdaa probe {inline(end)}.internal:PORT\n"


def _end(text: str, joined: NetworkMap) -> Address | NetworkID | NetworkName | str:
    """Return what a SOURCE or TARGET is: an address, a network, or the name of an app or Machine.

    Text with a colon or a slash is an address, a network, the host of an app, or text with one of
    them in it; other text is a name.

    Args:
        text: the argument.
        joined: the documents.

    Raises:
        InputError: it is none of these.
        CommandError: several addresses or apps are in it.
    """
    if text.startswith(_NETWORK):
        return _network(text.removeprefix(_NETWORK))
    name = output.as_input(text)
    if text != SELF and (name in joined.apps or name in joined.machines):
        return name
    found: list[Found] = []
    no_address = None
    try:
        found = read_text(text, known=known_addresses(joined.addresses))
    except InputError as error:
        no_address = error
    apps = apps_asked(text, found, joined)
    if len(apps) > 1:
        raise CommandError(f"{quote(text)} names several apps; give one")
    if apps:
        return apps[0]
    if no_address is not None:
        return _name(text, no_address)
    if len(found) > 1:
        raise CommandError(f"{quote(text)} contains several addresses; give one")
    if isinstance(found[0], Address):
        return found[0]
    if ":" not in text:  # 0x2045b: the name of an app or Machine, too
        return name
    return found[0].network_id


def _name(text: str, no_address: InputError) -> NetworkID | str:
    """Return the name of an app or Machine that is in no document; raise if it cannot be one."""
    if has_wrong_port(text) or text.split() != [text]:
        raise no_address
    if read_host(text) is not None and ":" in text:
        reason = "only names that end in .internal are; to connect, use fdaa probe"
        raise CommandError(f"{quote(text)} is not the host of an app: {reason}")
    if text.count(":") == 1 or "/" in text:
        return NetworkID(text)
    if ":" in text:
        raise no_address
    return output.as_input(text)


def _network(text: str) -> NetworkID | NetworkName:
    """Return the network after `network:`, by its name or its ID."""
    if is_name(text):
        return NetworkName(text)
    return NetworkID(text)
