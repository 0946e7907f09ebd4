"""What a scan of bytes prints, in this process; and a log that has every shape."""

from __future__ import annotations

import io
import resource
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from fdaa.scan import _report as report
from fdaa.scan._blocks import read_blocks
from fdaa.scan._matches import Once
from fdaa.scan._report import EVERYTHING, Filter, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fdaa import Address

    Render = Callable[..., Iterator[Piece]]

LOG = (
    b"boot\n"
    b"a FDAA:0:18::3 b fdaa:2:45b::4\n"
    b"\x00\xff no address: 2001:db8:fdaa::1\n"
    b"fdaa:0:18::3:25565\r\n"
    b"[fdaa:0:18::9]:80 the last line has no end"
)
ON_18 = Filter(frozenset({0x18}))
NOT_ON_18 = Filter(frozenset({0x18}), invert=True)


def matches(keep: Filter = EVERYTHING, **options: Any) -> Render:
    return partial(report.matches, report.match_lines(keep, **options))


def numbered_matches(keep: Filter = EVERYTHING, front: bytes = b"", **options: Any) -> Render:
    return partial(report.numbered_matches, report.match_lines(keep, **options), front)


def records(keep: Filter = EVERYTHING, file: str = "log", **options: Any) -> Render:
    return partial(report.records, report.match_fields(keep, **options), file)


def lines(keep: Filter = EVERYTHING, **options: Any) -> Render:
    return partial(report.lines, Once(keep.judge), **options)


def annotate(keep: Filter = EVERYTHING, **options: Any) -> Render:
    return partial(report.annotate, report.labels(keep, **options))


def replace(other: Callable[[Address], Address]) -> Render:
    return partial(report.replace, report.replacements(other), "log")


def output(render: Render, data: bytes, size: int = 4096) -> tuple[bytes, bool]:
    return together(render(read_blocks(io.BytesIO(data), size), line=1))


def together(pieces: Iterable[Piece]) -> tuple[bytes, bool]:
    written, found = [], False
    for piece in pieces:
        written.append(piece.data)
        found = found or piece.found
    return b"".join(written), found


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond 100 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


near_lines = st.lists(
    st.sampled_from(
        ("fdaa::1", "fdaa:0:18::2", "x", " ", "\n", "\n\n", "\r\n", "y" * 300, "cafe:fdaa::1")
    )
).map("".join)
