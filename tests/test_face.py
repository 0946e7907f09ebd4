"""What users see of the packages: each name once, documented, with examples that run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
import typing
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin

import netaddr
import pydantic
import pytest

import fdaa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGE = Path(fdaa.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def public_modules() -> list[str]:
    """Return the modules with exports of which no part of the name starts with an underscore."""
    found = []
    for name, path in MODULES.items():
        is_public = "._" not in name and not name.startswith("fdaa.cli")
        if is_public and "\n__all__ = " in path.read_text("utf-8"):
            found.append(name)
    return found


WITH_ENGINES = [f"fdaa.columns.{name}" for name in ("arrow", "duckdb", "pandas", "polars", "spark")]
FACES = [name for name in public_modules() if name not in WITH_ENGINES]


ALL_FACES = [*FACES, *[pytest.param(name, marks=pytest.mark.engines) for name in WITH_ENGINES]]
PACKAGES = [name for name in FACES if MODULES[name].name == "__init__.py"]


def exports(face: str) -> list[tuple[str, Any]]:
    """Return the names of a module, and what they stand for."""
    module = importlib.import_module(face)
    return [(name, getattr(module, name)) for name in module.__all__]


@pytest.mark.parametrize("face", PACKAGES)
def test_dir_shows_what_there_is(face: str) -> None:
    package = importlib.import_module(face)
    shown = {name for name in dir(package) if not name.startswith("_")}
    modules = {name for name in shown if inspect.ismodule(getattr(package, name))}
    assert shown - modules == set(package.__all__)
    assert len(package.__all__) == len(set(package.__all__))


# Functions and classes that take more than one positional argument, and why.
BY_PLACE = {
    "fdaa.scan.Match": "one is made for each address in a text, which would take a seventh longer",
    **dict.fromkeys(
        (
            "fdaa.InputError",
            "fdaa.AddressError",
            "fdaa.OutsidePrefixError",
            "fdaa.PrefixError",
            "fdaa.NetworkIDError",
            "fdaa.NetworkNameError",
            "fdaa.networks.EndError",
        ),
        "an `__init__` with keywords would double the time that a refused text takes",
    ),
}


def takes_several_by_place(made: type) -> bool:
    """Return whether more than one argument of a constructor may stand by its place."""
    try:
        parameters = inspect.signature(made).parameters.values()
    except ValueError:  # an exception without `__init__`, which takes any number of them
        return issubclass(made, fdaa.InputError)
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    return len([each for each in parameters if each.kind not in by_name]) > 1


def test_a_record_or_an_error_takes_one_argument_by_its_place_at_most() -> None:
    """So a later version can add a field anywhere, and a call says what each value is."""
    several = set()
    records = 0
    for face in FACES:
        for name, value in exports(face):
            is_record = inspect.isclass(value) and (
                is_dataclass(value) or hasattr(value, "_fields") or issubclass(value, Exception)
            )
            records += is_record
            if is_record and takes_several_by_place(value):
                several.add(f"{face}.{name}")
    assert several == set(BY_PLACE)
    assert records > 80


def test_a_provisional_room_says_so_and_where_the_promise_is() -> None:
    said = "Provisional: a minor release may change it (docs/api/index.md has what is promised)."
    provisional = set()
    for face in FACES:
        docstring = ast.get_docstring(ast.parse(MODULES[face].read_text())) or ""
        if docstring.split("\n")[2:3] == [said]:
            provisional.add(face)
    assert provisional == {"fdaa.explain", "fdaa.lines", "fdaa.platform.sandbox", "fdaa.probe"}


def names_of(face: str) -> list[str]:
    """Return `__all__` of a module, which is not imported: engines are not always installed."""
    for node in ast.parse(MODULES[face].read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise LookupError(face)


# One name in several rooms, and why it is one thing, or in no program two.
IN_SEVERAL_ROOMS = {
    "register": "each engine that SQL runs in is given the operations in the same way",
    "addresses": "of a column, and of a strategy's draws; both modules are used by their names",
    "networkids": "the same",
}


def test_a_name_is_one_thing_in_all_rooms() -> None:
    """Nor do a record and a function differ only in case, as `Reach` and `reach` would."""
    places: dict[str, list[str]] = {}
    for face in public_modules():
        for name in names_of(face):
            if not name.isupper():  # a constant beside its rows: `SETTINGS` of `Setting`
                places.setdefault(name.lower().replace("_", ""), []).append(f"{face}.{name}")
    several = {name for name, found in places.items() if len(found) > 1}
    assert several == set(IN_SEVERAL_ROOMS)


def test_a_room_is_an_attribute_of_the_package() -> None:
    """`import fdaa` alone is enough, and imports none of them."""
    code = "import sys, fdaa; assert 'fdaa.scan' not in sys.modules"
    code += "; print(fdaa.scan.find_addresses.__name__, *dir(fdaa))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, *shown = done.stdout.split()
    assert first == "find_addresses"
    rooms = {name.removeprefix("fdaa.") for name in FACES if name.count(".") == 1}
    assert rooms <= set(shown)
    with pytest.raises(AttributeError, match=r"^module 'fdaa' has no attribute 'nosuch'$"):
        _ = fdaa.nosuch  # type: ignore[attr-defined]


def test_the_version_has_three_numbers() -> None:
    assert re.match(r"\d+\.\d+\.\d+", fdaa.__version__)


@pytest.mark.parametrize("face", ALL_FACES)
def test_an_export_has_a_docstring_and_shows_the_room_that_it_is_public_in(face: str) -> None:
    for name, exported in exports(face):
        if get_origin(exported) is not Literal:  # which can have none
            assert inspect.getdoc(exported), name
        assert f"{face}.{name}" not in MODULES
        if inspect.isclass(exported) or inspect.isfunction(exported):
            assert (exported.__module__, exported.__qualname__) == (face, name)


def documented(type_: type) -> Iterator[Callable[..., object]]:
    """Yield the functions behind what users call and read of a class."""
    for name, member in vars(type_).items():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        is_public = name in ("__init__", "__new__") or not name.startswith("_")
        if inspect.isfunction(function) and is_public:
            yield function


@pytest.mark.parametrize("face", ALL_FACES)
def test_type_hints_can_be_evaluated(face: str) -> None:
    """`netaddr` is given, as the method that makes its objects imports it."""
    functions: list[Callable[..., object]] = []
    for _, exported in exports(face):
        if inspect.isclass(exported):
            if face == "fdaa.sqlalchemy":  # those of SQLAlchemy's own classes cannot be evaluated
                inspect.get_annotations(exported, eval_str=True)
            else:
                typing.get_type_hints(exported)
            functions.extend(documented(exported))
        elif inspect.isfunction(exported):
            functions.append(exported)
    for function in functions:
        hints = typing.get_type_hints(function, localns={"netaddr": netaddr})
        assert "return" in hints or function.__name__ == "__new__", function  # of a NamedTuple
        assert not re.search(r"fdaa[.\w]*\._", str(hints)), function  # of a private module


NO_JSON = ("ReadResult", "Decoded", "Compared")  # they have errors, or the joined documents


@pytest.mark.parametrize("face", ALL_FACES)
def test_a_record_has_a_json_schema(face: str) -> None:
    for name, exported in exports(face):
        if name in NO_JSON:
            continue
        if is_dataclass(exported) or hasattr(exported, "_fields"):
            assert pydantic.TypeAdapter(exported).json_schema(mode="serialization"), name


# --- the examples in docstrings -------------------------------------------------------------------


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """Some modules stand on packages that only the extra `engines` brings."""
    return [pytest.mark.engines] * (name in WITH_ENGINES)


WITH_EXAMPLES = [
    pytest.param(name, path, marks=marks_of(name))
    for name, path in MODULES.items()
    if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize(("name", "path"), WITH_EXAMPLES)
def test_the_examples_of_a_module_run(name: str, path: Path) -> None:
    names = vars(importlib.import_module(name))
    source = path.read_text("utf-8")
    runner = doctest.DocTestRunner(verbose=False)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            docstring = ast.get_docstring(node) or ""
            place = f"{name}.{getattr(node, 'name', '')}"
            runner.run(doctest.DocTestParser().get_doctest(docstring, {**names}, place, None, 0))
    failed, attempted = runner.summarize(verbose=False)
    assert (failed, attempted) == (0, len(re.findall(r"^ *>>> ", source, re.MULTILINE)))
