"""What a probe saw as sentences: what is known on this computer, and what to check."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from types import NoneType

from fdaa._support.escapes import inline, printable
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import glued_port
from fdaa._values.hosts import LOCALHOST, Host
from fdaa.explain import _phase_words as phase_words
from fdaa.explain._checks import known_by_documents
from fdaa.explain._known_names import without_nothing
from fdaa.explain._phase_words import (
    AFTER_OPEN,
    FACTS,
    WORDS,
    Check,
    check_lines,
    checks_of,
    filled,
    sentence,
)
from fdaa.explain._step_words import lookup_failed
from fdaa.explain._steps import NextStep, ProbeStep, ReachStep
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import Phase
from fdaa.networks import App, NetworkMap, Outcome, Reason, reach
from fdaa.probe import AnyAddress, Conclusion, FactKind, LocalFact, ThisComputer

_SHOWN = 3  # of addresses; JSON has all
_EXPECTED = (Reason.SAME_ID, Reason.SAME_NAME)  # of a yes, which needs no reason
_DENIED = {Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS}
# Of a probe, which sends no data; of lines, other checks are likelier.
_OF_PROBE = {
    Phase.HERE: (phase_words.LIMIT,),
    Phase.RESPONDED: (phase_words.CLOSED, phase_words.FIREWALL),
}


@dataclass(frozen=True, slots=True)
class ExplainedPhase:
    """What was seen of some addresses of a target, or of its name, and what to check.

    Args:
        phase: how far the probe came; None without a port.
        addresses: the addresses of which it was seen; none for a lookup.
        facts: what this computer itself knows, each as a sentence: a cause, not a guess.
        checks: what to check, the likeliest first: at most four, without what the facts, a verdict
            or the documents answer.
    """

    phase: Phase | None
    _: KW_ONLY
    addresses: tuple[AnyAddress, ...]
    facts: tuple[str, ...]
    checks: tuple[Check, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "phase": self.phase and self.phase.value,
            "addresses": list(map(str, self.addresses)),
            "facts": list(self.facts),
            "checks": list(map(Check.to_dict, self.checks)),
        }


@dataclass(frozen=True, slots=True)
class ExplainedConclusion:
    """A conclusion in sentences; `str` returns them as lines.

    Args:
        conclusion: the conclusion.
        phases: what was seen where the port is not open.
        not_tested: what an open port does not show.
        verdicts: whether this computer can reach the addresses, by their networks and by documents.
        remarks: sentences about the target itself.
        next: what to do next.
    """

    conclusion: Conclusion
    _: KW_ONLY
    phases: tuple[ExplainedPhase, ...]
    not_tested: tuple[Check, ...]
    verdicts: tuple[ExplainedVerdict, ...]
    remarks: tuple[str, ...]
    next: "tuple[NextStep, ...]"

    @property
    def summary(self) -> str:
        """The target, and whether it is open; without a port, what the lookup and routes say."""
        return f"{self.conclusion.target.text}: {_result(self.conclusion)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person, indented below the summary, without the next steps."""
        yield self.summary
        for line in self._details():
            yield f"  {line}"

    def _details(self) -> Iterator[str]:
        title = "Check"
        yield from self.remarks
        for explained in self.verdicts:
            yield from _verdict_lines(explained)
            if explained.verdict.reachable:
                title = f"{explained.permitted.partition(',')[0]}. Check"
        for seen in self.phases:
            is_one_of = len(self.conclusion.counts) > 1 or len(seen.addresses) > 1
            if seen.phase is not None and seen.addresses and is_one_of:
                shown = ", ".join(map(str, seen.addresses[:_SHOWN]))
                yield f"{WORDS[seen.phase].seen} ({len(seen.addresses)}): {shown}"
            yield from seen.facts
            yield from check_lines(title, seen.checks)
        yield from check_lines("Not tested. If the app does not respond, check", self.not_tested)

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            **self.conclusion.to_dict(),
            "phases": list(map(ExplainedPhase.to_dict, self.phases)),
            "not_tested": list(map(Check.to_dict, self.not_tested)),
            "remarks": list(self.remarks),
            "verdicts": list(map(ExplainedVerdict.to_dict, self.verdicts)),
            "next": [step.to_dict() for step in self.next],
        }


def _verdict_lines(explained: ExplainedVerdict) -> Iterator[str]:
    """Yield a verdict and its reasons; the ways around a no are those of the next step, `reach`."""
    indent = ""
    if explained.verdict.reachable is False:
        yield explained.summary
        indent = "  "
    shown: set[str] = set()  # both ends may be in no document
    for reason in explained.reasons:
        is_said = reason.text in shown or reason.text in explained.summary
        if reason.finding.kind not in _EXPECTED and not is_said:
            yield f"{indent}{reason}"
        shown.add(reason.text)


def _result(conclusion: Conclusion) -> str:
    """Return what was seen of a target, in a few words."""
    counts = conclusion.counts
    if not counts:
        return "no port was given"
    if conclusion.rounds == 1 and conclusion.is_open:
        return "port open (TCP handshake only; no data was sent)"
    if conclusion.rounds == 1 and conclusion.unfound is not None:
        return lookup_failed(conclusion.unfound)
    if conclusion.rounds == 1 and len(counts) == 1:
        return WORDS[next(iter(counts))].seen
    seen = ", ".join(f"{count} {WORDS[phase].seen}" for phase, count in counts.items())
    if conclusion.rounds == 1:
        return seen
    return f"{seen} ({conclusion.rounds} rounds)"


# --- what it means --------------------------------------------------------------------------------


def explain_conclusion(
    conclusion: Conclusion,
    own: ThisComputer,
    networks: NetworkMap | None = None,
    *,
    is_incomplete: bool = False,
) -> ExplainedConclusion:
    """Return a conclusion in sentences.

    Args:
        conclusion: the last step of a probe, or what `conclude_rounds` returned.
        own: the first step of the same probe.
        networks: the documents, if there are any.
        is_incomplete: whether a document, or a part of one, could not be used.

    >>> from fdaa.probe import probe
    >>> own, *_, conclusion = probe("[::1]:1")
    >>> print(explain_conclusion(conclusion, own))
    [::1]:1: refused
      No program on this computer listens on TCP port 1: ss -ltunp.
    """
    check_type(conclusion, "conclusion", Conclusion)
    check_type(own, "own", ThisComputer)
    check_type(networks, "networks", NetworkMap, NoneType)
    networks = without_nothing(networks)
    was_open = {each.address for each in conclusion.connections if each.was_open}
    verdicts: list[ExplainedVerdict] = []
    if not conclusion.is_open:
        for source, target in _ends(conclusion, own, was_open, networks):
            verdict = reach(source, target, networks)
            if networks is not None or verdict.reachable is False:  # a yes is what was expected
                verdicts.append(
                    explain_verdict(verdict, networks, is_tried=True, is_incomplete=is_incomplete)
                )
    outcomes = {explained.verdict.outcome for explained in verdicts}
    answered = _answered(conclusion, own, outcomes, networks)
    phases = []
    for phase, addresses in conclusion.phases.items():
        known = answered.copy()
        known.update(known_by_documents(networks, set(), addresses))
        if not any(isinstance(each, Address) and each not in was_open for each in addresses):
            known.add(phase_words.GONE)
        is_explained = bool(outcomes) and outcomes <= _DENIED and phase in phase_words.NOTHING_BACK
        phases.append(_phase(conclusion, phase, addresses, known, is_explained=is_explained))
    not_tested: tuple[Check, ...] = ()
    if conclusion.is_open:
        checks = list(AFTER_OPEN)
        if conclusion.lookups and not conclusion.lookups[-1].ipv4:
            checks.insert(0, phase_words.IPV6_ONLY)
        not_tested = filled(checks, (), {"target": conclusion.opened[0]})
    return ExplainedConclusion(
        conclusion,
        phases=tuple(phases),
        not_tested=not_tested,
        verdicts=tuple(verdicts),
        remarks=tuple(_remarks(conclusion, own)),
        next=tuple(_next(conclusion, verdicts)),
    )


def _ends(
    conclusion: Conclusion,
    own: ThisComputer,
    was_open: set[AnyAddress],
    networks: NetworkMap | None,
) -> list[tuple[Address, Address | App]]:
    """Return source and target of each verdict: one for a network, or for an app not found."""
    if own.on_interface is None:
        return []
    ends: dict[object, tuple[Address, Address | App]] = {}
    for connection in conclusion.connections:
        address = connection.address
        if isinstance(address, Address) and address not in was_open:
            source = connection.source
            if not isinstance(source, Address):
                source = own.on_interface
            ends.setdefault(address.network_id, (source, address))
    app = conclusion.target.app
    if not conclusion.connections and app is not None and networks is not None:
        ends[app] = (own.on_interface, App(app))
    return list(ends.values())


def _answered(
    conclusion: Conclusion,
    own: ThisComputer,
    outcomes: set[Outcome],
    networks: NetworkMap | None,
) -> set[Check]:
    """Return the checks that the probe answers, and the documents."""
    target = conclusion.target
    # It asks for IPv6, and compares the networks.
    answered = {phase_words.BRACKETS, phase_words.IPV6_ONLY, phase_words.NETWORK}
    if own.on_interface is not None:
        answered.add(phase_words.OUTSIDE)
    if not target.is_internal:
        answered |= {phase_words.OTHER_NAME, phase_words.NO_MACHINE}
    if target.app is not None:
        answered.update(known_by_documents(networks, {target.app}, ()))
    if outcomes and outcomes <= _DENIED:  # what responded, though, may be another Machine
        answered |= {phase_words.GONE, phase_words.FIREWALL}
    if Outcome.NOTHING_RESPONDS in outcomes:
        answered |= {phase_words.GONE, phase_words.SLOW}
    return answered


def _phase(
    conclusion: Conclusion,
    phase: Phase | None,
    addresses: tuple[AnyAddress, ...],
    answered: set[Check],
    *,
    is_explained: bool,
) -> ExplainedPhase:
    """Return what is known of the addresses of one phase, and what is left to check."""
    words = _words(conclusion, addresses)
    facts = []
    for fact in conclusion.facts:
        if not _is_about(fact, addresses, conclusion):
            continue
        if fact.kind is not FactKind.IN_HOSTS:  # that is a remark, which comes first
            facts.append(_fact(fact, words))
        answers = FACTS[fact.kind][1]
        if answers is None:
            is_explained = True
        else:
            answered.update(answers)
    checks: tuple[Check, ...] = ()
    if phase is not None and not is_explained:
        checks = _checks(phase, conclusion)
    return ExplainedPhase(
        phase, addresses=addresses, facts=tuple(facts), checks=filled(checks, answered, words)
    )


def _is_about(fact: LocalFact, addresses: tuple[AnyAddress, ...], conclusion: Conclusion) -> bool:
    """Return whether a fact is about a phase: one of its addresses, or for a lookup, of no target.

    Where a lookup failed in one round, others may have facts about the addresses that they found.
    """
    if fact.address is None:
        return True
    if addresses:
        return fact.address in addresses
    return fact.address not in {connection.address for connection in conclusion.connections}


def _checks(phase: Phase, conclusion: Conclusion) -> tuple[Check, ...]:
    lookup = conclusion.unfound
    if phase is Phase.LOOKUP and lookup is not None:
        if lookup.host == LOCALHOST:
            return ()
        if lookup.ipv4:
            return (phase_words.SPELLING, phase_words.RESOLVER)
        return checks_of(phase, lookup.error or "")
    return _OF_PROBE.get(phase, WORDS[phase].checks)


def _words(conclusion: Conclusion, addresses: tuple[AnyAddress, ...]) -> dict[str, object]:
    target = conclusion.target
    words: dict[str, object] = {"host": target.host, "port": f"port {target.port}"}
    if target.app is not None:
        words["app"] = f"App {inline(target.app)}"
    if target.host is not None:
        words["name"] = inline(target.host)
    if addresses:
        words["target"] = addresses[0]
    return words


def _fact(fact: LocalFact, words: Mapping[str, object]) -> str:
    text = FACTS[fact.kind][0]
    words = {**words, "detail": printable(fact.detail), "address": fact.address}
    return sentence(text.format_map(words))


def _remarks(conclusion: Conclusion, own: ThisComputer) -> Iterator[str]:
    """Yield sentences about the target itself."""
    for fact in conclusion.facts:
        if fact.kind is FactKind.IN_HOSTS:
            yield _fact(fact, _words(conclusion, ()))
    with_port = glued_port(conclusion.target.text)
    if with_port is not None:
        yield f"It was read as an address without a port; with one: {with_port}"
    for connection in conclusion.connections:
        if connection.was_open and own.has_other_network(connection.address):
            yield "The networks differ, so some cross-network route exists."
            break


def _next(conclusion: Conclusion, verdicts: list[ExplainedVerdict]) -> Iterator[NextStep]:
    """Yield the steps that are not a probe of the same target."""
    for explained in verdicts:
        verdict = explained.verdict
        target: Address | Host
        if verdict.outcome is Outcome.CROSS_NETWORK_ADDRESS and conclusion.lookups:
            yield ProbeStep(verdict.via[0], port=conclusion.target.port)
        elif explained.ways:
            target = Host(str(verdict.target))
            if isinstance(verdict.target, Address):
                target = verdict.target
            yield ReachStep(source=None, target=target)
