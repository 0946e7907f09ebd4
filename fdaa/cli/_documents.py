"""The option --documents: the platform's lists and saved networks, and what is wrong with them."""

from __future__ import annotations

import os
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from click.core import ParameterSource

from fdaa._support.escapes import as_unicode, inline
from fdaa._values.ends import SELF
from fdaa._values.errors import FdaaError
from fdaa._values.hosts import Host
from fdaa.cli._output import FILE, WRONG, CommandError, complain, counted, is_file, note, shell_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.explain import NextStep
    from fdaa.networks import Contradiction, Document, NetworkMap, Unused

# The only hint about documents. The sentences of the library say which are missing.
HOW_TO_GIVE = "Documents are given with -d PATH or --org SLUG: see `fdaa networks --help`."
_SHOWN = 10  # warnings, and facts of a contradiction; --json has them all


class Documents:
    """The documents of a command, read.

    Args:
        documents: those that could be read.
        unusable: what could not be used at all.
        words: the options for the same documents, for the next command.
        given: whether there are any.
        are_set: whether they come from the environment, and not from an option.
    """

    def __init__(
        self,
        documents: list[Document],
        unusable: list[Unused],
        words: list[str],
        *,
        given: bool,
        are_set: bool,
    ) -> None:
        self._documents = documents
        self.unusable = unusable
        self.words = words
        self.given = given
        self._are_set = are_set

    @property
    def read(self) -> list[Document]:
        """The documents that could be read."""
        return self._documents

    @cached_property
    def joined(self) -> NetworkMap:
        """What they show together."""
        from fdaa.networks import NetworkMap  # late: few calls have documents

        return NetworkMap(self._documents)

    @property
    def networks(self) -> NetworkMap | None:
        """What they show together; None without documents."""
        return self.joined if self.given else None

    @property
    def unused(self) -> list[Unused]:
        """All that was not used."""
        return [*self.unusable, *self.joined.unused] if self.given else []

    @property
    def is_incomplete(self) -> bool:
        """Whether something in them is wrong."""
        return any(unused.what.is_error for unused in self.unused)

    def command(self, step: NextStep, port: str = "") -> str:
        """Return the command of a step with these documents, as a shell reads it."""
        return shell_line(self.command_words(step, port))

    def command_words(self, step: NextStep, port: str = "") -> list[str]:
        """Return the words of the command of a step, with these documents.

        Args:
            step: the step.
            port: what stands for the port of a probe that has none.
        """
        from fdaa.explain import DecodeStep, ProbeStep, ReachStep  # late: `scan` has no steps

        match step:
            case DecodeStep(address):
                words = ["decode", str(address)]
            case ReachStep(source=source, target=target):
                words = ["reach", str(source or SELF), str(target)]
            case ProbeStep(target):
                end = target.name if isinstance(target, Host) else f"[{target}]"
                port = str(step.port or port)
                words = ["probe", f"{end}:{port}" if port else end.strip("[]")]
            case _:
                return ["fdaa", "verify", "--help"]
        return ["fdaa", *words, *self.words]

    def status(self, otherwise: int, *, quiet: bool = False, is_needed: bool = True) -> int:
        """Report on standard error what could not be used, and return the exit status.

        Args:
            otherwise: the status if all of it could be used.
            quiet: leave out what costs no row: names that break the rules, lists without an app.
            is_needed: whether the answer rests on them; else a fault in those of the environment is
                a note.
        """
        warnings = []
        is_fault = is_needed or not self._are_set
        for unused in self.unused:
            if unused.what.is_error and not is_fault:
                note(f"FDAA_DOCUMENTS: {_with_place(unused)}")
            elif unused.what.is_error:
                complain(_with_place(unused))
            else:
                warnings.append(f"warning: {_with_place(unused)}")
        if self.given and self.joined.left_out:
            complain(f"skipped: {counted(self.joined.left_out, 'row')}")
        if not quiet:
            for warning in warnings[:_SHOWN]:
                complain(warning)
            if len(warnings) > _SHOWN:
                complain(f"and {len(warnings) - _SHOWN} more warnings: fdaa networks --json")
        return WRONG if self.is_incomplete and is_fault else otherwise

    def note_contradictions(self) -> None:
        """Report how many contradictions there are."""
        if self.given and self.joined.contradictions:
            number = counted(len(self.joined.contradictions), "contradiction")
            complain(f"{number} in these documents; to see all: fdaa networks")


def contradiction_lines(contradiction: Contradiction) -> Iterator[str]:
    """Yield a contradiction as lines, with the first of its facts."""
    from fdaa.explain import explain_contradiction  # late: `scan` needs no words

    rule, *facts = explain_contradiction(contradiction)
    yield rule
    yield from facts[:_SHOWN]
    if len(facts) > _SHOWN:
        yield f"  and {len(facts) - _SHOWN} more: fdaa networks --json"


def _with_place(unused: Unused) -> str:
    from fdaa.explain._document_words import describe_place  # as above

    parts = [inline(unused.file), describe_place(unused.place), unused.reason]
    if unused.what == "app":
        parts.append("use -d APP=PATH")
    return ": ".join(filter(None, parts))


def documents_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --documents and --org; the command gets the `documents`, read and joined."""

    @click.option(
        "paths",
        "-d",
        "--documents",
        metavar="PATH",
        type=FILE,
        multiple=True,
        envvar="FDAA_DOCUMENTS",
        help="A list of apps, Machines or addresses, saved networks, or a directory of these. "
        "APP=PATH is a list of this app. Repeatable; - is standard input.  [env: FDAA_DOCUMENTS, "
        f"separated by {os.pathsep}]",
    )
    @click.option(
        "--org",
        metavar="SLUG",
        help="Get this organization's app list from the API (FDAA_API_URL, FDAA_API_TOKEN).",
    )
    @wraps(command)
    def with_documents(paths: tuple[str, ...], org: str | None, **others: Any) -> Any:
        save = others.get("save")  # what was saved in a file stays there
        if save is not None and is_file(save):
            paths = (*paths, save)
        return command(documents=read(paths, org), **others)

    return with_documents


def read(paths: tuple[str, ...], org: str | None = None) -> Documents:
    """Read all documents; an unusable one does not stop the others.

    Raises:
        click.UsageError: standard input is given twice.
    """
    documents: list[Document] = []
    unusable: list[Unused] = []

    def fail(file: str, reason: str) -> None:
        from fdaa.networks import Unused, UnusedKind

        unusable.append(Unused(file=file, place="", reason=reason, what=UnusedKind.FILE))

    if org is not None:
        from fdaa.cli._platform import app_list  # late: an extra

        try:
            documents.append(app_list(as_unicode(org)))
        except (FdaaError, CommandError) as error:
            fail(as_unicode(org), str(error))
    if paths:
        from fdaa.networks import read_documents  # late, as above

        apps = [app.name for document in documents for app in document.apps]
        found = read_documents(map(_source, paths), apps=apps)
        documents += found.documents
        unusable += found.notes
        for unread in found.unusable:
            fail(unread.file, unread.reason)
    words = [] if org is None else ["--org", org]
    is_option = (
        click.get_current_context().get_parameter_source("paths") is ParameterSource.COMMANDLINE
    )
    for path in paths if is_option else ():
        app, file = _named(path)
        is_stream = file == "-" or file.startswith("/dev/")
        words += ["-d", f"{app}=FILE" if is_stream and app else "FILE" if is_stream else path]
    are_set = bool(paths) and not is_option and org is None
    return Documents(
        documents, unusable, words, given=bool(paths) or org is not None, are_set=are_set
    )


def _named(path: str) -> tuple[str | None, str]:
    """Return the app and the file of APP=PATH; no app where there is a file of the whole name."""
    app, _, file = path.partition("=")
    if file and "/" not in app and not os.path.lexists(path):
        return as_unicode(app), file
    return None, path


def _source(path: str) -> str | BinaryIO | tuple[str, str | BinaryIO]:
    from fdaa.cli._input import standard_input  # late, as above

    app, file = _named(path)
    source = standard_input() if file == "-" else file
    return source if app is None else (app, source)
