"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fdaa.cli._book_names import complete_network, network_id_of, open_book
from fdaa.cli._count_table import print_counts
from fdaa.cli._exit_status import WRONG, YES
from fdaa.cli._options import book_option, color_option, complete_file, quiet_option
from fdaa.cli._progress import Progress
from fdaa.cli._scan_output import output_file, write
from fdaa.cli._this_machine import SELF, this_machine
from fdaa.scan import MOST_JOBS, STANDARD_INPUT, Count, Filter, Options, Pseudonyms, Scan, Show

if TYPE_CHECKING:
    from fdaa.networks import Book

KEY_VARIABLE = "FDAA_KEY"


@click.command()
@click.argument("names", metavar="[FILE|-]...", nargs=-1, shell_complete=complete_file)
@click.option("-n", "--line-number", is_flag=True, help="Print the line's number.")
@click.option(
    "-H/ ",
    "--with-filename/--no-filename",
    default=None,
    help="Print the file's name, or not.  [default: with several files]",
)
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a line.")
@click.option("-c", "--count", is_flag=True, help="Print a table of the networks.")
@click.option("--lines", is_flag=True, help="Print whole lines that have a match.")
@click.option("-l", "--files-with-matches", is_flag=True, help="Print the names of files only.")
@quiet_option
@click.option("--annotate", is_flag=True, help="Print all input with [ID] after each address.")
@click.option(
    "--pseudonymize",
    is_flag=True,
    help="Print all text, with each address replaced by another: the same one each time, and on "
    "one network if the real ones are.",
)
@click.option("--reveal", is_flag=True, help="Undo --pseudonymize; needs the same --key.")
@click.option(
    "--key",
    metavar="TEXT",
    help=f"The secret for --pseudonymize, also read from {KEY_VARIABLE}. Random if not given.",
)
@click.option(
    "--strict", is_flag=True, help="With --pseudonymize, exit with 2 if it left 'fdaa' anywhere."
)
@click.option(
    "networks",
    "--network",
    metavar="NETWORK",
    shell_complete=complete_network,
    multiple=True,
    help="Keep matches on this network: an ID in any form, a name in the book, or self. "
    "Repeatable. Network 0:0 is the platform's services.",
)
@click.option("-v", "--invert-match", is_flag=True, help="With --network, keep the others.")
@book_option()
@click.option("-r", "--recursive", is_flag=True, help="Read directories.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Worker processes for a regular file.  [default: one for each core over 64 MiB]",
)
@color_option
@click.option("--no-progress", is_flag=True, help="Show no progress bar.")
def scan(names: tuple[str, ...], **options: Any) -> int:
    """Find the private addresses in logs and any other text.

    Each match is checked and printed with its network: address, tab, network ID. A prefix of /48 or
    longer is a match too. Without FILE, or where it is -, standard input is read, and each match is
    printed as soon as it is read. Files packed by gzip, bzip2 or xz are unpacked.

    Examples:
      $ journalctl | fdaa scan
      $ fdaa scan --count --recursive /var/log
      $ fdaa scan --network self --invert-match --lines app.log
      $ fdaa scan --pseudonymize app.log > public.log

    Exit status: 0 found, 1 nothing found, 2 a file could not be read, or with --strict a place with
    'fdaa' in it was left unchanged.
    """
    call = _Call(**options)
    show = _show(call)
    book = open_book(call.book_file)
    several = len(names) > 1 or call.recursive
    asked = Options(
        show=show,
        keep=Filter(_wanted_ids(call.networks, book), call.invert_match),
        numbered=call.line_number,
        with_name=several if call.with_filename is None else call.with_filename,
        name_of=None if book is None else book.name_of,
        pseudonyms=Pseudonyms(_key(call)) if call.hides else None,
        recursive=call.recursive,
        jobs=call.jobs,
        output=output_file(),
    )
    total = Count(asked.keep) if call.count else None
    run = Scan(names or _no_names(call.recursive), asked, total)
    # Someone sees the bar, and results do not scroll it away.
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    is_wanted = not call.no_progress and is_seen and (call.count or not sys.stdout.isatty())
    progress = Progress(run.total if is_wanted else 0)
    status = write(run, progress, quiet=call.quiet, strict=call.strict)
    if total is None:
        return status
    print_counts(total, book, as_json=call.as_json)
    return status if status == WRONG or not total.network_ids else YES


@dataclass(frozen=True, slots=True)
class _Call:
    """The options, as click gives them."""

    line_number: bool
    with_filename: bool | None
    as_json: bool
    count: bool
    lines: bool
    files_with_matches: bool
    quiet: bool
    annotate: bool
    pseudonymize: bool
    reveal: bool
    key: str | None
    strict: bool
    networks: tuple[str, ...]
    invert_match: bool
    book_file: str | None
    recursive: bool
    jobs: int | None
    no_progress: bool

    @property
    def hides(self) -> bool:
        return self.pseudonymize or self.reveal


def _show(call: _Call) -> Show:
    """Return what must be printed; refuse options that do not go together."""
    wanted = {
        "--count": (Show.MATCHES, call.count),
        "--lines": (Show.LINES, call.lines),
        "--files-with-matches": (Show.FILES, call.files_with_matches),
        "--annotate": (Show.ANNOTATED, call.annotate),
        "--pseudonymize": (Show.PSEUDONYMIZED, call.pseudonymize),
        "--reveal": (Show.REVEALED, call.reveal),
    }
    chosen = {option: show for option, (show, is_wanted) in wanted.items() if is_wanted}
    if len(chosen) > 1 or (call.as_json and chosen.keys() - {"--count"}):
        several = " and ".join(["--json"] * call.as_json + [*chosen])
        raise click.UsageError(f"{several} cannot be combined")
    texts = call.count or call.annotate or call.hides
    for is_wrong, message in (
        (call.line_number and texts, "--line-number goes with matches and with --lines"),
        (call.key is not None and not call.hides, "--key goes with --pseudonymize and --reveal"),
        (call.strict and not call.pseudonymize, "--strict goes with --pseudonymize"),
        (call.quiet and call.hides, "--quiet does not go with --pseudonymize and --reveal"),
        (call.networks and call.hides, "--network does not go with --pseudonymize and --reveal"),
        (call.invert_match and not call.networks, "--invert-match needs a --network"),
    ):
        if is_wrong:
            raise click.UsageError(message)
    if call.quiet:
        return Show.FILES
    return next(iter(chosen.values()), Show.RECORDS if call.as_json else Show.MATCHES)


def _key(call: _Call) -> bytes:
    key = os.environ.get(KEY_VARIABLE) if call.key is None else call.key
    if key == "":
        source = KEY_VARIABLE if call.key is None else "--key"
        raise click.UsageError(f"the key in {source} is empty")
    if key is None and call.reveal:
        raise click.UsageError("--reveal needs the --key")
    return os.urandom(32) if key is None else key.encode("utf-8", "surrogateescape")


def _no_names(recursive: bool) -> tuple[str, ...]:
    """Return what is read where no file is named: as grep, the directory or standard input."""
    if recursive:
        return (".",)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("give a file, or text on standard input")
    return (STANDARD_INPUT,)


def _wanted_ids(networks: tuple[str, ...], book: Book | None) -> frozenset[int]:
    return frozenset(
        this_machine().network_id if network == SELF else network_id_of(network, book)
        for network in networks
    )
