"""The arguments of commands: each is one end of a connection, or an error that says why not.

All commands but `explain` and `scan` read their texts with this module, so a text means the same to
each of them. `explain` reads whole lines.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.ends import (
    AddressPort,
    App,
    ThisMachine,
    end_text,
    is_app_too,
)
from fdaa._values.errors import AddressError, InputError, NetworkNameError
from fdaa._values.hosts import EndError, Host
from fdaa._values.membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa._values.network_name import NetworkName
from fdaa.cli import _layout as layout
from fdaa.cli._statuses import CommandError
from fdaa.cli._streams import LINE_LIMIT, note, read_lines
from fdaa.networks import parse_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.ends import End
    from fdaa.networks import Book, NetworkMap
    from fdaa.probe import ThisComputer

# --- this computer --------------------------------------------------------------------------------


def required_own(own: ThisComputer) -> Address:
    """Return the address that `self` is, or raise a CommandError that says why there is none."""
    if own.address is None:
        raise CommandError(own.invalid or PRIVATE_IP_NOT_SET)
    return own.address


_NOTED = "fdaa.own-address"  # where click keeps whether the own address has its note


def note_own_address(own: ThisComputer) -> None:
    """Report a PLATFORM_PRIVATE_IP that is no private address, or that no interface has; once."""
    meta = click.get_current_context().meta
    if _NOTED in meta:
        return
    meta[_NOTED] = True
    if own.invalid is not None:
        note(f"{PRIVATE_IP_VARIABLE} is ignored: {own.invalid}")
    if not own.elsewhere:
        return
    found = f"{PRIVATE_IP_VARIABLE} is {own.platform_private_ip}, but no interface of this computer"
    if own.interface is None:
        note(f"{found} has that address")
    else:
        note(f"{found} has that address; self is {own.address} ({inline(own.interface)})")


# --- arguments, and lines of standard input -------------------------------------------------------

_TOO_LONG = f"a line has at most {LINE_LIMIT:,} bytes; use fdaa scan"


class Given(NamedTuple):
    """An argument, or a line of standard input.

    Args:
        number: the number of its line, from 1; 0 for an argument.
        text: the text.
        end: the end that it is; None if it is none.
        error: why it is none.
    """

    number: int
    text: str
    end: End | None
    error: InputError | None = None

    @property
    def where(self) -> str:
        """The text before a message about it."""
        return f"line {self.number}: " if self.number else ""


def read_given(
    arguments: tuple[str, ...], own: ThisComputer, networks: NetworkMap | None = None
) -> Iterator[Given]:
    """Yield each argument as an end; `-`, or no argument, is each line of standard input.

    Blank lines are skipped. Without documents, a text like `db:5432` is the ID of a network.

    Raises:
        click.UsageError: there is no argument, and standard input is a terminal.
        CommandError: standard input cannot be read, or `self` is not known.
    """
    if not arguments and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give an address, or lines on standard input")
    for argument in arguments or ("-",):
        if argument == "-":
            yield from _standard_input(own, networks)
            continue
        try:
            end = read_end(argument, own, networks)
            if networks is None and is_app_too(argument):
                _note_reading(argument, end)
            yield Given(0, argument, end)
        except InputError as error:
            yield Given(0, argument, None, error)


def _standard_input(own: ThisComputer, networks: NetworkMap | None) -> Iterator[Given]:
    """Yield the lines with their numbers, but no blank ones."""
    seen = 0
    for batch in read_lines():
        for number, line in enumerate(batch, seen + 1):
            text = line.decode("utf-8", "surrogateescape").strip()
            if not text:
                continue
            if len(line) > LINE_LIMIT:
                yield Given(number, text, None, AddressError(text, _TOO_LONG))
                continue
            try:
                yield Given(number, text, read_end(text, own, networks))
            except InputError as error:
                yield Given(number, text, None, error)
        seen += len(batch)
        sys.stdout.flush()  # a reader that follows gets the results before more is read


def read_end(text: str, own: ThisComputer, networks: NetworkMap | None) -> End:
    """Return the end that a text is, with this Machine's address in place of `self`.

    Args:
        text: the text.
        own: the own address.
        networks: the documents and the book; without them, only addresses and networks are asked
            for, and a text like `db:5432` is the ID of a network.

    Raises:
        InputError: it is none; the message has what to do about it.
        CommandError: it is `self`, and this Machine's address is not known.
    """
    if len(text) > LINE_LIMIT:
        raise AddressError(text, _TOO_LONG)
    try:
        end = _parse(as_unicode(text), networks)
    except InputError as error:
        raise _with_hint(text, error) from None
    if isinstance(end, Host) and end.app is None and is_file(text):
        raise _with_hint(text, EndError(text))
    if not isinstance(end, ThisMachine):
        return end
    address = required_own(own)
    note_own_address(own)
    if end.port is not None:
        return AddressPort(address, port=end.port)
    return address


def _parse(text: str, networks: NetworkMap | None) -> End:
    has_one_colon = text.count(":") == 1  # is_app_too takes longer than the rest
    if networks is None and has_one_colon and is_app_too(text):
        return NetworkID(text)
    end = parse_end(text, networks)
    if has_one_colon and is_app_too(text):
        _note_reading(text, end)
    return end


def _note_reading(text: str, end: End) -> None:
    """Report how a text like `db:5432` was read, and how to write the other reading."""
    if isinstance(end, Host):
        note(f"{quote(text)}: read as app {end.app}; for the network: network:{text}")
        return
    app, _, port = text.partition(":")
    note(f"{quote(text)}: read as a network ID; for the app: {app}.internal:{port}")


class _HintedError(InputError):
    """An error with what to do; its reason is the whole message."""

    def __str__(self) -> str:
        return self.reason


def is_file(text: str) -> bool:
    """Whether a text is the name of a file."""
    return os.path.isfile(text)  # noqa: PTH113 - Path's raises where it may not look


def _with_hint(text: str, error: InputError) -> InputError:
    """Return the error about a text, with what to do where the text is something else."""
    if is_file(text):
        reason = f"{quote(text)}: this is a file; use: {layout.command_line('scan', text)}"
        return _HintedError(text, reason)
    is_line = len(text.split()) > 1 or text != text.strip()
    if is_line or "://" in text:
        reason = f"{quote(text)}: expected one address, network or name; for a line: fdaa 'TEXT'"
        return _HintedError(text, reason)
    return error


# --- addresses and networks only ------------------------------------------------------------------


_LONGEST_HOST = 253  # characters (RFC 1035); an app's name is shorter


def value_of(given: Given, book: Book | None) -> Address | Prefix:
    """Return the address or the network that an end is; of a network's name, by the book.

    Raises:
        InputError: it is an app or a host, or a network that the book does not have.
    """
    end = given.end
    if isinstance(end, Address | Prefix):
        return end
    if isinstance(end, AddressPort):
        return end.address
    if isinstance(end, NetworkID):
        return end.prefix
    if isinstance(end, NetworkName):
        return _network_of(end, book).prefix
    raise _not_a_value(given.text, end, book)


def _network_of(name: NetworkName, book: Book | None) -> NetworkID:
    if book is None:
        raise _HintedError(name, f"{end_text(name)}: its ID is not known; use --book FILE")
    if name not in book:
        raise _HintedError(name, f"{end_text(name)} is not in the book")
    return book[name].network_id


def _not_a_value(text: str, end: object, book: Book | None) -> InputError:
    """Return the error for an app or a host: the commands that take it."""
    reason = f"{quote(text)} is neither an address nor a network ID"
    if len(text) > _LONGEST_HOST:
        return _HintedError(text, reason)
    options = [] if book is None else ["--book", book.file]
    whois = layout.command_line("whois", text, options=options)
    probe = layout.command_line("probe", text, options=options)
    if isinstance(end, App):
        with suppress(NetworkNameError):
            name = f"network:{NetworkName(end.name)}"
            network = layout.shell_line([name, *(options or ["--book", "FILE"])])
            reason += f". A network? Use {network}"
        reason += f". An app? Use {whois}"
    elif isinstance(end, Host) and end.app is not None:
        reason += f"; use {whois} or {probe}"
    elif isinstance(end, Host):
        reason += f"; use {probe}"
    return _HintedError(text, reason)
