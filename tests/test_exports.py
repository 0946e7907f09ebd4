"""The public face: what is documented is what there is, and it costs no more than it must."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fdaa
from fdaa import errors

PACKAGE = Path(fdaa.__file__).parent

FACE = {
    "Address": "the 128 bits",
    "NetworkID": "the 32 bits",
    "NetworkName": "the validated name",
    "DEFAULT_NETWORK": "the name that every organization has",
    "extract_network_id": "text to int, the hot path",
    "same_network": "are these on one network?",
    "own_address": "which network am I on?",
    "find_addresses": "the addresses in a text",
    "Match": "one of them, and where",
    "reach": "can this reach that?",
    "Verdict": "the answer, with its reasons",
    "FdaaError": "every error",
    "AddressError": "no address",
    "PrefixError": "a good IPv6 address, but outside fdaa::/16",
    "NetworkIDError": "no network ID",
    "NetworkNameError": "no network name",
    "DocumentError": "no usable document",
    "BookError": "no usable book",
    "BookConflictError": "a fact that contradicts the book",
}

LATE = {"find_addresses", "Match"}  # imported when first asked for, as they need `re`


def test_the_face_is_what_is_documented() -> None:
    assert sorted(fdaa.__all__) == sorted(FACE)
    assert len(fdaa.__all__) == len(set(fdaa.__all__))


def test_the_package_shows_nothing_but_the_face_and_its_modules() -> None:
    public = {name for name in vars(fdaa) if not name.startswith("_")} - {"TYPE_CHECKING"}
    modules = {name for name in public if inspect.ismodule(getattr(fdaa, name))}
    assert public - modules == set(FACE) - LATE
    assert modules <= {path.stem for path in PACKAGE.glob("*")}


@pytest.mark.parametrize("name", FACE)
def test_an_export_has_a_docstring_with_an_example(name: str) -> None:
    """An error's example is the one of the class above it."""
    export = getattr(fdaa, name)
    assert inspect.getdoc(export)
    types = inspect.getmro(export) if inspect.isclass(export) else (export,)
    assert any(">>> " in (type_.__doc__ or "") for type_ in types if type_ is not Exception)


@pytest.mark.parametrize("name", FACE)
def test_an_export_calls_itself_what_users_call_it(name: str) -> None:
    export = getattr(fdaa, name)
    if inspect.isclass(export):
        assert (export.__module__, export.__qualname__) == ("fdaa", name)


PUBLIC_METHODS = [
    (type_, name)
    for type_ in (fdaa.Address, fdaa.NetworkID, fdaa.NetworkName)
    for name in vars(type_)
    if not name.startswith("_")
]


@pytest.mark.parametrize(("type_", "name"), PUBLIC_METHODS)
def test_a_public_method_has_a_docstring(type_: type, name: str) -> None:
    assert inspect.getdoc(getattr(type_, name))


# --- the tree of errors ---------------------------------------------------------------------------


def test_the_tree_of_errors_is_the_one_that_is_drawn() -> None:
    drawn = re.findall(r"^    ([ │├└─]*)(\w+)", errors.__doc__, re.MULTILINE)
    above: list[str] = []  # the classes over the one that is read, by depth
    for branch, name in drawn:
        depth = len(branch) // 4
        if depth:
            assert [base.__name__ for base in getattr(fdaa, name).__bases__] == [above[depth - 1]]
        above[depth:] = [name]
    assert drawn[0] == ("", "ValueError")
    assert {name for _, name in drawn[1:]} == {type_.__name__ for type_ in tree(fdaa.FdaaError)}


def tree(type_: type) -> list[type]:
    return [type_, *(below for sub in type_.__subclasses__() for below in tree(sub))]


# --- what `import fdaa` costs ---------------------------------------------------------------------

NOT_LOADED = ("click", "hypothesis", "ipaddress", "json", "netaddr", "re", "socket", "typing")


def test_import_fdaa_loads_nothing_heavy() -> None:
    script = """if True:
        import sys
        sys.path.insert(0, sys.argv[1])
        before = set(sys.modules)
        import fdaa
        print(*sorted(before), "", *sorted(sys.modules), sep="\\n")
    """
    # Without the site module: what it loads would hide what fdaa loads.
    command = [sys.executable, "-I", "-S", "-c", script, str(PACKAGE.parent)]
    before, after = subprocess.check_output(command, text=True).split("\n\n")
    assert set(NOT_LOADED).isdisjoint(before.split())
    assert set(NOT_LOADED).isdisjoint(after.split())
    assert "fdaa.address" in after.split()


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


# --- the examples in docstrings -------------------------------------------------------------------

MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def examples_of(name: str) -> list[doctest.DocTest]:
    """Return all examples of a module.

    Doctest's own search leaves out the classes, because they call themselves fdaa.Address where
    they stand in fdaa.address.
    """
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = [
        node.name
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]
    found = doctest.DocTestFinder(recurse=False).find(module, name)
    for each in names:
        found += finder.find(
            getattr(module, each), f"{name}.{each}", module=False, globs=vars(module).copy()
        )
    return [test for test in found if test.examples]


def needs(name: str) -> list[pytest.MarkDecorator]:
    """Two modules stand on packages that only the extra `engines` brings."""
    return [pytest.mark.engines] * (name in ("fdaa.columns.arrow", "fdaa.columns.polars"))


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in MODULES])
def test_the_examples_of_a_module_run(name: str) -> None:
    examples = examples_of(name)
    source = inspect.getsource(importlib.import_module(name))
    written = len(re.findall(r"^ *>>> ", source, re.MULTILINE))
    assert sum(len(test.examples) for test in examples) == written
    runner = doctest.DocTestRunner(verbose=False)
    for test in examples:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_there_are_examples() -> None:
    assert {"fdaa", "fdaa.address", "fdaa._text", "fdaa.strategies"} <= set(MODULES)
