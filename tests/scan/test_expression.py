"""Which texts hold an address, and where: a row for each shape and each edge."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import pytest
import scan_engines
import slow_scan
from hypothesis import given
from hypothesis import strategies as st

import fdaa
from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._many_texts import find_in_rows
from tests.columns.column_texts import found_values
from tests.scan.other_form_rows import POINTER
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize(("text", "expected", "_reason"), ROWS)
def test_found_in_text(text: str, expected: list[str], _reason: str) -> None:
    found = slow_scan.find(text)
    assert [text[match.start : match.end] for match in found] == expected
    assert scan_engines.disagreement(text) is None
    assert scan_engines.disagreement(text.upper(), (3,)) is None


@pytest.mark.parametrize("text", [bytearray(b"fdaa::1"), None, 1, ["fdaa::1"]])
def test_only_text_and_bytes_are_searched(text: object) -> None:
    with pytest.raises(TypeError, match=f"str or bytes, not {type(text).__name__}$"):
        find_addresses(text)  # type: ignore[arg-type]


texts_of_rows = st.sampled_from([text for text, _, _ in ROWS])
texts = texts_of_rows | st.text("fda:1\n é\ud800")


@given(st.lists(st.none() | texts, max_size=20))
def test_many_texts_at_once_hold_what_each_holds(rows: list[str | None]) -> None:
    assert find_in_rows(rows) == found_one_by_one(rows)
    in_bytes: list[bytes | None] = []
    for row in rows:
        if row is None:
            in_bytes.append(None)
        else:
            in_bytes.append(row.encode("utf-8", "surrogatepass"))
    columns = find_in_rows(in_bytes)
    assert columns == found_one_by_one(in_bytes)
    assert list(columns) == ["row", "kind", "address", "network_id", "prefix", "start"]


def found_one_by_one(rows: Sequence[str | bytes | None]) -> dict[str, list[Any]]:
    """Return the columns of what is found in each text."""
    columns: dict[str, list[Any]] = {
        "row": [],
        "kind": [],
        "address": [],
        "network_id": [],
        "prefix": [],
        "start": [],
    }
    for number, row in enumerate(rows):
        for match in find_addresses(row or ""):
            columns["row"].append(number)
            values = found_values(match)
            values["network_id"] = values.pop("network_id_int")  # the columns add its text
            for name, value in values.items():
                columns[name].append(value)
    return columns


def test_rows_are_read_once_and_in_time_that_grows_with_them() -> None:
    long = "\N{LATIN SMALL LETTER E WITH ACUTE} " + "fdaa:2:45b::3 " * 60_000  # not in squares
    columns = find_in_rows(iter([None, long, "fdaa::1"]))
    assert columns["row"] == [1] * 60_000 + [2]
    assert columns["start"] == [*range(2, 2 + 14 * 60_000, 14), 0]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([None, "fdaa::1", 0], "item 2: expected str"),
        ([None, "fdaa::1", float("nan")], "item 2: expected str"),
        ([b"fdaa::1", "fdaa::1"], "item 1: expected a bytes-like object, str found"),
        (5, "iterable"),
    ],
)
def test_only_texts_of_one_type_are_searched_at_once(rows: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        find_in_rows(rows)


def test_a_file_open_for_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"file must be open for reading bytes, not StringIO$"):
        next(find_in_file(io.StringIO("fdaa::1")))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "run", ["." * 90, "a" * 600, ":" * 90, "1:" * 300, "a." * 45, "fdaa:" * 300, "1245:fdaa::1"]
)
@pytest.mark.parametrize("more", [0, 1100])
def test_a_run_longer_than_any_context_is_read_alike(run: str, more: int) -> None:
    long = run + (run * 1100)[:more]
    for text in (
        f"fdaa::1{long}",
        f"{long}fdaa::1",
        f" fdaa::1{long}:fdaa::2 fdaa::3{long} fdaa::4",
    ):
        assert scan_engines.disagreement(text, (150,)) is None


@pytest.mark.parametrize("between", [b" " * 400, (b" " + b"x" * 999 + b"\n") * 40, b"." * 400])
def test_all_addresses_of_a_text_longer_than_a_block_are_found(between: bytes) -> None:
    texts = [b"fdaa::%x" % number for number in range(1, 400)]
    data = between.join(texts)
    expected = [fdaa.Address(text.decode()) for text in texts]
    for text in (data, data.decode()):
        assert [match.value for match in find_addresses(text)] == expected
    found = list(find_in_file(io.BytesIO(data)))
    assert [fdaa.Address(match.text) for match in found] == expected


def test_a_file_that_has_nothing_yet_is_not_at_its_end() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    nothing_yet = pytest.raises(BlockingIOError, match=r"^the file is in non-blocking mode")
    with os.fdopen(ours, "rb", buffering=0) as file, nothing_yet:
        next(find_in_file(file))
    os.close(theirs)


def test_letters_outside_ascii_move_no_offset() -> None:
    text = "\u0130\U0001f600\ud800fdaa::1\u0661"
    (match,) = find_addresses(text)
    assert text[match.start : match.end] == "fdaa::1"


def test_an_address_is_found_when_its_line_has_ended() -> None:
    """The reader of a pipe gets an address while the writer still has the pipe open."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe, os.fdopen(writing, "wb", buffering=0) as writer:
        found = find_in_file(pipe)
        writer.write(b"one fdaa::1\n")
        assert str(next(found).value) == "fdaa::1"
        writer.write(b"two fdaa::3")
        writer.write(b"4\nfdaa")
        assert str(next(found).value) == "fdaa::34"
        writer.close()
        assert list(found) == []


HOSTILE = (
    "fdaa:",
    "fdaa::1:",
    ":",
    "fdaa::1 ",
    "1:",
    "fdaa::1.2.3.4",
    "1245:fdaa::1",
    "cafe:fdaa:",
    pytest.param("fdaa%3a:", marks=pytest.mark.slow),  # linear, but two seconds
    "\x1b[1mfdaa::1",
    "fdaa:0:and:so:on::1 ",
    "a:fdaa:1:",
    "{64938,",
    "{64938,1,2,3,4,5,6,7}",
    "{6",
    "1.",
    ".a.a.d.f.ip6.arpa",
    f"{POINTER}.",
    f"{POINTER}:",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_is_read_to_its_end(piece: str) -> None:
    """Were the time quadratic, this would take minutes. A block has 96 KiB."""
    text = piece * (120_000 // len(piece))
    in_file = find_in_file(io.BytesIO(text.encode()))
    assert [match.start for match in in_file] == [match.start for match in find_addresses(text)]
