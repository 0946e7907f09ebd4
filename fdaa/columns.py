"""Rows of documents by the column: the fast way, for rows without anything odd in them.

`fdaa.documents` reads row by row and has the rules. Here the same rows are checked all at once by
functions of C; whatever is odd (a wrong type, a bad address) gives None, and is read there.
"""

from __future__ import annotations

from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING

from fdaa.layout import PREFIX, network_ids_of, unpack_head
from fdaa.network_name import DEFAULT_NETWORK
from fdaa.text import AF_INET6, inet_pton

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    # Identifiers, 16 bytes each, network IDs, and the index of each row that has an address.
    MachineColumns: TypeAlias = tuple[Sequence[str], Sequence[bytes], Sequence[int], Sequence[int]]

_TEXT_OR_NULL = {str, type(None)}
_DEFAULT = str(DEFAULT_NETWORK)
_id = itemgetter("id")
_FEW = 8  # rows up to which one after the other is faster than the columns at once


def app_columns(
    rows: list[Any], name_field: str, network_field: str
) -> tuple[list[str], list[str]] | None:
    """Return the names and the networks of an app list's rows, or None where a row is odd."""
    try:
        names = list(map(itemgetter(name_field), rows))
        "".join(names)  # a TypeError where one is no text
        networks = [row.get(network_field) for row in rows]
    except (KeyError, TypeError, AttributeError):
        return None
    if not all(names) or not _TEXT_OR_NULL.issuperset(map(type, networks)):
        return None
    if not all(networks):
        networks = [network or _DEFAULT for network in networks]
    return names, networks


def machine_columns(rows: list[Any], start: int) -> MachineColumns | None:
    """Return what a Machine list's rows hold, the first of them row `start`; None where one is odd.

    Machines that have no address yet are left out.
    """
    if len(rows) <= _FEW:
        return _few_machines(rows, start)
    at: Sequence[int] = range(start, start + len(rows))
    try:
        ids = list(map(_id, rows))
        "".join(ids)  # a TypeError where one is no text
        texts = [row.get("private_ip") for row in rows]
        if not all(ids):
            return None
        if not all(texts):
            if not _TEXT_OR_NULL.issuperset(map(type, texts)):
                return None
            at = [i for i, text in zip(at, texts, strict=True) if text]
            ids = [id_ for id_, text in zip(ids, texts, strict=True) if text]
            texts = [text for text in texts if text]
        packed = list(map(inet_pton, repeat(AF_INET6), texts))
    except (KeyError, TypeError, AttributeError, OSError, ValueError):
        return None
    network_ids = network_ids_of(packed)
    return None if network_ids is None else (ids, packed, network_ids, at)


def _few_machines(rows: list[Any], start: int) -> MachineColumns | None:
    """Return the same of a few rows; a Machine that has no address yet counts as odd here."""
    ids: list[str] = []
    packed: list[bytes] = []
    network_ids: list[int] = []
    try:
        for row in rows:
            id_ = row["id"]
            address = inet_pton(AF_INET6, row["private_ip"])
            prefix, network_id = unpack_head(address)
            if prefix != PREFIX or not id_ or type(id_) is not str:
                return None
            ids.append(id_)
            packed.append(address)
            network_ids.append(network_id)
    except (KeyError, TypeError, OSError, ValueError):
        return None
    # Tuples of these are nothing to Python's garbage collector; lists of many documents are.
    return tuple(ids), tuple(packed), tuple(network_ids), range(start, start + len(ids))
