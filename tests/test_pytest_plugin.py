"""The fixtures: a sandbox for a test, for a module, and for a session."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

TESTS = """
import pytest

@pytest.mark.parametrize("number", [0, 1])
def test_of_two(fdaa_sandbox, fdaa_sandbox_module, fdaa_sandbox_session, number):
    module = (fdaa_sandbox_module, number)
    session = (fdaa_sandbox_session, BEFORE + number)
    for sandbox, uses in ((fdaa_sandbox, 0), module, session):
        if uses > 0:
            sandbox.start_machine(f"app-{uses - 1}")  # an error unless the app exists
        sandbox.create_app(f"app-{uses}", org="acme")  # an error if it does
"""


@pytest.mark.slow
def test_a_sandbox_lives_as_long_as_its_fixture_says(pytester: pytest.Pytester) -> None:
    pytester.makeconftest('pytest_plugins = ["fdaa.pytest_plugin"]')
    pytester.makepyfile(test_a=f"BEFORE = 0\n{TESTS}", test_b=f"BEFORE = 2\n{TESTS}")
    result = pytester.runpytest_subprocess("-p", "no:xdist", "-q", "test_a.py", "test_b.py")
    result.assert_outcomes(passed=4)
