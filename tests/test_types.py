"""What type checkers see: small programs of users, each with its error or none."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("mypy", reason="needs mypy, of the extra `dev`")

COLUMN = """
from sqlalchemy import Column
from fdaa.sqlalchemy import AddressType, on_network
addresses = Column("address", AddressType)
"""

# The error of a program, or "", and the program.
PROGRAMS = [
    # Values are final, and differ from text.
    ('Cannot inherit from final class "Address"', "class Mine(fdaa.Address): ..."),
    ("Non-overlapping equality check", "fdaa.Address('fdaa::3') == 'fdaa::3'"),
    ("", "fdaa.NetworkID('2:45b') == 132187"),
    ("incompatible type", "fdaa.Address(3)"),
    # An ID by its number, and a default.
    ("", "number: int | None = fdaa.extract_network_id('fdaa::3', None)"),
    ('incompatible type "None"', "number: int = fdaa.extract_network_id('fdaa::3', None)"),
    # Objects of other packages, and what a match has.
    ("", "import ipaddress as i\nfdaa.Address.from_ip(i.IPv6Interface('fdaa::3/64'))"),
    ("", "import fdaa.scan\nfor m in fdaa.scan.find_addresses(''): fdaa.same_network(m.value, '')"),
    # Words that are one of a few.
    ("Literal['duckbd']", "import fdaa.columns\nfdaa.columns.sql('duckbd')"),
    # An end is what `parse_end` returns, and what `reach` takes.
    (
        "",
        "from fdaa.networks import End, parse_end, reach\n"
        "def reached(end: End) -> bool | None:\n    return reach(end, parse_end('web')).reachable",
    ),
    # A column holds values, not text; its condition takes a network, not a number.
    ("", f"{COLUMN}checked: Column[fdaa.Address] = addresses"),
    ("Incompatible types in assignment", f"{COLUMN}checked: Column[str] = addresses"),
    ("incompatible type", f"{COLUMN}on_network(addresses, 7)"),
]


@pytest.mark.slow
def test_a_type_checker_finds_the_errors_of_users_and_no_others(tmp_path: Path) -> None:
    for number, (_, program) in enumerate(PROGRAMS):
        text = f"import fdaa\n{program}\n"
        (tmp_path / f"program_{number}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    for number, (expected, program) in enumerate(PROGRAMS):
        pattern = rf"^program_{number}\.py:\d+: error: (.*)$"
        found = " ".join(re.findall(pattern, done.stdout, re.MULTILINE))
        assert expected in found, program
        assert bool(expected) == bool(found), program
