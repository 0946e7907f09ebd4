"""The arguments of commands: an address, a network, a name in the book, `self`, or a pasted line.

All commands read text with this module, so a text means the same to each of them.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa._address import Address, NetworkID, Prefix
from fdaa._bits import ADDRESS_BITS
from fdaa._errors import (
    AddressError,
    InputError,
    NetworkIDError,
    OutsidePrefixError,
)
from fdaa._escapes import inline, quote
from fdaa._hosts import EndError, Host, is_ipv4, is_name, read_host
from fdaa._membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa._text import decimal
from fdaa.cli._streams import LINE_LIMIT, CommandError, note, read_lines
from fdaa.lines import CutOff, read_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from fdaa.lines import End, Found, Line
    from fdaa.networks import Book
    from fdaa.probe import OwnAddress

SELF = "self"


def required_own(own: OwnAddress) -> Address:
    """Return the address that `self` is, or raise a CommandError that says why there is none."""
    if own.address is None:
        raise CommandError(own.invalid or PRIVATE_IP_NOT_SET)
    return own.address


def note_own_address(own: OwnAddress) -> None:
    """Report a PLATFORM_PRIVATE_IP that is no private address, or that no interface has."""
    if own.invalid is not None:
        note(f"{PRIVATE_IP_VARIABLE} is ignored: {own.invalid}")
    if not own.elsewhere:
        return
    found = f"{PRIVATE_IP_VARIABLE} is {own.platform_private_ip}, but no interface of this computer"
    if own.interface is None:
        note(f"{found} has that address")
    else:
        note(f"{found} has that address; self is {own.address} ({inline(own.interface)})")


_TOO_LONG = f"a line has at most {LINE_LIMIT:,} bytes; use fdaa scan"


class NoAddressError(AddressError):
    """A text that names neither an address nor a network; its reason is the whole message."""

    def __str__(self) -> str:
        return self.reason


class Pasted(NamedTuple):
    """An argument, or a line of standard input.

    Args:
        number: the number of its line, from 1; 0 for an argument.
        text: the text.
        line: what it names.
        error: why it names no address and no network.
    """

    number: int
    text: str
    line: Line
    error: InputError | None = None

    @property
    def found(self) -> tuple[Found, ...]:
        """The addresses and networks in it, each once, in order."""
        if self.error is not None:
            return ()
        return self.line.found

    @property
    def is_line(self) -> bool:
        """Whether it is more than one word, or has two ends."""
        return _has_space(self.text) or len(self.line.ends) > 1

    @property
    def where(self) -> str:
        """The text before a message about it."""
        if not self.number:
            return ""
        return f"line {self.number}: "

    def app_in_its_place(self, book: Book | None) -> Host | None:
        """Return the app with a port that a network ID may be, unless the book has the network.

        Both have the form `db:5432`.
        """
        match self.found:
            case [Prefix() as prefix] if book is None or book.name_of(prefix.network_id) is None:
                return read_host(self.text)
        return None


def read_pasted(
    arguments: tuple[str, ...],
    own: OwnAddress,
    book: Book | None = None,
    known: Container[Address] = (),
) -> Iterator[Pasted]:
    """Yield what each argument names.

    `-`, or no argument, stands for the lines of standard input; blank lines are skipped. The other
    arguments are those of `read_argument`.

    Raises:
        click.UsageError: there is no argument, and standard input is a terminal.
        CommandError: standard input cannot be read, or `self` is not known.
    """
    if not arguments and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give an address, or lines on standard input")
    for argument in arguments or ("-",):
        if argument != "-":
            yield read_argument(argument, own, book, known)
            continue
        for number, text in _standard_input():
            yield read_argument(text, own, book, known, number)


def _standard_input() -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, but no blank ones."""
    seen = 0
    for batch in read_lines():
        for number, line in enumerate(batch, seen + 1):
            if line.strip():
                yield number, line.decode("utf-8", "surrogateescape")
        seen += len(batch)
        sys.stdout.flush()  # a reader that follows gets the results before more is read


def read_argument(
    text: str,
    own: OwnAddress,
    book: Book | None = None,
    known: Container[Address] = (),
    number: int = 0,
) -> Pasted:
    """Return what a text names, or why it names no address and no network.

    How an argument was read is reported.

    Args:
        text: an address, a network ID, a /48 or a part of one, a reverse pointer, the name of a
            network in the book, `self`, or any text with addresses in it.
        own: the own address.
        book: the book, if one is given.
        known: the addresses in the documents.
        number: the number of its line in a file: such a text is not `self`.

    Raises:
        CommandError: it is `self`, and this Machine's address is not known.
    """
    if text == SELF and not number:
        return Pasted(number, text, read_line(str(required_own(own)), own.address))
    if len(text.encode("utf-8", "replace")) > LINE_LIMIT:
        error = AddressError(text, _TOO_LONG)
        return Pasted(number, text, read_line(""), error)
    line = read_line(text, own.address, known)
    if line.found and not number and _is_outside(text):  # on a line, `12:` may be its number
        return Pasted(number, text, line, _error_of(Address, text))
    if line.found:
        if not number:
            _report_reading(line)
        return Pasted(number, text, line)
    if is_name(text) and book is not None and text in book:
        prefix = book[text].network_id.prefix
        return Pasted(number, text, read_line(str(prefix), own.address))
    return Pasted(number, text, line, _refusal(line, own, book, outside=number > 0))


def _report_reading(line: Line) -> None:
    """Report how a text was read: where a port was left out, and what one word was."""
    text = line.text
    for remark in line.remarks:
        if remark.is_port:
            read = f"read {remark.shorter}, port {remark.digits}: that address is known"
            note(f"'{remark.text}': {read}")
    if _has_space(text) or _is_address(text):
        return
    with suppress(AddressError):
        address = Address.from_reverse_pointer(text)
        note(f"{quote(text)}: read as the reverse pointer of {address}")
        return
    for mention in line.mentions:
        if isinstance(mention.end, Host):
            continue
        is_all_of_it = mention.stop - mention.start == len(text)
        if isinstance(mention.end, CutOff) or not is_all_of_it:
            shown = " and ".join(map(str, line.found))
            note(f"{quote(text)}: read {shown}{_left_out(text)}")
        return


def _is_address(text: str) -> bool:
    with suppress(AddressError):
        Address(text)
        return True
    return False


def _is_outside(text: str) -> bool:
    """Return whether a whole text is an IPv6 address outside fdaa::/16."""
    try:
        Address(text)
    except OutsidePrefixError:
        return True
    except AddressError:
        pass
    return False


def _left_out(text: str) -> str:
    """Return the remark about a prefix length that is not valid, as in `fdaa:2:45b::/048`."""
    match = re.fullmatch(r"[0-9A-Fa-f:.]+/([0-9]+)", text)
    if match is None or decimal(match[1], ADDRESS_BITS) is not None:
        return ""
    return f"; /{match[1]} is ignored: a prefix length is from 0 to 128, without leading zeros"


def _has_space(text: str) -> bool:
    return text.split() != [text]


# Expressions are compiled where they are used, as a bare address needs none.

_IPV4 = r"(?a)(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"
_SHORT = r"(?ai)fdaa:([\da-f]{1,4}:[\da-f]{1,4})"  # an address that ends after its network ID
_NEAR_MISS = r"(?i)(?<![\w:.])fdaa:[\w:.]+"


def _refusal(line: Line, own: OwnAddress, book: Book | None, outside: bool) -> InputError:
    """Return the error for a text without an address, by its probable meaning."""
    text = line.text
    if not text or is_ipv4(text):
        return _error_of(Address, text)
    if not outside and os.path.isfile(text):  # noqa: PTH113 - Path's raises where it may not look
        from shlex import quote as shell_quote  # only this message needs it

        reason = f"{quote(text)}: this is a file; use: fdaa scan {shell_quote(text)}"
        return NoAddressError(text, reason)
    try:
        read_host(text)
    except EndError as error:
        return error
    if is_name(text):
        hint = " It is not in the book"
        if book is None:
            hint = " A network name? Use --book FILE"
        return NoAddressError(text, f"{quote(text)} is neither an address nor a network ID.{hint}")
    if not _has_space(text):
        short = re.fullmatch(_SHORT, text)
        if short is not None:
            reason = (
                f"this is the beginning of an address. Its network? Use fdaa {short[1].lower()}"
            )
            return NoAddressError(text, f"{quote(text)} is not a private address: {reason}")
        begins_with_prefix = text[:4].lower() == "fdaa"
        if "/" not in text and (text.count(":") > 1 or begins_with_prefix):
            return _error_of(Address, text)
        if begins_with_prefix or (text[0] in "0123456789:" and "." not in text):
            return _error_of(NetworkID, text)
    return _no_address_in(line, own)


def _error_of(kind: type[Address | NetworkID], text: str) -> InputError:
    """Return the error that says why a text is no address, or no network ID."""
    try:
        kind(text)
    except (AddressError, NetworkIDError) as error:
        return error
    raise CommandError(f"{quote(text)} was not read")


def _no_address_in(line: Line, own: OwnAddress) -> NoAddressError:
    """Return the error for a text without an address: what it has in place of one."""
    text = line.text
    reason = f"{quote(text)}: no private address in this text"
    commands = _commands_for_hosts(line, own)
    if commands:
        return NoAddressError(text, f"{reason}. {commands}")
    ipv4 = re.search(_IPV4, text)
    if ipv4 is not None:
        return NoAddressError(text, f"{reason} ({ipv4[0]} is IPv4)")
    near_miss = re.search(_NEAR_MISS, text)
    if near_miss is None:
        return NoAddressError(text, reason)
    try:
        Address(near_miss[0])
    except AddressError as error:
        at = None
        if error.at is not None:
            at = near_miss.start() + error.at
        return NoAddressError(text, f"{reason}: {error.reason}", at)
    return NoAddressError(text, reason)


def _commands_for_hosts(line: Line, own: OwnAddress) -> str:
    """Return the commands for the apps and the host that a text names; empty without one."""
    where = " (in a Machine)"
    if own.address is not None or own.invalid is not None:
        where = ""
    commands = [commands_for_app(app) for app in line.apps[:_APPS_SHOWN]]
    if commands:
        return "; ".join(commands) + where
    host = read_host(line.text)
    if host is None:
        return ""
    return f"A host name? Use fdaa probe {target_text(host)}"


_APPS_SHOWN = 2


# --- how arguments are spelled --------------------------------------------------------------------


def app_text(app: str) -> str:
    """Return an app as `fdaa reach` takes it, where a bare `self` is this Machine."""
    if app == SELF:
        return f"{SELF}.internal"
    return app


def target_text(host: Host) -> str:
    """Return a host as `fdaa probe` takes it; it adds `.internal` to a bare name."""
    name = host.name
    if host.app is not None and name == f"{host.app}.internal":
        name = app_text(host.app)
    return str(Host(name, host.port))


def end_text(end: End, own: Address | None = None) -> str:
    """Return an end of a connection as `fdaa reach` takes it.

    Args:
        end: the end.
        own: the address to call `self`.
    """
    if end == own:
        return SELF
    if isinstance(end, Host):
        return app_text(end.app or end.name)
    if isinstance(end, Address):
        return str(end)
    return str(end.network_id.prefix)


def commands_for_app(host: Host) -> str:
    """Return the commands for an app that a text may name."""
    app = host.app or host.name
    return f"If {app} is an app: fdaa probe {target_text(host)}, fdaa reach self {app_text(app)}"
