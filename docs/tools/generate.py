"""Write what is made of the code: pages, tables, values in schemas, the picture, the interface.

    python docs/tools/generate.py            write what is out of date, and name it
    python docs/tools/generate.py --check    write nothing; name it, and exit 1

The interface needs griffe, of the extra `dev`; without it, all else is written or checked.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))  # this checkout, wherever `fdaa` is installed from

import commands_page
import error_tree
import findings_table
import names_page
import picture
import schemas_and_tables
import shapes_table

# Each of them returns the text of its files, up to date. Tables come after the schemas.
MADE = [
    commands_page.pages,
    names_page.pages,
    error_tree.pages,
    findings_table.pages,
    shapes_table.pages,
    picture.pages,
    schemas_and_tables.schemas,
    schemas_and_tables.pages,
]
if find_spec("griffe"):
    import interface

    MADE.append(interface.pages)


def main() -> int:
    """Bring the files up to date, or say that they are not."""
    os.chdir(ROOT)  # the commands in the picture name files from here
    is_check = sys.argv[1:] == ["--check"]
    outdated = []
    for made in MADE:
        for file, text in made().items():
            if file.exists() and file.read_text("utf-8") == text:
                continue
            outdated.append(file.resolve().relative_to(ROOT))
            if not is_check:
                file.write_text(text, "utf-8")
    for name in outdated:
        print(f"{name} is out of date" if is_check else f"{name} is written")
    if is_check and outdated:
        print("run: python docs/tools/generate.py, and read what it changes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
