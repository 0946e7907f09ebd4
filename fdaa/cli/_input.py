"""What commands read: ends of connections as arguments or lines, and this Machine's address."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import click

from fdaa._support import streams
from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._values.ends import AddressPort, ThisMachine, network_or_host, parse_end
from fdaa._values.errors import InputError
from fdaa._values.hosts import EndError, Host
from fdaa._values.membership import PRIVATE_IP_NOT_SET, PRIVATE_IP_VARIABLE
from fdaa.cli._output import WRONG, CommandError, complain, is_file, note, report
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa._values.address import Address
    from fdaa._values.ends import End
    from fdaa.explain import Decoded
    from fdaa.networks import NetworkMap
    from fdaa.probe import ThisComputer

# Bytes of a line, far more than any address and its surroundings. Of a longer one, a few more are
# kept, which show that it is longer; so memory is bounded.
LINE_LIMIT = 65536
_KEPT = LINE_LIMIT + len(b"?\r")
_ERRORS_SHOWN = 10
_TOO_LONG = f"longer than {LINE_LIMIT:,} bytes; fdaa scan reads long lines"
_IS_FILE = "this is a file; fdaa scan FILE reads it"
_IS_LINE = "expected one address, network or name; fdaa 'TEXT' explains a line"


# --- standard input -------------------------------------------------------------------------------


def standard_input() -> BinaryIO:
    """Return standard input as a binary file, once.

    Raises:
        CommandError: it is closed.
        click.UsageError: something else reads it.
    """
    meta = click.get_current_context().meta
    if meta.setdefault("fdaa.standard-input", False):
        raise click.UsageError("standard input (-) can be read only once")
    meta["fdaa.standard-input"] = True
    try:
        return streams.standard_input().buffer
    except OSError:
        raise CommandError("standard input is closed") from None


def _read_lines() -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line of standard input that is not empty.

    Raises:
        CommandError: it cannot be read.
    """
    lines = iter(partial(_read_line, standard_input()), b"")
    for number, line in enumerate(lines, 1):
        rest = line
        while len(rest) == _KEPT and not rest.endswith(b"\n"):
            rest = next(lines, b"")  # of a line that is too long
        text = line.decode("utf-8", "surrogateescape").strip()
        if text:
            yield number, text
        sys.stdout.flush()  # a reader that follows gets this result before more is read


def _read_line(stream: BinaryIO) -> bytes:
    """Return the next line, or a part of a long one."""
    try:
        return stream.readline(_KEPT)
    except OSError as error:
        raise CommandError(f"standard input: {error.strerror or error}") from None


# --- what is asked for ----------------------------------------------------------------------------


class Inputs:
    """The texts that a command is asked about: each argument; for `-`, or without any, each line.

    Args:
        arguments: the arguments.

    Raises:
        click.UsageError: there is no argument, and standard input is a terminal.
    """

    def __init__(self, arguments: tuple[str, ...]) -> None:
        if not arguments and (sys.stdin is None or sys.stdin.isatty()):
            raise click.UsageError("give an address, or lines on standard input")
        self._arguments = arguments or ("-",)
        self._failed = 0

    def answers(
        self, answer: Callable[[str], Iterable[Decoded]]
    ) -> Iterator[tuple[str, Decoded | InputError]]:
        """Yield each text with each of its answers; or with its error, which is reported, too.

        Raises:
            CommandError: standard input cannot be read.
        """
        for text, where in self._texts():
            try:
                for decoded in answer(text):
                    yield text, decoded
            except InputError as error:
                self._failed += 1
                if self._failed <= _ERRORS_SHOWN:
                    report(error, where)
                yield text, error

    def _texts(self) -> Iterator[tuple[str, str]]:
        """Yield each text, and what a message about it begins with."""
        for argument in self._arguments:
            if argument != "-":
                yield argument, ""
                continue
            for number, line in _read_lines():
                yield line, f"line {number}: "

    def status(self, otherwise: int) -> int:
        """Report how many more errors there were, and return the status."""
        if self._failed > _ERRORS_SHOWN:
            complain(f"and {self._failed - _ERRORS_SHOWN:,} more like these")
        if self._failed:
            return WRONG
        return otherwise


def read_end(text: str, networks: NetworkMap | None = None) -> End:
    """Return the end that a text is, with this Machine's address in place of `self`.

    Args:
        text: the text.
        networks: the documents; without them, a text like `db:5432` is the ID of a network.

    Raises:
        InputError: it is none.
        CommandError: it is `self`, and this Machine's address is not known.
    """
    if len(text) > LINE_LIMIT:
        raise EndError(text, _TOO_LONG)
    either = network_or_host(text)
    if networks is None and either is not None:
        end: End = either[0]
    else:
        end = _parsed(text, networks)
    if either is not None and isinstance(end, Host):
        note(f"{quote(text)}: read as app {end.app}; for the network: network:{text}")
    elif either is not None:
        host = either[1]
        note(f"{quote(text)}: read as a network ID; for the app: {host.app}.internal:{host.port}")
    if not isinstance(end, ThisMachine):
        return end
    address = own_address()
    if end.port is None:
        return address
    return AddressPort(address, port=end.port)


def _parsed(text: str, networks: NetworkMap | None) -> End:
    """Return the end that a text is; a file and a line are refused with what reads them."""
    try:
        end = parse_end(as_unicode(text), networks)
    except InputError as error:
        if is_file(text):
            raise EndError(text, _IS_FILE) from None
        if len(text.split()) > 1:
            raise EndError(text, _IS_LINE) from None
        raise error from None
    if isinstance(end, Host) and end.app is None and is_file(text):
        raise EndError(text, _IS_FILE)
    return end


# --- this computer --------------------------------------------------------------------------------


def own_address() -> Address:
    """Return the address that `self` is.

    Raises:
        CommandError: there is none; the text says why.
    """
    own = read_this_computer()
    if own.address is None:
        raise CommandError(own.invalid or PRIVATE_IP_NOT_SET)
    note_own_address(own)
    return own.address


def note_own_address(own: ThisComputer) -> None:
    """Report a PLATFORM_PRIVATE_IP that is no private address, or that no interface has; once."""
    meta = click.get_current_context().meta
    if meta.setdefault("fdaa.own-address-noted", False):
        return
    meta["fdaa.own-address-noted"] = True
    if own.invalid is not None:
        note(f"{PRIVATE_IP_VARIABLE} is ignored: {own.invalid}")
    if own.elsewhere:
        no_interface = "but no interface of this computer has that address"
        instead = ""
        if own.interface is not None:
            instead = f"; self is {own.address} ({inline(own.interface)})"
        note(f"{PRIVATE_IP_VARIABLE} is {own.platform_private_ip}, {no_interface}{instead}")
