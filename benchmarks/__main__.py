"""`python -m benchmarks [AREA...]`: measure, and print a table for each area."""

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
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    options = parser.parse_args()
    for area in options.area or AREAS:
        module = importlib.import_module(f"benchmarks.{area}")  # noqa: TID251 - some need extras
        print(f"\n{area}", flush=True)
        lines = []
        for row in module.rows(small=options.small):
            lines.append(measure.line(row))
            print(lines[-1], flush=True)
        if options.write:
            page = measure.insert(PAGE.read_text("utf-8"), area, lines)
            PAGE.write_text(measure.insert_machine(page), "utf-8")
    print(f"\n{measure.MACHINE}{measure.machine()}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
