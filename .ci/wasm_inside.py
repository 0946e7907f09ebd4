"""What fdaa says of texts and lines, as JSON; run by CPython, and by CPython for WebAssembly."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

import fdaa
from fdaa.cli.main import fdaa as command
from fdaa.scan import find_addresses

PASTED = "dial tcp [fdaa:2:45b:a7b:174:db43:d3c6:2]:1->[FDAA:0:18::3]:5432: i/o timeout"
COMMANDS = (["decode", "fdaa:2:45b::3"], ["decode", "--json", PASTED], ["decode", "fdaa::1g"])


def value_of(text: str) -> list[Any]:
    """Return what an address is made of, or why the text is none."""
    try:
        address = fdaa.Address(text)
    except fdaa.AddressError as error:
        return [type(error).__name__, str(error)]
    return [str(address), address.exploded, fdaa.extract_network_id(text)]


def printed(arguments: list[str]) -> list[Any]:
    """Return the output, the messages and the exit status of a command."""
    result = CliRunner().invoke(command, arguments, prog_name="fdaa")
    return [result.stdout, result.stderr, result.exit_code]


def main(texts: str) -> str:
    """Return all answers as JSON."""
    given = json.loads(texts)
    answers = {
        "values": [value_of(text) for text in given],
        "found": [[match.start, match.end] for text in given for match in find_addresses(text)],
        "commands": [printed(arguments) for arguments in COMMANDS],
    }
    return json.dumps(answers)


if "TEXTS" in globals():  # set from outside of WebAssembly
    print(main(globals()["TEXTS"]))
