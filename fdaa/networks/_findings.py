"""Findings: the reasons of a verdict and the ways around, as data; each kind has its record.

`finding.kind` says what a finding is, and type checkers then know its fields. A network in a
finding is a `KnownNetwork`: its name, its ID, both or neither.
"""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from dataclasses import KW_ONLY, dataclass, fields
from ipaddress import IPv4Address, IPv6Address
from typing import Literal, TypeAlias

from fdaa._values.address import Address, NetworkID
from fdaa._values.network_name import NetworkName
from fdaa._values.sourced import Sourced
from fdaa.networks._assumptions import Assumed, together
from fdaa.networks._model import Rule, network_fields

Role: TypeAlias = Literal["source", "target"]


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


# --- the records ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Finding:
    """The fields of every finding.

    Args:
        kind: the reason or the way.
        end: the end that it is about; None where it is about both.
        app: the app that it is about; None where documents do not name it.
        assumptions: the names of the assumptions that its facts rest on.
    """

    kind: Reason | Way
    _: KW_ONLY
    end: Role | None = None
    app: str | None = None
    assumptions: Assumed = ()

    @property
    def section(self) -> str | None:
        """The sections of the specification that say it, or None where it is assumed."""
        if self.assumed is not None:
            return None
        return self.kind.section

    @property
    def assumed(self) -> str | None:
        """The assumptions that it rests on, with `; ` between them; None where sections say it."""
        of_kind = () if self.kind.assumed is None else (self.kind.assumed,)
        return "; ".join(together(of_kind, self.assumptions)) or None

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON, without the facts that are not known."""
        found: dict[str, object] = {"kind": self.kind.value}
        assumed = self.assumed
        if assumed is not None:
            found["assumed"] = assumed
        else:
            found["section"] = self.kind.section
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("kind", "assumptions") or value is None:
                continue
            if field.name == "network":
                found.update(value.to_dict())
            elif isinstance(value, KnownNetwork):
                found[field.name] = value.to_dict()
            elif isinstance(value, tuple):
                found[field.name] = [str(member) for member in value]
            else:
                found[field.name] = value
        return found


@dataclass(frozen=True, slots=True)
class ComparedNetworks(_Finding):
    """The networks of the source and the target are one, or not, or cannot be compared."""

    kind: Literal[
        Reason.SAME_ID,
        Reason.DIFFERENT_IDS,
        Reason.SAME_NAME,
        Reason.DIFFERENT_NAMES,
        Reason.NOT_COMPARABLE,
    ]
    _: KW_ONLY
    source: KnownNetwork
    target: KnownNetwork


@dataclass(frozen=True, slots=True)
class BrokenRules(_Finding):
    """Documents contradict each other about the question.

    Args:
        kind: the reason.
        rules: the rules that documents break.
        end: which end they are about; None where it may be either.
        app: the app that they are about, if they are about one.
        source: the network of the source, where the two networks cannot be compared.
        target: the network of the target, likewise.
    """

    kind: Literal[Reason.CONTRADICTION] = Reason.CONTRADICTION
    _: KW_ONLY
    source: KnownNetwork | None = None
    target: KnownNetwork | None = None
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class DisputedAddress(_Finding):
    """Documents disagree about who has an address.

    Args:
        kind: the reason.
        end: which end it is about.
        app: the app of the end, where `addresses` are those allocated to it.
        addresses: the addresses; None where it is the end's own.
        rules: the rules that documents break.
    """

    kind: Literal[Reason.ADDRESS_DISPUTED] = Reason.ADDRESS_DISPUTED
    _: KW_ONLY
    end: Role
    addresses: tuple[Address, ...] | None = None
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class AllocatedFor(_Finding):
    """Cross-network addresses of the target, and the network whose clients they serve.

    Args:
        kind: the reason.
        app: the app that has them; None where no document names it.
        source: the network of the source.
        serves: the network whose clients they serve.
        addresses: the addresses; None where the target is the address.
    """

    kind: Literal[
        Reason.ALLOCATED_FOR_SOURCE, Reason.ALLOCATED_FOR_ANOTHER, Reason.ASKED_FROM_OWN_NETWORK
    ]
    _: KW_ONLY
    source: KnownNetwork
    serves: KnownNetwork
    addresses: tuple[Address, ...] | None = None


@dataclass(frozen=True, slots=True)
class MaybeAllocated(_Finding):
    """Cross-network addresses that may serve the source, whose network ID is not known.

    Args:
        kind: the reason.
        app: the app that has them; None where no document names it.
        source: the network of the source.
        addresses: the addresses.
    """

    kind: Literal[Reason.SOURCE_ID_UNKNOWN] = Reason.SOURCE_ID_UNKNOWN
    _: KW_ONLY
    source: KnownNetwork
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class SourceIsAllocated(_Finding):
    """The source is a cross-network address, from which no requests come.

    Args:
        kind: the reason.
        end: the source.
        app: the app that has it; None where no document names it.
        network: the network whose clients it serves.
    """

    kind: Literal[Reason.SOURCE_IS_ALLOCATED] = Reason.SOURCE_IS_ALLOCATED
    _: KW_ONLY
    end: Literal["source"] = "source"
    network: KnownNetwork


@dataclass(frozen=True, slots=True)
class UnclearEnd(_Finding):
    """An end whose app, network or kind documents do not show, or whether it listens."""

    kind: Literal[
        Reason.NOT_IN_DOCUMENTS,
        Reason.NAME_OF_NETWORK,
        Reason.NETWORK_NOT_IN_DOCUMENTS,
        Reason.APP_UNKNOWN,
        Reason.SERVICE_ADDRESS,
        Reason.APP_OR_MACHINE,
        Reason.MACHINE_OF_TWO_APPS,
        Reason.MACHINE_ON_TWO_NETWORKS,
        Reason.UNLISTED_ADDRESS,
        Reason.OWN_NETWORK_UNKNOWN,
        Reason.MEMBERSHIP_ONLY,
    ]
    _: KW_ONLY
    end: Role


@dataclass(frozen=True, slots=True)
class SilentApp(_Finding):
    """No Machine of an app can respond.

    Args:
        kind: the reason.
        end: the target.
        app: the app.
        states: the states of its Machines; None where it has none.
    """

    kind: Literal[Reason.NO_MACHINE, Reason.NO_STARTED_MACHINE]
    _: KW_ONLY
    end: Literal["target"] = "target"
    app: str
    states: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StoppedMachine(_Finding):
    """The Machine that the target is, or whose address it is, is not started.

    Args:
        kind: the reason.
        end: the target.
        app: the app of the Machine; None where no document names it.
        states: the state.
    """

    kind: Literal[Reason.STOPPED] = Reason.STOPPED
    _: KW_ONLY
    end: Literal["target"] = "target"
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StaleAddress(_Finding):
    """No Machine has this address any longer.

    Args:
        kind: the reason.
        end: which end it is.
        looked_at: the apps whose Machine lists do not have it.
    """

    kind: Literal[Reason.STALE] = Reason.STALE
    _: KW_ONLY
    end: Role
    looked_at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownFromBook(_Finding):
    """The network of an app is in no document, and comes from the book.

    Args:
        kind: the reason.
        end: which end it is about.
        app: the app.
        learned_on: when the book learned it; None where the book does not have that.
        network: the network.
    """

    kind: Literal[Reason.KNOWN_FROM_BOOK] = Reason.KNOWN_FROM_BOOK
    _: KW_ONLY
    end: Role
    app: str
    learned_on: str | None
    network: KnownNetwork


@dataclass(frozen=True, slots=True)
class NoAddressList(_Finding):
    """A list that is not given may have a cross-network address of the target for the source.

    Args:
        kind: the reason.
        end: the target.
        app: the app that the target is; None where it is a network or an address.
        apps: the apps whose address lists are not given; empty where no complete app list is given.
        network: the network of the source.
    """

    kind: Literal[Reason.NO_ADDRESS_LIST] = Reason.NO_ADDRESS_LIST
    _: KW_ONLY
    end: Literal["target"] = "target"
    apps: tuple[str, ...]
    network: KnownNetwork


@dataclass(frozen=True, slots=True)
class PublicAddressWay(_Finding):
    """A way around: the public addresses of the target's app.

    Args:
        kind: the way.
        app: the app of the target; None where documents do not name it.
        public: its public addresses, as far as an address list has any.
    """

    kind: Literal[Way.PUBLIC_ADDRESS] = Way.PUBLIC_ADDRESS
    _: KW_ONLY
    public: tuple[IPv4Address | IPv6Address, ...]


@dataclass(frozen=True, slots=True)
class CrossNetworkWay(_Finding):
    """A way around: a cross-network address of the target's app, to be allocated or used.

    Args:
        kind: the way.
        app: the app of the target; None where documents do not name it.
        addresses: those that the app has for the source's network; empty where one must be
            allocated.
        apps: the apps that may have one already, as their address lists are not given; None where
            all are given, or one is allocated.
        network: the network of the source, whose name is given when an address is allocated.
    """

    kind: Literal[Way.CROSS_NETWORK_ADDRESS, Way.EXISTING_CROSS_NETWORK_ADDRESS]
    _: KW_ONLY
    addresses: tuple[Address, ...] = ()
    apps: tuple[str, ...] | None = None
    network: KnownNetwork


@dataclass(frozen=True, slots=True)
class PlainWay(_Finding):
    """A way around that needs no more facts: its kind says all."""

    kind: Literal[Way.REPLAY, Way.ADMINISTRATOR]


ReasonFinding: TypeAlias = (
    ComparedNetworks
    | BrokenRules
    | DisputedAddress
    | AllocatedFor
    | MaybeAllocated
    | SourceIsAllocated
    | UnclearEnd
    | SilentApp
    | StoppedMachine
    | StaleAddress
    | KnownFromBook
    | NoAddressList
)
WayFinding: TypeAlias = PublicAddressWay | CrossNetworkWay | PlainWay
Finding: TypeAlias = ReasonFinding | WayFinding
