"""What `decode` prints for people: the network of an address and what to do next, and its bits."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa import _bits
from fdaa._address import Address, NetworkID, Prefix
from fdaa._escapes import inline
from fdaa.cli._render import paragraph, table, uses_colour, width
from fdaa.cli._steps import app_text, target_text
from fdaa.lines import ClientsPort, PortOrGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fdaa.lines import CutOff, Found, Line
    from fdaa.networks import Book

# Platform rules, "network-id-0".
_SERVICE = "assumed: the platform's services"
NOT_KNOWN = "unknown: an address of the platform's services (assumed)"
_NOT_COMPARED = (
    "Network ID 0 is assumed to be that of the platform's services (fdaa::3 is its resolver). No "
    "rule says which networks can reach them."
)


def is_service(network_id: NetworkID, book: Book | None) -> bool:
    """Whether a network ID is assumed to be that of the platform's services: 0 without a name."""
    if int(network_id) != 0:
        return False
    return book is None or book.name_of(network_id) is None


def describe_services(network_ids: Iterable[NetworkID], book: Book | None) -> Iterator[str]:
    """Yield the lines that explain network ID 0, if it is among several networks."""
    distinct = set(network_ids)
    if len(distinct) > 1 and any(is_service(each, book) for each in distinct):
        yield paragraph(_NOT_COMPARED)


def describe_network_id(network_id: NetworkID, book: Book | None) -> str:
    """Return what a network is called: its ID, and its name if the book has it."""
    if is_service(network_id, book):
        return f"{network_id} ({_SERVICE})"
    if book is None:
        return str(network_id)
    name = book.name_of(network_id)
    if name is None:
        return f"{network_id} (not in the book)"
    return f"{inline(name)} ({network_id})"


# --- one address ----------------------------------------------------------------------------------


def answer(found: Found, line: Line, own: Address | None, book: Book | None) -> Iterator[str]:
    """Yield the lines about the only address or network in a text.

    Args:
        found: the address or the network.
        line: the text.
        own: the address of this Machine, if it is known.
        book: the names of networks, if a book is given.
    """
    if not isinstance(found, Address):
        yield from _of_network(found, book)
    else:
        yield f"{found}\n"
        yield from _row("network", describe_network_id(found.network_id, book))
    if own is not None and not is_service(found.network_id, book):
        yield from _row("this Machine", _compared(found, own, book))
    if isinstance(found, Address):
        yield from _perhaps_a_port(found, line)
        yield from _next_steps(found, line, own, book)


def _of_network(found: Prefix | CutOff, book: Book | None) -> Iterator[str]:
    network_id = found.network_id
    prefix = network_id.prefix
    kind = "a network, not an address"
    if not isinstance(found, Prefix):
        kind = "the network of an address that is cut off"
    elif found.length != _bits.NETWORK_PREFIX_LENGTH:
        prefix = found
        kind = "part of a network, not an address"
    yield paragraph(f"{prefix} is {kind}")
    yield from _parts_of_network(network_id, book)


def _compared(found: Found, own: Address, book: Book | None) -> str:
    if found == own:
        return "this is its address"
    if found.network_id == own.network_id:
        return f"on the same network ({own})"
    return f"on another network, {describe_network_id(own.network_id, book)}"


def _perhaps_a_port(address: Address, line: Line) -> Iterator[str]:
    for remark in line.remarks:
        if not isinstance(remark, PortOrGroup) or remark.longer != address:
            continue
        port = remark.digits
        shorter = remark.shorter
        if len(port) < len("22"):
            continue
        instead = f"if {port} is one, the address is {shorter}"
        if shorter.network_id != address.network_id:
            instead += f", on network {shorter.network_id}"
        yield from _row("a port?", instead)


def _next_steps(
    address: Address, line: Line, own: Address | None, book: Book | None
) -> Iterator[str]:
    port = None
    if line.target == address:
        port = line.port
    is_tried = own is None or (own != address and own.network_id == address.network_id)
    if is_tried and port is not None and ClientsPort(port) in line.remarks:
        yield from _row("a client's port?", f"systems give {port} to clients, too")
    try_it = _probe(address, port)
    if is_service(address.network_id, book):
        about_names = list(_steps_for_names(line, own))
        yield from about_names
        if not about_names:
            yield from _command(_where(own), try_it)
        return
    yield from _command("next", f"fdaa whois {address}")
    if own is None:
        yield from _command(_IN_A_MACHINE, f"fdaa same self {address}")
        yield from _command("", try_it)
    elif own == address:
        for command in _for_names(line):
            yield from _command("", command)
    elif own.network_id != address.network_id:
        yield from _command("", f"fdaa reach self {address}")
    else:
        yield from _command("", try_it)


def _probe(address: Address, port: int | None) -> str:
    return f"fdaa probe '[{address}]:{port or 'PORT'}'"


def _steps_for_names(line: Line, own: Address | None) -> Iterator[str]:
    """Yield the commands for the apps that a text names: the resolver was asked for them."""
    name = _where(own)
    for command in _for_names(line):
        yield from _command(name, command)
        name = ""


def _for_names(line: Line) -> Iterator[str]:
    for host in line.apps:
        yield f"fdaa probe {target_text(host)}"
        yield f"fdaa reach self {app_text(host.app or host.name)}"


def _where(own: Address | None) -> str:
    """Return the name of the row for a command that runs in a Machine only."""
    if own is None:
        return _IN_A_MACHINE
    return "next"


_IN_A_MACHINE = "in a Machine"


# --- several addresses ----------------------------------------------------------------------------

_NETWORKS_SHOWN = 10


def summary(
    counts: dict[Found, int], line: Line, own: Address | None, book: Book | None
) -> Iterator[str]:
    """Yield the lines about several addresses: a table, and a comparison of their networks.

    Args:
        counts: how often each occurs.
        line: the first text with one of them.
        own: the address of this Machine, if it is known.
        book: the names of the networks, if a book is given.
    """
    is_repeated = max(counts.values()) > 1
    head = ["address", "network"]
    if book is not None:
        head.append("name")
    if is_repeated:
        head.append("count")
    rows = []
    for found, count in counts.items():
        row = [str(found), str(found.network_id)]
        if book is not None:
            row.append(inline(book.name_of(found.network_id)))
        if is_repeated:
            row.append(str(count))
        rows.append(tuple(row))
    yield from table(rows, tuple(head))
    networks = list(dict.fromkeys(found.network_id for found in counts))
    compared = [network_id for network_id in networks if not is_service(network_id, book)]
    if len(compared) == 1 and len(networks) > 1:
        yield paragraph(NOT_KNOWN)
    else:
        yield paragraph(_in_words(networks))
    yield from describe_services(networks, book)
    yield from _steps_for_several(counts, line, own, book)


def _steps_for_several(
    counts: Iterable[Found], line: Line, own: Address | None, book: Book | None
) -> Iterator[str]:
    """Yield the commands for the names in a text, or for the two ends of a connection."""
    services = [found for found in counts if is_service(found.network_id, book)]
    if services:
        about_names = list(_steps_for_names(line, own))
        yield from about_names
        if about_names:
            return
    match list(counts):
        case [Address() as first, Address() as second]:
            source = first
            target = second
            if line.source == second and line.target == first:
                source = second
                target = first
            port = None
            if line.target == target:
                port = line.port
            if not services and source.network_id != target.network_id:
                yield from _command("next", f"fdaa reach {source} {target}")
                return
            if target in services:
                yield from _command(_where(own), _probe(target, port))
            elif own in (source, target):
                yield from _steps_on_one_network(source, target, port, own)


def _steps_on_one_network(
    source: Address, target: Address, port: int | None, own: Address | None
) -> Iterator[str]:
    peer = target
    if target == own:
        peer = source
    yield from _command("next", f"fdaa whois {peer}")
    where = ""
    if source != own:
        where = "at the source"
    yield from _command(where, _probe(target, port))


def _in_words(networks: list[NetworkID]) -> str:
    if len(networks) == 1:
        return "same network"
    shown = ", ".join(map(str, networks[:_NETWORKS_SHOWN]))
    more = len(networks) - _NETWORKS_SHOWN
    if more > 0:
        shown += f" and {more:,} more"
    return f"{len(networks):,} different networks: {shown}"


# --- the bits and the parts -----------------------------------------------------------------------


def draws_pictures() -> bool:
    """Whether to draw the bits of an address where no option says so: on a terminal.

    A screen reader would read the lines aloud; TERM=dumb and ACCESSIBLE are set for one.
    """
    if os.environ.get("TERM") == "dumb" or os.environ.get("ACCESSIBLE"):
        return False
    return sys.stdout.isatty()


def describe(found: Found, book: Book | None) -> str:
    """Return the bits of an address and its parts; the parts of a network."""
    if isinstance(found, Address):
        return f"{found}\n" + parts(found, book)
    return "".join(_of_network(found, book))


def parts(address: Address, book: Book | None) -> str:
    """Return the bits of an address, and its parts."""
    lines = [_picture(address)]
    lines += _parts_of_network(address.network_id, book)
    lines += _row("exploded", address.exploded)
    lines += _row("reverse pointer", address.reverse_pointer)
    return "".join(lines)


def _parts_of_network(network_id: NetworkID, book: Book | None) -> Iterator[str]:
    if book is not None:
        name = book.name_of(network_id)
        shown = "not in the book"
        if name is not None:
            shown = inline(name)
        yield from _row("network name", shown)
    yield from _row("network ID", f"{network_id}  {network_id:#x}  {network_id:d}")
    yield from _row("prefix", str(network_id.prefix))


_PICTURE = """\
  ┌──────────┬──────────────┬────────────────────────────┐
  │   {}   │  {}   │  {}  │
  └──────────┴──────────────┴────────────────────────────┘
     fixed      network ID               rest
    16 bits      32 bits               80 bits
"""
_IN_ASCII = str.maketrans("┌┬┐└┴┘─│", "++++++-|")


def _picture(address: Address) -> str:
    """Draw the bits; the parts of the exploded text always have these widths."""
    digits = address.exploded
    fixed = digits[:4]
    network_id = digits[5:14]
    rest = digits[15:]
    if uses_colour():
        fixed = click.style(fixed, dim=True)
        network_id = click.style(network_id, fg="cyan", bold=True)
        rest = click.style(rest, dim=True)
    picture = _PICTURE.format(fixed, network_id, rest)
    try:
        picture.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return picture.translate(_IN_ASCII)
    return picture


# --- lines ----------------------------------------------------------------------------------------


def _row(name: str, value: str) -> Iterator[str]:
    """Yield a name and its value; on a narrow terminal, the value is below its name."""
    line = f"  {name:16} {value}"
    if len(line) <= width():
        yield f"{line}\n"
        return
    yield f"  {name}\n"
    yield paragraph(value, "    ")


def _command(name: str, command: str) -> Iterator[str]:
    """Yield a command; on a narrow terminal, it continues after a backslash."""
    in_column = f"  {name:16} {command}"
    if len(in_column) <= width():
        yield f"{in_column}\n"
        return
    beside = f"  {name}  {command}"
    if name and len(beside) <= width():
        yield f"{beside}\n"
        return
    if name:
        yield f"  {name}\n"
    if len(command) + 4 > width():
        command = " \\\n      ".join(command.rsplit(" ", 1))
    yield f"    {command}\n"
