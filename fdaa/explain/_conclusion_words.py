"""What a probe saw as sentences: its steps, what is known on this computer, and what to check."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from types import NoneType

from fdaa._support.escapes import inline, printable
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import glued_port
from fdaa._values.hosts import LOCALHOST, Host
from fdaa._values.membership import PRIVATE_IP_VARIABLE
from fdaa.explain import _phase_words as phase_words
from fdaa.explain._about import is_known_to_run, started_machines
from fdaa.explain._known_names import describe_network_of, without_nothing
from fdaa.explain._phase_words import AFTER_OPEN, FACTS, WORDS, Check, checks_of, filled, sentence
from fdaa.explain._steps import NextStep, ProbeStep, ReachStep
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import Phase
from fdaa.networks import App, NetworkMap, Outcome, Reason, reach
from fdaa.probe import (
    AnyAddress,
    Conclusion,
    Connection,
    FactKind,
    Lookup,
    Step,
    ThisComputer,
)

_SHOWN = 3  # of addresses; JSON has all
_BELOW = " " * 13  # below what was seen
_COMPARED = {True: ", another network", False: ", same network", None: ""}
_SHORT = 0.5  # seconds
_EXPECTED = (Reason.SAME_ID, Reason.SAME_NAME)  # of a yes, which needs no reason
_DENIED = {Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS}
# Where networks that differ explain it alone.
_NOTHING_BACK = (Phase.LOOKUP, Phase.SILENT, Phase.UNREACHABLE)
# What a probe answers always: it asks for IPv6, and compares the networks.
_ANSWERED = (phase_words.BRACKETS, phase_words.IPV6_ONLY, phase_words.NETWORK)


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
            "addresses": [str(address) for address in self.addresses],
            "facts": list(self.facts),
            "checks": [check.to_dict() for check in self.checks],
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
    next: tuple[NextStep, ...]

    @property
    def summary(self) -> str:
        """The target, and whether it is open; without a port, what the lookup and routes say."""
        return f"{self.conclusion.target.text}: {_result(self.conclusion)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person, indented below the summary, without the next steps."""
        yield self.summary
        for explained in self.verdicts:
            yield from (f"  {line}" for line in _verdict_lines(explained))
        yield from (f"  {remark}" for remark in self.remarks)
        for seen in self.phases:
            if seen.phase is not None and len(self.conclusion.tried) > 1:
                shown = ", ".join(map(str, seen.addresses[:_SHOWN]))
                more = len(seen.addresses) - _SHOWN
                shown += f" and {more} more" if more > 0 else ""
                yield f"  {shown}: {WORDS[seen.phase].seen}."
            yield from (f"  {fact}" for fact in seen.facts)
            yield from _numbered(self._title_of_checks, seen.checks)
        yield from _numbered("Not tested; if the app does not respond:", self.not_tested)

    @property
    def _title_of_checks(self) -> str:
        title = "Check, the likeliest first:"
        permitted = [each.permitted for each in self.verdicts if each.verdict.reachable]
        if permitted and permitted[0] is not None:
            return f"{permitted[0].partition(',')[0]}. {title}"
        return title

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            **self.conclusion.to_dict(),
            "phases": [explained.to_dict() for explained in self.phases],
            "not_tested": [check.to_dict() for check in self.not_tested],
            "remarks": list(self.remarks),
            "verdicts": [explained.to_dict() for explained in self.verdicts],
            "next": [step.to_dict() for step in self.next],
        }


def _numbered(title: str, checks: tuple[Check, ...]) -> Iterator[str]:
    if checks:
        yield f"  {title}"
    for number, check in enumerate(checks, 1):
        yield f"    {number}. {check}"


def _verdict_lines(explained: ExplainedVerdict) -> Iterator[str]:
    """Yield a verdict and its reasons; the ways around a no are those of the next step, `reach`."""
    reasons = [str(each) for each in explained.reasons if each.finding.kind not in _EXPECTED]
    if explained.verdict.reachable is False:
        yield explained.summary
    for reason in reasons:
        if reason not in explained.summary:
            yield f"  {reason}"


# --- what was seen --------------------------------------------------------------------------------


def describe_step(
    step: Step, own: ThisComputer, networks: NetworkMap | None = None
) -> Iterator[str]:
    """Yield the lines for a step of a probe; none for a conclusion.

    Args:
        step: the step.
        own: the first step of the same probe.
        networks: the documents, if there are any.
    """
    if isinstance(step, ThisComputer):
        where = PRIVATE_IP_VARIABLE if step.interface is None else inline(step.interface)
        shown = "none"
        if step.address is not None:
            shown = f"{step.address} ({where}), {describe_network_of(step.address, networks)}"
        yield f"own address  {shown}"
    elif isinstance(step, Lookup):
        found = []
        for each in step.addresses[:_SHOWN]:
            compared = _COMPARED[own.has_other_network(each)]
            found.append(f"{each}, {describe_network_of(each, networks)}{compared}")
        if len(found) == 1:
            yield f"lookup       {step.host}: {found[0]}{_after(step)}"
            return
        yield f"lookup       {step.host}: {seen_of(step)}{_after(step)}"
        yield from (f"{_BELOW}{each}" for each in found)
        if len(step.addresses) > _SHOWN:
            yield f"{_BELOW}{len(step.addresses) - _SHOWN} more: --json"
    elif isinstance(step, Connection):
        port = step.target.port
        place = str(step.address) if port is None else f"[{step.address}]:{port}"
        yield f"connection   {place}: {seen_of(step)}{_after(step)}"
        if step.source not in (None, own.address, step.address):
            yield f"{_BELOW}from {step.source}, {describe_network_of(step.source, networks)}"


def _after(step: Lookup | Connection) -> str:
    if step.seconds >= 0.1:
        return f" after {step.seconds:.1f} s"
    return f" after {step.seconds * 1000:.1f} ms" if step.seconds else ""


def seen_of(step: Lookup | Connection) -> str:
    """Return what a step of a probe saw, in a few words."""
    if isinstance(step, Connection):
        if step.phase is None:
            return "there is a route"
        seen = WORDS[step.phase].seen
        is_said = step.phase in (Phase.REFUSED, Phase.RESPONDED) and step.reported_by is None
        if step.error is None or (is_said and step.error != os.strerror(errno.EACCES)):
            return seen
        return f"{seen} ({printable(step.error)})"
    if step.addresses:
        noun = "address" if len(step.addresses) == 1 else "addresses"
        return f"{len(step.addresses)} IPv6 {noun}"
    if step.ipv4:
        return f"no IPv6 address, but IPv4 ({', '.join(map(str, step.ipv4[:_SHOWN]))})"
    return f"no address ({printable(step.error or 'unknown error')})"


def _result(conclusion: Conclusion) -> str:
    """Return what was seen of a target, in a few words."""
    if conclusion.rounds > 1:
        counts = [f"{count} {WORDS[phase].seen}" for phase, count in conclusion.counts.items()]
        return f"{', '.join(counts)} ({conclusion.rounds} rounds)"
    if conclusion.lookup is not None and not conclusion.lookup.addresses:
        return seen_of(conclusion.lookup)
    tried = len(conclusion.tried)
    if conclusion.target.port is None:
        routed = sum(connection.phase is None for connection in conclusion.connections)
        if routed == tried:
            return "there is a route; no port was given"
        return f"{routed} of {tried} have a route; no port was given"
    if 0 < len(conclusion.opened) < tried:
        return f"open at {len(conclusion.opened)} of {tried} addresses"
    if conclusion.opened:
        return "port open (TCP handshake only; no data was sent)"
    return ", ".join(WORDS[phase].seen for phase in conclusion.counts)


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
      No program of this computer listens on port 1: ss -ltnp.
    """
    check_type(conclusion, "conclusion", Conclusion)
    check_type(own, "own", ThisComputer)
    check_type(networks, "networks", NetworkMap, NoneType)
    networks = without_nothing(networks)
    verdicts: tuple[ExplainedVerdict, ...] = ()
    if not conclusion.is_open:
        verdicts = tuple(_verdicts(conclusion, own, networks, is_incomplete))
    seen: list[tuple[Phase | None, tuple[AnyAddress, ...]]] = []
    if conclusion.lookup is not None and conclusion.lookup.phase is not None:
        seen.append((conclusion.lookup.phase, ()))
    for phase, connections in conclusion.phases.items():
        seen.append((phase, tuple(dict.fromkeys(each.address for each in connections))))
    phases = []
    for phase, addresses in seen:
        facts, checks = _known_and_unknown(conclusion, phase, addresses, own, verdicts, networks)
        phases.append(ExplainedPhase(phase, addresses=addresses, facts=facts, checks=checks))
    return ExplainedConclusion(
        conclusion,
        phases=tuple(phases),
        not_tested=_not_tested(conclusion),
        verdicts=verdicts,
        remarks=tuple(_remarks(conclusion, own)),
        next=tuple(_next(conclusion, verdicts)),
    )


def _verdicts(
    conclusion: Conclusion, own: ThisComputer, networks: NetworkMap | None, is_incomplete: bool
) -> Iterable[ExplainedVerdict]:
    """Yield a verdict for each network of the addresses, or else of the app.

    Without documents, only a no says more than what was seen.
    """
    if own.on_interface is None:
        return
    ends: dict[object, tuple[Address, Address | App]] = {}
    for connection in conclusion.connections:
        address = connection.address
        if not connection.was_open and isinstance(address, Address):
            source = connection.source
            if not isinstance(source, Address):
                source = own.on_interface
            ends.setdefault(address.network_id, (source, address))
    app = conclusion.target.app
    if not conclusion.connections and app is not None and networks is not None:
        ends[app] = (own.on_interface, App(app))
    for source, end in ends.values():
        verdict = reach(source, end, networks)
        if networks is not None or verdict.reachable is False:
            yield explain_verdict(verdict, networks, is_tried=True, is_incomplete=is_incomplete)


def _known_and_unknown(
    conclusion: Conclusion,
    phase: Phase | None,
    addresses: tuple[AnyAddress, ...],
    own: ThisComputer,
    verdicts: tuple[ExplainedVerdict, ...],
    networks: NetworkMap | None,
) -> tuple[tuple[str, ...], tuple[Check, ...]]:
    """Return what is known of the addresses of one phase, and what to check."""
    words = _words(conclusion, addresses)
    answered = [*_ANSWERED, *_answered_by_documents(conclusion, addresses, networks)]
    if own.on_interface is not None:
        answered.append(phase_words.OUTSIDE)
    if not conclusion.target.is_internal:
        answered += (phase_words.OTHER_NAME, phase_words.NO_MACHINE)
    if not any(isinstance(address, Address) for address in addresses):
        answered.append(phase_words.GONE)
    outcomes = {explained.verdict.outcome for explained in verdicts}
    is_denied = bool(outcomes) and outcomes <= _DENIED
    if is_denied:  # what responded, though, may be another Machine, or a firewall between them
        answered += (phase_words.GONE, phase_words.FIREWALL)
    if Outcome.NOTHING_RESPONDS in outcomes:
        answered += (phase_words.GONE, phase_words.SLOW)
    facts = []
    is_settled = phase is None or (is_denied and phase in _NOTHING_BACK)
    for fact in conclusion.facts:
        if fact.address is None or not addresses or fact.address in addresses:
            text, answers = FACTS[fact.kind]
            of_fact = {"detail": printable(fact.detail), "origin": printable(fact.origin)}
            facts.append(sentence(text.format_map({**words, **of_fact, "address": fact.address})))
            is_settled = is_settled or answers is None
            answered += answers or ()
    if phase is None or is_settled:
        return tuple(facts), ()
    checks = _checks(phase, conclusion)
    if phase_words.SPELLING in checks and phase_words.SPELLING not in answered:
        answered.append(phase_words.RESOLVER)  # it has what may be wrong with the resolver, too
    return tuple(facts), filled(checks, answered, words)


def _checks(phase: Phase, conclusion: Conclusion) -> tuple[Check, ...]:
    lookup = conclusion.lookup
    if phase is Phase.HERE:
        return (phase_words.LIMIT,)
    if phase is Phase.LOOKUP and lookup is not None:
        if lookup.host == LOCALHOST:
            return ()
        if lookup.ipv4:
            return (phase_words.SPELLING, phase_words.RESOLVER)
        return checks_of(phase, lookup.error or "")
    if phase is Phase.RESPONDED:
        return (phase_words.CLOSED, phase_words.FIREWALL)
    return WORDS[phase].checks


def _answered_by_documents(
    conclusion: Conclusion, addresses: tuple[AnyAddress, ...], networks: NetworkMap | None
) -> Iterable[Check]:
    app = conclusion.target.app
    if networks is None:
        return
    if app is not None and app in networks.apps:
        yield phase_words.SPELLING  # and the resolver remains
        if started_machines(app, networks):
            yield phase_words.NO_MACHINE
    private = [address for address in addresses if isinstance(address, Address)]
    if private and all(is_known_to_run(address, networks) for address in private):
        yield phase_words.GONE


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


def _not_tested(conclusion: Conclusion) -> tuple[Check, ...]:
    """Return what to check if a port is open, and a program that connects to it fails."""
    if not conclusion.is_open:
        return ()
    checks = list(AFTER_OPEN)
    if conclusion.lookup is not None and not conclusion.lookup.ipv4:
        checks.insert(0, phase_words.IPV6_ONLY)
    return filled(checks, (), {"target": conclusion.opened[0]})


def _remarks(conclusion: Conclusion, own: ThisComputer) -> Iterable[str]:
    """Yield sentences about the target itself."""
    target = conclusion.target
    with_port = glued_port(target.text)
    if with_port is not None:
        yield f"It was read as an address without a port; with one: {with_port}"
    if conclusion.untried:
        tried = len(conclusion.tried)
        yield f"{tried} of {tried + conclusion.untried} addresses were tried."
    opened = [each.address for each in conclusion.connections if each.was_open]
    silent = [each for each in conclusion.connections if each.phase is Phase.SILENT]
    if any(connection.seconds < _SHORT for connection in silent):
        yield "The timeout is short: a router reports after 3 seconds that no one has an address."
    if any(own.has_other_network(address) for address in opened):
        yield "The networks differ, so some cross-network route exists."
    public = [each for each in conclusion.tried if not isinstance(each, Address)]
    in_hosts = [fact for fact in conclusion.facts if fact.kind is FactKind.IN_HOSTS]
    if public and target.is_internal and not in_hosts:
        yield f"{public[0]} is not private, though {inline(target.host)} is a private name."


def _next(conclusion: Conclusion, verdicts: tuple[ExplainedVerdict, ...]) -> Iterable[NextStep]:
    """Yield the steps that are not a probe of the same target."""
    target = conclusion.target
    for explained in verdicts:
        verdict = explained.verdict
        if verdict.outcome is Outcome.CROSS_NETWORK_ADDRESS and target.host is not None:
            yield ProbeStep(verdict.via[0], port=target.port)
        elif explained.ways:
            end = verdict.target
            yield ReachStep(source=None, target=end if isinstance(end, Address) else Host(str(end)))
