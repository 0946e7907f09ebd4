"""What users see of the packages: each promised name once, documented, with examples that run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import typing
from pathlib import Path
from typing import Any, Literal, get_origin

import netaddr
import pytest

import fdaa

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "api" / "index.md").read_text("utf-8")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "fdaa").rglob("*.py"))
}
NAMESPACES = ("fdaa.columns.polars", "fdaa.columns.pandas")
WITH_ENGINES = ("arrow", "duckdb", "pandas", "polars", "spark")
PROVISIONAL = (
    "Provisional: a minor release may change it (docs/api/index.md lists what is promised)."
)


def faces() -> dict[str, list[str]]:
    """Return `__all__` of each public module, which is not imported: engines may be missing."""
    found = {}
    for name, path in MODULES.items():
        if "._" in name or name.startswith("fdaa.cli"):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                found[name] = ast.literal_eval(node.value)
    return found


FACES = faces()


def with_marks(names: typing.Iterable[str]) -> list[Any]:
    """Mark the modules that stand on a package which only the extra `engines` brings."""
    marked = []
    for name in names:
        is_engine = name.startswith("fdaa.columns.") and name.rpartition(".")[2] in WITH_ENGINES
        marked.append(pytest.param(name, marks=[pytest.mark.engines] * is_engine, id=name))
    return marked


def is_promised(face: str) -> bool:
    if face in NAMESPACES:  # users call the methods of `.fdaa`, and never name its class
        return False
    docstring = ast.get_docstring(ast.parse(MODULES[face].read_text("utf-8"))) or ""
    return docstring.split("\n")[2:3] != [PROVISIONAL]


def test_the_page_of_promises_lists_each_promised_name_and_no_other() -> None:
    rows = re.findall(
        r"^- \W*(fdaa[\w.]*)`[],].*?: (.*?)(?=\n- |\n\n)",
        PAGE.partition("## Provisional")[0],
        re.MULTILINE | re.DOTALL,
    )
    listed = {room: set(re.findall(r"`(\w+)`", names)) for room, names in rows}
    promised = {face: set(names) for face, names in FACES.items() if is_promised(face)}
    assert listed == promised
    for face in FACES.keys() - promised.keys():
        assert f"`{face}`" in PAGE


@pytest.mark.parametrize("face", with_marks(FACES))
def test_an_export_is_documented_and_shows_the_room_that_it_is_public_in(face: str) -> None:
    """Its annotations are objects, as Pydantic and cattrs read them."""
    module = importlib.import_module(face)
    for name in FACES[face]:
        exported = getattr(module, name)
        if get_origin(exported) is not Literal:  # which can have none
            assert inspect.getdoc(exported), name
        if not (inspect.isclass(exported) or inspect.isfunction(exported)):
            continue
        assert (exported.__module__, exported.__qualname__) == (face, name)
        if face != "fdaa.sqlalchemy":  # those of SQLAlchemy's own classes cannot be evaluated
            typing.get_type_hints(exported, localns={"netaddr": netaddr})


def test_a_room_is_an_attribute_of_the_package() -> None:
    assert {name.removeprefix("fdaa.") for name in FACES if name.count(".") == 1} <= set(dir(fdaa))
    room = fdaa.__getattr__("scan")  # as on the first use of fdaa.scan
    assert room.find_addresses.__module__ == "fdaa.scan"
    with pytest.raises(AttributeError, match=r"^module 'fdaa' has no attribute 'nosuch'$"):
        _ = fdaa.nosuch  # type: ignore[attr-defined]


WITH_EXAMPLES = [name for name, path in MODULES.items() if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("name", with_marks(WITH_EXAMPLES))
def test_the_examples_in_the_docstrings_of_a_module_run(name: str) -> None:
    names = vars(importlib.import_module(name))
    source = MODULES[name].read_text("utf-8")
    runner = doctest.DocTestRunner(verbose=False)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            docstring = ast.get_docstring(node) or ""
            place = f"{name}.{getattr(node, 'name', '')}"
            runner.run(doctest.DocTestParser().get_doctest(docstring, {**names}, place, None, 0))
    failed, attempted = runner.summarize(verbose=False)
    assert (failed, attempted) == (0, len(re.findall(r"^ *>>> ", source, re.MULTILINE)))
