"""The pytest plugin: the sandbox fixture, which imports the sandbox on first use.

A separate file: pytest imports it in every project, and `fdaa.platform` is slow to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fdaa._extras import missing_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform.sandbox import Sandbox


@pytest.fixture
def fdaa_sandbox() -> Iterator[Sandbox]:
    """A platform to test against, empty at first and deleted after the test (extra `sandbox`)."""
    try:
        from fdaa.platform.sandbox import Sandbox
    except ModuleNotFoundError as error:
        raise missing_extra("the fixture fdaa_sandbox", "sandbox", error) from error

    with Sandbox() as sandbox:
        yield sandbox
