"""A book in a spreadsheet: no ID becomes a time or a date.

LibreOffice runs with "detect special numbers" on, as Excel always does: Excel reads `0:18` and
`1:2` as times of day, `1-2` and `3/4` as dates, and `1E5` as a number. A number is a number to
both, and a text such as `fdaa:0:18::/48`, which begins with letters, is a text to both.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from command import invoke

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.engines
# Comma, quotation mark, UTF-8, from line 1, no formats, English, quotes no text, detects numbers.
CSV = "Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true"
IDS = ["0:18", "1:2", "12:30", "23:59", "7:4", "1:0", "2:45b", "e:5", "1e:5"]


def through_libreoffice(file: Path) -> list[dict[str, str]]:
    """Convert a CSV file to a workbook of Excel and back; return its rows."""
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed; Debian's `libreoffice-calc-nogui` has it")
    office = ["soffice", f"-env:UserInstallation={file.parent.as_uri()}/profile", "--headless"]
    workbook = [*office, f"--infilter={CSV}", "--convert-to", "xlsx", file.name]
    for command in (workbook, [*office, "--convert-to", "csv", f"{file.stem}.xlsx"]):
        subprocess.run(command, cwd=file.parent, check=True, capture_output=True)
    with file.open() as converted:
        return list(csv.DictReader(converted))


def test_the_csv_of_a_book_is_the_same_after_a_spreadsheet(tmp_path: Path) -> None:
    book = tmp_path / "book.json"
    file = tmp_path / "book.csv"
    for number, network_id in enumerate(IDS):
        invoke("book", "add", f"net-{number}", network_id, "--book", str(book))
    text = invoke("book", "list", "--csv", "--book", str(book)).stdout
    file.write_text(text)
    rows = through_libreoffice(file)
    assert rows == list(csv.DictReader(text.splitlines()))
    assert len(rows) == len(IDS)


def test_an_id_alone_would_become_a_time(tmp_path: Path) -> None:
    """So the test above can fail."""
    file = tmp_path / "ids.csv"
    file.write_text("network_id\n0:18\n")
    assert through_libreoffice(file) == [{"network_id": "12:18:00 AM"}]
