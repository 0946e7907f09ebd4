"""The causes that fit what a line shows, in sentences."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network, ip_address

from fdaa._support.escapes import inline
from fdaa._values.address import Address
from fdaa._values.hosts import Host
from fdaa.explain._cause_kinds import Cause
from fdaa.explain._cause_table import CAUSES_OF, causes_of
from fdaa.explain._causes import (
    CAUSE_TEXT,
    LINE_SEEN_TEXT,
    LINE_TEXT,
    ExplainedCause,
    explain_cause,
)
from fdaa.explain._probe_documents import causes_by_documents, started_machines
from fdaa.explain._steps import is_before_sending
from fdaa.lines import Circumstance, CutOff, Evidence, Line, Named, Words
from fdaa.networks import NetworkMap, Reason, Verdict
from fdaa.networks._network_map import knowledge_of

# A name that was looked up, and that is no `.internal` name.
_LOOKED_UP = r"""(?axi)
    (?:
        \b (?: ENOTFOUND | EAI_AGAIN | lookup | unknown [ ] host | resolve [ ] host: )
      | \b (?: host [ ] name | bad [ ] address )
    )
    [ ]{1,3} ["'(]? ( [a-z0-9] [\w.-]{0,80} )
"""
# The resolver that was asked: lookup NAME on ADDRESS:53, read udp ADDRESS:PORT->ADDRESS:53, and
# dig's SERVER: ADDRESS#53.
_RESOLVER = r"""(?axi)
    (?: \b lookup [ ] \S{1,300} [ ] on [ ] | -> | \b server: \s{0,8} )
    \[? ( [0-9a-f:.]{2,45} ) \]? [:\#] 53 \b
"""
_EVERY_NETWORK = IPv6Network("fdaa::/16")
# A target on the program's own computer: a proxy's upstream, or one that was dialled.
_OWN_COMPUTER = r"""(?axi)
    \b (?:
        (?:
            upstream: [ ] "? [a-z]{1,12} ://
          | dial [ ] (?: tcp | udp ) [46]? [ ]
          | connect\(\) [ ] to [ ]
        )
        (?: 127\. [0-9.]{5,11} | localhost \b | \[ ::1 \] | unix: )
        # The file of a socket.
      | dial [ ] unix [ ]
      | connect [ ] E [A-Z]{2,20} [ ] /
      | server [ ] on [ ] socket [ ] "
    )
"""
# Evidence of a connection that was tried, so the name has an address.
_TRIED = (
    Evidence.REFUSED,
    Evidence.TIMED_OUT,
    Evidence.ADDRESS_UNREACHABLE,
    Evidence.NO_RESPONSE,
    Evidence.NO_ROUTE,
)
# Evidence that the program read the address of its target.
_OF_AN_ADDRESS = (Evidence.NO_ROUTE, Evidence.NOT_CONNECTED)
# Evidence that the resolver responded, and has no address for the name.
_NAME_NOT_FOUND = (Evidence.NOT_FOUND, Evidence.NO_ADDRESS, Evidence.NO_IPV4_ADDRESS)
# What a verdict states.
STATED = (
    Cause.OTHER_NETWORK,
    Cause.OWN_CROSS_NETWORK_ADDRESS,
    Cause.NAME_OF_OTHER_NETWORK,
)
# Causes of a name that was looked up.
_OF_A_NAME = (Cause.NAME_OF_OTHER_NETWORK, Cause.NO_STARTED_MACHINE, Cause.NO_SUCH_NAME)


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
    addresses = (line.target,) if isinstance(line.target, Address) else ()
    circumstances = frozenset(_circumstances(line, line.words, verdict))
    verdicts = [verdict] if verdict is not None else []
    words = _sentence_words(line)
    if line.corrected is not None and Cause.NO_BRACKETS in CAUSES_OF[line.words.evidence]:
        yield ExplainedCause(Cause.NO_BRACKETS, text=sentence_of(Cause.NO_BRACKETS))
        return
    fitting = causes_of(line.words.evidence, circumstances)
    if _asked_for_an_address(line, line.words):
        fitting = tuple(cause for cause in fitting if cause not in _OF_A_NAME)
    causes = causes_by_documents(fitting, verdicts, networks, addresses=addresses)
    excluded: set[Cause] = set()
    if networks is not None and _are_listed(line.apps, networks):
        excluded.add(Cause.NO_SUCH_NAME)
    if networks is not None and _are_missing(line.apps, networks):
        excluded.update((Cause.NAME_OF_OTHER_NETWORK, Cause.NO_STARTED_MACHINE))
        if Cause.NO_SUCH_NAME in causes:
            causes = tuple(dict.fromkeys((Cause.NO_SUCH_NAME, *causes)))
    if networks is not None and any(_has_started_machine(host, networks) for host in line.apps):
        excluded.add(Cause.NO_STARTED_MACHINE)
    if Cause.NO_IPV6_HERE in causes:
        excluded.add(Cause.IPV6_OFF)  # its sentence includes this one
    if is_answered_across(line, verdict):
        excluded.add(Cause.OTHER_NETWORK)  # isolation explains no response
    elif _is_explained(line, verdict) and causes and causes[0] in STATED:
        causes = causes[:1]  # it is known, so nothing else has to be checked first
    elif Cause.OTHER_RESOLVER in causes and _asks_another_resolver(line.text):
        causes = tuple(dict.fromkeys((Cause.OTHER_RESOLVER, *causes)))
    for cause in causes:
        if cause in excluded:
            continue
        sentence = None
        for circumstance in circumstances:
            sentence = LINE_SEEN_TEXT.get((cause, circumstance), sentence)
        text = explain_cause(cause, words, sentence or _sentence(cause))
        yield ExplainedCause(cause, text=text)


def _asked_for_an_address(line: Line, words: Words) -> bool:
    """Return whether a program that asks for IPv4 was given an address and no name."""
    if words.evidence is not Evidence.NO_IPV4_ADDRESS or not isinstance(line.target, Address):
        return False
    return not line.apps and not _is_service(line.target, line)


def _is_explained(line: Line, verdict: Verdict | None) -> bool:
    """Return whether a verdict may state why a line is a failure."""
    if is_name_across(line, verdict):
        return True
    if is_before_sending(line):
        return False  # no network is the reason
    return verdict is not None and verdict.reachable is False


def is_answered_across(line: Line, verdict: Verdict | None) -> bool:
    """Return whether something refused a connection to another network, by the verdict.

    Networks that are isolated from each other do not refuse connections; packets are lost.
    """
    if line.words is None or line.words.evidence is not Evidence.REFUSED:
        return False
    return verdict is not None and _says_other_network(verdict)


def is_name_across(line: Line, verdict: Verdict | None) -> bool:
    """Return whether a name was not found whose app has a cross-network address for the source.

    The name does not resolve on the network of the source; the address can be used instead.
    """
    if line.words is None or line.words.evidence not in _NAME_NOT_FOUND:
        return False
    return isinstance(line.target, Host) and verdict is not None and bool(verdict.via)


def _says_other_network(verdict: Verdict) -> bool:
    """Return whether a verdict is no, as the two ends are on different networks."""
    kinds = {reason.kind for reason in verdict.reasons}
    is_other = not kinds.isdisjoint((Reason.DIFFERENT_IDS, Reason.DIFFERENT_NAMES))
    return verdict.reachable is False and is_other


def _are_listed(hosts: Sequence[Host], networks: NetworkMap) -> bool:
    """Return whether documents have the app of each name, which has no other part."""
    if not hosts:
        return False
    return all(host.app in networks.apps and host.first_part is None for host in hosts)


def _are_missing(hosts: Sequence[Host], networks: NetworkMap) -> bool:
    """Return whether a complete app list has none of the apps, and nothing else knows one."""
    if not hosts or not knowledge_of(networks).facts.all_apps_listed:
        return False
    for host in hosts:
        if host.app is None or host.app in networks.apps:
            return False
        network = networks.known_network(host.app)  # perhaps from the book
        if network.name is not None or network.network_id is not None:
            return False
    return True


def _has_started_machine(host: Host, networks: NetworkMap) -> bool:
    return host.app is not None and started_machines(host.app, networks) > 0


def _target_outside(line: Line) -> Host | None:
    """Return the target, if it is an IP address that is not private."""
    if line.target is not None:
        return None
    return line.outside


def _asks_another_resolver(text: str) -> bool:
    """Return whether a line shows a resolver that is neither private nor of the own computer."""
    for written in re.findall(_RESOLVER, text):
        with suppress(ValueError):
            address = ip_address(written)
            is_private = isinstance(address, IPv6Address) and address in _EVERY_NETWORK
            # One that forwards queries may be at a loopback address; where to is not shown.
            if not is_private and not address.is_loopback:
                return True
    return False


def sentence_of(cause: Cause) -> str:
    """Return the sentence for a cause of a line of which nothing is known."""
    return explain_cause(cause, _NOTHING_KNOWN, _sentence(cause))


def _sentence(cause: Cause) -> str:
    return LINE_TEXT.get(cause, CAUSE_TEXT[cause].sentence)


def _circumstances(line: Line, words: Words, verdict: Verdict | None) -> Iterator[Circumstance]:
    """Yield what else is known: what the line shows, and what its two ends are."""
    yield Circumstance.PRINTED
    yield Circumstance.PORT_WITHOUT_BRACKETS
    yield from words.known
    if re.search(_OWN_COMPUTER, line.text) is not None:
        yield Circumstance.CONNECTS_TO_ITSELF
        if line.clients or "upstream" in line.text:
            yield Circumstance.IS_PROXY
    if isinstance(line.target, Address) and words.evidence in _OF_AN_ADDRESS:
        yield Circumstance.READS_ADDRESS
    if _is_service(line.target, line):
        yield Circumstance.TARGET_IS_SERVICE
    if _target_outside(line) is not None:
        yield Circumstance.TARGET_OUTSIDE
    source = _network_of(line.source, line)
    target = _network_of(line.target, line)
    if source is not None and target is not None and source != target:
        yield Circumstance.IDS_DIFFER
    if verdict is not None and _says_other_network(verdict):
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
    is_shown = source is not None and line.source in line.ends
    if words.evidence is Evidence.NO_ROUTE and not is_shown:
        yield Circumstance.NO_PRIVATE_ADDRESS  # a Machine has a route; the line may be of another


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
    found = None if line.apps else re.search(_LOOKED_UP, line.text)
    return found[1] if found is not None else None


def _sentence_words(line: Line) -> dict[str, object]:
    """Return the values for the sentences of causes."""
    words = dict(_NOTHING_KNOWN)
    address = None
    outside = _target_outside(line)
    if isinstance(line.target, Address | CutOff):
        address = str(line.target)
    elif outside is not None:
        address = inline(outside.name)
    if address is not None:
        words.update(the_address=address, The_address=address)
    looked_up = _looked_up(line)
    if line.apps:
        words["The_app"] = f"App {inline(line.apps[0].app)}"
        words["The_host"] = inline(line.apps[0].name)
    elif looked_up is not None:
        words["The_host"] = inline(looked_up)
    if line.port is not None:
        words["port"] = line.port
    for found in line.found:
        words["network_of_client"] = str(found.network_id.prefix)
    return words


# A sentence may begin with a name, which stays as it is written.
_NOTHING_KNOWN: dict[str, object] = {
    "the_address": "the address",
    "The_address": "The address",
    "The_app": "The app",
    "The_host": "The name",
    "host": "the name",
    "port": "of the line",
    "network_of_client": "fdaa:...::/48",
}
