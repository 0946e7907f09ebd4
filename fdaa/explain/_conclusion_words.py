"""Conclusions of a probe as sentences: what is known on this computer, and what to check."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from types import NoneType

from fdaa._support.escapes import inline, printable
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.hosts import Host
from fdaa.explain import _phase_words as phase_words
from fdaa.explain._about import is_known_to_run, started_machines
from fdaa.explain._known_names import without_nothing
from fdaa.explain._phase_words import AFTER_OPEN, FACTS, WORDS, checks_of, filled, sentence
from fdaa.explain._steps import DecodeStep, NextStep, ProbeStep, ReachStep
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import Phase
from fdaa.networks import App, NetworkMap, Outcome, reach
from fdaa.probe import AnyAddress, Conclusion, Connection, FactKind, LocalFact, Lookup, ThisComputer

_IPV4_SHOWN = 3
_WAYS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class ExplainedPhase:
    """What was seen of some addresses of a target, or of its name, and what to check.

    Args:
        phase: how far the probe came; None without a port.
        addresses: the addresses of which it was seen; none for a lookup.
        facts: what this computer itself knows, each as a sentence: a cause, not a guess.
        checks: what to check, the likeliest first: at most four, without what the facts answer.
    """

    phase: Phase | None
    _: KW_ONLY
    addresses: tuple[AnyAddress, ...]
    facts: tuple[str, ...]
    checks: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            "phase": self.phase and self.phase.value,
            "addresses": [str(address) for address in self.addresses],
            "facts": list(self.facts),
            "checks": list(self.checks),
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
    not_tested: tuple[str, ...]
    verdicts: tuple[ExplainedVerdict, ...]
    remarks: tuple[str, ...]
    next: tuple[NextStep, ...]

    @property
    def summary(self) -> str:
        """The target, and whether it is open; without a port, what the lookup and routes say."""
        conclusion = self.conclusion
        text = conclusion.target.text
        if conclusion.rounds > 1:
            counts = [f"{count} {WORDS[phase].seen}" for phase, count in conclusion.counts.items()]
            return f"{text}: {', '.join(counts)} ({conclusion.rounds} rounds)"
        if conclusion.lookup is not None and not conclusion.lookup.addresses:
            return f"{text}: {seen_of(conclusion.lookup)}"
        tried = len(conclusion.tried)
        if conclusion.target.port is None:
            routed = sum(connection.phase is None for connection in conclusion.connections)
            there_is = (
                "there is a route" if routed == tried else f"{routed} of {tried} have a route"
            )
            return f"{text}: {there_is}; no port was given"
        if 0 < len(conclusion.opened) < tried:
            return f"{text}: open at {len(conclusion.opened)} of {tried} addresses"
        if conclusion.opened:
            return f"{text}: port open (TCP handshake only; no data was sent)"
        phases = dict.fromkeys(WORDS[phase].seen for phase in conclusion.counts)
        return f"{text}: {', '.join(phases)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines for a person, indented below the summary, without the next steps."""
        yield self.summary
        for explained in self.verdicts:
            first, *others = replace(explained, ways=explained.ways[:_WAYS_SHOWN]).lines()
            yield f"  {explained.permitted if explained.verdict.reachable else first}"
            yield from (f"  {line}" for line in others)
        yield from (f"  {remark}" for remark in self.remarks)
        if self.conclusion.untried:
            tried = len(self.conclusion.tried)
            yield f"  {tried} of {tried + self.conclusion.untried} addresses were tried."
        for seen in self.phases:
            if seen.addresses and len(self.conclusion.tried) > 1 and seen.phase:
                shown = ", ".join(map(str, seen.addresses[:3]))
                more = len(seen.addresses) - 3
                shown += f" and {more} more" if more > 0 else ""
                yield f"  {shown}: {WORDS[seen.phase].seen}."
            yield from (f"  {fact}" for fact in seen.facts)
            yield from _numbered("Check, the likeliest first:", seen.checks)
        yield from _numbered("Not tested; if the app does not respond:", self.not_tested)

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for `json.dumps`."""
        return {
            **self.conclusion.to_dict(),
            "phases": [explained.to_dict() for explained in self.phases],
            "not_tested": list(self.not_tested),
            "remarks": list(self.remarks),
            "verdicts": [explained.to_dict() for explained in self.verdicts],
            "next": [step.to_dict() for step in self.next],
        }


def _numbered(title: str, checks: tuple[str, ...]) -> Iterator[str]:
    if checks:
        yield f"  {title}"
    for number, check in enumerate(checks, 1):
        yield f"    {number}. {check}"


def seen_of(step: Lookup | Connection) -> str:
    """Return what a step of a probe saw, in a few words."""
    if isinstance(step, Connection):
        seen = WORDS[step.phase].seen if step.phase is not None else "there is a route"
        is_said = step.error is None or step.phase in (Phase.REFUSED, Phase.RESPONDED)
        shows_error = not is_said or step.error == os.strerror(errno.EACCES)
        return f"{seen} ({printable(step.error or '')})" if shows_error else seen
    if step.addresses:
        noun = "address" if len(step.addresses) == 1 else "addresses"
        return f"{len(step.addresses)} IPv6 {noun}"
    if step.ipv4:
        ipv4 = ", ".join(map(str, step.ipv4[:_IPV4_SHOWN]))
        return f"no IPv6 address, but IPv4 ({ipv4})"
    return f"no address ({printable(step.error or 'unknown error')})"


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
    verdicts = (
        () if conclusion.is_open else tuple(_verdicts(conclusion, own, networks, is_incomplete))
    )
    phases = []
    lookup = conclusion.lookup
    if lookup is not None and lookup.phase is not None:
        phases.append(_explained(conclusion, lookup.phase, (), own, verdicts, networks))
    for phase, connections in conclusion.phases.items():
        addresses = tuple(dict.fromkeys(connection.address for connection in connections))
        phases.append(_explained(conclusion, phase, addresses, own, verdicts, networks))
    not_tested: tuple[str, ...] = ()
    if conclusion.opened:
        words = {"target": conclusion.opened[0]}
        not_tested = filled(AFTER_OPEN, (), words)
    return ExplainedConclusion(
        conclusion,
        phases=tuple(phases),
        not_tested=not_tested,
        verdicts=verdicts,
        remarks=tuple(_remarks(conclusion, own, networks)),
        next=tuple(_next(conclusion, verdicts, networks)),
    )


def _verdicts(
    conclusion: Conclusion, own: ThisComputer, networks: NetworkMap | None, is_incomplete: bool
) -> Iterable[ExplainedVerdict]:
    """Yield a verdict for each network of the addresses, or else of the app.

    Without documents, only a no says more than what was seen.
    """
    if own.on_interface is None:
        return
    failed = [each for each in conclusion.connections if each.phase is not Phase.CONNECTED]
    ends: dict[object, tuple[Address, Address | App]] = {}
    for connection in failed:
        source = connection.source if isinstance(connection.source, Address) else own.on_interface
        if isinstance(connection.address, Address):
            ends.setdefault(connection.address.network_id, (source, connection.address))
    app = conclusion.target.app
    if not failed and app is not None and networks is not None:
        ends[app] = (own.on_interface, App(app))
    for source, end in ends.values():
        verdict = reach(source, end, networks)
        if networks is not None or verdict.reachable is False:
            yield explain_verdict(verdict, networks, is_tried=True, is_incomplete=is_incomplete)


def _explained(
    conclusion: Conclusion,
    phase: Phase | None,
    addresses: tuple[AnyAddress, ...],
    own: ThisComputer,
    verdicts: tuple[ExplainedVerdict, ...],
    networks: NetworkMap | None,
) -> ExplainedPhase:
    """Return what is known of the addresses of one phase, and what to check."""
    target = conclusion.target
    words: dict[str, object] = {"host": target.host, "port": f"port {target.port}"}
    if target.app is not None:
        words["app"] = f"App {inline(target.app)}"
    if target.host is not None:
        words["name"] = inline(target.host)
    if addresses:
        words["target"] = addresses[0]
    known = list(_known(conclusion, addresses, verdicts, networks))
    sentences = []
    is_settled = False
    for fact in conclusion.facts:
        if fact.address is not None and addresses and fact.address not in addresses:
            continue
        text, answered = FACTS[fact.kind]
        sentences.append(sentence(text.format_map({**words, **_words_of(fact)})))
        is_settled = is_settled or answered is None
        known += answered or ()
    checks: tuple[str, ...] = ()
    if phase is not None and not is_settled:
        known += [] if own.on_interface is None else [phase_words.OUTSIDE]
        checks = filled(_checks(phase, conclusion), known, words)
    return ExplainedPhase(
        phase,
        addresses=addresses,
        facts=tuple(sentences),
        checks=checks,
    )


def _checks(phase: Phase, conclusion: Conclusion) -> tuple[str, ...]:
    lookup = conclusion.lookup
    if phase is Phase.HERE:
        return (phase_words.LIMIT,)
    if phase is Phase.LOOKUP and lookup is not None:
        if lookup.ipv4:
            return (phase_words.SPELLING, phase_words.RESOLVER)
        return checks_of(phase, lookup.error or "")
    if phase is Phase.RESPONDED:
        return (phase_words.CLOSED, phase_words.FIREWALL)
    errors = {connection.error for connection in conclusion.phases.get(phase, ())}
    if phase is Phase.REFUSED and errors == {os.strerror(errno.EACCES)}:
        return (phase_words.FIREWALL, phase_words.WAY)  # a message says that it is prohibited
    return WORDS[phase].checks


def _words_of(fact: LocalFact) -> dict[str, object]:
    detail = printable(fact.detail)
    if fact.kind is FactKind.IN_HOSTS:
        detail = f"has {detail}" if detail != "no response" else "does not respond"
    words: dict[str, object] = {"detail": detail, "origin": printable(fact.origin)}
    return words if fact.address is None else {**words, "address": fact.address}


def _known(
    conclusion: Conclusion,
    addresses: tuple[AnyAddress, ...],
    verdicts: tuple[ExplainedVerdict, ...],
    networks: NetworkMap | None,
) -> Iterable[str]:
    """Yield the checks that the probe, the verdicts or the documents answer already."""
    target = conclusion.target
    yield phase_words.BRACKETS
    yield phase_words.IPV6_ONLY
    if networks is None or target.app not in networks.apps:
        yield from [phase_words.RESOLVER] if _says_of_the_name(conclusion.lookup) else []
    yield phase_words.NETWORK  # there is a verdict, or no own address
    if not target.is_internal:
        yield from (phase_words.OTHER_NAME, phase_words.NO_MACHINE)
    if not any(isinstance(address, Address) for address in addresses):
        yield phase_words.GONE
    denied = [each.verdict for each in verdicts if each.verdict.reachable is False]
    is_silent = not conclusion.phases.keys() - {Phase.SILENT, Phase.UNREACHABLE}
    if denied and len(denied) == len(verdicts) and is_silent:
        yield from (
            phase_words.GONE,
            phase_words.SLOW,
            phase_words.OTHER_NAME,
            phase_words.SPELLING,
        )
        yield phase_words.NO_MACHINE
        yield phase_words.RESOLVER
    if networks is None:
        return
    if target.app in networks.apps:
        yield phase_words.SPELLING  # and the resolver remains
        if started_machines(str(target.app), networks):
            yield phase_words.NO_MACHINE
    private = [address for address in addresses if isinstance(address, Address)]
    if private and all(is_known_to_run(address, networks) for address in private):
        yield phase_words.GONE


def _says_of_the_name(lookup: Lookup | None) -> bool:
    """Return whether the resolver answered: then the name is misspelled rather."""
    return lookup is not None and len(checks_of(Phase.LOOKUP, lookup.error or "")) > 1


def _remarks(
    conclusion: Conclusion, own: ThisComputer, networks: NetworkMap | None
) -> Iterable[str]:
    """Yield sentences about the target itself."""
    target = conclusion.target
    if target.with_brackets is not None:
        yield f"It was read as an address without a port; with one: {target.with_brackets}"
    if networks is not None and target.app is not None and target.app not in networks.apps:
        hint = did_you_mean(target.app, networks.apps)
        if hint:
            yield f"{inline(target.app)} is in none of these documents{hint}"
    if any(own.has_other_network(address) for address in conclusion.opened):
        yield "The networks differ, so some cross-network route exists."
    is_public = [
        each for each in conclusion.tried if not isinstance(each, Address) and target.is_internal
    ]
    if is_public:
        yield f"{is_public[0]} is not private, though {inline(target.host)} is a private name."


def _next(
    conclusion: Conclusion, verdicts: tuple[ExplainedVerdict, ...], networks: NetworkMap | None
) -> Iterable[NextStep]:
    """Yield the steps that are not a probe of the same target."""
    target = conclusion.target
    if conclusion.is_open:
        return
    for explained in verdicts:
        if explained.verdict.outcome is Outcome.CROSS_NETWORK_ADDRESS and target.host is not None:
            yield ProbeStep(explained.verdict.via[0], port=target.port)
    if networks is None and target.app is not None and not verdicts:
        yield ReachStep(source=None, target=Host(target.app))
    for connection in conclusion.connections[:1]:
        address = connection.address
        if isinstance(address, Address) and connection.phase in _MAY_BE_GONE and not verdicts:
            yield DecodeStep(address)


_MAY_BE_GONE = (Phase.REFUSED, Phase.UNREACHABLE, Phase.SILENT)
