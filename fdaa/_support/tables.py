"""Tables of text."""

from __future__ import annotations

TYPE_CHECKING = False  # as in exports
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> Iterator[str]:
    r"""Yield the lines of a table, none without rows; a row that is a text is a line by itself.

    >>> print(*table([("web", "2:45b"), ("api", "0:18")], ("app", "ID")), sep="\n")
    app  ID
    web  2:45b
    api  0:18
    """
    lines = list(rows)
    if not lines:
        return
    if head:
        lines.insert(0, head)
    cells = [line for line in lines if not isinstance(line, str)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in lines:
        if isinstance(line, str):
            yield line
        else:
            yield "  ".join(map(str.ljust, line, widths)).rstrip()
