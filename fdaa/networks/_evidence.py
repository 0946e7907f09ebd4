"""What documents say about networks, where they say it, and what cannot all be true."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fdaa.address import NetworkID

# The rules that facts about networks can break; the names are what programs see.
NAME_HAS_TWO_IDS = "name-has-two-ids"  # specification 2.2: an ID is bound to a name for ever
ID_HAS_TWO_NAMES = "id-has-two-names"  # specification 2.2: and never reused
APP_ON_TWO_NETWORKS = "app-on-two-networks"  # specification 2.1, rule 1, by its Machines' addresses
APP_LISTED_TWICE = "app-listed-twice"  # specification 2.1, rule 1, by the app list
NAME_BREAKS_RULES = "name-breaks-rules"  # specification 8
ADDRESS_OF_TWO_APPS = "address-of-two-apps"
ADDRESS_HELD_TWICE = "address-held-twice"  # by two Machines, or a Machine and an allocation
ADDRESS_FOR_OWN_NETWORK = "address-for-own-network"  # specification, Networking rules, 3
RULES = (
    NAME_HAS_TWO_IDS,
    ID_HAS_TWO_NAMES,
    APP_ON_TWO_NETWORKS,
    APP_LISTED_TWICE,
    NAME_BREAKS_RULES,
    ADDRESS_OF_TWO_APPS,
    ADDRESS_HELD_TWICE,
    ADDRESS_FOR_OWN_NETWORK,
)


class Source(NamedTuple):
    """Where something is said: a file, and the place in it (`apps[3].network`)."""

    file: str
    place: str


class Evidence(NamedTuple):
    """One statement about a network; what it does not speak of is None.

    Args:
        name: the network's name, as the document has it (so it may break the name rules).
        network_id: the network's ID.
        app: an app on that network.
        address: the address that the ID or the app's network was read from.
        sources: the places that say so.
    """

    name: str | None
    network_id: NetworkID | None
    app: str | None
    address: str | None
    sources: tuple[Source, ...]

    def to_json(self) -> dict[str, object]:
        """Return the statement as what `json.dumps` takes."""
        return {
            "name": self.name,
            "network_id": None if self.network_id is None else str(self.network_id),
            "network_id_int": None if self.network_id is None else int(self.network_id),
            "app": self.app,
            "address": self.address,
            "sources": [{"file": file, "place": place} for file, place in self.sources],
        }


class Contradiction(NamedTuple):
    """Statements that cannot all be true, and the rule that says so (one of `RULES`)."""

    rule: str
    evidence: tuple[Evidence, ...]

    def to_json(self) -> dict[str, object]:
        """Return the contradiction as what `json.dumps` takes."""
        evidence = [each.to_json() for each in self.evidence]
        return {"kind": "contradiction", "rule": self.rule, "evidence": evidence}
