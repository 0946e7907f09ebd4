"""Whether standard output has colours: --color, the environment, and the terminal."""

from __future__ import annotations

import os
import sys

import click

_COLOR = "fdaa.color"  # where click keeps what --color says


def _keep_color(context: click.Context, _parameter: click.Parameter, when: str) -> None:
    context.meta[_COLOR] = when


color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    expose_value=False,
    callback=_keep_color,
    help="Colour the output.  [default: auto: only on a terminal; see NO_COLOR, FORCE_COLOR]",
)


def uses_colour() -> bool:
    """Whether to colour standard output: as --color says, else if it is a terminal.

    NO_COLOR (no-color.org), FORCE_COLOR (force-color.org) and TERM=dumb decide before the terminal.
    """
    wanted: str = click.get_current_context().meta.get(_COLOR, "auto")
    if wanted != "auto" or os.environ.get("NO_COLOR"):
        return wanted == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
