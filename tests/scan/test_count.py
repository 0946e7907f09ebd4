"""How often networks occur, counted in one process."""

from __future__ import annotations

import io

import slow_scan
from hypothesis import given
from hypothesis import strategies as st
from scan_output import blocks_of

from fdaa import NetworkID, Prefix
from fdaa.scan import NetworkCount
from fdaa.scan._blocks import read_blocks  # private: a count reads blocks
from fdaa.scan.engine import Count


def counted(data: bytes, name: str, size: int = 4096) -> Count:
    count = Count()
    count.begin_file(name)
    with blocks_of(size):
        for block in read_blocks(io.BytesIO(data)):
            count.read(block)
    return count


PIECES = (
    *("fdaa::1\n", "fdaa:0:18::2 ", "FDAA:0:18:0::2 ", "fdaa:0:18::2:25565 ", "fdaa:1:2::3\n"),
    *("fdaa:1:2::/48 ", "\n", "\n" * 40, "x" * 90),
)


@given(st.lists(st.sampled_from(PIECES)), st.integers(1, 200))
def test_count_agrees_with_counting_by_hand(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    by_hand: dict[NetworkID, list[slow_scan.Found]] = {}
    for found in slow_scan.find(text):
        by_hand.setdefault(found.value.network_id, []).append(found)
    count = counted(text.encode(), "log", size)
    assert {
        network.network_id: (network.matches, network.addresses, network.file, network.line)
        for network in count.networks()
    } == {
        network_id: (
            len(all_found),
            len({found.value for found in all_found if not isinstance(found.value, Prefix)}),
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
        for block in read_blocks(io.BytesIO(data)):
            in_worker.read(block)
        both.add(in_worker)
    assert list(both.networks()) == [
        NetworkCount(NetworkID(0x50000), 3, 2, "a", 3),
        NetworkCount(NetworkID(0x10000), 2, 1, "b", 2),
        NetworkCount(NetworkID(0x70000), 2, 2, "b", 3),
        NetworkCount(NetworkID(0x90000), 1, 1, "a", 2),
    ]
