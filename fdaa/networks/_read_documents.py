"""From files to documents: one, or many of which an unusable one does not stop the others."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from io import BufferedIOBase, RawIOBase
from typing import IO

from fdaa._support.escapes import as_unicode
from fdaa._values.checks import check_type, text_of
from fdaa.networks._document_errors import FileError
from fdaa.networks._document_kinds import parse_document
from fdaa.networks._model import Document, DocumentKind
from fdaa.networks._reading import read_bytes

_OF_AN_APP = ".json"  # the end of the names of such files in a directory


def read_document(
    path_or_file: str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase,
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
        kind: the kind that it must have; an empty list (`[]`) gets this kind.

    Raises:
        OSError: the file cannot be read; `.filename` is its name.
        DocumentError: it is not a document of a known kind; a DocumentKindError, if of another.
    """
    if not hasattr(path_or_file, "read"):
        check_type(path_or_file, "path_or_file", str, os.PathLike)
    if file is None:
        file = _name_of(path_or_file)
    return parse_document(read_bytes(path_or_file, file), file=file, app=app, kind=kind)


def _name_of(path_or_file: str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase) -> str:
    if isinstance(path_or_file, str | os.PathLike):
        return text_of(os.fspath(path_or_file), "path_or_file")
    return str(getattr(path_or_file, "name", "stream"))


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file with a document, and what is known of it: the arguments of `read_document`.

    Args:
        path_or_file: the path of a file or a directory; or a file that is open for reading bytes.
        app: the app that the document is about; Machine and address lists do not name it.
        file: the name for errors and origins, in place of the path.
        kind: the kind that it must have; an empty list (`[]`) gets this kind.
    """

    path_or_file: str | os.PathLike[str] | IO[bytes] | BufferedIOBase | RawIOBase
    _: KW_ONLY
    app: str | None = None
    file: str | None = None
    kind: DocumentKind | None = None

    @property
    def name(self) -> str:
        """Its name in errors and origins."""
        if self.file is not None:
            return self.file
        return _name_of(self.path_or_file)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What `read_documents` returns.

    Args:
        documents: the documents, in the order of the files.
        unusable: why each of the other files could not be used.
        paths: the paths of all files that were opened, also in directories.
    """

    documents: tuple[Document, ...]
    unusable: tuple[FileError, ...]
    paths: tuple[str, ...]


def read_documents(files: Iterable[str | os.PathLike[str] | DocumentFile]) -> ReadResult:
    """Return the documents in many files; one that cannot be used does not stop the others.

    A directory stands for its files APP.json, each about the app APP. What is not a regular file is
    not opened there, as a pipe may never end. A directory for one app, or of app lists, is an
    error.

    Args:
        files: paths of files or directories; as a `DocumentFile`, also with an app or a kind.

    >>> import io
    >>> apps = io.BytesIO(b'[{"Name": "web", "Network": "blue"}]')
    >>> read = read_documents([DocumentFile(apps, file="apps.json"), "missing.json"])
    >>> [document.kind.value for document in read.documents]
    ['app-list']
    >>> print(read.unusable[0])
    'missing.json': No such file or directory
    """
    documents: list[Document] = []
    unusable: list[FileError] = []
    paths: list[str] = []
    for given in files:
        wanted = given if isinstance(given, DocumentFile) else DocumentFile(given)
        for found in _found(wanted):
            if isinstance(found, FileError):
                unusable.append(found)
                continue
            if isinstance(found.path_or_file, str | os.PathLike):
                paths.append(os.fspath(found.path_or_file))
            try:
                documents.append(_read(found))
            except FileError as error:
                unusable.append(error)
    return ReadResult(documents=tuple(documents), unusable=tuple(unusable), paths=tuple(paths))


def _read(found: DocumentFile) -> Document:
    """Return a document.

    Raises:
        FileError: it cannot be used.
    """
    try:
        return read_document(found.path_or_file, app=found.app, file=found.file, kind=found.kind)
    except OSError as error:
        raise FileError(found.name, reason=error.strerror or str(error)) from error
    except MemoryError:
        raise FileError(found.name, reason="not enough memory to read it") from None


def _found(wanted: DocumentFile) -> Iterator[DocumentFile | FileError]:
    """Yield a file, or those of a directory; an error in place of one that must not be opened."""
    path_or_file = wanted.path_or_file
    may_be_directory = wanted.app is None and wanted.kind is not DocumentKind.APP_LIST
    if not may_be_directory or not isinstance(path_or_file, str | os.PathLike):
        yield wanted
    elif os.path.isdir(path_or_file):
        yield from _in_directory(os.fspath(path_or_file), wanted)
    else:
        yield wanted


def _in_directory(directory: str, wanted: DocumentFile) -> Iterator[DocumentFile | FileError]:
    try:
        names = sorted(os.listdir(directory))
    except OSError as error:
        yield FileError(wanted.name, reason=error.strerror or str(error))
        return
    names = [name for name in names if name.endswith(_OF_AN_APP) and name != _OF_AN_APP]
    if not names:
        yield FileError(wanted.name, reason="it has no files named APP.json")
    for name in names:
        path = os.path.join(directory, name)
        file = as_unicode(path)
        # Reading reports what is wrong with a broken link, or where access is denied.
        if os.path.exists(path) and not os.path.isfile(path):
            yield FileError(file, reason="it is not a regular file")
            continue
        app = as_unicode(name.removesuffix(_OF_AN_APP))
        yield DocumentFile(path, app=app, file=file, kind=wanted.kind)
