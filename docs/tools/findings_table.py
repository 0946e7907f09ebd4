"""The table of findings in docs/api/networks.md: what each kind means, its keys and its record."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import TYPE_CHECKING, get_args, get_type_hints

from places import DOCS, filled

from fdaa.networks import Finding

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "api" / "networks.md"
BEGIN = "<!-- table: findings (made by `docs/tools`) -->\n\n"
END = "\n<!-- end of table -->"


def pages() -> dict[Path, str]:
    """Return the page, with the table."""
    table = "| `kind` | meaning | keys | record |\n|---|---|---|---|\n"
    for record in get_args(Finding):
        kinds = get_args(get_type_hints(record)["kind"])
        parameters = inspect.signature(record).parameters
        keys = []
        for field in fields(record):
            if field.name in ("kind", "end", "app", "assumptions"):
                continue
            is_optional = parameters[field.name].default is None
            keys.append(f"`{field.name}`?" if is_optional else f"`{field.name}`")
        names = ", ".join(f"`{kind}`" for kind in kinds)
        meaning = (inspect.getdoc(record) or "").partition("\n")[0]
        table += f"| {names} | {meaning} | {', '.join(keys)} | `{record.__name__}` |\n"
    return {PAGE: filled(PAGE, BEGIN, END, table)}
