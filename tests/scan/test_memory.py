"""Bounded memory: what is remembered of texts and networks is forgotten again."""

from __future__ import annotations

import io
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from fdaa import Address
from fdaa.scan import Pseudonyms, find_in_file
from fdaa.scan import _permutation as permutation  # private: it remembers 65,536, too many for here
from fdaa.scan._many_texts import find_in_rows
from fdaa.scan._once import Once  # private: as above, with 131,072
from fdaa.scan._pseudonyms import pseudonymize_packed

if TYPE_CHECKING:
    from collections.abc import Callable

FEW = 50  # that are remembered here
MANY = 400
BYTES = 40_000  # a fifth or less of what it takes to remember many
PSEUDONYMS = Pseudonyms("a key of its own, as it remembers networks")


def lines(count: int, networks: int) -> list[str]:
    """Return lines with addresses, all different, on so many networks."""
    return [f"peer {Address.build(number % networks, number + 1)} ok\n" for number in range(count)]


def hide(texts: list[str]) -> None:
    pseudonymize_packed(PSEUDONYMS, [Address(text.split()[1]).packed for text in texts])


@pytest.mark.parametrize(("work", "networks"), [(find_in_rows, 5), (hide, MANY)])
def test_what_is_remembered_between_calls_is_bounded(
    work: Callable[[list[str]], object], networks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Once, "LIMIT", FEW)
    monkeypatch.setattr(permutation, "_MOST_KNOWN", FEW)
    texts = lines(MANY, networks)
    results = []
    for begin in range(0, 2 * FEW, 10):
        results.append(work(texts[begin : begin + 10]))
    tracemalloc.start()
    try:
        for begin in range(0, MANY, 10):
            work(texts[begin : begin + 10])
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown < BYTES
    assert work(texts[:10]) == results[0]  # what was forgotten is made again


def peak_of_a_file(file: io.RawIOBase | io.BytesIO, matches: int) -> int:
    """Return the most memory that the search of a file has in use."""
    tracemalloc.start()
    try:
        assert sum(1 for _ in find_in_file(file)) == matches
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Endless(io.RawIOBase):
    """A line without an end, in which each piece has an address."""

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces

    # Python gives `readinto` a memoryview; typeshed says any buffer.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._pieces:
            return 0
        self._pieces -= 1
        piece = b" fdaa::3 x".ljust(len(buffer), b"x")
        buffer[:] = piece
        return len(piece)


def test_memory_does_not_grow_with_the_length_of_a_line() -> None:
    assert peak_of_a_file(Endless(300), 300) < 2_000_000  # of about 29 MB
