"""The engines of Python, for the tests that need them."""

from __future__ import annotations

import os
from typing import Any

import pytest

# Spark spends most of its time on compilation here: the first compiler alone halves it.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


@pytest.fixture
def pa() -> Any:
    return pytest.importorskip("pyarrow")


@pytest.fixture
def arrow() -> Any:
    pytest.importorskip("pyarrow")
    from fdaa.columns import arrow

    return arrow


@pytest.fixture
def pl() -> Any:
    polars = pytest.importorskip("polars")
    import fdaa.columns.polars  # noqa: F401 (it adds the namespace)

    return polars


@pytest.fixture
def pd() -> Any:
    pandas = pytest.importorskip("pandas")
    import fdaa.columns.pandas  # noqa: F401 (it adds the accessor)

    return pandas
