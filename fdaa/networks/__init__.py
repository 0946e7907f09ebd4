"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from fdaa.networks._book import Book
from fdaa.networks._documents import parse_document, read_document
from fdaa.networks._errors import BookConflictError, BookError, DocumentError
from fdaa.networks._join import Network, NetworkMap
from fdaa.networks._reachability import Verdict, reach

__all__ = [
    "Book",
    "BookConflictError",
    "BookError",
    "DocumentError",
    "Network",
    "NetworkMap",
    "Verdict",
    "parse_document",
    "reach",
    "read_document",
]
