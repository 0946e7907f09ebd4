"""The causes that fit what a line shows, in sentences."""

import re
from collections.abc import Iterator, Mapping

from fdaa._address import Address
from fdaa._escapes import inline
from fdaa._hosts import Host
from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import CAUSES_OF
from fdaa.explain._causes import CAUSE_TEXT, LINE_TEXT
from fdaa.explain._conclusions import ExplainedCause, explain_cause
from fdaa.explain._probe_documents import causes_by_documents
from fdaa.lines import Circumstance, CutOff, Evidence, Line, Named, Words
from fdaa.networks import NetworkMap, Verdict
from fdaa.probe import Observation

# A name that was looked up, and that is no `.internal` name.
_LOOKED_UP = r"""(?axi)
    (?:
        \b (?: ENOTFOUND | EAI_AGAIN | lookup | unknown [ ] host | resolve [ ] host: )
      | \b (?: host [ ] name | bad [ ] address )
    )
    [ ]{1,3} ["'(]? ( [a-z0-9] [\w.-]{0,80} )
"""
# Evidence of a connection that was tried, so the name has an address.
_TRIED = (
    Evidence.REFUSED,
    Evidence.TIMED_OUT,
    Evidence.ADDRESS_UNREACHABLE,
    Evidence.NO_RESPONSE,
    Evidence.NO_ROUTE,
)
# What a verdict states.
_STATED = (
    (Cause.OTHER_NETWORK,),
    (Cause.OWN_CROSS_NETWORK_ADDRESS,),
    (Cause.NAME_OF_OTHER_NETWORK,),
)
# What is no cause where the target is a service of the platform.
_NOT_OF_A_SERVICE = (
    Cause.LISTENS_ELSEWHERE,
    Cause.NOT_LISTENING,
    Cause.MACHINE_DOWN,
    Cause.OTHER_NETWORK,
    Cause.OWN_CROSS_NETWORK_ADDRESS,
    Cause.REFUSED_BY_HOST,
    Cause.SOURCE_ON_OTHER_NETWORK,
    Cause.STALE_ADDRESS,
    Cause.STALE_NAME,
)


def explain_line(
    line: Line, verdict: Verdict | None, networks: NetworkMap | None
) -> Iterator[ExplainedCause]:
    """Yield the causes that fit the words of a line, the likeliest first.

    Args:
        line: the line.
        verdict: whether its source can reach its target; None without both.
        networks: the documents and the book; None if there are none.
    """
    if line.words is None:
        return
    addresses: tuple[Address, ...] = ()
    if isinstance(line.target, Address):
        addresses = (line.target,)
    observation = Observation(
        line.words.evidence,
        addresses=addresses,
        circumstances=frozenset(_circumstances(line, line.words)),
    )
    verdicts = []
    if verdict is not None:
        verdicts.append(verdict)
    words = _sentence_words(line)
    is_service = _is_service(line.target, line)
    if line.corrected is not None and Cause.NO_BRACKETS in CAUSES_OF[line.words.evidence]:
        yield ExplainedCause(
            Cause.NO_BRACKETS, text=_sentence(Cause.NO_BRACKETS, words), next="", where=""
        )
        return
    causes = causes_by_documents(observation, verdicts, networks)
    if verdict is not None and verdict.reachable is False and causes[:1] in _STATED:
        causes = causes[:1]  # it is known, so nothing else has to be checked first
    for cause in causes:
        if is_service and cause in _NOT_OF_A_SERVICE:
            continue
        yield ExplainedCause(cause, text=_sentence(cause, words), next="", where="")


def sentence_of(cause: Cause) -> str:
    """Return the sentence for a cause of a line of which nothing is known."""
    return _sentence(cause, _NOTHING_KNOWN)


def _sentence(cause: Cause, words: Mapping[str, object]) -> str:
    sentence = LINE_TEXT.get(cause, CAUSE_TEXT[cause].sentence)
    text = explain_cause(cause, words, sentence)
    first_word = text.partition(" ")[0]
    if "." in first_word or ":" in first_word:  # a host or an address
        return text
    return text[:1].upper() + text[1:]


def _circumstances(line: Line, words: Words) -> Iterator[Circumstance]:
    """Yield what else is known: what the line shows, and what its two ends are."""
    yield Circumstance.PRINTED
    yield Circumstance.PORT_WITHOUT_BRACKETS
    yield from words.known
    source = _network_of(line.source, line)
    target = _network_of(line.target, line)
    if source is not None and target is not None and source != target:
        yield Circumstance.IDS_DIFFER
    names_target = bool(line.apps) and not isinstance(line.target, Address)
    yield Circumstance.INTERNAL_NAME  # or a name that is not in the line
    if not line.apps:
        if _looked_up(line) is None:
            yield Circumstance.UNNAMED
        else:
            yield Circumstance.NO_NAME
    if names_target and words.evidence in _TRIED:
        yield Circumstance.FOUND_ADDRESS
        return
    yield Circumstance.GIVEN_ADDRESS
    if source is None or (target is None and line.outside is None):
        yield Circumstance.NETWORKS_UNKNOWN
    if source is None and words.evidence is Evidence.NO_ROUTE:
        yield Circumstance.NO_PRIVATE_ADDRESS


def _network_of(end: Named | None, line: Line) -> object:
    """Return the ID of an end's network; None for a host, and for a service of the platform."""
    if end is None or isinstance(end, Host) or _is_service(end, line):
        return None
    return end.network_id


def _is_service(end: Named | None, line: Line) -> bool:
    if end is None or isinstance(end, Host):
        return False
    return end.network_id in line.services


def _looked_up(line: Line) -> str | None:
    """Return the name that was looked up, if it is no `.internal` name."""
    if line.apps:
        return None
    found = re.search(_LOOKED_UP, line.text)
    if found is None:
        return None
    return found[1]


def _sentence_words(line: Line) -> dict[str, object]:
    """Return the values for the sentences of causes."""
    address = "the address"
    if isinstance(line.target, Address | CutOff):
        address = str(line.target)
    app = "the app"
    host = "the name"
    if line.apps:
        app = f"app {inline(line.apps[0].app)}"
        host = inline(line.apps[0].name)
    looked_up = _looked_up(line)
    if looked_up is not None:
        host = inline(looked_up)
    client = _NOTHING_KNOWN["network_of_client"]
    for found in line.found:
        client = str(found.network_id.prefix)
    return {
        **_NOTHING_KNOWN,
        "the_address": address,
        "The_address": address,
        "The_app": app,
        "The_host": host,
        "host": host,
        "port": line.port or _NOTHING_KNOWN["port"],
        "network_of_client": client,
    }


_NOTHING_KNOWN: dict[str, object] = {
    "the_address": "the address",
    "The_address": "the address",
    "The_app": "the app",
    "The_host": "the name",
    "host": "the name",
    "port": "of the line",
    "network_of_client": "fdaa:...::/48",
}
