"""The meaning of a text: an address, a network, or a line of a log with some in it.

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
from fdaa._errors import AddressError, InputError, NetworkIDError, OutsidePrefixError
from fdaa._escapes import quote
from fdaa._membership import PRIVATE_IP_VARIABLE
from fdaa._text import decimal
from fdaa.cli._names_in_text import apps_in, has_wrong_port, is_name, read_host
from fdaa.cli._places_in_text import CutOff, find_places, known_ports
from fdaa.cli._streams import LINE_LIMIT, note, read_lines
from fdaa.cli._this_machine import NONE_KNOWN, SELF, KnownAddresses, this_machine

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from fdaa.cli._names_in_text import Host
    from fdaa.cli._places_in_text import Found
    from fdaa.networks import Book


_TOO_LONG = f"a line has at most {LINE_LIMIT:,} bytes; use fdaa scan"


class NoAddressError(AddressError):
    """A text that names neither an address nor a network; its reason is the whole message."""

    def __str__(self) -> str:
        return self.reason


class Pasted(NamedTuple):
    """An argument, or a line of standard input.

    Args:
        line: the number of its line, from 1; 0 for an argument.
        text: the text.
        found: the addresses and networks in it, each once, in order.
        error: why it names none.
    """

    line: int
    text: str
    found: list[Found]
    error: InputError | None = None

    @property
    def where(self) -> str:
        """The text before a message about it."""
        if not self.line:
            return ""
        return f"line {self.line}: "

    def app_in_its_place(self, book: Book | None) -> Host | None:
        """Return the app with a port that a network ID may be, unless the book has the network.

        Both have the form `db:5432`.
        """
        match self.found:
            case [Prefix() as prefix] if book is None or book.name_of(prefix.network_id) is None:
                return read_host(self.text)
        return None


def read_pasted(
    arguments: tuple[str, ...], book: Book | None = None, known: KnownAddresses = NONE_KNOWN
) -> Iterator[Pasted]:
    """Yield what each argument names.

    `-`, or no argument, stands for the lines of standard input; blank lines are skipped. The other
    arguments are those of `read_text`.

    Raises:
        click.UsageError: there is no argument, and standard input is a terminal.
        CommandError: standard input cannot be read, or `self` is not known.
    """
    if not arguments and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give an address, or lines on standard input")
    for argument in arguments or ("-",):
        if argument != "-":
            yield _read(0, argument, book, known)
            continue
        for line, text in _standard_input():
            yield _read(line, text, book, known)


def _read(line: int, text: str, book: Book | None, known: KnownAddresses) -> Pasted:
    """Return what an argument, or a line of standard input, names."""
    try:
        if len(text.encode("utf-8", "replace")) > LINE_LIMIT:
            raise AddressError(text, _TOO_LONG)
        found = read_text(text, book, known, outside=line > 0)
    except InputError as error:
        return Pasted(line, text, [], error)
    return Pasted(line, text, found)


def _standard_input() -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, but no blank ones."""
    seen = 0
    for batch in read_lines():
        for number, line in enumerate(batch, seen + 1):
            if line.strip():
                yield number, line.decode("utf-8", "surrogateescape")
        seen += len(batch)
        sys.stdout.flush()  # a reader that follows gets the results before more is read


def read_text(
    text: str,
    book: Book | None = None,
    known: KnownAddresses = NONE_KNOWN,
    *,
    outside: bool = False,
) -> list[Found]:
    """Return the addresses and networks in a text, each once, in order.

    A last group that is a port is left out: `find_places` has the rule.

    Args:
        text: an address, a network ID, a /48 or a part of one, a reverse pointer, the name of a
            network in the book, `self`, or any text with addresses in it.
        book: the book, if one is given.
        known: the addresses that exist; of a bare address, only those in the documents count.
        outside: whether the text comes from a file: then it is not `self`, and how it was read is
            not reported.

    Raises:
        InputError: it names none.
        CommandError: it is `self`, and this Machine's address is not known.
    """
    if text == SELF and not outside:
        return [this_machine()]
    try:
        return [_before_port(Address(text), text, known.documents, outside)]
    except AddressError as error:
        if isinstance(error, OutsidePrefixError) and not outside:
            raise  # on a line, `12:fdaa::3` may begin with its number
        no_address = error
    if not outside:
        _report_known_ports(text, known)
    with suppress(AddressError):
        address = Address.from_reverse_pointer(text)
        if not outside:
            note(f"{quote(text)}: read as the reverse pointer of {address}")
        return [address]
    places = find_places(text, known)
    found = list(dict.fromkeys(place.found for place in places))
    if found:
        first = places[0]
        is_whole = not isinstance(first.found, CutOff)
        is_all_of_it = is_whole and first.end - first.start == len(text)
        if not outside and not is_all_of_it and not _has_space(text):
            shown = " and ".join(map(str, found))
            note(f"{quote(text)}: read {shown}{_left_out(text)}")
        return found
    if is_name(text) and book is not None and text in book:
        return [book[text].network_id.prefix]
    try:
        return [NetworkID(text).prefix]
    except NetworkIDError as no_id:
        raise _refusal(text, no_address, no_id, book, outside) from None


def _before_port(
    address: Address, text: str, documents: Container[Address], outside: bool
) -> Address:
    """Return the address that a bare one begins with, if only that is in the documents."""
    for _, _, without_port in known_ports(text, documents):
        if not outside:
            _report_known_ports(text, documents)
        return without_port
    return address


def _report_known_ports(text: str, known: Container[Address]) -> None:
    """Report where a text is read as an address and a port, because that address is known."""
    for whole, _, address in known_ports(text, known):
        port = whole.rpartition(":")[2]
        note(f"'{whole}': read {address}, port {port}: that address is known")


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
_NEAR_MISS = r"(?i)(?<![\w:.])fdaa:[\w:.]+"


def _refusal(
    text: str, no_address: AddressError, no_id: NetworkIDError, book: Book | None, outside: bool
) -> InputError:
    """Return the error for a text, by its probable meaning."""
    if not text or re.fullmatch(_IPV4, text):
        return no_address
    if not outside and os.path.isfile(text):  # noqa: PTH113 - Path's raises where it may not look
        from shlex import quote as shell_quote  # only this message needs it

        reason = f"{quote(text)}: this is a file; use: fdaa scan {shell_quote(text)}"
        return NoAddressError(text, reason)
    if has_wrong_port(text):
        return NoAddressError(text, f"{quote(text)}: a port is from 1 to 65535")
    if is_name(text):
        hint = " It is not in the book"
        if book is None:
            hint = " A network name? Use --book FILE"
        return NoAddressError(text, f"{quote(text)} is neither an address nor a network ID.{hint}")
    if not _has_space(text):
        begins_with_prefix = text[:4].lower() == "fdaa"
        if "/" not in text and (text.count(":") > 1 or begins_with_prefix):
            return no_address
        if begins_with_prefix or (text[0] in "0123456789:" and "." not in text):
            return no_id
    return _no_address_in(text)


def _no_address_in(text: str) -> NoAddressError:
    """Return the error for a text without an address: what it has in place of one."""
    reason = f"{quote(text)}: no private address in this text"
    commands = _commands_for_hosts(text)
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


def _commands_for_hosts(text: str) -> str:
    """Return the commands for the apps and the host that a text names; empty without one."""
    where = " (in a Machine)"
    if os.environ.get(PRIVATE_IP_VARIABLE):
        where = ""
    commands = [commands_for_app(app) for app in apps_in(text)[:_APPS_SHOWN]]
    if commands:
        return "; ".join(commands) + where
    host = read_host(text)
    if host is None:
        return ""
    return f"A host name? Use fdaa probe {host.target}"


_APPS_SHOWN = 2


def commands_for_app(app: Host) -> str:
    """Return the commands for an app that a text may name."""
    return f"If {app.app} is an app: fdaa probe {app.target}, fdaa reach self {app.end}"
