"""The documents that `networks`, `check`, `reach`, `whois` and `probe` read, and their reports."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from fdaa._support.escapes import as_unicode, inline, quote
from fdaa._values.errors import FdaaError
from fdaa.cli._layout import command_line, counted
from fdaa.cli._options import FILE, offered, typed_book
from fdaa.cli._statuses import WRONG, CommandError
from fdaa.cli._streams import complain, standard_input
from fdaa.explain import explain_contradiction
from fdaa.explain._document_words import describe_place
from fdaa.networks import (
    Contradiction,
    Document,
    DocumentKind,
    DocumentKindError,
    NetworkMap,
    Unused,
    UnusedKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from fdaa.cli._records import Records
    from fdaa.networks import Book

    _File: TypeAlias = tuple[str, str | None, str]  # an option, an app, and the file of both

_KINDS = {
    "--apps": DocumentKind.APP_LIST,
    "--machines": DocumentKind.MACHINE_LIST,
    "--addresses": DocumentKind.ADDRESS_LIST,
}
_OPTION_OF = {kind: option for option, kind in _KINDS.items()}
_OF_APPS = ("--machines", "--addresses")  # their values are APP=FILE

_STANDARD_INPUT = "-"
_WARNINGS_SHOWN = 10


def option_for(kind: DocumentKind, app: str = "APP") -> str:
    """Return the option for a document, and the form of its value: `--machines web=FILE`."""
    value = "FILE" if kind is DocumentKind.APP_LIST else f"{app}=FILE"
    return f"{_OPTION_OF[kind]} {value}"


def document_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --apps, --machines, --addresses and --org, passed to the command as `documents`."""

    @_document_option("--apps", "FILE", "An app list.")
    @_document_option(
        "--machines",
        "[APP=]FILE|DIR/",
        "A Machine list; give APP= unless the file names its app. In DIR/, each APP.json is read.",
    )
    @_document_option(
        "--addresses",
        "[APP=]FILE|DIR/",
        "An address list; give APP=. DIR/ is as for --machines.",
    )
    @click.option(
        "--org",
        metavar="SLUG",
        multiple=True,
        callback=_once,
        help="Get this organization's app list from the API (FDAA_API_URL, FDAA_API_TOKEN).",
    )
    @wraps(command)
    def with_documents(
        apps: tuple[str, ...],
        machines: tuple[str, ...],
        addresses: tuple[str, ...],
        org: str | None,
        **options: object,
    ) -> int:
        return command(documents=DocumentOptions(apps, machines, addresses, org), **options)

    return with_documents


def _document_option(
    name: str, metavar: str, text: str
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    return click.option(
        name,
        metavar=metavar,
        multiple=True,
        help=f"{text} Repeatable; - is standard input.",
        type=FILE,
    )


def _once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str | None:
    """Return the value of an option; names are unique within one organization only."""
    if len(values) > 1:
        raise click.UsageError(f"{option.opts[0]} can be given only once")
    return values[0] if values else None


class DocumentOptions(NamedTuple):
    """The values of --apps, --machines, --addresses and --org."""

    apps: tuple[str, ...]
    machines: tuple[str, ...]
    addresses: tuple[str, ...]
    org: str | None

    def __bool__(self) -> bool:
        return bool(self.apps or self.machines or self.addresses or self.org is not None)

    @property
    def files(self) -> dict[str, tuple[str, ...]]:
        """The values that name files, by their options."""
        return {"--apps": self.apps, "--machines": self.machines, "--addresses": self.addresses}

    def words(
        self, book_file: str | None = None, needed: Collection[DocumentKind] = ()
    ) -> list[str]:
        """Return the options as they are typed, for the next command.

        FILE stands for what cannot be read a second time.

        Args:
            book_file: the book, or None.
            needed: the kinds of documents that the command needs; FILE stands for one that is not
                given.
        """
        words: list[str] = []
        for option, values in self.files.items():
            for value in values:
                words += [option, _typed_again(option, value)]
            is_given = bool(values) or (option == "--apps" and self.org is not None)
            if _KINDS[option] in needed and not is_given:
                words += option_for(_KINDS[option]).split()
        if self.org is not None:
            words += ["--org", self.org]
        if book_file is not None:
            words += ["--book", _typed_again("--book", book_file)]
        return words


def _typed_again(option: str, value: str) -> str:
    app, file = _split(option, value)
    if _stays(file):
        return value
    return "FILE" if app is None else f"{app}=FILE"


def _stays(file: str) -> bool:
    """Whether a file can be read a second time: it exists, and is no pipe or standard input."""
    if file == _STANDARD_INPUT or file.startswith("/dev/"):
        return False
    return os.path.isfile(file) or os.path.isdir(file)  # noqa: PTH112, PTH113 - Path's own raise


class Inputs(NamedTuple):
    """The input of a command.

    Args:
        files: the names of all files, as they were given or found; `-` is standard input.
        documents: what could be read.
        unusable: the files that could not be used.
        joined: the documents and the book.
        notes: the documents that were given with the option of another kind.
        options: the options for the same input, for the next command.
    """

    files: list[str]
    documents: list[Document]
    unusable: list[Unused]
    joined: NetworkMap
    notes: list[str]
    options: list[str]

    @property
    def unused(self) -> list[Unused]:
        """All that was not used."""
        return [*self.unusable, *self.joined.unused]

    @property
    def errors(self) -> list[Unused]:
        """What was not used because it is wrong."""
        return [unused for unused in self.unused if unused.what.is_error]


def read_inputs(
    options: DocumentOptions, book: Book | None, *, reads_texts: bool = False
) -> Inputs:
    """Read all files that the options name; an unusable one does not stop the others.

    Args:
        options: the files.
        book: the names that are known.
        reads_texts: whether the command itself reads standard input, after the documents.

    Raises:
        click.UsageError: an option makes no sense.
        CommandError, BookError: the book cannot be used.
    """
    typed = options.words(None if book is None else book.file)
    if not options:
        return Inputs([], [], [], NetworkMap((), book), [], typed)
    # Few calls name documents.
    from fdaa.networks._read_documents import DocumentFile, read_documents

    unusable: list[Unused] = []
    files: list[DocumentFile] = []
    names: list[str] = []
    from_standard_input = int(reads_texts)
    for option, app, file in _files(options):
        kind = _KINDS[option]
        if file != _STANDARD_INPUT:
            files.append(DocumentFile(file, app=app, file=as_unicode(file), kind=kind))
            continue
        from_standard_input += 1
        names.append(file)
        try:
            source = standard_input()
            files.append(DocumentFile(source, app=app, file="standard input", kind=kind))
        except CommandError as error:
            unusable.append(Unused(file=file, place="", reason=str(error), what=UnusedKind.FILE))
    if from_standard_input > 1:
        raise click.UsageError("standard input (-) can be read only once")
    read = read_documents(files)
    names.extend(read.paths)
    documents = list(read.documents)
    notes: list[str] = []
    for of_file in read.unusable:
        if isinstance(of_file, DocumentKindError) and of_file.document is not None:
            documents.append(of_file.document)
            right = option_for(of_file.kind)
            notes.append(f"{inline(of_file.file)}: {of_file.reason}; read as {right}")
        else:
            unusable.append(
                Unused(file=of_file.file, place="", reason=of_file.reason, what=UnusedKind.FILE)
            )
    if options.org is not None:
        from fdaa.cli._platform import app_list, list_place  # the live platform is an extra

        slug = as_unicode(options.org)
        try:
            documents.append(app_list(slug))
        except (FdaaError, CommandError) as error:
            unusable.append(
                Unused(file=list_place(slug), place="", reason=str(error), what=UnusedKind.FILE)
            )
    return Inputs(names, documents, unusable, NetworkMap(documents, book), notes, typed)


def _files(options: DocumentOptions) -> Iterator[_File]:
    """Yield the files and directories that the options name.

    Raises:
        click.UsageError: a part of APP=FILE is empty.
    """
    for option, values in options.files.items():
        for value in values:
            app, file = _split(option, value)
            yield option, app, file


def _split(option: str, value: str) -> tuple[str | None, str]:
    """Return the app and the file of APP=FILE, FILE or DIR/.

    Text with a slash before the first equals sign is a file, not an app.
    """
    app, equals, file = value.partition("=")
    if option not in _OF_APPS or not equals or "/" in app:
        return None, value
    if not app or not file:
        reason = "expected FILE, APP=FILE or DIR/; no part may be empty"
        raise click.UsageError(f"{option} {quote(value)}: {reason}")
    return as_unicode(app), file


# --- completion -----------------------------------------------------------------------------------


def complete_end(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the apps and networks of the given documents that complete a text, for a shell."""
    names: set[str] = set()
    with suppress(FdaaError, CommandError, click.ClickException):
        book = typed_book(context)
        for network in read_inputs(_typed_documents(context), book).joined.networks:
            names.update(network.apps)
            if network.name:
                names.add(f"network:{network.name}")
    return offered(names, incomplete)


def _typed_documents(context: click.Context) -> DocumentOptions:
    """Return the documents to the left of the cursor; standard input and pipes may never end."""
    typed: dict[str, tuple[str, ...]] = {}
    for name in ("apps", "machines", "addresses"):
        values = context.params.get(name) or ()
        typed[name] = tuple(value for value in values if _stays(_split(f"--{name}", value)[1]))
    return DocumentOptions(**typed, org=None)


# --- reports --------------------------------------------------------------------------------------


def write_remarks(
    records: Records, inputs: Inputs, contradictions: Iterable[Contradiction]
) -> None:
    """Write the contradictions, and what was not used."""
    if not records.as_json:
        report_contradictions(contradictions, inputs)  # `status_of` reports the others
    for contradiction in contradictions:
        records.remark(contradiction.to_dict())
    for unused in inputs.unused:
        records.remark(unused.to_dict())


def status_of(inputs: Inputs, otherwise: int, *, quiet: bool = False) -> int:
    """Report on standard error what could not be used, and return the exit status.

    Args:
        inputs: the input of the command.
        otherwise: the status if all of it could be used.
        quiet: leave out what costs no row: names that break the rules, and lists without an app.
    """
    for unused in inputs.errors:
        complain(_with_place(unused))
    skipped = inputs.joined.left_out
    if skipped:
        were = "was" if skipped == 1 else "were"
        complain(f"{counted(skipped, 'row')} {were} skipped")
    if not quiet:
        for note in inputs.notes:
            complain(note)
        _report_warnings(inputs)
    if inputs.errors:
        return WRONG
    return otherwise


def _with_place(unused: Unused) -> str:
    parts = [inline(unused.file), describe_place(unused.place), unused.reason]
    if unused.what is UnusedKind.APP:
        parts.append("give it as APP=FILE")
    return ": ".join(filter(None, parts))


def _report_warnings(inputs: Inputs) -> None:
    warnings = [unused for unused in inputs.unused if not unused.what.is_error]
    for warning in warnings[:_WARNINGS_SHOWN]:
        complain(f"warning: {_with_place(warning)}")
    more = len(warnings) - _WARNINGS_SHOWN
    if more > 0:
        command = command_line("networks --json", options=inputs.options)
        complain(f"and {more} more warnings like these; to see all: {command}")


def report_contradictions_exist(inputs: Inputs) -> None:
    """Report on standard error how many contradictions there are."""
    if inputs.joined.contradictions:
        number = counted(len(inputs.joined.contradictions), "contradiction")
        command = command_line("networks", options=inputs.options)
        complain(f"{number} in these documents; to see all: {command}")


def report_contradictions(contradictions: Iterable[Contradiction], inputs: Inputs) -> None:
    """Report contradictions on standard error."""
    for contradiction in contradictions:
        for line in contradiction_lines(contradiction, inputs):
            complain(line)


_FACTS_SHOWN = 10  # of one contradiction; --json has them all


def contradiction_lines(contradiction: Contradiction, inputs: Inputs) -> Iterator[str]:
    """Yield a contradiction as lines, with the first of its facts."""
    rule, *facts = explain_contradiction(contradiction)
    yield rule
    yield from facts[:_FACTS_SHOWN]
    more = len(facts) - _FACTS_SHOWN
    if more > 0:
        command = command_line("networks --json", options=inputs.options)
        yield f"  and {more} more like these; to see all: {command}"
