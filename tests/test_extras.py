"""Without its extra, a package says what to install; the commands say it too, see `platform/`."""

from __future__ import annotations

import subprocess
import sys

import pytest

# The module, a package that it needs, and the extra that brings that; or none.
IMPORTS = (
    ("fdaa.platform", "httpx2", "platform"),
    ("fdaa.platform.sandbox", "starlette", "sandbox"),
    ("fdaa.sqlalchemy", "sqlalchemy", "sqlalchemy"),
    ("fdaa.columns.arrow", "pyarrow", "arrow"),
    ("fdaa.columns.polars", "polars", "polars"),
    ("fdaa.strategies", "hypothesis", ""),
    pytest.param("fdaa.columns.pandas", "pandas", "", marks=pytest.mark.engines),
    pytest.param("fdaa.columns.duckdb", "duckdb", "", marks=pytest.mark.engines),
)


@pytest.mark.parametrize(("module", "missing", "extra"), IMPORTS)
def test_an_import_says_what_to_install(module: str, missing: str, extra: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    command = [sys.executable, "-c", code]
    stderr = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    last = stderr.splitlines()[-1]
    if extra:
        assert last.startswith("ModuleNotFoundError: fdaa.")
        assert f"needs the extra `{extra}` (" in last
        assert f"in a checkout: pip install -e '.[{extra}]'" in last
        assert "pip install 'fdaa" not in last  # no release is promised under this name
    else:
        assert f"{module} needs {missing}: pip install {missing} (" in last
    assert missing in last
