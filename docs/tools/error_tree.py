"""The tree of all errors in docs/library.md, made of the public errors and their docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from places import DOCS, filled

import fdaa.networks
import fdaa.platform.sandbox
import fdaa.probe  # noqa: F401 - so that its errors are there
from fdaa import FdaaError

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "library.md"
BEGIN = "<!-- tree of errors (made by `docs/tools`) -->\n\n```text\n"
END = "```\n"


def pages() -> dict[Path, str]:
    """Return the page, up to date."""
    rows = [(_name(FdaaError), _summary(FdaaError)), *_below(FdaaError, "")]
    width = max(len(name) for name, _ in rows)
    tree = "".join(f"{name.ljust(width)}  {summary}\n" for name, summary in rows)
    return {PAGE: filled(PAGE, BEGIN, END, tree)}


def _below(error: type[FdaaError], margin: str) -> list[tuple[str, str]]:
    """Return a row for each error under this one, each after the lines of the tree."""
    rows = []
    under = [each for each in error.__subclasses__() if _is_public(each)]
    for each in under:
        is_last = each is under[-1]
        branch = "└── " if is_last else "├── "
        rows.append((margin + branch + _name(each), _summary(each)))
        rows += _below(each, margin + ("    " if is_last else "│   "))
    return rows


def _is_public(error: type[FdaaError]) -> bool:
    return "._" not in error.__module__ and not error.__module__.startswith("fdaa.cli")


def _name(error: type[FdaaError]) -> str:
    full = f"{error.__module__}.{error.__qualname__}"
    return full.removeprefix("fdaa.")


def _summary(error: type[FdaaError]) -> str:
    """Return the first sentence of the docstring, and which of Python's errors it is too."""
    first = (error.__doc__ or "").splitlines()[0].rstrip(".")
    others = [base.__name__ for base in error.__bases__ if not issubclass(base, FdaaError)]
    if error is FdaaError:
        return first
    return "; also ".join([first, *others])
