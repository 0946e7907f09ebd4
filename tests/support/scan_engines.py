"""All ways to ask the scanner for the same thing, and whether they give the same answer."""

from __future__ import annotations

import io
from itertools import accumulate

import slow_scan
from scan_output import blocks_of

from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._blocks import read_blocks  # private: a count reads blocks
from fdaa.scan.engine import Count

SIZES = (1, 3, 64, 4096)


def disagreement(text: str, sizes: tuple[int, ...] = SIZES) -> str | None:
    """Say which engine does not find in a text what the slow scanner finds."""
    in_text = slow_scan.find(text)
    if [(m.value, m.start, m.end) for m in find_addresses(text)] != in_text:
        return "find_addresses in str"
    data = text.encode("utf-8", "surrogatepass")
    lengths = [len(character.encode("utf-8", "surrogatepass")) for character in text]
    offsets = [0, *accumulate(lengths)]
    expected = [(found.value, offsets[found.start], offsets[found.end]) for found in in_text]
    places = [
        (data.count(b"\n", 0, start) + 1, start - data.rfind(b"\n", 0, start))
        for _, start, _ in expected
    ]
    if [(m.value, m.start, m.end) for m in find_addresses(data)] != expected:
        return "find_addresses in bytes"
    for size in sizes:
        with blocks_of(size):
            found = list(find_in_file(io.BytesIO(data)))
        if [(match.value, match.start, match.end) for match in found] != expected:
            return f"find_in_file, {size} bytes at a time"
        if [(match.line, match.column) for match in found] != places:
            return f"the places of find_in_file, {size} bytes at a time"
        if [match.text for match in found] != [text[each.start : each.end] for each in in_text]:
            return f"the texts of find_in_file, {size} bytes at a time"
        counted = Count()
        counted.begin_file("log")
        with blocks_of(size):
            for block in read_blocks(io.BytesIO(data)):
                counted.read(block)
        if sum(each.matches for each in counted.networks()) != len(expected):
            return f"the count, {size} bytes at a time"
    return None
