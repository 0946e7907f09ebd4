"""The table of findings in docs/api/networks.md: which facts each kind has, and its record."""

from __future__ import annotations

import inspect
from dataclasses import fields
from types import NoneType
from typing import TYPE_CHECKING, get_args, get_type_hints

from places import DOCS, filled

from fdaa.networks import Finding

if TYPE_CHECKING:
    from pathlib import Path

    from fdaa.networks import Reason, Way

PAGE = DOCS / "api" / "networks.md"
BEGIN = "<!-- table: findings (made by `docs/tools`) -->\n\n"
END = "\n<!-- end of table -->"


def pages() -> dict[Path, str]:
    """Return the page, with the table."""
    table = "| `kind` | meaning | keys | record |\n|---|---|---|---|\n"
    for record in get_args(Finding):
        names = ", ".join(f"`{kind}`" for kind in kinds_of(record))
        meaning = (inspect.getdoc(record) or "").partition("\n")[0]
        keys = []
        for name, always in facts_of(record):
            if name in ("end", "app"):
                continue
            keys.append(f"`{name}`" if always else f"`{name}`?")
        table += f"| {names} | {meaning} | {', '.join(keys)} | `{record.__name__}` |\n"
    return {PAGE: filled(PAGE, BEGIN, END, table)}


def kinds_of(record: type) -> tuple[Reason | Way, ...]:
    """Return the kinds of a finding that has this record."""
    return get_args(get_type_hints(record)["kind"])


def facts_of(record: type) -> list[tuple[str, bool]]:
    """Return the name of each fact of a record, and whether its findings always have it."""
    types = get_type_hints(record)
    names = [field.name for field in fields(record)]
    facts = [name for name in names if name not in ("kind", "assumptions")]
    return [(name, NoneType not in get_args(types[name])) for name in facts]
