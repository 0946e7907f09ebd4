"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from fdaa.networks._book import Book
from fdaa.networks._diagrams import dot, mermaid
from fdaa.networks._documents import parse_document, read_document, read_stream
from fdaa.networks._errors import BookConflictError, BookError, DocumentError
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
from fdaa.networks._reachability import Verdict, reach

__all__ = [
    "AllocatedAddress",
    "App",
    "Book",
    "BookConflictError",
    "BookError",
    "Contradiction",
    "Document",
    "DocumentError",
    "DocumentKind",
    "Evidence",
    "Machine",
    "Need",
    "Network",
    "NetworkMap",
    "Origin",
    "Problem",
    "Rule",
    "Verdict",
    "dot",
    "mermaid",
    "parse_document",
    "reach",
    "read_document",
    "read_stream",
]
