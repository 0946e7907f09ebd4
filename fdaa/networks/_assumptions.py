"""The names of the assumptions that facts in documents rest on; docs/platform-rules.md has each."""

from typing import TypeAlias

Assumed: TypeAlias = tuple[str, ...]  # names of assumptions, sorted; empty where none is needed

COMPLETE_DOCUMENTS = "complete-documents"
DOCUMENT_SHAPES = "document-shapes"
EMPTY_NETWORK = "empty-network"
NAMES_IN_OTHER_DOCUMENTS = "names-in-other-documents"
CLIENTS_NETWORK_ID = "clients-network-id"
ONE_HOLDER = "one-holder"
ONE_APP_OF_A_MACHINE = "one-app-of-a-machine"


def together(*groups: Assumed) -> Assumed:
    """Return all assumptions of a conclusion from several facts."""
    found: set[str] = set()
    for group in groups:
        found.update(group)
    return tuple(sorted(found))


def fewer(first: Assumed, second: Assumed) -> Assumed:
    """Return what a fact rests on that is shown twice, each time by assumptions of its own."""
    return min(first, second, key=lambda group: (len(group), group))
