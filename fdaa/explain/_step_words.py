"""The steps of a probe in words: own address, lookups and connections."""

# Annotations are objects (no `__future__`), but an alias is text, so that help() shows its name.

from collections.abc import Iterator

from fdaa._support.escapes import inline, printable
from fdaa._values.membership import PRIVATE_IP_VARIABLE
from fdaa.explain._known_names import describe_network_of
from fdaa.explain._phase_words import WORDS
from fdaa.lines import Phase
from fdaa.networks import NetworkMap
from fdaa.probe import Connection, Lookup, Step, ThisComputer

_SHOWN = 3  # of addresses; JSON has all
_BELOW = " " * 13  # below what was seen
_COMPARED = {True: ", another network", False: ", same network", None: ""}


def describe_step(
    step: "Step", own: ThisComputer, networks: NetworkMap | None = None
) -> Iterator[str]:
    """Yield the lines for a step of a probe; none for a conclusion.

    Args:
        step: the step.
        own: the first step of the same probe.
        networks: the documents, if there are any.
    """
    if isinstance(step, ThisComputer):
        yield f"own address  {_own_address(step, networks)}"
    elif isinstance(step, Lookup):
        yield from _lookup(step, own, networks)
    elif isinstance(step, Connection):
        place = str(step.address)
        if step.target.port is not None:
            place = f"[{step.address}]:{step.target.port}"
        yield f"connection   {place}{_after(step)}: {_connection_seen(step)}"
        if step.source not in (None, own.address, step.address):
            yield f"{_BELOW}from {step.source}, {describe_network_of(step.source, networks)}"


def _own_address(own: ThisComputer, networks: NetworkMap | None) -> str:
    if own.address is None:
        return "none"
    where = PRIVATE_IP_VARIABLE
    if own.interface is not None:
        where = inline(own.interface)
    elif own.elsewhere:
        where += ", but on no interface"
    if own.unusable is not None:
        where += f", {own.unusable}"
    return f"{own.address} ({where}), {describe_network_of(own.address, networks)}"


def _lookup(lookup: Lookup, own: ThisComputer, networks: NetworkMap | None) -> Iterator[str]:
    """Yield the lines of a lookup: one for each address."""
    before = f"lookup       {lookup.host}{_after(lookup)}: "
    if not lookup.addresses:
        yield f"{before}{lookup_failed(lookup)}"
    for address in lookup.addresses[:_SHOWN]:
        network = describe_network_of(address, networks)
        compared = _COMPARED[own.has_other_network(address)]
        yield f"{before}{address}, {network}{compared}"
        before = _BELOW
    more = len(lookup.addresses) - _SHOWN
    if more > 0:
        yield f"{_BELOW}{more} more: --json"


def lookup_failed(lookup: Lookup) -> str:
    """Return what a lookup that found no IPv6 address returned, in a few words."""
    if lookup.ipv4:
        return f"no IPv6 address, but IPv4 ({', '.join(map(str, lookup.ipv4[:_SHOWN]))})"
    return f"no address ({printable(lookup.error or 'unknown error')})"


def _connection_seen(connection: Connection) -> str:
    if connection.phase is None:
        return "there is a route"
    seen = WORDS[connection.phase].seen
    if connection.reported_by is not None:
        return f"{seen} ({connection.reported_by} sent '{printable(connection.error or '')}')"
    if connection.error is None or connection.phase in (Phase.REFUSED, Phase.RESPONDED):
        return seen  # the error says no more
    return f"{seen} ({printable(connection.error)})"


def _after(step: Lookup | Connection) -> str:
    if not step.seconds:
        return ""
    return f" after {step.seconds:.4f} s"
