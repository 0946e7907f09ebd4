"""What the command, the columns and the lines use of a scan; it may change in any release.

>>> import io
>>> from fdaa.scan.engine import Filter, Options, Show
>>> Options(Show.LINES, keep=Filter(frozenset({24}))).jobs
1
"""

from typing import TYPE_CHECKING

from fdaa._exports import publish_on_first_use as _publish_on_first_use

if TYPE_CHECKING:
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

_publish_on_first_use(
    __name__,
    "fdaa.scan._expressions",
    "fdaa.scan._possible",
    "fdaa.scan._pieces",
    "fdaa.scan._report",
    "fdaa.scan._count",
    "fdaa.scan._sources",
    "fdaa.scan._rows",
    "fdaa.scan._workers",
    "fdaa.scan._run",
)
