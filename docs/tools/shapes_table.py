"""The table of accepted shapes in docs/documents.md, made of the table of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

from fdaa.networks import DocumentKind
from fdaa.networks._shapes import SHAPES  # private: the reader's own table

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "documents.md"
BEGIN = "<!-- table of shapes (made by `docs/tools`) -->\n\n"
END = "\n<!-- end of table -->"

_OPTIONS = {
    DocumentKind.APP_LIST: "--apps",
    DocumentKind.MACHINE_LIST: "--machines",
    DocumentKind.ADDRESS_LIST: "--addresses",
}


def pages() -> dict[Path, str]:
    """Return the page, up to date."""
    table = "| document | shape | option |\n|---|---|---|\n"
    for shape in SHAPES:
        value = "FILE" if shape.names_app else "APP=FILE"
        table += f"| {shape.name} | `{shape.example}` | `{_OPTIONS[shape.kind]} {value}` |\n"
    return {PAGE: filled(PAGE, BEGIN, END, table)}
