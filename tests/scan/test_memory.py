"""Bounded memory: what is remembered of texts and networks is forgotten again."""

from __future__ import annotations

import io
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from scan_output import standard_input

from fdaa import Address, NetworkID
from fdaa.scan import Pseudonyms, find_in_file
from fdaa.scan import _permutation as permutation  # private: it remembers 65,536, too many for here
from fdaa.scan._many_texts import find_in_rows
from fdaa.scan._once import Once  # private: as above, with 131,072
from fdaa.scan._pieces import Piece
from fdaa.scan._pseudonyms import pseudonymize_packed
from fdaa.scan._run import Options, Scan, Show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FEW = 50  # that are remembered here
MANY = 600
BYTES = 60_000  # a fifth or less of what it takes to remember many

PSEUDONYMS = Pseudonyms("a key of its own, as it remembers networks")


@pytest.fixture(autouse=True)
def small_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Once, "LIMIT", FEW)
    monkeypatch.setattr(permutation, "_MOST_KNOWN", FEW)


def lines(count: int, networks: int = MANY) -> list[str]:
    """Return lines with addresses, all different, on so many networks."""
    return [f"peer {Address.build(number % networks, number + 1)} ok\n" for number in range(count)]


def find_in_a_file(texts: Iterable[str]) -> None:
    for _ in find_in_file(io.BytesIO("".join(texts).encode())):
        pass


def scan(options: Options, texts: Iterable[str]) -> None:
    with standard_input("".join(texts).encode()):
        for event in Scan(["-"], options):
            assert isinstance(event, Piece)


def hide(texts: list[str]) -> None:
    pseudonymize_packed(PSEUDONYMS, [Address(text.split()[1]).packed for text in texts])


def growth(work: Callable[[list[str]], object], texts: list[str]) -> int:
    """Return by how many bytes the memory in use grows while all texts are worked on."""
    for begin in range(0, 2 * FEW, 10):
        work(texts[begin : begin + 10])  # what is loaded and remembered in any case
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for begin in range(0, MANY, 10):
            work(texts[begin : begin + 10])
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return after - before


@pytest.mark.parametrize(("work", "networks"), [(find_in_rows, 5), (hide, MANY)])
def test_what_is_remembered_between_calls_is_bounded(
    work: Callable[[list[str]], object], networks: int
) -> None:
    assert growth(work, lines(MANY, networks)) < BYTES


def peak(work: Callable[[list[str]], object], texts: list[str]) -> int:
    """Return the most memory that one call has in use."""
    tracemalloc.start()
    try:
        work(texts)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("show", [None, Show.RECORDS, Show.LINES])
def test_memory_does_not_grow_with_the_addresses_of_a_file(
    show: Show | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is remembered takes several times as much as a block and its pieces."""

    def work(texts: list[str]) -> None:
        if show is None:
            find_in_a_file(texts)
        else:
            scan(Options(show), texts)

    texts = lines(4 * MANY)
    work(texts)
    bounded = peak(work, texts)
    monkeypatch.setattr(Once, "LIMIT", 10 * MANY)
    assert peak(work, texts) > bounded + BYTES


def test_a_long_text_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no address, and as many of them as are remembered would take 65 MB."""
    monkeypatch.setattr(Once, "LIMIT", 10 * MANY)
    texts = [f"fdaa:{'1:' * 200}{number:x}" for number in range(MANY)]
    assert growth(find_in_rows, texts) < BYTES


def test_what_is_forgotten_is_made_again_and_the_same() -> None:
    texts = lines(3 * FEW)
    first = find_in_rows(texts)
    assert find_in_rows(texts) == first
    assert first["network_id"] == list(range(3 * FEW))
    ids = [NetworkID(number) for number in range(3 * FEW)]
    hidden = [PSEUDONYMS.pseudonymize(Address.build(network_id)) for network_id in ids]
    assert [PSEUDONYMS.reveal(address).network_id for address in hidden] == ids


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
    tracemalloc.start()
    try:
        assert sum(1 for _ in find_in_file(Endless(300))) == 300  # about 29 MB
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
