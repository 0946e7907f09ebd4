"""The documents that `networks`, `check` and `reach` read, and what is said about them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa.cli._live import app_list, place
from fdaa.cli._render import as_input, json_line
from fdaa.cli._streams import WRONG, CommandError, complain, inline, printable, standard_input
from fdaa.errors import quote
from fdaa.networks._errors import DocumentError
from fdaa.networks._model import Problem, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from fdaa.networks._join import NetworkMap
    from fdaa.networks._model import Contradiction, Document, Evidence, Origin

    Command = TypeVar("Command", bound=Callable[..., Any])

# Option -> the kinds of document it takes, and what they are called.
_TAKES = {
    "--apps": (("app-list",), "an app list"),
    "--machines": (("machine-list", "status", "instance-list"), "a list of Machines"),
    "--addresses": (("address-list",), "a list of allocated addresses"),
}

_PLACE = 200  # characters of a place that are shown


def document_options(command: Command) -> Command:
    """Add --apps, --machines, --addresses and --org to a command."""
    options = (
        ("apps", "FILE", "An app list: which network, by name, each app is on."),
        (
            "machines",
            "[APP=]FILE",
            "A Machine list, and of which app; a status document or an instance list says itself.",
        ),
        ("addresses", "[APP=]FILE", "The addresses allocated to an app."),
    )
    help_ = "Ask the API that FDAA_API_URL and FDAA_API_TOKEN tell for this organization's apps."
    command = click.option("--org", metavar="SLUG", help=help_)(command)
    for name, metavar, text in reversed(options):
        help_ = f"{text} Repeatable; - is standard input."
        command = click.option(f"--{name}", metavar=metavar, multiple=True, help=help_)(command)
    return command


class Inputs(NamedTuple):
    """What the options name: documents, and problems with files that are none."""

    documents: list[Document]
    refused: list[Problem]


def read_inputs(
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    org: str | None = None,
) -> Inputs:
    """Read all documents; one that cannot be used never hides the next.

    Args:
        apps, machines, addresses: as the options have them.
        org: the organization whose apps the live platform lists.

    Raises:
        click.UsageError: an option makes no sense.
    """
    named: list[tuple[str, str | None, str]] = [("--apps", None, file) for file in apps]
    for option, values in (("--machines", machines), ("--addresses", addresses)):
        named += [(option, *_split(option, value)) for value in values]
    if sum(file == "-" for _, _, file in named) > 1:
        raise click.UsageError("standard input (-) can be read once only")
    inputs = Inputs([], [])
    for option, app, file in named:
        try:
            inputs.documents.append(_read(option, app, file))
        except DocumentError as error:
            inputs.refused.append(Problem(as_input(error.text), "", error.reason))
        except MemoryError:
            reason = "there is not enough memory to read it"
            inputs.refused.append(Problem(as_input(file), "", reason))
    if org is not None:
        try:
            inputs.documents.append(app_list(as_input(org)))
        except CommandError as error:
            inputs.refused.append(Problem(place(as_input(org)), "", str(error)))
    return inputs


def _split(option: str, value: str) -> tuple[str | None, str]:
    """Split APP=FILE; what has a slash before the first equals sign is a file and no app."""
    app, equals, file = value.partition("=")
    if not equals or "/" in app:
        return None, value
    if not app or not file:
        reason = "it must be FILE or APP=FILE, with a name and a file"
        raise click.UsageError(f"{option} {quote(value)}: {reason}")
    return as_input(app), file


def _read(option: str, app: str | None, file: str) -> Document:
    from fdaa.networks._documents import parse_document
    from fdaa.networks._json import read_bytes, read_stream

    if file == "-":
        name = "standard input"
        if sys.stdin is None:
            raise DocumentError(name, "it is closed")
        data = read_stream(standard_input(), name)
    else:
        name = as_input(file)
        data = read_bytes(file)
    document = parse_document(data, name, app)
    kinds, called = _TAKES[option]
    if document.kind not in (*kinds, "empty-list"):
        right = next(other for other, (its, _) in _TAKES.items() if document.kind in its)
        reason = f"{option} takes {called}, and this is {_TAKES[right][1]}: give it with {right}"
        raise DocumentError(name, reason)
    return document


# --- what is said ---------------------------------------------------------------------------------


def remarks_as_json(
    inputs: Inputs, joined: NetworkMap, contradictions: list[Contradiction]
) -> Iterator[str]:
    """Yield JSON Lines of what cannot all be true, and of what could not be used."""
    for contradiction in contradictions:
        yield json_line(contradiction.to_json())
    for problem in (*inputs.refused, *joined.problems):
        yield json_line(problem.to_json())


def report_problems(inputs: Inputs, joined: NetworkMap) -> bool:
    """Say on standard error what could not be used, and return whether that was anything."""
    for file, place, reason in (*inputs.refused, *joined.problems):
        complain(": ".join(part for part in (inline(file), _cut(place), reason) if part))
    if joined.left_out:
        complain(f"{_counted(joined.left_out, 'row')} left out")
    if inputs.refused:
        complain(f"{_counted(len(inputs.refused), 'file')} left out")
    return bool(inputs.refused or joined.problems)


def _counted(number: int, what: str) -> str:
    return f"{number} {what} was" if number == 1 else f"{number} {what}s were"


def status_of(inputs: Inputs, joined: NetworkMap, otherwise: int) -> int:
    """Report the problems and return the exit status."""
    return WRONG if report_problems(inputs, joined) else otherwise


def describe_contradiction(contradiction: Contradiction) -> str:
    """Return a contradiction for a person: the rule that is broken, and the evidence."""
    rule, evidence = contradiction
    lines = [f"contradiction: {_broken(rule, evidence[0])}"]
    lines += [f"  {_described(each)}" for each in evidence]
    return "\n".join(lines) + "\n"


def report_contradictions(contradictions: list[Contradiction]) -> None:
    """Say on standard error what cannot all be true, where standard output is something else."""
    for contradiction in contradictions:
        for line in describe_contradiction(contradiction).splitlines():
            complain(line)


def _broken(rule: Rule, first: Evidence) -> str:

    app, name = inline(first.app or ""), inline(first.name or "")
    return {
        Rule.NAME_HAS_TWO_IDS: f"network {name} has two IDs",
        Rule.ID_HAS_TWO_NAMES: f"network ID {first.network_id} has two names",
        Rule.APP_ON_TWO_NETWORKS: f"the Machines of app {app} are on two networks",
        Rule.APP_LISTED_TWICE: f"app {app} is listed on two networks",
        Rule.NAME_BREAKS_RULES: f"{name} breaks the rules for network names",
        Rule.ADDRESS_OF_TWO_APPS: f"address {first.address} is listed for two apps",
        Rule.ADDRESS_HELD_TWICE: f"address {first.address} has two holders",
        Rule.ADDRESS_FOR_OWN_NETWORK: f"address {first.address} is for clients of app {app} on "
        "the network that it is on itself, from where it is not reachable through it",
    }[rule]


def _described(evidence: Evidence) -> str:
    facts = (
        ("network", evidence.name),
        ("ID", None if evidence.network_id is None else str(evidence.network_id)),
        ("app", evidence.app),
        ("address", evidence.address),
    )
    said = ", ".join(f"{what} {inline(text)}" for what, text in facts if text is not None)
    return f"{said} ({describe_origins(evidence.origins)})"


def describe_origins(origins: tuple[Origin, ...]) -> str:
    """Return the places that something is known from, for a person."""
    said = "; ".join(f"{inline(file)}: {_cut(place)}" for file, place in origins)
    return printable(said).replace("\n", "\\n")


def _cut(place: str) -> str:
    # A book repeats names that documents had, and those have no limit.
    return place if len(place) <= _PLACE else place[:_PLACE] + "..."
