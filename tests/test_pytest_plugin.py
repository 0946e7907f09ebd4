"""The fixtures: a sandbox for a test, for a module, and for a session."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

ONE = """
import pytest
from fdaa.platform import Client

pytest_plugins = ["fdaa.pytest_plugin"]

def apps(sandbox):
    \"\"\"Create one more app, and return how many there are.\"\"\"
    with Client(sandbox.base_url, sandbox.token) as client:
        sandbox.ensure_issuer("acme")
        name = f"app-{len(client.list_apps(org='acme'))}"
        client.create_app(name, org="acme")
        return len(client.list_apps(org="acme"))

@pytest.mark.parametrize("number", [1, 2])
def test_alone(fdaa_sandbox, number):
    assert apps(fdaa_sandbox) == 1

@pytest.mark.parametrize("number", [1, 2])
def test_of_a_module(fdaa_sandbox_module, number):
    assert apps(fdaa_sandbox_module) == number

@pytest.mark.parametrize("number", [1, 2])
def test_of_a_session(fdaa_sandbox_session, number):
    assert apps(fdaa_sandbox_session) == number + BEFORE
"""


@pytest.mark.slow
def test_a_sandbox_lives_as_long_as_its_fixture_says(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_a=f"BEFORE = 0\n{ONE}", test_b=f"BEFORE = 2\n{ONE}")
    result = pytester.runpytest_subprocess("-p", "no:xdist", "-q", "test_a.py", "test_b.py")
    result.assert_outcomes(passed=12)
