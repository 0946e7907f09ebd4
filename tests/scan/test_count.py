"""How often networks occur."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import slow_scan
from hypothesis import given, settings
from hypothesis import strategies as st
from scan_output import standard_input

from fdaa import NetworkID, Prefix
from fdaa.scan import NetworkCount, count, find_in_file

PIECES = (
    "fdaa::1\n",
    "fdaa:0:18::2 ",
    "FDAA:0:18:0::2 ",
    "fdaa:0:18::2:25565 ",
    "fdaa:1:2::3\n",
    "fdaa:1:2::/48 ",
    "\n" * 40,
    "x" * 90,
)


@settings(max_examples=20)
@given(st.lists(st.sampled_from(PIECES)), st.integers(1, 200))
def test_count_agrees_with_counting_by_hand(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    by_network: dict[NetworkID, list[slow_scan.Found]] = {}
    for found in slow_scan.find(text):
        by_network.setdefault(found.value.network_id, []).append(found)
    expected = {}
    for network_id, matches in by_network.items():
        addresses = {found.value for found in matches if not isinstance(found.value, Prefix)}
        line = text.count("\n", 0, matches[0].start) + 1
        expected[network_id] = NetworkCount(
            network_id, matches=len(matches), addresses=len(addresses), file="stream", line=line
        )
    with standard_input(text.encode(), size):
        counts = count([sys.stdin.buffer])
    assert {network.network_id: network for network in counts} == expected


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_counts_of_files_are_added_and_sorted(jobs: int, tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.write_bytes(b"\nfdaa:9::1\nfdaa:5::1")  # its last line has no line feed
    second = tmp_path / "second"
    second.write_bytes(b"\nfdaa:5::2 fdaa:1::1 fdaa:5::1\nfdaa:1::1 fdaa:7::1 fdaa:7::2")
    assert count([first, str(second)], jobs=jobs) == [
        NetworkCount(NetworkID(0x50000), matches=3, addresses=2, file=str(first), line=3),
        NetworkCount(NetworkID(0x10000), matches=2, addresses=1, file=str(second), line=2),
        NetworkCount(NetworkID(0x70000), matches=2, addresses=2, file=str(second), line=3),
        NetworkCount(NetworkID(0x90000), matches=1, addresses=1, file=str(first), line=2),
    ]


def test_a_file_that_cannot_be_read_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("fdaa::3")
    with pytest.raises(FileNotFoundError) as caught:
        count([tmp_path / "log", tmp_path / "missing"])
    assert caught.value.filename == str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError) as caught:
        next(find_in_file(tmp_path / "missing"))
    assert caught.value.filename == str(tmp_path / "missing")


def test_one_file_is_not_taken_for_several() -> None:
    with pytest.raises(TypeError, match=r"^files must be a list of files, not str; use count"):
        count("app.log")


def test_a_file_named_as_standard_input_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(b"fdaa:0:18::3\n")
    with standard_input(b"fdaa::1 fdaa::2", 4):
        (counted,) = count(["-"])
        (match,) = find_in_file("-")
    assert counted == NetworkCount(NetworkID("0:18"), matches=1, addresses=1, file="./-", line=1)
    assert match.text == "fdaa:0:18::3"
