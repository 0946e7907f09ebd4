"""Conclusions of a probe as sentences: what was checked, each cause, and the next command."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType

from fdaa._address import Address
from fdaa._checks import check_type
from fdaa._escapes import printable
from fdaa._membership import is_service
from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import NOT_TESTED, causes_of
from fdaa.explain._causes import CAUSE_TEXT, CHECK_TEXT, SEEN_TEXT
from fdaa.explain._documents import describe_network
from fdaa.explain._probe_documents import causes_by_documents, verdicts_of
from fdaa.lines import Evidence
from fdaa.networks import KnownNetwork, NetworkMap, Verdict
from fdaa.probe import AnyAddress, Conclusion, Connection, Observation, OwnAddress


@dataclass(frozen=True, slots=True)
class ExplainedCause:
    """A cause, and what to do next.

    Args:
        cause: the cause.
        text: its sentence.
        next: the command that confirms or excludes it; "" if that would have to run in a service of
            the platform.
        where: where to run that, if not on this computer; else "".
    """

    cause: Cause
    text: str
    next: str
    where: str

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {**self.cause.to_dict(), "text": self.text, "next": self.next, "where": self.where}


@dataclass(frozen=True, slots=True)
class ExplainedEvidence:
    """One kind of evidence, with the sentences of its causes.

    Args:
        observation: the evidence, and what else is known.
        checked: what was read on this computer, each in a few words.
        causes: the causes, the likeliest first.
    """

    observation: Observation
    checked: tuple[str, ...]
    causes: tuple[ExplainedCause, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        causes = [cause.to_dict() for cause in self.causes]
        return {**self.observation.to_dict(), "causes": causes}


_OPEN_TEXT = {
    True: "port open (TCP handshake only; no data was sent)",
    False: "no connection",
    None: "unknown whether it is open",
}


@dataclass(frozen=True, slots=True)
class ExplainedConclusion:
    """A conclusion in sentences; `str` returns the summary and the causes as lines.

    Args:
        conclusion: the conclusion.
        explanations: the evidence that is not an open port.
        not_tested: what an open port does not show, with the command that does.
        verdicts: what `reach` returns for the targets, by the documents; none without documents.
    """

    conclusion: Conclusion
    explanations: tuple[ExplainedEvidence, ...]
    not_tested: tuple[ExplainedCause, ...]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def summary(self) -> str:
        """The first line: whether the port of the target is open."""
        return f"{self.conclusion.target.text}: {_OPEN_TEXT[self.conclusion.is_open]}"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.summary
        for explained in self.explanations:
            for number, cause in enumerate(explained.causes, 1):
                yield f"  {number}. {cause}"

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        fields = self.conclusion.to_dict()
        del fields["observations"]  # each of them is in an observation
        return {
            **fields,
            "explanations": [explained.to_dict() for explained in self.explanations],
            "not_tested": [cause.to_dict() for cause in self.not_tested],
        }


def explain_conclusion(
    conclusion: Conclusion, own: OwnAddress, networks: NetworkMap | None = None
) -> ExplainedConclusion:
    """Return a conclusion in sentences.

    Args:
        conclusion: the last step of a probe.
        own: the first step of the same probe.
        networks: the documents and the book, if there are any: they name networks, and order the
            causes.

    >>> from fdaa.probe import probe
    >>> own, *_, conclusion = probe("[::1]:1")
    >>> [explained] = explain_conclusion(conclusion, own).explanations
    >>> print(explained.causes[0])
    Nothing listens on port 1: the app has not started, has crashed, or uses another port.
    >>> explained.causes[0].next, explained.causes[0].where
    ('ss -ltnp', 'in this computer')
    """
    check_type(conclusion, "conclusion", Conclusion)
    check_type(own, "own", OwnAddress)
    check_type(networks, "networks", NetworkMap, NoneType)
    explained = []
    verdicts: dict[str, Verdict] = {}
    for observation in conclusion.observations:
        fitting = causes_of(observation.evidence, observation.circumstances)
        if networks is not None and own.address is not None and not conclusion.is_open:
            found = verdicts_of(observation, conclusion.target.app, own.address, networks)
            fitting = causes_by_documents(observation, found, networks)
            for verdict in found:
                verdicts.setdefault(str(verdict.target), verdict)
        words = _words(conclusion, observation, own, networks)
        causes = [_explained(cause, observation, words) for cause in fitting]
        explained.append(ExplainedEvidence(observation, _checked(observation), tuple(causes)))
    not_tested: list[ExplainedCause] = []
    for connection in conclusion.connections:
        if connection.evidence is Evidence.OPEN and not not_tested:
            not_tested = _not_tested(connection)
    return ExplainedConclusion(
        conclusion, tuple(explained), tuple(not_tested), tuple(verdicts.values())
    )


def explain_cause(cause: Cause, words: Mapping[str, object], sentence: str | None = None) -> str:
    """Return the sentence for a cause; one about the platform says so where it is assumed."""
    if sentence is None:
        sentence = CAUSE_TEXT[cause].sentence
    filled = sentence.format_map(words)
    if cause.assumed is not None:
        return f"{filled} (assumed)."
    return f"{filled}."


def _explained(cause: Cause, observation: Observation, words: dict[str, object]) -> ExplainedCause:
    """Return a cause in a sentence: the one for what was read on this computer, if there is one."""
    sentence = None
    detail = ""
    for check in observation.checks:
        seen = SEEN_TEXT.get((cause, check.found))
        if seen is not None and sentence is None:
            sentence = seen
            detail = printable(check.detail)
    words = {**words, "detail": detail, "quoted": shlex.quote(detail)}
    command, where = _command(cause, words)
    return ExplainedCause(cause, explain_cause(cause, words, sentence), command, where)


def _command(cause: Cause, words: dict[str, object]) -> tuple[str, str]:
    """Return the command for a cause, and where to run it."""
    command, _, where = CAUSE_TEXT[cause].command.format_map(words).partition("  (")
    where = where.removesuffix(")")
    if where == _IN_A_SERVICE:
        return "", ""
    if words.get("is_service") and where == "in both":
        where = "in this computer"
    elif words.get("is_service") and where.startswith("in that Machine"):
        return "", ""
    return command, where


def _not_tested(connection: Connection) -> list[ExplainedCause]:
    """Return what an open port does not show."""
    words: dict[str, object] = {
        "place": _place(connection),
        "address": connection.address,
        "port": connection.target.port,
    }
    found = []
    for cause in NOT_TESTED:
        command, where = _command(cause, words)
        found.append(ExplainedCause(cause, explain_cause(cause, words), command, where))
    return found


def _checked(observation: Observation) -> tuple[str, ...]:
    """Return what was read on this computer, in a few words each."""
    checked = []
    for check in observation.checks:
        words = {"detail": printable(check.detail), "source": check.source}
        checked.append(CHECK_TEXT[check.found].format_map(words))
    return tuple(checked)


def _words(
    conclusion: Conclusion,
    observation: Observation,
    own: OwnAddress,
    networks: NetworkMap | None,
) -> dict[str, object]:
    """Return the values for the sentences and commands of causes."""
    target = conclusion.target
    host = target.host or ""
    address = observation.addresses[0] if observation.addresses else None
    source = observation.source
    if source is None:
        source = own.on_interface
    own_end = source
    if not isinstance(own_end, Address):
        own_end = own.on_interface
    where, there = _firewall(observation, networks)
    at = ""
    if observation.reported_by is not None:
        at = f" ({observation.reported_by})"
    ipv4 = ""
    if conclusion.lookup is not None:
        ipv4 = ", ".join(map(str, conclusion.lookup.ipv4[:3]))
    return {
        "target": target.text,
        "with_brackets": target.with_brackets,
        "without_port": host or f"[{address}]",
        "host": host,
        "app": target.app or host,
        "port": target.port,
        "address": address,
        "is_service": _is_service(address, networks),
        "source": source,
        "machine": _machine(observation),
        "network": _network(address, networks),
        "own": _own_end(own_end, own),
        "own_network": _network(own_end, networks),
        "where": where,
        "there": there,
        "at": at,
        "ipv4": ipv4,
    }


def _own_end(address: Address | None, own: OwnAddress) -> str:
    """Return this computer for `fdaa reach`."""
    if address is None or address == own.address:
        return "self"
    return str(address)


def _network(address: object, networks: NetworkMap | None) -> str:
    """Return what the network of an address is called."""
    if not isinstance(address, Address):
        return "no private network"
    known = None
    if networks is not None:
        known = networks.by_id(address.network_id)
    if known is None:
        return describe_network(KnownNetwork(None, address.network_id))
    return describe_network(KnownNetwork(known.name, address.network_id))


def _machine(observation: Observation) -> str:
    """Return where a command shows what listens."""
    if observation.is_here:
        return "in this computer"
    for address in observation.addresses:
        if not isinstance(address, Address):
            return f"at {address}"
    return "in that Machine"


def _firewall(observation: Observation, networks: NetworkMap | None) -> tuple[str, str]:
    """Return where a firewall may be, and where its rules can be listed."""
    reported_by = observation.reported_by
    if observation.is_here:
        return "in this computer", "in this computer"
    if reported_by is None:
        return "in that Machine, in this computer or on the way", "in both"
    if reported_by in observation.addresses:
        return "in that Machine, which reports it", "in that Machine"
    if reported_by == observation.source:
        return "in this computer, which reports it", "in this computer"
    where = f"on the way, at {reported_by}, which reports it"
    if _is_service(reported_by, networks):
        return where, _IN_A_SERVICE
    return where, f"at {reported_by}"


# Where no command can be run.
_IN_A_SERVICE = "in a service of the platform"


def _is_service(address: AnyAddress | None, networks: NetworkMap | None) -> bool:
    """Return whether an address is assumed to be that of a service of the platform."""
    if not isinstance(address, Address):
        return False
    name = None
    if networks is not None:
        known = networks.by_id(address.network_id)
        if known is not None:
            name = known.name
    return is_service(address.network_id, name)


def _place(connection: Connection) -> str:
    return f"[{connection.address}]:{connection.target.port}"
