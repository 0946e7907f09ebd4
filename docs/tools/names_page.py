"""docs/api/index.md: all public names, and what is promised of them."""

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
    "fdaa.columns.arrow",
    "fdaa.columns.pandas",
    "fdaa.columns.polars",
    "fdaa.columns.duckdb",
    "fdaa.columns.spark",
    "fdaa.columns.sqlite",
    "fdaa.platform",
    "fdaa.platform.sandbox",
    "fdaa.sqlalchemy",
    "fdaa.logging",
    "fdaa.strategies",
)


_ABOUT_NAMES = """\
# What is promised, and all public names

A program that runs with 1.0 runs with each 1.x, if it uses what is promised.

- **Promised**: the names of the first table, with their parameters and types; the names, options
  and exit statuses of [the commands](../commands.md); and [their JSON](../json.md), CSV and
  Parquet. A minor release only adds to them: a name, an optional parameter, an option, a key.
- **Provisional**: the names of [the second table](#provisional). A minor release may change them;
  the [changelog](../changelog.md) then says how.
- **Not promised**: all other names, such as those that begin with an underscore; how results and
  errors are made (of the records, programs make `AddressPort`, `App`, `Fact`, `Host` and
  `ThisMachine`); and text for people: messages, and what commands print without `--json`.

The engines of Python have a module each: [`fdaa.columns`](columns.md).

## Promised

"""
_ABOUT_PROVISIONAL = """
## Provisional

These rooms have not been used for long enough.

"""


def _tree_of(room: str) -> ast.Module:
    """Return a module as a tree; it is not imported, as it may need an extra."""
    file = ROOT.joinpath(*room.split("."))
    if file.is_dir():
        file /= "__init__"
    return ast.parse(file.with_suffix(".py").read_text("utf-8"))


def _all_of(room: str) -> list[str]:
    """Return the `__all__` of a module."""
    for node in _tree_of(room).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise LookupError(f"{room} has no __all__")


def pages() -> dict[Path, str]:
    """Return the page, up to date."""
    promised = []
    provisional = []
    for room in ROOMS:
        names = sorted(_all_of(room), key=str.lower)
        listed = ", ".join(f"`{name}`" for name in names)
        page = f"{room.rpartition('.')[2]}.md"
        if room.startswith("fdaa.columns."):
            page = "columns.md"  # the engines share one page
        row = f"| [`{room}`]({page}) | {listed} |\n"
        if "\nProvisional: " in (ast.get_docstring(_tree_of(room)) or ""):
            provisional.append(row)
        else:
            promised.append(row)
    head = "| package | names |\n|---|---|\n"
    text = f"{_ABOUT_NAMES}{head}{''.join(promised)}"
    return {PAGE: f"{text}{_ABOUT_PROVISIONAL}{head}{''.join(provisional)}"}
