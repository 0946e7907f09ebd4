"""What can be said about a line without a verdict."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import dataclass

from fdaa import _bits
from fdaa._address import Address, NetworkID
from fdaa._escapes import inline, quote
from fdaa._hosts import Host
from fdaa._membership import is_service
from fdaa.explain._steps import Step, next_steps
from fdaa.explain._symptoms import Symptom, find_symptom
from fdaa.lines import CutOff, End, Found, Line, PortOrGroup
from fdaa.networks import NetworkMap

# Platform rules, "network-id-0".
_SERVICE = "assumed: the platform's services"
ABOUT_SERVICES = (
    "Network ID 0 is assumed to belong to the platform's services (fdaa::3 is the resolver). No "
    "rule says which networks can reach them."
)
_NETWORKS_SHOWN = 10
_ENDS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """What can be said about a line without a verdict; the fields are those of `Answer`."""

    symptom: Symptom | None
    next: tuple[Step, ...]
    title: str
    rows: tuple[tuple[str, str], ...]
    table: tuple[tuple[str, ...], ...]
    conclusion: tuple[str, ...]


def first_answer(line: Line, networks: NetworkMap | None = None) -> FirstAnswer:
    """Return what can be said about a line without a verdict.

    Args:
        line: what `fdaa.lines.read_line` returned.
        networks: the joined documents and book, or None.
    """
    names = _Names(networks)
    symptom = find_symptom(line.text)
    services = {found.network_id for found in line.found if names.is_service(found.network_id)}
    title = ""
    rows: list[tuple[str, str]] = []
    table: list[tuple[str, ...]] = []
    conclusion: list[str] = []
    match line.found:
        case ():
            title = f"{quote(line.text)}: no private address in this text"
        case (only,):
            title = _title(only)
            rows.extend(_rows(only, line, names))
        case _:
            table.extend(names.row(found) for found in line.found)
            conclusion.extend(_compare(line, names))
    rows.extend(_about_line(line, symptom))
    return FirstAnswer(
        symptom=symptom,
        next=tuple(next_steps(line, services)),
        title=title,
        rows=tuple(rows),
        table=tuple(table),
        conclusion=tuple(conclusion),
    )


def text_of(end: End | None) -> str | None:
    """Return an end of a line as text: a network by its /48, a host by its name."""
    if end is None:
        return None
    if isinstance(end, Host):
        return end.name
    if isinstance(end, CutOff):
        return str(end.network_id.prefix)
    return str(end)


def about_outside(outside: Host) -> str:
    """Return why networks say nothing about a connection, one end of which is not private.

    Args:
        outside: `Line.outside`.
    """
    return f"{outside.name} is not a private address, so networks say nothing about the connection"


class _Names:
    """The names of networks, if documents or a book are given."""

    def __init__(self, networks: NetworkMap | None) -> None:
        self.networks = networks

    def name_of(self, network_id: NetworkID) -> str | None:
        if self.networks is None:
            return None
        network = self.networks.by_id(network_id)
        if network is None or network.name is None:
            return None
        return str(network.name)

    def is_service(self, network_id: NetworkID) -> bool:
        """Return whether a network ID is assumed to belong to the platform's services."""
        return is_service(network_id, self.name_of(network_id))

    def describe(self, network_id: NetworkID) -> str:
        """Return what a network is called: its ID, and its name if it is known."""
        if self.is_service(network_id):
            return f"{network_id} ({_SERVICE})"
        if self.networks is None:
            return str(network_id)
        name = self.name_of(network_id)
        if name is None:
            return f"{network_id} (name unknown)"
        return f"{inline(name)} ({network_id})"

    def row(self, found: Found) -> tuple[str, ...]:
        if self.networks is None:
            return str(found), str(found.network_id)
        return str(found), str(found.network_id), inline(self.name_of(found.network_id))


# --- one address or network -----------------------------------------------------------------------


def _title(found: Found) -> str:
    if isinstance(found, Address):
        return str(found)
    prefix = found.network_id.prefix
    if isinstance(found, CutOff):
        return f"{prefix} is the network of an address that is cut off"
    if found.length == _bits.NETWORK_PREFIX_LENGTH:
        return f"{prefix} is a network, not an address"
    return f"{found} is part of a network, not an address"


def _rows(found: Found, line: Line, names: _Names) -> Iterator[tuple[str, str]]:
    network_id = found.network_id
    if isinstance(found, Address):
        yield "network", names.describe(network_id)
    else:
        yield from rows_of_network(network_id, names.networks)
    if line.own is not None and not names.is_service(network_id):
        yield "this Machine", _compared(found, line.own, names)
    if isinstance(found, Address):
        yield from _ports(found, line)


def rows_of_network(
    network_id: NetworkID, networks: NetworkMap | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the forms of a network ID, and the name of its network, each with what it is.

    Args:
        network_id: the network ID.
        networks: the joined documents and book, or None.

    >>> from fdaa import NetworkID
    >>> dict(rows_of_network(NetworkID("2:45b")))["prefix"]
    'fdaa:2:45b::/48'
    """
    if networks is not None:
        name = _Names(networks).name_of(network_id)
        shown = "unknown"
        if name is not None:
            shown = inline(name)
        yield "network name", shown
    yield "network ID", f"{network_id}  {network_id:#x}  {network_id:d}"
    yield "prefix", str(network_id.prefix)


def _compared(found: Found, own: Address, names: _Names) -> str:
    if found == own:
        return "this is its address"
    if found.network_id == own.network_id:
        return f"on the same network ({own})"
    return f"on another network, {names.describe(own.network_id)}"


def _ports(address: Address, line: Line) -> Iterator[tuple[str, str]]:
    """Yield what may be read in two ways: a last group, and a port that may be a client's."""
    is_tried = line.own is None or (
        line.own != address and line.own.network_id == address.network_id
    )
    for either in line.remarks:
        if either.longer == address and len(either.digits) >= len("22"):
            yield "a port?", _instead(either)
    if is_tried and line.target == address and line.may_be_clients:
        yield "a client's port?", f"systems give {line.port} to clients, too"


def _instead(either: PortOrGroup) -> str:
    instead = f"if {either.digits} is one, the address is {either.shorter}"
    if either.shorter.network_id != either.longer.network_id:
        instead += f", on network {either.shorter.network_id}"
    return instead


# --- several addresses and networks ---------------------------------------------------------------


def _compare(line: Line, names: _Names) -> Iterator[str]:
    networks = list(dict.fromkeys(found.network_id for found in line.found))
    if len(networks) == 1:
        yield "same network"
        return
    shown = ", ".join(map(str, networks[:_NETWORKS_SHOWN]))
    more = len(networks) - _NETWORKS_SHOWN
    if more > 0:
        shown += f" and {more:,} more"
    yield f"{len(networks):,} different networks: {shown}"
    if any(map(names.is_service, networks)):
        yield ABOUT_SERVICES


# --- the line itself ------------------------------------------------------------------------------


def _about_line(line: Line, symptom: Symptom | None) -> Iterator[tuple[str, str]]:
    """Yield that a line has more than two ends, and what its words mean."""
    if line.text and line.found and len(line.ends) > 2:
        ends = ", ".join(str(text_of(end)) for end in line.ends[:_ENDS_SHOWN])
        yield f"{len(line.ends)} ends", f"{ends}; a connection has two"
    if line.outside is not None:
        yield "the other end", about_outside(line.outside)
    if symptom is None:
        return
    if symptom.fits_two_networks and _has_two_networks(line):
        if len(line.found) == 1:  # of several, the comparison says it
            yield "symptom", f"{symptom.name}, as is usual between two networks"
        return
    yield "symptom", symptom.name
    if line.outside is not None:
        return
    if line.found and (line.target is None or _is_of_service(line.target, line)):
        return
    yield "not the cause", symptom.excludes
    yield "first", symptom.first


def _has_two_networks(line: Line) -> bool:
    """Return whether the source and the target of a line are on different networks."""
    source = line.source
    target = line.target
    if source is None or target is None or isinstance(source, Host) or isinstance(target, Host):
        return False
    if _is_of_service(source, line) or _is_of_service(target, line):
        return False
    return source.network_id != target.network_id


def _is_of_service(end: End, line: Line) -> bool:
    """Return whether an end is assumed to be a service of the platform, and so no Machine."""
    return not isinstance(end, Host) and end.network_id in line.services
