"""How often networks occur, counted in one process."""

from __future__ import annotations

import io

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st

from fdaa.scan._blocks import read_blocks
from fdaa.scan._count import Count


def counted(data: bytes, name: str = "log", size: int = 4096, count: Count | None = None) -> Count:
    count = count or Count()
    count.begin_file(name)
    count.read(read_blocks(io.BytesIO(data), size))
    return count


def test_addresses_are_counted_once_however_they_are_written_and_networks_are_not() -> None:
    count = counted(b"fdaa:0:18::3 FDAA:0:18::3 fdaa:0:18:0::3 fdaa:0:18:0::4 fdaa:0:18::4:25565 "
                    b"fdaa:0:18::/48 fdaa:0:18::5: fdaa:0:0018::5")  # fmt: skip
    assert list(count.networks()) == [(0x18, 8, 3, "log", 1)]


counted_pieces = st.lists(
    st.sampled_from(
        ["fdaa::1\n", "fdaa:0:18::2 ", "\n", "\n" * 40, "x" * 90, "fdaa:1:2::3\n", "fdaa:1:2::/48 "]
    )
)


@given(pieces=counted_pieces, size=st.integers(1, 200))
def test_count_agrees_with_counting_by_hand(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    by_hand: dict[int, list[slow_scan.Found]] = {}
    for found in slow_scan.find(text):
        by_hand.setdefault(found.address.network_id, []).append(found)
    count = counted(text.encode(), "log", size)
    assert {network.network_id: network[1:] for network in count.networks()} == {
        network_id: (
            len(all_found),
            len({found.address for found in all_found if found.prefix_length is None}),
            "log",
            text.count("\n", 0, all_found[0].start) + 1,
        )
        for network_id, all_found in by_hand.items()
    }


def test_counts_are_put_together_and_sorted() -> None:
    both = counted(b"\nfdaa:9::1\nfdaa:5::1", "a")  # its last line has no line feed
    both.begin_file("b")
    for data in (b"\n", b"fdaa:5::2 fdaa:1::1 fdaa:5::1\n", b"fdaa:1::1 fdaa:7::1 fdaa:7::2"):
        in_worker = Count()
        in_worker.read(read_blocks(io.BytesIO(data)))
        both.add(in_worker)
    assert list(both.networks()) == [
        (0x50000, 3, 2, "a", 3),
        (0x10000, 2, 1, "b", 2),
        (0x70000, 2, 2, "b", 3),
        (0x90000, 1, 1, "a", 2),
    ]


def test_what_was_read_before_an_error_is_counted() -> None:
    class Broken(io.RawIOBase):
        def __init__(self) -> None:
            self.pieces = [b"fdaa::1\n"] * 50

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            if not self.pieces:
                raise OSError("broken")
            buffer[:8] = self.pieces.pop()
            return 8

    count = Count()
    count.begin_file("log")
    with pytest.raises(OSError, match="broken"):
        count.read(read_blocks(Broken()))
    assert list(count.networks()) == [(0, 50, 1, "log", 1)]
