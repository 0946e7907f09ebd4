"""`fdaa reach`: can SOURCE reach TARGET, and if not, what now? With the text for people."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa._escapes import quote
from fdaa.cli import _render as output
from fdaa.cli._book_names import did_you_mean, open_book
from fdaa.cli._document_options import (
    complete_end,
    document_options,
    list_apps,
    read_inputs,
    status_of,
)
from fdaa.cli._exit_status import NO, UNKNOWN, YES, CommandError
from fdaa.cli._options import book_option, quiet_option
from fdaa.cli._pasted_text import Prefix, read_text, split_ports
from fdaa.cli._streams import complain, inline
from fdaa.errors import InputError
from fdaa.membership import PRIVATE_IP_VARIABLE
from fdaa.networks import NETWORK_END, Reason, Requirement, Rule, Way
from fdaa.networks import reach as judge

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Any

    from fdaa.address import Address
    from fdaa.cli._document_options import DocumentOptions
    from fdaa.networks import Finding, NetworkMap, Verdict


@click.command()
@click.argument("source", shell_complete=complete_end)
@click.argument("target", shell_complete=complete_end)
@document_options
@book_option()
@click.option("--why", is_flag=True, help="Also show the sections of the specification.")
@quiet_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def reach(
    source: str,
    target: str,
    book_file: str | None,
    why: bool,
    quiet: bool,
    as_json: bool,
    documents: DocumentOptions,
) -> int:
    """Show whether SOURCE can reach TARGET, and what to do if not.

    Each is an address, an app, a Machine's identifier, a network's ID (2:45b) or name
    (network:customer-17), or self, the Machine that this runs on. The result is about networks: it
    does not show whether anything listens there.

    Examples:
      $ fdaa reach web api --apps apps.json --machines web=web.json --machines api=api.json
      $ fdaa reach self fdaa:2:45b::3 --book networks.json
      $ fdaa reach network:customer-17 2:224b --book networks.json -q || echo "not reachable"

    Exit status: 0 reachable, 1 not reachable, 2 invalid input, 3 unknown.
    """
    inputs = read_inputs(documents, open_book(book_file))
    holders = inputs.joined.facts.holders
    verdict = judge(_end(source, holders), _end(target, holders), inputs.joined)
    status = status_of(inputs, {True: YES, False: NO, None: UNKNOWN}[verdict.reachable])
    if as_json and not quiet:
        sys.stdout.write(output.json_line(verdict.to_dict()))
    elif not quiet:
        lines = (*describe(verdict, why), *_suggestions(verdict, inputs.joined))
        sys.stdout.writelines(map(output.indented, lines))
    sys.stdout.flush()  # the verdict first
    if inputs.joined.contradictions and not quiet:
        number = output.counted(len(inputs.joined.contradictions), "contradiction")
        complain(f"{number} in these documents; `fdaa networks` shows all")
    return status


def _end(text: str, holders: Container[Address]) -> str | Address:
    """Return an end in the library's form; text pasted around an address is left out.

    Args:
        text: the argument.
        holders: the addresses in the documents.
    """
    if text.startswith(NETWORK_END):
        return output.as_input(text)
    try:
        first, *others = split_ports(text, read_text(text), holders)
    except InputError:
        if text.count(":") > 1 or not text:
            raise
        return output.as_input(text)  # a name, or a network's ID
    if isinstance(first, Prefix) and text.count(":") < 2:
        return output.as_input(text)  # the library reads an ID itself
    if others:
        raise CommandError(f"{quote(text)} contains several addresses; give one")
    return f"{NETWORK_END}{first.network_id}" if isinstance(first, Prefix) else first


def _suggestions(verdict: Verdict, joined: NetworkMap) -> Iterator[str]:
    """Yield a suggestion for each end that is not in the documents but like a name in them."""
    for reason in verdict.reasons:
        text = verdict.source if reason.details.get("end") == "source" else verdict.target
        names: Iterable[str] = ()
        if reason.details.get("requires") is Requirement.END_IN_DOCUMENT:
            names = (*joined.facts.apps, *joined.facts.machines)
        elif reason.details.get("requires") is Requirement.NETWORK_IN_DOCUMENT:
            text = text.removeprefix(NETWORK_END)
            names = (str(network.name) for network in joined.networks if network.name is not None)
        if hint := did_you_mean(text, names):
            yield f"  {inline(text)} is not in these documents{hint}"


# --- prose ----------------------------------------------------------------------------------------


def describe(verdict: Verdict, why: bool, tried: bool = False) -> Iterator[str]:
    """Yield the lines that show a verdict to a person.

    Args:
        verdict: what `reach` returned.
        why: show the section of the specification that each line follows.
        tried: leave out that a verdict proves no connection, where one was tried.
    """
    source, target = inline(verdict.source), inline(verdict.target)
    through = " through " + ", ".join(verdict.via) if verdict.via else ""
    yield {
        True: f"yes: {source} can reach {target}{through}",
        False: f"no: {source} cannot reach {target} privately",
        None: f"unknown: whether {source} can reach {target}",
    }[verdict.reachable]

    def sentence(finding: Finding) -> str:
        prose = _template(finding).format_map(_words(finding.details, source, target))
        return f"  {prose} [{finding.kind.section}]" if why else f"  {prose}"

    tried = tried or any(reason.kind is Reason.NO_MACHINE for reason in verdict.reasons)
    for reason in verdict.reasons:
        if reason.kind is not Reason.MEMBERSHIP_ONLY or (verdict.reachable and not tried):
            yield sentence(reason)
    if verdict.ways:
        yield "ways around:"
        yield from map(sentence, verdict.ways)


def _words(details: Any, source: str, target: str) -> dict[str, str]:
    """Return the values for the sentences below."""
    end = source if details.get("end") == "source" else target
    app, day = details.get("app"), details.get("learned_on")
    return {
        "source": source,
        "target": target,
        "probe": " (try `fdaa probe`)" if os.environ.get(PRIVATE_IP_VARIABLE) else "",
        "end": end,
        "app": f"the app of {end}" if app is None else inline(app),
        "name": inline(details.get("network")),
        "network": describe_network(details),
        "on_source": describe_network(details.get("source", {})),
        "on_target": describe_network(details.get("target", {})),
        "serves": describe_network(details.get("serves", {})),
        "looked_at": list_apps(details.get("looked_at", ())),
        "addresses": ", ".join(map(inline, details.get("addresses", ()))),
        "day": "at an unknown time" if day is None else f"on {inline(day[:10])}",
        "broken": ", and ".join(_UNCLEAR[rule] for rule in details.get("rules", ())),
    }


def describe_network(details: Any) -> str:
    """Name a network: by name and ID, as far as they are known."""
    name, network_id = details.get("network"), details.get("network_id")
    if name is None:
        return "an unknown network" if network_id is None else f"network {network_id}"
    return f"network {inline(name)}" + ("" if network_id is None else f" ({network_id})")


def _template(finding: Finding) -> str:
    kind, details = finding.kind, finding.details
    if kind is Reason.MISSING:
        return _PROSE[Requirement(str(details["requires"]))]
    if details.get("addresses"):
        return _WITH_ADDRESSES[kind]
    if kind is Reason.OWN_NETWORK_UNKNOWN and details["app"] is None:
        return _OWN_UNKNOWN + "APP= to --addresses FILE, and an app list (--apps)"
    if kind is Way.CROSS_NETWORK_ADDRESS and details["network"] is None:
        return _UNNAMED
    return _PROSE[kind]


_UNCLEAR_END = "{end} is not clear: "
_APART = "{source} is on {on_source}, {target} on {on_target}"
_ALLOCATED = "{target} is allocated to {app} for clients on "
_OWN_UNKNOWN = (
    "the network that {app} itself is on is not known, and from that network this address is not "
    "reachable; add "
)
_UNNAMED = (
    "allocate a private address to {app} with the name of the network that {source} is on "
    "({network}; an app list or a book has its name)"
)
_PROSE: dict[Reason | Way | Requirement, str] = {
    Reason.SAME_ID: "{source} and {target} are both on {on_source}",
    Reason.SAME_NAME: "{source} and {target} are both on {on_source}",
    Reason.DIFFERENT_IDS: _APART,
    Reason.DIFFERENT_NAMES: _APART,
    Reason.ALLOCATED_FOR_SOURCE: _ALLOCATED + "{serves}, and {source} is on it",
    Reason.ALLOCATED_FOR_ANOTHER: _ALLOCATED + "{serves}, and {source} is on {on_source}",
    Reason.ASKED_FROM_OWN_NETWORK: _ALLOCATED + "{serves}; {source} is on {on_source}, the "
    "network of {app} itself: use the address of a Machine of {app}",
    Reason.OWN_NETWORK_UNKNOWN: _OWN_UNKNOWN + "an app list (--apps FILE) or --machines {app}=FILE",
    Reason.SOURCE_IS_ALLOCATED: "{source} is allocated to {app} for clients on {network}; no "
    "requests come from it",
    Reason.SERVICE_ADDRESS: "{end}: network ID 0 is that of the platform's services (fdaa::3 is "
    "its resolver); no rule says who can reach those",
    Reason.KNOWN_FROM_BOOK: "{app} was on {network} when the book learned it {day}; an app stays "
    "on its network as long as it exists",
    Reason.MEMBERSHIP_ONLY: "whether anything answers is not known{probe}; the app must listen on "
    "its private IPv6 address or on [::], not only on 0.0.0.0 or 127.0.0.1",
    Reason.NO_MACHINE: "{app} has no Machine: nothing answers",
    Reason.STALE: "{end} is stale: no Machine of {looked_at} has this address",
    Reason.CONTRADICTION: _UNCLEAR_END + "{broken}; use a Machine's address, or documents "
    "that agree",
    Requirement.END_IN_DOCUMENT: "nothing is known about {end}; add an --apps or --machines "
    "FILE that lists it",
    Requirement.END_AS_NETWORK: "{end} is the name of a network and of no app: write network:{end}",
    Requirement.NETWORK_IN_DOCUMENT: "nothing is known about {end}; add an --apps FILE that "
    "lists an app on it, or a --book",
    Requirement.APP_OF_MACHINE_LIST: "{end} has no address yet, and its list does not name its "
    "app; use --machines APP=FILE",
    Requirement.APP_OR_MACHINE: _UNCLEAR_END
    + "an app and a Machine have this name; use the Machine's "
    "address",
    Requirement.ONE_APP: _UNCLEAR_END + "it is in the Machine lists of two apps; use its address",
    Requirement.ONE_NETWORK: _UNCLEAR_END + "it has addresses on two networks; use one of them",
    Requirement.ID_OF_SOURCE: "{addresses} is allocated to {app}, perhaps for clients on "
    "{on_source}; add a Machine list of an app on that network (--machines), which has its ID",
    Requirement.NAMES_OR_IDS: _APART
    + "; add documents that have the names of both networks, or the IDs "
    "of both",
    Requirement.AGREEMENT: _APART + "; the documents, or the book, contradict each other",
    Way.PUBLIC_ADDRESS: "use a public address of {app}, if it has a service that is reachable "
    "from outside",
    Way.CROSS_NETWORK_ADDRESS: "allocate a private address to {app} with the network name {name}, "
    "if it has none (see --addresses)",
    Way.REPLAY: "respond with the header platform-replay, if the organization allows it; the edge "
    "proxy then forwards the request to {app}, which must have a service that exposes a port",
}
_WITH_ADDRESSES: dict[Reason | Way, str] = {
    Reason.ALLOCATED_FOR_SOURCE: "allocated to {app} for clients on {serves}, and {source} is on "
    "it; the addresses of {app}'s own Machines are still not reachable",
    Way.PUBLIC_ADDRESS: "use a public address of {app}: {addresses}",
    Way.CROSS_NETWORK_ADDRESS: "use the address already allocated to {app} for {network}: "
    "{addresses}",
}
# The text about an end, by the rule that it breaks.
_UNCLEAR = {
    Rule.ADDRESS_HELD_TWICE: "two Machines have this address, or one has and it is allocated, too",
    Rule.ADDRESS_OF_TWO_APPS: "one address is listed for two apps",
    Rule.APP_LISTED_TWICE: "it is listed on two networks",
    Rule.APP_ON_TWO_NETWORKS: "it is on two networks",
    Rule.NAME_BREAKS_RULES: "it is listed on a network whose name breaks the rules",
}
