"""`fdaa scan` of packed files and UTF-16: what a person is told of them, and the status."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from command import invoke
from scan_command import FOUND, LOG, out

if TYPE_CHECKING:
    from pathlib import Path

# The tests of the scanner show that all of a packed file or of UTF-16 is read.
TEXT = LOG.decode("latin-1")


def test_a_packed_log_is_read_as_its_text(log: str, tmp_path: Path) -> None:
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(LOG))
    assert out(str(packed)) == FOUND
    assert out("--annotate", str(packed)) == out("--annotate", log)


@pytest.mark.parametrize("option", ["--lines", "--annotate", "--pseudonymize"])
def test_text_of_utf_16_is_printed_as_utf_8_with_a_note(option: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(TEXT.encode())
    in_utf_8 = invoke("scan", option, str(path), FDAA_SECRET="k")
    path.write_bytes(gzip.compress(TEXT.encode("utf-16")))
    in_utf_16 = invoke("scan", option, "--jobs", "2", str(path), FDAA_SECRET="k")
    assert in_utf_16.stdout_bytes == in_utf_8.stdout_bytes
    notes = in_utf_16.stderr.splitlines()
    notes.remove(f"fdaa: {path}: UTF-16, printed as UTF-8")
    assert notes == in_utf_8.stderr.splitlines()
    assert in_utf_16.exit_code == 0
