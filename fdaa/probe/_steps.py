"""The steps of a probe, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from fdaa._id_text import id_fields
from fdaa.address import Address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fdaa.probe._target import AnyAddress, Target


class Outcome(StrEnum):
    """How a look-up or a connection ended."""

    FOUND = "found"
    NOT_FOUND = "not-found"
    OPEN = "open"
    REFUSED = "refused"
    RESET = "reset"
    TIMED_OUT = "timed-out"
    NO_ROUTE = "no-route"
    ROUTED = "routed"  # no port was given, and there is a route
    FAILED = "failed"  # the error says why


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """The private address of this Machine.

    Args:
        address: the address; None where there is none.
        interface: the interface that has it; None where PLATFORM_PRIVATE_IP contains it.
    """

    address: Address | None = None
    interface: str | None = None

    def same_network(self, address: AnyAddress) -> bool | None:
        """Return whether an address is on the same network.

        None where that cannot be compared: without an own address, and for an address that is not
        private or a service of the platform (network ID 0).
        """
        if not isinstance(address, Address) or self.address is None or address.network_id == 0:
            return None
        return address.network_id == self.address.network_id

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        fields = {"kind": "own-address", **_address_fields(self.address)}
        return {**fields, "interface": self.interface}


@dataclass(frozen=True, slots=True)
class LookUp:
    """The response of the system's resolver for a name.

    Args:
        host: the name.
        outcome: `FOUND` also where it has IPv4 addresses only.
        addresses: its IPv6 addresses; connections are made to the first 64.
        ipv4: its IPv4 addresses; they are not tried.
        seconds: how long it took.
        error: the resolver's error message, or None.
    """

    host: str
    outcome: Outcome
    addresses: tuple[AnyAddress, ...] = ()
    ipv4: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        addresses = [_address_fields(address) for address in self.addresses]
        return {"kind": "look-up", **asdict(self), "addresses": addresses}


@dataclass(frozen=True, slots=True)
class Connection:
    """How a TCP connection to one address ended; without a port, whether there is a route.

    Args:
        target: the target.
        address: the address.
        outcome: how it ended.
        seconds: how long it took.
        error: why it failed, or None.
    """

    target: Target
    address: AnyAddress
    outcome: Outcome
    seconds: float
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        fields = {**asdict(self), "target": self.target.text, **_address_fields(self.address)}
        return {"kind": "connection", **fields}


class Cause(StrEnum):
    """A cause why nothing answers, or why that is unknown, in the order of display."""

    NAME_NOT_FOUND = "name-not-found"  # not on this network, or no started Machine
    NO_RESOLVER = "no-resolver"
    IPV4_ONLY = "ipv4-only"
    RESOLVED_ELSEWHERE = "resolved-elsewhere"  # to another network
    NOT_LISTENING = "not-listening"  # or on 0.0.0.0 or 127.0.0.1 only
    RESET = "reset"
    MACHINE_GONE = "machine-gone"
    FIREWALL = "firewall"
    ISOLATED = "isolated"  # another network
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"  # used from its app's own network
    NO_ROUTE = "no-route"
    NOT_TRIED = "not-tried"  # the error of the connection says why
    NO_OWN_ADDRESS = "no-own-address"
    NO_BRACKETS = "no-brackets"
    NO_PORT = "no-port"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion from the steps before it, for one target.

    Args:
        target: the target.
        look_up: the look-up of the target's name; None for an address.
        connections: the connections to its addresses.
        answers: whether one of them is open; None where that cannot be known.
        causes: why not: the causes that the facts leave open, in the order of `Cause`, each with
            the addresses that it is about.
    """

    target: Target
    look_up: LookUp | None
    connections: tuple[Connection, ...]
    answers: bool | None
    causes: Mapping[Cause, tuple[AnyAddress, ...]]

    def to_dict(self) -> dict[str, object]:
        """Return target, verdict and causes as a dictionary for `json.dumps`."""
        causes = {cause: [*map(str, addresses)] for cause, addresses in self.causes.items()}
        fields = {"target": self.target.text, "answers": self.answers, "causes": causes}
        return {"kind": "conclusion", **fields}


Step: TypeAlias = OwnAddress | LookUp | Connection | Conclusion


def _address_fields(address: AnyAddress | None) -> dict[str, object]:
    network_id = address.network_id if isinstance(address, Address) else None
    return {"address": None if address is None else str(address), **id_fields(network_id)}
