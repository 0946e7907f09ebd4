"""Print, for pip's --constraint, the lowest version of each direct dependency."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in [
    *project["dependencies"],
    *(each for extra in extras.values() for each in extra),
]:
    if lowest := re.match(r"([\w.-]+)(\[[\w,]+\])?>=([\w.]+)", requirement):
        print(f"{lowest[1]}=={lowest[3]}")
