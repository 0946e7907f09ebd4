"""`fdaa reach`: can SOURCE reach TARGET, and if not, what now?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

import click

from fdaa._address import Address, NetworkID
from fdaa._errors import InputError
from fdaa._escapes import as_unicode, inline, quote
from fdaa._hosts import EndError, Host, is_ipv4, is_name, read_host
from fdaa._network_name import NetworkName
from fdaa.cli import _output as output
from fdaa.cli._arguments import (
    SELF,
    end_text,
    note_own_address,
    read_argument,
    required_own,
)
from fdaa.cli._document_options import (
    complete_end,
    document_options,
    read_inputs,
    report_contradictions_exist,
    status_of,
)
from fdaa.cli._options import book_option, open_book, quiet_option
from fdaa.cli._output import Records, record_options
from fdaa.cli._streams import STATUS_OF, CommandError, note
from fdaa.explain import about_outside, explain_verdict, find_named_apps
from fdaa.lines import read_line
from fdaa.networks import App
from fdaa.networks import reach as judge
from fdaa.probe import read_own_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._errors import InputError
    from fdaa.cli._document_options import DocumentOptions
    from fdaa.lines import End
    from fdaa.networks import NetworkMap
    from fdaa.probe import OwnAddress

    _End: TypeAlias = Address | NetworkID | NetworkName | App | Host

_FIELDS = (*judge(NetworkID(0), NetworkID(0)).to_dict(), "incomplete")
_NETWORK = "network:"  # the text before a network's name


@click.command()
@click.argument("source", shell_complete=complete_end)
@click.argument("target", shell_complete=complete_end, required=False)
@document_options
@book_option()
@click.option(
    "--permitted",
    is_flag=True,
    help="Ask what the configuration permits, whatever runs now.",
)
@click.option("--why", is_flag=True, help="Show the source of each sentence.")
@quiet_option
@record_options(*_FIELDS, text="Print one JSON object.")
def reach(
    source: str,
    target: str | None,
    book_file: str | None,
    permitted: bool,
    why: bool,
    quiet: bool,
    records: Records,
    documents: DocumentOptions,
) -> int:
    """Show whether SOURCE can reach TARGET, and what to do if not.

    SOURCE and TARGET are each an address, an app or its host (web, web.internal:8080), a Machine's
    identifier, a network ID (2:45b), a network name (network:customer-17), or self: this Machine. A
    pasted line replaces both: its two ends, or self and its only end. The result is about networks:
    it does not show whether anything is listening. If a document, or a part of one, cannot be
    used, the verdict says so, and the status is 2.

    Examples:
      $ fdaa reach web api --apps apps.json --machines web=web.json --machines api=api.json
      $ fdaa reach self fdaa:2:45b::3 --book networks.json
      $ fdaa reach '[fdaa:2:45b::2]:47112->[fdaa:0:18::3]:80: timeout'
      $ fdaa reach network:customer-17 2:224b --book networks.json -q || echo "not reachable"

    Exit status: 0 reachable, 1 not reachable, 2 invalid input, 3 unknown; with --permitted, 0
    permitted, 1 not permitted.
    """
    inputs = read_inputs(documents, open_book(book_file))
    joined = inputs.joined
    own = read_own_address()
    port = None
    if target is None:
        start, end, port = _ends_of_line(source, own, joined)
    else:
        start = _end(source, own, joined)
        end = _end(target, own, joined)
    verdict = judge(start, end, joined)
    answer = verdict.reachable
    if permitted:
        answer = verdict.permitted
    status = status_of(inputs, STATUS_OF[answer], quiet=quiet)
    if quiet:
        return status
    is_incomplete = bool(inputs.errors)
    explained = explain_verdict(verdict, joined, is_incomplete=is_incomplete)
    if records:
        records.write({**explained.to_dict(), "incomplete": is_incomplete})
    else:
        shown = explained.lines(sources=why, permission=permitted)
        sys.stdout.writelines(map(output.indented, shown))
        if verdict.reachable and start == own.address:
            if verdict.via:  # a name of another network does not resolve here
                end = verdict.via[0]
            sys.stdout.writelines(_next_step(end, port))
    sys.stdout.flush()  # the verdict first
    report_contradictions_exist(inputs)
    if target is None or SELF in (source, target):
        note_own_address(own)
    return status


def _next_step(end: _End, port: int | None) -> Iterator[str]:
    """Yield the command that tries a connection from this Machine to a target."""
    if isinstance(end, Address):
        yield f"  next: fdaa probe '[{end}]:{port or 'PORT'}'\n"
    elif isinstance(end, App):
        yield f"  next: fdaa probe {inline(end.name)}.internal:{port or 'PORT'}\n"
    elif isinstance(end, Host):
        yield f"  next: fdaa probe {end.name}:{port or 'PORT'}\n"


def _ends_of_line(text: str, own: OwnAddress, joined: NetworkMap) -> tuple[_End, _End, int | None]:
    """Return the source and the target that a line names, and the port of the target.

    Raises:
        click.UsageError: it is one word without two ends, so the second argument is missing.
        CommandError: the line has no end, or more than two, or only one and this is no Machine; or
            one end is not private, or a text in it could be an address, and is none.
    """
    line = read_line(text, own.address, joined.addresses)
    for unread in line.unread:
        reason = f"{quote(unread)} is not a valid address; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    is_word = text.split() == [text] and "://" not in text and "{" not in text
    if is_word and len(line.ends) < 2:
        raise click.UsageError("Missing argument 'TARGET'.")
    if len(line.ends) > 2:
        shown = ", ".join(end_text(end) for end in line.ends[:_ENDS_SHOWN])
        reason = f"has {len(line.ends)} ends ({shown}); give SOURCE and TARGET"
        raise CommandError(f"{quote(text)} {reason}")
    if line.outside is not None:
        raise CommandError(f"{quote(text)}: {about_outside(line.outside)}")
    if line.target is None:
        reason = "no address and no .internal name in this text; give SOURCE and TARGET"
        for mention in line.mentions:
            if mention.is_reporter:
                reason = f"{mention.end} only reports an error; give SOURCE and TARGET"
        raise CommandError(f"{quote(text)}: {reason}")
    if line.source is None:
        if own.invalid is not None:
            required_own(own)
        where = ""
        if own.address is None:
            where = ", and this computer is not a Machine"
        use = f"fdaa reach SOURCE {end_text(line.target)}"
        raise CommandError(f"{quote(text)} has one end{where}; use: {use}")
    return _end_of(line.source), _end_of(line.target), line.port


_ENDS_SHOWN = 4


def _end_of(end: End) -> _End:
    """Return an end of a line as the library takes it."""
    if isinstance(end, Address):
        return end
    if isinstance(end, Host):
        return end
    return end.network_id


def _end(text: str, own: OwnAddress, joined: NetworkMap) -> _End:
    """Return what a SOURCE or TARGET is: an address, a network, or the name of an app or Machine.

    Text with a colon or a slash is an address, a network, the host of an app, or text with one of
    them in it; other text is a name.

    Args:
        text: the argument.
        own: the own address.
        joined: the documents.

    Raises:
        InputError: it is none of these.
        CommandError: several addresses or apps are in it.
    """
    if text.startswith(_NETWORK):
        return _network(text.removeprefix(_NETWORK))
    name = as_unicode(text)
    if text != SELF and (name in joined.apps or name in joined.machines):
        return App(name)
    pasted = read_argument(text, own, known=joined.addresses)
    found = pasted.found
    named = find_named_apps(pasted.line, joined)
    apps = named.apps
    if named.reading:
        note(f"{quote(text)}: {named.reading}")
    if len(apps) > 1:
        raise CommandError(f"{quote(text)} names several apps; give one")
    if apps:
        return read_host(text) or App(apps[0])
    if pasted.error is not None:
        return _name(text, pasted.error)
    if len(found) > 1:
        raise CommandError(f"{quote(text)} contains several addresses; give one")
    if pasted.line.apps and len(pasted.line.ends) > 1:
        raise CommandError(f"{quote(text)} names an address and an app; give one")
    if isinstance(found[0], Address):
        return found[0]
    if ":" not in text:  # 0x2045b: the name of an app or Machine, too
        return App(name)
    return found[0].network_id


def _name(text: str, no_address: InputError) -> NetworkID | App:
    """Return the name of an app or Machine that is in no document; raise if it cannot be one."""
    if isinstance(no_address, EndError) or text.split() != [text] or "%" in text:
        raise no_address
    if is_ipv4(text):
        raise no_address
    if read_host(text) is not None and ":" in text:
        reason = "only names that end in .internal are; to connect, use fdaa probe"
        raise CommandError(f"{quote(text)} is not the host of an app: {reason}")
    if text.count(":") == 1 or "/" in text:
        return NetworkID(text)
    if ":" in text:
        raise no_address
    return App(as_unicode(text))


def _network(text: str) -> NetworkID | NetworkName:
    """Return the network after `network:`, by its name or its ID."""
    if is_name(text):
        return NetworkName(text)
    return NetworkID(text)
