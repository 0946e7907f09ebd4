"""Which texts hold an address, and where: a row for each shape and each edge."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading

import pytest
import scan_engines
import slow_scan
from scan_rows import ROWS

import fdaa
from fdaa.scan import _rules as scan
from fdaa.scan import _verdicts as scan_verdicts

EXPRESSIONS = (
    (scan, "_EVERY"),
    (scan, "_ESCAPE"),
    (scan, "TAIL"),
    (scan_verdicts, "_HASTY"),
    (scan_verdicts, "_SWALLOWED"),
)
# Regular expressions are out of reach of mutation tools: these are the mistakes to be made in them.
WRONG = (
    ("RUN", "[0-9a-fA-F:]{1,42}", "[0-9a-fA-F:]{1,40}", "a run cut short looks like a good one"),
    ("RUN", "[0-9a-fA-F:]{1,42}", "[0-9a-fA-F:]{3,42}", "`fdaa::1` has two behind `fdaa:`"),
    ("RUN", "[0-9a-fA-F:]{1,42}", "[0-9a-eA-F:]{1,42}", "f is a hex digit"),
    ("RUN", "[0-9a-fA-F:]{1,42}", "[1-9a-fA-F:]{1,42}", "0 is a hex digit"),
    ("RUN", "(?:[g-zG-Z_]|", "(?:[h-zG-Z_]|", "g goes on with a word"),
    ("RUN", "(?:[g-zG-Z_]|", "(?:[g-yG-Z_]|", "z goes on with a word"),
    ("RUN", "(?:[g-zG-Z_]|", "(?:[g-zG-Z]|", "_ goes on with a word"),
    ("RUN", r"|\.[0-9]", "|.[0-9]", "a dotted quad has dots"),
    ("RUN", "?|)", "?)", "a run need not go on"),
    ("RUN", "[0-9]{1,3}", "[0-9]{1,2}", "an octet has up to three digits"),
    ("RUN", "[0-9]{1,3}", "[0-9]{2,3}", "an octet may have one digit"),
    ("RUN", "){2}", "){1}", "three octets have a dot before them"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![g-zG-Z_])", "an octet is not cut to pass"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![0-9g-yG-Z_])", "a dotted quad is not cut in a word"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![0-9h-zG-Z_])", "a dotted quad is not cut in a word"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![0-9g-zG-Z])", "a dotted quad is not cut in a word"),
    ("RUN", "[0-9a-fA-F:]{0,8}", "[0-9:]{0,8}", "letters behind a dotted quad"),
    ("RUN", "[0-9a-fA-F:]{0,8}", "[0-9a-fA-F:]{0,5}", "a port and a colon have seven characters"),
    ("RUN", "{0,8}[g-zG-Z_]?", "{0,8}", "a port is not cut in a word"),
    ("_SUSPECT", "[0-9a-zA-Z_:]fdaa", "[0-9a-zA-Z:]fdaa", "_ is of a word"),
    ("_SUSPECT", "[0-9a-zA-Z_:]fdaa", "[a-zA-Z_:]fdaa", "a digit is of a word"),
    ("_SUSPECT", "[0-9a-zA-Z_:]fdaa", "[0-9a-zA-Z_]fdaa", "a group may stand before the colon"),
    ("_HASTY", "(?<![0-9a-zA-Z_:]fdaa:)", "(?<![0-9a-zA-Z_]fdaa:)", "a group before the colon"),
    ("_HASTY", "(?<![0-9a-zA-Z_:]fdaa:)", "(?<![0-9a-zA-Z:]fdaa:)", "_ is of a word"),
    ("_HASTY", "(?<![0-9a-zA-Z_:]fdaa:)", "(?<![a-zA-Z_:]fdaa:)", "a digit is of a word"),
    ("_HASTY", "(?<![0-9a-zA-Z_:]fdaa:)", "", "no left edge"),
    ("_HASTY", "(?<=[g-zG-Z_]:fdaa:)", "(?<=[f-zG-Z_]:fdaa:)", "f may be a group"),
    ("_HASTY", "(?<=[g-zG-Z_]:fdaa:)", "(?<=[0-9g-zG-Z_]:fdaa:)", "a digit may be a group"),
    ("_HASTY", "[^0-9a-zA-Z_][0-9a-fA-F]:", "[^0-9a-fA-F_][0-9a-fA-F]:", "`x1:` is no group"),
    ("_HASTY", "[^0-9a-zA-Z_][0-9a-fA-F]:", "[^0-9a-zA-Z][0-9a-fA-F]:", "`_1:` is no group"),
    ("_HASTY", "zA-Z_][0-9a-fA-F][0-9a-fA-F]:", "fA-F_][0-9a-fA-F][0-9a-fA-F]:", "`x12:`"),
    ("_EVERY", "fdaa:(?=[0-9a-fA-F:])", "fdaa:(?=[0-9a-fA-F])", "`::` may follow `fdaa`"),
    ("_EVERY", "fdaa:(?=[0-9a-fA-F:])", "fdaa:(?=:)", "a group may follow `fdaa:`"),
    ("_SWALLOWED", "[0-9a-fA-F]{5}:+f", "[0-9]{5}:+f", "a word of hex letters and a colon"),
    ("_SWALLOWED", "[0-9a-fA-F]{5}:+f", "[0-9a-fA-F]{6}:+f", "five digits are no group"),
    ("_SWALLOWED", "[0-9a-fA-F]{5}:+f", "[0-9a-fA-F]{5}:f", "two colons behind a word"),
    ("RUN", "[0-9a-fA-F:]{1,42}", "[0-9a-fABD-F:]{1,42}", "C is a hex digit"),
    ("RUN", "(?:[g-zG-Z_]|", "(?:[g-zH-Z_]|", "G goes on with a word"),
    ("RUN", "(?:[g-zG-Z_]|", "(?:[g-zG-Y_]|", "Z goes on with a word"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![0-9g-zG-Y_])", "a dotted quad is not cut in a word"),
    ("RUN", "(?![0-9g-zG-Z_])", "(?![0-9g-zH-Z_])", "a dotted quad is not cut in a word"),
    ("RUN", "[0-9a-fA-F:]{0,8}", "[0-9a-f:]{0,8}", "and those in upper case"),
    ("RUN", "{0,8}[g-zG-Z_]?", "{0,8}[g-z_]?", "a port is not cut in a word"),
    ("_SUSPECT", "[0-9a-zA-Z_:]fdaa", "[0-9a-z_:]fdaa", "Z is of a word"),
    ("_HASTY", "(?<![0-9a-zA-Z_:]fdaa:)", "(?<![0-9a-z_:]fdaa:)", "Z is of a word"),
    ("_HASTY", "(?<=[g-zG-Z_]:fdaa:)", "(?<=[g-zE-Z_]:fdaa:)", "E may be a group"),
    ("_HASTY", "[^0-9a-zA-Z_][0-9a-fA-F]:", "[^0-9a-z_][0-9a-fA-F]:", "`X1:` is no group"),
    ("_HASTY", "[0-9a-fA-F]::", "[0-9a-fA-G]::", "`G::` is no group"),
    ("_HASTY", "[^0-9a-zA-Z_][0-9a-fA-F]::", "[^0-9a-fA-F_][0-9a-fA-F]::", "`x1::` is no group"),
    ("_EVERY", "fdaa:(?=[0-9a-fA-F:])", "fdaa:(?=[0-9a-f:])", "B may follow `fdaa:`"),
    ("_SWALLOWED", "[0-9a-fA-F]{5}:+f", "[0-9a-f]{5}:+f", "a word of hex letters and a colon"),
    ("_ESCAPE", r"|(?<=\\)u001b", r"|(?<=\\)u001a", "JSON writes ESC so"),
    ("_ESCAPE", r"(?<=\x1b)", r"(?<=\x1a)", "ESC itself"),
    ("_ESCAPE", "[0-?]*", "[0-9]*", "`;` between the numbers of an escape"),
    ("_ESCAPE", "[0-?]*", "[0-9;]*", "`?` before the number of a mode"),
    ("_ESCAPE", "[ -/]*[@-~]", "[@-~]", "a space before the letter"),
    ("_ESCAPE", "[@-~]", "[m]", "m is not the only letter"),
    ("_ESCAPE", "[@-~]", "[0-~]", "a number is not the end of an escape"),
    ("_ESCAPE", "|[ -/]*[0-~])", ")", "an escape without a bracket"),
    ("_ESCAPE", "[bfnrt]", "[bfnr]", "a tab"),
    ("_ESCAPE", "[bfnrt]", "[a-z]", "x is no escape of JSON"),
    ("_ESCAPE", "[0-9a-f]{4}", "[0-9]{4}", "hex digits of a character"),
    ("_ESCAPE", "[0-9a-f]{4}", "[0-9a-f]{3,5}", "four digits of a character"),
    ("_ESCAPE", "%)[0-9a-f]{2}", "%)[0-9]{2}", "hex digits of a percent escape"),
    ("_ESCAPE", "%)[0-9a-f]{2}", "%)[0-9a-f]{1,3}", "two digits of a percent escape"),
    ("_ESCAPE", r")\Z", ")", "the escape ends where the address begins"),
)


@pytest.mark.parametrize(("text", "expected", "_reason"), ROWS)
def test_found_in_text(text: str, expected: list[str], _reason: str) -> None:
    found = list(find_addresses(text))
    assert [text[match.start : match.end] for match in found] == expected
    assert [match.address for match in found] == [fdaa.Address.parse(each) for each in expected]


@pytest.mark.parametrize(("text", "expected", "_reason"), ROWS)
def test_the_slow_scanner_says_the_same(text: str, expected: list[str], _reason: str) -> None:
    assert [text[start:end] for _, start, end in slow_scan.find(text)] == expected


@pytest.mark.parametrize(("text", "expected", "_reason"), ROWS)
def test_every_engine_says_the_same(text: str, expected: list[str], _reason: str) -> None:
    assert scan_engines.disagreement(text) is None, expected
    assert scan_engines.disagreement(text.upper()) is None, expected


@pytest.mark.parametrize(("name", "right", "wrong", "reason"), WRONG)
def test_a_wrong_expression_is_noticed(
    name: str, right: str, wrong: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = 0
    inside = {"RUN": ("TAIL", "_HASTY"), "_SUSPECT": ("_HASTY",)}
    for module, each in EXPRESSIONS:
        pattern = getattr(module, each).pattern.decode("latin-1")
        if each in inside.get(name, (name,)):
            assert right in pattern
            pattern = pattern.replace(right, wrong)
            monkeypatch.setattr(module, each, re.compile(pattern.encode("latin-1"), re.DOTALL))
            changed += 1
    assert changed
    scan.judge_again.cache_clear()
    assert any(is_noticed(text) or is_noticed(text.upper()) for text, _, _ in ROWS), reason


def is_noticed(text: str) -> bool:
    try:
        return scan_engines.disagreement(text) is not None
    except AssertionError:  # the scanner's own
        return True


@pytest.mark.parametrize("text", [bytearray(b"fdaa::1"), None, 1, ["fdaa::1"]])
def test_only_text_and_bytes_are_searched(text: object) -> None:
    with pytest.raises(TypeError, match=f"str or bytes, not in {type(text).__name__}$"):
        find_addresses(text)  # type: ignore[arg-type]


def test_a_file_open_for_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"for reading bytes is needed, not StringIO$"):
        next(scan.find_in_file(io.StringIO("fdaa::1")))  # type: ignore[arg-type]


@pytest.mark.parametrize("run", ["." * 90, "a" * 90, ":" * 90, "1:" * 45, "a." * 45, "fdaa:" * 18])
@pytest.mark.parametrize("more", [0, 5, 6, 7, 12, 40])
def test_a_run_longer_than_an_edge_is_looked_for(run: str, more: int) -> None:
    long = run + run[:1] * more
    texts = [f"fdaa::1{long}", f"{long}fdaa::1", f" fdaa::1{long}:fdaa::2 fdaa::3{long} fdaa::4"]
    for text in texts:
        assert scan_engines.disagreement(text, (1, 7, 50, 100, 150)) is None


@pytest.mark.parametrize("between", [b" ", b" " + b"x" * 999 + b"\n", b"."])
def test_a_text_longer_than_a_block(between: bytes) -> None:
    texts = [b"fdaa::%x" % number for number in range(1, 400)]
    data = (between * 400).join(texts)
    expected = [fdaa.Address.parse(text.decode()) for text in texts]
    for text in (data, data.decode()):
        found = list(find_addresses(text))
        assert [match.address for match in found] == expected
        for match in found:
            assert fdaa.Address.parse(data[match.start : match.end].decode()) == match.address


def test_a_file_that_has_nothing_yet_is_not_at_its_end() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    nothing_yet = pytest.raises(BlockingIOError, match=r"^the file is in non-blocking mode")
    with os.fdopen(ours, "rb", buffering=0) as file, nothing_yet:
        next(scan.find_in_file(file))
    os.close(theirs)


def test_letters_outside_ascii_move_no_offset() -> None:
    text = "\u0130\U0001f600\ud800fdaa::1\u0661"
    (match,) = find_addresses(text)
    assert text[match.start : match.end] == "fdaa::1"


def test_lines_end_in_a_line_feed_only() -> None:
    data = b"fdaa::1\r\x0b\x0c\x85fdaa::2\r\nfdaa::3\0\xff\n\n  fdaa::4"
    found = scan.find_in_file(io.BytesIO(data))
    assert [(match.line, match.column) for match in found] == [(1, 1), (1, 12), (2, 1), (4, 3)]


def test_importing_fdaa_loads_no_regular_expressions() -> None:
    program = "import sys, fdaa; loaded = 're' in sys.modules; find_addresses; print(loaded)"
    run = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"


def test_an_address_is_told_when_the_byte_behind_it_has_come() -> None:
    """The reader of a pipe hears of an address while the writer still has the pipe open."""
    import os

    reading, writing = os.pipe()
    answers: list[str] = []
    with open(reading, "rb") as pipe, open(writing, "wb", buffering=0) as writer:  # noqa: PTH123
        found = scan.find_in_file(pipe)
        for text in (b"one fdaa::1\n", b"two fdaa::2 ", b"fdaa::3", b"4\n"):
            writer.write(text)
            if text != b"fdaa::3":
                answers.append(str(next(found).address))
        thread = threading.Thread(target=writer.close)
        thread.start()
        assert list(found) == []
        thread.join()
    assert answers == ["fdaa::1", "fdaa::2", "fdaa::34"]
