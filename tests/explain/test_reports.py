"""Lines of public reports, with the phase of the cause that their threads found.

Addresses and names are ours: the reports have others, or hide them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fdaa.explain import explain

ROWS = (Path(__file__).parent / "reports.tsv").read_text("utf-8").splitlines()
REPORTS = [(phase, json.loads(line)) for phase, _, line in (row.split("\t") for row in ROWS)]
# What an answer may say only with the addresses of both ends.
ABSOLUTE = r"(?m)^(?:yes|no): |same network|different networks:"


@pytest.mark.parametrize(("phase", "line"), REPORTS)
def test_the_phase_of_a_report_is_that_of_its_cause(phase: str, line: str) -> None:
    answer = explain(line)
    assert answer.line.phase == phase
    assert answer.meaning
    assert len(answer.checks) <= 4
    assert not re.search(ABSOLUTE, str(answer))
    assert "{" not in "".join(map(str, answer.checks))
