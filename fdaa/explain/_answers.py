"""The answer about a text: whether, which networks, what its words mean, and what to do."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from types import NoneType

from fdaa._support.escapes import inline
from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type
from fdaa._values.ends import network_or_host, parse_end
from fdaa._values.hosts import EndError, Host
from fdaa.explain._about import end_text, facts_of, is_lone, lines_about, reached, title_of
from fdaa.explain._checks import checks_for
from fdaa.explain._known_names import Names, without_nothing
from fdaa.explain._missing import APP_LIST, MACHINE_LIST, Missing
from fdaa.explain._phase_words import (
    IPV6_ONLY,
    WORDS,
    Check,
    check_lines,
    find_setting,
    meaning_of,
)
from fdaa.explain._steps import NextStep, next_steps
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import CutOff, Line, Phase, Unread, read_line
from fdaa.networks import Holder, NetworkMap, Outcome, Verdict, Way, find_holder, reach

LONGEST_TEXT = 0x10000  # characters; a longer one is for fdaa.scan


@dataclass(frozen=True, slots=True)
class TargetVerdict:
    """Whether the source of a text can reach one of its targets.

    Args:
        explained: the verdict in sentences.
        port: the port of the target, if the text has it.
        phase: how far the program had come with it; None if its words are not known.
    """

    explained: ExplainedVerdict
    _: KW_ONLY
    port: int | None
    phase: Phase | None

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return self.explained.verdict

    @property
    def was_open(self) -> bool:
        """Whether the text shows an open connection to it."""
        return self.phase is not None and self.phase.was_open

    @property
    def is_refuted(self) -> bool:
        """Whether something responded, so that a no is not the answer."""
        is_no = self.verdict.outcome in (Outcome.DIFFERENT_NETWORKS, Outcome.NOTHING_RESPONDS)
        return self.was_open or (is_no and self.phase is Phase.REFUSED)

    @property
    def is_denied(self) -> bool:
        """Whether it is a no that nothing in the text contradicts."""
        return self.verdict.reachable is False and not self.is_refuted

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON."""
        return {**self.explained.to_dict(), "port": self.port, "phase": _value(self.phase)}


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said about a text; `str` returns it as lines, without the next steps.

    Args:
        line: what the text names.
        verdicts: whether its source can reach each target, and why: a no first. None without a
            source, for a program that cannot listen, and for a name without documents.
        title: what the text names: the first line, if neither a verdict nor the meaning is.
        about: a line for each fact about the only address or name, or for each of several.
        meaning: what its words mean; "" if they are not known.
        facts: sentences about what the text names, and how it is written.
        checks: what to check, the likeliest first.
        setting: the setting to change, for the program that it shows; None without one.
        holders: who has each of its addresses; none without documents.
        next: what to do next.
        missing: the documents that would add to the answer.
    """

    line: Line
    _: KW_ONLY
    verdicts: tuple[TargetVerdict, ...]
    title: str
    about: tuple[str, ...]
    meaning: str
    facts: tuple[str, ...]
    checks: tuple[Check, ...]
    setting: str | None
    holders: tuple[Holder, ...]
    next: "tuple[NextStep, ...]"
    missing: tuple[Missing, ...]

    @property
    def is_known(self) -> bool:
        """Whether anything in the text is known; else, the title says so."""
        line = self.line
        named = (line.found, line.apps, line.outside, line.clients)
        return any((*named, line.phase, self.about, self.facts))

    @property
    def first_line(self) -> str:
        """A no; what the words mean; or what the text names."""
        return next(self.lines())

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, basis: bool = False) -> Iterator[str]:
        """Yield the lines for a person: the answer, addresses, why, and what to check.

        Args:
            basis: end each reason and each check with what it rests on.
        """
        # What responded goes beyond a verdict.
        shown = [target for target in self.verdicts if not target.is_refuted]
        is_verdict_first = bool(shown) and (shown[0].is_denied or self.line.phase is None)
        meaning = ""
        if self.meaning:
            meaning = f"{self.meaning}."
        if is_verdict_first:
            yield next(shown[0].explained.lines(basis=basis))
        else:
            yield meaning or self.title
        yield from self.about
        yield from self._verdict_lines(shown, basis, is_said=is_verdict_first)
        if is_verdict_first and meaning:
            yield meaning
        yield from self.facts
        yield from check_lines("Check", self.checks, basis=basis)
        if self.setting is not None:
            yield f"  {self.setting}"
        for target in shown:
            ways = [_WAYS[way.kind] for way in target.verdict.ways if isinstance(way.kind, Way)]
            if ways:
                yield f"Ways around (details: fdaa reach): {', '.join(ways)}."
                return

    def _verdict_lines(
        self, targets: Sequence[TargetVerdict], basis: bool, *, is_said: bool
    ) -> Iterator[str]:
        """Yield each verdict with its reasons; what is so for several targets, once.

        Args:
            targets: those whose verdicts are shown.
            basis: as for `lines`.
            is_said: whether the first line is the summary of the first verdict.
        """
        is_elsewhere = self.line.phase is not None and all(
            target.verdict.reachable for target in targets
        )
        alike: dict[tuple[str, ...], list[ExplainedVerdict]] = {}
        for target in targets:
            name = inline(str(target.verdict.target))
            lines = tuple(line.replace(name, "") for line in target.explained.lines())
            alike.setdefault(lines, []).append(target.explained)
        for number, (explained, *others) in enumerate(alike.values()):
            summary, *reasons = explained.lines(basis=basis, ways=False)
            if is_elsewhere:
                yield self._permitted(explained)
            elif number > 0 or not is_said:
                yield summary
            yield from reasons
            if others:
                names = ", ".join(inline(str(other.verdict.target)) for other in others)
                yield f"  the same is so for {names}"

    def _permitted(self, explained: ExplainedVerdict) -> str:
        """Return the sentence about a failure between two ends that can reach each other."""
        verdict = explained.verdict
        if self.line.phase is Phase.LOOKUP and verdict.via and isinstance(verdict.target, Host):
            via = ", ".join(map(str, verdict.via))
            return f"Use {via} instead of {inline(verdict.target.name)}:"
        return explained.permitted

    def to_dict(self) -> dict[str, object]:
        """Return the answer as a dictionary for JSON."""
        line = self.line
        targets = []
        for tried in line.targets:
            end = end_text(tried.end)
            targets.append({"target": end, "port": tried.port, "phase": _value(tried.phase)})
        return {
            "kind": "answer",
            "known": self.is_known,
            "first": self.first_line,
            "source": end_text(line.source),
            "target": end_text(line.target),
            "port": line.port,
            "targets": targets,
            "addresses": [str(found) for found in line.found],
            "clients": [end_text(end) for end in line.clients],
            "unread": list(line.unread),
            "holders": [holder.to_dict() for holder in self.holders],
            "phase": _value(line.phase),
            "meaning": self.meaning,
            "facts": list(self.facts),
            "checks": [check.to_dict() for check in self.checks],
            "setting": self.setting,
            "corrected": line.corrected,
            "verdicts": [target.to_dict() for target in self.verdicts],
            "next": [step.to_dict() for step in self.next],
            "missing": [missing.to_dict() for missing in self.missing],
        }


def _value(phase: Phase | None) -> str | None:
    """Return a phase as JSON has it."""
    if phase is None:
        return None
    return phase.value


# A way around a no, in a few words; `reach` has the whole.
_WAYS = {
    Way.PUBLIC_ADDRESS: "a public address",
    Way.CROSS_NETWORK_ADDRESS: "a cross-network address",
    Way.EXISTING_CROSS_NETWORK_ADDRESS: "an existing cross-network address",
    Way.REPLAY: "the header platform-replay (HTTP)",
    Way.ADMINISTRATOR: "an administrator's tunnel",
}


# --- the answer -----------------------------------------------------------------------------------


def explain(text: str, networks: NetworkMap | None = None, *, own: Address | None = None) -> Answer:
    """Return the answer about a text: an address, a network ID, a host, a line, a stack trace.

    Args:
        text: the text, of at most 64 KiB.
        networks: the documents, if there are any. They decide whether `db:5432` is an app with a
            port, or the ID of a network.
        own: the address of this Machine, if it is known.

    Raises:
        ValueError: the text is longer.
        TypeError: an argument has another type.

    >>> answer = explain("dial tcp [fdaa:0:18::3]:5432: i/o timeout, local fdaa:2:45b::2")
    >>> print(answer.first_line)
    no: fdaa:2:45b::2 cannot reach fdaa:0:18::3 privately
    >>> print(answer.line.phase)
    silent
    """
    check_type(text, "text", str)
    check_type(networks, "networks", NetworkMap, NoneType)
    check_type(own, "own", Address, NoneType)
    if len(text) > LONGEST_TEXT:
        longest = f"at most {LONGEST_TEXT:,} are read"
        raise ValueError(f"the text has {len(text):,} characters; {longest}")
    networks = without_nothing(networks)
    names = Names(networks)
    known: Collection[Address] = ()
    if networks is not None:
        known = networks.addresses
    line = read_line(_decided(text, networks), own, known, names.name_of)
    verdicts = _verdicts(line, networks)
    holders: dict[Address, Holder] = {}
    for found in line.found:
        if isinstance(found, Address) and networks is not None:
            holders[found] = find_holder(found, networks)
    denied = [each.verdict.target for each in verdicts if each.is_denied]
    checks = checks_for(line, denied, networks, has_verdict=bool(verdicts))
    missing = _missing(verdicts)
    if networks is None:
        missing = _missing_without_any(line)
    setting = None
    if any(check.text.startswith(IPV6_ONLY.text) for check in checks):
        setting = find_setting(text)
    return Answer(
        line=line,
        verdicts=verdicts,
        title=title_of(line, names),
        about=tuple(lines_about(line, names, holders)),
        meaning=_meaning(line, verdicts),
        facts=tuple(facts_of(line, names)),
        checks=checks,
        setting=setting,
        holders=tuple(holders.values()),
        next=tuple(next_steps(line, [each.verdict for each in verdicts], holders, networks)),
        missing=missing,
    )


def _decided(text: str, networks: NetworkMap | None) -> str:
    """Return a text such as `db:5432` as the network or the app that documents show."""
    if networks is None or network_or_host(text) is None:
        return text
    with suppress(EndError):  # they do not show it, and the answer has both writings
        end = parse_end(text, networks)
        if isinstance(end, NetworkID):
            return str(end.prefix)
        if isinstance(end, Host):
            return f"{end.name}.internal:{end.port}"
    return text


_LISTENS = r"(?i)\b(?:bind|listen)"


def _verdicts(line: Line, networks: NetworkMap | None) -> tuple[TargetVerdict, ...]:
    """Return a verdict for each target, a no first."""
    source = line.source
    if source is None or isinstance(source, Unread):
        return ()
    if is_lone(line) and isinstance(line.found[0], CutOff):
        return ()
    if line.phase is Phase.HERE and re.search(_LISTENS, line.text) is not None:
        return ()
    verdicts = []
    for tried in line.targets:
        has_name = isinstance(source, Host) or isinstance(tried.end, Host)
        if isinstance(tried.end, Unread) or (networks is None and has_name):
            continue  # only documents have the network of a name
        verdict = reach(reached(source), reached(tried.end), networks)
        is_tried = tried.phase not in (None, Phase.ADDRESS, Phase.LOOKUP)
        explained = explain_verdict(verdict, networks, is_tried=is_tried)
        verdicts.append(TargetVerdict(explained, port=tried.port, phase=tried.phase))
    return tuple(sorted(verdicts, key=_order))


def _order(target: TargetVerdict) -> int:
    """Return the place of a verdict among others: a no, then what is not known, then a yes."""
    if target.is_refuted:
        return 3
    return {False: 0, None: 1, True: 2}[target.verdict.reachable]


# --- what the words mean --------------------------------------------------------------------------


def _meaning(line: Line, verdicts: Sequence[TargetVerdict]) -> str:
    """Return what the words of a line mean, beside the verdicts that do not fit them."""
    if line.phase is None:
        return ""
    by_phase: dict[Phase, list[str]] = {}
    for tried in line.targets:
        if tried.phase is not None:
            by_phase.setdefault(tried.phase, []).append(inline(str(end_text(tried.end))))
    meaning = meaning_of(line.phase, line.text)
    if len(by_phase) > 1:
        parts = []
        for phase, ends in by_phase.items():
            parts.append(f"{', '.join(ends)}: {WORDS[phase].seen}")
        meaning = "; ".join(parts)
    for each in verdicts:
        remark = _why_in_spite_of(each)
        if remark and len(verdicts) > 1:
            remark = f"{inline(str(each.verdict.target))}: {remark}"
        if remark:
            return f"{meaning} ({remark})"
    return meaning


def _why_in_spite_of(target: TargetVerdict) -> str:
    """Return why something responded in spite of a no."""
    if target.verdict.reachable is not False:
        return ""
    if target.is_refuted and target.verdict.outcome is Outcome.NOTHING_RESPONDS:
        old = "so they are old"
        if not target.was_open:
            old += ", or a firewall refused"
        return f"by the documents nothing can respond, {old}: {target.explained.reasons[0]}"
    if target.was_open:
        route = "some cross-network route exists; the line does not show which"
        return f"the networks differ, so {route}"
    if target.is_refuted:
        route = "a cross-network route exists, or another host or a firewall refused"
        return f"the networks differ, so {route}"
    return ""


def _missing(verdicts: Sequence[TargetVerdict]) -> tuple[Missing, ...]:
    """Return the documents that would settle what is not known, beside those that are given."""
    missing: list[Missing] = []
    for target in verdicts:
        if not target.is_refuted:
            for sentence in target.explained.reasons + target.explained.ways:
                missing.extend(sentence.missing)
    return tuple(dict.fromkeys(missing))


def _missing_without_any(line: Line) -> tuple[Missing, ...]:
    """Return the documents that would add to the answer, where none are given."""
    if line.phase in (Phase.ADDRESS, Phase.HERE, Phase.NOT_SENT):
        return ()  # no packet arrived at the target
    for found in line.found:
        is_service = found.network_id in line.services
        if isinstance(found, Address) and not is_service and found not in line.clients:
            return (APP_LIST, MACHINE_LIST)
    was_open = line.phase is not None and line.phase.was_open
    has_host = any(isinstance(end, Host) for end in line.ends)
    if has_host and not was_open:  # if it was, the network of an app is not the cause
        return (APP_LIST, MACHINE_LIST)
    return ()
