"""The public interface as a file: it is current, and an incompatible change is never written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fdaa

pytest.importorskip("griffe", reason="needs griffe, of the extra `dev`")

import interface

ROOT = Path(__file__).parent.parent
OLD = ["class fdaa.A", "fdaa.f -> int", "fdaa.f(1 x: int)"]


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


# A change that breaks programs: its file, what stands there, and what would.
BREAKING = [
    (
        "_values/address.py",
        "(cls, text: str | Address, /)",
        "(cls, text: str | Address, more: int, /)",
    ),
    ("_values/address.py", "value: int | str | NetworkID, /)", "value: str | NetworkID, /)"),
    ("_values/address.py", '= ("network_id", "rest")', '= ("rest", "network_id")'),
    ("scan/_pseudonyms.py", "    fingerprint: str", "    print: str"),
    ("networks/_verdict.py", "class Sourced(StrEnum)", "class Sourced(Enum)"),
    (
        "_values/address.py",
        'def __format__(self, spec: str) -> str:\n        "',
        'def f(self) -> str:\n        "',
    ),
    ("_values/address.py", "isinstance(other, NetworkID | int)", "isinstance(other, NetworkID)"),
    ("_values/address.py", "def __le__(self, other: Address)", "def less(self, other: Address)"),
    ("platform/_verifier.py", "DAY = 86_400.0", "DAY = 43_200.0"),
]


# The same in a room that is provisional.
PROVISIONAL = [
    ("lines/_line.py", "    port: int | None\n", "    tcp_port: int | None\n"),
    ("probe/_round.py", "timeout: float = TIMEOUT", "seconds: float = TIMEOUT"),
]
CHECKED = [(*change, 1) for change in BREAKING] + [(*change, 0) for change in PROVISIONAL]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "before", "after", "status"), CHECKED)
def test_a_change_that_breaks_programs_fails_the_check(
    file: str, before: str, after: str, status: int, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "fdaa", tmp_path / "fdaa")
    (tmp_path / "docs/tools").mkdir(parents=True)
    shutil.copy(ROOT / "docs/tools/interface.py", tmp_path / "docs/tools")
    _, *lines = (ROOT / "docs/tools/interface.txt").read_text().splitlines()
    (tmp_path / "docs/tools/interface.txt").write_text("\n".join(["fdaa 1.0.0", *lines]) + "\n")
    face = tmp_path / "fdaa/__init__.py"
    face.write_text(face.read_text().replace(f'"{fdaa.__version__}"', '"1.0.0"'))
    program = "import sys; sys.path[:0] = ['', 'docs/tools']; import interface as i; i.pages()"
    check = [sys.executable, "-c", program]
    assert subprocess.run(check, cwd=tmp_path).returncode == 0
    changed = tmp_path / "fdaa" / file
    text = changed.read_text()
    assert before in text
    changed.write_text(text.replace(before, after, 1))
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status


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
    tmp_path: Path,
    version: str,
    next_version: str,
    status: int,
) -> None:
    file = tmp_path / "interface.txt"
    file.write_text("\n".join([f"fdaa {version}", *OLD]) + "\n")
    monkeypatch.setattr(interface, "INTERFACE", file)
    monkeypatch.setattr(interface, "lines", lambda: OLD[:2])
    monkeypatch.setattr(fdaa, "__version__", next_version)
    if status == 0:
        (written,) = interface.pages().values()
        assert written.splitlines() == [f"fdaa {next_version}", *OLD[:2]]
    else:
        with pytest.raises(SystemExit, match=r"(?s)- fdaa.f\(1 x: int\)\n.* would break"):
            interface.pages()
