"""On a terminal of 60 columns, no command splits an address or a prefix."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from command import invoke

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
    ("decode", f"read tcp [{LONGEST}]:1->[{WEB}]:2: i/o timeout"),
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
