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
from functools import partial
from typing import TYPE_CHECKING

import pytest
import slow_scan
from hypothesis import given
from hypothesis import strategies as st

import fdaa
from fdaa.scan import _count as scan_count
from fdaa.scan import _workers as scan_jobs
from fdaa.scan import find_addresses
from fdaa.scan._count import _DISTINCT, Count, Place, _Distinct
from fdaa.scan._report import Filter, annotate, drain, lines, matches, records, replace
from fdaa.scan._rules import read_blocks
from fdaa.scan._sources import PartOfFile, parts, unpacked
from fdaa.scan.pseudonyms import Pseudonyms
from fdaa.strategies import addresses, network_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    Render = Callable[..., Generator[bytes, None, bool]]

LOG = (
    b"boot\n"
    b"a FDAA:0:18::3 b fdaa:2:45b::4\n"
    b"\x00\xff no address: 2001:db8:fdaa::1\n"
    b"fdaa:0:18::3:25565\r\n"
    b"[fdaa:0:18::9]:80 the last line has no end"
)
ON_18 = Filter(frozenset({0x18}))
NOT_ON_18 = Filter(frozenset({0x18}), invert=True)


def output(render: Render, data: bytes, size: int = 4096) -> tuple[bytes, bool]:
    written = bytearray()
    found = drain(render(read_blocks(io.BytesIO(data), size)), written.extend)
    return bytes(written), found


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        (
            matches,
            b"fdaa:0:18::3\t0:18\nfdaa:2:45b::4\t2:45b\nfdaa:0:18::3\t0:18\nfdaa:0:18::9\t0:18\n",
        ),
        (
            partial(matches, name=b"log", numbered=True),
            b"log:2:fdaa:0:18::3\t0:18\nlog:2:fdaa:2:45b::4\t2:45b\n"
            b"log:4:fdaa:0:18::3\t0:18\nlog:5:fdaa:0:18::9\t0:18\n",
        ),
        (partial(matches, keep=NOT_ON_18), b"fdaa:2:45b::4\t2:45b\n"),
        (
            partial(matches, keep=ON_18, name=b"log"),
            b"log:fdaa:0:18::3\t0:18\nlog:fdaa:0:18::3\t0:18\nlog:fdaa:0:18::9\t0:18\n",
        ),
        (
            lines,
            b"a FDAA:0:18::3 b fdaa:2:45b::4\nfdaa:0:18::3:25565\r\n"
            b"[fdaa:0:18::9]:80 the last line has no end\n",
        ),
        (
            partial(lines, keep=NOT_ON_18, name=b"log", numbered=True),
            b"log:2:a FDAA:0:18::3 b fdaa:2:45b::4\n",
        ),
        (
            annotate,
            b"boot\na FDAA:0:18::3 [0:18] b fdaa:2:45b::4 [2:45b]\n"
            b"\x00\xff no address: 2001:db8:fdaa::1\nfdaa:0:18::3 [0:18]:25565\r\n"
            b"[fdaa:0:18::9 [0:18]]:80 the last line has no end",
        ),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 30, 4096])
def test_output(render: Render, expected: bytes, size: int) -> None:
    assert output(render, LOG, size) == (expected, True)


@pytest.mark.parametrize("render", [matches, lines, annotate, partial(records, name="log")])
def test_nothing_found_is_said(render: Render) -> None:
    written, found = output(render, b"boot\n2001:db8:fdaa::1\n")
    assert not found
    assert written == (b"boot\n2001:db8:fdaa::1\n" if render is annotate else b"")


def test_a_record_says_what_and_where() -> None:
    written, _ = output(partial(records, name="log"), LOG)
    first = json.loads(written.splitlines()[0])
    assert first == {
        "file": "log",
        "line": 2,
        "column": 3,
        "text": "FDAA:0:18::3",
        "address": "fdaa:0:18::3",
        "network_id": "0:18",
        "network_id_int": 24,
    }


def test_a_line_too_long_for_memory_is_printed_whole() -> None:
    line = b"x" * (3 * 1024 * 1024) + b" fdaa::1 " + b"y" * (3 * 1024 * 1024) + b"\n"
    without = b"z" * (3 * 1024 * 1024) + b"\n"
    assert output(lines, without + line + without + line) == (line * 2, True)


near_lines = st.lists(
    st.sampled_from(["fdaa::1", "fdaa:0:18::2", "x", " ", "\n", "\n\n", "y" * 300, "cafe:fdaa::1"])
).map("".join)


@given(near_lines, st.integers(1, 200))
def test_lines_are_those_that_hold_a_match(text: str, size: int) -> None:
    numbered = enumerate(text.removesuffix("\n").split("\n"), 1)
    expected = "".join(f"{number}:{line}\n" for number, line in numbered if slow_scan.find(line))
    assert output(partial(lines, numbered=True), text.encode(), size)[0].decode() == expected


def name_of(network_id: int) -> str | None:
    return {0x18: "blue"}.get(network_id)


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        (partial(matches, name_of=name_of), b"fdaa:0:18::3\t0:18\tblue\nfdaa:9::1\t9:0\t\n"),
        (
            partial(matches, name_of=name_of, numbered=True),
            b"1:fdaa:0:18::3\t0:18\tblue\n2:fdaa:9::1\t9:0\t\n",
        ),
        (partial(annotate, name_of=name_of), b"fdaa:0:18::3 [0:18 blue]\nfdaa:9::1 [9:0]"),
        (
            partial(annotate, name_of=name_of, keep=ON_18),
            b"fdaa:0:18::3 [0:18 blue]\nfdaa:9::1",
        ),
    ],
)
def test_networks_by_name(render: Render, expected: bytes) -> None:
    assert output(render, b"fdaa:0:18::3\nfdaa:9::1") == (expected, True)


def test_records_by_name_and_of_some_networks() -> None:
    render = partial(records, name="log", name_of=name_of)
    written, found = output(render, b"fdaa:0:18::3\nfdaa:9::1")
    assert found
    assert [json.loads(line)["network_name"] for line in written.splitlines()] == ["blue", None]
    written, found = output(partial(render, keep=NOT_ON_18), b"fdaa:0:18::3\nfdaa:9::1")
    assert [json.loads(line)["address"] for line in written.splitlines()] == ["fdaa:9::1"]
    assert output(partial(render, keep=NOT_ON_18), b"fdaa:0:18::3") == (b"", False)


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
    with pytest.raises(OSError, match="broken"):
        count.read(read_blocks(Broken()), "log")
    assert count.networks() == [(0, 50, 1, Place("log", 1), Place("log", 50))]


@pytest.mark.parametrize(
    "text",
    [
        b"fdaa:1:2:3:4:5:6:7:8080 x",
        b"IP6 fdaa:1:2:3:4:5:6:7.53 > fdaa:5:6:7:8:9:a:b: AAAA",
        b"[fdaa:0:18::3]:1, fdaa:0:18::3/64; fdaa:0:18::4... fdaa:0:18::5%eth0",
    ],
)
def test_a_canonical_text_comes_back_whole(text: bytes) -> None:
    pseudonyms = Pseudonyms(b"key")
    hidden, _ = output(partial(replace, other=pseudonyms.hide), text)
    assert output(partial(replace, other=pseudonyms.reveal), hidden) == (text, True)


@pytest.mark.parametrize("dots", range(85, 105))
@pytest.mark.parametrize("size", [1, 50, 128])
def test_an_address_that_reaches_over_its_block_is_written_once(dots: int, size: int) -> None:
    text = b"a fdaa:0:18::3" + b"." * dots + b" fdaa::1 " + b"b" * 200
    marked = text.replace(b"18::3", b"18::3 [0:18]").replace(b"::1 ", b"::1 [0:0] ")
    assert output(annotate, text, size) == (marked, True)


# --- count ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_count_by_network(size: int) -> None:
    count = Count()
    assert count.read(read_blocks(io.BytesIO(LOG), size), "one") == 4
    count.read(read_blocks(io.BytesIO(b"\nfdaa:2:45b::4"), size), "two")
    assert count.networks() == [
        (0x18, 3, 2, Place("one", 2), Place("one", 5)),
        (0x2045B, 2, 1, Place("one", 2), Place("two", 2)),
    ]


def test_count_keeps_to_the_filter() -> None:
    count = Count(NOT_ON_18)
    count.read(read_blocks(io.BytesIO(LOG)), "log")
    assert [network.network_id for network in count.networks()] == [0x2045B]


counted_pieces = st.lists(
    st.sampled_from(
        [
            "fdaa::1\n",
            "fdaa:0:18::2 ",
            "\n",
            "\n" * 40,
            "x" * 90,
            "fdaa:1:2::3\n",
            r"\nfdaa::7 ",
            "y" * 400,
        ]
    )
)


# With few blocks or runs together, networks vanish and come back between the sums.
@pytest.mark.parametrize(("blocks", "runs"), [(32, 32768), (2, 32768), (32, 1), (1, 1)])
@given(pieces=counted_pieces, size=st.integers(1, 200))
def test_count_agrees_with_counting_by_hand(
    blocks: int, runs: int, pieces: list[str], size: int
) -> None:
    text = "".join(pieces)
    by_hand: dict[int, list[tuple[fdaa.Address, int]]] = {}
    for address, start, _ in slow_scan.find(text):
        place = address, text.count("\n", 0, start) + 1
        by_hand.setdefault(address.network_id, []).append(place)
    count = Count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan_count, "_BLOCKS_TOGETHER", blocks)
        patch.setattr(scan_count, "_RUNS_TOGETHER", runs)
        count.read(read_blocks(io.BytesIO(text.encode()), size), "log")
    assert {network.network_id: network[1:] for network in count.networks()} == {
        network_id: (
            len(places),
            len({address for address, _ in places}),
            Place("log", places[0][1]),
            Place("log", places[-1][1]),
        )
        for network_id, places in by_hand.items()
    }


def test_counts_are_put_together_and_sorted() -> None:
    first, then = Count(), Count()
    first.read(read_blocks(io.BytesIO(b"\nfdaa:9::1\nfdaa:5::1")), "a")
    then.read(read_blocks(io.BytesIO(b"fdaa:5::2 fdaa:1::1 fdaa:5::1")), "b")
    first.add(then)
    assert first.networks() == [
        (0x50000, 3, 2, Place("a", 3), Place("b", 1)),
        (0x10000, 1, 1, Place("b", 1), Place("b", 1)),
        (0x90000, 1, 1, Place("a", 2), Place("a", 2)),
    ]


def test_distinct_addresses_are_counted_also_when_they_are_many() -> None:
    random_ = random.Random(1)
    distinct = _Distinct()
    by_hand: dict[int, set[bytes]] = {1: set(), 2: set()}
    for _ in range(3 * _DISTINCT):
        network_id = random_.choice((1, 2))
        packed = fdaa.NetworkID(network_id).address(random_.randrange(2 * _DISTINCT)).packed
        distinct.add(packed)
        by_hand[network_id].add(packed)
    assert distinct._runs
    assert distinct.by_network() == {id_: len(packed) for id_, packed in by_hand.items()}


# --- pseudonyms -----------------------------------------------------------------------------------

KEYS = st.binary(min_size=1, max_size=100)


@given(KEYS, addresses(), addresses(network_ids().map(lambda id_: id_ % 3)))
def test_pseudonyms_keep_what_is_the_same(
    key: bytes, one: fdaa.Address, other: fdaa.Address
) -> None:
    hide = Pseudonyms(key).hide
    for second in (other, one.network_id.address(other.rest)):
        assert hide(one).same_network(hide(second)) == one.same_network(second)
        assert (hide(one) == hide(second)) == (one == second)


@given(KEYS, addresses())
def test_a_pseudonym_is_revealed_by_its_key(key: bytes, address: fdaa.Address) -> None:
    assert Pseudonyms(key).reveal(Pseudonyms(key).hide(address)) == address
    assert Pseudonyms(key + b"'").hide(address) != Pseudonyms(key).hide(address) != address


def test_pseudonyms_are_the_same_for_ever() -> None:
    """Who shows a second log next year needs the pseudonyms of the first."""
    hidden = Pseudonyms(b"key").hide(fdaa.Address.parse("fdaa:2:45b::3"))
    assert str(hidden) == "fdaa:8d5c:9387:b9ef:9772:dc5b:ff89:6efe"


def test_the_networks_of_one_key_are_distinct_and_spread() -> None:
    hide = Pseudonyms(b"key").hide
    hidden = {hide(fdaa.NetworkID(id_).address(1)).network_id for id_ in range(2000)}
    assert len(hidden) == 2000
    assert len({id_.high for id_ in hidden}) > 1800


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Pseudonyms(b"")


@given(near_lines, st.integers(1, 200))
def test_pseudonyms_leave_the_rest_of_a_text_alone(text: str, size: int) -> None:
    pseudonyms = Pseudonyms(b"key")
    hidden, _ = output(partial(replace, other=pseudonyms.hide), text.encode(), size)
    revealed, _ = output(partial(replace, other=pseudonyms.reveal), hidden, size)
    assert revealed.decode() == text  # whose addresses are canonical


@pytest.mark.parametrize("behind", [":3000", ":25565", ".53", ":", ".", ":80:", "]:80", "/48"])
@pytest.mark.parametrize("text", ["fdaa:1:2:3:4:5:6:7", "fdaa::7"])
def test_a_pseudonym_takes_nothing_in_from_behind(text: str, behind: str) -> None:
    """A shorter text of the pseudonym would read the port as its last group."""
    other = fdaa.Address.parse("fdaa:1::2")
    for match in find_addresses(text + behind):
        new, _ = output(partial(replace, other=lambda _: other), (text + behind).encode())
        (again,) = find_addresses(new)
        port = (text + behind)[match.end :]
        assert (again.address, new[again.end :].decode()) == (other, port)


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
        written = bytearray()
        drain(annotate(read_blocks(unpacked(file))), written.extend)
    assert bytes(written) == output(annotate, LOG)[0]


@pytest.mark.parametrize(
    "data", [b"", b"\x1f", b"B", b"BZh", b"BZhello fdaa::1", b"\xfd7zXZ", b"\x1f\x8b"]
)
def test_what_only_begins_like_a_packed_file_is_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb", buffering=0) as file:
        written = bytearray()
        drain(annotate(read_blocks(unpacked(file))), written.extend)
    assert bytes(written) == data.replace(b"fdaa::1", b"fdaa::1 [0:0]")


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damage_is_an_os_error(name: str, damage: str, tmp_path: Path) -> None:
    data = packed_files()[name]
    middle = len(data) // 2
    bad = data[:-9] if damage == "cut" else data[:middle] + b"\xff" * 9 + data[middle + 9 :]
    (tmp_path / "log").write_bytes(bad)
    with (
        (tmp_path / "log").open("rb", buffering=0) as file,
        pytest.raises(OSError, match=r"pack|file|data|CRC|Compressed"),
    ):
        drain(matches(read_blocks(unpacked(file))), lambda _: None)


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
    written = bytearray()
    with (
        (tmp_path / "log").open("rb", buffering=0) as file,
        pytest.raises(OSError, match=r"^the packed data (ends too early|is damaged)"),
    ):
        drain(annotate(read_blocks(unpacked(file))), written.extend)
    assert bytes(written).startswith(output(annotate, LOG)[0][:40])


def test_an_xz_file_may_not_ask_for_all_memory(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    (tmp_path / "log").write_bytes(lzma.compress(LOG, filters=filters))
    with (
        (tmp_path / "log").open("rb", buffering=0) as file,
        pytest.raises(OSError, match="128 MiB"),
    ):
        drain(matches(read_blocks(unpacked(file))), lambda _: None)


@given(
    st.lists(st.sampled_from([b"\n", b"x", b"y" * 20, b"fdaa::1\n"])).map(b"".join),
    st.integers(1, 40),
)
def test_parts_are_whole_lines_and_all_there_is(data: bytes, size: int) -> None:
    file = Raw(data)
    cut = parts(file, size)
    assert b"".join(data[part.begin : part.end] for part in cut) == data
    assert all(data[part.end - 1 : part.end] == b"\n" for part in cut[:-1])
    assert all(PartOfFile(file, part).read() == data[part.begin : part.end] for part in cut)
    shortest = [part for part in cut if data.count(b"\n", part.begin, part.end) > 1]
    assert all(
        data.rfind(b"\n", part.begin, part.end - 1) + 1 - part.begin < size for part in shortest
    )


class Raw(io.RawIOBase):
    """Bytes as a raw file gives them."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._file.readinto(buffer)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def readable(self) -> bool:
        return True


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random_ = random.Random(1)
    pieces = []
    for number in range(4000):
        network_id = fdaa.NetworkID(random_.choice((3, 5, number)))
        pieces.append(b"line %d" % number + b" x" * random_.randrange(40))
        if random_.random() < 0.5:
            pieces.append(f" [{network_id.address(random_.randrange(50))}]:80".encode())
        pieces.append(random_.choice((b"\n", b"\n", b" ", b"\r\n\n")))
    path = tmp_path_factory.mktemp("scan") / "log"
    path.write_bytes(b"".join(pieces))
    return path


RENDERS: dict[str, tuple[Render, bool]] = {
    "matches": (matches, False),
    "numbered": (partial(matches, name=b"log", numbered=True), True),
    "lines": (partial(lines, numbered=True), True),
    "annotate": (annotate, False),
    "records": (partial(records, name="log"), True),
    "pseudonyms": (partial(replace, other=Pseudonyms(b"key").hide), False),
    "nothing": (partial(matches, keep=Filter(frozenset({1 << 31}))), False),
}
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@needs_fork
@pytest.mark.parametrize("part", [1, 5000, 1 << 30])
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("name", RENDERS)
def test_several_processes_give_the_bytes_of_one(
    name: str, jobs: int, part: int, large: Path
) -> None:
    render, numbered = RENDERS[name]
    written = bytearray()
    several = scan_jobs.output(str(large), render, jobs, numbered=numbered, part=max(part, 50))
    found = drain(several, written.extend)
    assert (bytes(written), found) == output(render, large.read_bytes())


@needs_fork
@pytest.mark.parametrize("part", [50, 5000, None])
def test_several_processes_count_like_one(part: int | None, large: Path) -> None:
    one = Count()
    with large.open("rb", buffering=0) as file:
        one.read(read_blocks(file), "log")
    several = scan_jobs.count(str(large), "log", 3, part=part)
    assert several.networks() == one.networks()


@needs_fork
def test_a_file_that_cannot_be_read_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        drain(scan_jobs.output(str(tmp_path / "log"), matches, 2), lambda _: None)


@needs_fork
def test_no_worker_outlives_an_output_that_nobody_wants(large: Path) -> None:
    several = scan_jobs.output(str(large), annotate, 2, part=100)
    next(several)
    several.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measured as Linux does")
@pytest.mark.parametrize("render", ["matches", "lines", "annotate", "count"])
@pytest.mark.parametrize("separator", ["newline", "none"])
def test_memory_does_not_grow_with_the_input(render: str, separator: str) -> None:
    """300 MB, as lines or as one line, all addresses distinct, in less than 64 MB more."""
    program = """
import resource, sys
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
import io
from fdaa.scan._rules import read_blocks
from fdaa.scan._count import Count
from fdaa.scan import _report as scan_output
class Log(io.RawIOBase):
    number = 0
    def readinto(self, buffer):
        self.number += 1
        if self.number > 2400:
            return 0
        end = b"\\n" if sys.argv[2] == "newline" else b" "
        texts = (b"fdaa:0:%x::%x and so on" % (i, self.number) for i in range(50))
        text = (end.join(texts) + end).ljust(len(buffer) - 1, b"x") + end
        buffer[:] = text
        return len(text)
blocks = read_blocks(Log())
if sys.argv[1] == "count":
    count = Count()
    count.read(blocks, "log")
    assert sum(network.matches for network in count.networks()) == 120000
else:
    assert scan_output.drain(getattr(scan_output, sys.argv[1])(blocks), lambda _: None)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run(
        [sys.executable, "-c", program, render, separator],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run.stdout) < 64 * 1024
