"""What the command, the columns and the lines use of a scan; it may change in any release.

>>> import io
>>> from fdaa.scan.engine import Filter, Options, Show
>>> Options(Show.LINES, keep=Filter(frozenset({24}))).jobs
1
"""

from fdaa.scan._count import Count
from fdaa.scan._expressions import COLOUR, JSON_ESCAPE, OTHER_ESCAPE
from fdaa.scan._pieces import Mark, MarkKind, Piece
from fdaa.scan._possible import find_possible
from fdaa.scan._report import Filter
from fdaa.scan._rows import find_in_rows
from fdaa.scan._run import Converted, FalseMark, Options, Scan, Show
from fdaa.scan._sources import STANDARD_INPUT, Failure
from fdaa.scan._workers import MOST_JOBS

__all__ = [
    "COLOUR",
    "JSON_ESCAPE",
    "MOST_JOBS",
    "OTHER_ESCAPE",
    "STANDARD_INPUT",
    "Converted",
    "Count",
    "Failure",
    "FalseMark",
    "Filter",
    "Mark",
    "MarkKind",
    "Options",
    "Piece",
    "Scan",
    "Show",
    "find_in_rows",
    "find_possible",
]
