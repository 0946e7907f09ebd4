"""The answer about a text: whether, which networks, what its words mean, and what to do."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import zip_longest
from types import NoneType

from fdaa._support.escapes import inline
from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.checks import check_type
from fdaa._values.hosts import Host
from fdaa.explain import _phase_words as on
from fdaa.explain._about import (
    end_text,
    is_known_to_run,
    is_lone,
    remarks_of,
    rows_of,
    started_machines,
    table_of,
    title_of,
)
from fdaa.explain._known_names import Names, without_nothing
from fdaa.explain._missing import APP_LIST, MACHINE_LIST, Missing
from fdaa.explain._phase_words import WORDS, checks_of, filled, find_setting
from fdaa.explain._steps import NextStep, next_steps
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import CutOff, Line, Named, Outside, Phase, Unread, read_line
from fdaa.networks import (
    App,
    Holder,
    NetworkMap,
    Outcome,
    Verdict,
    find_holder,
    reach,
)

LONGEST_TEXT = 0x10000  # characters; a longer one is for fdaa.scan

# The phases in which no packet arrived at the target, so neither a holder nor a list is missing.
_BEFORE_SENDING = (Phase.ADDRESS, Phase.HERE, Phase.NOT_SENT)
# Those of which networks apart may be the cause, and then they are all of it.
_ISOLATED = (Phase.LOOKUP, Phase.UNREACHABLE, Phase.SILENT)


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said about a text; `str` returns it as lines, without the next steps.

    Args:
        line: what the text names.
        verdicts: whether its source can reach each target, and why: a no first. None without a
            source, for a program that cannot listen, and for a name without documents.
        meaning: what its words mean; "" if they are not known.
        checks: what to check, the likeliest first.
        setting: the setting to change, for the program that it shows; None without one.
        rows: what is known of its only address or network, each with a short name.
        table: its addresses and networks, if there are several: the text, the network, and, with
            documents, the app and the Machine.
        holders: who has each of its addresses; none without documents.
        remarks: sentences about the text itself.
        next: what to do next.
        missing: the documents that would add to the answer.
        title: the first line, if neither a verdict nor the meaning of its words is.
    """

    line: Line
    _: KW_ONLY
    verdicts: tuple[ExplainedVerdict, ...]
    meaning: str
    checks: tuple[str, ...]
    setting: str | None
    rows: tuple[tuple[str, str], ...]
    table: tuple[tuple[str, ...], ...]
    holders: tuple[Holder, ...]
    remarks: tuple[str, ...]
    next: tuple[NextStep, ...]
    missing: tuple[Missing, ...]
    title: str

    @property
    def is_known(self) -> bool:
        """Whether anything in the text is known; else, the title says so."""
        line = self.line
        return bool(
            line.found or line.apps or line.outside or line.phase or line.clients or self.rows
        )

    @property
    def verdict(self) -> Verdict | None:
        """Whether the source can reach the target: of several, a no if any is."""
        return self.verdicts[0].verdict if self.verdicts else None

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, basis: bool = False) -> Iterator[str]:
        """Yield the lines for a person: the answer, addresses, why, and what to check.

        Args:
            basis: end each reason and each way around with what it rests on.
        """
        first = self.first_line
        yield first
        widths = [max(map(len, column)) for column in zip_longest(*self.table, fillvalue="")]
        for row in self.table:
            cells = [f"{text:{width}}" for text, width in zip(row, widths, strict=False)]
            yield f"  {'  '.join(cells)}".rstrip()
        for name, text in self.rows:
            yield f"  {name:16} {text}"
        ways: list[str] = []
        for explained in self.verdicts if not _was_open(self.line) else ():
            summary, *reasons = replace(explained, ways=()).lines(basis=basis)
            if self._is_elsewhere:
                yield self._permitted(explained)
            elif not first.startswith(summary.partition(" [")[0]):
                yield summary
            yield from reasons
            ways = ways or list(explained.lines(basis=basis))[len(reasons) + 1 :]
        if self.meaning and first != f"{self.meaning}.":
            yield f"{self.meaning}."
        yield from self.remarks
        if self.checks:
            yield "Check, the likeliest first:"
        for number, check in enumerate(self.checks, 1):
            yield f"  {number}. {check}"
        if self.setting is not None:
            yield f"  {self.setting}"
        yield from ways

    @property
    def first_line(self) -> str:
        """A no; what the words mean; or what the text names."""
        if self.verdicts and not (_was_open(self.line) or self._is_elsewhere):
            return self.verdicts[0].summary
        return f"{self.meaning}." if self.meaning else self.title

    @property
    def _is_elsewhere(self) -> bool:
        """Whether each verdict is yes, and the words show a failure."""
        is_yes = all(explained.verdict.reachable is True for explained in self.verdicts)
        return is_yes and self.line.phase is not None

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
        verdicts = [explained.to_dict() for explained in self.verdicts]
        return {
            "kind": "answer",
            "known": self.is_known,
            "first": self.first_line,
            "source": end_text(line.source),
            "target": end_text(line.target),
            "port": line.port,
            "targets": [
                {"target": end_text(tried.end), "port": tried.port} for tried in line.targets
            ],
            "addresses": [str(found) for found in line.found],
            "clients": [end_text(end) for end in line.clients],
            "unread": list(line.unread),
            "holders": [holder.to_dict() for holder in self.holders],
            "verdict": verdicts[0] if verdicts else None,
            "verdicts": verdicts,
            "phase": line.phase and line.phase.value,
            "meaning": self.meaning,
            "checks": list(self.checks),
            "setting": self.setting,
            "corrected": line.corrected,
            "next": [step.to_dict() for step in self.next],
            "missing": [missing.to_dict() for missing in self.missing],
        }


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
    known = frozenset(networks.addresses) if networks is not None else ()
    line = read_line(text, own, known, names.name_of)
    verdicts = _verdicts(line, networks)
    holders: list[Holder] = []
    if networks is not None:
        holders.extend(
            find_holder(found, networks) for found in line.found if isinstance(found, Address)
        )
    checks = _checks(line, verdicts, networks)
    has_setting = any(check.startswith(on.IPV6_ONLY) for check in checks)
    return Answer(
        line=line,
        verdicts=verdicts,
        meaning=_meaning(line, verdicts),
        checks=checks,
        setting=find_setting(text) if has_setting else None,
        rows=tuple(rows_of(line, names, holders)),
        table=tuple(table_of(line, names, holders)),
        holders=tuple(holders),
        remarks=tuple(remarks_of(line, names)),
        next=tuple(next_steps(line, [each.verdict for each in verdicts], holders, networks)),
        missing=tuple(_missing(line, networks, holders)),
        title=title_of(line, names),
    )


def _was_open(line: Line) -> bool:
    """Return whether the words of a line show that the connection was open."""
    return line.phase is not None and line.phase.was_open


# --- verdicts -------------------------------------------------------------------------------------


def _verdicts(line: Line, networks: NetworkMap | None) -> tuple[ExplainedVerdict, ...]:
    """Return a verdict for each target, a no first, and the same one once."""
    source = line.source
    is_cut_off = is_lone(line) and isinstance(line.found[0], CutOff)
    if source is None or is_cut_off or line.phase is Phase.HERE:
        return ()
    is_tried = line.phase not in (None, Phase.ADDRESS, Phase.LOOKUP)
    alike: dict[object, list[ExplainedVerdict]] = {}
    for tried in line.targets:
        ends = (source, tried.end)
        if any(isinstance(end, Unread | Outside) for end in ends):
            continue
        if networks is None and any(isinstance(end, Host) for end in ends):
            continue  # only documents have the network of a name
        verdict = reach(_reached(source), _reached(tried.end), networks)
        explained = explain_verdict(verdict, networks, is_tried=is_tried)
        reasons = tuple(
            sentence.text.replace(str(verdict.target), "") for sentence in explained.reasons
        )
        alike.setdefault((verdict.outcome, verdict.via, reasons), []).append(explained)
    verdicts = [
        replace(first, also=tuple(str(each.verdict.target) for each in others))
        for first, *others in alike.values()
    ]
    order = {False: 0, None: 1, True: 2}
    return tuple(sorted(verdicts, key=lambda each: order[each.verdict.reachable]))


def _reached(end: Named) -> Address | NetworkID | App | Host:
    """Return an end of a line as `reach` takes it."""
    if isinstance(end, Prefix | CutOff):
        return end.network_id
    return end if isinstance(end, Address | Host) else Host(str(end))


def _meaning(line: Line, verdicts: Sequence[ExplainedVerdict]) -> str:
    """Return what the words of a line mean, beside the verdicts if all are no."""
    if line.phase is None:
        return ""
    meaning = WORDS[line.phase].meaning
    denied = [each.verdict for each in verdicts if each.verdict.reachable is False]
    if not denied or len(denied) < len(verdicts):
        return meaning
    if line.phase is Phase.REFUSED:
        return (
            f"{meaning}: something answered, so the connection is configured in a way that is not "
            "shown here, or another host answered"
        )
    if not line.phase.was_open:
        return meaning
    if denied[0].outcome is Outcome.NOTHING_RESPONDS:
        return f"{meaning} (by the documents nothing can respond, so they are old)"
    return f"{meaning} (the networks differ, so some cross-network route exists)"


# --- what to check --------------------------------------------------------------------------------

# Programs whose lookups ask for both families.
_ASKS_BOTH = r"no such host|\[Errno -?[0-9]+\] name|could not translate|zero addresses|\bdig\b"
_TO_ITSELF = (
    r'(?i)(?:upstream: "?[a-z]{1,12}://|dial (?:tcp|udp)[46]? |connect\(\) to |\bE[A-Z]{6,12} )'
    r"(?:127\.|localhost\b|\[?::1\]?:|unix:)|\bdial unix |connect E[A-Z]{4,12} /|server on socket"
)
_OF_CLIENTS = r"(?i)pg_hba|not allowed to connect|access denied for user"
# A host or a port that is not private.
_ANY_END = (
    r"""(?i)\blocalhost\b|[\w\]]:[0-9]{2,5}\b|\bport\b\W{0,3}[0-9]|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b|"""
    r"""\b(?:ENOTFOUND|EAI_AGAIN|host(?: ?name)?|lookup|resolve|to|at|for)[: ]{1,2}["'`]?"""
    r"""(?:[\w-]+\.)+[a-z]{2,}|["'`@][\w-]+\.internal|\bsocket\b.{0,20}/|\bunix\b|connect E\w+ /"""
)


def _checks(
    line: Line, verdicts: tuple[ExplainedVerdict, ...], networks: NetworkMap | None
) -> tuple[str, ...]:
    """Return what to check about a failure; nothing in a text that names no end."""
    has_end = line.found or line.apps or line.outside or line.unread or line.clients
    if line.phase is None or not (has_end or re.search(_ANY_END, line.text)):
        return ()
    denied = [each for each in verdicts if each.verdict.reachable is False]
    if denied and len(denied) == len(verdicts) and line.phase in _ISOLATED:
        return ()  # the verdict is the cause
    is_open = line.phase.was_open
    if not is_open and re.search(_TO_ITSELF, line.text) is not None:
        return (f"{on.ITSELF}.",)
    checks = [*checks_of(line.phase, line.text)]
    if is_open and line.found and re.search(_OF_CLIENTS, line.text) is not None:
        checks.append(on.CLIENTS)
    words: dict[str, object] = {
        "networks": ", ".join(str(found.network_id.prefix) for found in line.found)
    }
    if line.apps:
        words["app"] = f"App {inline(line.apps[0].app)}"
        words["name"] = inline(line.apps[0].name)
    if line.port is not None:
        words["port"] = f"port {line.port}"
    if line.target is not None:
        words["target"] = inline(str(end_text(line.target)))
    known = _known(line, verdicts, networks)
    return filled(checks, known, words)


def _known(
    line: Line, verdicts: tuple[ExplainedVerdict, ...], networks: NetworkMap | None
) -> Iterator[str]:
    """Yield the checks that the line, the verdicts or the documents answer already."""
    if line.corrected is not None:
        yield on.URL
    if line.phase is Phase.LOOKUP and (line.apps or line.found):
        yield on.BRACKETS
    elif isinstance(line.target, Address) and line.phase is not Phase.ADDRESS:
        yield on.IPV6_ONLY  # it read the address
    if re.search(_ASKS_BOTH, line.text) is not None and "tcp4" not in line.text:
        yield on.IPV6_ONLY
    if line.apps and line.phase not in (Phase.LOOKUP, Phase.FAILED):
        yield on.NETWORK  # the name has an address, and has it on its own network only
    if verdicts:
        yield from (on.NETWORK, on.OTHER_NAME)
    is_service = isinstance(line.target, Address) and line.target.network_id in line.services
    if line.outside is not None or is_service:
        yield from (on.LISTENS, on.GONE, on.NETWORK, on.OUTSIDE)
    if isinstance(line.source, Address) and line.source in line.found:
        yield on.OUTSIDE
    if networks is None:
        return
    apps = {host.app for host in line.apps if host.app is not None}
    if apps and apps <= set(networks.apps):
        yield on.SPELLING  # and the resolver remains
    elif apps and networks.has_all_apps and apps.isdisjoint(networks.apps):
        yield from (on.IPV6_ONLY, on.OTHER_NAME, on.NO_MACHINE)
    if any(started_machines(app, networks) for app in apps):
        yield on.NO_MACHINE
    if isinstance(line.target, Address) and is_known_to_run(line.target, networks):
        yield on.GONE  # or the verdict says that it is


# --- what is missing ------------------------------------------------------------------------------


def _missing(line: Line, networks: NetworkMap | None, holders: list[Holder]) -> Iterator[Missing]:
    """Yield the documents that would add to the answer.

    After an open connection, the network of an app is not the cause.
    """
    if line.phase in _BEFORE_SENDING:
        return
    addresses = [
        found
        for found in line.found
        if isinstance(found, Address)
        and found.network_id not in line.services
        and found not in line.clients
    ]
    apps = [end.app for end in line.ends if isinstance(end, Host) and end.app is not None]
    if _was_open(line):
        apps = []
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
