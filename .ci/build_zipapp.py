"""Make dist/fdaa.pyz from the wheel in dist/: the command in one file, with what it imports.

    SOURCE_DATE_EPOCH=SECONDS build_zipapp.py WHEEL TARGET

The same wheel and the same versions of click and netaddr give the same bytes. The tables of
Ethernet vendors in netaddr, 9 MB, are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipapp
from pathlib import Path

MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("fdaa.pyz needs Python 3.11 or later, not %d.%d" % sys.version_info[:2])

from fdaa.__main__ import main

main()
"""
LEFT_OUT = ("bin", "share", "netaddr/tests", "netaddr/eui/*.idx", "netaddr/eui/*.txt")
KEPT_OF_METADATA = ("METADATA", "LICENSE.rst", "licenses")


def main() -> None:
    """Install the wheel into a directory, tidy it, pack it."""
    wheel = Path(sys.argv[1])
    target = Path(sys.argv[2])
    os.environ["TZ"] = "UTC"  # an archive has local times
    time.tzset()
    with tempfile.TemporaryDirectory() as directory:
        room = Path(directory)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"]
        subprocess.run([*pip, "--target", room, wheel], check=True)
        tidy(room)
        (room / "__main__.py").write_text(MAIN, "utf-8")
        settle(room, int(os.environ["SOURCE_DATE_EPOCH"]))
        zipapp.create_archive(room, target, "/usr/bin/env python3", compressed=True)
    target.chmod(0o755)


def tidy(room: Path) -> None:
    """Remove what the command does not read, and what pip wrote about this installation."""
    for pattern in LEFT_OUT:
        for path in room.glob(pattern):
            remove(path)
    for path in room.glob("*.dist-info/*"):
        if path.name not in KEPT_OF_METADATA:
            remove(path)


def remove(path: Path) -> None:
    """Remove a file or a directory."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def settle(room: Path, seconds: int) -> None:
    """Give each file the same mode and the same time."""
    for path in room.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (seconds, seconds))


if __name__ == "__main__":
    main()
