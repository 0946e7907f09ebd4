"""Names and IDs of networks, from the platform's documents, and who can reach whom."""

from fdaa.networks._book import Book, learn, remove_from_book, rename_in_book
from fdaa.networks._documents import parse_document, read_document
from fdaa.networks._errors import BookConflictError, BookError, BookMissingError, DocumentError
from fdaa.networks._join import Network, NetworkMap
from fdaa.networks._reachability import Verdict, reach

__all__ = [
    "Book",
    "BookConflictError",
    "BookError",
    "BookMissingError",
    "DocumentError",
    "Network",
    "NetworkMap",
    "Verdict",
    "learn",
    "parse_document",
    "reach",
    "read_document",
    "remove_from_book",
    "rename_in_book",
]
