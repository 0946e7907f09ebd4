"""A sandbox for tests that need none of their own."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from fdaa.platform.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.fixture
def signals_as_before() -> Iterator[None]:
    """Undo what `fdaa sandbox` does with signals, where a test runs it in this process."""
    numbers = [
        getattr(signal, f"SIG{name}") for name in ["INT", "TERM", "HUP", "QUIT", "CHLD", "PIPE"]
    ]
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
