"""The documents that `networks`, `check` and `reach` read, and what is said about them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import WRONG, CommandError
from fdaa.cli._platform import app_list, list_place
from fdaa.cli._render import as_input, counted, json_line
from fdaa.cli._streams import complain, inline, standard_input
from fdaa.errors import FdaaError, printable, quote
from fdaa.networks import (
    Contradiction,
    Document,
    DocumentError,
    DocumentKind,
    Evidence,
    NetworkMap,
    Origin,
    Problem,
    Rule,
    read_document,
    read_stream,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from fdaa.networks import Book

    Command = TypeVar("Command", bound=Callable[..., Any])

APPS, MACHINES, ADDRESSES = "--apps", "--machines", "--addresses"
_CALLED = {
    APPS: "an app list",
    MACHINES: "a list of Machines",
    ADDRESSES: "a list of allocated addresses",
}
_TAKEN_BY = {
    DocumentKind.APP_LIST: APPS,
    DocumentKind.MACHINE_LIST: MACHINES,
    DocumentKind.STATUS: MACHINES,
    DocumentKind.INSTANCE_LIST: MACHINES,
    DocumentKind.ADDRESS_LIST: ADDRESSES,
}

_PLACE = 200  # characters of a place that are shown
_EVIDENCE_SHOWN = 10  # statements of one contradiction; --json has them all


def document_options(command: Command) -> Command:
    """Add --apps, --machines, --addresses and --org to a command."""
    help_ = "List this organization's apps, live; needs FDAA_API_URL and FDAA_API_TOKEN."
    once = click.option("--org", metavar="SLUG", multiple=True, callback=_once, help=help_)
    command = once(command)
    directory = "For a directory, read each APP.json in it."
    for name, metavar, text in (
        (ADDRESSES, "[APP=]FILE|DIR/", f"The addresses allocated to an app. {directory}"),
        (
            MACHINES,
            "[APP=]FILE|DIR/",
            f"A Machine list. Give APP= unless the file names its app. {directory}",
        ),
        (APPS, "FILE", "An app list: which network, by name, each app is on."),
    ):
        help_ = f"{text} Repeatable; - is standard input."
        command = click.option(name, metavar=metavar, multiple=True, help=help_)(command)
    return command


def _once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """Return the value of an option; names are unique within one organization only."""
    if len(values) > 1:
        raise click.UsageError(f"{option.opts[0]} can be given once")
    return next(iter(values), None)


class _DocumentFile(NamedTuple):
    """A file that an option names."""

    option: str
    app: str | None
    file: str

    def read(self) -> Document:
        if self.file == "-":
            document = read_stream(standard_input(), "standard input", self.app)
        else:
            document = read_document(self.file, self.app, name=as_input(self.file))
        if document.kind is DocumentKind.EMPTY_LIST and self.option == ADDRESSES:
            return document._replace(kind=DocumentKind.ADDRESS_LIST)  # no Machine list of an app
        right = _TAKEN_BY.get(document.kind, self.option)
        if right != self.option:
            wanted = f"{self.option} takes {_CALLED[self.option]}, and this is {_CALLED[right]}"
            raise DocumentError(document.file, f"{wanted}: give it with {right}")
        return document


class Inputs(NamedTuple):
    """What a command works with.

    Args:
        documents: what could be read.
        refused: the sources that could not be used.
        book: the book, if one is given.
        joined: the documents, with what the book knows.
    """

    documents: list[Document]
    refused: list[Problem]
    book: Book | None
    joined: NetworkMap

    @property
    def problems(self) -> list[Problem]:
        """All that could not be used."""
        return [*self.refused, *self.joined.problems]


def read_inputs(
    book_file: str | None,
    apps: tuple[str, ...],
    machines: tuple[str, ...],
    addresses: tuple[str, ...],
    org: str | None,
    missing_ok: bool = False,
) -> Inputs:
    """Read all that the options name; what cannot be used never hides the next.

    Args:
        book_file, apps, machines, addresses, org: as the options have them.
        missing_ok: take an empty book where the file does not exist.

    Raises:
        click.UsageError: an option makes no sense.
        CommandError, BookError: the book cannot be used.
    """
    documents: list[Document] = []
    refused: list[Problem] = []
    files = [_DocumentFile(APPS, None, file) for file in apps]
    for option, values in ((MACHINES, machines), (ADDRESSES, addresses)):
        for value in values:
            files += _named_by(option, value, refused)
    if sum(each.file == "-" for each in files) > 1:
        raise click.UsageError("standard input (-) can be read once only")
    sources: list[tuple[str, Callable[[], Document]]] = [(each.file, each.read) for each in files]
    if org is not None:
        slug = as_input(org)
        sources.append((list_place(slug), lambda: app_list(slug)))
    for source, read in sources:
        try:
            documents.append(read())
        except DocumentError as error:
            refused.append(_refused(error.text, error.reason))
        except (FdaaError, CommandError) as error:
            refused.append(_refused(source, str(error)))
        except MemoryError:
            refused.append(_refused(source, "there is not enough memory to read it"))
    book = open_book(book_file, missing_ok)
    return Inputs(documents, refused, book, NetworkMap(documents, book or ()))


def _refused(source: str, reason: str) -> Problem:
    return Problem(as_input(source), "", reason)


def _named_by(option: str, value: str, refused: list[Problem]) -> list[_DocumentFile]:
    """Return the files that APP=FILE, FILE or DIR/ names.

    What has a slash before the first equals sign is a file and no app.
    """
    app, equals, file = value.partition("=")
    if not equals or "/" in app:
        if os.path.isdir(value):  # noqa: PTH112 - Path's own raises where it may not look
            return [*_files_in(option, value, refused)]
        return [_DocumentFile(option, None, value)]
    if not app or not file:
        reason = "it must be FILE, APP=FILE or DIR/, with a name and a file"
        raise click.UsageError(f"{option} {quote(value)}: {reason}")
    return [_DocumentFile(option, as_input(app), file)]


def _files_in(option: str, directory: str, refused: list[Problem]) -> Iterator[_DocumentFile]:
    """Yield the files APP.json of a directory; what is no regular file is refused, not opened."""
    try:
        paths = sorted(path for path in Path(directory).iterdir() if path.suffix == ".json")
    except OSError as error:
        refused.append(_refused(directory, f"it cannot be read ({error.strerror or error})"))
        return
    if not paths:
        refused.append(_refused(directory, "no file in it is called APP.json"))
    for path in paths:
        # Reading says what is wrong with a broken link, or where nobody may look.
        if os.path.isfile(path) or not os.path.exists(path):  # noqa: PTH110, PTH113 - as above
            yield _DocumentFile(option, as_input(path.stem), str(path))
        else:
            refused.append(_refused(str(path), "it is not a regular file"))


# --- what is said ---------------------------------------------------------------------------------


def remarks_as_json(inputs: Inputs, contradictions: Iterable[Contradiction]) -> Iterator[str]:
    """Yield JSON Lines of what cannot all be true, and of what could not be used."""
    remarks: list[Contradiction | Problem] = [*contradictions, *inputs.problems]
    return (json_line(each.to_json()) for each in remarks)


def status_of(inputs: Inputs, otherwise: int) -> int:
    """Say on standard error what could not be used, and return the exit status."""
    for file, place, reason in inputs.problems:
        complain(": ".join(part for part in (inline(file), _cut(place), reason) if part))
    for number, what in ((inputs.joined.left_out, "row"), (len(inputs.refused), "document")):
        if number:
            complain(f"{counted(number, what)} {'was' if number == 1 else 'were'} left out")
    return WRONG if inputs.problems else otherwise


_BROKEN = {
    Rule.NAME_HAS_TWO_IDS: "network {network} has two IDs",
    Rule.ID_HAS_TWO_NAMES: "network ID {ID} has two names",
    Rule.APP_ON_TWO_NETWORKS: "the Machines of app {app} are on two networks",
    Rule.APP_LISTED_TWICE: "app {app} is listed on two networks",
    Rule.NAME_BREAKS_RULES: "{network} breaks the rules for network names",
    Rule.ADDRESS_OF_TWO_APPS: "address {address} is listed for two apps",
    Rule.ADDRESS_HELD_TWICE: "address {address} has two holders",
    Rule.ADDRESS_FOR_OWN_NETWORK: "address {address} is for clients on the network that app {app} "
    "is on itself, and does not work from there",
}


def describe_contradiction(contradiction: Contradiction) -> str:
    """Return a contradiction for a person: the rule that is broken, and the evidence."""
    rule, evidence = contradiction
    lines = [f"contradiction: {_BROKEN[rule].format_map(_facts(evidence[0]))}"]
    for each in evidence[:_EVIDENCE_SHOWN]:
        known = ", ".join(f"{what} {fact}" for what, fact in _facts(each).items())
        lines.append(f"  {known} ({describe_origins(each.origins)})")
    if len(evidence) > _EVIDENCE_SHOWN:
        more = len(evidence) - _EVIDENCE_SHOWN
        lines.append(f"  and {more} more like these; `fdaa networks --json` shows all")
    return "\n".join(lines) + "\n"


def _facts(evidence: Evidence) -> dict[str, str]:
    name, network_id, app, address, _ = evidence
    facts = {"network": name, "ID": network_id, "app": app, "address": address}
    return {what: inline(str(fact)) for what, fact in facts.items() if fact is not None}


def report_contradictions(contradictions: Iterable[Contradiction]) -> None:
    """Say on standard error what cannot all be true, where standard output is something else."""
    for contradiction in contradictions:
        for line in describe_contradiction(contradiction).splitlines():
            complain(line)


def describe_origins(origins: tuple[Origin, ...]) -> str:
    """Return the places that something is known from, for a person."""
    said = "; ".join(f"{inline(file)}: {_cut(place)}" for file, place in origins)
    return printable(said)


def _cut(place: str) -> str:
    # A book repeats names that documents had, and those have no limit.
    return place if len(place) <= _PLACE else place[:_PLACE] + "..."
