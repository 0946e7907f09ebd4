"""What pytest loads when it starts: the fixture of the sandbox, which is imported when it is used.

In a file of its own: pytest imports it in every project, and the room of the platform is heavy.
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
    """A platform to test against, empty and thrown away after the test (extra `sandbox`)."""
    try:
        from fdaa.platform.sandbox import Sandbox
    except ModuleNotFoundError as error:
        raise missing_extra("the fixture fdaa_sandbox", "sandbox", error) from error

    with Sandbox() as sandbox:
        yield sandbox
