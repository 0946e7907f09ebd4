"""Documents beside a probe: one that cannot be used, and the next command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lab import Lab

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"


@pytest.mark.parametrize("bad", ["--documents={}", "--documents=web={}", "--org=acme"])
def test_a_document_that_cannot_be_used_is_one_message(
    networks: Lab, tmp_path: Path, bad: str
) -> None:
    """That of --org cannot be fetched: no API is configured."""
    file = tmp_path / "cut.json"
    file.write_text('[{"name": ')
    for documents in ((), (f"--documents={EXAMPLES}/apps.json",)):
        command = ("fdaa", "probe", "reports:80", bad.format(file), *documents)
        result = networks.run("web", *command)
        assert (result.returncode, result.stderr.count("\n")) == (2, 1)
        assert "no address" in result.stdout
        assert "add " not in result.stdout


def test_the_next_command_has_the_organization_that_was_given(networks: Lab) -> None:
    command = ("fdaa", "probe", "reports:80", "--org", "acme")
    shown = networks.run("web", *command).stdout
    assert "  next: fdaa reach self reports --org acme\n" in shown
