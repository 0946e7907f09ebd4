"""Verdicts as data: the outcome, the reasons with what each rests on, and the ways around.

`fdaa.explain` has the prose.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from dataclasses import KW_ONLY, dataclass, fields
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Literal, Self, TypeAlias

from fdaa._values.address import Address
from fdaa._values.ends import End, end_text
from fdaa.networks._model import KnownNetwork, Rule, dictionaries

Role: TypeAlias = Literal["source", "target"]


class Outcome(StrEnum):
    """How a source relates to a target."""

    SAME_NETWORK = "same-network"
    CROSS_NETWORK_ADDRESS = "cross-network-address"
    DIFFERENT_NETWORKS = "different-networks"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
    NOTHING_RESPONDS = "nothing-responds"  # the networks do not prevent it
    UNKNOWN = "unknown"


class Sourced(StrEnum):
    """Members with what supports them; docs/platform-rules.md has both kinds of support.

    Attributes:
        section: the section of the specification that says it, or None.
        assumed: the name of the assumption, where no section says it, or None; like sections, two
            are in one text (`unlisted-addresses; clients-network-id`).
    """

    section: str | None
    assumed: str | None

    def __new__(cls, value: str, section: str | None = None, assumed: str | None = None) -> Self:
        """Return the member with what supports it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.section = section
        member.assumed = assumed
        return member


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
    NO_MACHINE = "no-machine", None, "complete-documents"
    STALE = "stale", None, "complete-documents"
    STOPPED = "stopped", None, "stopped-machines"
    NO_STARTED_MACHINE = "no-started-machine", None, "stopped-machines"
    # The target may be configured for the source, by a list that is not given.
    NO_ADDRESS_LIST = "no-address-list", "Networking rules, 1; Networking rules, 3"
    # No cross-network address is for the source, by lists that are complete.
    NOTHING_ALLOCATED = "nothing-allocated", None, "complete-documents"
    # Remarks.
    UNLISTED_ADDRESS = "unlisted-address", None, "unlisted-addresses; clients-network-id"
    KNOWN_FROM_SAVED = "known-from-saved", "2.1, rule 1"
    NAME_FROM_SAVED = "name-from-saved", None, "names-in-other-documents"
    MEMBERSHIP_ONLY = "membership-only", None, "listening"


class Way(Sourced):
    """A way around, where the target cannot be reached."""

    PUBLIC_ADDRESS = "public-address", "Networking rules, 2; 2.1, rule 2"
    CROSS_NETWORK_ADDRESS = "cross-network-address", "Networking rules, 3"
    EXISTING_CROSS_NETWORK_ADDRESS = "existing-cross-network-address", None, "clients-network-id"
    REPLAY = "replay", "Networking rules, 4"
    ADMINISTRATOR = "administrator", "Networking rules, 5"


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason of a verdict, or a way around: its kind, and the facts that it has.

    docs/api/networks.md has the fields of each kind; the others are None.

    Args:
        kind: the reason or the way.
        end: the end that it is about; None where it is about both.
        app: the app that it is about; None where documents do not name it.
        source: the network of the source, as far as it is known.
        target: the network of the target, likewise.
        network: the network that it is about.
        serves: the network whose clients the addresses serve.
        addresses: cross-network addresses; of a way, empty where one must be allocated.
        public: the public addresses of the app.
        apps: the apps whose address lists are not given.
        rules: the rules that documents break.
        states: the states of the Machines.
        looked_at: the apps whose Machine lists do not have the address.
        learned_on: when it was saved.
    """

    kind: Reason | Way
    _: KW_ONLY
    end: Role | None = None
    app: str | None = None
    source: KnownNetwork | None = None
    target: KnownNetwork | None = None
    network: KnownNetwork | None = None
    serves: KnownNetwork | None = None
    addresses: tuple[Address, ...] | None = None
    public: tuple[IPv4Address | IPv6Address, ...] | None = None
    apps: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] | None = None
    states: tuple[str, ...] | None = None
    looked_at: tuple[str, ...] | None = None
    learned_on: str | None = None

    @property
    def section(self) -> str | None:
        """The sections of the specification that say it, or None where it is assumed."""
        return self.kind.section

    @property
    def assumed(self) -> str | None:
        """The name of the assumption that it rests on, or None where a section says it."""
        return self.kind.assumed

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON, without the facts that are not known."""
        found: dict[str, object] = {"kind": self.kind.value}
        if self.assumed is not None:
            found["assumed"] = self.assumed
        else:
            found["section"] = self.section
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if field.name == "network" and value is not None:
                found.update(value.to_dict())
            elif isinstance(value, KnownNetwork):
                found[field.name] = value.to_dict()
            elif isinstance(value, tuple):
                found[field.name] = list(map(str, value))
            elif value is not None:
                found[field.name] = value
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a source can reach a target, and why.

    `reachable` is about now, `permitted` about the configuration.

    Args:
        source: the source that was given; the address of this Machine in place of `ThisMachine`.
        target: the target, likewise.
        outcome: how they relate to each other.
        permitted: whether the source may reach the target by the configuration, whatever runs now:
            they are on one network, or the target has a cross-network address for the source's.
            None where that is not known, as for an address that is in no document. Public
            addresses and `platform-replay` are ways around.
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

    source: "End"  # text, because help() would write out the eight types
    target: "End"
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
        if self.outcome is Outcome.UNKNOWN:
            return None
        return self.outcome in YES

    def __bool__(self) -> bool:  # with NoReturn, type checkers would skip what follows an `if`
        raise TypeError("a Verdict is neither true nor false; use .reachable, which may be None")

    def to_dict(self) -> dict[str, object]:
        """Return the fields that `fdaa reach --json` prints, but without sentences.

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
            "via": list(map(str, self.via)),
            "reasons": dictionaries(self.reasons),
            "ways": dictionaries(self.ways),
        }


YES = (Outcome.SAME_NETWORK, Outcome.CROSS_NETWORK_ADDRESS)
NO = (Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS)  # whatever responds
