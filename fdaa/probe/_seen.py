"""What a probe sees, as data: lookups, connections, and facts that were read on this computer."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
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
        addresses: its IPv6 addresses.
        ipv4: its IPv4 addresses; they are not tried.
        seconds: how long it took.
        error: the error message, or None.
    """

    host: str
    _: KW_ONLY
    addresses: "tuple[AnyAddress, ...]" = ()
    ipv4: tuple[IPv4Address, ...] = ()
    seconds: float = 0.0
    error: str | None = None

    @property
    def phase(self) -> Phase | None:
        """How far it got: `Phase.LOOKUP` without an IPv6 address."""
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
        phase: how far it got; None if there is a route, and no port was given.
        seconds: how long it took.
        source: the address that the system connected from; None where nothing was sent.
        error: what an ICMPv6 message says, or the system's error message; None without an error.
        reported_by: who sent the ICMPv6 message; None where none came, or the system does not show
            it (only Linux does).
    """

    target: Target
    address: "AnyAddress"
    phase: Phase | None
    seconds: float
    source: "AnyAddress | None" = None
    error: str | None = None
    reported_by: "AnyAddress | None" = None

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
    def is_open(self) -> bool | None:
        """Whether the port is open; False if something responded that it is not."""
        if self.phase is Phase.CONNECTED:
            return True
        if self.phase in _NEGATIVE and not self.is_own_report:
            return False
        return None

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
        detail: more of it: a name, an address, a number, or a few words; else "".
        address: the address that it is about; None if it is about all.
    """

    kind: FactKind
    _: KW_ONLY
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
        lookups: the lookup of the target's name in each round; none for an address.
        connections: the connections to its addresses, of all rounds.
        facts: what was read on this computer.
        rounds: the number of rounds.
    """

    target: Target
    _: KW_ONLY
    lookups: tuple[Lookup, ...] = ()
    connections: tuple[Connection, ...] = ()
    facts: tuple[LocalFact, ...] = ()
    rounds: int = 1

    @property
    def unfound(self) -> Lookup | None:
        """The last lookup that found no IPv6 address, if there is one."""
        for lookup in reversed(self.lookups):
            if not lookup.addresses:
                return lookup
        return None

    @property
    def opened(self) -> tuple[AnyAddress, ...]:
        """The addresses at which the port was open each time."""
        failed = {each.address for each in self.connections if not each.is_open}
        opened = [each.address for each in self.connections if each.address not in failed]
        return tuple(dict.fromkeys(opened))

    @property
    def is_open(self) -> bool | None:
        """Whether the port is open at each address, each time.

        False if it is open at some of them or at times only, as many programs try one address; or
        if each of them responded that it is not open. None where that is not known.
        """
        results = {connection.is_open for connection in self.connections}
        if results == {True} and self.unfound is None:
            return True
        if results == {False} or (True in results and len(results) > 1):
            return False
        return None

    @property
    def phases(self) -> dict[Phase | None, tuple[AnyAddress, ...]]:
        """The phases in which the probe ended, but for an open port, each with its addresses."""
        phases: dict[Phase | None, tuple[AnyAddress, ...]] = {}
        if self.unfound is not None:
            phases[Phase.LOOKUP] = ()
        for connection in self.connections:
            before = phases.get(connection.phase, ())
            if not connection.is_open and connection.address not in before:
                phases[connection.phase] = (*before, connection.address)
        return phases

    @property
    def counts(self) -> dict[Phase, int]:
        """How often each phase was seen, of connections and of lookups that failed."""
        steps: tuple[Lookup | Connection, ...] = (*self.connections, *self.lookups)
        return dict(Counter(step.phase for step in steps if step.phase is not None))

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
    lookups: list[Lookup] = []
    connections: list[Connection] = []
    for conclusion in rounds:
        lookups += conclusion.lookups
        connections += conclusion.connections
    return replace(
        rounds[-1],
        lookups=tuple(lookups),
        connections=tuple(connections),
        rounds=len(rounds),
    )
