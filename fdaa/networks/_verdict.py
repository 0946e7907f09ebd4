"""Verdicts: whether a source can reach a target, and why, as data; `fdaa.explain` has the prose."""

from dataclasses import dataclass
from enum import StrEnum

from fdaa._values.address import Address
from fdaa._values.ends import End, end_text
from fdaa.networks._findings import DisputedAddress, NoAddressList, ReasonFinding, WayFinding


class Outcome(StrEnum):
    """How a source relates to a target."""

    SAME_NETWORK = "same-network"
    CROSS_NETWORK_ADDRESS = "cross-network-address"
    DIFFERENT_NETWORKS = "different-networks"
    OWN_CROSS_NETWORK_ADDRESS = "own-cross-network-address"
    NOTHING_RESPONDS = "nothing-responds"  # the networks do not prevent it
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a source can reach a target, and why.

    `reachable` is about now, `permitted` about the configuration.

    Args:
        source: the source that was given.
        target: the target that was given.
        outcome: how they relate to each other.
        permitted: whether the source may reach the target by the configuration, whatever runs now:
            they are on one network, or the target has a cross-network address for the source's.
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
    reasons: tuple[ReasonFinding, ...]
    ways: tuple[WayFinding, ...] = ()
    via: tuple[Address, ...] = ()
    unless: NoAddressList | DisputedAddress | None = None

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
            "via": [str(address) for address in self.via],
            "reasons": [reason.to_dict() for reason in self.reasons],
            "ways": [way.to_dict() for way in self.ways],
        }
