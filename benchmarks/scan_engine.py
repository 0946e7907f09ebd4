"""The scanner's engines as a bare program: `scan_engine [-c | -n | --annotate] FILE [JOBS]`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click  # noqa: F401 - a command has to import it, so its time counts

from fdaa.scan import read_blocks
from fdaa.scan_count import Count
from fdaa.scan_input import unpacked
from fdaa.scan_output import annotate, drain, matches


def main() -> int:
    """Do what the first argument says with the file that the second one names."""
    *options, path, jobs = sys.argv[1:]
    write = sys.stdout.buffer.write
    several = int(jobs) > 1
    if several:
        from fdaa import scan_jobs
    if "-c" in options:
        if several:
            count = scan_jobs.count(path, path, int(jobs))
        else:
            count = Count()
            with Path(path).open("rb", buffering=0) as file:
                count.read(read_blocks(unpacked(file)), path)
        for network in count.networks():
            line = f"{network.network_id}\t{network.matches}\t{network.addresses}\n"
            write(line.encode())
        return 0
    numbered = "-n" in options
    render = annotate if "--annotate" in options else partial(matches, numbered=numbered)
    if several:
        drain(scan_jobs.output(path, render, int(jobs), numbered=numbered), write)
    else:
        with Path(path).open("rb", buffering=0) as file:
            drain(render(read_blocks(unpacked(file))), write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
