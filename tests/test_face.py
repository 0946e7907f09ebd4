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
from typing import TYPE_CHECKING, Any

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
NOT_PROMISED = {"fdaa.platform.sandbox.remote", "fdaa.scan.engine"}  # the doors of the command


def public_modules() -> list[str]:
    """Return the modules with exports of which no part of the name starts with an underscore."""
    found = []
    for name, path in MODULES.items():
        is_public = "._" not in name and not name.startswith("fdaa.cli")
        if is_public and name not in NOT_PROMISED and "\n__all__ = " in path.read_text("utf-8"):
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


# The rows of two tables, which only the rooms themselves make.
ROWS_OF_TABLES = ["Setting", "Words"]


@pytest.mark.parametrize("face", ["fdaa.networks", "fdaa.lines", "fdaa.probe", "fdaa.explain"])
def test_a_record_takes_one_argument_by_its_place_at_most(face: str) -> None:
    """So a new field may stand anywhere, and a call says what each value is."""
    by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    several = []
    for name, value in exports(face):
        if inspect.isclass(value) and is_dataclass(value) and name not in ROWS_OF_TABLES:
            parameters = inspect.signature(value).parameters.values()
            if sum(parameter.kind is by_place for parameter in parameters) > 1:
                several.append(name)
    assert several == []


def test_a_provisional_room_says_so_and_where_the_promise_is() -> None:
    said = "Provisional: a minor release may change it (docs/api/index.md has what is promised)."
    provisional = set()
    for face in FACES:
        docstring = ast.get_docstring(ast.parse(MODULES[face].read_text())) or ""
        if docstring.split("\n")[2:3] == [said]:
            provisional.add(face)
    assert provisional == {"fdaa.explain", "fdaa.lines", "fdaa.platform.sandbox", "fdaa.probe"}


def test_a_name_is_one_thing_in_all_rooms() -> None:
    """A record does not have the name of another room's function, as `Probe` beside `probe`."""
    rooms_of: dict[str, list[str]] = {}
    for face in FACES:
        for name, _ in exports(face):
            is_constant = name.isupper()
            if not is_constant and not face.startswith("fdaa.columns"):  # one `register` an engine
                rooms_of.setdefault(name.lower(), []).append(face)
    several = {name: rooms for name, rooms in rooms_of.items() if len(rooms) > 1}
    # An app that an end names, and an app that the platform's service returns.
    assert several == {"app": ["fdaa.networks", "fdaa.platform"]}


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


NO_JSON = ("DocumentFile", "ReadDocuments")  # they have streams and errors


@pytest.mark.parametrize("face", ALL_FACES)
def test_a_record_has_a_json_schema(face: str) -> None:
    for name, exported in exports(face):
        if name in NO_JSON:
            continue
        if is_dataclass(exported) or hasattr(exported, "_fields"):
            assert pydantic.TypeAdapter(exported).json_schema(mode="serialization"), name


BY_NAME = ("fdaa.platform", "fdaa.platform.sandbox", "fdaa.scan")  # the rooms that hold this


@pytest.mark.parametrize("face", BY_NAME)
def test_a_record_takes_all_but_its_first_value_by_name(face: str) -> None:
    """So a later version can add a field, and a call says what each value is."""
    records: list[Any] = [exported for _, exported in exports(face) if is_dataclass(exported)]
    assert records
    for record in records:
        if record.__name__ == "Match":
            continue  # one is made for each address in a text, which would take a seventh longer
        parameters = list(inspect.signature(record).parameters.values())
        kinds = {parameter.kind for parameter in parameters[1:]}
        assert kinds <= {inspect.Parameter.KEYWORD_ONLY}, record


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
