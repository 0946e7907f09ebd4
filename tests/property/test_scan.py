"""What holds of every text that is scanned, and however it comes in."""

from __future__ import annotations

from urllib.parse import unquote

import scan_engines
from hypothesis import given
from hypothesis import strategies as st
from scan_output import SlowFile, output

import fdaa
from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._run import Options, Show
from fdaa.strategies import address_texts
from tests.scan.hostile_pieces import PIECES, SEPARATORS
from tests.scan.scan_rows import ROWS

near_addresses = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
characters = st.text("fdaaFDAA0123:::..[]%/ \n\x1bmn\\u_g", max_size=80)
rows = st.lists(st.sampled_from([text for text, _, _ in ROWS]), max_size=3).map(" ".join)
texts = near_addresses | characters | rows


@given(st.lists(st.tuples(st.sampled_from(SEPARATORS), address_texts())), st.integers(1, 200))
def test_known_addresses_come_back_from_where_they_were_put(
    put: list[tuple[str, str]], size: int
) -> None:
    text = ""
    expected = []
    for separator, address in put:
        text += separator
        expected.append((fdaa.Address(address), len(text), len(text) + len(address)))
        text += address
    text += "\n"
    in_file = list(find_in_file(SlowFile(text.encode("latin-1"), size)))
    assert [(match.value, match.start, match.end) for match in in_file] == expected
    in_text = find_addresses(text)
    assert [(match.value, match.start, match.end) for match in in_text] == expected


@given(texts | st.binary().map(lambda data: data.decode("latin-1")), st.integers(1, 100))
def test_all_engines_agree_with_the_slow_scanner(text: str, size: int) -> None:
    assert scan_engines.disagreement(text, (size, 4096)) is None


@given(near_addresses, st.binary(max_size=4))
def test_bytes_that_are_no_utf_8_are_no_letters(text: str, data: bytes) -> None:
    mixed = data.join([text.encode()] * 3)
    as_text = mixed.decode("utf-8", "surrogateescape")
    found = [match.value for match in find_addresses(mixed)]
    assert found == [match.value for match in find_addresses(as_text)]


@given(texts | st.text())
def test_what_is_reported_parses_to_what_is_reported(text: str) -> None:
    for match in find_addresses(text):
        written = unquote(text[match.start : match.end])  # it may have percent escapes
        if ":" in written:  # the other forms: the slow scanner reads them
            assert type(match.value)(written) == match.value


@given(texts, st.integers(1, 100))
def test_an_annotated_text_without_its_marks_is_the_text(text: str, size: int) -> None:
    data = text.encode()
    annotated, found = output(Options(Show.ANNOTATED), data, size)
    marked = bytearray(annotated)
    matches = list(find_addresses(data))
    assert found == bool(matches)
    for match in matches:  # each mark stands where the address ends, the earlier ones taken away
        mark = f" [{match.value.network_id}]".encode()
        assert marked[match.end : match.end + len(mark)] == mark
        del marked[match.end : match.end + len(mark)]
    assert marked == data
