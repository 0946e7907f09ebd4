"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fdaa.cli._book_names import network_id_of, open_book
from fdaa.cli._exit_status import WRONG, YES
from fdaa.cli._options import (
    book_option,
    color_option,
    complete_file,
    complete_network,
    quiet_option,
)
from fdaa.cli._scan_output import output_file, print_counts, write
from fdaa.cli._this_machine import SELF, this_machine
from fdaa.scan import MOST_JOBS, STANDARD_INPUT, Count, Filter, Options, Pseudonyms, Scan, Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from fdaa.networks import Book

KEY_VARIABLE = "FDAA_KEY"

_MODES: dict[str, Show] = {}  # the options of which one can be given


def _mode(show: Show, *names: str, text: str) -> Callable[..., Any]:
    """Return an option that selects the output."""
    _MODES[names[-1]] = show
    return click.option(*names, is_flag=True, help=text)


@click.command()
@click.argument("names", metavar="[FILE|-]...", nargs=-1, shell_complete=complete_file)
@click.option("-n", "--line-number", is_flag=True, help="Print line numbers.")
@click.option(
    "-H/ ",
    "--with-filename/--no-filename",
    default=None,
    help="Print file names, or not.  [default: with several files]",
)
@_mode(Show.RECORDS, "--json", text="Print one JSON object per line.")
@_mode(Show.MATCHES, "-c", "--count", text="Print a table of the networks.")
@_mode(Show.LINES, "--lines", text="Print whole lines that have a match.")
@_mode(Show.FILES, "-l", "--files-with-matches", text="Print only the names of files with a match.")
@quiet_option
@_mode(Show.ANNOTATED, "--annotate", text="Print all input with [ID] after each address.")
@_mode(
    Show.PSEUDONYMIZED,
    "--pseudonymize",
    text="Print all text with each address replaced by a pseudonym. Addresses on one network stay "
    "on one network.",
)
@_mode(Show.REVEALED, "--reveal", text="Undo --pseudonymize; requires the same --key.")
@click.option(
    "--key",
    metavar="TEXT",
    help=f"The secret for --pseudonymize. Random if not given.  [env: {KEY_VARIABLE}]",
)
@click.option(
    "--strict", is_flag=True, help="With --pseudonymize, exit with 2 if text with 'fdaa' is left."
)
@click.option(
    "networks",
    "--network",
    metavar="NETWORK",
    shell_complete=complete_network,
    multiple=True,
    help="Keep matches on this network: an ID in any form, a name in the book, or self. "
    "Repeatable. Network 0:0 has the platform's services.",
)
@click.option("-v", "--invert-match", is_flag=True, help="With --network, keep all other matches.")
@book_option()
@click.option("-r", "--recursive", is_flag=True, help="Search directories recursively.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Worker processes for a regular file.  [default: one for each core over 64 MiB]",
)
@color_option
@click.option("--no-progress", is_flag=True, help="Do not show a progress bar.")
def scan(
    names: tuple[str, ...],
    *,
    line_number: bool,
    with_filename: bool | None,
    json: bool,
    count: bool,
    quiet: bool,
    key: str | None,
    strict: bool,
    networks: tuple[str, ...],
    invert_match: bool,
    book_file: str | None,
    recursive: bool,
    jobs: int | None,
    no_progress: bool,
    **_modes: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each match is checked and printed with its network: address, tab, network ID. A prefix of /48 or
    longer is a match too. Without FILE, or if it is -, standard input is read, and each match is
    printed as soon as it is read. Files compressed with gzip, bzip2 or xz are decompressed.

    Examples:
      $ journalctl | fdaa scan
      $ fdaa scan --count --recursive /var/log
      $ fdaa scan --network self --invert-match --lines app.log
      $ fdaa scan --pseudonymize app.log > public.log

    Exit status: 0 found, 1 nothing found, 2 a file could not be read, or with --strict a place with
    'fdaa' in it was left unchanged.
    """
    show = _show(click.get_current_context().params)
    book = open_book(book_file)
    options = Options(
        show=show,
        keep=Filter(_wanted_ids(networks, book), invert_match),
        numbered=line_number,
        with_name=len(names) > 1 or recursive if with_filename is None else with_filename,
        name_of=None if book is None else book.name_of,
        pseudonyms=_pseudonyms(key, show),
        recursive=recursive,
        jobs=jobs,
        output=output_file(),
    )
    total = Count(options.keep) if count and not quiet else None
    run = Scan(names or _no_names(recursive), options, total)
    # Results on a terminal would scroll the bar away.
    bar = not no_progress and (count or not sys.stdout.isatty())
    status = write(run, bar=bar, quiet=quiet, strict=strict)
    if total is None:
        return status
    print_counts(total, book, as_json=json)
    return status if status == WRONG or not total.network_ids else YES


def _show(given: dict[str, Any]) -> Show:
    """Return the selected output; reject options that cannot be combined."""
    chosen = [mode for mode in _MODES if given[mode[2:].replace("-", "_")]]
    if len(chosen) > 1 and chosen != ["--json", "--count"]:
        raise click.UsageError(f"{' and '.join(chosen)} cannot be combined")
    hides = given["pseudonymize"] or given["reveal"]
    prints_text = given["count"] or given["annotate"] or hides
    for is_wrong, message in (
        (given["line_number"] and prints_text, "--line-number requires matches or --lines"),
        (given["key"] is not None and not hides, "--key requires --pseudonymize or --reveal"),
        (given["strict"] and not given["pseudonymize"], "--strict requires --pseudonymize"),
        (given["quiet"] and hides, "--quiet cannot be combined with --pseudonymize or --reveal"),
        (
            given["networks"] and hides,
            "--network cannot be combined with --pseudonymize or --reveal",
        ),
        (given["invert_match"] and not given["networks"], "--invert-match requires --network"),
    ):
        if is_wrong:
            raise click.UsageError(message)
    return Show.FILES if given["quiet"] else _MODES[chosen[0]] if chosen else Show.MATCHES


def _pseudonyms(key: str | None, show: Show) -> Pseudonyms | None:
    if show not in (Show.PSEUDONYMIZED, Show.REVEALED):
        return None
    source, key = (KEY_VARIABLE, os.environ.get(KEY_VARIABLE)) if key is None else ("--key", key)
    if key == "":
        raise click.UsageError(f"the key in {source} is empty")
    if key is None and show is Show.REVEALED:
        raise click.UsageError("--reveal requires --key")
    return Pseudonyms(os.urandom(32) if key is None else key.encode("utf-8", "surrogateescape"))


def _no_names(recursive: bool) -> tuple[str, ...]:
    """Return the input if no file is named: like grep, the directory or standard input."""
    if recursive:
        return (".",)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("give a file, or text on standard input")
    return (STANDARD_INPUT,)


def _wanted_ids(networks: tuple[str, ...], book: Book | None) -> frozenset[int]:
    return frozenset(
        int(this_machine().network_id) if network == SELF else int(network_id_of(network, book))
        for network in networks
    )
