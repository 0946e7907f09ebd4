"""The public interface as a file: it is current, and an incompatible change is never written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import fdaa

pytest.importorskip("griffe", reason="needs griffe, of the extra `dev`")

import interface

ROOT = Path(__file__).parent.parent
OLD = ["class fdaa.A", "fdaa.f -> int", "fdaa.f(1 x: int)"]


def test_the_interface_is_that_of_this_version() -> None:
    subprocess.run([sys.executable, "docs/interface.py", "--check"], cwd=ROOT, check=True)


CHANGES: tuple[tuple[list[str], list[str]], ...] = (
    # new lines, what breaks programs
    ([], []),
    (["fdaa.g -> str", "fdaa.g(1 x: int)"], []),
    (["fdaa.f(2 y: int) = 0"], []),
    (["fdaa.f(2 y: int)"], ["+ fdaa.f(2 y: int)"]),
    (["fdaa.A(1 x: int)"], ["+ fdaa.A(1 x: int)"]),
)


@pytest.mark.parametrize(("more", "broken"), CHANGES)
def test_a_new_line_breaks_programs_if_it_requires_an_argument(
    more: list[str], broken: list[str]
) -> None:
    assert interface.breaking(OLD, OLD + more) == broken


def test_a_line_that_is_gone_breaks_programs() -> None:
    assert interface.breaking(OLD, OLD[:2]) == ["- fdaa.f(1 x: int)"]


@pytest.mark.parametrize(
    ("version", "next_version", "status"),
    [
        ("0.3.0", "0.3.0", 0),
        ("1.0.0rc1", "1.0.0rc2", 0),
        ("1.0.0rc1", "1.0.0", 0),
        ("1.0.0", "1.0.0", 1),
        ("1.0.0", "1.4.0", 1),
        ("1.4.0", "2.0.0", 0),
    ],
)
def test_an_incompatible_change_needs_a_new_first_number(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    version: str,
    next_version: str,
    status: int,
) -> None:
    file = tmp_path / "interface.txt"
    before = "\n".join([f"fdaa {version}", *OLD]) + "\n"
    file.write_text(before)
    monkeypatch.setattr(interface, "INTERFACE", file)
    monkeypatch.setattr(interface, "lines", lambda: OLD[:2])
    monkeypatch.setattr(fdaa, "__version__", next_version)
    monkeypatch.setattr(sys, "argv", ["interface.py"])
    assert interface.main() == status
    if status == 0:
        assert file.read_text().splitlines() == [f"fdaa {next_version}", *OLD[:2]]
    else:
        assert file.read_text() == before
        assert "- fdaa.f(1 x: int)" in capsys.readouterr().err
