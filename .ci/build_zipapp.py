"""Make dist/fdaa.pyz from the wheel in dist/: the command in one file, with what it imports.

    build_zipapp.py WHEEL TARGET

The same wheel and the same version of click give the same bytes: members are copied from wheels
with their times. netaddr is left out, as no command imports it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("fdaa.pyz needs Python 3.11 or later, not %d.%d" % sys.version_info[:2])

from fdaa.__main__ import main

main()
"""
PACKAGES = ("click", "fdaa")


def main() -> None:
    """Get the wheels, and copy them into one archive."""
    wheel = Path(sys.argv[1])
    target = Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as directory:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", directory]
        subprocess.run([*pip, wheel], check=True)
        wheels = [next(Path(directory).glob(f"{name}-*.whl")) for name in PACKAGES]
        with target.open("wb") as file:
            file.write(b"#!/usr/bin/env python3\n")
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(zipfile.ZipInfo("__main__.py"), MAIN)
                for each in wheels:
                    copy(each, archive)
    target.chmod(0o755)


def copy(wheel: Path, archive: zipfile.ZipFile) -> None:
    """Copy the members of a wheel, without its manual pages."""
    with zipfile.ZipFile(wheel) as source:
        for member in source.infolist():
            if ".data/" not in member.filename:
                archive.writestr(member, source.read(member))


if __name__ == "__main__":
    main()
