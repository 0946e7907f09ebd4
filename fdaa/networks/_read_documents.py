"""From files to documents: one, or many of which an unusable one does not stop the others."""

import os
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from io import BufferedIOBase, RawIOBase
from typing import IO, TypeAlias

from fdaa._support.escapes import as_unicode, quote
from fdaa._values.checks import check_type, text_of
from fdaa.networks._document_errors import FileError
from fdaa.networks._document_kinds import parse_document
from fdaa.networks._model import Document, DocumentKind, Unused, UnusedKind
from fdaa.networks._reading import read_bytes

Source: TypeAlias = str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase

_NAMED = re.compile(r"(?:.*/)?(machines|addresses)[-/]([^/]+)\.json")
_KINDS = {"machines": DocumentKind.MACHINE_LIST, "addresses": DocumentKind.ADDRESS_LIST}
_ENDS = (".json", ".txt")  # of the documents in a directory


def read_document(
    path_or_file: Source,
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


def _name_of(path_or_file: Source) -> str:
    if isinstance(path_or_file, str | os.PathLike):
        return text_of(os.fspath(path_or_file), "path_or_file")
    name = str(getattr(path_or_file, "name", "stream"))
    return "standard input" if name in ("0", "<stdin>") else name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What `read_documents` returns.

    Args:
        documents: the documents, in the order of the files.
        unusable: why each of the other files could not be used.
    """

    documents: tuple[Document, ...]
    unusable: tuple[FileError, ...]


def read_documents(
    sources: Iterable[Source | tuple[str, Source]], *, apps: Iterable[str] = ()
) -> ReadResult:
    """Return the documents in many files; one that cannot be used does not stop the others.

    A file named `machines-APP.json` or `addresses-APP.json`, or APP.json in a directory `machines`
    or `addresses`, is a list of the app APP, if another document has that app: a name may also be
    a date. A directory stands for the files `*.json` and `*.txt` in it, and in its directories of
    these two names.

    Args:
        sources: paths of files or directories, or files that are open for reading bytes; each may
            be after the app that it is about: `("web", "list.json")`.
        apps: apps that are known otherwise.

    >>> import io
    >>> apps = io.BytesIO(b'[{"Name": "web", "Network": "blue"}]')
    >>> read = read_documents([apps, "missing.json"])
    >>> [document.kind.value for document in read.documents]
    ['app-list']
    >>> print(read.unusable[0])
    'missing.json': No such file or directory
    """
    sources = list(sources)
    documents: list[Document] = []
    unusable: list[FileError] = []
    for each in sources:
        app, source = each if isinstance(each, tuple) else (None, each)
        files = list(_files(source)) if app is None else [source]
        if not files:
            reason = "it has no files named *.json or *.txt"
            unusable.append(FileError(as_unicode(_name_of(source)), reason=reason))
        for found in files:
            try:
                documents.append(_read(found, app))
            except FileError as error:
                unusable.append(error)
            except OSError as error:
                reason = error.strerror or str(error)
                unusable.append(FileError(as_unicode(_name_of(found)), reason=reason))
            except MemoryError:
                reason = "not enough memory to read it"
                unusable.append(FileError(as_unicode(_name_of(found)), reason=reason))
    given = {each[0] for each in sources if isinstance(each, tuple)}
    known = {*apps, *given, *(app for document in documents for app in _apps_in(document))}
    return ReadResult(
        documents=tuple(_without_unknown_app(document, known) for document in documents),
        unusable=tuple(unusable),
    )


def _read(source: Source, app: str | None) -> Document:
    if not isinstance(source, str | os.PathLike):
        return read_document(source, app=app)
    path = os.fspath(source)
    named = _NAMED.fullmatch(path)
    if app is None and named is not None:
        app = as_unicode(named[2])
    kind = _KINDS[named[1]] if named is not None else None
    return read_document(path, app=app, file=as_unicode(path), kind=kind)


def _apps_in(document: Document) -> Iterator[str]:
    """Yield the apps that a document itself names."""
    yield from (row.name for row in document.apps)
    yield from (row.app for row in document.saved if row.app is not None)
    if document.kind not in _KINDS.values():
        yield from (row.app for row in document.machines if row.app is not None)


def _without_unknown_app(document: Document, known: Container[str]) -> Document:
    """Return a document without its app where only the name of its file has it."""
    app = document.app
    if app is None or app in known or document.kind not in _KINDS.values():
        return document
    reason = f"app {quote(app)} is in no document, only in this file's name, so it is left out"
    unused = Unused(file=document.file, place="", reason=reason, what=UnusedKind.APP)
    return replace(
        document,
        app=None,
        machines=tuple(replace(row, app=None) for row in document.machines),
        allocated=tuple(replace(row, app=None) for row in document.allocated),
        unused=(*document.unused, unused),
    )


def _files(source: Source) -> Iterator[Source]:
    """Yield a file, or those of a directory; no pipe is opened there, as it may never end."""
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        yield source
        return
    try:
        names = sorted(os.listdir(source))
    except OSError:
        yield source  # reading it reports what is wrong
        return
    for name in names:
        path = os.path.join(source, name)
        is_pipe = os.path.exists(path) and not os.path.isfile(path)
        if name.endswith(_ENDS) and not is_pipe:
            yield path
        elif name in _KINDS and os.path.isdir(path):
            yield from _files(path)
