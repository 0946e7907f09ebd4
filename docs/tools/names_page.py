"""docs/api/index.md: all public packages, and what is promised of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from places import DOCS

if TYPE_CHECKING:
    from pathlib import Path

ROOT = DOCS.parent
PAGE = DOCS / "api" / "index.md"
ROOMS = (
    "fdaa",
    "fdaa.scan",
    "fdaa.networks",
    "fdaa.probe",
    "fdaa.lines",
    "fdaa.explain",
    "fdaa.columns",
    "fdaa.platform",
    "fdaa.platform.sandbox",
    "fdaa.sqlalchemy",
    "fdaa.logging",
    "fdaa.strategies",
)


_ABOUT_PROMISED = """\
# What is promised, and the packages

A program that runs with 1.0 runs with each 1.x, if it uses what is promised.

- **Promised**: the public names of [the first table](#promised), with their parameters and types;
  the commands, their options and exit statuses; and their JSON, CSV and Parquet. A minor release
  only adds to them.
- **Provisional**: the public names of [the second table](#provisional), which have not been used
  for long enough. A minor release may change them; the [changelog](../changelog.md) then says how.
- **Not promised**: all other names; the texts of messages and tables; and the arguments of results
  and errors. Your program receives these, and makes only `AddressPort`, `App`, `Fact`, `Host` and
  `ThisMachine`.

The public names are in `__all__` of each package, and of the modules of `fdaa.columns`, one for
each engine. The site describes them (`python docs/tools/build_site.py` builds it). In a checkout,
the pages of the packages are empty: run `python -m pydoc fdaa.scan`.

## Promised

"""
_ABOUT_PROVISIONAL = """
## Provisional

"""


def _summary_and_docstring(room: str) -> tuple[str, str]:
    """Return the first line of a package's docstring, and all of it; it may need an extra."""
    file = ROOT.joinpath(*room.split("."))
    if file.is_dir():
        file /= "__init__"
    docstring = ast.get_docstring(ast.parse(file.with_suffix(".py").read_text("utf-8")))
    assert docstring is not None, f"{room} has no docstring"
    return docstring.partition("\n")[0], docstring


def pages() -> dict[Path, str]:
    """Return the page, up to date."""
    promised = []
    provisional = []
    for room in ROOMS:
        page = f"{room.rpartition('.')[2]}.md"
        summary, docstring = _summary_and_docstring(room)
        row = f"| [`{room}`]({page}) | {summary} |\n"
        if "\nProvisional: " in docstring:
            provisional.append(row)
        else:
            promised.append(row)
    head = "| package | contains |\n|---|---|\n"
    text = f"{_ABOUT_PROMISED}{head}{''.join(promised)}"
    return {PAGE: f"{text}{_ABOUT_PROVISIONAL}{head}{''.join(provisional)}"}
