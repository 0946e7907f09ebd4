"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa._values.ends import AddressPort, App, End, ThisMachine, end_text
    from fdaa._values.hosts import EndError, Host
    from fdaa.networks._address_holder import Holder, Holding, find_holder
    from fdaa.networks._allocations import AllocationWarning, CheckedAllocation, check_allocations
    from fdaa.networks._book import Book
    from fdaa.networks._book_format import Entry
    from fdaa.networks._diagrams import mermaid
    from fdaa.networks._document_errors import (
        BookConflictError,
        BookError,
        DocumentError,
        DocumentKindError,
        FileError,
    )
    from fdaa.networks._document_kinds import parse_document
    from fdaa.networks._end_text import parse_end
    from fdaa.networks._findings import (
        AllocatedFor,
        BrokenRules,
        ComparedNetworks,
        CrossNetworkWay,
        DisputedAddress,
        Finding,
        KnownFromBook,
        KnownNetwork,
        MaybeAllocated,
        NoAddressList,
        PlainWay,
        PublicAddressWay,
        Reason,
        ReasonFinding,
        SilentApp,
        SourceIsAllocated,
        StaleAddress,
        StoppedMachine,
        UnclearEnd,
        Way,
        WayFinding,
    )
    from fdaa.networks._model import (
        Contradiction,
        CrossNetworkAddress,
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
    from fdaa.networks._read_documents import read_document
    from fdaa.networks._verdict import Outcome, Verdict

__all__ = [
    "AddressPort",
    "AllocatedFor",
    "AllocationWarning",
    "App",
    "Book",
    "BookConflictError",
    "BookError",
    "BrokenRules",
    "CheckedAllocation",
    "ComparedNetworks",
    "Contradiction",
    "CrossNetworkAddress",
    "CrossNetworkWay",
    "DisputedAddress",
    "Document",
    "DocumentError",
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
    "KnownFromBook",
    "KnownNetwork",
    "ListedApp",
    "ListedMachine",
    "MaybeAllocated",
    "Network",
    "NetworkMap",
    "NoAddressList",
    "Origin",
    "Outcome",
    "PlainWay",
    "PublicAddressWay",
    "Reason",
    "ReasonFinding",
    "Rule",
    "SilentApp",
    "SourceIsAllocated",
    "StaleAddress",
    "StoppedMachine",
    "ThisMachine",
    "UnclearEnd",
    "Unused",
    "UnusedKind",
    "Verdict",
    "Way",
    "WayFinding",
    "check_allocations",
    "end_text",
    "find_holder",
    "mermaid",
    "parse_document",
    "parse_end",
    "reach",
    "read_document",
]

_publish_on_first_use(
    __name__,
    "fdaa._values.hosts",
    "fdaa._values.ends",
    "fdaa.networks._document_errors",
    "fdaa.networks._findings",
    "fdaa.networks._model",
    "fdaa.networks._book_format",
    "fdaa.networks._book",
    "fdaa.networks._verdict",
    "fdaa.networks._network_map",
    "fdaa.networks._end_text",
    "fdaa.networks._address_holder",
    "fdaa.networks._reachability",
    "fdaa.networks._document_kinds",
    "fdaa.networks._read_documents",
    "fdaa.networks._allocations",
    "fdaa.networks._diagrams",
)
