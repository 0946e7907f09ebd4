"""What a probe saw as sentences: its steps, what is known on this computer, and what to check."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from types import NoneType

from fdaa._support.escapes import inline, printable
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.ends import glued_port
from fdaa._values.hosts import LOCALHOST, Host
from fdaa.explain import _phase_words as phase_words
from fdaa.explain._about import is_known_to_run, started_machines
from fdaa.explain._known_names import without_nothing
from fdaa.explain._phase_words import AFTER_OPEN, FACTS, WORDS, Check, checks_of, filled, sentence
from fdaa.explain._step_words import seen_of
from fdaa.explain._steps import NextStep, ProbeStep, ReachStep
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import Phase
from fdaa.networks import App, NetworkMap, Outcome, Reason, reach
from fdaa.probe import (
    AnyAddress,
    Conclusion,
    FactKind,
    LocalFact,
    ThisComputer,
)

_SHOWN = 3  # of addresses; JSON has all
_SHORT = 0.5  # seconds
_EXPECTED = (Reason.SAME_ID, Reason.SAME_NAME)  # of a yes, which needs no reason
_DENIED = {Outcome.DIFFERENT_NETWORKS, Outcome.OWN_CROSS_NETWORK_ADDRESS}
# Where networks that differ explain it alone.
_NOTHING_BACK = (Phase.LOOKUP, Phase.SILENT, Phase.UNREACHABLE)


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
        for line in self._details():
            yield f"  {line}"

    def _details(self) -> Iterator[str]:
        title = "Check"
        yield from self.remarks
        for explained in self.verdicts:
            yield from _verdict_lines(explained)
            if explained.verdict.reachable and explained.permitted is not None:
                permitted, _, _ = explained.permitted.partition(",")
                title = f"{permitted}. Check"
        for seen in self.phases:
            if seen.phase is not None and len(self.conclusion.tried) > 1:
                yield f"{_listed(seen.addresses)}: {WORDS[seen.phase].seen}."
            yield from seen.facts
            yield from _numbered(title, seen.checks)
        yield from _numbered("Not tested. If the app does not respond, check", self.not_tested)

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


def _numbered(title: str, checks: tuple[Check, ...]) -> Iterator[str]:
    if len(checks) == 1:
        yield f"{title}: {checks[0]}"
        return
    if checks:
        yield f"{title}, the likeliest first:"
    for number, check in enumerate(checks, 1):
        yield f"  {number}. {check}"


def _listed(addresses: tuple[AnyAddress, ...]) -> str:
    """Return some addresses, and how many more there are."""
    shown = ", ".join(map(str, addresses[:_SHOWN]))
    more = len(addresses) - _SHOWN
    if more > 0:
        return f"{shown} and {more} more"
    return shown


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
    if conclusion.rounds > 1:
        seen = ", ".join(f"{count} {WORDS[phase].seen}" for phase, count in counts.items())
        return f"{seen} ({conclusion.rounds} rounds)"
    if conclusion.lookup is not None and not conclusion.lookup.addresses:
        return seen_of(conclusion.lookup)
    tried = len(conclusion.tried)
    if conclusion.target.port is None:
        routed = len(conclusion.phases.get(None, ()))
        if routed == tried:
            return "there is a route; no port was given"
        return f"{routed} of {tried} have a route; no port was given"
    if 0 < len(conclusion.opened) < tried:
        return f"open at {len(conclusion.opened)} of {tried} addresses"
    if conclusion.opened:
        return "port open (TCP handshake only; no data was sent)"
    return ", ".join(WORDS[phase].seen for phase in counts)


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
    seen: dict[Phase | None, tuple[AnyAddress, ...]] = {}
    if conclusion.lookup is not None and conclusion.lookup.phase is not None:
        seen[conclusion.lookup.phase] = ()
    for phase, connections in conclusion.phases.items():
        seen[phase] = tuple(dict.fromkeys(each.address for each in connections))
    phases = []
    for phase, addresses in seen.items():
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
    was_open = conclusion.was_open
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
    answered = set(_answered(conclusion, addresses, own, networks))
    outcomes = {explained.verdict.outcome for explained in verdicts}
    is_denied = bool(outcomes) and outcomes <= _DENIED
    if is_denied:  # what responded, though, may be another Machine, or a firewall between them
        answered |= {phase_words.GONE, phase_words.FIREWALL}
    if Outcome.NOTHING_RESPONDS in outcomes:
        answered |= {phase_words.GONE, phase_words.SLOW}
    facts = []
    is_settled = is_denied and phase in _NOTHING_BACK
    for fact in conclusion.facts:
        if addresses and fact.address is not None and fact.address not in addresses:
            continue
        text, answers = FACTS[fact.kind]
        if fact.kind is not FactKind.IN_HOSTS:  # that is a remark, which comes first
            facts.append(_fact(text, fact, words))
        if answers is None:
            is_settled = True
        else:
            answered.update(answers)
    if phase is None or is_settled:
        return tuple(facts), ()
    checks = _checks(phase, conclusion)
    if phase_words.SPELLING in checks and phase_words.SPELLING not in answered:
        answered.add(phase_words.RESOLVER)  # it has what may be wrong with the resolver, too
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


def _answered(
    conclusion: Conclusion,
    addresses: tuple[AnyAddress, ...],
    own: ThisComputer,
    networks: NetworkMap | None,
) -> Iterator[Check]:
    """Yield the checks that the probe answers, and the documents."""
    target = conclusion.target
    # It asks for IPv6, and compares the networks.
    yield from (phase_words.BRACKETS, phase_words.IPV6_ONLY, phase_words.NETWORK)
    if own.on_interface is not None:
        yield phase_words.OUTSIDE
    if not target.is_internal:
        yield phase_words.OTHER_NAME
        yield phase_words.NO_MACHINE
    private = [address for address in addresses if isinstance(address, Address)]
    if not private or conclusion.was_open.issuperset(private):
        yield phase_words.GONE
    if networks is None:
        return
    if target.app is not None and target.app in networks.apps:
        yield phase_words.SPELLING  # and the resolver remains
        if started_machines(target.app, networks):
            yield phase_words.NO_MACHINE
    if all(is_known_to_run(address, networks) for address in private):
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


def _fact(text: str, fact: LocalFact, words: dict[str, object]) -> str:
    of_fact = {"detail": printable(fact.detail), "origin": printable(fact.origin)}
    return sentence(text.format_map({**words, **of_fact, "address": fact.address}))


def _remarks(conclusion: Conclusion, own: ThisComputer) -> Iterator[str]:
    """Yield sentences about the target itself."""
    target = conclusion.target
    in_hosts = []
    for fact in conclusion.facts:
        if fact.kind is FactKind.IN_HOSTS:
            in_hosts.append(fact.address)
            yield _fact(FACTS[fact.kind][0], fact, _words(conclusion, ()))
    with_port = glued_port(target.text)
    if with_port is not None:
        yield f"It was read as an address without a port; with one: {with_port}"
    if conclusion.untried:
        tried = len(conclusion.tried)
        yield f"{tried} of {tried + conclusion.untried} addresses were tried."
    remarks: list[str] = []
    for connection in conclusion.connections:
        address = connection.address
        if connection.was_open and own.has_other_network(address):
            remarks.append("The networks differ, so some cross-network route exists.")
        if connection.phase is Phase.SILENT and connection.seconds < _SHORT:
            remarks.append("The timeout is short: a router takes 3 seconds to report an address.")
        is_private = isinstance(address, Address) or address in in_hosts
        if target.is_internal and not is_private:
            remarks.append(f"{address} is not private, though {target.host} is a private name.")
    yield from dict.fromkeys(remarks)


def _next(conclusion: Conclusion, verdicts: tuple[ExplainedVerdict, ...]) -> Iterable[NextStep]:
    """Yield the steps that are not a probe of the same target."""
    for explained in verdicts:
        verdict = explained.verdict
        target: Address | Host
        if verdict.outcome is Outcome.CROSS_NETWORK_ADDRESS and conclusion.lookup is not None:
            yield ProbeStep(verdict.via[0], port=conclusion.target.port)
        elif explained.ways:
            target = Host(str(verdict.target))
            if isinstance(verdict.target, Address):
                target = verdict.target
            yield ReachStep(source=None, target=target)
