"""Without its extra, a package says what to install; the commands say it too, see `platform/`."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# The statement that fails, a package that it needs, the extra that brings that.
IMPORTS = (
    ("import fdaa.platform", "httpx2", "platform"),
    ("import fdaa.platform", "jwt", "platform"),
    ("from fdaa.platform import sandbox", "starlette", "sandbox"),
    ("import fdaa.sqlalchemy", "sqlalchemy", "sqlalchemy"),
    ("import fdaa.columns.arrow", "pyarrow", "arrow"),
    ("import fdaa.columns.polars", "polars", "polars"),
)
# The statement that fails, and a package that it needs, which no extra brings.
PACKAGES = (
    ("import fdaa.columns.pandas", "pandas"),
    ("import fdaa.columns.duckdb", "duckdb"),
    ("import fdaa.columns.duckdb", "numpy"),
    ("import fdaa.columns.spark", "pyspark"),
)
FIXTURE = """
pytest_plugins = ["fdaa.pytest_plugin"]
def test_it(fdaa_sandbox): pass
"""


def python(
    code: str, missing: str, *arguments: str, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that has no package of this name."""
    command = [sys.executable, "-c", f"import sys; sys.modules[{missing!r}] = None; {code}"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize(("statement", "missing", "extra"), IMPORTS)
def test_an_import_says_which_extra_to_install(statement: str, missing: str, extra: str) -> None:
    stderr = python(statement, missing).stderr
    last = stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: fdaa.")
    assert f"needs the extra `{extra}` (" in last
    assert f"in a checkout: pip install -e '.[{extra}]'" in last
    assert "pip install 'fdaa" not in last  # no release is promised under this name
    assert missing in last
    assert "The above exception was the direct cause" in stderr


@pytest.mark.engines
@pytest.mark.parametrize(("statement", "missing"), PACKAGES)
def test_an_import_says_which_package_to_install(statement: str, missing: str) -> None:
    last = python(statement, missing).stderr.splitlines()[-1]
    room = statement.removeprefix("import ")
    assert last.startswith(f"ModuleNotFoundError: {room} needs {missing}: pip install {missing} (")


@pytest.mark.engines
def test_an_earlier_spark_is_told_by_its_version() -> None:
    """Spark 4.0 has no functions over Arrow."""
    code = "import pyspark.sql.functions as f; del f.arrow_udf; import fdaa.columns.spark"
    last = python(code, "no_package").stderr.splitlines()[-1]
    assert last.startswith("ImportError: fdaa.columns.spark needs Spark 4.1 or later")


def test_without_any_extra_the_one_of_the_sandbox_is_named_too() -> None:
    last = python("import fdaa.platform.sandbox", "httpx2").stderr.splitlines()[-1]
    assert "fdaa.platform needs the extra `platform`" in last


def test_the_strategies_say_what_to_install() -> None:
    last = python("import fdaa.strategies", "hypothesis").stderr.splitlines()[-1]
    assert "fdaa.strategies needs hypothesis: pip install hypothesis (" in last


@pytest.mark.slow
def test_the_fixture_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(FIXTURE)
    code = "import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_it.py']))"
    found = python(code, "starlette", cwd=str(tmp_path))
    assert found.returncode == 1
    assert "the fixture fdaa_sandbox needs the extra `sandbox` (" in found.stdout
