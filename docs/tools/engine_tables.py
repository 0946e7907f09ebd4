"""The tables of engines in the documents, made of the records in `fdaa/columns/_engines/`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from places import DOCS, filled_text
from sql_engines import DATABASES

from fdaa.columns._engines import ENGINES, Engine, Operation, Use
from fdaa.columns._grammar import ADDRESS, ZERO

if TYPE_CHECKING:
    from pathlib import Path

BEGIN = "<!-- table: {} (made by `docs/tools`) -->\n\n"
END = "\n<!-- end of table -->"

# Operation -> its function in Arrow.
_IN_ARROW = {
    Operation.NETWORK_ID_INT: "network_id_ints(c)",
    Operation.NETWORK_ID: "network_ids(c)",
    Operation.ADDRESS: "addresses(c)",
    Operation.KEY: "keys(c)",
    Operation.SAME_NETWORK: "same_network(c, d)",
    Operation.PREFIX: "prefixes(c)",
    Operation.FIND: "find(c)",
    Operation.PSEUDONYMIZE: "pseudonymize(c, p)",
    Operation.REVEAL: "reveal(c, p)",
    Operation.REFUSALS: "refusals(c)",
}
_IN_FRAMES = ("arrow", "pandas", "polars")


def pages() -> dict[Path, str]:
    """Return the text of each page that has a table, up to date."""
    texts: dict[Path, str] = {}
    for name, (page, table) in _TABLES.items():
        path = DOCS / page
        text = texts.get(path, path.read_text("utf-8"))
        texts[path] = filled_text(text, page, BEGIN.format(name), END, table())
    expressions = {"address": ADDRESS, "zero": ZERO}
    texts[DOCS / "examples" / "column-grammar.json"] = json.dumps(expressions, indent=2) + "\n"
    return texts


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _engines() -> str:
    rows = []
    for engine in ENGINES.values():
        extra = f"`fdaa[{engine.extra}]`" if engine.extra else ""
        rows.append([engine.title, engine.use, extra])
    return _table(["engine", "use", "extra for Python"], rows)


def _types() -> str:
    rows = []
    for engine in ENGINES.values():
        types = "; ".join(engine.types)
        others = f"{engine.of_number}, {engine.of_list}"
        name = engine.title.partition(" ")[0]
        rows.append([name, types, others, engine.network_id_int, engine.key])
    header = ["engine", "types, besides text", "a number, a list"]
    header += ["`network_id_int` is", "a key is"]
    return _table(header, rows)


def _vocabulary() -> str:
    header = ["operation", "in Arrow"]
    rows = [[f"`{operation}`", f"`{name}`"] for operation, name in _IN_ARROW.items()]
    reasons = _reasons(
        {engine.title.partition(" ")[0]: engine.missing for engine in ENGINES.values()}
    )
    return _table(header, rows) + reasons


def _uses() -> str:
    databases = [engine for engine in ENGINES.values() if engine.name not in _IN_FRAMES]
    refused = {use for engine in databases for use in engine.refused}
    rows = [_row(use, databases) for use in Use if use in refused]
    names = [engine.title.partition(" ")[0] for engine in databases]
    header = ["use", *names]
    everywhere = ", ".join(use for use in Use if use not in refused)
    return _table(header, rows) + f"\nIn all of them: {everywhere}.\n"


def _row(use: Use, databases: list[Engine]) -> list[str]:
    cells = []
    for engine in databases:
        instead = engine.refused.get(use)
        if engine.name not in DATABASES:  # no test runs the use there
            cells.append("*not tested*")
        elif use in engine.caveats:
            cells.append(f"yes, but {engine.caveats[use]}")
        elif instead is None:
            cells.append("yes")
        elif instead:
            cells.append(f"no: {instead}")
        else:
            cells.append("no")
    return [str(use), *cells]


def _reasons(by_engine: dict[str, dict[Operation, str]]) -> str:
    """Return why engines do not have something, a line for each reason."""
    titles: dict[str, list[str]] = {}  # by what is missing and why
    for title, reasons in by_engine.items():
        for reason in dict.fromkeys(reasons.values()):
            whats = [f"`{what}`" for what, why in reasons.items() if why == reason]
            titles.setdefault(f"{', '.join(whats)} ({reason})", []).append(title)
    lines = [f"- {', '.join(named)}: no {why}.\n" for why, named in titles.items()]
    return "\n" + "".join(lines) if lines else ""


_TABLES = {
    "engines": ("columns.md", _engines),
    "types": ("api/columns.md", _types),
    "uses": ("api/columns.md", _uses),
    "vocabulary": ("api/columns.md", _vocabulary),
}
