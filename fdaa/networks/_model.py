"""What documents hold, as small frozen records that know their place in the documents.

`_documents` makes them, `_join` puts them together. What cannot all be true is a `Contradiction`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from fdaa.errors import quote

if TYPE_CHECKING:
    from fdaa.address import Address, NetworkID
    from fdaa.network_name import NetworkName


class DocumentKind(StrEnum):
    """What a document is; its content decides, never the name of its file."""

    APP_LIST = "app-list"
    MACHINE_LIST = "machine-list"
    STATUS = "status"
    INSTANCE_LIST = "instance-list"
    ADDRESS_LIST = "address-list"
    EMPTY_LIST = "empty-list"  # `[]`: a list of any kind, without a row


class Origin(NamedTuple):
    """Where something is said: a file, and the place in it.

    >>> print(Origin("apps.json", "apps[3].network"))
    apps.json: apps[3].network
    """

    file: str
    place: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place}"


# An `App`, a `Machine` and an `Origin` stay tuples: a join has one for each row, and to create a
# frozen dataclass takes 0.58 us in place of 0.23, which is 7 % of a large join.


class App(NamedTuple):
    """An app in an app list.

    Args:
        name: the app's name.
        network: the name of its network as the document has it, not validated; None where the list
            does not have it. In the API's list a missing network is `default`.
        origin: the place of the network's name.
        id: its identifier, or None where the list does not have it; the same for the counts.
        machine_count: how many Machines it has.
        volume_count: how many volumes it has.
    """

    name: str
    network: str | None
    origin: Origin
    id: str | None = None
    machine_count: int | None = None
    volume_count: int | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the app as a dictionary for JSON, without its origin."""
        return {
            "name": self.name,
            "network": self.network,
            "id": self.id,
            "machine_count": self.machine_count,
            "volume_count": self.volume_count,
        }


class Machine(NamedTuple):
    """A Machine in a document.

    Args:
        id: its identifier.
        app: the app it belongs to, or None where neither the document nor the caller says it.
        address: its private address, or None where it has none yet.
        origin: the place of the address.
    """

    id: str
    app: str | None
    address: Address | None
    origin: Origin

    @property
    def network_id(self) -> NetworkID | None:
        """The network ID in its address (specification, section 2.3, rule 2)."""
        return None if self.address is None else self.address.network_id


class AllocatedAddress(NamedTuple):
    """A private address that is allocated to an app for cross-network access.

    Its ID is the network that the requests come from; of the network that its app is on it says
    nothing (specification, Networking rules, 3).

    Args:
        app: the app it is allocated to, or None where the caller did not tell.
        address: the address.
        stated: the network's name beside it, in documents of newer tools; shown, never relied on.
        origin: the place of the address.
    """

    app: str | None
    address: Address
    stated: str | None
    origin: Origin

    @property
    def network_id(self) -> NetworkID:
        """The ID of the network that the requests come from."""
        return self.address.network_id


class Problem(NamedTuple):
    """Something in a document that could not be used, and its place."""

    file: str
    place: str
    reason: str

    def to_json(self) -> dict[str, object]:
        """Return the problem as what `json.dumps` takes."""
        return {"kind": "problem", **self._asdict()}


class Document(NamedTuple):
    """What one document holds.

    Args:
        file: its name.
        kind: what it is.
        app: the app that all of it is about, or None.
        apps: the apps that it lists.
        machines: the Machines in it, the ones without an address among them.
        allocated: the private addresses in an address list.
        public: the public addresses in an address list.
        problems: what could not be used; of more than 100 rows the others are counted only.
        left_out: how many rows could not be used.
        total: how many apps the API's list says that the organization has.
        is_list: whether it is a list, and not one app or one Machine alone.
    """

    file: str
    kind: DocumentKind
    app: str | None = None
    apps: tuple[App, ...] = ()
    machines: tuple[Machine, ...] = ()
    allocated: tuple[AllocatedAddress, ...] = ()
    public: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: int = 0
    total: int | None = None
    is_list: bool = True

    @property
    def is_page(self) -> bool:
        """Whether it has fewer apps, or more, than it says that there are."""
        return self.total not in (None, len(self.apps) + self.left_out)

    def __repr__(self) -> str:
        rows = len(self.apps) + len(self.machines) + len(self.allocated) + len(self.public)
        return f"<Document {self.kind} {quote(self.file)}, {rows} rows>"


class Rule(StrEnum):
    """The rules that facts about networks can break; the values are what programs see."""

    NAME_HAS_TWO_IDS = "name-has-two-ids"  # specification 2.2: an ID is bound to a name for ever
    ID_HAS_TWO_NAMES = "id-has-two-names"  # specification 2.2: and never reused
    APP_ON_TWO_NETWORKS = "app-on-two-networks"  # 2.1, rule 1, by its Machines' addresses
    APP_LISTED_TWICE = "app-listed-twice"  # 2.1, rule 1, by the app list
    NAME_BREAKS_RULES = "name-breaks-rules"  # specification 8
    ADDRESS_OF_TWO_APPS = "address-of-two-apps"
    ADDRESS_HELD_TWICE = "address-held-twice"  # by two Machines, or a Machine and an allocation
    ADDRESS_FOR_OWN_NETWORK = "address-for-own-network"  # specification, Networking rules, 3


class Evidence(NamedTuple):
    """One statement about a network; what it does not speak of is None.

    Args:
        name: the network's name, as the document has it (so it may break the name rules).
        network_id: the network's ID.
        app: an app on that network.
        address: the address that the ID or the app's network was read from.
        origins: the places that say so.
    """

    name: str | None
    network_id: NetworkID | None
    app: str | None
    address: str | None
    origins: tuple[Origin, ...]

    def to_json(self) -> dict[str, object]:
        """Return the statement as what `json.dumps` takes."""
        return {
            "name": self.name,
            "network_id": None if self.network_id is None else str(self.network_id),
            "network_id_int": None if self.network_id is None else int(self.network_id),
            "app": self.app,
            "address": self.address,
            "sources": [origin._asdict() for origin in self.origins],
        }


class Contradiction(NamedTuple):
    """Statements that cannot all be true, and the rule that says so."""

    rule: Rule
    evidence: tuple[Evidence, ...]

    def to_json(self) -> dict[str, object]:
        """Return the contradiction as what `json.dumps` takes."""
        evidence = [each.to_json() for each in self.evidence]
        return {"kind": "contradiction", "rule": self.rule, "evidence": evidence}


class Need(StrEnum):
    """What would complete a network of which the name or the ID is not known."""

    MACHINE_LIST = "machine-list"  # a Machine list of one of its apps
    MACHINE_WITH_ADDRESS = "machine-with-address"  # its apps' Machine lists are there, without one
    APP_LIST = "app-list"  # an app list that has one of its apps
    APP_OF_MACHINE_LIST = "app-of-machine-list"  # whose Machine list it was, then the app list
    MACHINE_LIST_ON_IT = "machine-list-on-it"  # a Machine list of an app on it, and an app list
    AGREEMENT = "agreement"  # documents that do not contradict each other


class Network(NamedTuple):
    """One private network, as far as the documents tell.

    Args:
        name: its name, or None where no document has it.
        network_id: its ID, or None where no address of it was seen.
        apps: the apps on it, sorted.
        machines: how many Machine addresses of it were seen; None where that is not known: a list
            of its apps' Machines is not there, or has Machines without an address only.
        evidence: what its name and its ID are known from.
        needs: what would complete it, or None where nothing is missing.
    """

    name: NetworkName | None
    network_id: NetworkID | None
    apps: tuple[str, ...]
    machines: int | None
    evidence: Evidence
    needs: Need | None

    @property
    def is_disputed(self) -> bool:
        """Whether documents disagree about its name or its ID."""
        return self.needs == Need.AGREEMENT

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The places that its name and its ID are known from."""
        return self.evidence.origins

    def to_json(self) -> dict[str, object]:
        """Return the network as what `json.dumps` takes."""
        network_id = self.network_id
        return {
            "kind": "network",
            "name": self.name,
            "network_id": None if network_id is None else str(network_id),
            "network_id_int": None if network_id is None else int(network_id),
            "prefix": None if network_id is None else network_id.cidr,
            "apps": list(self.apps),
            "machines": self.machines,
        }
