"""All ways to ask the scanner for the same thing, and whether they give the same answer."""

from __future__ import annotations

import io
from contextlib import ExitStack
from unittest.mock import patch

import slow_scan

from fdaa.scan import _rules as scan
from fdaa.scan import _verdicts as scan_verdicts
from fdaa.scan import find_addresses
from fdaa.scan._rules import find_in_file, read_blocks
from fdaa.scan._verdicts import Verdicts

SIZES = (1, 2, 3, 7, 64, 4096)


# Few addresses are found in another way than many are; and where few letters are in upper case, no
# more of them are changed than must be. What is here makes many of few, and few of many.
WAYS = (
    {"_FEW": -1_000_000, "_RARE": 1},
    {"_FEW": 1_000_000, "_RARE": 1},
    {"_FEW": 1, "_FAR_APART": 20, "_RARE": 1_000_000},
)


def disagreement(text: str, sizes: tuple[int, ...] = SIZES) -> str | None:
    """Say which engine does not find in a Latin-1 text what the slow scanner finds."""
    for way in WAYS:
        with ExitStack() as stack:
            for name, number in way.items():
                module = scan if name == "_RARE" else scan_verdicts
                stack.enter_context(patch.object(module, name, number))
            wrong = _disagreement(text, sizes)
        if wrong is not None:
            return f"{wrong}, {way}"
    return None


def _disagreement(text: str, sizes: tuple[int, ...]) -> str | None:
    expected = slow_scan.find(text)
    data = text.encode("latin-1")
    texts = [str(address) for address, _, _ in expected]
    places = [(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for _, at, _ in expected]
    as_found = [text[start:end] for _, start, end in expected]
    if [tuple(match) for match in find_addresses(text)] != expected:
        return "find_addresses in str"
    if [tuple(match) for match in find_addresses(data)] != expected:
        return "find_addresses in bytes"
    for size in sizes:
        found = list(find_in_file(io.BytesIO(data), block=size))
        if [match[:3] for match in found] != expected:
            return f"find_in_file, {size} bytes at a time"
        if [(match.line, match.column) for match in found] != places:
            return f"the places of find_in_file, {size} bytes at a time"
        if [match.text for match in found] != as_found:
            return f"the texts of find_in_file, {size} bytes at a time"
        verdicts = Verdicts(str, "")
        values, numbered, line = [], [], 1
        for block in read_blocks(io.BytesIO(data), size):
            values += filter(None, verdicts.read(block))
            more, lines = verdicts.read_numbered(block, line)
            line = lines[-1]
            numbered += [both for both in zip(more, lines, strict=False) if both[0]]
        if values != texts:
            return f"Verdicts.read, {size} bytes at a time"
        if numbered != list(zip(texts, (line for line, _ in places), strict=True)):
            return f"Verdicts.read_numbered, {size} bytes at a time"
        if line != text.count("\n") + 1:
            return f"the last line of Verdicts.read_numbered, {size} bytes at a time"
    return None
