"""All ways to ask the scanner for the same thing, and whether they give the same answer."""

from __future__ import annotations

import io

import slow_scan

from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._blocks import read_blocks
from fdaa.scan._count import Count

SIZES = (1, 3, 64, 4096)


def disagreement(text: str, sizes: tuple[int, ...] = SIZES) -> str | None:
    """Say who does not find in a Latin-1 text what the slow scanner finds."""
    expected = slow_scan.find(text)
    data = text.encode("latin-1")
    places = [
        (text.count("\n", 0, found.start) + 1, found.start - text.rfind("\n", 0, found.start))
        for found in expected
    ]
    if list(find_addresses(text)) != expected:
        return "find_addresses in str"
    if list(find_addresses(data)) != expected:
        return "find_addresses in bytes"
    for size in sizes:
        found = list(find_in_file(io.BytesIO(data), block=size))
        if [(*match[:3], match.prefix_length) for match in found] != expected:
            return f"find_in_file, {size} bytes at a time"
        if [(match.line, match.column) for match in found] != places:
            return f"the places of find_in_file, {size} bytes at a time"
        if [match.text for match in found] != [text[each.start : each.end] for each in expected]:
            return f"the texts of find_in_file, {size} bytes at a time"
        counted = Count()
        counted.begin_file("log")
        counted.read(read_blocks(io.BytesIO(data), size))
        if sum(each.matches for each in counted.networks()) != len(expected):
            return f"the count, {size} bytes at a time"
    return None
