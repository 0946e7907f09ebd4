"""What import-linter cannot say of the house: who uses other packages, who shifts bits, what loads.

The direction of imports stands in the contracts of pyproject.toml.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted((ROOT / "fdaa").rglob("*.py"))
}
SHIFTS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitXor, ast.Invert)

# Package from outside -> the modules that may import it.
OUTSIDE = {
    "click": ("fdaa.cli.",),
    "anyio": ("fdaa.platform.",),
    "httpcore2": ("fdaa.platform.",),
    "httpx2": ("fdaa.platform.",),
    "netaddr": ("fdaa.address",),
    "hypothesis": ("fdaa.strategies", "fdaa._hypothesis"),
    "pytest": ("fdaa._pytest",),
    "starlette": ("fdaa.platform.sandbox.",),
    "uvicorn": ("fdaa.platform.sandbox.",),
    "jwt": ("fdaa.platform.",),
    "cryptography": ("fdaa.platform.",),
    "duckdb": ("fdaa.columns.duckdb",),
    "pandas": ("fdaa.columns.pandas",),
    "polars": ("fdaa.columns.polars",),
    "pyarrow": ("fdaa.columns._arrow", "fdaa.columns.spark", "fdaa.cli._tables"),
    "pyspark": ("fdaa.columns.spark",),
    "sqlalchemy": ("fdaa.sqlalchemy",),
    "pydantic_core": ("fdaa._pydantic",),
}

each_module = pytest.mark.parametrize("module", SOURCES)


def imported(tree: ast.AST) -> set[str]:
    """Return the names of the modules that a source imports, wherever in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@each_module
def test_other_packages_are_imported_only_where_they_belong(module: str) -> None:
    packages = {name.partition(".")[0] for name in imported(SOURCES[module])}
    for package in packages - sys.stdlib_module_names - {"fdaa"}:
        assert module.startswith(OUTSIDE.get(package, ())), package


@each_module
def test_a_room_is_entered_by_its_face(module: str) -> None:
    """A private module is imported by the modules of its own package, those of `fdaa` by all.

    import-linter's protected modules are a list of names, which nobody would keep complete.
    """
    room = module.removesuffix(".__init__")
    for name in imported(SOURCES[module]):
        owner, private, _ = name.partition("._")
        if private and owner.startswith("fdaa"):
            assert f"{room}.".startswith(f"{owner}."), name


@each_module
def test_imports_are_statements(module: str) -> None:
    """A module that is imported by a call is seen by no linter; the table of commands may."""
    calls = [node.func for node in ast.walk(SOURCES[module]) if isinstance(node, ast.Call)]
    functions = {getattr(func, "id", None) for func in calls}
    methods = {getattr(func, "attr", None) for func in calls}  # `eval` of a list of Polars is one
    hidden = functions & {"__import__", "import_module", "exec", "eval"}
    hidden |= methods & {"__import__", "import_module"}
    assert not hidden or module in ("fdaa.cli._group", "fdaa._lazy")


@each_module
def test_only_one_module_shifts_and_masks(module: str) -> None:
    """`|` is left out: it also joins types, strategies and the flags of open(2).

    The modes of files in `_files` are bits of the system's, not of an address.
    """
    operators = [getattr(node, "op", None) for node in ast.walk(SOURCES[module])]
    assert any(isinstance(each, SHIFTS) for each in operators) == (
        module in ("fdaa._bits", "fdaa._files")
    )


def docstring_lines(tree: ast.Module) -> int:
    """Return how many lines the docstrings of a file take."""
    lines = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring is not None:
                lines += docstring.count("\n") + 1
    return lines


@pytest.mark.parametrize("room", ["fdaa", "tests", "benchmarks", "docs", ".ci"])
def test_functions_and_files_are_short(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        assert source.count("\n") - docstring_lines(tree) <= 400, path
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                docstring = ast.get_docstring(node, clean=False) or ""
                length = (node.end_lineno or 0) - node.lineno - docstring.count("\n")
                assert length <= 40, f"{path}: {node.name}"


def loaded_by(module: str) -> set[str]:
    code = f"import os, sys; sys.path[:0] = {sys.path!r}; before = {{*sys.modules}}"
    code += f"; import {module}; print(*{{*sys.modules}} - before)"
    command = [sys.executable, "-I", "-S", "-c", code]
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())


def test_the_core_loads_nothing_heavy() -> None:
    outside = {name for name in loaded_by("fdaa") if not name.startswith("fdaa")}
    assert outside <= {"__future__", "_socket", "_struct", "struct"}


# Module -> what is slow to load, and only some of its users need.
LEFT_TO_SOME = {
    "fdaa.networks": "asyncio random subprocess tempfile pydantic_core",
    "fdaa.scan": "pydantic_core",
    "fdaa.cli.commands.scan": "multiprocessing concurrent.futures hashlib",
}


@pytest.mark.parametrize("module", LEFT_TO_SOME)
def test_what_only_some_users_need_is_loaded_for_them_alone(module: str) -> None:
    assert loaded_by(module).isdisjoint(LEFT_TO_SOME[module].split())
