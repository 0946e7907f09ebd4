"""The answer about a text: whether, which networks, what its words mean, and what to do."""

# Without `annotations` from `__future__`: annotations of public names must be objects.

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import zip_longest
from types import NoneType

from fdaa._support.escapes import inline
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.hosts import Host
from fdaa.explain._about import (
    end_text,
    facts_of,
    is_lone,
    reached,
    rows_of,
    table_of,
    title_of,
)
from fdaa.explain._checks import checks_for
from fdaa.explain._known_names import Names, without_nothing
from fdaa.explain._missing import APP_LIST, MACHINE_LIST, Missing
from fdaa.explain._phase_words import IPV6_ONLY, WORDS, Check, find_setting, meaning_of
from fdaa.explain._steps import NextStep, next_steps
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import CutOff, Line, Outside, Phase, Unread, read_line
from fdaa.networks import Holder, NetworkMap, Outcome, Verdict, find_holder, reach

LONGEST_TEXT = 0x10000  # characters; a longer one is for fdaa.scan

# The phases in which no packet arrived at the target, so neither a holder nor a list is missing.
_BEFORE_SENDING = (Phase.ADDRESS, Phase.HERE, Phase.NOT_SENT)

_ROUTE_EXISTS = (
    "the networks differ, so some cross-network route exists; the line does not show which"
)
_OLD_DOCUMENTS = "by the documents nothing can respond, so they are old"
_REFUSED_ACROSS = (
    "the networks differ, so a cross-network route exists, or another host or a firewall refused"
)


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
    def is_denied(self) -> bool:
        """Whether it is a no that nothing in the text contradicts."""
        return self.verdict.reachable is False and not self.was_open

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
        meaning: what its words mean; "" if they are not known.
        facts: sentences about what the text names, and how it is written.
        checks: what to check, the likeliest first.
        setting: the setting to change, for the program that it shows; None without one.
        rows: what is known of its only address or network, each with a short name.
        table: its addresses and networks, if there are several: the text, the network, and, with
            documents, the app and the Machine.
        holders: who has each of its addresses; none without documents.
        next: what to do next.
        missing: the documents that would add to the answer.
        title: the first line, if neither a verdict nor the meaning of its words is.
    """

    line: Line
    _: KW_ONLY
    verdicts: tuple[TargetVerdict, ...]
    meaning: str
    facts: tuple[str, ...]
    checks: tuple[Check, ...]
    setting: str | None
    rows: tuple[tuple[str, str], ...]
    table: tuple[tuple[str, ...], ...]
    holders: tuple[Holder, ...]
    next: tuple[NextStep, ...]
    missing: tuple[Missing, ...]
    title: str

    @property
    def is_known(self) -> bool:
        """Whether anything in the text is known; else, the title says so."""
        line = self.line
        known = (line.found, line.apps, line.outside, line.phase, line.clients, self.rows)
        return any(known)

    @property
    def first_line(self) -> str:
        """A no; what the words mean; or what the text names."""
        if self._denied or (self.verdicts and self.line.phase is None):
            return self.verdicts[0].explained.summary
        if self.meaning:
            return f"{self.meaning}."
        return self.title

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, basis: bool = False) -> Iterator[str]:
        """Yield the lines for a person: the answer, addresses, why, and what to check.

        Args:
            basis: end each reason, each check and each way around with what it rests on.
        """
        first = self.first_line
        if self._denied:
            yield _summary(self.verdicts[0].explained, basis)
        else:
            yield first
        yield from _columns(self.table)
        for name, text in self.rows:
            yield f"  {name:16} {text}"
        yield from self._verdict_lines(first, basis)
        if self.meaning and first != f"{self.meaning}.":
            yield f"{self.meaning}."
        yield from self.facts
        yield from self._check_lines(basis)
        for target in self._shown_verdicts():
            ways = _ways(target.explained, basis)
            if ways:
                yield from ways
                return

    def _shown_verdicts(self) -> list[TargetVerdict]:
        """Return the verdicts to print: not those that an open connection goes beyond."""
        return [target for target in self.verdicts if not target.was_open]

    @property
    def _denied(self) -> bool:
        """Whether the first line is a no."""
        return bool(self.verdicts) and self.verdicts[0].is_denied

    @property
    def _is_elsewhere(self) -> bool:
        """Whether each verdict is yes, and the words show a failure."""
        shown = self._shown_verdicts()
        return self.line.phase is not None and all(each.verdict.reachable for each in shown)

    def _verdict_lines(self, first: str, basis: bool) -> Iterator[str]:
        """Yield each verdict with its reasons; what is so for several targets, once."""
        shown: dict[object, list[ExplainedVerdict]] = {}
        for target in self._shown_verdicts():
            shown.setdefault(_likeness(target.explained), []).append(target.explained)
        for explained, *others in shown.values():
            summary = _summary(explained, basis)
            if self._is_elsewhere:
                yield self._permitted(explained)
            elif not first.startswith(explained.summary):
                yield summary
            yield from _reasons(explained, basis)
            if others:
                alike = ", ".join(inline(str(other.verdict.target)) for other in others)
                yield f"  the same is so for {alike}"

    def _permitted(self, explained: ExplainedVerdict) -> str:
        """Return the sentence about a failure between two ends that can reach each other."""
        verdict = explained.verdict
        if self.line.phase is Phase.LOOKUP and verdict.via and isinstance(verdict.target, Host):
            via = ", ".join(map(str, verdict.via))
            return f"Use {via} instead of {inline(verdict.target.name)}:"
        return explained.permitted

    def _check_lines(self, basis: bool) -> Iterator[str]:
        if self.checks:
            yield "Check, the likeliest first:"
        for number, check in enumerate(self.checks, 1):
            text = str(check)
            if basis:
                text = check.with_basis()
            yield f"  {number}. {text}"
        if self.setting is not None:
            yield f"  {self.setting}"

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


# --- lines of a verdict ---------------------------------------------------------------------------


def _summary(explained: ExplainedVerdict, basis: bool) -> str:
    return next(explained.lines(basis=basis))


def _reasons(explained: ExplainedVerdict, basis: bool) -> list[str]:
    return list(replace(explained, ways=()).lines(basis=basis))[1:]


def _ways(explained: ExplainedVerdict, basis: bool) -> list[str]:
    reasons = _reasons(explained, basis)
    return list(explained.lines(basis=basis))[1 + len(reasons) :]


def _likeness(explained: ExplainedVerdict) -> object:
    """Return what two verdicts about two targets have in common if they say the same."""
    verdict = explained.verdict
    reasons = [reason.text.replace(str(verdict.target), "") for reason in explained.reasons]
    return verdict.outcome, verdict.via, tuple(reasons)


def _columns(table: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip_longest(*table, fillvalue="")]
    for row in table:
        cells = [f"{text:{width}}" for text, width in zip(row, widths, strict=False)]
        yield f"  {'  '.join(cells)}".rstrip()


# --- the answer -----------------------------------------------------------------------------------


def explain(text: str, networks: NetworkMap | None = None, *, own: Address | None = None) -> Answer:
    """Return the answer about a text: an address, a network ID, a host, a line, a stack trace.

    Args:
        text: the text, of at most 64 KiB.
        networks: the documents, if there are any.
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
    known: Container[Address] = ()
    if networks is not None:
        known = frozenset(networks.addresses)
    line = read_line(text, own, known, names.name_of)
    verdicts = _verdicts(line, networks)
    holders: list[Holder] = []
    if networks is not None:
        addresses = [found for found in line.found if isinstance(found, Address)]
        holders = [find_holder(address, networks) for address in addresses]
    denied = [each.verdict.target for each in verdicts if each.is_denied]
    checks = checks_for(line, denied, networks, has_verdict=bool(verdicts))
    setting = None
    if any(check.text.startswith(IPV6_ONLY.text) for check in checks):
        setting = find_setting(text)
    return Answer(
        line=line,
        verdicts=verdicts,
        meaning=_meaning(line, verdicts),
        facts=tuple(facts_of(line, names)),
        checks=checks,
        setting=setting,
        rows=tuple(rows_of(line, names, holders)),
        table=tuple(table_of(line, names, holders)),
        holders=tuple(holders),
        next=tuple(next_steps(line, [each.verdict for each in verdicts], holders, networks)),
        missing=tuple(_missing(line, networks, holders)),
        title=title_of(line, names),
    )


# --- verdicts -------------------------------------------------------------------------------------

_LISTENS = r"(?i)\b(?:bind|listen)"


def _verdicts(line: Line, networks: NetworkMap | None) -> tuple[TargetVerdict, ...]:
    """Return a verdict for each target, a no first."""
    source = line.source
    if source is None or isinstance(source, Unread | Outside):
        return ()
    if is_lone(line) and (line.apps or isinstance(line.found[0], CutOff)):
        return ()  # db:5432 may be an app and its port
    if line.phase is Phase.HERE and re.search(_LISTENS, line.text) is not None:
        return ()
    verdicts = []
    for tried in line.targets:
        if isinstance(tried.end, Unread | Outside):
            continue
        has_name = isinstance(source, Host) or isinstance(tried.end, Host)
        if networks is None and has_name:
            continue  # only documents have the network of a name
        verdict = reach(reached(source), reached(tried.end), networks)
        is_tried = tried.phase not in (None, Phase.ADDRESS, Phase.LOOKUP)
        explained = explain_verdict(verdict, networks, is_tried=is_tried)
        verdicts.append(TargetVerdict(explained, port=tried.port, phase=tried.phase))
    return tuple(sorted(verdicts, key=_order))


def _order(target: TargetVerdict) -> int:
    """Return the place of a verdict among others: a no, then what is not known, then a yes."""
    if target.was_open:
        return 3
    return {False: 0, None: 1, True: 2}[target.verdict.reachable]


def _meaning(line: Line, verdicts: Sequence[TargetVerdict]) -> str:
    """Return what the words of a line mean, beside the verdicts that do not fit them."""
    if line.phase is None:
        return ""
    meaning = meaning_of(line.phase, line.text)
    phases = {tried.phase for tried in line.targets}
    if len(phases - {None}) > 1:
        meaning = _by_target(line)
    for each in verdicts:
        remark = _why_in_spite_of(each)
        if remark and len(verdicts) > 1:
            return f"{meaning} ({inline(str(each.verdict.target))}: {remark})"
        if remark:
            return f"{meaning} ({remark})"
    return meaning


def _why_in_spite_of(target: TargetVerdict) -> str:
    """Return why something responded in spite of a no."""
    if target.verdict.reachable is not False:
        return ""
    if target.was_open and target.verdict.outcome is Outcome.NOTHING_RESPONDS:
        return _OLD_DOCUMENTS
    if target.was_open:
        return _ROUTE_EXISTS
    if target.phase is Phase.REFUSED:
        return _REFUSED_ACROSS
    return ""


def _by_target(line: Line) -> str:
    """Return how far the program had come with each of several targets."""
    by_phase: dict[Phase, list[str]] = {}
    for tried in line.targets:
        if tried.phase is not None:
            by_phase.setdefault(tried.phase, []).append(inline(str(end_text(tried.end))))
    parts = []
    for phase, ends in by_phase.items():
        parts.append(f"{', '.join(ends)}: {WORDS[phase].seen}")
    return "; ".join(parts)


# --- what is missing ------------------------------------------------------------------------------


def _missing(line: Line, networks: NetworkMap | None, holders: list[Holder]) -> Iterator[Missing]:
    """Yield the documents that would add to the answer.

    After an open connection, the network of an app is not the cause.
    """
    if line.phase in _BEFORE_SENDING:
        return
    addresses = []
    for found in line.found:
        is_service = found.network_id in line.services
        if isinstance(found, Address) and not is_service and found not in line.clients:
            addresses.append(found)
    apps = []
    if line.phase is None or not line.phase.was_open:
        apps = [end.app for end in line.ends if isinstance(end, Host) and end.app is not None]
    if networks is None:
        if addresses or apps:
            yield APP_LIST
            yield MACHINE_LIST
        return
    for app in apps:
        network = networks.known_network(app)
        if network.name is None and network.network_id is None:
            yield APP_LIST
        elif network.network_id is None and addresses:
            yield replace(MACHINE_LIST, app=app)
    if any(holder.app is None and holder.address in addresses for holder in holders):
        yield MACHINE_LIST
