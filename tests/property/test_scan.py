"""What holds of every text that is scanned, and however it comes in."""

from __future__ import annotations

import re

import scan_engines
import slow_scan
from hypothesis import assume, given
from hypothesis import strategies as st
from scan_output import PSEUDONYMS, SlowFile, output

import fdaa
from fdaa import Address, Prefix
from fdaa.scan import find_addresses, find_in_file
from fdaa.scan._run import Options, Show
from fdaa.strategies import address_texts
from tests.scan.other_form_rows import POINTER
from tests.scan.scan_rows import ROWS

# What stands between two addresses so that neither can be read as more or less than it is.
SEPARATORS = re.findall(r"\S+", '" \0 \xbb @ = ; | \x1b[0m\x1b[32m \\n %5D%5B (peer: -')
SEPARATORS += [" ", "\n", "\r\n", "\t", ", ", "] [", "/eth ", "%eth0 ", "#53\n", "... ", ": "]
SEPARATORS += [".x ", "> ", "\n12:", " app.log:7:"]
# Parts of addresses, and of what stands around them.
WITHOUT_SPACES = """
    fdaa: FDAA: fdaa:: fdaa fdaa:0:18:: 2:45b: 1:2:3:4:5:6:7 1:2:3:4:5:6 :: : . 1 0 a f x g _ cafe
    aaaaaa: peer 3000 65535 65536 25565 99999 12345 1.2.3.4 .2.3.4 .53 470: 12: .log:12:
    .c:1:2: log.1: / /48 /64 [ ] % %5B %3A %3a1 %2F %2f48 fdaa%3A \\ \\n \\u00e9 \\u001b[0m \\x1b[
    #033[ ^[[ 32m 38;2;255; \x1b[ \x1b \0 \xe9 \u0430 \u2026 \u7aef
    {64938, 0,0,24, 2,3,4,5,6,7} .ip6.arpa
"""
PIECES = re.findall(r"\S+", WITHOUT_SPACES)
PIECES += [" ", "\n", "\n12:", "{ 64938 , 2,1115 ,2683, 372,56131,54214 , 2 }"]
PIECES += [POINTER, POINTER[:40], POINTER[40:]]
PIECES += ["1:" * 15, ":" * 30, "a" * 30, "a" * 600, "1:" * 300]

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
    assert scan_engines.disagreement(text, (size,)) is None


@given(near_addresses, st.binary(max_size=4))
def test_bytes_that_are_no_utf_8_are_no_letters(text: str, data: bytes) -> None:
    mixed = data.join([text.encode()] * 3)
    as_text = mixed.decode("utf-8", "surrogateescape")
    found = [match.value for match in find_addresses(mixed)]
    assert found == [match.value for match in find_addresses(as_text)]


@given(texts, st.integers(1, 100))
def test_annotations_are_all_that_is_added(text: str, size: int) -> None:
    annotated, found = output(Options(Show.ANNOTATED), text.encode(), size)
    matches = slow_scan.find(text)
    assert found == bool(matches)
    expected = ""
    at = 0
    for match in matches:
        expected += f"{text[at : match.end]} [{match.value.network_id}]"
        at = match.end
    assert annotated.decode() == expected + text[at:]


# --- pseudonyms -----------------------------------------------------------------------------------


def hidden_value(value: Address | Prefix) -> Address | Prefix:
    if isinstance(value, Prefix):
        return Prefix.build(PSEUDONYMS.pseudonymize(value.address), value.length)
    return PSEUDONYMS.pseudonymize(value)


def values_and_rest(text: bytes) -> tuple[list[Address | Prefix], list[str]]:
    """Return what the slow scanner finds, also in other addresses, and what is between."""
    decoded = text.decode()
    values = []
    rest = []
    at = 0
    for match in slow_scan.find(decoded, wide=True):
        values.append(match.value)
        rest.append(decoded[at : match.start])
        at = match.end
    rest.append(decoded[at:])
    return values, rest


# Texts of which more is replaced than the slow scanner finds, or which are cut in another place.
NOT_COMPARED = re.compile(
    r"""
        (?: [0-9a-f:] | %3a ){400}                  # the end of a run depends on its lengths
    |   fdaa%3a (?: [0-9a-f:.] | %3a | %2f )* fdaa  # a second address after an escaped one
    |   fdaa:0:19::/47                              # a prefix only with an ID that is even
    """,
    re.IGNORECASE | re.VERBOSE,
)


@given(texts, st.integers(1, 100))
def test_all_that_may_be_an_address_is_replaced_and_comes_back(text: str, size: int) -> None:
    assume(not NOT_COMPARED.search(text))
    data = text.encode()
    values, rest = values_and_rest(data)
    hidden, found = output(Options(Show.PSEUDONYMIZED, pseudonyms=PSEUDONYMS), data, size)
    assert found == bool(values)
    assert values_and_rest(hidden) == ([hidden_value(value) for value in values], rest)
    revealed, _ = output(Options(Show.REVEALED, pseudonyms=PSEUDONYMS), hidden, size)
    assert values_and_rest(revealed) == (values, rest)
