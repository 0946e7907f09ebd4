"""The content of documents, as small frozen records with their places in the documents.

`_documents` makes them, `_knowledge` joins them. Facts that cannot all be true are a
`Contradiction`.
"""

from collections.abc import Iterable
from dataclasses import KW_ONLY, asdict, dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from fdaa._support.escapes import inline, printable, quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.errors import FdaaError
from fdaa._values.id_text import id_fields
from fdaa._values.network_name import NetworkName


class DocumentKind(StrEnum):
    """The kind of a document; its content decides, never its file's name."""

    APP_LIST = "app-list"
    MACHINE_LIST = "machine-list"  # a status document and an instance list, too
    ADDRESS_LIST = "address-list"
    EMPTY_LIST = "empty-list"  # `[]`: a list of any kind, without a row
    SAVED_NETWORKS = "saved-networks"  # names and IDs that were known before


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a fact was read: a file, and the place in it.

    >>> print(Origin(file="apps.json", place="apps[3].network"))
    apps.json: apps[3].network
    """

    file: str
    place: str

    def __str__(self) -> str:
        if not self.place:
            return self.file
        return f"{self.file}: {self.place}"

    def to_dict(self) -> dict[str, object]:
        """Return the origin as a dictionary for JSON."""
        return {"file": self.file, "place": self.place}


@dataclass(frozen=True, slots=True)
class ListedApp:
    """An app in an app list.

    Args:
        name: the app's name.
        network_name: the name of its network as the document has it, not validated; None where the
            list does not have it. In the API's list a missing network is `default`.
        origin: the place of the network's name.
        id: its identifier, or None where the list does not have it; the same for the counts.
        machine_count: how many Machines it has.
        volume_count: how many volumes it has.
    """

    name: str
    _: KW_ONLY
    network_name: str | None
    origin: Origin
    id: str | None = None
    machine_count: int | None = None
    volume_count: int | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the app as a dictionary for JSON, without its origin."""
        fields = asdict(self)
        del fields["origin"]
        return fields


@dataclass(frozen=True, slots=True)
class ListedMachine:
    """A Machine in a document.

    Args:
        id: its identifier.
        app: the app it belongs to, or None if neither the document nor the caller names it.
        address: its private address, or None where it has none yet.
        origin: the place of the address.
        state: its state, such as `started`, or None where the document does not have it.
    """

    id: str
    _: KW_ONLY
    app: str | None
    address: Address | None
    origin: Origin
    state: str | None = None

    @property
    def network_id(self) -> NetworkID | None:
        """The network ID in its address (specification, section 2.3, rule 2)."""
        if self.address is None:
            return None
        return self.address.network_id


def is_started(state: str) -> bool:
    """Return whether a Machine in this state is started; in any other, it is assumed to be silent.

    The specification does not define states: docs/platform-rules.md, `stopped-machines`.
    """
    return state.lower() == "started"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossNetworkAddress:
    """A cross-network address: allocated to an app for clients on another network.

    It is assumed to contain the ID of the clients' network (specification, Networking rules, 3). It
    does not show the network of its app.

    Args:
        app: the app it is allocated to, or None if neither the document nor the caller names it.
        address: the address.
        network_name: the name of the clients' network as the document has it, not validated; None
            where it has none.
        origin: the place of the address.
    """

    app: str | None
    address: Address
    network_name: str | None
    origin: Origin

    @property
    def network_id(self) -> NetworkID:
        """The ID of the clients' network."""
        return self.address.network_id


class UnusedKind(StrEnum):
    """What was not used, or not as it stands; the values are those in JSON."""

    FILE = "file"  # all of it
    VALUE = "value"  # a row, or a value in one
    NETWORK_NAME = "network-name"  # it breaks the rules for names
    APP = "app"  # a list does not name its app, or only the name of its file does
    OTHER_FILES = "other-files"  # of a directory, which are no documents

    @property
    def is_error(self) -> bool:
        """Whether the input is wrong, and not only incomplete: the command's status is then 2."""
        return self in (UnusedKind.FILE, UnusedKind.VALUE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """Something in a document that was not used: the file, the place in it and the reason.

    Args:
        file: the name of the document.
        place: the place in it; empty for all of it.
        reason: why it was not used.
        what: what was not used.
    """

    file: str
    place: str
    reason: str
    what: UnusedKind = UnusedKind.VALUE

    def __str__(self) -> str:
        return f"{Origin(file=self.file, place=self.place)}: {self.reason}"

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {"kind": "unused", **asdict(self), "what": self.what.value}


class Rule(StrEnum):
    """The rules that facts about networks can break; the values are those in JSON."""

    NAME_HAS_TWO_IDS = "name-has-two-ids"  # specification 2.2: an ID is bound to a name forever
    ID_HAS_TWO_NAMES = "id-has-two-names"  # specification 2.2: and never reused
    APP_ON_TWO_NETWORKS = "app-on-two-networks"  # 2.1, rule 1, by its Machines' addresses
    APP_LISTED_TWICE = "app-listed-twice"  # 2.1, rule 1, by the app list
    ADDRESS_OF_TWO_APPS = "address-of-two-apps"
    ADDRESS_HELD_TWICE = "address-held-twice"  # by two Machines, or a Machine and an allocation
    MACHINE_OF_TWO_APPS = "machine-of-two-apps"


_BROKEN = {
    Rule.NAME_HAS_TWO_IDS: "{network} has two IDs",
    Rule.ID_HAS_TWO_NAMES: "{ID} has two names",
    Rule.APP_ON_TWO_NETWORKS: "{app} is on two networks",
    Rule.APP_LISTED_TWICE: "{app} is listed on two networks",
    Rule.ADDRESS_OF_TWO_APPS: "{address} is listed for two apps",
    Rule.ADDRESS_HELD_TWICE: "{address} is listed for two Machines, or for a Machine and as a "
    "cross-network address",
    Rule.MACHINE_OF_TWO_APPS: "a Machine is listed for two apps",
}


def broken_rule(rule: Rule, app: str) -> str:
    """Return what breaks a rule, where no fact is shown: `a network name has two IDs`.

    Args:
        rule: the rule.
        app: what to call the app.
    """
    subjects = {"network": "a network name", "ID": "a network ID", "address": "one address"}
    return _BROKEN[rule].format_map({**subjects, "app": app})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact about a network; a part that is not known is None.

    Args:
        name: the network's name, as the document has it (so it may break the name rules).
        network_id: the network ID.
        app: an app on that network.
        address: the address that the ID or the app's network was read from.
        origins: the places that it was read from; of a saved one, with when it was learned.
    """

    name: str | None
    network_id: NetworkID | None
    app: str | None = None
    address: Address | None = None
    origins: tuple[Origin, ...] = ()

    @property
    def words(self) -> dict[str, str]:
        """What it is about, by its nouns: `app web`."""
        values = {
            "network": self.name,
            "ID": self.network_id,
            "app": self.app,
            "address": self.address,
        }
        words: dict[str, str] = {}
        for noun, value in values.items():
            if value is not None:
                words[noun] = f"{noun} {inline(str(value))}"
        return words

    @property
    def known_from(self) -> str:
        """Where it was read: files, and the places in them."""
        places = [f"{inline(origin.file)}: {origin.place}" for origin in self.origins]
        return printable("; ".join(places))

    def __str__(self) -> str:
        return f"{', '.join(self.words.values())} ({self.known_from})"

    def to_dict(self) -> dict[str, object]:
        """Return the fact as a dictionary for JSON."""
        return {
            **network_fields(self.name, self.network_id),
            "app": self.app,
            "address": text_or_none(self.address),
            "origins": dictionaries(self.origins),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedNetwork(Fact):
    """A name with its ID that was known before, and what showed it, as far as that is known.

    Args:
        learned_from: the places in the documents, or None.
        learned_on: when that was, in UTC: `2026-11-21T19:30:00Z`; or None.
    """

    name: NetworkName
    network_id: NetworkID
    learned_from: str | None
    learned_on: str | None


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)  # it would be as long as the document
class Document:
    """The content of one document.

    Args:
        file: its name.
        kind: its kind.
        app: the app that all of it is about, or None.
        apps: the apps that it lists.
        machines: the Machines in it, with and without an address.
        allocated: the cross-network addresses in an address list.
        public: the public addresses in an address list.
        unused: what was not used; at most 100 of it, the rest is only counted.
        left_out: how many rows could not be used.
        saved: the networks in saved networks.
        total: the number of the organization's apps, according to the API's list.
        is_list: whether it is a list, and not one app or one Machine alone.
    """

    file: str
    kind: DocumentKind
    app: str | None = None
    apps: tuple[ListedApp, ...] = ()
    machines: tuple[ListedMachine, ...] = ()
    allocated: tuple[CrossNetworkAddress, ...] = ()
    public: tuple[IPv4Address | IPv6Address, ...] = ()
    unused: tuple[Unused, ...] = ()
    left_out: int = 0
    saved: tuple[SavedNetwork, ...] = ()
    total: int | None = None
    is_list: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether it is a list that has all of its rows."""
        if not self.is_list or self.left_out:
            return False
        return self.total is None or self.total == len(self.apps)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Facts that cannot all be true, and the rule that they break.

    Args:
        rule: the rule.
        facts: the facts, two or more.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> documents = []
    >>> for network in ("blue", "green"):
    ...     rows = f'[{{"Name": "web", "Network": "{network}"}}]'
    ...     documents.append(parse_document(rows, file=f"{network}.json"))
    >>> print(*NetworkMap(documents).contradictions)
    contradiction: app web is listed on two networks
      network blue, app web (blue.json: [0].Network)
      network green, app web (green.json: [0].Network)
    """

    rule: Rule
    _: KW_ONLY
    facts: tuple[Fact, ...]

    def __str__(self) -> str:
        broken = _BROKEN[self.rule].format_map(self.facts[0].words)
        return "\n  ".join([f"contradiction: {broken}", *map(str, self.facts)])

    def to_dict(self) -> dict[str, object]:
        """Return the contradiction as a dictionary for JSON."""
        facts = dictionaries(self.facts)
        return {"kind": "contradiction", "rule": self.rule.value, "facts": facts}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNetwork:
    """A network, as far as it is known: its name, its ID, both or neither."""

    name: NetworkName | None = None
    network_id: NetworkID | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the network as a dictionary for JSON."""
        return network_fields(self.name, self.network_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One private network, as far as the documents show it.

    Args:
        name: its name, or None where no document has it.
        network_id: its ID, or None where no document has an address of it.
        apps: the apps that documents put on it, sorted; also where documents disagree.
        machine_count: the number of its Machine addresses in the documents; None if that is not
            known, because a Machine list of its apps is missing, or has only Machines without an
            address.
        fact: where its name and its ID were read.
        disputed_by: the rules that documents break about which name and ID belong together; empty
            where they agree.
    """

    name: NetworkName | None
    network_id: NetworkID | None
    apps: tuple[str, ...]
    machine_count: int | None
    fact: Fact
    disputed_by: tuple[Rule, ...] = ()

    def __str__(self) -> str:
        known = " ".join(str(part) for part in (self.name, self.network_id) if part is not None)
        return f"network {known}: {', '.join(map(inline, self.apps)) or 'no app'}"

    def to_dict(self) -> dict[str, object]:
        """Return the network as a dictionary for JSON."""
        prefix = None
        if self.network_id is not None:
            prefix = str(self.network_id.prefix)
        return {
            "kind": "network",
            **network_fields(self.name, self.network_id),
            "prefix": prefix,
            "apps": list(self.apps),
            "machine_count": self.machine_count,
        }


def network_fields(name: str | None, network_id: NetworkID | None) -> dict[str, object]:
    """Return the fields that every record for JSON has for a network."""
    return {"network_name": text_or_none(name), **id_fields(network_id)}


def dictionaries(records: Iterable[Any]) -> list[dict[str, object]]:
    """Return records as dictionaries for JSON."""
    return [record.to_dict() for record in records]


def text_or_none(value: object) -> str | None:
    """Return the text of a value; None for None."""
    if value is None:
        return None
    return str(value)


# --- errors ---------------------------------------------------------------------------------------

# fdaa.FdaaError
# └── FileError          a file that cannot be used   .file  .reason
#     └── DocumentError  a file that is not a complete document; a ValueError, too


class FileError(FdaaError):
    """A file that cannot be used; `read_documents` also returns one for a file that cannot be read.

    Args:
        file: its name.
        reason: the fault, and what would be right.
    """

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(file, reason)
        self.file = file
        self.reason = reason

    def __str__(self) -> str:
        return f"{quote(self.file)}: {self.reason}"


class DocumentError(FileError, ValueError):
    """A file that was read and cannot be used.

    Args:
        file: its name.
        reason: the fault, and what would be right.
        is_other_kind: whether nothing in it is wrong, but it is no document.
    """

    def __init__(self, file: str, reason: str, *, is_other_kind: bool = False) -> None:
        super().__init__(file, reason)
        self.is_other_kind = is_other_kind

    def __str__(self) -> str:
        return f"{quote(self.file)} is not a usable document: {self.reason}"
