"""Verdicts: whether a source can reach a target, and why, as data; `fdaa.cli` makes the prose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self


class Outcome(StrEnum):
    """How a source relates to a target."""

    SAME_NETWORK = "same-network"
    CROSS_NETWORK_ADDRESS = "cross-network-address"
    DIFFERENT_NETWORKS = "different-networks"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
    UNKNOWN = "unknown"


class _Cited(StrEnum):
    """Members with the place in the specification that supports them."""

    section: str

    def __new__(cls, value: str, section: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.section = section
        return member


class Reason(_Cited):
    """The reason of an outcome, and the place in the specification that supports it."""

    SAME_ID = "same-id", "2.3, rule 2"
    DIFFERENT_IDS = "different-ids", "2.3, rule 3; Networking rules, 1"
    SAME_NAME = "same-name", "2.2; 2.1, rule 1"
    DIFFERENT_NAMES = "different-names", "2.2; Networking rules, 1"
    ALLOCATED_FOR_SOURCE = "allocated-for-source", "2.3, rule 4; Networking rules, 3"
    ALLOCATED_FOR_ANOTHER = "allocated-for-another", "2.3, rule 4; Networking rules, 3"
    ASKED_FROM_OWN_NETWORK = "asked-from-own-network", "Networking rules, 3"
    OWN_NETWORK_UNKNOWN = "own-network-unknown", "Networking rules, 3"
    SOURCE_IS_ALLOCATED = "source-is-allocated", "2.3, rule 4; Networking rules, 3"
    SERVICE_ADDRESS = "service-address", "2.3, rule 2"
    KNOWN_FROM_BOOK = "known-from-book", "2.1, rule 1; 2.2"
    MEMBERSHIP_ONLY = "membership-only", "2.3, rule 2"
    NO_MACHINE = "no-machine", "2.1, rule 2"
    STALE = "stale", "2.3, rule 5"
    MISSING = "missing", "4.3; 2.3, rule 5"
    CONTRADICTION = "contradiction", "2.1, rule 1; 2.2"


class Way(_Cited):
    """A way around, where the target cannot be reached."""

    PUBLIC_ADDRESS = "public-address", "Networking rules, 2"
    CROSS_NETWORK_ADDRESS = "cross-network-address", "Networking rules, 3"
    REPLAY = "replay", "Networking rules, 4"


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason of a verdict, or a way around, with its details."""

    kind: Reason | Way
    details: Mapping[str, object]

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON."""
        return {"kind": self.kind, "section": self.kind.section, **self.details}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a source can reach a target, and why.

    Args:
        source: the source that was given, as text.
        target: the target that was given, as text.
        outcome: how they relate to each other.
        reasons: the reasons of the outcome; if it is unknown, what is missing.
        ways: ways around, if the target cannot be reached.
        via: the addresses to use where the target's own cannot be reached, but these can.

    >>> from fdaa.networks import reach
    >>> verdict = reach("fdaa:2:45b::3", "fdaa:2:45b::4")
    >>> print(verdict.outcome, verdict.reachable)
    same-network True
    """

    source: str
    target: str
    outcome: Outcome
    reasons: tuple[Finding, ...]
    ways: tuple[Finding, ...] = ()
    via: tuple[str, ...] = ()

    @property
    def reachable(self) -> bool | None:
        """True, False, or None where it is not known."""
        if self.outcome in (Outcome.SAME_NETWORK, Outcome.CROSS_NETWORK_ADDRESS):
            return True
        return None if self.outcome is Outcome.UNKNOWN else False

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict is neither true nor false; use .reachable, which may be None")

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as a dictionary for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "reachable": self.reachable,
            "outcome": self.outcome,
            "via": list(self.via),
            "reasons": [reason.to_dict() for reason in self.reasons],
            "ways": [way.to_dict() for way in self.ways],
        }
