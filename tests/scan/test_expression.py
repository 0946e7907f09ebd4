"""Which texts hold an address, and where: a row for each shape and each edge."""

from __future__ import annotations

import io
import os
import re

import pytest
import scan_engines
import slow_scan
from hypothesis import given
from hypothesis import strategies as st

import fdaa
from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._many_texts import find_in_rows
from tests.scan.other_form_rows import POINTER
from tests.scan.scan_rows import ROWS


@pytest.mark.parametrize(("text", "expected", "_reason"), ROWS)
def test_found_in_text(text: str, expected: list[str], _reason: str) -> None:
    found = slow_scan.find(text)
    assert [text[match.start : match.end] for match in found] == expected
    assert scan_engines.disagreement(text) is None
    assert scan_engines.disagreement(text.upper(), (3,)) is None


def test_only_text_bytes_and_files_of_bytes_are_searched() -> None:
    with pytest.raises(TypeError, match=r"text must be str or bytes, not bytearray$"):
        find_addresses(bytearray(b"fdaa::1"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"file must be open for reading bytes, not StringIO$"):
        next(find_in_file(io.StringIO("fdaa::1")))  # type: ignore[arg-type]


texts = st.sampled_from([text for text, _, _ in ROWS]) | st.text("fda:1\n é\ud800")


@given(st.lists(st.none() | texts, max_size=20))
def test_many_texts_at_once_hold_what_each_holds(rows: list[str | None]) -> None:
    encoded = [(row or "").encode("utf-8", "surrogatepass") for row in rows]
    for given_rows in (rows, encoded):
        expected = []
        for number, row in enumerate(given_rows):
            for match in find_addresses(row or ""):
                fields = match.to_dict()
                names = ("kind", "address", "network_id_int", "prefix", "start")
                expected.append((number, *(fields[name] for name in names)))
        columns = find_in_rows(given_rows)
        assert list(columns) == ["row", "kind", "address", "network_id", "prefix", "start"]
        assert list(zip(*columns.values(), strict=True)) == expected


# --- long texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "run", ["." * 90, "a" * 600, ":" * 90, "1:" * 300, "fdaa:" * 300, "1245:fdaa::1"]
)
def test_a_run_longer_than_any_context_is_read_alike(run: str) -> None:
    long = (run * 700)[:700]
    for text in (f"fdaa::1{long}", f" fdaa::1{long}:fdaa::2 fdaa::3{long} fdaa::4"):
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


WITHOUT_SPACES = """
    fdaa: fdaa::1: : 1: fdaa::1.2.3.4 1245:fdaa::1 cafe:fdaa: a:fdaa:1: \x1b[1mfdaa::1
    {64938, {64938,1,2,3,4,5,6,7} {6 1. .a.a.d.f.ip6.arpa
"""
HOSTILE = [
    "fdaa::1 ",
    "fdaa:0:and:so:on::1 ",
    f"{POINTER}.",
    f"{POINTER}:",
    pytest.param("fdaa%3a:", marks=pytest.mark.slow),  # linear, but two seconds
]


@pytest.mark.parametrize("piece", re.findall(r"\S+", WITHOUT_SPACES) + HOSTILE)
def test_a_hostile_text_is_read_to_its_end(piece: str) -> None:
    """Were the time quadratic, this would take minutes. A block has 96 KiB."""
    text = piece * (120_000 // len(piece))
    in_file = find_in_file(io.BytesIO(text.encode()))
    assert [match.start for match in in_file] == [match.start for match in find_addresses(text)]


# --- pipes ----------------------------------------------------------------------------------------


def test_a_file_that_has_nothing_yet_is_not_at_its_end() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    nothing_yet = pytest.raises(BlockingIOError, match=r"^the file is in non-blocking mode")
    with os.fdopen(ours, "rb", buffering=0) as file, nothing_yet:
        next(find_in_file(file))
    os.close(theirs)


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
