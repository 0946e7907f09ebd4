"""Verdicts: whether a source can reach a target, and why, as data; `fdaa.explain` has the prose."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Literal

from fdaa._address import Address, NetworkID
from fdaa._ends import End, end_text
from fdaa._network_name import NetworkName
from fdaa._sourced import Sourced
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._model import Rule, network_fields


class Outcome(StrEnum):
    """How a source relates to a target."""

    SAME_NETWORK = "same-network"
    CROSS_NETWORK_ADDRESS = "cross-network-address"
    DIFFERENT_NETWORKS = "different-networks"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
    NOTHING_RESPONDS = "nothing-responds"  # the networks do not prevent it
    UNKNOWN = "unknown"


class Reason(Sourced):
    """A reason of an outcome, or a remark beside it."""

    # The two networks are known, by ID or by name.
    SAME_ID = "same-id", "1; 2.3, rule 2"
    DIFFERENT_IDS = "different-ids", "2.3, rule 3; Networking rules, 1"
    SAME_NAME = "same-name", "4.3; 1"
    DIFFERENT_NAMES = "different-names", "4.3; Networking rules, 1"
    # The target has a cross-network address, or is one; or the source is one.
    ALLOCATED_FOR_SOURCE = "allocated-for-source", None, "clients-network-id"
    ALLOCATED_FOR_ANOTHER = "allocated-for-another", None, "clients-network-id"
    ASKED_FROM_OWN_NETWORK = "asked-from-own-network", "Networking rules, 3"
    OWN_NETWORK_UNKNOWN = "own-network-unknown", "Networking rules, 3"
    SOURCE_ID_UNKNOWN = "source-id-unknown", None, "clients-network-id"
    SOURCE_IS_ALLOCATED = "source-is-allocated", None, "no-requests-from-cross-network-addresses"
    # A network is not known.
    NOT_COMPARABLE = "not-comparable", "2.2; 2.3, rule 2"
    NOT_IN_DOCUMENTS = "not-in-documents", "4.3; 2.3, rule 5"
    NAME_OF_NETWORK = "name-of-network", "2.1; 2.2"
    NETWORK_NOT_IN_DOCUMENTS = "network-not-in-documents", "4.3"
    APP_UNKNOWN = "app-unknown", "2.3, rule 5"
    SERVICE_ADDRESS = "service-address", None, "network-id-0"
    # Documents disagree.
    CONTRADICTION = "contradiction", "2.1, rule 1; 2.2"
    ADDRESS_DISPUTED = "address-disputed", None, "one-holder"
    APP_OR_MACHINE = "app-or-machine", None, "names-of-apps-and-machines"
    MACHINE_OF_TWO_APPS = "machine-of-two-apps", None, "one-app-of-a-machine"
    MACHINE_ON_TWO_NETWORKS = "machine-on-two-networks", "2.1, rule 1; 2.3, rule 3"
    # Nothing can respond at the target; a stale address is a remark of the source, too.
    NO_MACHINE = "no-machine", "2.1"
    STALE = "stale", None, "complete-documents"
    STOPPED = "stopped", None, "stopped-machines"
    NO_STARTED_MACHINE = "no-started-machine", None, "stopped-machines"
    # The target may be configured for the source, by a list that is not given.
    NO_ADDRESS_LIST = "no-address-list", "Networking rules, 1; Networking rules, 3"
    # Remarks.
    UNLISTED_ADDRESS = "unlisted-address", None, "unlisted-addresses"
    KNOWN_FROM_BOOK = "known-from-book", "2.1, rule 1"
    MEMBERSHIP_ONLY = "membership-only", None, "listening"


class Way(Sourced):
    """A way around, where the target cannot be reached."""

    PUBLIC_ADDRESS = "public-address", "Networking rules, 2; 2.1, rule 2"
    CROSS_NETWORK_ADDRESS = "cross-network-address", "Networking rules, 3"
    EXISTING_CROSS_NETWORK_ADDRESS = "existing-cross-network-address", None, "clients-network-id"
    REPLAY = "replay", "Networking rules, 4"
    ADMINISTRATOR = "administrator", "Networking rules, 5"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNetwork:
    """A network, as far as it is known: its name, its ID, both or neither."""

    name: NetworkName | None = None
    network_id: NetworkID | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the network as a dictionary for JSON."""
        return network_fields(self.name, self.network_id)


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason of a verdict, or a way around, with its facts; docs/json.md lists those of each.

    Args:
        kind: the reason or the way.
        end: whether it is about the source or the target.
        app: the app that it is about; None if documents do not name it.
        source: the network of the source.
        target: the network of the target.
        serves: the network whose clients a cross-network address is for.
        network: the network that it is about.
        addresses: the cross-network addresses to use, or that may be for the source.
        apps: the apps whose address lists are not given.
        public: the public addresses to use.
        looked_at: the apps whose Machine lists do not have a stale address.
        states: the states of Machines that are not started.
        rules: the rules that documents break.
        learned_on: when a book learned it.
        assumptions: the names of the assumptions that its facts rest on.
    """

    kind: Reason | Way
    _: KW_ONLY
    end: Literal["source", "target"] | None = None
    app: str | None = None
    source: KnownNetwork | None = None
    target: KnownNetwork | None = None
    serves: KnownNetwork | None = None
    network: KnownNetwork | None = None
    addresses: tuple[Address, ...] | None = None
    public: tuple[IPv4Address | IPv6Address, ...] | None = None
    looked_at: tuple[str, ...] | None = None
    states: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] | None = None
    learned_on: str | None = None
    assumptions: Assumed = ()
    apps: tuple[str, ...] | None = None

    @property
    def section(self) -> str | None:
        """The sections of the specification that say it, or None where it is assumed."""
        if self.assumed is not None:
            return None
        return self.kind.section

    @property
    def assumed(self) -> str | None:
        """The assumptions that it rests on, with `; ` between them; None where sections say it."""
        of_kind: Assumed = ()
        if self.kind.assumed is not None:
            of_kind = (self.kind.assumed,)
        return "; ".join(together(of_kind, self.assumptions)) or None

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON, without the facts that it does not have."""
        fields: dict[str, object] = {
            "kind": self.kind.value,
            "section": self.section,
            "assumed": self.assumed,
            "end": self.end,
            "app": self.app,
            "source": self.source and self.source.to_dict(),
            "target": self.target and self.target.to_dict(),
            "serves": self.serves and self.serves.to_dict(),
            "addresses": _listed(self.addresses),
            "public": _listed(self.public),
            "apps": _listed(self.apps),
            "looked_at": _listed(self.looked_at),
            "states": _listed(self.states),
            "rules": _listed(self.rules),
            "learned_on": self.learned_on,
        }
        found = {key: value for key, value in fields.items() if value is not None}
        if self.network is not None:
            found.update(self.network.to_dict())
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a source can reach a target, and why.

    `reachable` is about now, `permitted` about the configuration.

    Args:
        source: the source that was given.
        target: the target that was given.
        outcome: how they relate to each other.
        permitted: whether the source may reach the target by the configuration, whatever runs now:
            they are on one network, or a cross-network address of the target is for the source's.
            None where that is not known. Public addresses and `platform-replay` are ways around.
        same_network: whether they are on one network, even if nothing can respond; of a
            cross-network address, the network of its app. None where that is not known, as of a
            target in no document that may be a cross-network address.
        reasons: the reasons of the outcome; if it is unknown, what is missing.
        ways: ways around, if the target cannot be reached.
        via: the addresses to use where the target's own cannot be reached, but these can.
        unless: what may reverse a no: an address list that is not given, or that is disputed.

    >>> from fdaa import Address
    >>> from fdaa.networks import reach
    >>> verdict = reach(Address("fdaa:2:45b::3"), Address("fdaa:2:45b::4"))
    >>> print(verdict.outcome, verdict.reachable)
    same-network True
    """

    source: End
    target: End
    outcome: Outcome
    permitted: bool | None
    same_network: bool | None
    reasons: tuple[Finding, ...]
    ways: tuple[Finding, ...] = ()
    via: tuple[Address, ...] = ()
    unless: Finding | None = None

    @property
    def reachable(self) -> bool | None:
        """True, False, or None where it is not known."""
        if self.outcome in (Outcome.SAME_NETWORK, Outcome.CROSS_NETWORK_ADDRESS):
            return True
        if self.outcome is Outcome.UNKNOWN:
            return None
        return False

    def __bool__(self) -> bool:  # with NoReturn, type checkers would skip what follows an `if`
        raise TypeError("a Verdict is neither true nor false; use .reachable, which may be None")

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as `fdaa reach --json` prints it, but without sentences.

        `fdaa reach` accepts both ends as they are written here. `fdaa.explain.explain_verdict`
        adds the sentences: the `text` of each reason and way.
        """
        return {
            "kind": "verdict",
            "source": end_text(self.source),
            "target": end_text(self.target),
            "reachable": self.reachable,
            "permitted": self.permitted,
            "unless": self.unless and self.unless.to_dict(),
            "outcome": self.outcome.value,
            "same_network": self.same_network,
            "via": _listed(self.via),
            "reasons": [reason.to_dict() for reason in self.reasons],
            "ways": [way.to_dict() for way in self.ways],
        }


def _listed(values: tuple[object, ...] | None) -> list[str] | None:
    """Return addresses, or the members of an enumeration, as plain text."""
    if values is None:
        return None
    return [str(value) for value in values]
