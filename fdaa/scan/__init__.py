"""Addresses in text: find them in a string, in bytes, or in a file of any size.

>>> from fdaa.scan import find_addresses
>>> [str(match.address) for match in find_addresses("from [FDAA:0:18::3]:53")]
['fdaa:0:18::3']
"""

from fdaa.scan._count import Count, NetworkCount
from fdaa.scan._matches import FileMatch, Match, find_addresses, find_in_file, find_in_rows
from fdaa.scan._pieces import Mark, MarkKind, Piece
from fdaa.scan._pseudonyms import Pseudonyms
from fdaa.scan._report import Filter
from fdaa.scan._run import Converted, Options, Scan, Show, count, scan
from fdaa.scan._sources import STANDARD_INPUT, Failure
from fdaa.scan._workers import MOST_JOBS

__all__ = [
    "MOST_JOBS",
    "STANDARD_INPUT",
    "Converted",
    "Count",
    "Failure",
    "FileMatch",
    "Filter",
    "Mark",
    "MarkKind",
    "Match",
    "NetworkCount",
    "Options",
    "Piece",
    "Pseudonyms",
    "Scan",
    "Show",
    "count",
    "find_addresses",
    "find_in_file",
    "find_in_rows",
    "scan",
]
