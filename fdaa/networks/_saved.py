"""Saved networks: names with their IDs that were known before, as a document like any other.

An ID is bound to a name forever and never reused (specification, section 2.2), so what was saved
stays, and a list that contradicts it is a contradiction. The file is JSON with a line for each
network; to correct one, edit its line.
"""

import json
import os
import time

from fdaa._support.atomic_files import replace_file
from fdaa._support.escapes import quote
from fdaa._values.address import Address, NetworkID
from fdaa._values.errors import InputError
from fdaa._values.id_text import id_fields
from fdaa._values.network_name import NetworkName
from fdaa.networks._document_errors import DocumentError
from fdaa.networks._model import (
    Contradiction,
    Document,
    DocumentKind,
    Origin,
    SavedNetwork,
    text_or_none,
)
from fdaa.networks._network_map import NetworkMap

_VERSION = 1
_VERSION_KEYS = ("fdaa_networks", "fdaa_book")  # the second one was written until 1.0
_TEXTS = ("app", "learned_from", "learned_on")


def is_saved(value: dict[str, object]) -> bool:
    """Return whether the value of a JSON document is that of saved networks."""
    return any(key in value for key in _VERSION_KEYS)


def read_saved(value: dict[str, object], file: str) -> Document:
    """Return the document in the value of saved networks.

    Raises:
        DocumentError: it has a newer version, or a line breaks the rules.
    """
    version = next(value[key] for key in _VERSION_KEYS if key in value)
    if version != _VERSION:
        raise DocumentError(file, reason=f"format {version!r}; this version reads {_VERSION}")
    lines = value.get("networks")
    if not isinstance(lines, dict):
        raise DocumentError(file, reason="'networks' must be an object")
    saved = tuple(_read_line(name, line, file) for name, line in lines.items())
    return Document(file=file, kind=DocumentKind.SAVED_NETWORKS, saved=saved)


def _read_line(name: str, line: object, file: str) -> SavedNetwork:
    fields = line if isinstance(line, dict) else {}
    texts = {key: fields[key] for key in _TEXTS if isinstance(fields.get(key), str)}
    place = f"networks.{name}"
    try:
        network_id = NetworkID(str(fields.get("network_id")))
        address = Address(str(fields["address"])) if fields.get("address") is not None else None
        if fields.get("network_id_int") not in (None, int(network_id)):
            raise DocumentError(
                file, reason=f"networks: {quote(name)}: 'network_id_int' must be {network_id:d}"
            )
        return SavedNetwork(
            name=NetworkName(name),
            network_id=network_id,
            address=address,
            origin=Origin(file=file, place=place),
            **texts,
        )
    except InputError as error:
        raise DocumentError(file, reason=f"networks: {quote(name)}: {error}") from None


def contradicted(networks: NetworkMap) -> list[Contradiction]:
    """Return the contradictions to what was saved."""
    saved = {entry.fact.origins for entry in networks.saved}
    found = networks.contradictions
    return [each for each in found if any(fact.origins in saved for fact in each.facts)]


def save_networks(path: str | os.PathLike[str], networks: NetworkMap) -> list[SavedNetwork]:
    """Write each name with its ID to a file, atomically, and return those that are new.

    What the documents have saved before keeps its line; contradicted names are left out, so do not
    call this if there are any to what was saved (`contradicted`).

    Raises:
        OSError: the file cannot be written; it is unchanged.

    >>> import pathlib, tempfile
    >>> from fdaa.networks import NetworkMap, parse_document, read_document
    >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
    >>> machines = '[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> joined = NetworkMap([apps, parse_document(machines, file="web.json", app="web")])
    >>> path = pathlib.Path(tempfile.mkdtemp(), "networks.json")
    >>> [saved.name for saved in save_networks(path, joined)]
    [NetworkName('blue')]
    >>> print(NetworkMap([read_document(path)]).by_id("2:45b").name)
    blue
    """
    lines = {entry.name: entry for entry in networks.saved}
    new = []
    for fact in networks.bindings():
        if fact.name in lines or fact.name is None or fact.network_id is None:
            continue
        entry = SavedNetwork(
            name=NetworkName(fact.name),
            network_id=fact.network_id,
            app=fact.app,
            address=fact.address,
            learned_from="; ".join(map(str, fact.origins)) or None,
            learned_on=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            origin=Origin(file=os.fsdecode(path), place=f"networks.{fact.name}"),
        )
        lines[entry.name] = entry
        new.append(entry)
    if new or not os.path.exists(path):
        replace_file(path, _text(lines).encode())
    return new


def _text(lines: dict[NetworkName, SavedNetwork]) -> str:
    shown = []
    for name, entry in sorted(lines.items()):
        fields: dict[str, object] = dict(id_fields(entry.network_id))
        for key in ("address", *_TEXTS):
            if getattr(entry, key) is not None:
                fields[key] = text_or_none(getattr(entry, key))
        shown.append(f"    {json.dumps(str(name))}: {json.dumps(fields)}")
    head = f'{{\n  "{_VERSION_KEYS[0]}": {_VERSION},\n  "networks": {{\n'
    return head + ",\n".join(shown) + "\n  }\n}\n"
