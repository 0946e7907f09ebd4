"""Thousands of hostile texts, as logs, through every mode and every kind of file."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
import slow_scan
from scan_output import PSEUDONYMS

from fdaa import Address, Prefix
from fdaa.scan import count
from fdaa.scan._pieces import Piece
from fdaa.scan._run import Converted, Options, Scan, Show
from tests.scan.hostile_pieces import PIECES, SEPARATORS
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slow_scan import Found

pytestmark = pytest.mark.campaign
LOGS = 20
TEXTS = 200  # in each log


def as_utf_8(text: str) -> bytes:
    return text.encode()


def as_utf_16(text: str) -> bytes:
    return text.encode("utf-16")


def as_gzip(text: str) -> bytes:
    return gzip.compress(text.encode())


def as_bzip2(text: str) -> bytes:
    return bz2.compress(text.encode())


def as_xz(text: str) -> bytes:
    return lzma.compress(text.encode())


# How a log is written, and how many processes read it.
KINDS: dict[str, tuple[Callable[[str], bytes], int]] = {
    "plain": (as_utf_8, 1),
    "plain, two workers": (as_utf_8, 2),
    "UTF-16": (as_utf_16, 1),
    "gzip": (as_gzip, 1),
    "bzip2": (as_bzip2, 1),
    "xz": (as_xz, 1),
}


def hostile_log(choose: random.Random) -> str:
    """Return lines of pieces, of rows of the table, and of addresses one behind another."""
    log = ""
    for _ in range(TEXTS):
        log += hostile_text(choose) + choose.choice(("\n", "\r\n", " "))
    return log


def hostile_text(choose: random.Random) -> str:
    kind = choose.randrange(3)
    if kind == 0:
        return "".join(choose.choices(PIECES, k=choose.randrange(17)))
    if kind == 1:
        return " ".join(row[0] for row in choose.choices(ROWS, k=choose.randrange(4)))
    text = ""
    for _ in range(choose.randrange(6)):
        rest = choose.getrandbits(80) >> choose.randrange(80)
        address = Address.build(choose.choice((0, 0x18, 0x2045B)), rest)
        spellings = (str(address), address.exploded, str(address).upper())
        text += choose.choice(SEPARATORS) + choose.choice(spellings)
    return text


def hidden_value(value: Address | Prefix) -> Address | Prefix:
    if isinstance(value, Prefix):
        return Prefix.build(PSEUDONYMS.pseudonymize(value.address), value.length)
    return PSEUDONYMS.pseudonymize(value)


def expected(text: str, found: list[Found]) -> dict[Show, object]:
    """Return what each mode must say, by the slow scanner."""
    return {
        Show.MATCHES: "".join(f"{match.value}\t{match.value.network_id}\n" for match in found),
        Show.RECORDS: [record_of(match, text) for match in found],
        Show.LINES: lines_of(text, found),
        Show.ANNOTATED: annotated(text, found),
    }


def record_of(match: Found, text: str) -> dict[str, object]:
    """Return the fields of a match that depend on the text, and on what it is."""
    before = text[: match.start].encode()
    line = before.count(b"\n") + 1
    column = len(before) - before.rfind(b"\n")
    fields: dict[str, object] = {
        "line": line,
        "column": column,
        "text": text[match.start : match.end],
        "kind": "address",
        "address": str(match.value),
        "prefix": str(match.value.network_id.prefix),
    }
    if isinstance(match.value, Prefix):
        fields["kind"] = "prefix"
        fields["address"] = None
        fields["prefix"] = str(match.value)
    return fields


def lines_of(text: str, found: list[Found]) -> str:
    """Return the lines with a match; a last line without a line feed gets one."""
    with_match = {text.count("\n", 0, match.start) for match in found}
    lines = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n")):
        if number in with_match:
            lines += line + "\n"
    return lines


def annotated(text: str, found: list[Found]) -> str:
    with_ids = ""
    at = 0
    for match in found:
        with_ids += text[at : match.end] + f" [{match.value.network_id}]"
        at = match.end
    return with_ids + text[at:]


def printed(path: Path, show: Show, jobs: int) -> tuple[object, bool]:
    """Return what is printed, for `RECORDS` their fields, and whether there was a match."""
    pseudonyms = None
    if show in (Show.PSEUDONYMIZED, Show.REVEALED):
        pseudonyms = PSEUDONYMS
    options = Options(show, pseudonyms=pseudonyms, jobs=jobs)
    data = b""
    found = False
    for event in Scan([str(path)], options):
        if isinstance(event, Converted):
            continue
        assert isinstance(event, Piece)
        data += event.data
        found = found or event.found
    if show is not Show.RECORDS:
        return data.decode(), found
    records = []
    for line in data.splitlines():
        record = json.loads(line)
        names = ("line", "column", "text", "kind", "address", "prefix")
        records.append({name: record[name] for name in names})
    return records, found


@pytest.mark.parametrize("seed", range(LOGS))
def test_every_mode_says_of_a_hostile_log_what_the_slow_scanner_says(
    seed: int, tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    cut_into(2000)
    text = hostile_log(random.Random(seed))
    found = slow_scan.find(text)
    assert len(found) > TEXTS / 2
    by_mode = expected(text, found)
    on_networks = Counter(int(match.value.network_id) for match in found)
    for kind, (written, jobs) in KINDS.items():
        path = tmp_path / "log"
        path.write_bytes(written(text))
        for show, answer in by_mode.items():
            assert printed(path, show, jobs) == (answer, True), (kind, show)
        assert printed(path, Show.FILES, jobs) == (f"{path}\n", True), kind
        counts = count([path], jobs=jobs)
        by_network = {int(network.network_id): network.matches for network in counts}
        assert by_network == on_networks, kind


@pytest.mark.parametrize("seed", range(LOGS))
def test_a_hostile_log_is_hidden_and_comes_back(
    seed: int, tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    cut_into(2000)
    # This is an address, as its ID is odd; with an even one it is a prefix of two networks.
    text = hostile_log(random.Random(seed)).replace("fdaa:0:19::/47", "fdaa:0:19::/48")
    # A run longer than 500 is cut in another place when an address in it has another length.
    text = re.sub(r"(?:a{99}|(?:1:){99}|(?:1%3A){99})(?:[a1:]|%3A)*", "", text)
    found = slow_scan.find(text, wide=True)
    values = [match.value for match in found]
    hidden_values = [hidden_value(value) for value in values]
    path = tmp_path / "log"
    for kind, (written, jobs) in KINDS.items():
        path.write_bytes(written(text))
        hidden, _ = printed(path, Show.PSEUDONYMIZED, jobs)
        in_hidden = slow_scan.find(str(hidden), wide=True)
        assert [match.value for match in in_hidden] == hidden_values, kind
        assert rest_of(str(hidden), in_hidden) == rest_of(text, found), kind
        path.write_bytes(written(str(hidden)))
        revealed, _ = printed(path, Show.REVEALED, jobs)
        in_revealed = slow_scan.find(str(revealed), wide=True)
        assert [match.value for match in in_revealed] == values, kind
        assert rest_of(str(revealed), in_revealed) == rest_of(text, found), kind


def rest_of(text: str, found: list[Found]) -> list[str]:
    """Return what stands between the matches."""
    between = []
    at = 0
    for match in found:
        between.append(text[at : match.start])
        at = match.end
    between.append(text[at:])
    return between
