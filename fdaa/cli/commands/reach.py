"""`fdaa reach`: can this reach that, by which rule, and what now? The prose is made here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli import _render as output
from fdaa.cli._book_names import open_book
from fdaa.cli._documents import (
    document_options,
    read_inputs,
    report_contradictions,
    status_of,
)
from fdaa.cli._machine import this_machine
from fdaa.cli._options import book_option
from fdaa.cli._pasted import Prefix, addresses_in
from fdaa.cli._streams import NO, UNKNOWN, YES, CommandError, complain, inline
from fdaa.errors import AddressError, FdaaError, quote
from fdaa.networks import Lack, NetworkMap, Reason, Rule, Way
from fdaa.networks import reach as judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from fdaa.address import Address
    from fdaa.networks import Contradiction, Finding, Verdict

    _Prose: TypeAlias = Callable[[Any, str, str], str]

_SELF, _NETWORK = "self", "network:"


@click.command(
    epilog="""\b
Examples:
  $ fdaa reach web api --apps apps.json --machines web=web.json --machines api=api.json
  $ fdaa reach self fdaa:2:45b::3 --book networks.json
  $ fdaa reach network:customer-17 2:224b --book networks.json -q || echo "not reachable"

Exit status: 0 reachable, 1 not reachable, 2 wrong input, 3 unknown."""
)
@click.argument("source")
@click.argument("target")
@document_options
@book_option
@click.option("why", "--why", is_flag=True, help="Show the sections of the specification, too.")
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print no answer; use the status.")
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def reach(
    source: str,
    target: str,
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    org: str | None,
    book_file: str | None,
    why: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Tell whether SOURCE can reach TARGET, and what to do if not.

    Each is an address, an app, a Machine's identifier, a network's ID (2:45b) or name
    (network:customer-17), or self, the Machine that this runs on. The answer is about networks: it
    does not know whether anything listens there.
    """
    inputs = read_inputs(apps, machines, addresses, org)
    book = open_book(book_file)
    joined = NetworkMap(inputs.documents, book or ())
    try:
        verdict = judge(_end(source), _end(target), joined, book)
    except FdaaError as error:
        raise CommandError(str(error)) from None
    if as_json and not quiet:
        sys.stdout.write(output.json_line(verdict.to_json()))
    elif not quiet:
        sys.stdout.writelines(f"{line}\n" for line in describe(verdict, why))
    sys.stdout.flush()  # the verdict first
    if not quiet:
        _report(verdict, joined.contradictions)
    status = {True: YES, False: NO, None: UNKNOWN}[verdict.reachable]
    return status_of(inputs, joined, status)


def _end(text: str) -> str | Address:
    """Return an end as the library takes it; what was pasted around an address is left out."""
    if text == _SELF:
        return this_machine()
    if text.startswith(_NETWORK):
        return output.as_input(text)
    try:
        first, *others = addresses_in(text)
    except AddressError:
        if text.count(":") > 1 or not text:
            raise
        return output.as_input(text)  # a name, or a network's ID
    if others:
        raise CommandError(f"{quote(text)} names several addresses; one is needed here")
    return f"{_NETWORK}{first.network_id}" if isinstance(first, Prefix) else first


# --- contradictions -------------------------------------------------------------------------------


def _report(verdict: Verdict, contradictions: list[Contradiction]) -> None:
    """Report the contradictions about what the verdict speaks of, and how many others there are."""
    spoken_of = set(_subjects(verdict))
    about, others = [], 0
    for each in contradictions:
        if not spoken_of.isdisjoint(_disputed(each)):
            about.append(each)
        elif each.rule != Rule.ADDRESS_FOR_OWN_NETWORK:  # that is for `fdaa check` to tell
            others += 1
    report_contradictions(about)
    if others:
        what = "contradiction" if others == 1 else "contradictions"
        complain(f"{others} {what} about others in these documents; `fdaa networks` shows all")


def _subjects(verdict: Verdict) -> Iterator[tuple[str, object]]:
    """Yield what a verdict speaks of, each with what it is: an app may have a network's name."""
    for end in (verdict.source, verdict.target):
        yield from (("address", end), ("app", end))
    for finding in (*verdict.reasons, *verdict.ways):
        facts = finding.facts
        for part in (facts, *(facts.get(each) for each in ("source", "target", "serves"))):
            if isinstance(part, dict):
                yield from ((key, part.get(key)) for key in ("app", "network", "network_id"))


def _disputed(contradiction: Contradiction) -> Iterator[tuple[str, object]]:
    """Yield what a contradiction is about."""
    rule, evidence = contradiction
    if rule == Rule.ADDRESS_FOR_OWN_NETWORK:
        yield "address", evidence[0].address
        return
    for name, network_id, app, address, _ in evidence:
        pairs = (("network", name), ("app", app), ("address", address))
        yield from ((what, value) for what, value in pairs if value is not None)
        if network_id is not None:
            yield "network_id", str(network_id)


# --- prose ----------------------------------------------------------------------------------------


def describe(verdict: Verdict, why: bool = False) -> Iterator[str]:
    """Yield the lines that tell a verdict to a person; with `why`, each with its section."""
    source, target = inline(verdict.source), inline(verdict.target)
    through = " through " + ", ".join(verdict.via) if verdict.via else ""
    yield {
        True: f"yes: {source} can reach {target}{through}",
        False: f"no: {source} cannot reach {target} privately",
        None: f"unknown: whether {source} can reach {target}",
    }[verdict.reachable]

    def said(finding: Finding) -> str:
        prose = _PROSE[finding.kind](finding.facts, source, target)
        return f"  {prose} [{finding.rule}]" if why else f"  {prose}"

    for reason in verdict.reasons:
        if verdict.reachable or reason.kind is not Reason.MEMBERSHIP_ONLY:
            yield said(reason)
    if verdict.ways:
        yield "ways around:"
        yield from map(said, verdict.ways)


def _network(facts: Any) -> str:
    """Name a network: by name and ID, as far as they are known."""
    name, network_id = facts.get("network"), facts.get("network_id")
    if name is None:
        return "an unknown network" if network_id is None else f"network {network_id}"
    return f"network {inline(name)}" + ("" if network_id is None else f" ({network_id})")


def _end_of(facts: Any, source: str, target: str) -> str:
    return source if facts["end"] == "source" else target


def _app(facts: Any, otherwise: str) -> str:
    app = facts.get("app")
    return f"the app behind {otherwise}" if app is None else inline(app)


def _day(learned_on: str | None) -> str:
    return "at an unknown time" if learned_on is None else f"on {inline(learned_on[:10])}"


def _together(facts: Any, source: str, target: str) -> str:
    return f"{source} and {target} are both on {_network(facts['source'])}"


def _apart(facts: Any, source: str, target: str) -> str:
    ends = _network(facts["source"]), _network(facts["target"])
    return f"{source} is on {ends[0]}, {target} on {ends[1]}"


def _served(facts: Any, source: str, target: str) -> str:
    app, serves = _app(facts, target), _network(facts["serves"])
    if "addresses" not in facts:
        return f"{target} is allocated to {app} for clients on {serves}, and {source} is on it"
    return (
        f"allocated to {app} for clients on {serves}, and {source} is on it; the addresses of "
        f"{app}'s own Machines are still not reachable"
    )


def _own_unknown(facts: Any, _: str, target: str) -> str:
    app = _app(facts, target)
    if facts["app"] is None:
        add = "add APP= to --addresses FILE, and an app list (--apps)"
    else:
        add = f"add an app list (--apps FILE) or --machines {app}=FILE"
    return (
        f"the network that {app} itself is on is not known, and from that network this address is "
        f"not reachable; {add}"
    )


def _missing(facts: Any, source: str, target: str) -> str:
    needs = facts["needs"]
    if needs in (Lack.NAMES_OR_IDS, Lack.AGREEMENT):
        return f"{_apart(facts, source, target)}; {_LACKS[needs]}"
    end = _end_of(facts, source, target)
    if needs == Lack.APP_OF_MACHINE_LIST:
        return f"{end} has no address yet, and its list does not name its app; {_LACKS[needs]}"
    return f"nothing is known about {end}; {_LACKS[needs]}"


_LACKS = {
    Lack.ANY_DOCUMENT: "add --apps FILE or --machines APP=FILE",
    Lack.END_IN_DOCUMENT: "add an --apps or --machines FILE that lists it",
    Lack.NETWORK_IN_DOCUMENT: "add an --apps FILE that lists an app on it, or a --book",
    Lack.APP_OF_MACHINE_LIST: "use --machines APP=FILE",
    Lack.NAMES_OR_IDS: "add documents that tell the names of both networks, or the IDs of both",
    Lack.AGREEMENT: "the documents, or the book, contradict each other",
}


def _contradicted(facts: Any, source: str, target: str) -> str:
    if "rules" not in facts:
        return "by their names the networks compare one way, by their IDs the other"
    said = ", and ".join(_BROKEN[rule] for rule in facts["rules"])
    end = _end_of(facts, source, target)
    return f"{end} is not clear: {said}; use a Machine's address, or documents that agree"


# What is said of an end, by the rule that it breaks.
_BROKEN = {
    Rule.ADDRESS_HELD_TWICE: "two Machines have this address, or one has and it is allocated, too",
    Rule.ADDRESS_OF_TWO_APPS: "one address is listed for two apps",
    Rule.APP_LISTED_TWICE: "it is listed on two networks",
    Rule.APP_ON_TWO_NETWORKS: "it is on two networks",
    Rule.NAME_BREAKS_RULES: "it is listed on a network whose name breaks the rules",
    "app-and-machine": "an app and a Machine have this name",
    "machine-of-two-apps": "it is in the Machine lists of two apps",
    "machine-on-two-networks": "it has addresses on two networks",
}


def _public(facts: Any, _: str, target: str) -> str:
    app, shown = _app(facts, target), ", ".join(inline(each) for each in facts["addresses"])
    if shown:
        return f"use a public address of {app}: {shown}"
    return f"use a public address of {app}, if it has a service that is reachable from outside"


def _allocate(facts: Any, source: str, target: str) -> str:
    app, name = _app(facts, target), facts["network"]
    if facts["addresses"]:
        addresses, network = ", ".join(facts["addresses"]), _network(facts)
        return f"use the address already allocated to {app} for {network}: {addresses}"
    if name is not None:
        return f"allocate a private address to {app} with the network name {inline(name)}"
    return (
        f"allocate a private address to {app} with the name of the network that {source} is on "
        f"({_network(facts)}; an app list or a book tells its name)"
    )


_PROSE: dict[Reason | Way, _Prose] = {
    Reason.SAME_ID: _together,
    Reason.SAME_NAME: _together,
    Reason.DIFFERENT_IDS: _apart,
    Reason.DIFFERENT_NAMES: _apart,
    Reason.ALLOCATED_FOR_SOURCE: _served,
    Reason.ALLOCATED_FOR_ANOTHER: lambda facts, source, target: (
        f"{target} is allocated to {_app(facts, target)} for clients on "
        f"{_network(facts['serves'])}, and {source} is on {_network(facts['source'])}"
    ),
    Reason.ASKED_FROM_OWN_NETWORK: lambda facts, _, target: (
        f"{target} is allocated to {_app(facts, target)} for clients on "
        f"{_network(facts['source'])}, but {_app(facts, target)} is on this network itself; use "
        f"the address of a Machine of {_app(facts, target)}"
    ),
    Reason.OWN_NETWORK_UNKNOWN: _own_unknown,
    Reason.SOURCE_IS_ALLOCATED: lambda facts, source, _: (
        f"{source} is allocated to {_app(facts, source)} for clients on {_network(facts)}; no "
        "requests come from it"
    ),
    Reason.SERVICE_ADDRESS: lambda facts, source, target: (
        " and ".join([source] * facts["source"] + [target] * facts["target"])
        + ": network ID 0 is that of the platform's services (fdaa::3 is its resolver); no rule "
        "says who can reach those"
    ),
    Reason.KNOWN_FROM_BOOK: lambda facts, *_: (
        f"{inline(facts['app'])} was on {_network(facts)} when the book learned it "
        f"{_day(facts['learned_on'])}; an app stays on its network as long as it exists"
    ),
    Reason.MEMBERSHIP_ONLY: lambda *_: (
        "whether anything answers is not known; the app must listen on its private IPv6 address or "
        "on [::], not only on 0.0.0.0 or 127.0.0.1"
    ),
    Reason.NO_MACHINE: lambda facts, *_: f"{inline(facts['app'])} has no Machine: nothing answers",
    Reason.MISSING: _missing,
    Reason.CONTRADICTION: _contradicted,
    Way.PUBLIC_ADDRESS: _public,
    Way.CROSS_NETWORK_ADDRESS: _allocate,
    Way.REPLAY: lambda facts, _, target: (
        "answer with the header platform-replay, if the organization allows it; the edge proxy "
        f"then forwards the request to {_app(facts, target)}, which must have a service that "
        "exposes a port"
    ),
}
