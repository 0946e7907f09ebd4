"""The sandbox in Python: started, stopped, and wrong arguments."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fdaa.platform import Client
from fdaa.platform.sandbox import Sandbox, SandboxError

if TYPE_CHECKING:
    from collections.abc import Callable


def test_it_starts_empty_each_time_with_another_token() -> None:
    sandbox = Sandbox()
    seen = set()
    for _ in range(2):
        with sandbox, Client(sandbox.base_url, sandbox.token) as client:
            client.create_app("web", org="acme")  # as if for the first time
            machine = sandbox.start_machine("web")
            assert Path(machine.socket).exists()
            seen.add(sandbox.token)
            assert sandbox.environment == {
                "FDAA_API_URL": sandbox.base_url,
                "FDAA_API_TOKEN": sandbox.token,
                "FDAA_OIDC_ISSUER": f"{sandbox.base_url}/oidc",
            }
        assert not Path(machine.socket).parent.exists()
    assert len(seen) == 2


@pytest.mark.parametrize(
    "use",
    [
        lambda sandbox: sandbox.base_url,
        lambda sandbox: sandbox.start_machine("web"),
    ],
)
def test_a_sandbox_that_does_not_run_says_so(use: Callable[[Sandbox], object]) -> None:
    sandbox = Sandbox()
    with pytest.raises(SandboxError, match="not running; call start"):
        use(sandbox)
    with sandbox, pytest.raises(SandboxError, match="already running"):
        sandbox.start()
    with pytest.raises(SandboxError, match="not running"):
        use(sandbox)
    sandbox.stop()  # a second time is fine


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_what_cannot_be_used_at_the_start_leaves_nothing_open(
    tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "pem"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SandboxError, match="cannot be used"):
        Sandbox(certificate=(str(file), str(file))).start()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SandboxError, match=f"port {port} cannot be used: Address already"):
            Sandbox(port=port).start()
