"""Files in small parts, so that workers read many of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

# Private: a part has 4 MiB, and a test needs many parts that begin in many places.
from fdaa.scan import _workers as workers

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def cut_into(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the size of a part, in bytes."""

    def set_size(size: int) -> None:
        monkeypatch.setattr(workers, "PART", size)
        monkeypatch.setattr(workers, "COUNTED_PART", size)

    return set_size
