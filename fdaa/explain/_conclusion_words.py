"""Conclusions of a probe as sentences: what was checked, each cause, and the next command."""

from dataclasses import KW_ONLY, dataclass
from itertools import zip_longest
from types import NoneType

from fdaa._support.escapes import printable
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import AddressPort, parse_value
from fdaa._values.hosts import Host
from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import NOT_TESTED, causes_of
from fdaa.explain._causes import (
    CAUSE_TEXT,
    CHECK_TEXT,
    HTTP_PORTS,
    HTTPS_PORTS,
    SEEN_TEXT,
    ExplainedCause,
    RunsAt,
    explain_cause,
)
from fdaa.explain._known_names import Names, describe_network_of, without_nothing
from fdaa.explain._probe_documents import causes_by_documents, verdicts_of
from fdaa.explain._steps import AllocationsStep, NextStep, ProbeStep, ReachStep, WhoisStep
from fdaa.lines import Evidence
from fdaa.networks import NetworkMap, Verdict
from fdaa.probe import AnyAddress, Check, Conclusion, Connection, Observation, ThisComputer


@dataclass(frozen=True, slots=True)
class ExplainedEvidence:
    """One kind of evidence, with the sentences of its causes.

    Args:
        observations: what was seen, and what else is known: one for each group of addresses of
            which the same is known.
        checked: what was read on this computer, each in a few words.
        causes: the causes, the likeliest first, each of them once.
    """

    observations: tuple[Observation, ...]
    _: KW_ONLY
    checked: tuple[str, ...]
    causes: tuple[ExplainedCause, ...]

    @property
    def evidence(self) -> Evidence:
        """The kind of evidence."""
        return self.observations[0].evidence

    @property
    def words(self) -> str:
        """The kind of evidence in words: `timed out`."""
        return _words_of(self.evidence)

    @property
    def addresses(self) -> tuple[AnyAddress, ...]:
        """The addresses of which it was seen; none for a lookup."""
        addresses: list[AnyAddress] = []
        for observation in self.observations:
            addresses.extend(observation.addresses)
        return tuple(addresses)

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "evidence": self.evidence.value,
            "addresses": [str(address) for address in self.addresses],
            "checked": [check.to_dict() for check in _checks_of(self.observations)],
            "causes": [cause.to_dict() for cause in self.causes],
        }


def _checks_of(observations: tuple[Observation, ...]) -> list[Check]:
    """Return what was read on this computer, each once."""
    checks: dict[Check, None] = {}
    for observation in observations:
        checks.update(dict.fromkeys(observation.checks))
    return list(checks)


# A lookup without an address -> what it says of the name.
_NAME_TEXT = {
    Evidence.IPV4_ONLY: "the name has IPv4 addresses only",
    Evidence.NOT_FOUND: "name not found",
    Evidence.NO_ADDRESS: "the name has no address",
    Evidence.RESOLVER_FAILED: "the lookup failed",
    Evidence.RESOLVER_TIMED_OUT: "no response to the lookup",
    Evidence.LOOKUP_NOT_TRIED: "the lookup was not tried",
}
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
        explanations: the evidence that is not an open port, by its kind.
        not_tested: what an open port does not show, with the command that does.
        verdicts: what `reach` returns for the targets, by the documents; none without documents.
    """

    conclusion: Conclusion
    _: KW_ONLY
    explanations: tuple[ExplainedEvidence, ...]
    not_tested: tuple[ExplainedCause, ...]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def answer(self) -> str:
        """Whether the port is open; without a port, what the lookup and the routes say."""
        conclusion = self.conclusion
        if conclusion.rounds > 1:
            counts = [f"{count} {_words_of(kind)}" for kind, count in conclusion.counts.items()]
            return f"{', '.join(counts)} ({conclusion.rounds} rounds)"
        if conclusion.lookup is not None and not conclusion.lookup.addresses:
            return _NAME_TEXT[conclusion.lookup.evidence]
        tried = len(conclusion.tried)
        routed = conclusion.counts.get(Evidence.ROUTED, 0)
        if conclusion.target.port is None and routed == tried:
            return "there is a route; no port was given"
        if conclusion.target.port is None:
            return f"{_number(routed, tried)} with a route; no port was given"
        if 0 < len(conclusion.opened) < tried:
            verb = "is" if len(conclusion.opened) == 1 else "are"
            return f"{_number(len(conclusion.opened), tried)} {verb} open"
        return _OPEN_TEXT[conclusion.is_open]

    @property
    def summary(self) -> str:
        """The first line: the target and the answer."""
        return f"{self.conclusion.target.text}: {self.answer}"

    def __str__(self) -> str:
        lines = [self.summary]
        for explained in self.explanations:
            for number, cause in enumerate(explained.causes, 1):
                lines.append(f"  {number}. {cause}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        fields = self.conclusion.to_dict()
        del fields["observations"]  # each of them is in an observation
        return {
            **fields,
            "explanations": [explained.to_dict() for explained in self.explanations],
            "not_tested": [cause.to_dict() for cause in self.not_tested],
        }


def _number(number: int, total: int) -> str:
    """Return a number of addresses: `1 of 2 addresses`."""
    noun = "address" if total == 1 else "addresses"
    return f"{number} of {total} {noun}"


def _words_of(evidence: Evidence) -> str:
    return evidence.value.replace("-", " ")


def explain_conclusion(
    conclusion: Conclusion, own: ThisComputer, networks: NetworkMap | None = None
) -> ExplainedConclusion:
    """Return a conclusion in sentences.

    Args:
        conclusion: the last step of a probe, or what `conclude_rounds` returned.
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
    check_type(own, "own", ThisComputer)
    check_type(networks, "networks", NetworkMap, NoneType)
    networks = without_nothing(networks)
    verdicts: dict[str, Verdict] = {}
    kinds: dict[Evidence, list[Observation]] = {}
    causes: dict[Evidence, list[list[ExplainedCause]]] = {}
    for observation in conclusion.observations:
        kind = observation.evidence
        fitting = causes_of(kind, observation.circumstances)
        found: list[Verdict] = []
        if networks is not None and own.address is not None and not conclusion.is_open:
            found = verdicts_of(observation, conclusion.target.app, own.address, networks)
            read_here = frozenset(check.found for check in observation.checks)
            fitting = causes_by_documents(
                fitting, found, networks, addresses=observation.addresses, checked=read_here
            )
        for verdict in found:
            verdicts.setdefault(str(verdict.target), verdict)
        situation = _Situation(conclusion, observation, own, networks, has_verdict=bool(found))
        kinds.setdefault(kind, []).append(observation)
        causes.setdefault(kind, []).append([situation.explain(cause) for cause in fitting])
    explained = []
    for kind, observations in kinds.items():
        checked = _checked(tuple(observations))
        explained.append(
            ExplainedEvidence(tuple(observations), checked=checked, causes=_once(causes[kind]))
        )
    not_tested: list[ExplainedCause] = []
    for connection in conclusion.connections:
        if connection.evidence is Evidence.OPEN and not not_tested:
            not_tested = _not_tested(connection, networks)
    return ExplainedConclusion(
        conclusion,
        explanations=tuple(explained),
        not_tested=tuple(not_tested),
        verdicts=tuple(verdicts.values()),
    )


def _once(groups: list[list[ExplainedCause]]) -> tuple[ExplainedCause, ...]:
    """Return the causes of all groups of addresses, each once, first the first of each group."""
    found: dict[Cause, ExplainedCause] = {}
    for row in zip_longest(*groups):
        for cause in row:
            if cause is not None:
                found.setdefault(cause.cause, cause)
    return tuple(found.values())


# What `reach` says; with documents, its verdict is there already.
_ASK_FOR_A_VERDICT = (Cause.OTHER_NETWORK, Cause.NAME_OF_OTHER_NETWORK, Cause.NO_STARTED_MACHINE)


class _Situation:
    """What the sentences and commands for one observation are filled with.

    Args:
        conclusion: the conclusion.
        observation: the observation.
        own: the own address.
        networks: the documents and the book, if there are any.
        has_verdict: whether `reach` has answered already.
    """

    def __init__(
        self,
        conclusion: Conclusion,
        observation: Observation,
        own: ThisComputer,
        networks: NetworkMap | None,
        *,
        has_verdict: bool,
    ) -> None:
        self._target = conclusion.target
        self._observation = observation
        self._own = own
        self._networks = networks
        self._has_verdict = has_verdict
        self._words = _words(conclusion, observation, own, networks)

    def explain(self, cause: Cause) -> ExplainedCause:
        """Return a cause in a sentence: that for what was read on this computer, if there is one.

        Args:
            cause: the cause.
        """
        sentence = None
        detail = ""
        for check in self._observation.checks:
            seen = SEEN_TEXT.get((cause, check.found))
            if seen is not None and sentence is None:
                sentence = seen
                detail = printable(check.detail)
        words = {**self._words, "detail": detail}
        text = explain_cause(cause, words, sentence)
        where = self._where(cause)
        if where is None or (self._has_verdict and cause in _ASK_FOR_A_VERDICT):
            return ExplainedCause(cause, text=text)
        texts = CAUSE_TEXT[cause]
        return ExplainedCause(
            cause,
            text=text,
            next=texts.command.format_map(words),
            where=where,
            step=self._step(cause),
            needs=texts.needs,
        )

    def _step(self, cause: Cause) -> NextStep | None:
        """Return the step of ours that confirms or excludes a cause, if there is one."""
        target = self._target
        address = _first_address(self._observation)
        match cause:
            case Cause.OTHER_NETWORK if isinstance(address, Address):
                return ReachStep(source=self._source(), target=address)
            case Cause.NAME_OF_OTHER_NETWORK | Cause.NO_STARTED_MACHINE if target.host is not None:
                app = Host(target.app or target.host)
                return ReachStep(source=self._source(), target=app)
            case Cause.OWN_CROSS_NETWORK_ADDRESS:
                return AllocationsStep()
            case Cause.STALE_ADDRESS | Cause.STALE_NAME if isinstance(address, Address):
                return WhoisStep(address)
            case Cause.SHORT_TIMEOUT:
                return self._probe(timeout=4)
            case Cause.LOST:
                return self._probe(timeout=30)
            case Cause.NO_BRACKETS if target.with_brackets is not None:
                meant = parse_value(target.with_brackets)
                if isinstance(meant, AddressPort):
                    return ProbeStep(meant.address, port=meant.port)
            case Cause.NO_PORT:
                return self._probe()
        return None

    def _source(self) -> Address | None:
        """Return the address that this computer connects from; None for its own address."""
        source = _own_end(self._observation, self._own)
        if source == self._own.address:
            return None
        return source

    def _probe(self, timeout: float | None = None) -> ProbeStep | None:
        """Return the step that probes the target once more."""
        target: AnyAddress | Host | None = self._target.address
        if self._target.host is not None:
            target = Host(self._target.host)
        if target is None:
            return None
        return ProbeStep(target, port=self._target.port, timeout=timeout)

    def _where(self, cause: Cause) -> str | None:
        """Return where the command for a cause has to run; None where no command can run."""
        texts = CAUSE_TEXT[cause]
        if texts.runs_at is RunsAt.HERE:
            return ""
        if texts.runs_at is RunsAt.FIREWALL:
            return _where_the_rules_are(self._observation, self._networks)
        place = _where_it_listens(self._observation, self._networks)
        if place is None:
            return None
        return f"{place}{texts.remark}"


def _not_tested(connection: Connection, networks: NetworkMap | None) -> list[ExplainedCause]:
    """Return what an open port does not show."""
    port = connection.target.port
    words: dict[str, object] = {
        "place": f"[{connection.address}]:{port}",
        "address": connection.address,
        "port": port,
    }
    found = []
    for cause in NOT_TESTED:
        texts = CAUSE_TEXT[cause]
        command = texts.command.format_map(words)
        where: str | None = ""
        if cause is Cause.HUNG and port in HTTP_PORTS | HTTPS_PORTS:
            scheme = "https" if port in HTTPS_PORTS else "http"
            command = "curl -m 5 -v '{scheme}://{place}/'".format(scheme=scheme, **words)
        elif texts.runs_at is RunsAt.TARGET:
            seen = Observation(
                Evidence.OPEN, addresses=(connection.address,), is_here=connection.is_here
            )
            where = _where_it_listens(seen, networks)
        text = explain_cause(cause, words)
        if where is None:
            found.append(ExplainedCause(cause, text=text))
        else:
            remark = texts.remark if where else ""
            found.append(ExplainedCause(cause, text=text, next=command, where=f"{where}{remark}"))
    return found


def _checked(observations: tuple[Observation, ...]) -> tuple[str, ...]:
    """Return what was read on this computer, in a few words each."""
    checked = []
    for check in _checks_of(observations):
        words = {"detail": printable(check.detail), "source": check.origin}
        checked.append(CHECK_TEXT[check.found].format_map(words))
    return tuple(checked)


def _words(
    conclusion: Conclusion,
    observation: Observation,
    own: ThisComputer,
    networks: NetworkMap | None,
) -> dict[str, object]:
    """Return the values for the sentences and commands of causes."""
    target = conclusion.target
    host = target.host or ""
    address = _first_address(observation)
    source = own.on_interface if observation.source is None else observation.source
    own_network = describe_network_of(_own_end(observation, own), networks)
    at = f" ({observation.reported_by})" if observation.reported_by is not None else ""
    ipv4 = conclusion.lookup.ipv4[:3] if conclusion.lookup is not None else ()
    return {
        "target": target.text,
        "host": host,
        "app": target.app or host,
        "port": target.port,
        "address": address,
        "the_address": address or host,
        "network_of_client": own_network,
        "source": source,
        "network": describe_network_of(address, networks),
        "own_network": own_network,
        "firewall": _firewall(observation),
        "at": at,
        "ipv4": ", ".join(map(str, ipv4)),
    }


def _first_address(observation: Observation) -> AnyAddress | None:
    if not observation.addresses:
        return None
    return observation.addresses[0]


def _own_end(observation: Observation, own: ThisComputer) -> Address | None:
    """Return the private address that this computer connects from, or would connect from."""
    if isinstance(observation.source, Address):
        return observation.source
    return own.on_interface


# --- where a command runs -------------------------------------------------------------------------

_HERE = "in this computer"
_THERE = "in that Machine"


def _where_it_listens(observation: Observation, networks: NetworkMap | None) -> str | None:
    """Return where a command shows what listens; None in a service of the platform."""
    if observation.is_here:
        return _HERE
    for address in observation.addresses:
        if not isinstance(address, Address):
            return f"at {address}"
    if _is_of_a_service(observation, networks):
        return None
    return _THERE


def _where_the_rules_are(observation: Observation, networks: NetworkMap | None) -> str | None:
    """Return where the rules of a firewall can be listed; None in a service of the platform."""
    reported_by = observation.reported_by
    if observation.is_here:
        return _HERE
    if reported_by is None:
        if _is_of_a_service(observation, networks):
            return _HERE
        return "in both"
    if reported_by == observation.source:
        return _HERE
    if isinstance(reported_by, Address) and Names(networks).is_service(reported_by.network_id):
        return None
    if reported_by in observation.addresses:
        return _THERE
    return f"at {reported_by}"


def _firewall(observation: Observation) -> str:
    """Return where a firewall may be."""
    reported_by = observation.reported_by
    if observation.is_here:
        return _HERE
    if reported_by is None:
        return f"{_THERE}, {_HERE} or on the way"
    if reported_by in observation.addresses:
        return f"{_THERE}, which reports it"
    if reported_by == observation.source:
        return f"{_HERE}, which reports it"
    return f"on the way, at {reported_by}, which reports it"


def _is_of_a_service(observation: Observation, networks: NetworkMap | None) -> bool:
    """Return whether the addresses are assumed to be those of a service of the platform."""
    address = _first_address(observation)
    return isinstance(address, Address) and Names(networks).is_service(address.network_id)
