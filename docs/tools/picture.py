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
    "fdaa '[fdaa:2:45b::2]:40112->[fdaa:0:18::3]:5432: i/o timeout' | head -n 4",
    "fdaa same fdaa:2:45b::3 FDAA:0002:045B::4",
    "fdaa scan --count docs/examples/app.log",
)

CHARACTER = 8.4  # pixels wide; the picture makes each font as wide, so that none is cut off
LINE = 20  # pixels high
MARGIN = 20
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>fdaa in a terminal: a pasted error, two addresses, a log</title>
<style>
rect {{ fill: #16181d }}
text {{ fill: #d5d9e0; font: 14px ui-monospace, Menlo, Consolas, monospace }}
.prompt {{ fill: #7fd88f }}
.command {{ fill: #ffffff; font-weight: bold }}
</style>
<rect width="{width}" height="{height}" rx="8"/>
"""
_COMMAND = '<tspan class="prompt">$</tspan> <tspan class="command">{}</tspan>'


def pages() -> dict[Path, str]:
    """Run the commands; return the picture, as wide as the longest line."""
    shown: list[str] = []
    for command in COMMANDS:
        called, _, kept = command.partition(" | head -n ")
        result = CliRunner().invoke(fdaa, shlex.split(called)[1:])
        lines = result.output.splitlines()
        shown += [f"$ {command}", *lines[: int(kept or len(lines))], ""]
    shown.pop()
    width = round(max(map(len, shown)) * CHARACTER) + 2 * MARGIN
    drawn = _HEAD.format(width=width, height=len(shown) * LINE + 2 * MARGIN)
    for number, line in enumerate(shown):
        text = escape(line)
        if line.startswith("$ "):
            text = _COMMAND.format(escape(line[2:]))
        y = MARGIN + number * LINE + 15
        length = round(len(line) * CHARACTER)
        place = f'x="{MARGIN}" y="{y}" textLength="{length}" lengthAdjust="spacingAndGlyphs"'
        if line:
            drawn += f'<text {place} xml:space="preserve">{text}</text>\n'
    return {PICTURE: f"{drawn}</svg>\n"}
