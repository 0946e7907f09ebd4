"""From files to documents: one, or many of which an unusable one does not stop the others."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import BufferedIOBase, RawIOBase
from typing import IO, TypeAlias

from fdaa._support.escapes import as_unicode, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.checks import check_type, text_of
from fdaa.networks._documents import parse_document
from fdaa.networks._model import (
    Document,
    DocumentError,
    DocumentKind,
    FileError,
    Unused,
    UnusedKind,
)

OpenFile: TypeAlias = IO[bytes] | BufferedIOBase | RawIOBase
Source: TypeAlias = str | os.PathLike[str] | OpenFile

MAX_BYTES = 256 * 1024 * 1024  # of one file; parsed, it takes about ten times the memory
_CHUNK = 1024 * 1024  # one read of this size would allocate memory of this size

# What the name of a file says of its content, where the content does not say it.
_NAMED = re.compile(r"(?:.*/)?(machines|addresses)[-/]([^/]+)\.json")
_KINDS = {"machines": DocumentKind.MACHINE_LIST, "addresses": DocumentKind.ADDRESS_LIST}
_ENDS = (".json", ".txt")  # of the documents in a directory
_SHOWN = 5  # files of a directory that are named in a note


def read_document(
    path_or_file: "Source",
    *,
    app: str | None = None,
    file: str | None = None,
    kind: DocumentKind | None = None,
) -> Document:
    """Return the content of the document in a file.

    Args:
        path_or_file: a path; or a file that is open for reading bytes, as `sys.stdin.buffer`.
        app: the app that the document is about; Machine and address lists do not name it.
        file: the name for errors and origins, in place of the path.
        kind: the kind of an empty list (`[]`).

    Raises:
        OSError: the file cannot be read; `.filename` is its name.
        DocumentError: it is not a document of a known kind.
    """
    if not hasattr(path_or_file, "read"):
        check_type(path_or_file, "path_or_file", str, os.PathLike)
    if file is None:
        file = _name_of(path_or_file)
    return parse_document(read_bytes(path_or_file, file), file=file, app=app, kind=kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What `read_documents` returns; iterating it yields the documents.

    Args:
        documents: the documents, in the order of the files.
        unusable: why each of the other files could not be used.
        notes: the apps that only the names of files mention, and the files of directories that are
            no documents.
    """

    documents: tuple[Document, ...]
    unusable: tuple[FileError, ...]
    notes: tuple[Unused, ...]

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)


def read_documents(
    sources: Iterable["Source | tuple[str, Source]"], *, apps: Iterable[str] = ()
) -> ReadResult:
    """Return the documents in many files; one that cannot be used does not stop the others.

    A directory is all documents in its files `*.json` and `*.txt`, and in its directories
    `machines` and `addresses`. The name of a file counts where its content does not say which app
    it is about: `machines-web.json`, `addresses-web.json`, `machines/web.json` and
    `addresses/web.json` are lists of the app `web`.

    Args:
        sources: paths of files or directories, or files that are open for reading bytes; each may
            be after the app that it is about: `("web", "list.json")`.
        apps: apps that are known otherwise, so that a file may have the name of one.

    >>> import io
    >>> apps = io.BytesIO(b'[{"Name": "web", "Network": "blue"}]')
    >>> read = read_documents([apps, "missing.json"])
    >>> [document.kind.value for document in read.documents]
    ['app-list']
    >>> print(read.unusable[0])
    'missing.json': No such file or directory
    """
    reader = _Reader(apps)
    for source in sources:
        if isinstance(source, tuple):
            app, path_or_file = source
            reader.known.add(app)
            reader.read(path_or_file, app)
        elif isinstance(source, str | os.PathLike) and os.path.isdir(source):
            reader.read_directory(os.fspath(source))
        else:
            reader.read(source)
    return ReadResult(
        documents=tuple(reader.documents),
        unusable=tuple(reader.unusable),
        notes=(*reader.skipped, *reader.notes_of_apps()),
    )


class _Reader:
    """What was read so far.

    Attributes:
        known: the apps that something else than the name of a file mentions.
        named: the first file of each app that the name of a file mentions.
        skipped: a note for each directory in which files are no documents.
    """

    def __init__(self, apps: Iterable[str]) -> None:
        self.documents: list[Document] = []
        self.unusable: list[FileError] = []
        self.skipped: list[Unused] = []
        self.known = set(apps)
        self.named: dict[str, str] = {}

    def read_directory(self, directory: str) -> None:
        """Read the documents in a directory; its other files are one note."""
        found = len(self.documents) + len(self.unusable)
        others: list[str] = []
        try:
            for path in list(_files_in(directory)):
                if not self.read(path, is_in_directory=True):
                    others += [os.path.relpath(path, directory)]
        except OSError as error:
            self._fail(directory, error.strerror or str(error))
            return
        shown = ", ".join(map(quote, others[:_SHOWN]))
        if len(others) > _SHOWN:
            shown += f" and {len(others) - _SHOWN} more"
        is_empty = len(self.documents) + len(self.unusable) == found
        if is_empty and others:
            self._fail(directory, f"none of its files is a document: {shown}")
        elif is_empty:
            self._fail(directory, "it has no files named *.json or *.txt")
        elif others:
            name = as_unicode(directory)
            reason = f"skipped, as they are no documents: {shown}"
            note = Unused(file=name, place="", reason=reason, what=UnusedKind.OTHER_FILES)
            self.skipped.append(note)

    def read(
        self, source: Source, app: str | None = None, *, is_in_directory: bool = False
    ) -> bool:
        """Read a file, and return whether it is a document or should be one.

        Args:
            source: the file.
            app: the app that was given with it.
            is_in_directory: whether it was not given itself.
        """
        named = None
        kind = None
        if isinstance(source, str | os.PathLike):
            named = _NAMED.fullmatch(os.fspath(source))
        if named is not None:
            kind = _KINDS[named[1]]
        file = as_unicode(_name_of(source))
        try:
            document = read_document(source, app=app, file=file, kind=kind)
        except DocumentError as error:
            if is_in_directory and error.is_other_kind:
                return False
            self.unusable.append(error)
            return True
        except OSError as error:
            self._fail(source, error.strerror or str(error))
            return True
        if named is not None and _needs_app(document):
            document = _about(document, as_unicode(named[2]))
            self.named.setdefault(as_unicode(named[2]), file)
        else:
            self.known.update(_apps_in(document))
        self.documents.append(document)
        return True

    def _fail(self, source: Source, reason: str) -> None:
        self.unusable.append(FileError(as_unicode(_name_of(source)), reason=reason))

    def notes_of_apps(self) -> Iterator[Unused]:
        """Yield a note for each app that only the names of files mention."""
        for app, file in self.named.items():
            if app not in self.known:
                hint = did_you_mean(app, self.known)
                reason = f"app {quote(app)} is in no other document, only in this file's name{hint}"
                yield Unused(file=file, place="", reason=reason, what=UnusedKind.APP)


def _needs_app(document: Document) -> bool:
    """Return whether a list does not say which app it is about."""
    if document.kind not in _KINDS.values() or document.app is not None:
        return False
    return all(machine.app is None for machine in document.machines)


def _about(document: Document, app: str) -> Document:
    """Return a list that names no app as the list of an app."""
    return replace(
        document,
        app=app,
        machines=tuple(replace(row, app=app) for row in document.machines),
        allocated=tuple(replace(row, app=app) for row in document.allocated),
        unused=tuple(unused for unused in document.unused if unused.what is not UnusedKind.APP),
    )


def _apps_in(document: Document) -> Iterator[str]:
    """Yield the apps that a document is about, or names."""
    if document.app is not None:
        yield document.app
    for app in document.apps:
        yield app.name
    for machine in document.machines:
        if machine.app is not None:
            yield machine.app
    for network in document.saved:
        if network.app is not None:
            yield network.app


def _files_in(directory: str) -> Iterator[str]:
    """Yield the files in a directory; no pipe is opened there, as it may never end."""
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        is_pipe = os.path.exists(path) and not os.path.isfile(path)
        if name.endswith(_ENDS) and not is_pipe:
            yield path
        elif name in _KINDS and os.path.isdir(path):
            yield from _files_in(path)


def _name_of(path_or_file: Source) -> str:
    if isinstance(path_or_file, str | os.PathLike):
        return text_of(os.fspath(path_or_file), "path_or_file")
    name = str(getattr(path_or_file, "name", "stream"))
    if name in ("0", "<stdin>"):
        return "standard input"
    return name


def read_bytes(source: Source, file: str) -> bytes:
    """Return the bytes of a file, a pipe or an open file; errors call it `file`.

    Raises:
        OSError: it cannot be read; `.filename` is `file`.
        DocumentError: it is longer than `MAX_BYTES`.
    """
    try:
        if not isinstance(source, str | os.PathLike):
            return _read_stream(source, file)
        with open(source, "rb") as stream:
            return _read_stream(stream, file)
    except OSError as error:
        error.filename = file
        raise


def _read_stream(stream: OpenFile, file: str) -> bytes:
    chunks: list[bytes] = []
    length = 0
    while chunk := stream.read(_CHUNK):
        check_type(chunk, "what source.read() returns", bytes)
        chunks.append(chunk)
        length += len(chunk)
        if length > MAX_BYTES:
            reason = f"it is longer than {MAX_BYTES // 1024**2} MiB; split it"
            raise DocumentError(file, reason=reason)
    return b"".join(chunks)
