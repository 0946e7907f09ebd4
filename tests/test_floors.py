"""The house has floors: each file imports from lower ones only, and one file shifts and masks.

Read from the source, so that an import inside a function or for a type checker counts too.
"""

from __future__ import annotations

import ast
import graphlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the ground up. A new file gets its place here.
FLOORS = (
    ("fdaa.errors", "fdaa.layout", "fdaa.scratch", "fdaa.version"),
    ("fdaa.text", "fdaa.strict_json"),
    ("fdaa.parts",),
    ("fdaa.network_name",),
    ("fdaa.address",),
    ("fdaa.pseudonym", "fdaa.scan", "fdaa.scan_input"),
    ("fdaa.scan_verdicts",),
    ("fdaa.scan_output",),
    ("fdaa.scan_count",),
    ("fdaa.scan_jobs",),
    ("fdaa.membership", "fdaa.evidence", "fdaa.book_format", "fdaa.collector"),
    ("fdaa.records", "fdaa.book"),
    ("fdaa.columns", "fdaa.sightings"),
    ("fdaa.documents", "fdaa.networks"),
    ("fdaa.serving", "fdaa.reach", "fdaa.pictures"),
    ("fdaa",),  # the public face, fdaa/__init__.py
    ("fdaa.strategies",),
    ("fdaa.hypothesis_plugin",),
    ("fdaa.cli", "fdaa.cli.*"),  # each other too, but not in a circle
    ("fdaa.__main__",),
)

# Who may import what is not in Python itself.
OUTSIDE = {
    "click": ("fdaa.cli", "fdaa.cli.*"),
    "netaddr": ("fdaa.address", "fdaa.cli.*"),
    "hypothesis": ("fdaa.strategies", "fdaa.hypothesis_plugin"),
}

# Who imports what is for Hypothesis: its entry point the strategies, and that nobody in here.
FOR_HYPOTHESIS = {"fdaa.strategies": ["fdaa.hypothesis_plugin"], "fdaa.hypothesis_plugin": []}

SHIFTS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert)
SHIFTING = "fdaa.layout"
# Where an operator stands between other things than numbers.
OTHER_OPERANDS = {
    "fdaa.strategies": ast.BitOr,  # "a | b" is a strategy for either
    "fdaa.book": ast.BitOr,  # flags of open(2)
}


# --- what the source says -------------------------------------------------------------------------


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted((ROOT / "fdaa").rglob("*.py"))}
TREES = {module: ast.parse(path.read_text("utf-8")) for module, path in MODULES.items()}


def package_of(module: str) -> str:
    is_package = MODULES[module].name == "__init__.py"
    return module if is_package else module.rpartition(".")[0]


def imports_of(tree: ast.AST, package: str) -> set[str]:
    """Return the modules that a source imports, wherever in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= names & set(MODULES)
            if not names <= set(MODULES):
                found.add(base)
    return found


def is_one_of(module: str, patterns: tuple[str, ...]) -> bool:
    return any(
        module.startswith(pattern[:-1]) if pattern.endswith("*") else module == pattern
        for pattern in patterns
    )


def floor_of(module: str) -> int:
    return next(i for i, patterns in enumerate(FLOORS) if is_one_of(module, patterns))


IMPORTS = {module: imports_of(tree, package_of(module)) for module, tree in TREES.items()}
INSIDE = {module: {name for name in IMPORTS[module] if name in MODULES} for module in MODULES}

each_module = pytest.mark.parametrize("module", MODULES)


# --- the rules ------------------------------------------------------------------------------------


@each_module
def test_a_file_stands_on_one_floor(module: str) -> None:
    assert sum(is_one_of(module, patterns) for patterns in FLOORS) == 1


def test_no_floor_names_a_file_that_is_not_there() -> None:
    for pattern in (pattern for patterns in FLOORS for pattern in patterns):
        assert any(is_one_of(module, (pattern,)) for module in MODULES), pattern


@each_module
def test_a_file_imports_from_lower_floors_only(module: str) -> None:
    command = FLOORS[floor_of("fdaa.cli")]
    wrong = {
        name
        for name in INSIDE[module]
        if not floor_of(name) < floor_of(module)
        and not (is_one_of(module, command) and is_one_of(name, command))
    }
    assert wrong == set()


@each_module
def test_every_import_from_fdaa_is_of_a_file_that_is_there(module: str) -> None:
    """`from fdaa import layout` is one of fdaa/layout.py; of anything else, one of the face."""
    ours = {name for name in IMPORTS[module] if name.partition(".")[0] == "fdaa"}
    assert ours == INSIDE[module]


def test_no_imports_go_in_a_circle() -> None:
    order = list(graphlib.TopologicalSorter(INSIDE).static_order())
    assert order.index("fdaa.errors") < order.index("fdaa.address") < order.index("fdaa")


@pytest.mark.parametrize("file", FOR_HYPOTHESIS)
def test_the_strategies_are_imported_by_nothing_else(file: str) -> None:
    assert [module for module, names in INSIDE.items() if file in names] == FOR_HYPOTHESIS[file]


@each_module
def test_other_packages_are_imported_where_they_belong(module: str) -> None:
    packages = {name.partition(".")[0] for name in IMPORTS[module]} - {"fdaa"}
    for package in packages - sys.stdlib_module_names:
        assert is_one_of(module, OUTSIDE.get(package, ())), package


@each_module
def test_no_import_is_hidden(module: str) -> None:
    """What is imported by a call could not be read here."""
    called = {
        getattr(node.func, "id", getattr(node.func, "attr", None))
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call)
    }
    assert called.isdisjoint({"__import__", "import_module", "exec", "eval"})


@each_module
def test_only_the_layout_shifts_and_masks(module: str) -> None:
    lines = shifts_of(TREES[module], OTHER_OPERANDS.get(module))
    assert bool(lines) == (module == SHIFTING), lines


def shifts_of(tree: ast.AST, allowed: type[ast.operator] | None = None) -> list[int]:
    """Return the lines that shift or mask; `|` between types is neither."""
    types = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            types |= set(ast.walk(node.annotation))
            if getattr(node.annotation, "id", "") == "TypeAlias":
                types |= set(ast.walk(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            types |= set(ast.walk(node.returns))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "isinstance",
            "issubclass",
        ):
            types |= set(ast.walk(node.args[1]))
    return [
        node.lineno
        for node in ast.walk(tree)
        if node not in types
        and isinstance(getattr(node, "op", None), SHIFTS)
        and not (allowed is not None and isinstance(node.op, allowed))
    ]


# --- what reads the source, reads it --------------------------------------------------------------

SOURCES = (
    # source in fdaa/cli/same.py, what it imports, why
    ("import click", {"click"}, "a package"),
    ("import fdaa.text as t, json", {"fdaa.text", "json"}, "two, one renamed"),
    ("from fdaa import Address", {"fdaa"}, "a name of the face"),
    ("from fdaa import layout", {"fdaa.layout"}, "a module"),
    ("from fdaa import Address, layout", {"fdaa", "fdaa.layout"}, "both"),
    ("from fdaa.text import pack", {"fdaa.text"}, "a name of a module"),
    ("from . import decode", {"fdaa.cli.decode"}, "a module beside it"),
    ("from .decode import x", {"fdaa.cli.decode"}, "a name of a module beside it"),
    ("from ..text import pack", {"fdaa.text"}, "a name of a module above it"),
    ("def f():\n    import json", {"json"}, "in a function"),
    ("if TYPE_CHECKING:\n    from fdaa.text import pack", {"fdaa.text"}, "for a type checker"),
    ("try:\n    import _socket\nexcept ImportError:\n    pass", {"_socket"}, "if it is there"),
)


@pytest.mark.parametrize(("source", "found", "why"), SOURCES, ids=[row[2] for row in SOURCES])
def test_imports_are_found(source: str, found: set[str], why: str) -> None:
    assert imports_of(ast.parse(source), "fdaa.cli") == found, why


SHIFTED = (
    # source, does it shift or mask?
    ("x << 1", True),
    ("x >> 1", True),
    ("x & 1", True),
    ("x | 1", True),
    ("x ^ 1", True),
    ("~x", True),
    ("x <<= 1", True),
    ("x |= 1", True),
    ("f(x & 1)", True),
    ("def f(a: int | str, *b: int | None) -> int | None: pass", False),
    ("a: int | None = None", False),
    ("a: int = 1 | 2", True),
    ("a: TypeAlias = int | str", False),
    ("isinstance(a, int | str)", False),
    ("isinstance(a | b, int)", True),
    ("x * 2 + 1", False),
)


@pytest.mark.parametrize(("source", "shifts"), SHIFTED)
def test_shifts_and_masks_are_found(source: str, shifts: bool) -> None:
    assert bool(shifts_of(ast.parse(source))) == shifts


def test_what_is_allowed_is_not_found() -> None:
    assert shifts_of(ast.parse("a | b"), ast.BitOr) == []
    assert shifts_of(ast.parse("a | b << 1"), ast.BitOr) == [1]
