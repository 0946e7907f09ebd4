"""The documents that `networks`, `check` and `reach` read, and the reports about them."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from fdaa._escapes import printable, quote
from fdaa.cli._book_names import open_book
from fdaa.cli._exit_status import WRONG, CommandError
from fdaa.cli._options import complete_file, offered
from fdaa.cli._platform import app_list, list_place
from fdaa.cli._render import as_input, counted, json_line
from fdaa.cli._streams import complain, inline, standard_input
from fdaa.errors import FdaaError
from fdaa.networks import (
    Contradiction,
    Document,
    DocumentError,
    DocumentKind,
    Fact,
    NetworkMap,
    Origin,
    Problem,
    Rule,
    read_document,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.networks import Book

    _File: TypeAlias = tuple[str, str | None, str]  # an option, an app, and the file of both

_KINDS = {
    "--apps": DocumentKind.APP_LIST,
    "--machines": DocumentKind.MACHINE_LIST,
    "--addresses": DocumentKind.ADDRESS_LIST,
}
_OPTIONS = {kind: option for option, kind in _KINDS.items()}

_PLACE = 200  # characters of a place that are shown
_APPS_WIDTH = 40  # characters of a list of apps that are shown; --json has them all
_FACTS_SHOWN = 10  # of one contradiction; --json has them all


def document_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --apps, --machines, --addresses and --org, passed to the command as `documents`."""

    @wraps(command)
    def with_documents(
        apps: tuple[str, ...],
        machines: tuple[str, ...],
        addresses: tuple[str, ...],
        org: str | None,
        **options: object,
    ) -> int:
        return command(documents=DocumentOptions(apps, machines, addresses, org), **options)

    directory = "For a directory, read each APP.json in it."
    help_ = "List this organization's apps, live; needs FDAA_API_URL and FDAA_API_TOKEN."
    org_option = click.option("--org", metavar="SLUG", multiple=True, callback=_once, help=help_)
    decorated = org_option(with_documents)
    for name, metavar, text in (
        ("--addresses", "[APP=]FILE|DIR/", f"The addresses allocated to an app. {directory}"),
        (
            "--machines",
            "[APP=]FILE|DIR/",
            f"A Machine list. Give APP= unless the file names its app. {directory}",
        ),
        ("--apps", "FILE", "An app list, with the name of each app's network."),
    ):
        help_ = f"{text} Repeatable; - is standard input."
        option = click.option(
            name, metavar=metavar, multiple=True, help=help_, shell_complete=complete_file
        )
        decorated = option(decorated)
    return decorated


def _once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """Return the value of an option; names are unique within one organization only."""
    if len(values) > 1:
        raise click.UsageError(f"{option.opts[0]} can be given only once")
    return values[0] if values else None


@dataclass(frozen=True, slots=True)
class DocumentOptions:
    """The values of --apps, --machines, --addresses and --org."""

    apps: tuple[str, ...]
    machines: tuple[str, ...]
    addresses: tuple[str, ...]
    org: str | None

    def __bool__(self) -> bool:
        return bool(self.apps or self.machines or self.addresses or self.org is not None)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The input of a command.

    Args:
        documents: what could be read.
        refused: the sources that could not be used.
        joined: the documents and the book.
    """

    documents: list[Document]
    refused: list[Problem]
    joined: NetworkMap

    @property
    def problems(self) -> list[Problem]:
        """All that could not be used."""
        return [*self.refused, *self.joined.problems]


def read_inputs(options: DocumentOptions, book: Book | None) -> Inputs:
    """Read all files that the options name; an unusable one does not stop the others.

    Raises:
        click.UsageError: an option makes no sense.
        CommandError, BookError: the book cannot be used.
    """
    refused: list[Problem] = []
    files: list[_File] = [("--apps", None, file) for file in options.apps]
    for option, values in (("--machines", options.machines), ("--addresses", options.addresses)):
        for value in values:
            files += _named_by(option, value, refused)
    if sum(file == "-" for _, _, file in files) > 1:
        raise click.UsageError("standard input (-) can be read only once")
    sources = [(file, partial(_read, option, app, file)) for option, app, file in files]
    if options.org is not None:
        slug = as_input(options.org)
        sources.append((list_place(slug), partial(app_list, slug)))
    documents: list[Document] = []
    for source, read in sources:
        try:
            documents.append(read())
        except DocumentError as error:
            refused.append(_refused(error.text, error.reason))
        except (FdaaError, CommandError) as error:
            refused.append(_refused(source, str(error)))
        except MemoryError:
            refused.append(_refused(source, "not enough memory to read it"))
    return Inputs(documents, refused, NetworkMap(documents, book))


def _read(option: str, app: str | None, file: str) -> Document:
    """Return the document in a file; it must be of the kind that the option takes."""
    source, name = (standard_input(), "standard input") if file == "-" else (file, as_input(file))
    document = read_document(source, app, name=name)
    if document.kind is DocumentKind.EMPTY_LIST:
        return replace(document, kind=_KINDS[option])
    if document.kind is not _KINDS[option]:
        right = _OPTIONS[document.kind]
        raise DocumentError(name, f"found {document.kind}: use {right}, not {option}")
    return document


def complete_end(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the apps and networks of the given documents that complete a text, for a shell."""
    names: set[str] = set()
    with suppress(FdaaError, CommandError, click.ClickException):
        book = open_book(context.params.get("book_file"))
        for network in read_inputs(_typed_documents(context), book).joined.networks:
            names.update(network.apps)
            if network.name:
                names.add(f"network:{network.name}")
    return offered(names, incomplete)


def _typed_documents(context: click.Context) -> DocumentOptions:
    """Return the documents to the left of the cursor, but not standard input: the terminal."""
    typed = {}
    for option in ("apps", "machines", "addresses"):
        values = context.params.get(option) or ()
        typed[option] = tuple(value for value in values if value.rpartition("=")[2] != "-")
    return DocumentOptions(**typed, org=None)


def _refused(source: str, reason: str) -> Problem:
    return Problem(as_input(source), "", reason)


def _named_by(option: str, value: str, refused: list[Problem]) -> Iterable[_File]:
    """Return the files that APP=FILE, FILE or DIR/ names.

    Text with a slash before the first equals sign is a file, not an app.
    """
    app, equals, file = value.partition("=")
    if not equals or "/" in app:
        if os.path.isdir(value):  # noqa: PTH112 - Path's own raises where it may not look
            return _files_in(option, value, refused)
        return [(option, None, value)]
    if not app or not file:
        reason = "expected FILE, APP=FILE or DIR/; no part may be empty"
        raise click.UsageError(f"{option} {quote(value)}: {reason}")
    return [(option, as_input(app), file)]


def _files_in(option: str, directory: str, refused: list[Problem]) -> Iterator[_File]:
    """Yield the files APP.json of a directory; one that is not a regular file is never opened."""
    try:
        paths = sorted(path for path in Path(directory).iterdir() if path.suffix == ".json")
    except OSError as error:
        refused.append(_refused(directory, f"it cannot be read ({error.strerror or error})"))
        return
    if not paths:
        refused.append(_refused(directory, "it has no files named APP.json"))
    for path in paths:
        # Reading reports what is wrong with a broken link, or where access is denied.
        if os.path.isfile(path) or not os.path.exists(path):  # noqa: PTH110, PTH113 - as above
            yield option, as_input(path.stem), str(path)
        else:
            refused.append(_refused(str(path), "it is not a regular file"))


# --- reports --------------------------------------------------------------------------------------


def remarks_as_json(inputs: Inputs, contradictions: Iterable[Contradiction]) -> Iterator[str]:
    """Yield JSON Lines of the contradictions, and of the input that could not be used."""
    remarks: list[Contradiction | Problem] = [*contradictions, *inputs.problems]
    return (json_line(remark.to_dict()) for remark in remarks)


def status_of(inputs: Inputs, otherwise: int) -> int:
    """Report on standard error what could not be used, and return the exit status."""
    for problem in inputs.problems:
        parts = (inline(problem.file), _cut(problem.place), problem.reason)
        complain(": ".join(part for part in parts if part))
    for number, noun in ((inputs.joined.left_out, "row"), (len(inputs.refused), "document")):
        if number:
            complain(f"{counted(number, noun)} {'was' if number == 1 else 'were'} left out")
    return WRONG if inputs.problems else otherwise


_BROKEN = {
    Rule.NAME_HAS_TWO_IDS: "network {network} has two IDs",
    Rule.ID_HAS_TWO_NAMES: "network ID {ID} has two names",
    Rule.APP_ON_TWO_NETWORKS: "the Machines of app {app} are on two networks",
    Rule.APP_LISTED_TWICE: "app {app} is listed on two networks",
    Rule.NAME_BREAKS_RULES: "{network} breaks the rules for network names",
    Rule.ADDRESS_OF_TWO_APPS: "address {address} is listed for two apps",
    Rule.ADDRESS_HELD_TWICE: "address {address} has two holders",
}


def describe_contradiction(contradiction: Contradiction) -> str:
    """Return a contradiction for a person: the rule that is broken, and the facts."""
    facts = contradiction.facts
    lines = [f"contradiction: {_BROKEN[contradiction.rule].format_map(_words(facts[0]))}"]
    for fact in facts[:_FACTS_SHOWN]:
        words = ", ".join(f"{noun} {text}" for noun, text in _words(fact).items())
        lines.append(f"  {words} ({describe_origins(fact.origins)})")
    if len(facts) > _FACTS_SHOWN:
        more = len(facts) - _FACTS_SHOWN
        lines.append(f"  and {more} more like these; `fdaa networks --json` shows all")
    return "\n".join(lines) + "\n"


def _words(fact: Fact) -> dict[str, str]:
    words = {"network": fact.name, "ID": fact.network_id, "app": fact.app, "address": fact.address}
    return {noun: inline(str(text)) for noun, text in words.items() if text is not None}


def report_contradictions(contradictions: Iterable[Contradiction]) -> None:
    """Report contradictions on standard error."""
    for contradiction in contradictions:
        for line in describe_contradiction(contradiction).splitlines():
            complain(line)


def describe_origins(origins: tuple[Origin, ...]) -> str:
    """Return the sources of a fact, for a person."""
    places = (f"{inline(origin.file)}: {_cut(origin.place)}" for origin in origins)
    return printable("; ".join(places))


def _cut(place: str) -> str:
    # A book contains names from documents, which may be of any length.
    return place if len(place) <= _PLACE else place[:_PLACE] + "..."


def list_apps(apps: tuple[str, ...]) -> str:
    """Return as many apps as a narrow column takes, at least one, and how many more there are."""
    shown: list[str] = []
    for app in apps:
        if shown and len(", ".join((*shown, inline(app)))) > _APPS_WIDTH:
            return ", ".join((*shown, f"and {len(apps) - len(shown)} more"))
        shown.append(inline(app))
    return ", ".join(shown) or "-"
