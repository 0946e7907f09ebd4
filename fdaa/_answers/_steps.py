"""What to do next, as data: which command, for what, and where."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from fdaa._address import Address
from fdaa.lines import End, Host


class Where(StrEnum):
    """The computer on which a step makes sense."""

    HERE = "here"
    MACHINE = "machine"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Whois:
    """Find the Machine and the app of an address: `fdaa.networks.find_holder`.

    Args:
        address: the address.
        where: on which computer.
    """

    address: Address
    where: Where = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "whois", "address": str(self.address), "where": self.where.value}


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare the network of an address with this Machine's: `fdaa.same_network`.

    Args:
        address: the address.
        where: on which computer.
    """

    address: Address
    where: Where = Where.MACHINE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "same", "address": str(self.address), "where": self.where.value}


@dataclass(frozen=True, slots=True)
class Reach:
    """Find out whether a source can reach a target: `fdaa.networks.reach`.

    Args:
        source: the source; None for this Machine.
        target: the target.
        where: on which computer.
    """

    source: End | None
    target: End
    where: Where = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        source = None
        if self.source is not None:
            source = str(self.source)
        return {
            "kind": "reach",
            "source": source,
            "target": str(self.target),
            "where": self.where.value,
        }


@dataclass(frozen=True, slots=True)
class Probe:
    """Try a connection: `fdaa.probe.probe`.

    Args:
        target: the address or the host.
        port: the port; None if it is not known.
        where: on which computer.
    """

    target: Address | Host
    port: int | None
    where: Where = Where.HERE

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        target = self.target
        if isinstance(target, Host):
            target = Host(target.name)
        return {
            "kind": "probe",
            "target": str(target),
            "port": self.port,
            "where": self.where.value,
        }


Step: TypeAlias = Whois | Compare | Reach | Probe
