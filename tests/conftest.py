"""How deep Hypothesis looks (HYPOTHESIS_PROFILE=ci: deeper than `dev`), and what workers share."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator

pytest_plugins = ["fdaa.pytest_plugin"]

# No deadlines: how fast a loaded machine is says nothing about the code.
settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=500,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# Each worker would compile all tests again, where PYTHONDONTWRITEBYTECODE is set.
sys.dont_write_bytecode = False

# A shell script starts what is in its background with Ctrl-C ignored, and children inherit that;
# the tests that send it need it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers for two cores: some tests wait for a process that they started."""
    return 3 * (os.cpu_count() or 1) // 2 or 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage in what is collected: all of it stays, in each process."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result
