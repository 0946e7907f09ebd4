"""The pytest plugin: sandboxes as fixtures, which import `fdaa.platform` on first use.

A project asks for it by name, in its `conftest.py`: `pytest_plugins = ["fdaa.pytest_plugin"]`. As
an entry point, it would be imported by every project that has fdaa, and pytest would rewrite all
of fdaa's modules there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fdaa._support.extras import needs_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fdaa.platform.sandbox import Sandbox


@pytest.fixture
def fdaa_sandbox() -> Iterator[Sandbox]:
    """A platform to test against, empty at first and deleted after the test (extra `sandbox`)."""
    yield from _sandbox()


@pytest.fixture(scope="module")
def fdaa_sandbox_module() -> Iterator[Sandbox]:
    """`fdaa_sandbox`, shared by the tests of a module: what one creates, the next one finds."""
    yield from _sandbox()


@pytest.fixture(scope="session")
def fdaa_sandbox_session() -> Iterator[Sandbox]:
    """`fdaa_sandbox`, shared by all tests of a session: what one creates, the next one finds."""
    yield from _sandbox()


def _sandbox() -> Iterator[Sandbox]:
    with needs_extra("the fixture fdaa_sandbox", "sandbox"):
        from fdaa.platform.sandbox import Sandbox

    with Sandbox() as sandbox:
        yield sandbox
