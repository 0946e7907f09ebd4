"""What is printed of a scan, by one process and by several."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import subprocess
import sys
import zlib
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st

import fdaa
from fdaa import Address, NetworkID
from fdaa.scan import _report as report
from fdaa.scan import _workers as workers
from fdaa.scan import find_addresses
from fdaa.scan._blocks import read_blocks
from fdaa.scan._count import Count
from fdaa.scan._report import EVERYTHING, Filter, Piece
from fdaa.scan._sources import unpacked
from fdaa.scan.pseudonyms import Pseudonyms
from fdaa.strategies import addresses, network_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

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
    return partial(report.lines, report.kept_lengths(keep), **options)


def annotate(keep: Filter = EVERYTHING, **options: Any) -> Render:
    return partial(report.annotate, report.labels(keep, **options))


def replace(*functions: Any) -> Render:
    return partial(report.replace, report.replacements(*functions))


def output(render: Render, data: bytes, size: int = 4096) -> tuple[bytes, bool]:
    return together(render(read_blocks(io.BytesIO(data), size)))


def together(pieces: Iterable[Piece]) -> tuple[bytes, bool]:
    written, found = [], False
    for piece in pieces:
        written.append(piece.data)
        found = found or piece.found
    return b"".join(written), found


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        (
            matches(),
            b"fdaa:0:18::3\t0:18\nfdaa:2:45b::4\t2:45b\nfdaa:0:18::3\t0:18\nfdaa:0:18::9\t0:18\n",
        ),
        (
            numbered_matches(front=b"log:"),
            b"log:2:fdaa:0:18::3\t0:18\nlog:2:fdaa:2:45b::4\t2:45b\n"
            b"log:4:fdaa:0:18::3\t0:18\nlog:5:fdaa:0:18::9\t0:18\n",
        ),
        (matches(keep=NOT_ON_18), b"fdaa:2:45b::4\t2:45b\n"),
        (
            matches(keep=ON_18, front=b"log:"),
            b"log:fdaa:0:18::3\t0:18\nlog:fdaa:0:18::3\t0:18\nlog:fdaa:0:18::9\t0:18\n",
        ),
        (
            lines(),
            b"a FDAA:0:18::3 b fdaa:2:45b::4\nfdaa:0:18::3:25565\r\n"
            b"[fdaa:0:18::9]:80 the last line has no end\n",
        ),
        (
            lines(keep=NOT_ON_18, front=b"log:", numbered=True),
            b"log:2:a FDAA:0:18::3 b fdaa:2:45b::4\n",
        ),
        (
            annotate(),
            b"boot\na FDAA:0:18::3 [0:18] b fdaa:2:45b::4 [2:45b]\n"
            b"\x00\xff no address: 2001:db8:fdaa::1\nfdaa:0:18::3 [0:18]:25565\r\n"
            b"[fdaa:0:18::9 [0:18]]:80 the last line has no end",
        ),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 30, 4096])
def test_output(render: Render, expected: bytes, size: int) -> None:
    assert output(render, LOG, size) == (expected, True)


@pytest.mark.parametrize("name", ["matches", "numbered", "lines", "annotate", "records"])
def test_nothing_found_is_said(name: str) -> None:
    text = b"boot\n2001:db8:fdaa::1\n"
    render, _ = RENDERS[name]
    assert output(render, text) == (text if name == "annotate" else b"", False)


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    line = b"x" * (3 * 1024 * 1024) + b" fdaa::1 " + b"y" * (3 * 1024 * 1024) + b"\n"
    without = b"z" * (3 * 1024 * 1024) + b"\n"
    assert output(lines(), without + line + without + line) == (line * 2, True)


near_lines = st.lists(
    st.sampled_from(["fdaa::1", "fdaa:0:18::2", "x", " ", "\n", "\n\n", "y" * 300, "cafe:fdaa::1"])
).map("".join)


@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    numbered = enumerate(text.removesuffix("\n").split("\n"), 1)
    expected = "".join(f"{number}:{line}\n" for number, line in numbered if slow_scan.find(line))
    assert output(lines(numbered=True), text.encode(), size)[0].decode() == expected


def name_of(network_id: int) -> str | None:
    return {0x18: "blue"}.get(network_id)


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        (matches(name_of=name_of), b"fdaa:0:18::3\t0:18\tblue\nfdaa:9::1\t9:0\t\n"),
        (
            numbered_matches(name_of=name_of),
            b"1:fdaa:0:18::3\t0:18\tblue\n2:fdaa:9::1\t9:0\t\n",
        ),
        (annotate(name_of=name_of), b"fdaa:0:18::3 [0:18 blue]\nfdaa:9::1 [9:0]"),
        (
            annotate(name_of=name_of, keep=ON_18),
            b"fdaa:0:18::3 [0:18 blue]\nfdaa:9::1",
        ),
    ],
)
def test_networks_by_name(render: Render, expected: bytes) -> None:
    assert output(render, b"fdaa:0:18::3\nfdaa:9::1") == (expected, True)


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


@pytest.mark.parametrize("dots", range(480, 520, 3))
@pytest.mark.parametrize("size", [1, 128])
def test_an_address_that_reaches_over_its_block_is_written_once(dots: int, size: int) -> None:
    text = b"a fdaa:0:18::3" + b"." * dots + b" fdaa::1 " + b"b" * 200
    marked = text.replace(b"18::3", b"18::3 [0:18]").replace(b"::1 ", b"::1 [0:0] ")
    assert output(annotate(), text, size) == (marked, True)


def test_networks_are_reported_with_their_length() -> None:
    text = b"route fdaa:0:18::/48 via fdaa::/16\n"
    assert output(matches(), text)[0] == b"fdaa:0:18::/48\t0:18\n"
    assert output(annotate(), text)[0] == b"route fdaa:0:18::/48 [0:18] via fdaa::/16\n"
    record = json.loads(output(records(file="log"), text)[0])
    assert (record["text"], record["address"]) == ("fdaa:0:18::/48", "fdaa:0:18::")
    assert record["prefix_length"] == 48


# --- count ----------------------------------------------------------------------------------------


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
    in_worker = Count()
    both.begin_file("b")
    for part in (b"\n", b"fdaa:5::2 fdaa:1::1 fdaa:5::1\n", b"fdaa:7::1"):
        in_worker.read(read_blocks(io.BytesIO(part)))
        both.add(in_worker.take_part())
    assert list(both.networks()) == [
        (0x50000, 3, 2, "a", 3),
        (0x10000, 1, 1, "b", 2),
        (0x70000, 1, 1, "b", 3),
        (0x90000, 1, 1, "a", 2),
    ]


# --- pseudonyms -----------------------------------------------------------------------------------

# A key takes a tenth of a second to stretch.
PSEUDONYMS = Pseudonyms(b"key")
hide = replace(PSEUDONYMS.hide, PSEUDONYMS.hide_network)
reveal = replace(PSEUDONYMS.reveal, PSEUDONYMS.reveal_network)


@given(addresses(), addresses(network_ids().map(lambda id_: id_ % 3)))
def test_pseudonyms_keep_what_is_the_same(one: Address, other: Address) -> None:
    hidden = PSEUDONYMS.hide(one)
    for second in (other, Address.build(one.network_id, other.rest)):
        assert (hidden.network_id == PSEUDONYMS.hide(second).network_id) == (
            one.network_id == second.network_id
        )
        assert (hidden == PSEUDONYMS.hide(second)) == (one == second)
    assert PSEUDONYMS.hide_network(one.network_id) == hidden.network_id
    assert PSEUDONYMS.reveal_network(hidden.network_id) == one.network_id
    assert PSEUDONYMS.reveal(hidden) == one != hidden


def test_pseudonyms_are_the_same_for_ever() -> None:
    """Who shows a second log next year needs the pseudonyms of the first."""
    address = Address.parse("fdaa:2:45b::3")
    assert str(PSEUDONYMS.hide(address)) == "fdaa:51c8:f66d:7814:a80f:9b2b:60bd:92e4"
    assert Pseudonyms(b"another").hide(address) != PSEUDONYMS.hide(address)


def test_the_networks_of_one_key_are_distinct_and_spread() -> None:
    hidden = {PSEUDONYMS.hide_network(NetworkID(id_)) for id_ in range(2000)}
    assert len(hidden) == 2000
    assert len({id_.high for id_ in hidden}) > 1800


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Pseudonyms(b"")


@pytest.mark.parametrize(
    "text",
    [
        b"fdaa:1:2:3:4:5:6:7:8080 x",
        b"IP6 fdaa:1:2:3:4:5:6:7.53 > fdaa:5:6:7:8:9:a:b: AAAA",
        b"[fdaa:0:18::3]:1, fdaa:0:18::3/64; fdaa:0:18::4... fdaa:0:18::5%eth0",
        b"fdaa:0:18::/48 fdaa:0:18::/64 fdaa::/48 12:fdaa:1:2:3:4:5:6:7",
    ],
)
def test_a_canonical_text_comes_back_whole(text: bytes) -> None:
    hidden, _ = output(hide, text)
    assert not set(find_addresses(text)) & set(find_addresses(hidden))
    assert output(reveal, hidden) == (text, True)


def test_a_network_gets_the_pseudonym_that_its_addresses_have() -> None:
    hidden, _ = output(hide, b"fdaa:0:18::/48 fdaa:0:18::3")
    network, address = find_addresses(hidden)
    assert network.prefix_length == 48
    assert network.address == Address.build(address.address.network_id)


@given(near_lines, st.integers(1, 200))
def test_pseudonyms_leave_the_rest_of_a_text_alone(text: str, size: int) -> None:
    hidden, _ = output(hide, text.encode(), size)
    assert output(reveal, hidden, size)[0].decode() == text  # whose addresses are canonical


@pytest.mark.parametrize("behind", [":3000", ":25565", ".53", ":", ".", ":80:", "]:80", "/48"])
@pytest.mark.parametrize("text", ["fdaa:1:2:3:4:5:6:7", "fdaa::7", "12:fdaa:1:2:3:4:5:6:7"])
def test_a_pseudonym_takes_nothing_in_from_around(text: str, behind: str) -> None:
    """A shorter text of the pseudonym would read the port as its last group."""
    other = Address.parse("fdaa:1::2")
    render = replace(lambda _: other, lambda _: other.network_id)
    for match in find_addresses(text + behind):
        new, _ = output(render, (text + behind).encode())
        (again,) = find_addresses(new)
        port = (text + behind)[match.end :]
        assert (again.address, new[again.end :].decode()) == (other, port)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_places_that_are_left_unchanged_are_told(size: int) -> None:
    text = (
        b"fdaa:0:18::3 peer\nfdaa::/16\nxfdaa::1 FDAA fdaa::1\n\n"
        b"%5Bfdaa%3A0%3A18%3A%3A3%5D\n%66%64%61%61%3A%3A1 fdaa:0:18::/48\nfda a\n"
    )
    pieces = list(hide(read_blocks(io.BytesIO(text), size)))
    assert [line for piece in pieces for line in piece.unchanged] == [2, 3, 3, 5, 6]


# --- packed and in parts --------------------------------------------------------------------------


def packed_files() -> dict[str, bytes]:
    half = len(LOG) // 2
    return {
        "gzip": gzip.compress(LOG),
        "bzip2": bz2.compress(LOG),
        "xz": lzma.compress(LOG),
        "two gzip": gzip.compress(LOG[:half]) + gzip.compress(LOG[half:]) + b"\0" * 8,
        "two bzip2": bz2.compress(LOG[:half]) + bz2.compress(LOG[half:]),
        "two xz": lzma.compress(LOG[:half]) + b"\0" * 4 + lzma.compress(LOG[half:]) + b"\0" * 8,
        "not packed": LOG,
    }


@pytest.mark.parametrize("name", packed_files())
def test_packed_files_are_read_through(name: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(packed_files()[name])
    with (tmp_path / "log").open("rb", buffering=0) as file:
        written, _ = together(annotate()(read_blocks(unpacked(file))))
    assert written == output(annotate(), LOG)[0]


@pytest.mark.parametrize(
    "data", [b"", b"\x1f", b"B", b"BZh", b"BZhello fdaa::1", b"\xfd7zXZ", b"\x1f\x8b"]
)
def test_what_only_begins_like_a_packed_file_is_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        written, _ = together(annotate()(read_blocks(unpacked(file))))
    assert written == data.replace(b"fdaa::1", b"fdaa::1 [0:0]")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("damage", ["changed", "cut", "something else"])
def test_what_follows_a_packed_stream_is_never_dropped(
    pack: Callable[[bytes], bytes], damage: str, tmp_path: Path
) -> None:
    second = bytearray(pack(LOG))
    if damage == "changed":
        second[len(second) // 2 :] = bytes(255 - byte for byte in second[len(second) // 2 :])
    elif damage == "cut":
        del second[-9:]
    else:
        second = bytearray(b"this is no packed stream\n")
    (tmp_path / "log").write_bytes(pack(LOG) + second)
    kept, error = read_until_damage(tmp_path / "log")
    assert str(error).startswith(("the packed data ends too early", "the packed data is damaged"))
    assert kept.startswith(LOG)


def read_until_damage(path: Path) -> tuple[bytes, OSError]:
    """Return what can be read of a damaged file, and the error."""
    kept = bytearray()
    with path.open("rb", buffering=0) as file:
        try:
            for block in read_blocks(unpacked(file)):
                kept += block.raw[block.begin : block.end]
        except OSError as error:
            return bytes(kept), error
    raise AssertionError("no damage was met")


def test_an_xz_file_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    (tmp_path / "log").write_bytes(lzma.compress(LOG, filters=filters))
    with (
        (tmp_path / "log").open("rb", buffering=0) as file,
        pytest.raises(OSError, match="128 MiB"),
    ):
        together(matches()(read_blocks(unpacked(file))))


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", PACKERS)
def test_all_that_could_be_unpacked_before_damage_is_kept(name: str, tmp_path: Path) -> None:
    """What a decompressor gives that is fed byte by byte is all that there is before the damage."""
    rng = random.Random(1)
    log = b"".join(b"%06d fdaa:0:18::%x\n" % (i, rng.getrandbits(16)) for i in range(20_000))
    data = bytearray(PACKERS[name](log))
    middle = len(data) * 2 // 3
    data[middle : middle + 40] = bytes(40)
    (tmp_path / "log").write_bytes(data)
    kept, error = read_until_damage(tmp_path / "log")
    assert "damaged" in str(error)
    possible = fed_byte_by_byte(name, bytes(data))
    assert possible.startswith(kept[:1000])
    assert len(kept) > len(possible) - 1500


def fed_byte_by_byte(name: str, data: bytes) -> bytes:
    possible = bytearray()
    if name == "gzip":
        feed = zlib.decompressobj(31).decompress
    else:
        feed = {"bzip2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}[name]().decompress
    with suppress(OSError, lzma.LZMAError, zlib.error):
        for i in range(len(data)):
            possible += feed(data[i : i + 1])
    return bytes(possible)


@pytest.mark.parametrize("size", [1, 5, 40])
def test_parts_are_whole_lines_and_all_there_is(size: int, tmp_path: Path) -> None:
    data = b"\n" * 9 + b"xy\n" * 20 + b"y" * 100 + b"\n" + b"fdaa::1\n" * 9 + b"no end"
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        cut = list(workers.parts(file.fileno(), workers.Part(3, len(data)), size))
    assert b"".join(data[part.begin : part.end] for part in cut) == data[3:]
    assert all(data[part.end - 1 : part.end] == b"\n" for part in cut[:-1])
    many = [part for part in cut if data.count(b"\n", part.begin, part.end) > 1]
    assert all(data.rfind(b"\n", part.begin, part.end - 1) + 1 - part.begin < size for part in many)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random_ = random.Random(1)
    pieces = []
    for number in range(4000):
        network_id = fdaa.NetworkID(random_.choice((3, 5, number)))
        pieces.append(b"line %d" % number + b" x" * random_.randrange(40))
        if random_.random() < 0.5:
            pieces.append(f" [{Address.build(network_id, random_.randrange(50))}]:80".encode())
        pieces.append(random_.choice((b"\n", b"\n", b" ", b"\r\n\n")))
    path = tmp_path_factory.mktemp("scan") / "log"
    path.write_bytes(b"".join(pieces))
    return path


RENDERS: dict[str, tuple[Render, bool]] = {
    "matches": (matches(), False),
    "numbered": (numbered_matches(front=b"log:"), True),
    "lines": (lines(numbered=True), True),
    "annotate": (annotate(), False),
    "records": (records(file="log"), True),
    "pseudonyms": (hide, True),
    "nothing": (matches(keep=Filter(frozenset({1 << 31}))), False),
}


def output_of_workers(path: Path, render: Render, jobs: int, **options: Any) -> tuple[bytes, bool]:
    with path.open("rb", buffering=0) as file:
        whole = workers.Part(0, path.stat().st_size)
        parts = workers.output(file.fileno(), whole, render, jobs, **options)
        return together(piece for pieces, _ in parts for piece in pieces)


@pytest.mark.parametrize("size", [50, 5000, 1 << 30])
@pytest.mark.parametrize("name", RENDERS)
def test_several_processes_give_the_bytes_of_one(name: str, size: int, large: Path) -> None:
    render, numbered = RENDERS[name]
    several = output_of_workers(large, render, 2, numbered=numbered, size=size * 20)
    assert several == output(render, large.read_bytes())


def test_a_line_longer_than_many_parts_is_read_piece_by_piece(tmp_path: Path) -> None:
    long = b"a fdaa::1\n" + b"x fdaa::2 " * 40_000 + b"\n" + b"fdaa::3\n"
    (tmp_path / "log").write_bytes(long)
    render = numbered_matches(front=b"")
    patch = pytest.MonkeyPatch()
    patch.setattr(workers, "_LONG", 1000)
    try:
        several = output_of_workers(tmp_path / "log", render, 2, numbered=True, size=100)
    finally:
        patch.undo()
    assert several == output(render, long)


@pytest.mark.parametrize("size", [1000, 50_000])
def test_several_processes_count_like_one(size: int, large: Path) -> None:
    one = counted(large.read_bytes(), "log")
    several = Count()
    several.begin_file("log")
    with large.open("rb", buffering=0) as file:
        whole = workers.Part(0, large.stat().st_size)
        for part, _ in workers.count(file.fileno(), whole, Count(), 3, size=size):
            several.add(part)
    assert list(several.networks()) == list(one.networks())


def test_no_worker_outlives_an_output_that_nobody_wants(large: Path) -> None:
    with large.open("rb", buffering=0) as file:
        whole = workers.Part(0, large.stat().st_size)
        several = workers.output(file.fileno(), whole, annotate(), 2, numbered=False, size=100)
        next(several)
        several.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize("render", ["matches", "lines"])
@pytest.mark.parametrize("separator", ["newline", "none"])
def test_memory_does_not_grow_with_the_input(render: str, separator: str) -> None:
    """100 MB, as lines or as one line, all addresses distinct, in less than 64 MB more."""
    program = """
import resource, sys
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
import io
from fdaa.scan import _report
from fdaa.scan._blocks import read_blocks
class Log(io.RawIOBase):
    number = 0
    def readinto(self, buffer):
        self.number += 1
        if self.number > 1000:
            return 0
        end = b"\\n" if sys.argv[2] == "newline" else b" "
        texts = (b"fdaa:0:%x::%x and so on" % (i, self.number) for i in range(50))
        text = (end.join(texts) + end).ljust(len(buffer) - 1, b"x") + end
        buffer[:] = text
        return len(text)
if sys.argv[1] == "matches":
    pieces = _report.matches(_report.match_lines(), read_blocks(Log()))
else:
    pieces = _report.lines(_report.kept_lengths(), read_blocks(Log()))
assert any(piece.found for piece in pieces)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run(
        [sys.executable, "-c", program, render, separator],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) < 64 * 1024
