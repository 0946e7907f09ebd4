"""The command with a platform behind it: a sandbox, found through variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from command import invoke

if TYPE_CHECKING:
    from click.testing import Result

    from fdaa.platform.sandbox import Sandbox


class Platform:
    """A sandbox, with what the command needs to find it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.variables = {"FDAA_API_URL": sandbox.base_url, "FDAA_API_TOKEN": sandbox.token}

    def invoke(self, *arguments: str, **variables: str) -> Result:
        return invoke(*arguments, env=self.variables | variables)

    def inside(self, app: str, **variables: str) -> dict[str, str]:
        """Return the variables of a new Machine of an app."""
        return {**self.variables, **self.sandbox.start_machine(app).environment, **variables}
