"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from fdaa.networks._address_holder import Holder, Holding, find_holder
from fdaa.networks._allocations import AllocationWarning, CheckedAllocation, check_allocations
from fdaa.networks._book import Book, change_book, learn
from fdaa.networks._book_text import Entry
from fdaa.networks._diagrams import dot, mermaid
from fdaa.networks._documents import parse_app_list, parse_document, read_document, read_stream
from fdaa.networks._errors import BookConflictError, BookError, BookMissingError, DocumentError
from fdaa.networks._join import NetworkMap
from fdaa.networks._model import (
    AllocatedAddress,
    App,
    Contradiction,
    Document,
    DocumentKind,
    Evidence,
    Machine,
    Need,
    Network,
    Origin,
    Problem,
    Rule,
)
from fdaa.networks._reach_rules import reach
from fdaa.networks._verdict import Ambiguity, Finding, Lack, Outcome, Reason, Verdict, Way

__all__ = [
    "AllocatedAddress",
    "AllocationWarning",
    "Ambiguity",
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
    "Evidence",
    "Finding",
    "Holder",
    "Holding",
    "Lack",
    "Machine",
    "Need",
    "Network",
    "NetworkMap",
    "Origin",
    "Outcome",
    "Problem",
    "Reason",
    "Rule",
    "Verdict",
    "Way",
    "change_book",
    "check_allocations",
    "dot",
    "find_holder",
    "learn",
    "mermaid",
    "parse_app_list",
    "parse_document",
    "reach",
    "read_document",
    "read_stream",
]
