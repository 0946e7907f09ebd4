"""The networks of tests/support/lab.py, built once for each process that runs tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lab import lab

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab import Lab


@pytest.fixture(scope="session")
def networks() -> Iterator[Lab]:
    with lab() as built:
        yield built
