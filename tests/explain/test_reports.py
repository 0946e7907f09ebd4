"""Lines of public reports, with the phase of the cause that their threads found.

Addresses and names are ours: the reports have others, or hide them. `?` is a phase that is missed.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from fdaa.explain import explain
from fdaa.lines._phases import find_phase

ROWS = (Path(__file__).parent / "reports.tsv").read_text("utf-8").splitlines()
REPORTS = [(phase, json.loads(line)) for phase, _, line in (row.split("\t") for row in ROWS)]


def test_the_phase_of_a_report_is_that_of_its_cause() -> None:
    found = [phase for phase, line in REPORTS if find_phase(line) == phase]
    assert len(found) == len(REPORTS) - 28


@pytest.mark.parametrize("line", [line for _, line in REPORTS])
def test_an_answer_about_a_report_states_nothing_that_is_not_known(line: str) -> None:
    text = str(explain(line))
    assert "same network" not in text
    assert "different networks:" not in text
    assert "{" not in text.replace(line, "") or "{" in line


# What programs print when nothing failed.
NO_FAILURES = (
    "user 42 failed to load page",
    "user 42 does not exist",
    "GET /login 404 not found",
    "max connections per host = 10",
    "server run with TLS on port 443",
    "cannot resolve symbol 'host'",
    "connection pool limit is 10",
    "error: 51 items failed",
    "temperature (-5) degrees",
    "invalid email address",
    "SSL enabled, 3 certificates loaded",
    "authenticated user bob for audience web",
    "token issued, expires in 600",
    "closing connection, session limit is 5",
)


@pytest.mark.parametrize("line", NO_FAILURES)
def test_kinds_of_wording_do_not_take_other_lines_for_failures(line: str) -> None:
    assert explain(line).line.phase is None


# Each repeats what a kind of wording begins with, so that it is tried at every place.
REPEATED = (
    "a",
    "audience not ",
    "pool timed out ",
    "connect( ",
    "ssl not a ",
    "fdaa:2:",
    "[[fdaa:2:",
    "host fdaa:2:",
    "login password ",
    "resolve host fail ",
    "invalid certificate ",
    "lookup a on ",
    "errno 11 ",
    "exceeded connections ",
    "://a@",
    "fail to a b c ",
    "EOF Get http://a",
    "connection closed by a ",
    "failed to parse http://a@",
)


@pytest.mark.parametrize("words", REPEATED)
def test_the_words_of_the_longest_text_are_found_in_less_than_a_second(words: str) -> None:
    text = (words * 65536)[:65536]
    find_phase(text)
    start = time.process_time()
    find_phase(text)
    assert time.process_time() - start < 1
