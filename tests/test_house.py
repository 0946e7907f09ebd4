"""House rules that no linter knows: entrances of packages, lists that must be complete.

Who imports whom stands in the contracts of import-linter, and calls that are not wanted in the
rules of ruff, both in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from fdaa.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
SHIFTS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitXor, ast.Invert)


@cache
def sources() -> dict[str, ast.Module]:
    """Return each module of the package, parsed."""
    parsed = {}
    for path in sorted((ROOT / "fdaa").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        parsed[name] = ast.parse(path.read_text("utf-8"))
    return parsed


def docstring_of(node: ast.AST) -> ast.Constant | None:
    """Return the docstring of a module, a class or a function; None for another node."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    first = next(iter(node.body), None)
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first.value
    return None


def imported(tree: ast.AST) -> set[str]:
    """Return the names of the modules that a source imports, wherever in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_each_package_from_outside_is_in_the_contract_that_says_where_it_belongs() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    contracts = {contract["name"]: contract for contract in tool["importlinter"]["contracts"]}
    contract = contracts["Other packages are imported only where they belong"]
    packages = set()
    for tree in sources().values():
        packages |= {name.partition(".")[0] for name in imported(tree)}
    assert packages - sys.stdlib_module_names - {"fdaa"} == set(contract["forbidden_modules"])


@cache
def exported(room: str) -> set[str]:
    """Return the `__all__` of a room; of a private module, which has none, nothing."""
    tree = sources().get(f"{room}.__init__", sources().get(room, ast.Module([], [])))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def test_what_a_room_exports_is_imported_from_the_room() -> None:
    """All else is private, and the rooms above import it from its module.

    Which rooms are above stands in the layers of import-linter.
    """
    faults = []
    for module, tree in sources().items():
        for name in imported(tree):
            room, private, rest = name.partition("._")
            is_outside = not f"{module.removesuffix('.__init__')}.".startswith(f"{room}.")
            if private and is_outside and rest.partition(".")[2] in exported(room):
                faults.append(f"{module} imports {name}: import it from {room}")
    assert faults == []


def test_only_one_module_imports_by_name() -> None:
    """ruff bans `import_module`, and cannot ban a built-in function."""
    importing = set()
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == "__import__":
                importing.add(module)
    assert importing == {"fdaa._support.exports"}


def test_only_one_module_shifts_and_masks() -> None:
    """`|` is left out: it also joins types, strategies and the flags of open(2).

    The modes of files in `atomic_files` are bits of the system's, not of an address.
    """
    shifting = set()
    for module, tree in sources().items():
        operators = [getattr(node, "op", None) for node in ast.walk(tree)]
        if any(isinstance(each, SHIFTS) for each in operators):
            shifting.add(module)
    assert shifting == {"fdaa._values.bits", "fdaa._support.atomic_files"}


_NAMES = "|".join(name for names in COMMANDS.values() for name in names)
# An option, or a command, wherever it stands in a text.
SPEAKING = re.compile(rf"(?<![\w-])--[a-z]|\bfdaa (?:{_NAMES})\b")


@pytest.mark.parametrize("room", ["explain", "lines", "probe", "networks"])
def test_only_the_command_speaks_the_language_of_the_command(room: str) -> None:
    """A room returns steps and missing documents as data, without options and names of commands.

    Docstrings may name the command that prints what they describe.
    """
    faults = []
    for module, tree in sources().items():
        if not f"{module}.".startswith(f"fdaa.{room}."):
            continue
        docstrings = set(map(docstring_of, ast.walk(tree)))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or node in docstrings:
                continue
            if isinstance(node.value, str) and SPEAKING.search(node.value) is not None:
                faults.append(f"{module}, line {node.lineno}: {node.value!r}")
    assert faults == []


# --- what is loaded -------------------------------------------------------------------------------


def loaded_by(statement: str) -> set[str]:
    code = f"import os, sys; sys.path[:0] = {sys.path!r}; before = {{*sys.modules}}"
    code += f"; {statement}; print(*{{*sys.modules}} - before)"
    command = [sys.executable, "-I", "-S", "-c", code]
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())


def test_the_core_loads_no_more_than_reading_addresses_with_the_standard_library() -> None:
    outside = {name for name in loaded_by("import fdaa") if not name.startswith("fdaa")}
    assert outside <= loaded_by("import __future__, ipaddress, socket, struct")
