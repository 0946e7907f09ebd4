"""What to do next, as data: which command, for what, and where; and which of them a line needs."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from fdaa._values.address import Address
from fdaa._values.hosts import Host
from fdaa.lines import Evidence, Line, Named, Phase
from fdaa.probe import AnyAddress


class Where(StrEnum):
    """The computer on which a step makes sense."""

    HERE = "here"
    MACHINE = "machine"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class WhoisStep:
    """Find the Machine and the app of an address: `fdaa.networks.find_holder`.

    Args:
        address: the address.
    """

    where: ClassVar[Where] = Where.HERE
    address: Address

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "whois", "address": str(self.address), "where": self.where.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachStep:
    """Find out whether a source can reach a target: `fdaa.networks.reach`.

    Args:
        source: the source; None for this Machine.
        target: the target.
        where: on which computer.
    """

    source: Address | None
    target: Address | Host
    where: Where = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        source = str(self.source) if self.source is not None else None
        return {
            "kind": "reach",
            "source": source,
            "target": str(self.target),
            "where": self.where.value,
        }


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """Try a connection: `fdaa.probe.probe`.

    Args:
        target: the address or the host.
        port: the port; None if it is not known.
        timeout: the seconds to wait for a response; None for as long as usual.
        where: on which computer.
    """

    target: AnyAddress | Host
    _: KW_ONLY
    port: int | None
    timeout: float | None = None
    where: Where = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        target = self.target.name if isinstance(self.target, Host) else str(self.target)
        return {
            "kind": "probe",
            "target": target,
            "port": self.port,
            "timeout": self.timeout,
            "where": self.where.value,
        }


@dataclass(frozen=True, slots=True)
class VerifyStep:
    """Look into an identity token, and check it: `fdaa.platform.Verifier`."""

    where: ClassVar[Where] = Where.HERE  # or any computer that has the token

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "verify", "where": self.where.value}


@dataclass(frozen=True, slots=True)
class AllocationsStep:
    """Check which network each cross-network address serves: `fdaa.networks.check_allocations`."""

    where: ClassVar[Where] = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "allocations", "where": self.where.value}


NextStep: TypeAlias = WhoisStep | ReachStep | ProbeStep | VerifyStep | AllocationsStep


# --- which come next ------------------------------------------------------------------------------


# The phases and the evidence in which no packet arrived at the target.
_NOT_SENT_IN = (Phase.ADDRESS, Phase.HERE)
_NOT_SENT = (
    Evidence.NO_ROUTE,
    Evidence.NO_SOURCE_ADDRESS,
    Evidence.FAMILY_NOT_SUPPORTED,
    Evidence.PERMISSION_DENIED,
)


def is_before_sending(line: Line) -> bool:
    """Return whether the source did not send, so neither a network nor a holder is the cause."""
    words = line.words
    return words is not None and (words.phase in _NOT_SENT_IN or words.evidence in _NOT_SENT)


def next_steps(line: Line) -> Iterator[NextStep]:
    """Yield what to do next about a line."""
    if line.outside is not None:  # networks say nothing about the connection
        for found in line.found:
            if isinstance(found, Address) and found.network_id not in line.services:
                yield WhoisStep(found)
        return
    is_about_names = not line.found
    for found in line.found:
        if found.network_id in line.services:
            is_about_names = True
    if line.apps and is_about_names:
        yield from _for_apps(line, _where(line))
    elif len(line.ends) == 2 and line.source is not None and line.target is not None:
        yield from _for_two_ends(line, line.source, line.target)
    elif len(line.ends) == 1 and isinstance(line.ends[0], Address):
        yield from _for_address(line, line.ends[0])
    elif len(line.found) == 1 and isinstance(line.found[0], Address) and not line.clients:
        yield from _for_address(line, line.found[0])


def _where(line: Line) -> Where:
    """Return where a command has to run that needs a Machine."""
    if line.own is None:
        return Where.MACHINE
    return Where.HERE


def _for_apps(line: Line, where: Where) -> Iterator[NextStep]:
    for host in line.apps:
        yield ProbeStep(host, port=host.port, where=where)
        yield ReachStep(source=None, target=host, where=where)


def _for_two_ends(line: Line, source: Named, target: Named) -> Iterator[NextStep]:
    """Yield the steps for two ends; whether one reaches the other, the verdict has said."""
    if isinstance(target, Host) and source == line.own:
        yield WhoisStep(line.own)
        yield from _for_apps(line, Where.HERE)
    if not isinstance(target, Address):
        return
    if target.network_id in line.services:
        yield ProbeStep(target, port=line.port, where=_where(line))
    elif isinstance(source, Address) and source.network_id == target.network_id:
        peer = source if target == line.own else target
        yield WhoisStep(peer)
        where = Where.HERE if source == line.own else Where.SOURCE
        yield ProbeStep(target, port=line.port, where=where)


def _for_address(line: Line, address: Address) -> Iterator[NextStep]:
    """Yield the steps for the only end of a line, or for the only address among several names."""
    port = line.port if line.target == address else None
    only_reports = not line.ends  # an error: the destination is another address
    if address.network_id in line.services:
        if not only_reports:
            yield ProbeStep(address, port=port, where=_where(line))
        return
    yield WhoisStep(address)
    if only_reports:
        return
    if is_before_sending(line):
        where = Where.SOURCE if line.own is None else Where.HERE
        yield ProbeStep(address, port=port, where=where)
    elif line.own is None:
        yield ReachStep(source=None, target=address, where=Where.MACHINE)
        yield ProbeStep(address, port=port, where=Where.MACHINE)
    elif line.own == address:
        yield from _for_apps(line, Where.HERE)
    elif line.own.network_id == address.network_id:
        yield ProbeStep(address, port=port)
