"""The engines of Python, for the tests that need them."""

from __future__ import annotations

from typing import Any

import pytest
from sql_servers import need


@pytest.fixture
def pa() -> Any:
    need("pyarrow")
    import pyarrow

    return pyarrow


@pytest.fixture
def arrow() -> Any:
    need("pyarrow")
    from fdaa.columns import arrow

    return arrow


@pytest.fixture
def pl() -> Any:
    need("polars")
    import polars

    import fdaa.columns.polars  # noqa: F401 (it adds the namespace)

    return polars


@pytest.fixture
def pd() -> Any:
    need("pandas")
    import pandas

    import fdaa.columns.pandas  # noqa: F401 (it adds the accessor)

    return pandas
