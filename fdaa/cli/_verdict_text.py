"""What verdicts, holders of addresses and checked allocations are called: all their prose.

A table has a sentence for each reason and each way. `reach`, `check`, `whois` and `probe` print
them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fdaa.cli._book_names import did_you_mean
from fdaa.cli._streams import inline
from fdaa.membership import PRIVATE_IP_VARIABLE
from fdaa.network_name import NetworkName
from fdaa.networks import KnownNetwork, Reason, Rule, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.networks import CheckedAllocation, Finding, Holder, NetworkMap, Verdict

_APPS_WIDTH = 40  # characters of a list of apps that are shown; --json has them all


def list_apps(apps: tuple[str, ...]) -> str:
    """Return as many apps as a narrow column takes, at least one, and how many more there are."""
    if not apps:
        return "-"
    shown: list[str] = []
    for app in apps:
        shown.append(inline(app))
        if len(shown) > 1 and len(", ".join(shown)) > _APPS_WIDTH:
            shown.pop()
            shown.append(f"and {len(apps) - len(shown)} more")
            break
    return ", ".join(shown)


def describe_network(network: KnownNetwork | None) -> str:
    """Return what a network is called: its name and ID, as far as they are known."""
    if network is None or network == KnownNetwork():
        return "an unknown network"
    if network.name is None:
        return f"network {network.network_id}"
    if network.network_id is None:
        return f"network {inline(network.name)}"
    return f"network {inline(network.name)} ({network.network_id})"


def names_of_networks(joined: NetworkMap) -> list[str]:
    """Return the names of the networks that have one, for suggestions."""
    return [str(network.name) for network in joined.networks if network.name is not None]


# --- verdicts -------------------------------------------------------------------------------------


def describe_verdict(
    verdict: Verdict, *, why: bool, tried: bool = False, joined: NetworkMap | None = None
) -> Iterator[str]:
    """Yield the lines that show a verdict to a person.

    Args:
        verdict: what `reach` returned.
        why: show what each line rests on: a section of the specification, or an assumption.
        tried: leave out that a verdict proves no connection, where one was tried.
        joined: the documents; a name that is not in them gets a suggestion.
    """
    source = _end(verdict.source)
    target = _end(verdict.target)
    if verdict.reachable is None:
        yield f"unknown: whether {source} can reach {target}"
    elif not verdict.reachable:
        yield f"no: {source} cannot reach {target} privately"
    elif verdict.via:
        yield f"yes: {source} can reach {target} through {', '.join(verdict.via)}"
    else:
        yield f"yes: {source} can reach {target}"
    kinds = {reason.kind for reason in verdict.reasons}
    may_listen = verdict.reachable and not tried and Reason.NO_MACHINE not in kinds
    lines: dict[str, None] = {}  # each once: both ends may be one address, which is stale
    for reason in sorted(verdict.reasons, key=_is_secondary):
        if reason.kind is Reason.MEMBERSHIP_ONLY and not may_listen:
            continue
        lines[_line(reason, verdict, why, joined)] = None
    yield from lines
    if verdict.ways:
        yield "ways around:"
        for way in verdict.ways:
            yield _line(way, verdict, why, joined)


def _is_secondary(reason: Finding) -> bool:
    """Return whether a reason comes after those for which nothing can respond."""
    return reason.kind not in (Reason.STALE, Reason.NO_MACHINE)


def _end(end: object) -> str:
    """Return a source or target as the command accepts it."""
    if isinstance(end, NetworkName):
        return f"network:{end}"
    return inline(str(end))


def _line(finding: Finding, verdict: Verdict, why: bool, joined: NetworkMap | None) -> str:
    words = _words(finding, verdict)
    words["hint"] = _hint(finding, verdict, joined)
    line = "  " + _sentence(finding).format_map(words)
    if not why:
        return line
    if finding.kind.assumed is not None:
        return f"{line} [assumed: {finding.kind.assumed}]"
    return f"{line} [{finding.kind.section}]"


def _words(finding: Finding, verdict: Verdict) -> dict[str, str]:
    """Return the values for the sentences below."""
    source = _end(verdict.source)
    target = _end(verdict.target)
    end = target
    if finding.end == "source":
        end = source
    app = f"the app of {end}"
    if finding.app is not None:
        app = inline(finding.app)
    day = "at an unknown time"
    if finding.learned_on is not None:
        day = f"on {inline(finding.learned_on[:10])}"
    name = None
    if finding.network is not None:
        name = finding.network.name
    probe = ""
    if os.environ.get(PRIVATE_IP_VARIABLE):  # inside a Machine
        probe = " (try `fdaa probe`)"
    return {
        "source": source,
        "target": target,
        "end": end,
        "app": app,
        "day": day,
        "name": inline(name),
        "network": describe_network(finding.network),
        "on_source": describe_network(finding.source),
        "on_target": describe_network(finding.target),
        "serves": describe_network(finding.serves),
        "looked_at": list_apps(finding.looked_at or ()),
        "addresses": ", ".join(map(inline, finding.addresses or ())),
        "broken": ", and ".join(_BROKEN[rule] for rule in finding.rules or ()),
        "probe": probe,
    }


def _hint(finding: Finding, verdict: Verdict, joined: NetworkMap | None) -> str:
    """Return what to do about a name that is not in the documents: the nearest, or what to add."""
    end = verdict.target
    if finding.end == "source":
        end = verdict.source
    hint = ""
    if joined is not None and finding.kind is Reason.NOT_IN_DOCUMENTS:
        hint = did_you_mean(str(end), [*joined.apps, *joined.machines])
    if joined is not None and not hint and finding.kind in _TO_ADD:
        hint = did_you_mean(str(end), names_of_networks(joined), before="network:")
    return hint or _TO_ADD.get(finding.kind, "")


def _sentence(finding: Finding) -> str:
    kind = finding.kind
    if finding.addresses and kind in _WITH_ADDRESSES:
        return _WITH_ADDRESSES[kind]
    if kind is Reason.CONTRADICTION and finding.end is None:
        return _APART + "; documents contradict each other: {broken}"
    if kind is Reason.OWN_NETWORK_UNKNOWN and finding.app is None:
        return _OWN_UNKNOWN + "APP= to --addresses FILE, and an app list (--apps)"
    is_unnamed = finding.network is not None and finding.network.name is None
    if kind is Way.CROSS_NETWORK_ADDRESS and is_unnamed:
        return _UNNAMED
    return SENTENCES[kind]


_UNCLEAR = "{end} is not clear: "
_APART = "{source} is on {on_source}, {target} on {on_target}"
_ALLOCATED = "{target} is allocated to {app} for clients on "
_OWN_UNKNOWN = (
    "the network of {app} itself is unknown, and this address does not work from that network; add "
)
_UNNAMED = (
    "allocate a cross-network address to {app} with the name of the network that {source} is on "
    "({network}; an app list or a book has its name)"
)
SENTENCES: dict[Reason | Way, str] = {
    Reason.SAME_ID: "{source} and {target} are both on {on_source}",
    Reason.DIFFERENT_IDS: _APART,
    Reason.SAME_NAME: "{source} and {target} are both on {on_source}",
    Reason.DIFFERENT_NAMES: _APART,
    Reason.ALLOCATED_FOR_SOURCE: _ALLOCATED + "{serves}, and {source} is on it",
    Reason.ALLOCATED_FOR_ANOTHER: _ALLOCATED + "{serves}, and {source} is on {on_source}",
    Reason.ASKED_FROM_OWN_NETWORK: _ALLOCATED + "{serves}; {source} is on {on_source}, the "
    "network of {app} itself: use the address of a Machine of {app}",
    Reason.OWN_NETWORK_UNKNOWN: _OWN_UNKNOWN + "an app list (--apps FILE) or --machines {app}=FILE",
    Reason.SOURCE_ID_UNKNOWN: "{addresses} is allocated to {app}, perhaps for clients on "
    "{on_source}; add a Machine list of an app on that network (--machines), which has its ID",
    Reason.SOURCE_IS_ALLOCATED: "{source} is allocated to {app} for clients on {network}; no "
    "requests come from it",
    Reason.NOT_COMPARABLE: _APART + "; add documents that have the names of both networks, or the "
    "IDs of both",
    Reason.NOT_IN_DOCUMENTS: "{end} is in none of these documents{hint}",
    Reason.NAME_OF_NETWORK: "{end} is a network, not an app: use network:{end}",
    Reason.NETWORK_NOT_IN_DOCUMENTS: "{end} is in none of these documents{hint}",
    Reason.APP_UNKNOWN: "{end} has no address yet, and its list does not name its app; use "
    "--machines APP=FILE",
    Reason.SERVICE_ADDRESS: "{end}: network ID 0 is assumed to be that of the platform's services "
    "(fdaa::3 is its resolver); no rule says which networks can reach them",
    Reason.CONTRADICTION: _UNCLEAR + "{broken}; use a Machine's address, or documents that agree",
    Reason.ADDRESS_DISPUTED: _UNCLEAR + "{broken}; use documents that agree",
    Reason.APP_OR_MACHINE: _UNCLEAR + "an app and a Machine have this name; use the Machine's "
    "address",
    Reason.MACHINE_OF_TWO_APPS: _UNCLEAR + "it has no address yet, and is in the Machine lists of "
    "two apps",
    Reason.MACHINE_ON_TWO_NETWORKS: _UNCLEAR + "it has addresses on two networks; use one of them",
    Reason.KNOWN_FROM_BOOK: "{app} was on {network} when the book learned it {day}; an app stays "
    "on its network as long as it exists",
    Reason.MEMBERSHIP_ONLY: "fdaa did not test whether anything is listening{probe}; the app must "
    "listen on its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1",
    Reason.NO_MACHINE: "{app} has no Machine, so nothing can respond",
    Reason.STALE: "{end} is stale: no Machine of {looked_at} has this address",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has one (an app created through the "
    "API has none by default) and a service that is publicly reachable",
    Way.CROSS_NETWORK_ADDRESS: "allocate a cross-network address to {app} with the network "
    "name {name}, unless it has one (see --addresses)",
    Way.EXISTING_ADDRESS: "use the address already allocated to {app} for {network}: {addresses}",
    Way.REPLAY: "for HTTP only: respond with the header platform-replay; the edge proxy then "
    "forwards the request to {app}, which must be in the same organization and have a service that "
    "exposes a port",
    Way.ADMINISTRATOR: "as an administrator, use the remote console, file transfer or tunnel of "
    "the platform's command-line tool, which reach any network of the organization",
}
_WITH_ADDRESSES: dict[Reason | Way, str] = {
    Reason.ALLOCATED_FOR_SOURCE: "allocated to {app} for clients on {serves}, and {source} is on "
    "it; the addresses of {app}'s own Machines are still not reachable",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has a service that is publicly "
    "reachable: {addresses}",
}
# What completes the documents, where no name in them is like the one that was given.
_TO_ADD: dict[Reason | Way, str] = {
    Reason.NOT_IN_DOCUMENTS: "; add an --apps or --machines FILE that lists it",
    Reason.NETWORK_NOT_IN_DOCUMENTS: "; add an --apps FILE that lists an app on it, or a --book",
}
_BROKEN = {
    Rule.NAME_HAS_TWO_IDS: "a network name has two IDs",
    Rule.ID_HAS_TWO_NAMES: "a network ID has two names",
    Rule.APP_LISTED_TWICE: "it is listed on two networks",
    Rule.APP_ON_TWO_NETWORKS: "it is on two networks",
    Rule.ADDRESS_OF_TWO_APPS: "one address is listed for two apps",
    Rule.ADDRESS_HELD_TWICE: "one address is listed for two Machines, or for a Machine and as a "
    "cross-network address",
}


# --- holders of addresses -------------------------------------------------------------------------


def describe_holding(holder: Holder) -> str | None:
    """Return the remark about how an address is held, or None where its row says all."""
    if holder.holding == "machine":
        return None
    when = ""
    if holder.learned_on is not None:
        when = f" on {inline(holder.learned_on[:10])}"
    had_it = ""
    if holder.app is not None:
        had_it = f"; {inline(holder.app)} had it when the book learned it{when}"
    words = {"looked_at": list_apps(holder.looked_at), "when": when, "had_it": had_it}
    return _HOLDINGS[holder.holding].format_map(words)


_HOLDINGS = {
    "cross-network-address": "allocated to the app for clients on this network",
    "book": "the app had this address when the book learned it{when}",
    "stale": "stale: no Machine of {looked_at} has this address{had_it}",
    "contradiction": "unknown: the documents disagree; `fdaa networks` shows how",
    "service": "unknown: services of the platform are assumed to have network ID 0",
    "unknown": "unknown: not in any document or book",
}


# --- cross-network addresses ----------------------------------------------------------------------


def describe_allocation(checked: CheckedAllocation) -> Iterator[str]:
    """Yield the remarks about a cross-network address."""
    app = inline(checked.allocated.app)
    if checked.warning is not None:
        yield _WARNINGS[checked.warning].format(app=app)
    if checked.allocated.app is None:
        yield "unknown whether this is the app's own network; use --addresses APP=FILE"
    elif checked.own is None:
        yield f"unknown whether {app} itself is on this network; add --machines {app}=FILE"


_WARNINGS = {
    "own-network": "warning: {app} itself is on this network, from which the address does not "
    "work (assumed); allocate one for the network of the clients",
    "no-app-on-network": "warning: no app in these documents is on this network (assumed); is the "
    "address for clients on the right one?",
    "unknown-network": "unknown network; add an app list (--apps) and a Machine "
    "list of an app on it (--machines)",
}
