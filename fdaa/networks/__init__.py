"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from fdaa.networks._address_holder import Holder, Holding, find_holder
from fdaa.networks._allocations import AllocationWarning, CheckedAllocation, check_allocations
from fdaa.networks._book import Book
from fdaa.networks._book_text import Entry
from fdaa.networks._diagrams import dot, mermaid
from fdaa.networks._document_kinds import parse_app_list, parse_document, read_document
from fdaa.networks._errors import BookConflictError, BookError, BookMissingError, DocumentError
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import (
    App,
    Contradiction,
    Document,
    DocumentKind,
    Fact,
    Machine,
    Network,
    Origin,
    Problem,
    Requirement,
    Rule,
)
from fdaa.networks._reachability import NETWORK_END, reach
from fdaa.networks._verdict import Finding, Outcome, Reason, Verdict, Way

__all__ = [
    "NETWORK_END",
    "AllocationWarning",
    "App",
    "Book",
    "BookConflictError",
    "BookError",
    "BookMissingError",
    "CheckedAllocation",
    "Contradiction",
    "Document",
    "DocumentError",
    "DocumentKind",
    "Entry",
    "Fact",
    "Finding",
    "Holder",
    "Holding",
    "Machine",
    "Network",
    "NetworkMap",
    "Origin",
    "Outcome",
    "Problem",
    "Reason",
    "Requirement",
    "Rule",
    "Verdict",
    "Way",
    "check_allocations",
    "dot",
    "find_holder",
    "mermaid",
    "parse_app_list",
    "parse_document",
    "reach",
    "read_document",
]
