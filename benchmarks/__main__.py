"""`python -m benchmarks [AREA...]`: measure, and print one table."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks import measure

AREAS = ("values", "commands", "logs", "documents", "columns", "platform")
PAGE = Path(__file__).parent.parent / "docs" / "performance.md"


def main() -> int:
    """Run the areas. A wrong answer is an exception; a figure is never a failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("area", nargs="*", choices=[*AREAS, []], help=", ".join(AREAS))
    parser.add_argument("--small", action="store_true", help="little input: whether it runs")
    parser.add_argument("--write", action="store_true", help=f"put the rows into {PAGE.name}")
    options = parser.parse_args()
    lines = []
    for area in options.area or AREAS:
        module = importlib.import_module(f"benchmarks.{area}")  # noqa: TID251 - some need extras
        for row in module.rows(small=options.small):
            lines.append(measure.line(area, row))
            print(lines[-1], flush=True)
    machine = f"Measured on: {measure.machine()}."
    print(f"\n{machine}")
    if options.write:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(measure.insert(page, lines, machine), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
