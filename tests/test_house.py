"""House rules that no linter knows: entrances of packages, lists that must be complete.

Who imports whom stands in the contracts of import-linter, and calls that are not wanted in the
rules of ruff, both in pyproject.toml.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

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


def test_a_room_is_entered_by_its_face() -> None:
    """A private module is imported by the modules of its own package, those of `fdaa` by all.

    import-linter's protected modules are a list of names, which nobody would keep complete.
    """
    faults = []
    for module, tree in sources().items():
        room = module.removesuffix(".__init__")
        for name in imported(tree):
            owner, private, _ = name.partition("._")
            is_ours = owner.partition(".")[0] == "fdaa"
            if private and is_ours and not f"{room}.".startswith(f"{owner}."):
                faults.append(f"{module} imports {name}: import it from {owner}")
    assert faults == []


def test_only_one_module_imports_by_name() -> None:
    """ruff bans `import_module`, and cannot ban a built-in function."""
    importing = set()
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == "__import__":
                importing.add(module)
    assert importing == {"fdaa._exports"}


def test_only_one_module_shifts_and_masks() -> None:
    """`|` is left out: it also joins types, strategies and the flags of open(2).

    The modes of files in `_files` are bits of the system's, not of an address.
    """
    shifting = set()
    for module, tree in sources().items():
        operators = [getattr(node, "op", None) for node in ast.walk(tree)]
        if any(isinstance(each, SHIFTS) for each in operators):
            shifting.add(module)
    assert shifting == {"fdaa._bits", "fdaa._files"}


# --- what is loaded -------------------------------------------------------------------------------


def loaded_by(statement: str) -> set[str]:
    code = f"import os, sys; sys.path[:0] = {sys.path!r}; before = {{*sys.modules}}"
    code += f"; {statement}; print(*{{*sys.modules}} - before)"
    command = [sys.executable, "-I", "-S", "-c", code]
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())


def test_the_core_loads_no_more_than_reading_addresses_with_the_standard_library() -> None:
    outside = {name for name in loaded_by("import fdaa") if not name.startswith("fdaa")}
    assert outside <= loaded_by("import __future__, ipaddress, socket, struct")
