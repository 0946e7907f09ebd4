"""Without its extra, a package says what to install; the commands say it too, see `platform/`."""

from __future__ import annotations

import subprocess
import sys

import pytest

PANDAS = ("fdaa.columns.pandas", "pandas", "needs pandas: pip install pandas (")

IMPORTS = (
    # module, a package that it needs, a part of the message
    ("fdaa.platform", "httpx2", "in a checkout: pip install -e '.[platform]'"),
    ("fdaa.sqlalchemy", "sqlalchemy", "needs the extra `sqlalchemy` ("),
    ("fdaa.columns.arrow", "pyarrow", "needs the extra `arrow` ("),
    ("fdaa.strategies", "hypothesis", "needs hypothesis: pip install hypothesis ("),
    pytest.param(*PANDAS, marks=pytest.mark.engines),
)


@pytest.mark.parametrize(("module", "missing", "advice"), IMPORTS)
def test_an_import_says_what_to_install(module: str, missing: str, advice: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    command = [sys.executable, "-c", code]
    stderr = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    last = stderr.splitlines()[-1]
    assert last.startswith(f"ModuleNotFoundError: {module} needs")
    assert advice in last
    assert missing in last
