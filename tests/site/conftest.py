"""The site that `python docs/tools/build_site.py` built, and a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from site_browser import DRIVER, SITE, chromium, recorder, served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session", autouse=True)
def site() -> None:
    """The site must be built."""
    assert (SITE / "index.html").exists(), "build the site first: python docs/tools/build_site.py"


@pytest.fixture(scope="session")
def requests() -> list[str]:
    """The paths that the site's server was asked for."""
    return []


@pytest.fixture(scope="session")
def home(requests: list[str]) -> Iterator[str]:
    """The address of the site."""
    with served(requests) as url:
        yield url


@pytest.fixture(scope="session")
def elsewhere() -> list[str]:
    """The requests that the browser sent to other hosts."""
    return []


@pytest.fixture(scope="session")
def browser(elsewhere: list[str]) -> Iterator[Any]:
    """A real Chromium."""
    pytest.importorskip("selenium")
    if DRIVER is None:
        pytest.skip("Debian's packages chromium and chromium-driver are not installed")
    with recorder(elsewhere) as proxy, chromium(proxy) as started:
        yield started
