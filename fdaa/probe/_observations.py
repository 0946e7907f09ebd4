"""What a probe sees, as data: lookups and connections."""

from dataclasses import KW_ONLY, dataclass
from ipaddress import IPv4Address, IPv6Address

from fdaa._values.address import Address
from fdaa._values.id_text import id_fields
from fdaa.lines import Evidence
from fdaa.probe._target import AnyAddress, Target


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the system's resolver returned for a name.

    Args:
        host: the name.
        evidence: one of the first seven.
        addresses: its IPv6 addresses; connections are made to the first 64.
        ipv4: its IPv4 addresses; they are not tried.
        seconds: how long it took.
        error: the resolver's error message, or None.
    """

    host: str
    _: KW_ONLY
    evidence: Evidence
    addresses: tuple[AnyAddress, ...] = ()
    ipv4: tuple[IPv4Address, ...] = ()
    seconds: float = 0.0
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "kind": "lookup",
            "host": self.host,
            "evidence": self.evidence.value,
            "addresses": [_address_fields(address) for address in self.addresses],
            "ipv4": [str(address) for address in self.ipv4],
            "seconds": self.seconds,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What was seen of one address: a TCP connection; without a port, whether there is a route.

    Args:
        target: the target.
        address: the address.
        evidence: what was seen.
        seconds: how long it took.
        source: the address that the system connected from; None where nothing was sent.
        reported_by: the sender of the ICMPv6 message, where there was one and the system shows it
            (Linux).
        error: the ICMPv6 message, the system's error message, or that the other end closed an open
            connection; None where there was none.
    """

    target: Target
    address: AnyAddress
    evidence: Evidence
    seconds: float
    source: AnyAddress | None = None
    reported_by: AnyAddress | None = None
    error: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether this computer itself has the address."""
        if isinstance(self.source, IPv6Address) and self.source.is_loopback:
            return True
        return self.source is not None and self.source == self.address

    @property
    def is_own_report(self) -> bool:
        """Whether the ICMPv6 message came from this computer itself."""
        return self.reported_by is not None and self.reported_by == self.source

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "kind": "connection",
            "target": self.target.text,
            **_address_fields(self.address),
            "evidence": self.evidence.value,
            "seconds": self.seconds,
            "source": None if self.source is None else str(self.source),
            "reported_by": None if self.reported_by is None else str(self.reported_by),
            "error": self.error,
        }


def _address_fields(address: AnyAddress | None) -> dict[str, object]:
    text = None if address is None else str(address)
    network_id = address.network_id if isinstance(address, Address) else None
    return {"address": text, **id_fields(network_id)}
