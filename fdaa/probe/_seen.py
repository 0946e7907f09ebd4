"""What a probe sees, as data: lookups, connections, and facts that were read on this computer."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from ipaddress import IPv4Address, IPv6Address

from fdaa._values.address import Address
from fdaa._values.id_text import id_fields
from fdaa.lines import Phase
from fdaa.probe._fact_kinds import FactKind
from fdaa.probe._target import AnyAddress, Target


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the system's resolver returned for a name.

    Args:
        host: the name.
        addresses: its IPv6 addresses; connections are made to the first 64.
        ipv4: its IPv4 addresses; they are not tried.
        seconds: how long it took.
        error: the error message, or None.
    """

    host: str
    _: KW_ONLY
    addresses: tuple[AnyAddress, ...] = ()
    ipv4: tuple[IPv4Address, ...] = ()
    seconds: float = 0.0
    error: str | None = None

    @property
    def phase(self) -> Phase | None:
        """How far it came: `Phase.LOOKUP` without an IPv6 address."""
        return None if self.addresses else Phase.LOOKUP

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        phase = self.phase and self.phase.value
        addresses = list(map(_address_fields, self.addresses))
        return {"kind": "lookup", **_fields(self), "phase": phase, "addresses": addresses}


_NEGATIVE = (Phase.REFUSED, Phase.UNREACHABLE, Phase.RESPONDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What was seen of one address: a TCP connection; without a port, whether there is a route.

    Args:
        target: the target.
        address: the address.
        phase: how far it came; None if there is a route, and no port was given.
        seconds: how long it took.
        source: the address that the system connected from; None where nothing was sent.
        error: what an ICMPv6 message says, or the system's error message; None without an error.
        reported_by: who sent the ICMPv6 message; None where none came, or the system does not show
            it (only Linux does).
    """

    target: Target
    address: AnyAddress
    phase: Phase | None
    seconds: float
    source: AnyAddress | None = None
    error: str | None = None
    reported_by: AnyAddress | None = None

    @property
    def is_here(self) -> bool:
        """Whether this computer itself has the address."""
        is_loopback = isinstance(self.address, IPv6Address) and self.address.is_loopback
        return is_loopback or (self.source is not None and self.source == self.address)

    @property
    def was_open(self) -> bool:
        """Whether the handshake was completed."""
        return self.phase is not None and self.phase.was_open

    @property
    def is_own_report(self) -> bool:
        """Whether this computer itself sent the message, so nothing came back from the network."""
        return self.reported_by is not None and self.reported_by == self.source and not self.is_here

    @property
    def is_negative(self) -> bool:
        """Whether something responded, and the port is not open."""
        return self.phase in _NEGATIVE and not self.is_own_report

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        address = _address_fields(self.address)
        return {"kind": "connection", **_fields(self), **address, "target": self.target.text}


def _fields(value: object) -> dict[str, object]:
    """Return the fields of a dataclass for JSON, with addresses as text."""
    found: dict[str, object] = {}
    for field in fields(value):  # type: ignore[arg-type]
        part = getattr(value, field.name)
        if isinstance(part, tuple):
            part = [str(each) for each in part]
        elif part is not None and type(part) not in (str, int, float):
            part = str(part)
        found[field.name] = part
    return found


def _address_fields(address: AnyAddress) -> dict[str, object]:
    network_id = address.network_id if isinstance(address, Address) else None
    return {"address": str(address), **id_fields(network_id)}


@dataclass(frozen=True, slots=True)
class LocalFact:
    """Something that was read on this computer.

    Args:
        kind: what it shows.
        origin: where it was read.
        detail: the name, the address or the number that it is about; else "".
        address: the address that it is about; None if it is about all.
    """

    kind: FactKind
    _: KW_ONLY
    origin: str
    detail: str = ""
    address: AnyAddress | IPv4Address | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return _fields(self)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows from the steps before it, for one target.

    Args:
        target: the target.
        lookup: the last lookup of the target's name, or the last that found no IPv6 address; None
            for an address.
        connections: the connections to its addresses, of all rounds.
        facts: what was read on this computer.
        rounds: the number of rounds.
        unfound: the number of rounds, of several, in which the name had no IPv6 address.
    """

    target: Target
    _: KW_ONLY
    lookup: Lookup | None
    connections: tuple[Connection, ...]
    facts: tuple[LocalFact, ...] = ()
    rounds: int = 1
    unfound: int = 0

    @property
    def tried(self) -> tuple[AnyAddress, ...]:
        """The addresses that were tried, each once."""
        return tuple(dict.fromkeys(connection.address for connection in self.connections))

    @property
    def was_open(self) -> frozenset[AnyAddress]:
        """The addresses at which the handshake was completed once at least."""
        return frozenset(each.address for each in self.connections if each.was_open)

    @property
    def opened(self) -> tuple[AnyAddress, ...]:
        """The addresses at which the port was open each time."""
        failed = {each.address for each in self.connections if each.phase is not Phase.CONNECTED}
        return tuple(address for address in self.tried if address not in failed)

    @property
    def untried(self) -> int:
        """The number of addresses that were found and not tried."""
        if self.lookup is None:
            return 0
        return max(0, len(self.lookup.addresses) - len(self.tried))

    @property
    def is_open(self) -> bool | None:
        """Whether the port is open at each address, each time.

        False if it is open at some of them or at times only, as many programs try one address; or
        if each of them responded that it is not open. None where that is not known.
        """
        is_open = [connection.phase is Phase.CONNECTED for connection in self.connections]
        if all(is_open) and self.unfound:
            return None
        if any(is_open):
            return all(is_open) and not self.untried
        is_negative = [connection.is_negative for connection in self.connections]
        if is_negative and all(is_negative) and not self.untried:
            return False
        return None

    @property
    def phases(self) -> dict[Phase | None, list[Connection]]:
        """The connections that are not open, by their phase."""
        phases: dict[Phase | None, list[Connection]] = {}
        for connection in self.connections:
            if connection.phase is not Phase.CONNECTED:
                phases.setdefault(connection.phase, []).append(connection)
        return phases

    @property
    def counts(self) -> dict[Phase, int]:
        """How often each phase was seen: of connections, or of a lookup without any."""
        seen: list[Lookup | Connection] = list(self.connections)
        if self.lookup is not None:
            unfound = self.unfound if seen else self.rounds
            seen += [self.lookup] * unfound
        return dict(Counter(step.phase for step in seen if step.phase is not None))

    def to_dict(self) -> dict[str, object]:
        """Return the target, the result and the facts as a dictionary for `json.dumps`."""
        return {
            "kind": "conclusion",
            "target": self.target.text,
            "open": self.is_open,
            "opened": [str(address) for address in self.opened],
            "rounds": self.rounds,
            "counts": {phase.value: count for phase, count in self.counts.items()},
            "facts": [fact.to_dict() for fact in self.facts],
        }


def conclude_rounds(rounds: Sequence[Conclusion]) -> Conclusion:
    """Return one conclusion for all rounds of a target, with the facts of the last.

    Raises:
        ValueError: there is none, or they are of several targets.
    """
    if len({conclusion.target for conclusion in rounds}) != 1:
        raise ValueError("expected the conclusions of one target")
    last = rounds[-1]
    if len(rounds) == 1:
        return last
    lookup = last.lookup
    connections: list[Connection] = []
    unfound = 0
    for conclusion in rounds:
        connections += conclusion.connections
        if conclusion.lookup is not None and not conclusion.lookup.addresses:
            lookup = conclusion.lookup
            unfound += 1
    return Conclusion(
        last.target,
        lookup=lookup,
        connections=tuple(connections),
        facts=last.facts,
        rounds=len(rounds),
        unfound=unfound,
    )
