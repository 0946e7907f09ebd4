"""Saved networks: names with their IDs, in a file that is a document like any other.

An ID is bound to a name forever and never reused (specification, section 2.2), so what was saved
stays, and a list that contradicts it is a contradiction.
"""

import errno
import json
import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fdaa._support.atomic_files import replace_file
from fdaa._values.id_text import id_fields
from fdaa.networks._documents import SAVED_KEYS, SAVED_VERSION, load, parse_document
from fdaa.networks._map import NetworkMap, knowledge_of
from fdaa.networks._model import (
    Document,
    DocumentError,
    DocumentKind,
    Network,
    SavedNetwork,
)
from fdaa.networks._reading import read_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResult:
    """What `save_networks` returns.

    Args:
        networks: the documents and the file, joined.
        added: the networks that are new in the file.
        disputed: the named networks that were not saved, because documents or the file disagree
            about their name and ID. What the file had of them, it keeps.
    """

    networks: NetworkMap
    added: tuple[SavedNetwork, ...]
    disputed: tuple[Network, ...]


def save_networks(path: str | os.PathLike[str], documents: Iterable[Document]) -> SaveResult:
    """Add each network whose name and ID the documents join to a file of saved networks.

    The file then has what it had, and what is new, each with the day on which it was learned. A new
    file replaces the old one whole; of two writers at once, the last one wins. The file is a
    document for `read_document`, and never makes a list complete.

    Args:
        path: the file; it need not exist.
        documents: the documents.

    Raises:
        DocumentError: the file has something else in it.
        OSError: the file cannot be read or written, or is a pipe or a device; it is unchanged.

    >>> import pathlib, tempfile
    >>> from fdaa.networks import NetworkMap, parse_document, read_document
    >>> apps = parse_document('[{"Name": "web", "Network": "blue"}]', file="apps.json")
    >>> machines = '[{"id": "1", "private_ip": "fdaa:2:45b::3"}]'
    >>> path = pathlib.Path(tempfile.mkdtemp(), "networks.json")
    >>> saved = save_networks(path, [apps, parse_document(machines, file="web.json", app="web")])
    >>> [network.name for network in saved.added]
    [NetworkName('blue')]
    >>> print(NetworkMap([read_document(path)]).by_id("2:45b").name)
    blue
    """
    file = os.fsdecode(path)
    content: dict[str, Any] = {SAVED_KEYS[0]: SAVED_VERSION, "networks": {}}
    is_new = True
    documents = list(documents)
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(path).st_mode):  # reading a pipe may never end
            raise OSError(errno.EINVAL, "not a regular file", file)
        data = read_bytes(path, file)
        before = parse_document(data, file=file)
        if before.kind is not DocumentKind.SAVED_NETWORKS:
            reason = f"it is a document of another kind ({before.kind.value}), and is not replaced"
            raise DocumentError(file, reason=reason)
        documents.append(before)
        content = load(data, file)  # type: ignore[assignment]  # it is an object: it was parsed
        is_new = False
    networks = NetworkMap(documents)
    lines = content["networks"]
    added = []
    for entry in _found(networks):
        if entry.name not in lines:
            lines[str(entry.name)] = _line(entry)
            added.append(entry)
    if added or is_new:
        replace_file(path, _text(content).encode())
    disputed = tuple(row for row in networks.networks if row.disputed_by and row.name is not None)
    return SaveResult(networks=networks, added=tuple(added), disputed=disputed)


def _found(networks: NetworkMap) -> list[SavedNetwork]:
    """Return the networks that documents join, as they are saved now."""
    saved = {(entry.name, entry.network_id): entry for entry in networks.saved}
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    found = []
    for row in networks.networks:
        if row.name is None or row.network_id is None:
            continue
        entry = saved.get((row.name, row.network_id))  # of another file: it was learned then
        if entry is None:
            fact = row.fact
            app = fact.app
            if knowledge_of(networks).is_allocated(fact.address):
                app = None  # it is not on the network of its clients
            entry = SavedNetwork(
                name=row.name,
                network_id=row.network_id,
                app=app,
                address=fact.address,
                origins=fact.origins,
                learned_from="; ".join(map(str, fact.origins)) or None,
                learned_on=now,
            )
        found.append(entry)
    return found


def _line(entry: SavedNetwork) -> dict[str, object]:
    line: dict[str, object] = dict(id_fields(entry.network_id))
    fields = {
        "address": entry.address,
        "app": entry.app,
        "learned_from": entry.learned_from,
        "learned_on": entry.learned_on,
    }
    for key, value in fields.items():
        if value is not None:
            line[key] = str(value)
    return line


def _text(content: dict[str, Any]) -> str:
    """Return the file as text: JSON, with a line for each network."""
    networks = content["networks"]
    lines = [f"    {json.dumps(name)}: {json.dumps(networks[name])}" for name in sorted(networks)]
    body = ",\n".join(lines)
    fields = []
    for key, value in content.items():
        if key == "networks":
            fields.append(f'  "networks": {{\n{body}\n  }}')
        else:
            fields.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(fields) + "\n}\n"
