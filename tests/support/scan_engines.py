"""All ways to search a text, and whether they find the same."""

from __future__ import annotations

import sys
from itertools import accumulate

import slow_scan
from scan_output import SlowFile, standard_input

from fdaa.scan import count, find_addresses, find_in_file

SIZES = (1, 4096)


def disagreement(text: str, sizes: tuple[int, ...] = SIZES) -> str | None:
    """Say which way does not find in a text what the slow scanner finds."""
    in_text = slow_scan.find(text)
    if [(m.value, m.start, m.end) for m in find_addresses(text)] != in_text:
        return "find_addresses in str"
    data = text.encode("utf-8", "surrogatepass")
    offsets = offsets_in_bytes(text)
    in_bytes = [(found.value, offsets[found.start], offsets[found.end]) for found in in_text]
    if [(m.value, m.start, m.end) for m in find_addresses(data)] != in_bytes:
        return "find_addresses in bytes"
    places = [place_of(start, data) for _, start, _ in in_bytes]
    texts = [text[found.start : found.end] for found in in_text]
    for size in sizes:
        in_file = list(find_in_file(SlowFile(data, size)))
        if [(match.value, match.start, match.end) for match in in_file] != in_bytes:
            return f"find_in_file, {size} bytes at a time"
        if [(match.line, match.column) for match in in_file] != places:
            return f"the places of find_in_file, {size} bytes at a time"
        if [match.text for match in in_file] != texts:
            return f"the texts of find_in_file, {size} bytes at a time"
        with standard_input(b"\n" + data, size):  # so that it is not read as a packed file
            networks = count([sys.stdin.buffer])
        if sum(network.matches for network in networks) != len(in_bytes):
            return f"the count, {size} bytes at a time"
    return None


def offsets_in_bytes(text: str) -> list[int]:
    """Return where each character begins in the UTF-8 of a text, and where the last one ends."""
    lengths = [len(character.encode("utf-8", "surrogatepass")) for character in text]
    return [0, *accumulate(lengths)]


def place_of(offset: int, data: bytes) -> tuple[int, int]:
    """Return the line and the column of a byte."""
    line = data.count(b"\n", 0, offset) + 1
    column = offset - data.rfind(b"\n", 0, offset)
    return line, column
