"""`fdaa reach`: can SOURCE reach TARGET, and if not, what now?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fdaa._values.address import Address
from fdaa._values.ends import AddressPort, App
from fdaa._values.hosts import Host
from fdaa.cli._documents import Documents, documents_options, lacking
from fdaa.cli._input import read_end
from fdaa.cli._output import STATUS_OF, Output, output_options
from fdaa.explain import ProbeStep, explain_verdict
from fdaa.networks import reach as judge
from fdaa.probe._own_address import read_this_computer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa._values.ends import End
    from fdaa.explain import ExplainedVerdict, Missing


@click.command()
@click.argument("source")
@click.argument("target")
@documents_options
@click.option(
    "--permitted", is_flag=True, help="Show what the configuration permits, even if nothing runs."
)
@click.option("--why", is_flag=True, help="Show what each sentence is based on.")
@output_options(
    "kind",
    "source",
    "target",
    "reachable",
    "permitted",
    "unless",
    "outcome",
    "same_network",
    "via",
    "reasons",
    "ways",
    "incomplete",
)
def reach(
    source: str, target: str, permitted: bool, why: bool, documents: Documents, output: Output
) -> int:
    """Show whether SOURCE can reach TARGET, and if not, why.

    SOURCE and TARGET are each an address, an app or its host (web, web.internal:8080), a Machine's
    ID or host, a network (2:45b, network:customer-17), or self: this Machine. No connection is
    made, so a reachable port can be closed.

    Exit status: 0 reachable, 1 not reachable, 3 unknown.

    Examples:
      $ fdaa reach web reports -d apps.json -d instances.txt
      $ fdaa reach network:customer-17 2:224b -d networks.json -q || echo "not reachable"
    """
    start = read_end(source, documents.joined)
    end = read_end(target, documents.joined)
    verdict = judge(start, end, documents.joined)
    explained = explain_verdict(verdict, documents.joined, is_incomplete=documents.is_incomplete)
    if verdict.reachable and verdict.via:  # a name of another network does not resolve here
        end = verdict.via[0]
    is_own = verdict.reachable and start == read_this_computer().address
    text = list(explained.lines(basis=why, permission=permitted))
    text.extend(_missing(explained))
    if is_own:
        text.extend(_next(end, documents))
    output.show([{**explained.to_dict(), "incomplete": documents.is_incomplete}], text)
    sys.stdout.flush()  # the verdict first
    documents.note_contradictions()
    answered = verdict.permitted if permitted else verdict.reachable
    return documents.status(STATUS_OF[answered])


def _missing(explained: ExplainedVerdict) -> Iterator[str]:
    """Yield the sentence that names the lists that a verdict lacks."""
    missing: list[Missing] = []
    for sentence in explained.reasons + explained.ways:
        missing.extend(sentence.missing)
    return lacking(missing)


def _next(end: End, documents: Documents) -> Iterator[str]:
    """Yield the command that tries the connection from this Machine to an end."""
    step = None
    match end:
        case AddressPort(address):
            step = ProbeStep(address, port=end.port)
        case Address():
            step = ProbeStep(end, port=None)
        case App(name):
            step = ProbeStep(Host(f"{name}.internal"), port=None)
        case Host():
            step = ProbeStep(end, port=end.port)
    if step is not None:
        yield f"  next: {documents.command(step, 'PORT')}"
