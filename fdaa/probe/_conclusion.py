"""What follows from the evidence: whether the port is open, and what else is known."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from typing import TypeAlias

from fdaa._address import Address
from fdaa.lines import Circumstance, Evidence
from fdaa.probe._check import Check
from fdaa.probe._evidence import Connection, Lookup
from fdaa.probe._own_address import OwnAddress, compare
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
        lookup: the lookup of the target's name; None for an address.
        connections: the connections to its addresses.
        is_open: whether the port is open at one of them at least. False if a response came back
            for each of them that says no; None where that is not known: without an address, or
            where one was not tried, too.
        observations: the evidence that is not an open port.
    """

    target: Target
    lookup: Lookup | None
    connections: tuple[Connection, ...]
    is_open: bool | None
    observations: tuple[Observation, ...]

    @property
    def untried(self) -> int:
        """The number of addresses that were found and not tried."""
        if self.lookup is None:
            return 0
        return len(self.lookup.addresses) - len(self.connections)

    def to_dict(self) -> dict[str, object]:
        """Return target, verdict and observations as a dictionary for `json.dumps`."""
        return {
            "kind": "conclusion",
            "target": self.target.text,
            "open": self.is_open,
            "observations": [observation.to_dict() for observation in self.observations],
        }


def conclude(
    target: Target,
    own: OwnAddress,
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
    return Conclusion(target, lookup, made, is_open, tuple(observations))


def _is_open(lookup: Lookup | None, made: tuple[Connection, ...]) -> bool | None:
    for connection in made:
        if connection.evidence is Evidence.OPEN:
            return True
    if lookup is not None and len(made) < max(1, len(lookup.addresses)):
        return None  # no address was found, or one was not tried
    for connection in made:
        if connection.evidence not in _NEGATIVE or connection.is_own_report:
            return None
    return False


def _of_lookup(
    target: Target, own: OwnAddress, lookup: Lookup, checks: tuple[Check, ...]
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
    return Observation(lookup.evidence, (), frozenset(circumstances), checks=checks)


def _of_connections(
    own: OwnAddress, made: tuple[Connection, ...], opened: set[AnyAddress], checks: Checks
) -> list[Observation]:
    """Return an observation for each group of addresses of which the same is known."""
    groups: dict[Observation, list[AnyAddress]] = {}
    for connection in made:
        if connection.evidence is not Evidence.OPEN:
            circumstances = _circumstances(connection, own, opened)
            circumstances.update(check.found for check in checks[connection])
            alike = Observation(
                connection.evidence,
                (),
                frozenset(circumstances),
                connection.reported_by,
                connection.source,
                connection.is_here,
                checks[connection],
            )
            groups.setdefault(alike, []).append(connection.address)
    return [replace(alike, addresses=tuple(group)) for alike, group in groups.items()]


def _circumstances(
    connection: Connection, own: OwnAddress, opened: set[AnyAddress]
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


def _of_the_source(connection: Connection, own: OwnAddress) -> set[Circumstance]:
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
    if compare(source, connection.address) is False:
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
