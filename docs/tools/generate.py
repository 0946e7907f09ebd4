"""Write what is made of the code: the pages of commands, JSON and errors, and the picture.

    python docs/tools/generate.py            write what is out of date, and name it
    python docs/tools/generate.py --check    write nothing; name it, and exit 1

A page has two marked lines; what stands between them is made.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))  # this checkout, wherever `fdaa` is installed from

import commands_page
import error_tree
import picture
import schemas_and_tables

# Each of them returns the text of its files, up to date. Tables come after the schemas.
MADE = (
    commands_page.pages,
    error_tree.pages,
    picture.pages,
    schemas_and_tables.schemas,
    schemas_and_tables.pages,
)


def main() -> int:
    """Bring the files up to date, or say that they are not."""
    os.chdir(ROOT)  # the commands in the picture name files from here
    is_check = sys.argv[1:] == ["--check"]
    status = 0
    for made in MADE:
        for file, text in made().items():
            if file.exists() and file.read_text("utf-8") == text:
                continue
            name = file.resolve().relative_to(ROOT)
            if is_check:
                print(f"{name} is out of date; run: python docs/tools/generate.py")
                status = 1
            else:
                file.write_text(text, "utf-8")
                print(f"{name} is written")
    return status


if __name__ == "__main__":
    sys.exit(main())
