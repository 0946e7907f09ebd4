"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from typing import TYPE_CHECKING

from fdaa._support.exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
    from fdaa._values.ends import AddressPort, App, End, ThisMachine, end_text, parse_end
    from fdaa._values.hosts import EndError, Host
    from fdaa.networks._documents import parse_document
    from fdaa.networks._map import NetworkMap
    from fdaa.networks._model import (
        Contradiction,
        Document,
        DocumentError,
        DocumentKind,
        FileError,
        ListedApp,
        Network,
        Unused,
        UnusedKind,
    )
    from fdaa.networks._picture import mermaid
    from fdaa.networks._questions import (
        AllocationWarning,
        CheckedAllocation,
        Holder,
        Holding,
        check_allocations,
        find_holder,
    )
    from fdaa.networks._reach import reach
    from fdaa.networks._reading import read_document, read_documents
    from fdaa.networks._saved import save_networks
    from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way

__all__ = [
    "AddressPort",
    "AllocationWarning",
    "App",
    "CheckedAllocation",
    "Contradiction",
    "Document",
    "DocumentError",
    "DocumentKind",
    "End",
    "EndError",
    "FileError",
    "Finding",
    "Holder",
    "Holding",
    "Host",
    "ListedApp",
    "Network",
    "NetworkMap",
    "Outcome",
    "Reason",
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
    "fdaa.networks._model",
    "fdaa.networks._map",
    "fdaa.networks._questions",
    "fdaa.networks._verdict",
    "fdaa.networks._reach",
    "fdaa.networks._documents",
    "fdaa.networks._reading",
    "fdaa.networks._saved",
    "fdaa.networks._picture",
)
