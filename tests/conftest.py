"""How deep Hypothesis looks: HYPOTHESIS_PROFILE=ci looks deeper than the default, `dev`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadlines: how fast a loaded machine is says nothing about the code.
settings.register_profile("dev", max_examples=60, deadline=None)
settings.register_profile(
    "ci",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
