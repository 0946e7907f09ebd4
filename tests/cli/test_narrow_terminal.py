"""Output fits a terminal; on one of 60 columns, no address, prefix or name is split."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from command import invoke, run

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
LONGEST = "fdaa:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
WEB = "fdaa:2:45b:a7b:174:db43:d3c6:2"
DOCUMENTS = (
    "--apps=apps.json",
    "--machines=web=machines-web.json",
    "--machines=instances.txt",
    "--machines=status-billing.json",
)
COMMANDS = (
    ("decode", WEB),
    ("decode", LONGEST),
    ("explain", f"read tcp [{LONGEST}]:1->[{WEB}]:2: i/o timeout"),
    ("decode", "fdaa:ffff:ffff:ffff:ffff:ffff:ffff::/112", "fdaa:ffff:ffff::/48", WEB),
    ("same", LONGEST, WEB),
    ("whois", LONGEST, WEB, *DOCUMENTS),
    ("whois", "web", *DOCUMENTS),
    ("reach", LONGEST, WEB, *DOCUMENTS),
    ("networks", *DOCUMENTS),
    ("networks", "--why", *DOCUMENTS),
    ("check", "allocations", *DOCUMENTS, "--addresses", "billing=addresses-billing.json"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_address_and_no_prefix_is_split(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    narrow = invoke(*command, COLUMNS="60").stdout
    wide = invoke(*command, COLUMNS="300").stdout
    addresses = re.findall(r"fdaa:[0-9a-f:]+(?:/\d+)?", wide)
    assert addresses
    for address in addresses:
        lines = [line for line in narrow.splitlines() if address in line]
        assert lines, address
        assert min(map(len, lines)) <= 60


def test_the_command_leaves_the_help_of_other_programs_as_it_is() -> None:
    assert click.Context.formatter_class is click.HelpFormatter


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=str)
def test_output_fits_the_terminal(unbuffered: dict[str, str]) -> None:
    source = "fdaa:2:45b:a7b:174:db43:d3c6:2"
    target = "fdaa:0:18:a7b:7d:f066:3418:2"
    for arguments in (
        ["verify", "--help"],
        ["same", source, target],
        ["reach", "--why", source, target],
    ):
        assert width_of(run(*arguments, env=unbuffered).stdout) <= 80
        for columns in (60, 80, 120):
            shown = run(*arguments, env=unbuffered, COLUMNS=str(columns)).stdout
            assert width_of(shown) <= columns
            assert width_of(shown) > min(columns, 100) * 2 // 3  # prose takes the room that it has


def width_of(text: bytes | str) -> int:
    """Return the length of the longest line."""
    return max(len(line) for line in text.splitlines())


def test_a_name_with_hyphens_is_not_divided_at_the_end_of_a_line() -> None:
    source = "archive-of-the-north-and-the-west"
    target = "reports-of-the-last-three-years"
    shown = invoke("reach", source, target, COLUMNS="60").stdout
    assert width_of(shown) <= 60
    assert shown.count(source) == 2
    assert shown.count(target) == 2
