"""What to do next, as data: which command, for what, and where; and which of them a line needs."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from enum import StrEnum
from ipaddress import IPv6Address
from typing import ClassVar, TypeAlias

from fdaa._values.address import Address
from fdaa._values.hosts import Host
from fdaa.explain._about import has_unknown_words
from fdaa.lines import Line, Phase, Tried
from fdaa.networks import Holder, NetworkMap, Verdict


class Where(StrEnum):
    """The computer on which a step makes sense."""

    HERE = "here"
    MACHINE = "machine"
    SOURCE = "source"


class _Step:
    """A step, as its command is called."""

    __slots__ = ()
    kind: ClassVar[str]

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        found: dict[str, object] = {"kind": self.kind}
        for field in fields(self):  # type: ignore[arg-type]  # each step is a dataclass
            value = getattr(self, field.name)
            if isinstance(value, Host):
                value = value.name
            elif value is not None and not isinstance(value, int):
                value = str(value)
            found[field.name] = value
        return found


@dataclass(frozen=True, slots=True)
class DecodeStep(_Step):
    """Find the Machine and the app of an address: `fdaa.networks.find_holder`.

    Args:
        address: the address.
        where: on which computer.
    """

    kind = "decode"
    address: Address
    _: KW_ONLY
    where: Where = Where.HERE


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachStep(_Step):
    """Find out whether a source can reach a target: `fdaa.networks.reach`.

    Args:
        source: the source; None for this Machine.
        target: the target.
        where: on which computer.
    """

    kind = "reach"
    source: Address | Host | None
    target: Address | Host
    where: Where = Where.HERE


@dataclass(frozen=True, slots=True)
class ProbeStep(_Step):
    """Try a connection: `fdaa.probe.probe`.

    Args:
        target: the address or the host.
        port: the port; None if it is not known.
        where: on which computer.
    """

    kind = "probe"
    target: Address | IPv6Address | Host
    _: KW_ONLY
    port: int | None
    where: Where = Where.HERE


NextStep: TypeAlias = DecodeStep | ReachStep | ProbeStep


# --- which come next ------------------------------------------------------------------------------

_MOST_TARGETS = 3
_NO_NEW_CONNECTION = (Phase.ADDRESS, Phase.HERE)  # the program has to be changed first


def next_steps(
    line: Line,
    verdicts: Sequence[Verdict],
    holders: Mapping[Address, Holder],
    networks: NetworkMap | None,
) -> Iterator[NextStep]:
    """Yield what to do next about a line, but nothing that the answer has stated.

    Who has an address, and the network of a name, are in documents alone, so no step looks them up
    without any.

    Args:
        line: the line.
        verdicts: whether its source can reach its targets.
        holders: who has its addresses.
        networks: the documents; None if there are none.
    """
    was_open = line.phase is not None and line.phase.was_open
    if line.phase in _NO_NEW_CONNECTION or line.corrected is not None:
        return
    held = {address for address, holder in holders.items() if holder.app is not None}
    by_target = {verdict.target: verdict for verdict in verdicts}
    where = _where(line)
    for tried in _to_try(line):
        end = tried.end
        peer = end
        if end == line.own and line.source is not None:
            peer = line.source
        is_services = isinstance(peer, Address) and peer.network_id in line.services
        if isinstance(peer, Address) and not is_services and networks and peer not in held:
            yield DecodeStep(peer)
        if not isinstance(end, Address | Host) or end == line.source:
            continue
        if was_open or (tried.phase is not None and tried.phase.was_open):
            continue
        if line.outside is not None or not line.ends or (end == line.own and peer == end):
            continue
        # Of a name, only documents show the network.
        has_network = isinstance(end, Address) or (networks and end.app in networks.apps)
        if where is Where.MACHINE and not is_services and has_network:
            yield ReachStep(source=None, target=end, where=where)
        verdict = by_target.get(end)
        is_denied = verdict is not None and verdict.reachable is False
        has_ways = verdict is not None and verdict.ways and tried.phase is not Phase.REFUSED
        if has_ways and isinstance(line.source, Address | Host):
            yield ReachStep(source=line.source, target=end)  # it has the ways around in full
        if is_denied and line.phase is not Phase.NOT_SENT and not has_unknown_words(line):
            continue
        if verdict is not None and verdict.via and isinstance(end, Host):
            end = verdict.via[0]
        yield ProbeStep(end, port=tried.port, where=where)


def _where(line: Line) -> Where:
    """Return the computer on which a step about a line makes sense."""
    if line.source != line.own or (line.own is None and line.phase is Phase.NOT_SENT):
        return Where.SOURCE
    if line.own is None:
        return Where.MACHINE
    return Where.HERE


def _to_try(line: Line) -> Sequence[Tried]:
    """Return the targets of a line; where networks say nothing, its first address."""
    if line.outside is None and line.ends:
        return line.targets[:_MOST_TARGETS]
    if line.clients:
        return ()
    return [Tried(found) for found in line.found[:1]]
