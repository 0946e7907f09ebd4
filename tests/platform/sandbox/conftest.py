"""A sandbox for tests that need none of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared
