"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa._values.ends import AddressPort, App, End, ThisMachine, end_text, parse_end
    from fdaa._values.hosts import EndError, Host
    from fdaa.networks._address_holder import Holder, Holding, find_holder
    from fdaa.networks._allocations import AllocationWarning, CheckedAllocation, check_allocations
    from fdaa.networks._diagrams import mermaid
    from fdaa.networks._document_errors import DocumentError, FileError
    from fdaa.networks._document_kinds import parse_document
    from fdaa.networks._model import (
        Contradiction,
        CrossNetworkAddress,
        Document,
        DocumentKind,
        Fact,
        KnownNetwork,
        ListedApp,
        ListedMachine,
        Network,
        Origin,
        Rule,
        SavedNetwork,
        Unused,
        UnusedKind,
    )
    from fdaa.networks._network_map import NetworkMap
    from fdaa.networks._read_documents import ReadResult, read_document, read_documents
    from fdaa.networks._saved import save_networks
    from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way, reach

__all__ = [
    "AddressPort",
    "AllocationWarning",
    "App",
    "CheckedAllocation",
    "Contradiction",
    "CrossNetworkAddress",
    "Document",
    "DocumentError",
    "DocumentKind",
    "End",
    "EndError",
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
    "ReadResult",
    "Reason",
    "Rule",
    "SavedNetwork",
    "ThisMachine",
    "Unused",
    "UnusedKind",
    "Verdict",
    "Way",
    "check_allocations",
    "end_text",
    "find_holder",
    "mermaid",
    "parse_document",
    "parse_end",
    "reach",
    "read_document",
    "read_documents",
    "save_networks",
]

_publish_on_first_use(
    __name__,
    "fdaa._values.hosts",
    "fdaa._values.ends",
    "fdaa.networks._document_errors",
    "fdaa.networks._model",
    "fdaa.networks._network_map",
    "fdaa.networks._address_holder",
    "fdaa.networks._verdict",
    "fdaa.networks._document_kinds",
    "fdaa.networks._read_documents",
    "fdaa.networks._saved",
    "fdaa.networks._allocations",
    "fdaa.networks._diagrams",
)
