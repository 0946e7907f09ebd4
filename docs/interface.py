"""Write the public interface into docs/interface.txt: one line for each thing that a program uses.

A name, a base class, a value and the type of an attribute have a line each, and so has each
parameter. So a line that is gone, and a new parameter without a default, break programs; all other
new lines do not.

With `--check`, write nothing and exit 1 where the file is out of date. From 1.0 on, a change that
breaks programs is never written, unless the version has a new first number
(docs/contributing/releasing.md).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
INTERFACE = ROOT / "docs" / "interface.txt"
# Doors of the command, which may change in any release, and the command itself.
NOT_PROMISED = ("fdaa.cli", "fdaa.platform.sandbox.remote", "fdaa.scan.engine")
# What users write with an operator or a statement; the others are the business of Python.
OPERATORS = (
    "__aenter__",
    "__bytes__",
    "__call__",
    "__contains__",
    "__enter__",
    "__getitem__",
    "__index__",
    "__int__",
    "__iter__",
    "__len__",
    "__lt__",
)


def lines() -> list[str]:
    """Return the lines of the interface, sorted."""
    package = griffe.load("fdaa", search_paths=[ROOT], resolve_aliases=True)
    return sorted(set(_of_module(package)))


def _of_module(module: Any) -> Iterator[str]:
    if module.path.startswith(NOT_PROMISED) or "._" in module.path:
        return
    for name in module.exports or ():
        yield from _of_object(f"{module.path}.{name}", _target(module[name]))
    for inside in module.modules.values():
        if not inside.is_alias:
            yield from _of_module(inside)


def _target(found: Any) -> Any:
    if found.is_alias:
        return found.final_target
    return found


def _of_object(path: str, found: Any) -> Iterator[str]:
    if found.is_function:
        yield f"{path} -> {found.returns or 'None'}"
        yield from _of_parameters(path, found.parameters)
    elif found.is_class:
        yield from _of_class(path, found)
    elif str(found.annotation) == "TypeAlias":
        yield f"{path} = {found.value}"
    elif found.annotation is not None:
        yield f"{path}: {found.annotation}"
    else:
        yield path


def _of_class(path: str, found: Any) -> Iterator[str]:
    yield f"class {path}"
    for base in found.bases:
        if not str(base).startswith("_"):
            yield f"class {path} is {base}"
    yield from _of_parameters(path, found.parameters)
    for name, member in found.all_members.items():
        if name.startswith("_") and name not in OPERATORS:
            continue
        inside = _target(member)
        if inside.is_attribute and _is_enum(found):
            yield f"{path}.{name} = {inside.value}"
        else:
            yield from _of_object(f"{path}.{name}", inside)


def _is_enum(found: Any) -> bool:
    return any(str(base) in ("StrEnum", "_Sourced") for base in found.bases)


def _of_parameters(path: str, parameters: Any) -> Iterator[str]:
    """Yield a line for each parameter: its place if it may be positional, its name and its type."""
    place = 0
    for parameter in parameters:
        if parameter.name in ("self", "cls"):
            continue
        kind = parameter.kind.value
        shown = parameter.name
        if kind == "positional-only":
            shown = "/"
        if kind != "keyword-only":
            place += 1
            shown = f"{place} {shown}"
        line = f"{path}({shown}: {parameter.annotation})"
        if parameter.default is not None:
            line += f" = {parameter.default}"
        yield line


def breaking(old: list[str], new: list[str]) -> list[str]:
    """Return what a program could miss: the lines that are gone, and new required parameters."""
    gone = [f"- {line}" for line in old if line not in new]
    functions = {line.partition(" -> ")[0].removeprefix("class ") for line in old}
    required = []
    for line in new:
        path, parenthesis, _ = line.partition("(")
        is_new = line not in old and path in functions
        if parenthesis and is_new and line.endswith(")"):
            required.append(f"+ {line}")
    return gone + required


def first_number(version: str) -> str:
    """Return the number that a breaking change raises: for 0.3 and 1.0rc1 each version is one."""
    match = re.fullmatch(r"([1-9]\d*)(\.\d+)+", version)
    if match is None:
        return version
    return match[1]


def main() -> int:
    """Write the file, or with `--check` report what is out of date."""
    sys.path.insert(0, str(ROOT))
    from fdaa import __version__

    recorded, *old = INTERFACE.read_text("utf-8").splitlines()
    new = lines()
    changes = breaking(old, new)
    is_released = first_number(recorded.removeprefix("fdaa ")) == first_number(__version__)
    if changes and is_released and first_number(__version__).isdigit():
        print("\n".join(changes), file=sys.stderr)
        print(f"programs for fdaa {__version__} would break: keep these", file=sys.stderr)
        return 1
    if [recorded, *old] == [f"fdaa {__version__}", *new]:
        return 0
    if "--check" in sys.argv[1:]:
        different = sorted(set(old) ^ set(new))
        print("\n".join(different), file=sys.stderr)
        print("interface.txt is out of date: run python docs/interface.py", file=sys.stderr)
        return 1
    INTERFACE.write_text("\n".join([f"fdaa {__version__}", *new]) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
