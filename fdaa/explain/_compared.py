"""Whether addresses are on one network, in words."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterator
from dataclasses import dataclass

from fdaa._support.tables import table
from fdaa._values.address import Address, NetworkID
from fdaa._values.membership import is_service
from fdaa.explain._decoded import Decoded
from fdaa.explain._known_names import ABOUT_SERVICES

# Specification, "Networking rules", 1 to 5.
_WAYS_AROUND = (
    "Apps on different networks cannot communicate privately unless that is configured. Ways "
    "around: a public address, a cross-network address, or for HTTP the header platform-replay; as "
    "an administrator, the remote console, file transfer or tunnel."
)
_ASSUMED = "network-id-0"  # docs/platform-rules.md: on another network, and perhaps reachable


@dataclass(frozen=True, slots=True)
class Compared:
    """Addresses and networks, compared; `str` returns them as lines.

    Args:
        decoded: each of them.

    >>> from fdaa.explain import decode
    >>> from fdaa.networks import parse_end
    >>> ends = [parse_end(text) for text in ("fdaa:2:45b::3", "fdaa:2:45b::4")]
    >>> print(Compared(tuple(decode(end)[0] for end in ends)))
    2:45b  fdaa:2:45b::3
    2:45b  fdaa:2:45b::4
    same network
    """

    decoded: tuple[Decoded, ...]

    @property
    def is_same(self) -> bool:
        """Whether they are on one network."""
        return len(self._network_ids) == 1

    @property
    def _network_ids(self) -> set[NetworkID]:
        return {each.value.network_id for each in self.decoded}

    @property
    def _services(self) -> set[NetworkID]:
        """The network IDs that are assumed to be those of the platform's services."""
        services = set()
        for each in self.decoded:
            if is_service(each.value.network_id, each.network_name):
                services.add(each.value.network_id)
        return services

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person: each network and address, and whether it is one network."""
        values = dict.fromkeys(each.value for each in self.decoded)
        yield from table([(str(value.network_id), str(value)) for value in values])
        if not self.is_same:
            yield "different networks"
        elif len(values) == 1 and isinstance(self.decoded[0].value, Address):
            yield "same address, same network"
        else:
            yield "same network"
        if len(self._network_ids - self._services) > 1:
            yield _WAYS_AROUND
        if self._services:
            yield ABOUT_SERVICES

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {
            "same": self.is_same,
            "assumed": _ASSUMED if self._services and not self.is_same else None,
            "addresses": [each.to_short_dict() for each in self.decoded],
        }
