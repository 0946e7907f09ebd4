"""Runs the command `fdaa` for the page "Try it in the browser"."""

from __future__ import annotations

import json

from click.testing import CliRunner

from fdaa.cli.main import fdaa


def run(arguments: str) -> str:
    """Return what a terminal would show, and the exit status, as JSON.

    Args:
        arguments: the arguments of the command, as JSON.
    """
    result = CliRunner().invoke(fdaa, json.loads(arguments), prog_name="fdaa")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return json.dumps({"output": result.output, "status": result.exit_code})
