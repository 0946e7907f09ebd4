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
from fdaa.cli._output import FILE, WRONG, CommandError, complain, counted, note, shell_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa.explain import Missing, NextStep
    from fdaa.networks import Contradiction, Document, NetworkMap, Unused
    from fdaa.probe import AnyAddress

HOW_TO_GIVE = "give documents with -d PATH or --org SLUG; see fdaa networks --help"
VARIABLE = "FDAA_DOCUMENTS"
_SHOWN = 10  # warnings, and facts of a contradiction; --json has them all


class Documents:
    """The documents of a command, read; an unusable one does not stop the others.

    Args:
        paths: the values of --documents.
        org: the organization whose app list is one of them, or None.
        are_typed: whether the paths come from the option, and not from the environment.

    Attributes:
        given: whether there are any.
        read: those that could be read.
        words: the options for the same documents, for the next command.

    Raises:
        click.UsageError: standard input is given twice.
    """

    def __init__(self, paths: tuple[str, ...], org: str | None, *, are_typed: bool) -> None:
        self.given = bool(paths) or org is not None
        self.read: list[Document] = []
        self.words: list[str] = []
        self._unused: list[Unused] = []
        self._are_set = org is None and not are_typed
        if org is not None:
            self.words += ["--org", org]
            self._get_app_list(as_unicode(org))
        if paths:
            self._read(paths)
        if are_typed:
            for path in paths:
                self.words += ["-d", _typed_again(path)]

    def _get_app_list(self, org: str) -> None:
        from fdaa.cli._platform import app_list  # late: an extra

        try:
            self.read.append(app_list(org))
        except (FdaaError, CommandError) as error:
            self._add_unusable(org, str(error))

    def _read(self, paths: tuple[str, ...]) -> None:
        from fdaa.networks import read_documents  # late: few calls have documents

        apps: list[str] = []
        for document in self.read:
            apps.extend(app.name for app in document.apps)
        found = read_documents(map(_source, paths), apps=apps)
        self.read.extend(found.documents)
        self._unused.extend(found.notes)
        for unread in found.unusable:
            self._add_unusable(unread.file, unread.reason)

    def _add_unusable(self, file: str, reason: str) -> None:
        from fdaa.networks import Unused, UnusedKind  # as above

        self._unused.append(Unused(file=file, place="", reason=reason, what=UnusedKind.FILE))

    @cached_property
    def joined(self) -> NetworkMap:
        """What they show together."""
        from fdaa.networks import NetworkMap  # late: few calls have documents

        return NetworkMap(self.read)

    @property
    def networks(self) -> NetworkMap | None:
        """What they show together; None without documents."""
        if not self.given:
            return None
        return self.joined

    @property
    def unused(self) -> list[Unused]:
        """All that was not used."""
        if not self.given:
            return []
        return self._unused + list(self.joined.unused)

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
                words = ["fdaa", "decode", str(address)]
            case ReachStep(source=source, target=target):
                words = ["fdaa", "reach", str(source or SELF), str(target)]
            case ProbeStep(target):
                words = ["fdaa", "probe", _place(target, str(step.port or port))]
            case _:
                return ["fdaa", "verify", "--help"]
        return words + self.words

    def status(self, otherwise: int, *, is_needed: bool = True) -> int:
        """Report on standard error what could not be used, and return the exit status.

        Args:
            otherwise: the status if all of it could be used.
            is_needed: whether the answer rests on them; else a fault in those of the environment is
                a note.
        """
        is_fault = is_needed or not self._are_set
        warnings = []
        for unused in self.unused:
            if not unused.what.is_error:
                warnings.append(f"warning: {_with_place(unused)}")
            elif is_fault:
                complain(_with_place(unused))
            else:
                note(f"{VARIABLE}: {_with_place(unused)}")
        if self.given and self.joined.left_out:
            complain(f"skipped: {counted(self.joined.left_out, 'row')}")
        for warning in warnings[:_SHOWN]:
            note(warning)
        if len(warnings) > _SHOWN:
            note(f"and {len(warnings) - _SHOWN} more; fdaa networks --json has all")
        if self.is_incomplete and is_fault:
            return WRONG
        return otherwise

    def note_contradictions(self) -> None:
        """Report how many contradictions there are, and the command that shows them."""
        if self.given and self.joined.contradictions:
            number = counted(len(self.joined.contradictions), "contradiction")
            networks = shell_line(["fdaa", "networks", *self.words])
            complain(f"{number} in these documents; to see all: {networks}")


def lacking(missing: Iterable[Missing]) -> Iterator[str]:
    """Yield the sentence that names the lists that an answer lacks; none if it lacks none."""
    from fdaa.explain._missing import name_lists  # as above

    lists = name_lists(missing)
    if lists:
        yield f"Missing: {lists}; {HOW_TO_GIVE}"


def _place(target: AnyAddress | Host, port: str) -> str:
    """Return a target with its port, if it has one."""
    text = str(target)
    if isinstance(target, Host):
        text = target.name
    elif port:
        text = f"[{target}]"
    if not port:
        return text
    return f"{text}:{port}"


def needs_documents(documents: Documents) -> None:
    """Raise a UsageError if there are none."""
    if not documents.given:
        raise click.UsageError(f"nothing to read; {HOW_TO_GIVE}")


def contradiction_lines(contradictions: Iterable[Contradiction]) -> Iterator[str]:
    """Yield contradictions as lines, each with the first of its facts."""
    for contradiction in contradictions:
        rule, *facts = str(contradiction).split("\n")
        yield rule
        yield from facts[:_SHOWN]
        if len(facts) > _SHOWN:
            yield f"  and {len(facts) - _SHOWN} more; --json has all"


def _with_place(unused: Unused) -> str:
    parts = [inline(unused.file), unused.place, unused.reason]
    if unused.what == "app":
        parts.append("use -d APP=PATH")
    return ": ".join(filter(None, parts))


def documents_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --documents and --org; the command gets the `documents`, read and joined."""

    @click.option(
        "paths",
        "-d",
        "--documents",
        metavar="[APP=]PATH",
        type=FILE,
        multiple=True,
        envvar=VARIABLE,
        help="A list of apps, of Machines or addresses of APP, saved networks, or a directory of "
        "these: see fdaa networks --help. - is standard input. Repeatable.  "
        f"[env: {VARIABLE}, separated by {os.pathsep}]",
    )
    @click.option(
        "--org",
        metavar="SLUG",
        help="Fetch this organization's app list from the API at FDAA_API_URL. Requires the extra "
        "`platform`.",
    )
    @wraps(command)
    def with_documents(paths: tuple[str, ...], org: str | None, **others: Any) -> Any:
        source = click.get_current_context().get_parameter_source("paths")
        documents = Documents(paths, org, are_typed=source is ParameterSource.COMMANDLINE)
        return command(documents=documents, **others)

    return with_documents


def _typed_again(path: str) -> str:
    """Return a value of --documents for another command; FILE for what is read only once."""
    app, file = _named(path)
    if file != "-" and not file.startswith("/dev/"):
        return path
    if app is None:
        return "FILE"
    return f"{app}=FILE"


def _named(path: str) -> tuple[str | None, str]:
    """Return the app and the file of APP=PATH; no app where there is a file of the whole name."""
    app, _, file = path.partition("=")
    if file and "/" not in app and not os.path.lexists(path):
        return as_unicode(app), file
    return None, path


def _source(path: str) -> str | BinaryIO | tuple[str, str | BinaryIO]:
    from fdaa.cli._input import standard_input  # late: it imports what reads ends

    app, file = _named(path)
    source: str | BinaryIO = file
    if file == "-":
        source = standard_input()
    if app is None:
        return source
    return app, source
