"""The tree of all errors in docs/library.md, made of the public errors."""

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
    lines = [_name(FdaaError), *_below(FdaaError, "")]
    tree = "".join(f"{line}\n" for line in lines)
    return {PAGE: filled(PAGE, BEGIN, END, tree)}


def _below(error: type[FdaaError], margin: str) -> list[str]:
    """Return a line for each error under this one."""
    lines = []
    under = [each for each in error.__subclasses__() if _is_public(each)]
    for each in under:
        is_last = each is under[-1]
        branch = "└── " if is_last else "├── "
        lines.append(margin + branch + _name(each) + _others(each))
        lines += _below(each, margin + ("    " if is_last else "│   "))
    return lines


def _is_public(error: type[FdaaError]) -> bool:
    return "._" not in error.__module__ and not error.__module__.startswith("fdaa.cli")


def _name(error: type[FdaaError]) -> str:
    full = f"{error.__module__}.{error.__qualname__}"
    return full.removeprefix("fdaa.")


def _others(error: type[FdaaError]) -> str:
    """Return which of Python's errors it is, too."""
    others = [base.__name__ for base in error.__bases__ if not issubclass(base, FdaaError)]
    return "".join(f" (also {name})" for name in others)
