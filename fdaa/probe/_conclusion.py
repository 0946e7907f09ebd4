"""What follows from the evidence: whether the port is open, and what else is known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from ipaddress import IPv6Address
from typing import TypeAlias

from fdaa._values.address import Address
from fdaa.lines import Circumstance, Evidence
from fdaa.probe._check import Check
from fdaa.probe._observations import Connection, Lookup
from fdaa.probe._own_address import ThisComputer, have_other_networks
from fdaa.probe._target import AnyAddress, Target

Checks: TypeAlias = Mapping[Lookup | Connection, tuple[Check, ...]]

_HANDSHAKE = (Evidence.OPEN, Evidence.RESET)

# A response came back from an address, and it is a no.
_NEGATIVE = {
    Evidence.RESET,
    Evidence.REFUSED,
    Evidence.PORT_UNREACHABLE,
    Evidence.PROHIBITED,
    Evidence.NO_ROUTE_REPORTED,
    Evidence.ADDRESS_UNREACHABLE,
    Evidence.UNREACHABLE,
    Evidence.HOP_LIMIT_EXCEEDED,
}

# This system sent nothing, so nothing is known of the address.
_NOTHING_SENT = {
    Evidence.NO_ROUTE,
    Evidence.NO_SOURCE_ADDRESS,
    Evidence.NO_FREE_PORT,
    Evidence.NOT_PERMITTED,
    Evidence.NOT_TRIED,
    Evidence.ROUTED,
}

# Seconds; a response from the other side of the world takes about 0.3.
_SHORT = 0.5


@dataclass(frozen=True, slots=True)
class Observation:
    """One kind of evidence, and what else is known beside it.

    Args:
        evidence: what was seen.
        addresses: of which addresses; none for a lookup.
        circumstances: what else is known: it leaves causes out, or changes their order.
        reported_by: the sender of the ICMPv6 message, or None.
        source: the address that the system connected from, or None.
        is_here: whether this computer itself has the addresses.
        checks: what was read on this computer.
    """

    evidence: Evidence
    _: KW_ONLY
    addresses: tuple[AnyAddress, ...]
    circumstances: frozenset[Circumstance] = frozenset()
    reported_by: AnyAddress | None = None
    source: AnyAddress | None = None
    is_here: bool = False
    checks: tuple[Check, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "evidence": self.evidence.value,
            "addresses": [str(address) for address in self.addresses],
            "checked": [check.to_dict() for check in self.checks],
        }


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion from the steps before it, for one target.

    Args:
        target: the target.
        lookup: the last lookup of the target's name; None for an address.
        connections: the connections to its addresses.
        is_open: whether the port is open at each address that was tried. False if it is open at
            some of them only, as many programs try only the first address; or if each of them
            responded that it is not open. None where that is not known: without an address, or
            where nothing could be sent to one.
        observations: the evidence that is not an open port.
        of_rounds: the conclusions of the rounds, if there are several.
    """

    target: Target
    _: KW_ONLY
    lookup: Lookup | None
    connections: tuple[Connection, ...]
    is_open: bool | None
    observations: tuple[Observation, ...]
    of_rounds: tuple["Conclusion", ...] = ()

    @property
    def tried(self) -> tuple[AnyAddress, ...]:
        """The addresses that were tried, each once."""
        return tuple(dict.fromkeys(connection.address for connection in self.connections))

    @property
    def opened(self) -> tuple[AnyAddress, ...]:
        """The addresses at which the port was open each time."""
        failed = set()
        for connection in self.connections:
            if connection.evidence is not Evidence.OPEN:
                failed.add(connection.address)
        return tuple(address for address in self.tried if address not in failed)

    @property
    def untried(self) -> int:
        """The number of addresses that were found and not tried."""
        if self.lookup is None:
            return 0
        return max(0, len(self.lookup.addresses) - len(self.tried))

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return max(1, len(self.of_rounds))

    @property
    def counts(self) -> dict[Evidence, int]:
        """How often each kind of evidence was seen: of connections, or of a lookup without any."""
        counts: Counter[Evidence] = Counter()
        for conclusion in self.of_rounds or (self,):
            counts.update(connection.evidence for connection in conclusion.connections)
            if conclusion.lookup is not None and not conclusion.connections:
                counts[conclusion.lookup.evidence] += 1
        return dict(counts)

    def to_dict(self) -> dict[str, object]:
        """Return the target, the result and the observations as a dictionary for `json.dumps`."""
        return {
            "kind": "conclusion",
            "target": self.target.text,
            "open": self.is_open,
            "opened": [str(address) for address in self.opened],
            "rounds": self.rounds,
            "counts": {evidence.value: count for evidence, count in self.counts.items()},
            "observations": [observation.to_dict() for observation in self.observations],
        }


def conclude(
    target: Target,
    own: ThisComputer,
    lookups: list[Lookup],
    connections: list[Connection],
    checks: Checks,
) -> Conclusion:
    """Return the conclusion for one target, from what was seen of all targets.

    Args:
        target: the target.
        own: the own address.
        lookups: all lookups.
        connections: all connections.
        checks: what was read on this computer, for each of them that is not open.
    """
    lookup = None
    for candidate in lookups:
        if candidate.host == target.host:
            lookup = candidate
    made = tuple(connection for connection in connections if connection.target == target)
    observations = []
    if lookup is not None and not lookup.addresses:
        observations.append(_of_lookup(target, own, lookup, checks[lookup]))
    opened: set[AnyAddress] = set()
    for connection in connections:
        if connection.evidence in _HANDSHAKE:
            opened.add(connection.address)
    observations.extend(_of_connections(own, made, opened, checks))
    is_open = _is_open(lookup, made)
    return Conclusion(
        target, lookup=lookup, connections=made, is_open=is_open, observations=tuple(observations)
    )


def _is_open(lookup: Lookup | None, made: tuple[Connection, ...]) -> bool | None:
    others = [connection for connection in made if connection.evidence is not Evidence.OPEN]
    if made and not others:
        return True
    for connection in others:
        if connection.evidence in _NOTHING_SENT or connection.is_own_report:
            return None
    if len(others) < len(made):
        return False  # it is open at some addresses only
    if lookup is not None and len(made) < max(1, len(lookup.addresses)):
        return None  # no address was found, or one was not tried
    if all(connection.evidence in _NEGATIVE for connection in others):
        return False
    return None


def conclude_rounds(rounds: Sequence[Conclusion]) -> Conclusion:
    """Return one conclusion for all rounds of a target.

    Each kind of evidence of an address is there once, with what was known the last time. Where a
    connection to the same address was open in another round, that is known, too.

    Args:
        rounds: the conclusions of the rounds, one at least, in order.

    Raises:
        ValueError: there is none, or they are of several targets.
    """
    if len({conclusion.target for conclusion in rounds}) != 1:
        raise ValueError("expected the conclusions of one target")
    last = rounds[-1]
    if len(rounds) == 1:
        return last
    connections: list[Connection] = []
    for conclusion in rounds:
        connections.extend(conclusion.connections)
    return Conclusion(
        last.target,
        lookup=last.lookup,
        connections=tuple(connections),
        is_open=_is_open_each_time(rounds),
        observations=tuple(_of_rounds(rounds, connections)),
        of_rounds=tuple(rounds),
    )


def _is_open_each_time(rounds: Sequence[Conclusion]) -> bool | None:
    results = {conclusion.is_open for conclusion in rounds}
    if results == {True}:
        return True
    if False in results:
        return False
    if True in results:
        for conclusion in rounds:
            if Evidence.TIMED_OUT in conclusion.counts:
                return False  # it is open at times only
    return None


def _of_rounds(rounds: Sequence[Conclusion], connections: list[Connection]) -> list[Observation]:
    """Return an observation for each group of addresses of which the same is known."""
    opened: set[AnyAddress | None] = set()
    completed: set[AnyAddress | None] = set()  # the handshake
    for connection in connections:
        if connection.evidence is Evidence.OPEN:
            opened.add(connection.address)
        if connection.evidence in _HANDSHAKE:
            completed.add(connection.address)
    if completed:
        completed.add(None)  # the name had a right address
    latest: dict[tuple[Evidence, AnyAddress | None], Observation] = {}
    for conclusion in rounds:
        for observation in conclusion.observations:
            for address in observation.addresses or (None,):
                latest[observation.evidence, address] = observation
    groups: dict[Observation, list[AnyAddress]] = {}
    for (evidence, address), observation in latest.items():
        circumstances = set(observation.circumstances)
        others = opened if evidence is Evidence.RESET else completed
        if address in others:
            circumstances.add(Circumstance.OPEN_IN_ANOTHER_ROUND)
        alike = replace(observation, addresses=(), circumstances=frozenset(circumstances))
        group = groups.setdefault(alike, [])
        if address is not None:
            group.append(address)
    return [replace(alike, addresses=tuple(group)) for alike, group in groups.items()]


def _of_lookup(
    target: Target, own: ThisComputer, lookup: Lookup, checks: tuple[Check, ...]
) -> Observation:
    circumstances = {check.found for check in checks}
    if target.is_internal:
        circumstances.add(Circumstance.INTERNAL_NAME)
        if own.on_interface is None:
            circumstances.add(Circumstance.NO_PRIVATE_ADDRESS)
    if own.unusable is not None:
        circumstances.add(Circumstance.OWN_ADDRESS_NOT_USED)
    if lookup.seconds < _SHORT:
        circumstances.add(Circumstance.SHORT_WAIT)
    return Observation(
        lookup.evidence, addresses=(), circumstances=frozenset(circumstances), checks=checks
    )


def _of_connections(
    own: ThisComputer, made: tuple[Connection, ...], opened: set[AnyAddress], checks: Checks
) -> list[Observation]:
    """Return an observation for each group of addresses of which the same is known."""
    groups: dict[Observation, list[AnyAddress]] = {}
    is_open_somewhere = any(connection.evidence is Evidence.OPEN for connection in made)
    for connection in made:
        if connection.evidence is not Evidence.OPEN:
            circumstances = _circumstances(connection, own, opened)
            if is_open_somewhere:
                circumstances.add(Circumstance.OPEN_AT_ANOTHER_ADDRESS)
            circumstances.update(check.found for check in checks[connection])
            alike = Observation(
                connection.evidence,
                addresses=(),
                circumstances=frozenset(circumstances),
                reported_by=connection.reported_by,
                source=connection.source,
                is_here=connection.is_here,
                checks=checks[connection],
            )
            groups.setdefault(alike, []).append(connection.address)
    return [replace(alike, addresses=tuple(group)) for alike, group in groups.items()]


def _circumstances(
    connection: Connection, own: ThisComputer, opened: set[AnyAddress]
) -> set[Circumstance]:
    """Return what else is known about an address.

    Args:
        connection: what was seen of it.
        own: the own address.
        opened: the addresses with an open port.
    """
    target = connection.target
    address = connection.address
    found = _of_the_source(connection, own)
    if target.host is None:
        if isinstance(address, Address):
            found.add(Circumstance.GIVEN_ADDRESS)
    elif isinstance(address, Address):
        found.add(Circumstance.FOUND_ADDRESS)
    elif _is_expected_private(target, address):
        found.add(Circumstance.NOT_PRIVATE)
    if target.is_internal:
        found.add(Circumstance.INTERNAL_NAME)
    if target.with_brackets is not None:
        found.add(Circumstance.PORT_WITHOUT_BRACKETS)
    if connection.evidence is Evidence.TIMED_OUT and connection.seconds < _SHORT:
        found.add(Circumstance.SHORT_WAIT)
    if connection.is_here:
        found.add(Circumstance.THIS_COMPUTER)
    if address in opened:
        found.add(Circumstance.OPEN_ON_ANOTHER_PORT)
    if connection.reported_by == address:
        found.add(Circumstance.REPORTED_BY_TARGET)
    elif connection.is_own_report:
        found.add(Circumstance.REPORTED_HERE)
    elif connection.reported_by is not None:
        found.add(Circumstance.REPORTED_ON_THE_WAY)
    return found


def _of_the_source(connection: Connection, own: ThisComputer) -> set[Circumstance]:
    """Return what is known about the address that a private one is connected from."""
    found: set[Circumstance] = set()
    if not isinstance(connection.address, Address):
        return found
    source: AnyAddress | None = connection.source
    if not isinstance(source, Address):
        source = own.on_interface
        if own.on_interface is None:
            found.add(Circumstance.NO_PRIVATE_ADDRESS)
        else:
            found.add(Circumstance.OWN_ADDRESS_NOT_USED)
    if have_other_networks(source, connection.address):
        found.add(Circumstance.IDS_DIFFER)
    return found


def _is_expected_private(target: Target, address: IPv6Address) -> bool:
    """Return whether a name should have a private address in place of this one.

    That of `localhost` is a loopback address (RFC 6761, section 6.3), and a name outside .internal
    may have a public one.
    """
    if target.is_internal:
        return True
    return target.host != "localhost" and not address.is_global
