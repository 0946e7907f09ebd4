"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from typing import TYPE_CHECKING

from fdaa._exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa._ends import AddressPort, App, End, ThisMachine, end_text
    from fdaa._hosts import EndError, Host
    from fdaa.networks._address_holder import (
        Holder,
        Holding,
        apps_without_address_lists,
        apps_without_machine_lists,
        find_holder,
    )
    from fdaa.networks._allocations import AllocationWarning, CheckedAllocation, check_allocations
    from fdaa.networks._book import Book
    from fdaa.networks._book_text import Entry
    from fdaa.networks._diagrams import mermaid
    from fdaa.networks._document_kinds import parse_document
    from fdaa.networks._documents import (
        DocumentFile,
        ReadDocuments,
        read_document,
        read_documents,
    )
    from fdaa.networks._end_text import parse_end
    from fdaa.networks._errors import (
        BookConflictError,
        BookError,
        DocumentError,
        DocumentKindError,
        FileError,
    )
    from fdaa.networks._model import (
        AllocatedAddress,
        Contradiction,
        Document,
        DocumentKind,
        Fact,
        ListedApp,
        ListedMachine,
        Network,
        Origin,
        Rule,
        Unused,
        UnusedKind,
    )
    from fdaa.networks._network_map import NetworkMap
    from fdaa.networks._reachability import reach
    from fdaa.networks._verdict import Finding, KnownNetwork, Outcome, Reason, Verdict, Way

__all__ = [
    "AddressPort",
    "AllocatedAddress",
    "AllocationWarning",
    "App",
    "Book",
    "BookConflictError",
    "BookError",
    "CheckedAllocation",
    "Contradiction",
    "Document",
    "DocumentError",
    "DocumentFile",
    "DocumentKind",
    "DocumentKindError",
    "End",
    "EndError",
    "Entry",
    "Fact",
    "FileError",
    "Finding",
    "Holder",
    "Holding",
    "Host",
    "KnownNetwork",
    "ListedApp",
    "ListedMachine",
    "Network",
    "NetworkMap",
    "Origin",
    "Outcome",
    "ReadDocuments",
    "Reason",
    "Rule",
    "ThisMachine",
    "Unused",
    "UnusedKind",
    "Verdict",
    "Way",
    "apps_without_address_lists",
    "apps_without_machine_lists",
    "check_allocations",
    "end_text",
    "find_holder",
    "mermaid",
    "parse_document",
    "parse_end",
    "reach",
    "read_document",
    "read_documents",
]

_publish_on_first_use(
    __name__,
    "fdaa._ends",
    "fdaa.networks._errors",
    "fdaa.networks._model",
    "fdaa.networks._book_text",
    "fdaa.networks._book",
    "fdaa.networks._verdict",
    "fdaa.networks._network_map",
    "fdaa.networks._end_text",
    "fdaa.networks._address_holder",
    "fdaa.networks._reachability",
    "fdaa.networks._document_kinds",
    "fdaa.networks._documents",
    "fdaa.networks._allocations",
    "fdaa.networks._diagrams",
)
