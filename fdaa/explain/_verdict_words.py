"""Verdicts as sentences: whether, why, and what to do if not."""

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from types import NoneType

from fdaa._support.escapes import inline
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import Address
from fdaa._values.checks import check_type
from fdaa._values.network_name import NetworkName
from fdaa.explain._document_words import describe_apps, describe_network
from fdaa.explain._known_names import IS_OF_SERVICES, WHO_REACHES_SERVICES, without_nothing
from fdaa.explain._missing import ADDRESS_LIST, APP_LIST, MACHINE_LIST, Missing
from fdaa.networks import (
    DocumentKind,
    Finding,
    Host,
    NetworkMap,
    Outcome,
    Reason,
    Verdict,
    Way,
)
from fdaa.networks._model import KnownNetwork, broken_rule


@dataclass(frozen=True, slots=True)
class Sentence:
    """A reason of a verdict, or a way around, and its sentence.

    Args:
        finding: the reason or the way, with its facts.
        text: the sentence.
        missing: the documents that would make it unnecessary, all of which are needed.
    """

    finding: Finding
    _: KW_ONLY
    text: str
    missing: tuple[Missing, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def basis(self) -> str:
        """What it rests on: a section of the specification, or `assumed: ` and an assumption."""
        if self.finding.assumed is not None:
            return f"assumed: {self.finding.assumed}"
        return str(self.finding.section)

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a dictionary for JSON, with its `text`, and `missing` if any is."""
        fields = self.finding.to_dict()
        explained: dict[str, object] = {"kind": fields.pop("kind"), "text": self.text, **fields}
        if self.missing:
            explained["missing"] = [missing.to_dict() for missing in self.missing]
        return explained


@dataclass(frozen=True, slots=True)
class ExplainedVerdict:
    """A verdict in sentences; `str` returns the whole as lines.

    Args:
        verdict: what `reach` returned.
        summary: the first line: yes, no or unknown.
        permission: the first line about the configuration alone: yes, no or unknown.
        reasons: the reasons, in the order of the verdict.
        ways: the ways around.
        unless: what may reverse a no.
    """

    verdict: Verdict
    _: KW_ONLY
    summary: str
    permission: str
    reasons: tuple[Sentence, ...]
    ways: tuple[Sentence, ...]
    unless: Sentence | None = None

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(
        self, *, basis: bool = False, permission: bool = False, ways: bool = True
    ) -> Iterator[str]:
        """Yield the lines for a person, indented below the summary.

        Args:
            basis: end each line with what it rests on.
            permission: begin with what the configuration permits, not with what is reachable.
            ways: end with the ways around.
        """
        first = self.summary
        if permission:
            first = self.permission
        decides = self.unless  # what the first line has
        if self.verdict.outcome is Outcome.NOTHING_RESPONDS:
            decides = self.reasons[0]
        if basis and decides is not None:
            first += f" [{decides.basis}]"
        yield first
        for sentence in self._shown_reasons(basis):
            yield "  " + _line(sentence, basis)
        if self.ways and ways:
            yield "ways around:"
            for sentence in self.ways:
                yield "  " + _line(sentence, basis)

    @property
    def permitted(self) -> str:
        """The sentence about a failure between two ends that can reach each other."""
        connection = "the connection"
        if self.verdict.via:
            connection += f" through {', '.join(map(str, self.verdict.via))}"
        return f"The networks permit {connection}, so the cause is elsewhere:"

    def _shown_reasons(self, basis: bool) -> Iterator[Sentence]:
        """Yield each reason once, first those for which nothing can respond."""
        shown: set[str] = set()  # both ends may be one address, which is stale
        if self.verdict.outcome is Outcome.NOTHING_RESPONDS:
            shown.add(self.reasons[0].text)  # the summary has it
        for sentence in sorted(self.reasons, key=lambda reason: reason.finding.kind not in _SILENT):
            if sentence.finding.kind is Reason.NAME_FROM_SAVED and not basis:
                continue
            if sentence.text not in shown:
                yield sentence
            shown.add(sentence.text)

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as a dictionary for JSON; each reason and way has its `text`."""
        return {
            **self.verdict.to_dict(),
            "unless": self.unless and self.unless.to_dict(),
            "reasons": [sentence.to_dict() for sentence in self.reasons],
            "ways": [sentence.to_dict() for sentence in self.ways],
        }


def _line(sentence: Sentence, basis: bool) -> str:
    if basis:
        return f"{sentence.text} [{sentence.basis}]"
    return sentence.text


_SILENT = (Reason.NO_MACHINE, Reason.STALE, Reason.STOPPED, Reason.NO_STARTED_MACHINE)


def explain_verdict(
    verdict: Verdict,
    networks: NetworkMap | None = None,
    *,
    is_tried: bool = False,
    is_incomplete: bool = False,
) -> ExplainedVerdict:
    """Return a verdict in sentences.

    Args:
        verdict: what `reach` returned.
        networks: the joined documents; a name that is not in them gets a suggestion.
        is_tried: whether a connection was tried; then no reason is that fdaa did not test it.
        is_incomplete: whether a document, or a part of one, could not be used: a yes or a no says
            so, and no sentence says which documents to add.

    >>> from fdaa import Address
    >>> from fdaa.networks import reach
    >>> verdict = reach(Address("fdaa:2:45b::3"), Address("fdaa:2:45c::3"))
    >>> explained = explain_verdict(verdict)
    >>> print(explained.summary)
    no: fdaa:2:45b::3 cannot reach fdaa:2:45c::3 privately
    >>> print(explained.reasons[0])
    fdaa:2:45b::3 is on network 2:45b, fdaa:2:45c::3 on network 2:45c
    """
    check_type(verdict, "verdict", Verdict)
    check_type(networks, "networks", NetworkMap, NoneType)

    def explained(finding: Finding, *, asks: bool = not is_incomplete) -> Sentence:
        return _explained(finding, verdict, networks, asks_for_documents=asks)

    def first_line(answer: bool | None, sentence: str) -> str:
        return _first_line(answer, sentence, verdict, is_incomplete=is_incomplete)

    shown = list(verdict.reasons)
    if is_tried:
        shown = [reason for reason in shown if reason.kind is not Reason.MEMBERSHIP_ONLY]
    reasons = list(map(explained, shown))
    unless = None
    if verdict.unless is not None:
        unless = explained(verdict.unless, asks=False)
    return ExplainedVerdict(
        verdict,
        summary=first_line(verdict.reachable, _summary(verdict, reasons)),
        permission=first_line(verdict.permitted, _permission(verdict)),
        reasons=tuple(reasons),
        ways=tuple(map(explained, verdict.ways)),
        unless=unless,
    )


def _first_line(
    answer: bool | None, sentence: str, verdict: Verdict, *, is_incomplete: bool
) -> str:
    """Return a first line; its yes or no says so where documents are not whole, or disagree."""
    if answer is None:
        return f"unknown: {sentence}"
    first = "no"
    if answer:
        first = "yes"
    if is_incomplete:
        first += _INCOMPLETE
    if any(reason.kind is Reason.CONTRADICTION for reason in verdict.reasons):
        first += _CONTRADICTED
    return f"{first}: {sentence}"


_INCOMPLETE = ", by the documents that can be used"
_CONTRADICTED = ", though documents contradict each other"


def _summary(verdict: Verdict, reasons: list[Sentence]) -> str:
    """Return the sentence after yes, no or unknown."""
    source = _end(verdict.source)
    target = _end(verdict.target)
    if verdict.outcome is Outcome.NOTHING_RESPONDS:
        if verdict.same_network:
            return f"same network, but nothing can respond: {reasons[0]}"
        no = f"nothing can respond: {reasons[0]}"
        if verdict.unless is None:
            return no
        missing = _missing(verdict.unless)
        return f"{no}, unless another cross-network address is allocated ({missing})"
    if verdict.reachable is None:
        return f"whether {source} can reach {target}"
    if not verdict.reachable:
        no = f"{source} cannot reach {target} privately"
        if verdict.unless is None:
            return no
        return f"{no}, unless a cross-network address is allocated ({_missing(verdict.unless)})"
    if verdict.via:
        through = f"{source} can reach {target} through {', '.join(map(str, verdict.via))}"
        if isinstance(verdict.target, Host) and "." in verdict.target.name:
            return f"{through}, not through the name {inline(verdict.target.name)}"
        return through
    return f"{source} can reach {target}"


def _permission(verdict: Verdict) -> str:
    """Return the sentence about the configuration, after yes, no or unknown."""
    source = _end(verdict.source)
    reach = f"reach {_end(verdict.target)} privately"
    if verdict.permitted:
        return f"{source} is permitted to {reach}"
    if verdict.permitted is False:
        return f"{source} is not permitted to {reach}"
    whether = f"whether {source} is permitted to {reach}"
    if verdict.unless is None:
        return whether
    return f"{whether} ({_missing(verdict.unless)})"


def _missing(unless: Finding) -> str:
    """Return why it is not known whether a cross-network address is allocated."""
    if unless.kind is Reason.ADDRESS_DISPUTED:
        return f"documents disagree about {_listed(unless.addresses)}"
    if not unless.apps:
        return "a complete app list is missing"
    if len(unless.apps) == 1:
        return f"the address list of {describe_apps(unless.apps)} is missing"
    return f"the address lists of {describe_apps(unless.apps)} are missing"


def _explained(
    finding: Finding, verdict: Verdict, networks: NetworkMap | None, *, asks_for_documents: bool
) -> Sentence:
    words = _words(finding, verdict)
    hint = _suggestion(finding, verdict, networks)
    in_none = "is in none of these documents"
    if networks is not None and without_nothing(networks) is None:
        in_none = "is a name, and no documents are given that show its network"
    missing: tuple[Missing, ...] = ()
    if finding.kind is Way.CROSS_NETWORK_ADDRESS or (asks_for_documents and not hint):
        missing = _missing_lists(finding)
    sentence = sentence_for(finding, are_both_unlisted=_are_both_unlisted(verdict))
    words |= {"hint": hint, "in_none": in_none}
    return Sentence(finding, text=sentence.format_map(words), missing=missing)


def _missing_lists(finding: Finding) -> tuple[Missing, ...]:
    """Return the documents that would make a sentence unnecessary; all of them are needed."""
    match finding.kind:
        case Way.CROSS_NETWORK_ADDRESS:
            return tuple(replace(ADDRESS_LIST, app=app) for app in finding.apps or ())
        case Reason.OWN_NETWORK_UNKNOWN if finding.app is None:
            return (ADDRESS_LIST, APP_LIST)
        case Reason.OWN_NETWORK_UNKNOWN | Reason.NOT_IN_DOCUMENTS:
            return (Missing((DocumentKind.APP_LIST, DocumentKind.MACHINE_LIST), app=finding.app),)
        case Reason.SOURCE_ID_UNKNOWN | Reason.APP_UNKNOWN | Reason.NOT_COMPARABLE:
            return (MACHINE_LIST,)  # it shows an ID
        case Reason.NETWORK_NOT_IN_DOCUMENTS:
            return (APP_LIST,)
    return ()


def _are_both_unlisted(verdict: Verdict) -> bool:
    """Return whether source and target are two addresses in no document."""
    unlisted = set()
    for reason in verdict.reasons:
        if reason.kind is Reason.UNLISTED_ADDRESS and reason.app is None:
            unlisted.add(reason.end)
    return len(unlisted) == 2 and verdict.source != verdict.target


def _end(end: object) -> str:
    """Return a source or target as text that no other one has."""
    if isinstance(end, NetworkName):
        return f"network:{end}"
    if isinstance(end, Host) and end.first_part is None:
        return inline(end.app)
    if isinstance(end, Host):  # the first part may be a Machine
        return inline(end.name)
    return inline(str(end))


def _words(finding: Finding, verdict: Verdict) -> dict[str, str]:
    """Return the values for the sentences below."""
    source = _end(verdict.source)
    target = _end(verdict.target)
    end = target
    if finding.end == "source":
        end = source
    both = f"{source} and {target} are both"
    if source == target:
        both = f"{source} is"
    app = f"the app of {end}"
    if finding.app is not None:
        app = inline(finding.app)
    day = "at an unknown time"
    if finding.learned_on is not None:
        day = f"on {inline(finding.learned_on[:10])}"
    machine = f"Machine {end}"
    if isinstance(verdict.target, Address):
        machine = f"the Machine of {end}"
    unless = ""
    if finding.apps is not None:
        unless = ", unless it has one"
    network = finding.network
    return {
        "source": source,
        "target": target,
        "both": both,
        "end": end,
        "app": app,
        "on_source": describe_network(finding.source),
        "on_target": describe_network(finding.target),
        "serves": describe_network(finding.serves),
        "network": describe_network(network),
        "network_id": str(finding.source and finding.source.network_id),
        "name": inline(_name_of(network)),
        "addresses": _listed(finding.addresses),
        "public": _listed(finding.public),
        "states": " or ".join(map(inline, finding.states or ())),
        "machine": machine,
        "looked_at": describe_apps(finding.looked_at or ()),
        "day": day,
        "missing": _missing(finding),
        "unless": unless,
        "broken": _broken(finding),
    }


def _listed(values: Iterable[object] | None) -> str:
    return ", ".join(inline(str(value)) for value in values or ())


def _broken(finding: Finding) -> str:
    about = "an app"
    if finding.end is not None:
        about = "it"
    return ", and ".join(broken_rule(rule, about) for rule in finding.rules or ())


def _suggestion(finding: Finding, verdict: Verdict, networks: NetworkMap | None) -> str:
    """Return the name that may be meant by one that is not in the documents, or an empty text."""
    end = verdict.target
    if finding.end == "source":
        end = verdict.source
    hint = ""
    if networks is not None and finding.kind is Reason.NOT_IN_DOCUMENTS:
        hint = did_you_mean(_name(end), [*networks.apps, *networks.machines])
    if networks is not None and not hint and finding.kind in _UNKNOWN:
        hint = did_you_mean(_name(end), networks.names, before="network:")
    return hint


def _name(end: object) -> str:
    if isinstance(end, Host):
        return end.app or end.name
    return str(end)


_UNKNOWN = (Reason.NOT_IN_DOCUMENTS, Reason.NETWORK_NOT_IN_DOCUMENTS)


# --- the sentences --------------------------------------------------------------------------------


def sentence_for(finding: Finding, *, are_both_unlisted: bool = False) -> str:
    """Return the sentence for a reason or a way; it depends on the facts that it has.

    Args:
        finding: the reason or the way.
        are_both_unlisted: whether source and target are addresses in no document.
    """
    match finding.kind:
        case Reason.ALLOCATED_FOR_SOURCE if finding.addresses:
            return _ALLOCATED_TO_APP
        case Way.PUBLIC_ADDRESS if finding.public:
            return _PUBLIC_ADDRESSES
        case Reason.CONTRADICTION if finding.source is not None:
            return _APART + "; documents contradict each other: {broken}"
        case Reason.CONTRADICTION if finding.end is None:
            return "documents contradict each other about {source} or {target}: {broken}"
        case Reason.SAME_ID if (
            len({_name_of(finding.source), _name_of(finding.target)} - {None}) > 1
        ):
            return "{source} and {target} have the same network ID, {network_id}"
        case Reason.UNLISTED_ADDRESS if finding.app is not None:
            return _SAVED_ADDRESS
        case Reason.UNLISTED_ADDRESS if are_both_unlisted:
            return _BOTH_UNLISTED
        case Way.CROSS_NETWORK_ADDRESS if _name_of(finding.network) is None:
            return _UNNAMED
    return SENTENCES[finding.kind]


def _name_of(network: KnownNetwork | None) -> NetworkName | None:
    if network is None:
        return None
    return network.name


# `{...}` is filled in by `_words`.
_UNCLEAR = "{end} is not clear: "
_APART = "{source} is on {on_source}, {target} on {on_target}"
_ALLOCATED = "{target} is allocated to {app} for clients on "
_UNNAMED = (
    "allocate a cross-network address to {app} with the name of the network that {source} is on "
    "({network}; an app list has its name)"
)
SENTENCES: dict[Reason | Way, str] = {
    Reason.SAME_ID: "{both} on {on_source}",
    Reason.DIFFERENT_IDS: _APART,
    Reason.SAME_NAME: "{both} on {on_source}",
    Reason.DIFFERENT_NAMES: _APART,
    Reason.ALLOCATED_FOR_SOURCE: _ALLOCATED + "{serves}, and {source} is on it",
    Reason.ALLOCATED_FOR_ANOTHER: _ALLOCATED + "{serves}, and {source} is on {on_source}",
    Reason.ASKED_FROM_OWN_NETWORK: _ALLOCATED + "{serves}; {source} is on {on_source}, the "
    "network of {app} itself: use the address of a Machine of {app}",
    Reason.OWN_NETWORK_UNKNOWN: "the network of {app} itself is unknown, and this address does not "
    "work from that network",
    Reason.SOURCE_ID_UNKNOWN: "{addresses} is allocated to {app}, perhaps for clients on "
    "{on_source}",
    Reason.SOURCE_IS_ALLOCATED: "{source} is allocated to {app} for clients on {network}; no "
    "requests come from it",
    Reason.NOT_COMPARABLE: _APART + "; no document has both names, or both IDs",
    Reason.NOT_IN_DOCUMENTS: "{end} {in_none}{hint}",
    Reason.NAME_OF_NETWORK: "{end} is a network, not an app: use network:{end}",
    Reason.NETWORK_NOT_IN_DOCUMENTS: "{end} {in_none}{hint}",
    Reason.APP_UNKNOWN: "{end} has no address yet, and its list does not name its app",
    Reason.SERVICE_ADDRESS: f"{{end}}: network ID 0 {IS_OF_SERVICES}; {WHO_REACHES_SERVICES}",
    Reason.CONTRADICTION: _UNCLEAR + "{broken}; use a Machine's address, or documents that agree",
    Reason.ADDRESS_DISPUTED: _UNCLEAR + "{broken}; use documents that agree",
    Reason.APP_OR_MACHINE: _UNCLEAR + "an app and a Machine have this name; use the Machine's "
    "address",
    Reason.MACHINE_OF_TWO_APPS: _UNCLEAR
    + "it is in the Machine lists of two apps; use its address, or documents that agree",
    Reason.MACHINE_ON_TWO_NETWORKS: _UNCLEAR
    + "it has addresses on two networks; use one of these addresses",
    Reason.KNOWN_FROM_SAVED: "{app} was on {network} when it was saved {day}; an app stays "
    "on its network as long as it exists",
    Reason.NAME_FROM_SAVED: "{network}: the name and the ID were saved together {day}",
    Reason.NOTHING_ALLOCATED: "no cross-network address of {target} is for {network}, by complete "
    "address lists",
    Reason.NO_ADDRESS_LIST: "a cross-network address of {target} may be for {network} ({missing})",
    Reason.UNLISTED_ADDRESS: "{end} is in no document; fdaa assumes that it is the address of a "
    "Machine, not a cross-network address",
    Reason.MEMBERSHIP_ONLY: "fdaa did not test whether anything is listening; the app must "
    "listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1",
    Reason.NO_MACHINE: "{app} has no Machine",
    Reason.STALE: "{end} is stale: no Machine of {looked_at} has this address",
    Reason.STOPPED: "{machine} is {states}",
    Reason.NO_STARTED_MACHINE: "no Machine of {app} is started ({states})",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has one (an app created through the "
    "API has none by default) and a service that is publicly reachable",
    Way.CROSS_NETWORK_ADDRESS: "allocate a cross-network address to {app} with the network "
    "name {name}{unless}",
    Way.EXISTING_CROSS_NETWORK_ADDRESS: "use the address already allocated to {app} for {network}: "
    "{addresses}",
    Way.REPLAY: "for HTTP only: respond with the header platform-replay; the edge proxy then "
    "forwards the request to {app}, which must be in the same organization and have a service that "
    "exposes a port",
    Way.ADMINISTRATOR: "as an administrator, use the remote console, file transfer or tunnel of "
    "the platform's command-line tool, which reach any network of the organization",
}
_ALLOCATED_TO_APP = (
    "allocated to {app} for clients on {serves}, and {source} is on it; the addresses of {app}'s "
    "own Machines are still not reachable"
)
_BOTH_UNLISTED = (
    "{source} and {target} are in no document; fdaa assumes that both are addresses of Machines, "
    "not cross-network addresses"
)
_SAVED_ADDRESS = (
    "{end} is in no list; {app} had it when it was saved, so fdaa assumes that it is the address "
    "of a Machine, not a cross-network address"
)
_PUBLIC_ADDRESSES = (
    "use a public address of {app}, if it has a service that is publicly reachable: {public}"
)
