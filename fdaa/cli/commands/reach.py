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
from fdaa.cli._streams import NO, YES, CommandError, complain, inline
from fdaa.errors import AddressError
from fdaa.networks._reachability import reach as judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    _Prose: TypeAlias = Callable[[Any, str, str], str]

    from fdaa.networks._model import Contradiction
    from fdaa.networks._reachability import Verdict

_SELF = "self"


@click.command(
    epilog="""\b
Examples:
  $ fdaa reach web api --apps apps.json --machines web=web.json --machines api=api.json
  $ fdaa reach self fdaa:2:45b::3 --book networks.json

Exit status: 0 it can, 1 it cannot or that is not known, 2 the input is wrong."""
)
@click.argument("source")
@click.argument("target")
@document_options
@book_option
@click.option("as_json", "--json", is_flag=True, help="Print one JSON object.")
def reach(
    source: str,
    target: str,
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    book_file: str | None,
    as_json: bool,
) -> int:
    """Tell whether SOURCE can reach TARGET, and what to do if not.

    Each is an address, an app's name, or a Machine's identifier that the documents have; self is
    the Machine that this runs on. The verdict is about networks: an address proves membership of
    one, not a live path.
    """
    inputs = read_inputs(apps, machines, addresses)
    from fdaa.networks._join import NetworkMap

    joined = NetworkMap(inputs.documents, open_book(book_file) or ())
    try:
        verdict = judge(_end(source), _end(target), joined)
    except AddressError as error:
        raise CommandError(str(error)) from None
    if as_json:
        sys.stdout.write(output.json_line(verdict.to_json()))
    else:
        sys.stdout.writelines(f"{line}\n" for line in describe(verdict))
    sys.stdout.flush()  # the verdict first
    _report(verdict, joined.contradictions)
    return status_of(inputs, joined, YES if verdict.reachable else NO)


def _end(text: str) -> str:
    return str(this_machine()) if text == _SELF else output.as_input(text)


def _report(verdict: Verdict, contradictions: list[Contradiction]) -> None:
    """Report the contradictions about what the verdict speaks of, and how many others there are."""
    from fdaa.networks._model import Rule

    spoken_of = set(_texts(verdict.to_json()))
    about, others = [], 0
    for each in contradictions:
        if each.rule == Rule.ADDRESS_FOR_OWN_NETWORK:  # a mistake of its own, and of nobody else's
            if each.evidence[0].address in (verdict.source, verdict.target):
                about.append(each)
        elif any(
            not spoken_of.isdisjoint((said.app, said.name, str(said.network_id), said.address))
            for said in each.evidence
        ):
            about.append(each)
        else:
            others += 1
    report_contradictions(about)
    if others:
        what = "contradiction" if others == 1 else "contradictions"
        complain(f"{others} {what} about others in these documents: fdaa networks shows all")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def describe(verdict: Verdict) -> Iterator[str]:
    """Yield the lines that tell a verdict to a person."""
    source, target = inline(verdict.source), inline(verdict.target)
    yield {
        True: f"yes: {source} can reach {target}",
        False: f"no: {source} cannot reach {target} privately",
        None: f"unknown: whether {source} can reach {target}",
    }[verdict.reachable]
    for reason in verdict.reasons:
        yield f"  {_REASONS[reason.kind](reason.facts, source, target)} [{reason.rule}]"
    if verdict.ways:
        yield "ways around:"
        for way in verdict.ways:
            yield f"  {_WAYS[way.kind](way.facts, source, target)} [{way.rule}]"


# --- what is said of each reason: its facts, and the source and the target as text ---------------


def _network(facts: Any) -> str:
    """Name a network: by name and ID, as far as they are known."""
    name, network_id = facts.get("network"), facts.get("network_id")
    if name is None:
        return "a network that is not known" if network_id is None else f"network {network_id}"
    return f"network {inline(name)}" + ("" if network_id is None else f" ({network_id})")


def _both(facts: Any, source: str, target: str) -> str:
    return f"{source} and {target} are both on {_network(facts['source'])}"


def _apart(facts: Any, source: str, target: str) -> str:
    ends = _network(facts["source"]), _network(facts["target"])
    return f"{source} is on {ends[0]}, {target} on {ends[1]}"


def _own_documents(facts: Any) -> str:
    app = facts.get("app")
    if app is None:
        return "which app it is allocated to (--addresses APP=FILE), and an app list"
    return f"an app list or a Machine list that has {inline(app)}"


def _served(facts: Any, source: str, target: str) -> str:
    app, serves = _app(facts, target), _network(facts["serves"])
    return f"{target} is an address of {app} for clients on {serves}, and {source} is on it"


def _served_other(facts: Any, source: str, target: str) -> str:
    app, serves = _app(facts, target), _network(facts["serves"])
    on = _network(facts["source"])
    return f"{target} is an address of {app} for clients on {serves}, and {source} is on {on}"


def _own(facts: Any, _: str, target: str) -> str:
    app, on = _app(facts, target), _network(facts["source"])
    return (
        f"{target} is a cross-network address of {app}, asked for from {on}, which {app} is on "
        f"itself; use the address of a Machine of {app}"
    )


def _app(facts: Any, otherwise: str) -> str:
    app = facts.get("app")
    return f"the app behind {otherwise}" if app is None else inline(app)


def _missing(facts: Any, source: str, target: str) -> str:
    end = {"source": source, "target": target}.get(str(facts.get("end")))
    about = f"of {end} nothing is known" if end else _apart(facts, source, target)
    return f"{about}; what would settle it: {facts['needs']}"


def _contradicted(facts: Any, source: str, target: str) -> str:
    end = {"source": source, "target": target}.get(str(facts.get("end")))
    if end is None:
        return (
            "what is known of the two contradicts itself: the names say one thing, the IDs another"
        )
    said = ", and ".join(_ODDS[rule] for rule in facts["rules"])
    return (
        f"nothing follows from what is said of {end}: {said}; what would settle it: documents that "
        "agree, or a Machine's address in its place"
    )


# What is said of an end, by the rule that it breaks.
_ODDS = {
    "address-held-twice": "it is the address of two Machines, or of one and allocated",
    "address-of-two-apps": "one address is listed for two apps",
    "app-and-machine": "an app and a Machine have this name",
    "app-listed-twice": "it is listed on two networks",
    "app-on-two-networks": "its Machines are on two networks",
    "machine-of-two-apps": "it stands in the Machine lists of two apps",
    "machine-on-two-networks": "it has addresses on two networks",
    "name-breaks-rules": "it is listed on a network whose name breaks the rules",
}


def _service(facts: Any, source: str, target: str) -> str:
    ends = [text for end, text in (("source", source), ("target", target)) if facts[end]]
    have = "have" if len(ends) == 2 else "has"
    return (
        f"{' and '.join(ends)} {have} network ID 0, as services of the platform have (its resolver "
        "is fdaa::3): the rules for networks say nothing of those, and they may well answer"
    )


_REASONS: dict[str, _Prose] = {
    "same-id": _both,
    "same-name": _both,
    "different-ids": _apart,
    "different-names": _apart,
    "allocated-for-source": _served,
    "allocated-for-another": _served_other,
    "asked-from-own-network": _own,
    "own-network-unknown": lambda facts, _, target: (
        f"whether {_app(facts, target)} is on that network itself is not known; if it is, it is "
        f"not reachable through this address; what would settle it: {_own_documents(facts)}"
    ),
    "source-is-allocated": lambda facts, source, _: (
        f"{source} is an address allocated to {_app(facts, source)} for clients on "
        f"{_network(facts)}: requests go to it and none come from it"
    ),
    "service-address": _service,
    "membership-only": lambda *_: (
        "an address proves membership of a network, not a live path: whether anything answers is "
        "not known"
    ),
    "missing": _missing,
    "contradiction": _contradicted,
}


# --- and of each way around -----------------------------------------------------------------------


def _public(facts: Any, _: str, target: str) -> str:
    shown = ", ".join(inline(address) for address in facts["addresses"])
    app = _app(facts, target)
    if shown:
        return f"a public address of {app}: {shown}"
    return f"a public address of {app}, if it has a service that is reachable from outside"


def _allocate(facts: Any, source: str, target: str) -> str:
    app, name = _app(facts, target), facts["network"]
    if facts["addresses"]:
        return f"the private address allocated to {app} for it: {', '.join(facts['addresses'])}"
    if name is not None:
        return f"allocate a private address to {app} with the network name {inline(name)}"
    return (
        f"allocate a private address to {app} with the name of the network that {source} is on "
        f"({_network(facts)}; an app list or a book tells the name)"
    )


_WAYS: dict[str, _Prose] = {
    "public-address": _public,
    "cross-network-address": _allocate,
    "replay": lambda facts, _, target: (
        "a response with the header platform-replay, which has the edge proxy forward the request "
        f"to {_app(facts, target)}; that must have a service that exposes a port"
    ),
}
