"""What type checkers see: small programs of users, each with its error or none; and the guides'."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from frameworks_page import need_packages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

pytest.importorskip("mypy", reason="needs mypy, of the extra `dev`")


ROOT = Path(__file__).parent.parent


def errors_of(programs: Mapping[str, str], directory: Path, *options: str) -> dict[str, list[str]]:
    """Return the errors of `mypy --strict` for each program, as for a user of the package.

    A class of Django, which has no types, may be a base.
    """
    for name, program in programs.items():
        (directory / f"{name}.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--allow-subclassing-any", *options, "."]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    errors: dict[str, list[str]] = {name: [] for name in programs}
    for file, error in re.findall(r"^(\w+)\.py:\d+: error: (.*)$", done.stdout, re.MULTILINE):
        errors[file].append(error)
    return errors


# The error of a program, or "", and the program.
PROGRAMS = [
    # Values are final, and differ from text.
    ('Cannot inherit from final class "Address"', "class Mine(fdaa.Address): ..."),
    ('Cannot inherit from final class "Prefix"', "class Mine(fdaa.Prefix): ..."),
    ('Cannot inherit from final class "NetworkID"', "class Mine(fdaa.NetworkID): ..."),
    ("Non-overlapping equality check", "fdaa.Address('fdaa::3') == 'fdaa::3'"),
    ("", "fdaa.NetworkID('2:45b') == 132187"),
    ("", "text: str = fdaa.NetworkName('blue')"),
    ("incompatible type", "fdaa.Address(3)"),
    # An ID by its number.
    ("", "number: int = fdaa.extract_network_id('fdaa::3')"),
    ("", "number: int = fdaa.extract_network_id('fdaa::3', -1)"),
    ("", "number: int | None = fdaa.extract_network_id('fdaa::3', None)"),
    ('incompatible type "None"', "number: int = fdaa.extract_network_id('fdaa::3', None)"),
    (
        "Invalid index type",
        "names: dict[fdaa.NetworkID, str] = {}\nnames[fdaa.extract_network_id('fdaa::3')]",
    ),
    # Objects of other packages.
    ("", "import ipaddress as i\nfdaa.Address.from_ip(i.IPv6Address('fdaa::3'))"),
    ("", "import ipaddress as i\nfdaa.Address.from_ip(i.IPv6Interface('fdaa::3/64'))"),
    ("incompatible type", "fdaa.Address.from_ip('fdaa::3')"),
    # What a match has.
    (
        "",
        "from fdaa.scan import find_addresses\n"
        "found = list(find_addresses('fdaa::3'))\n"
        "fdaa.same_network(found[0].value, found[0].value, 'fdaa::3')",
    ),
    # Columns.
    ("Literal['duckbd']", "fdaa.columns.sql('duckbd')"),
    ("", "fdaa.columns.sql('duckdb')"),
    ("", "for dialect in fdaa.columns.DIALECTS:\n    fdaa.columns.sql(dialect)"),
    (
        "",
        "from fdaa.columns import Dialect, Operation, inline_sql\n"
        "def sql_of(dialect: Dialect, operation: Operation) -> str:\n"
        "    return inline_sql(dialect, 'ip', operation)",
    ),
    ("", "fdaa.columns.inline_sql('duckdb', 'ip', 'key')"),
    ("Literal['kye']", "fdaa.columns.inline_sql('duckdb', 'ip', 'kye')"),
    # A claim and the ID of an app, which a list may not have.
    (
        "",
        "from fdaa.platform import PlatformApp, Verifier\n"
        "def verifier(app: PlatformApp) -> Verifier:\n"
        "    return Verifier(issuer='https://i', aud='a', bound={'app_id': app.id})",
    ),
    # What an end is.
    (
        "",
        "from fdaa.networks import End, end_text, parse_end\n"
        "def text_of(end: End) -> str:\n    return end_text(end)\n"
        "text_of(parse_end('web:80'))",
    ),
]


@pytest.mark.slow
def test_a_type_checker_finds_the_errors_of_users_and_no_others(tmp_path: Path) -> None:
    programs = {}
    for number, (_, program) in enumerate(PROGRAMS):
        programs[f"program_{number}"] = f"import fdaa\nimport fdaa.columns\n{program}\n"
    errors = errors_of(programs, tmp_path)
    for (expected, program), found in zip(PROGRAMS, errors.values(), strict=True):
        if expected:
            assert expected in " ".join(found), program
        else:
            assert found == [], program


# What users have in pandas and pyarrow, whose types are packages of their own.
WITH_STUBS = {
    "of_arrow": """
import pyarrow as pa
from fdaa.columns import arrow

column = pa.array(["fdaa::3"])
ids: pa.Array[pa.UInt32Scalar] | pa.ChunkedArray[pa.UInt32Scalar] = arrow.network_id_ints(column)
number: int = arrow.network_ids(column).null_count
wrong: int = arrow.find(column)
""",
    "of_pandas": """
import pandas as pd
from fdaa.columns.pandas import FdaaAccessor

series = pd.Series(["fdaa::3"])
accessor: FdaaAccessor = FdaaAccessor(series)
ids: pd.Series[int] = accessor.network_id_int()
wrong: int = accessor.network_id()
""",
}


@pytest.mark.engines
def test_results_are_typed_for_those_who_have_the_types_of_arrow_and_pandas(tmp_path: Path) -> None:
    missing = {"pandas-stubs", "pyarrow-stubs"} - {each.name for each in distributions()}
    if missing:
        pytest.skip(f"needs {', '.join(missing)}, of the extra `engines`")
    for name, found in errors_of(WITH_STUBS, tmp_path).items():
        assert len(found) == 1, name
        assert 'variable has type "int"' in found[0]


# --- the programs of the guides -------------------------------------------------------------------

FRAMEWORKS = "frameworks.md"
# Series of pandas and expressions of Polars have `fdaa` here, which no type checker can see.
OF_ENGINES = ("columns.md",)


def programs_of(pages: Iterable[Path]) -> dict[str, str]:
    """Return the examples of each page as a program."""
    programs = {}
    for page in pages:
        examples = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
        if examples:
            name = f"page_{page.stem.replace('-', '_')}"
            programs[name] = "".join(example.source for example in examples)
    return programs


def check_pages(pages: Iterable[Path], directory: Path) -> None:
    """A page is one session, in which a name may get a value of another type."""
    programs = programs_of(pages)
    assert programs
    errors = errors_of(programs, directory, "--allow-redefinition")
    assert errors == {page: [] for page in programs}


@pytest.mark.slow
def test_the_examples_of_the_guides_are_strict(tmp_path: Path) -> None:
    apart = (FRAMEWORKS, *OF_ENGINES)
    check_pages([page for page in (ROOT / "docs").glob("*.md") if page.name not in apart], tmp_path)


@pytest.mark.engines
def test_the_examples_with_frameworks_are_strict(tmp_path: Path) -> None:
    need_packages()
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-django.*]\nignore_missing_imports = True\n")
    check_pages([ROOT / "docs" / FRAMEWORKS], tmp_path)
