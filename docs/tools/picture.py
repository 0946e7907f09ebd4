"""docs/assets/terminal.svg: a terminal in which the commands of the README run."""

from __future__ import annotations

import shlex
from html import escape
from typing import TYPE_CHECKING

from click.testing import CliRunner
from places import DOCS

from fdaa.cli.main import fdaa

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = DOCS / "assets" / "terminal.svg"
COMMANDS = (
    "fdaa 'dial tcp [fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout' | head -n 5",
    "fdaa same fdaa:2:45b::3 FDAA:0002:045B::4",
    "fdaa scan --count docs/examples/app.log",
)

COLUMNS = 76
CHARACTER = 8.4  # pixels wide, in a monospaced font of 14 pixels
LINE = 20  # pixels high
MARGIN = 20


def pages() -> dict[Path, str]:
    """Return the picture, up to date."""
    return {PICTURE: _drawn()}


def _drawn() -> str:
    """Run the commands; return the terminal as SVG."""
    lines = []
    for command in COMMANDS:
        lines.append(
            f'<tspan class="prompt">$</tspan> <tspan class="command">{escape(command)}</tspan>'
        )
        called, _, kept = command.partition(" | head -n ")
        result = CliRunner(env={"COLUMNS": str(COLUMNS)}).invoke(fdaa, shlex.split(called)[1:])
        shown = result.output.splitlines()
        if kept:
            shown = shown[: int(kept)]
        lines += [escape(line) for line in shown]
        lines.append("")
    lines.pop()
    width = round(COLUMNS * CHARACTER) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        y = MARGIN + number * LINE + 15
        rows.append(f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{line}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            "<title>fdaa in a terminal: a pasted error, two addresses, a log</title>",
            "<style>",
            "rect { fill: #16181d }",
            "text { fill: #d5d9e0; font: 14px ui-monospace, Menlo, Consolas, monospace }",
            ".prompt { fill: #7fd88f }",
            ".command { fill: #ffffff; font-weight: bold }",
            "</style>",
            f'<rect width="{width}" height="{height}" rx="8"/>',
            *rows,
            "</svg>",
            "",
        ]
    )
