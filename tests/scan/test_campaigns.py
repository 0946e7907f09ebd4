"""Thousands of hostile texts, as logs, through every mode and every kind of file."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
import slow_scan

from fdaa import Address, Prefix
from fdaa.scan import Pseudonyms, count
from fdaa.scan import _workers as workers  # private: small parts make many of a small file
from fdaa.scan.engine import Converted, Options, Piece, Scan, Show
from tests.scan.scan_rows import PIECES, ROWS, SEPARATORS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slow_scan import Found

pytestmark = pytest.mark.campaign
LOGS, TEXTS = 20, 200  # 4,000 texts
KEY = Pseudonyms(b"key")
# How a log is written, and how many processes read it.
KINDS: dict[str, tuple[Callable[[str], bytes], int]] = {
    "plain": (str.encode, 1),
    "plain, two workers": (str.encode, 2),
    "UTF-16": (lambda text: text.encode("utf-16"), 1),
    "gzip": (lambda text: gzip.compress(text.encode()), 1),
    "bzip2": (lambda text: bz2.compress(text.encode()), 1),
    "xz": (lambda text: lzma.compress(text.encode()), 1),
}


def hostile_log(choose: random.Random) -> str:
    """Return lines of pieces, of rows of the table, and of addresses one behind another."""
    return "".join(hostile_text(choose) + choose.choice(("\n", "\r\n", " ")) for _ in range(TEXTS))


def hostile_text(choose: random.Random) -> str:
    kind = choose.randrange(3)
    if kind == 0:
        return "".join(choose.choices(PIECES, k=choose.randrange(17)))
    if kind == 1:
        return " ".join(row[0] for row in choose.choices(ROWS, k=choose.randrange(4)))
    rests = [choose.getrandbits(80) >> choose.randrange(80) for _ in range(choose.randrange(6))]
    addresses = [Address.build(choose.choice((0, 0x18, 0x2045B)), rest) for rest in rests]
    return "".join(
        choose.choice(SEPARATORS) + choose.choice((str(each), each.exploded, str(each).upper()))
        for each in addresses
    )


def hidden_value(value: Address | Prefix) -> Address | Prefix:
    if isinstance(value, Prefix):
        return Prefix.build(KEY.hide(value.address), value.length)
    return KEY.hide(value)


def expected(text: str, found: list[Found]) -> dict[Show, object]:
    """Return what each mode must say, by the slow scanner."""
    records, annotated, at = [], "", 0
    for each in found:
        before = text[: each.start].encode()
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        records.append(
            (
                line,
                column,
                text[each.start : each.end],
                str(getattr(each.value, "address", each.value)),
            )
        )
        annotated += text[at : each.end] + f" [{each.value.network_id}]"
        at = each.end
    wanted = {line for line, *_ in records}
    # With a line feed at the end: a last line without one gets it.
    lines = [each + "\n" for each in text.removesuffix("\n").split("\n")]
    return {
        Show.MATCHES: "".join(f"{f.value}\t{f.value.network_id}\n" for f in found),
        Show.RECORDS: records,
        Show.LINES: "".join(line for number, line in enumerate(lines, 1) if number in wanted),
        Show.ANNOTATED: annotated + text[at:],
    }


def printed(path: Path, show: Show, jobs: int) -> tuple[object, bool]:
    """Return what is printed, for `RECORDS` what they hold, and whether there was a match."""
    hides = show in (Show.PSEUDONYMIZED, Show.REVEALED)
    options = Options(show, pseudonyms=KEY if hides else None, jobs=jobs)
    events = [event for event in Scan([str(path)], options) if not isinstance(event, Converted)]
    pieces = [event for event in events if isinstance(event, Piece)]
    assert pieces == events
    data = b"".join(piece.data for piece in pieces).decode()
    found = any(piece.found for piece in pieces)
    if show is not Show.RECORDS:
        return data, found
    records = [json.loads(line) for line in data.splitlines()]
    return [(r["line"], r["column"], r["text"], r["address"]) for r in records], found


@pytest.mark.parametrize("seed", range(LOGS))
def test_every_mode_says_of_a_hostile_log_what_the_slow_scanner_says(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", 2000)
    monkeypatch.setattr(workers, "COUNTED_PART", 2000)
    text = hostile_log(random.Random(seed))
    found = slow_scan.find(text)
    assert len(found) > TEXTS / 2
    by_mode = expected(text, found)
    on_networks = Counter(int(each.value.network_id) for each in found)
    for kind, (written, jobs) in KINDS.items():
        path = tmp_path / "log"
        path.write_bytes(written(text))
        for show, answer in by_mode.items():
            assert printed(path, show, jobs) == (answer, True), (kind, show)
        assert printed(path, Show.FILES, jobs) == (f"{path}\n", True), kind
        counted = count([path], jobs=jobs)
        assert {int(each.network_id): each.matches for each in counted} == on_networks, kind


@pytest.mark.parametrize("seed", range(LOGS))
def test_a_hostile_log_is_hidden_and_comes_back(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PART", 2000)
    # This is an address, as its ID is odd; with an even one it is a prefix of two networks.
    text = hostile_log(random.Random(seed)).replace("fdaa:0:19::/47", "fdaa:0:19::/48")
    found = slow_scan.find(text)
    path = tmp_path / "log"
    for kind, (written, jobs) in KINDS.items():
        path.write_bytes(written(text))
        hidden, _ = printed(path, Show.PSEUDONYMIZED, jobs)
        in_hidden = slow_scan.find(str(hidden))
        assert [each.value for each in in_hidden] == [hidden_value(each.value) for each in found]
        assert rest_of(str(hidden), in_hidden) == rest_of(text, found), kind
        path.write_bytes(written(str(hidden)))
        revealed, _ = printed(path, Show.REVEALED, jobs)
        again = slow_scan.find(str(revealed))
        assert [each.value for each in again] == [each.value for each in found], kind
        assert rest_of(str(revealed), again) == rest_of(text, found), kind


def rest_of(text: str, found: list[Found]) -> list[str]:
    """Return what stands between the matches."""
    starts = [0, *(each.end for each in found)]
    ends = [*(each.start for each in found), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]
