"""Rows of documents to columns: the fast way, for rows without anything odd in them.

`fdaa.networks._documents` has the rules and reads row by row. Here as little as can be is done for each row;
whatever is odd (a wrong type, no address, a bad one) gives None for all, and is read there.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from fdaa._bits import network_ids_of
from fdaa._text import AF_INET6, inet_pton
from fdaa.network_name import DEFAULT_NETWORK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    # Identifiers, 16 bytes each, network IDs, and the index of each row that has an address.
    MachineColumns: TypeAlias = tuple[Sequence[str], Sequence[bytes], Sequence[int], Sequence[int]]

_TEXT_OR_NULL = {str, type(None)}
_DEFAULT = str(DEFAULT_NETWORK)


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

    A Machine that has no address yet is odd here.
    """
    ids: list[str] = []
    packed: list[bytes] = []
    add_id, add_packed = ids.append, packed.append
    try:
        # One loop: each row is looked at once, while what it holds is near. Column after column
        # takes an eighth longer.
        for row in rows:
            id_ = row["id"]
            if not id_ or type(id_) is not str:
                return None
            add_id(id_)
            add_packed(inet_pton(AF_INET6, row["private_ip"]))
    except (KeyError, TypeError, OSError, ValueError):
        return None
    network_ids = network_ids_of(packed)
    if network_ids is None:
        return None
    # Tuples of these are nothing to Python's garbage collector; lists of many documents are.
    return tuple(ids), tuple(packed), network_ids, range(start, start + len(rows))
