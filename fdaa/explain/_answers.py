"""The answer about a text: whether, which networks, what its words mean, and what to do."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from ipaddress import ip_address
from itertools import zip_longest
from types import NoneType

from fdaa._support.escapes import inline, quote
from fdaa._values import bits
from fdaa._values.address import Address, NetworkID
from fdaa._values.checks import check_type
from fdaa._values.errors import AddressError
from fdaa._values.hosts import Host
from fdaa._values.text import IS_IPV4
from fdaa.explain._cause_table import CAUSES_SHOWN
from fdaa.explain._causes import ExplainedCause
from fdaa.explain._document_words import name_and_id
from fdaa.explain._known_names import (
    ABOUT_SERVICES,
    Names,
    compared,
    rows_of_network,
    without_nothing,
)
from fdaa.explain._line_causes import STATED, explain_line, is_answered_across, is_name_across
from fdaa.explain._meanings import MEANING
from fdaa.explain._missing import APP_LIST, MACHINE_LIST, Missing
from fdaa.explain._probe_documents import started_machines
from fdaa.explain._program_settings import Setting, find_setting
from fdaa.explain._steps import (
    NextStep,
    ProbeStep,
    ReachStep,
    VerifyStep,
    WhoisStep,
    is_before_sending,
    next_steps,
)
from fdaa.explain._verdict_words import ExplainedVerdict, explain_verdict
from fdaa.lines import CutOff, Evidence, Line, Named, Phase, read_line
from fdaa.lines._places import Found
from fdaa.networks import App, Holder, NetworkMap, Verdict, find_holder, reach

LONGEST_TEXT = 0x10000  # characters; a longer one is for fdaa.scan

# The phases in which the line itself shows that a connection was tried, or was open.
_WAS_OPEN = (Phase.CONNECTED, Phase.APPLICATION)
_TRIED = (Phase.CONNECTING, *_WAS_OPEN)
_NETWORKS_SHOWN = 10
_ENDS_SHOWN = 4
# A word of a text, and no part of an address or of a name.
_WORD = r"(?a)(?<![\w.:/\[-])[A-Za-z]{3,}(?!\w|[.:/-]\w)"


@dataclass(frozen=True, slots=True)
class Answer:
    """What can be said about a text; `str` returns it as lines, without the next steps.

    Args:
        line: what the text names.
        explained: whether its source can reach its target, and why; None without both, for a
            program that cannot listen, and for a name without documents.
        meaning: what its words mean; "" if they are not known.
        causes: the causes that fit its words, the likeliest first.
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
    explained: ExplainedVerdict | None
    meaning: str
    causes: tuple[ExplainedCause, ...]
    setting: Setting | None
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
            line.found or line.apps or line.outside or line.words or line.clients or self.rows
        )

    @property
    def verdict(self) -> Verdict | None:
        """Whether the source can reach the target; None without both."""
        if self.explained is None:
            return None
        return self.explained.verdict

    @property
    def evidence(self) -> Evidence | None:
        """What the words of the text are evidence of; None if they are not known."""
        if self.line.words is None:
            return None
        return self.line.words.evidence

    @property
    def shown_causes(self) -> tuple[ExplainedCause, ...]:
        """The causes that `lines` returns: at most three."""
        return self.causes[:CAUSES_SHOWN]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, *, all_causes: bool = False, basis: bool = False) -> Iterator[str]:
        """Yield the lines for a person: the answer, addresses, why, and the causes.

        Args:
            all_causes: every cause, not the first three.
            basis: end each reason and each way around with what it rests on.
        """
        yield self._first_line()
        widths = [max(map(len, column)) for column in zip_longest(*self.table, fillvalue="")]
        for row in self.table:
            cells = [f"{text:{width}}" for text, width in zip(row, widths, strict=False)]
            yield f"  {'  '.join(cells)}".rstrip()
        for name, text in self.rows:
            yield f"  {name:16} {text}"
        ways: list[str] = []
        if self.explained is not None and not self._was_open:
            if self._is_elsewhere:
                yield self._permitted()
            _, *reasons = replace(self.explained, ways=()).lines(basis=basis)
            yield from reasons
            _, *ways = list(self.explained.lines(basis=basis))[len(reasons) :]
        if self.meaning and self._first_line() != f"{self.meaning}.":
            yield f"{self.meaning}."
        yield from self.remarks
        if not self._is_stated:
            yield from self._cause_lines(all_causes)
        yield from ways

    @property
    def _is_stated(self) -> bool:
        """Whether the verdict states the only cause."""
        is_no = self.verdict is not None and self.verdict.reachable is False
        is_only_cause = len(self.causes) == 1 and self.causes[0].cause in STATED
        return is_no and is_only_cause and not self._was_open

    @property
    def _was_open(self) -> bool:
        """Whether the words show that the connection was open."""
        return _was_open(self.line)

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the verdict is yes, and the words show a failure."""
        is_yes = self.verdict is not None and self.verdict.reachable is True
        return is_yes and self.line.words is not None

    def _permitted(self) -> str:
        """Return the sentence about a failure between two ends that can reach each other."""
        via = ", ".join(map(str, self.verdict.via)) if self.verdict is not None else ""
        if is_name_across(self.line, self.verdict) and isinstance(self.line.target, Host):
            return f"Use {via} instead of {inline(self.line.target.name)}:"
        through = f" through {via}" if via else ""
        return f"The networks permit the connection{through}, so the cause is elsewhere:"

    def _first_line(self) -> str:
        if self.explained is not None and not (self._was_open or self._is_elsewhere):
            return self.explained.summary
        if self.meaning:
            return f"{self.meaning}."
        return self.title

    def _cause_lines(self, all_causes: bool) -> Iterator[str]:
        shown = self.causes if all_causes else self.shown_causes
        if not shown:
            return
        if len(self.causes) == 1:
            yield "Cause:"
        else:
            yield "Possible causes, the most likely first:"
        for number, cause in enumerate(shown, 1):
            yield f"  {number}. {cause.text}"
            if self.setting is not None and self.setting.cause is cause.cause:
                yield f"     {self.setting}"

    def to_dict(self) -> dict[str, object]:
        """Return the answer as a dictionary for JSON."""
        line = self.line
        verdict = self.explained.to_dict() if self.explained is not None else None
        phase = None
        evidence = None
        if line.words is not None:
            phase = line.words.phase.value
            evidence = line.words.evidence.value
        setting = self.setting.to_dict() if self.setting is not None else None
        return {
            "kind": "answer",
            "known": self.is_known,
            "first": self._first_line(),
            "source": end_text(line.source),
            "target": end_text(line.target),
            "port": line.port,
            "addresses": [str(found) for found in line.found],
            "clients": [end_text(end) for end in line.clients],
            "unread": list(line.unread),
            "holders": [holder.to_dict() for holder in self.holders],
            "verdict": verdict,
            "phase": phase,
            "evidence": evidence,
            "meaning": self.meaning,
            "causes": [{**cause.cause.to_dict(), "text": cause.text} for cause in self.causes],
            "setting": setting,
            "corrected": line.corrected,
            "next": [step.to_dict() for step in self.next],
            "missing": [missing.to_dict() for missing in self.missing],
        }


def end_text(end: Named | None) -> str | None:
    """Return an end of a line as text: a network by its /48, a host by its name."""
    if end is None:
        return None
    if isinstance(end, Host):
        return end.name
    if isinstance(end, CutOff):
        return str(end.network_id.prefix)
    return str(end)


def explain(text: str, networks: NetworkMap | None = None, *, own: Address | None = None) -> Answer:
    """Return the answer about a text: an address, a network ID, a host, a line, a stack trace.

    Args:
        text: the text, of at most 64 KiB.
        networks: the joined documents and book, or None.
        own: the address of this Machine, if it is known.

    Raises:
        ValueError: the text is too long; `fdaa.scan` finds the addresses in it.

    >>> answer = explain("read tcp [fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout")
    >>> print(answer.explained.summary)
    no: fdaa:2:45b::2 cannot reach fdaa:0:18::3 privately
    >>> print(answer.evidence, answer.causes[0].cause)
    no-reply slow-app
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
    verdict = None
    explained = None
    if line.source is not None and line.target is not None and _has_verdict(line, networks):
        verdict = reach(_reached(line.source), _reached(line.target), networks)
        is_tried = line.words is not None and line.words.phase in _TRIED
        explained = explain_verdict(verdict, networks, is_tried=is_tried)
    causes = tuple(explain_line(line, verdict, networks))
    holders: list[Holder] = []
    if networks is not None:
        holders.extend(
            find_holder(found, networks) for found in line.found if isinstance(found, Address)
        )
    return Answer(
        line=line,
        explained=explained,
        meaning=_meaning(line, verdict),
        causes=causes,
        setting=_setting(line, causes),
        rows=tuple(_rows(line, names, holders)),
        table=tuple(_table(line, names, holders)),
        holders=tuple(holders),
        remarks=tuple(_remarks(line, names)),
        next=tuple(_steps(line, holders, verdict, networks)),
        missing=tuple(_missing(line, networks, holders)),
        title=_title(line, names),
    )


def _has_verdict(line: Line, networks: NetworkMap | None) -> bool:
    """Return whether a verdict about the two ends of a line says something about it."""
    if _is_lone(line) and isinstance(line.found[0], CutOff):
        return False
    if line.words is not None and line.words.phase is Phase.HERE:
        return False  # it did not connect
    has_name = isinstance(line.source, Host) or isinstance(line.target, Host)
    return networks is not None or not has_name  # only documents have the network of a name


def _was_open(line: Line) -> bool:
    """Return whether the words of a line show that the connection was open."""
    return line.words is not None and line.words.phase in _WAS_OPEN


def _reached(end: Named) -> Address | NetworkID | App | Host:
    """Return an end of a line as `reach` takes it."""
    if isinstance(end, Address | Host):
        return end
    return end.network_id


# --- what the words mean --------------------------------------------------------------------------


def _meaning(line: Line, verdict: Verdict | None) -> str:
    """Return what the words of a line mean."""
    if line.words is None:
        return ""
    meaning = MEANING[line.words.evidence]
    if _was_open(line) and verdict is not None and verdict.reachable is False:
        meaning += " (this connection is configured in a way that is not shown here)"
    if is_answered_across(line, verdict):
        meaning += (
            ": something answered, so the connection is configured in a way that is not shown "
            "here, or another host answered"
        )
    return meaning


def _setting(line: Line, causes: tuple[ExplainedCause, ...]) -> Setting | None:
    """Return the setting for the first of the shown causes that has one."""
    for cause in causes[:CAUSES_SHOWN]:
        setting = find_setting(line.text, cause.cause)
        if setting is not None:
            return setting
    return None


# --- addresses and networks -----------------------------------------------------------------------


def _is_lone(line: Line) -> bool:
    """Return whether a text is no more than one address or network."""
    return len(line.found) == 1 and line.words is None and " " not in line.text.strip()


def _title(line: Line, names: Names) -> str:
    """Return the first line of an answer without a verdict, about words that are not known."""
    if _is_lone(line) and line.apps and not isinstance(line.found[0], Address):
        return _app_or_network(line, line.apps[0].app, names)
    if _is_lone(line):
        return _title_of(line.found[0], line.text.strip())
    networks = list(dict.fromkeys(found.network_id for found in line.found))
    if len(networks) == 1 and len(line.found) > 1:
        return f"same network: {names.describe(networks[0])}"
    if len(networks) == 1:
        return f"network {names.describe(networks[0])}"
    if networks:
        shown = ", ".join(names.describe(network_id) for network_id in networks[:_NETWORKS_SHOWN])
        more = len(networks) - _NETWORKS_SHOWN
        if more > 0:
            shown += f" and {more:,} more"
        return f"{len(networks):,} different networks: {shown}"
    if line.apps:
        host = line.apps[0]
        return f"{inline(host.name)}: {names.describe_app(host.app)}"
    if line.outside is not None:
        return _about_outside(line.outside)
    alone = line.text.strip()
    with suppress(ValueError):
        if ip_address(alone).version == 4:
            return f"{alone}: {IS_IPV4}"
        return f"{alone}: this IPv6 address is not private (fdaa::/16)"
    if any(names.what_is(line.text.strip())):
        return inline(line.text.strip())
    if line.unread == (alone,):
        return _why_unread(alone)
    return f"{quote(line.text)}: nothing in this text is known"


def _why_unread(text: str) -> str:
    """Return why a text that could be an address is none."""
    try:
        return str(Address(text))
    except AddressError as error:
        return str(error)


def _app_or_network(line: Line, app: str | None, names: Names) -> str:
    """Return what a text such as `db:5432` is: an app with a port, or a network ID."""
    (network,) = line.found
    is_app = names.networks is not None and app in names.networks.apps
    is_network = names.name_of(network.network_id) is not None
    if is_app and not is_network:
        return f"{inline(line.text.strip())}: {names.describe_app(app)}"
    if is_network and not is_app:
        return _title_of(network, line.text.strip())
    return f"{network} is a network, if {inline(line.text.strip())} is not app {inline(app)}"


def _title_of_cut_off(text: str, found: CutOff) -> str:
    """Return what a text is that is no more than the beginning of an address."""
    cut_off = f"{inline(text)} is cut off"
    if "::" not in text:
        groups = [group for group in text.strip(".\u2026[]").split(":") if group]
        cut_off += f": {len(groups)} of 8 groups"
    return f"{cut_off}; its network is {found.network_id.prefix}"


def _title_of(found: Found, text: str) -> str:
    """Return what a text is that is no more than an address or a network."""
    if isinstance(found, Address):
        return str(found)
    if isinstance(found, CutOff):
        return _title_of_cut_off(text, found)
    prefix = found.network_id.prefix
    if found.length == bits.NETWORK_PREFIX_LENGTH:
        return f"{prefix} is a network, not an address"
    return f"{found} is part of a network, not an address"


def _rows(line: Line, names: Names, holders: list[Holder]) -> Iterator[tuple[str, str]]:
    """Yield what is known of the only address or network of a text."""
    if not (line.found or line.apps or line.words):
        yield from names.what_is(line.text.strip())
    has_verdict = line.source is not None
    if line.words is not None and not line.found and len(line.apps) == 1 and not has_verdict:
        yield from _app_rows(line.apps[0].app, names)
    if len(line.found) != 1:
        return
    (found,) = line.found
    if not isinstance(found, Address):
        yield from rows_of_network(found.network_id, names.networks)
    else:
        if not _is_lone(line):
            yield "address", str(found)
        yield "network", names.describe(found.network_id)
        for holder in holders:
            yield from _holder_rows(holder)
    if line.own is not None and found.network_id not in line.services:
        yield "this Machine", compared(found, line.own, names)
    if isinstance(found, Address):
        yield from _ports(found, line)


def _app_rows(app: str | None, names: Names) -> Iterator[tuple[str, str]]:
    """Yield what documents show of an app that a text names."""
    if app is None or names.networks is None or app not in names.networks.apps:
        return
    yield "app", inline(app)
    yield "network", name_and_id(names.networks.known_network(app))
    started = started_machines(app, names.networks)
    if started:
        yield "Machines", f"{started} started"


def _holder_rows(holder: Holder) -> Iterator[tuple[str, str]]:
    if holder.app is not None:
        yield "app", inline(holder.app)
    if holder.machine_id is not None:
        state = f" ({inline(holder.state)})" if holder.state is not None else ""
        yield "Machine", f"{inline(holder.machine_id)}{state}"


def _ports(address: Address, line: Line) -> Iterator[tuple[str, str]]:
    """Yield what may be read in two ways: a last group, and a port that may be a client's."""
    is_tried = line.own is None or (
        line.own != address and line.own.network_id == address.network_id
    )
    for either in line.remarks:
        if either.longer == address and len(either.digits) >= len("22"):
            instead = f"if {either.digits} is one, the address is {either.shorter}"
            if either.shorter.network_id != either.longer.network_id:
                instead += f", on network {either.shorter.network_id}"
            yield "a port?", instead
    if is_tried and line.target == address and line.may_be_clients:
        yield "a client's port?", f"systems give {line.port} to clients, too"


def _table(line: Line, names: Names, holders: list[Holder]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each of several addresses and networks."""
    if len(line.found) < 2:
        return
    held = {holder.address: holder for holder in holders}
    for found in line.found:
        row = [str(found), names.describe(found.network_id)]
        if isinstance(found, Address) and found in held:
            row.extend(text for _, text in _holder_rows(held[found]))
        yield tuple(row)


def _remarks(line: Line, names: Names) -> Iterator[str]:
    """Yield sentences about the text itself."""
    if len(line.ends) > 2:
        ends = ", ".join(str(end_text(end)) for end in line.ends[:_ENDS_SHOWN])
        yield f"{len(line.ends)} ends: {ends}; a connection has two."
    for client in line.clients:
        yield f"{end_text(client)} is the client of a proxy: it is on a different connection."
    other_words = re.findall(_WORD, line.text)
    if line.words is None and (line.found or line.apps) and len(other_words) > 1:
        yield "No words in this text are known to be those of a failure, so no cause is given."
    is_title = not (line.words or line.found or line.apps)
    if line.outside is not None and not is_title:
        yield f"{_about_outside(line.outside)}."
    if line.corrected is not None:
        yield f"Write it as {line.corrected}"
    networks = {found.network_id for found in line.found}
    if len(networks) > 1 and any(map(names.is_service, networks)):
        yield ABOUT_SERVICES


def _about_outside(outside: Host) -> str:
    """Return why networks say nothing about a connection, one end of which is not private."""
    return f"{outside.name} is not a private address, so networks say nothing about the connection"


# --- what to do -----------------------------------------------------------------------------------

_NO_NEW_CONNECTION = (Phase.ADDRESS, Phase.APPLICATION, Phase.HERE)
_OF_TOKENS = (Evidence.TOKEN_AUDIENCE, Evidence.TOKEN_EXPIRED, Evidence.TOKEN_REFUSED)


def _steps(
    line: Line, holders: list[Holder], verdict: Verdict | None, networks: NetworkMap | None
) -> Iterator[NextStep]:
    """Yield the next steps, but none that asks for what the answer has stated.

    Who has an address, and the network of a name, are in documents alone, so no step looks them up
    without any.
    """
    if line.words is not None and line.words.evidence in _OF_TOKENS:
        yield VerifyStep()
        return
    if line.words is not None and line.words.phase in _NO_NEW_CONNECTION:
        return
    if line.corrected is not None:  # it must be written in another way first
        return
    was_open = line.words is not None and line.words.phase is Phase.CONNECTED
    known = {holder.address for holder in holders if holder.app is not None}
    for step in next_steps(line):
        if isinstance(step, WhoisStep) and (networks is None or step.address in known):
            continue
        if isinstance(step, ReachStep) and verdict is not None:
            continue
        if isinstance(step, ReachStep) and not _has_network(step.target, networks):
            continue
        if was_open and not isinstance(step, WhoisStep):
            continue
        yield _by_its_address(step, verdict)


def _has_network(target: Address | Host, networks: NetworkMap | None) -> bool:
    """Return whether anything shows the network of a target; of a name, only documents do."""
    if isinstance(target, Address):
        return True
    if networks is None or target.app is None:
        return False
    network = networks.known_network(target.app)
    return network.name is not None or network.network_id is not None


def _by_its_address(step: NextStep, verdict: Verdict | None) -> NextStep:
    """Return a step that does not use a name, which does not resolve on another network."""
    if not isinstance(step, ProbeStep) or not isinstance(step.target, Host):
        return step
    if verdict is None or not verdict.via:
        return step
    return replace(step, target=verdict.via[0])


def _missing(line: Line, networks: NetworkMap | None, holders: list[Holder]) -> Iterator[Missing]:
    """Yield the documents that would add to the answer.

    After an open connection, the network of an app is not the cause.
    """
    if is_before_sending(line):
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
