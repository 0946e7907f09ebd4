"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._book_names import network_id_of, open_book
from fdaa.cli._machine import this_machine
from fdaa.cli._options import book_option
from fdaa.cli._scan_files import Kind, Options, scan_files
from fdaa.scan._report import Filter
from fdaa.scan._sources import STANDARD_INPUT
from fdaa.scan._workers import MOST
from fdaa.scan.pseudonyms import Pseudonyms

if TYPE_CHECKING:
    from fdaa.networks import Book

KEY_VARIABLE = "FDAA_KEY"


@click.command(
    epilog="""\b
Examples:
  $ journalctl | fdaa scan
  $ fdaa scan --count --recursive /var/log
  $ fdaa scan --network self --invert-match --lines app.log
  $ fdaa scan --pseudonymize app.log > public.log

Exit status: 0 found, 1 nothing found, 2 a file could not be read, or with --strict a place with
'fdaa' in it was left unchanged."""
)
@click.argument("names", metavar="[FILE|-]...", nargs=-1)
@click.option("numbered", "-n", "--line-number", is_flag=True, help="Print the line's number.")
@click.option(
    "with_name",
    "--with-filename/--no-filename",
    default=None,
    help="Print the file's name, or not.  [default: with several files]",
)
@click.option("as_json", "--json", is_flag=True, help="Print a JSON object a line.")
@click.option("count", "-c", "--count", is_flag=True, help="Print a table of the networks.")
@click.option("lines", "--lines", is_flag=True, help="Print whole lines that have a match.")
@click.option(
    "files", "-l", "--files-with-matches", is_flag=True, help="Print the names of files only."
)
@click.option("quiet", "-q", "--quiet", is_flag=True, help="Print nothing: the status answers.")
@click.option(
    "annotate", "--annotate", is_flag=True, help="Print all text, with IDs behind the addresses."
)
@click.option(
    "pseudonymize",
    "--pseudonymize",
    is_flag=True,
    help="Print all text, with each address replaced by another: the same one each time, and on "
    "one network if the real ones are.",
)
@click.option("reveal", "--reveal", is_flag=True, help="Undo --pseudonymize; needs the same --key.")
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
    multiple=True,
    help="Keep matches on this network: an ID in any form, a name in the book, or self. "
    "Repeatable. Network 0:0 is the platform's services.",
)
@click.option(
    "invert", "-v", "--invert-match", is_flag=True, help="With --network, keep the others."
)
@book_option
@click.option("recursive", "-r", "--recursive", is_flag=True, help="Read directories.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST),
    metavar="N",
    help="Worker processes for a regular file.  [default: one for each core over 64 MiB]",
)
@click.option("no_progress", "--no-progress", is_flag=True, help="Show no progress bar.")
def scan(
    names: tuple[str, ...],
    numbered: bool,
    with_name: bool | None,
    as_json: bool,
    count: bool,
    lines: bool,
    files: bool,
    quiet: bool,
    annotate: bool,
    pseudonymize: bool,
    reveal: bool,
    key: str | None,
    strict: bool,
    networks: tuple[str, ...],
    invert: bool,
    book_file: str | None,
    recursive: bool,
    jobs: int | None,
    no_progress: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each match is checked and printed with its network: address, tab, network ID. A prefix of /48 or
    longer is a match too. Without FILE, or where it is -, standard input is read, and each match is
    printed as soon as it is read. Files packed by gzip, bzip2 or xz are unpacked.
    """
    kind = _kind(
        {
            Kind.COUNT: count,
            Kind.LINES: lines,
            Kind.FILES: files,
            Kind.ANNOTATED: annotate,
            Kind.PSEUDONYMIZED: pseudonymize,
            Kind.REVEALED: reveal,
        },
        as_json=as_json,
        quiet=quiet,
    )
    hides = pseudonymize or reveal
    texts = (Kind.COUNT, Kind.ANNOTATED, Kind.PSEUDONYMIZED, Kind.REVEALED)
    _refuse(numbered and kind in texts, "--line-number goes with matches and with --lines")
    _refuse(key is not None and not hides, "--key goes with --pseudonymize and --reveal")
    _refuse(strict and not pseudonymize, "--strict goes with --pseudonymize")
    _refuse(networks and hides, "--network does not go with --pseudonymize and --reveal")
    _refuse(invert and not networks, "--invert-match needs a --network")
    book = open_book(book_file)
    options = Options(
        kind=kind,
        numbered=numbered,
        named=len(names) > 1 or recursive if with_name is None else with_name,
        as_json=as_json,
        keep=Filter(_network_ids(networks, book), invert),
        book=book,
        pseudonyms=Pseudonyms(_key(key, reveal=reveal)) if hides else None,
        strict=strict,
        jobs=jobs,
    )
    progress = not no_progress and _can_show_progress(count)
    return scan_files(
        names or _no_names(recursive), options, recursive=recursive, progress=progress
    )


def _can_show_progress(count: bool) -> bool:
    """Whether somebody sees the bar, and results do not scroll it away."""
    seen = sys.stderr is not None and sys.stderr.isatty()
    return seen and (count or not sys.stdout.isatty())


def _refuse(is_wrong: object, message: str) -> None:
    if is_wrong:
        raise click.UsageError(message)


def _kind(wanted: dict[Kind, bool], *, as_json: bool, quiet: bool) -> Kind:
    """Return what is to be printed; refuse options that print different things."""
    kinds = [kind for kind, is_wanted in wanted.items() if is_wanted]
    if len(kinds) > 1 or (as_json and kinds not in ([], [Kind.COUNT])):
        names = sorted({"json"} & {"json" * as_json}) + [str(kind) for kind in kinds]
        raise click.UsageError(f"{' and '.join(names)} cannot be combined")
    if quiet:
        return Kind.NOTHING
    return kinds[0] if kinds else Kind.RECORDS if as_json else Kind.MATCHES


def _key(key: str | None, *, reveal: bool) -> bytes:
    source = "--key" if key is not None else KEY_VARIABLE
    if key is None:
        key = os.environ.get(KEY_VARIABLE)
    if key == "":
        raise click.UsageError(f"the key in {source} is empty")
    if key is None and reveal:
        raise click.UsageError("--reveal needs the --key")
    return os.urandom(32) if key is None else key.encode("utf-8", "surrogateescape")


def _no_names(recursive: bool) -> tuple[str, ...]:
    """Return what is read where no file is named: as grep, the directory or standard input."""
    if recursive:
        return (".",)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("give a file, or text on standard input")
    return (STANDARD_INPUT,)


def _network_ids(networks: tuple[str, ...], book: Book | None) -> frozenset[int]:
    return frozenset(
        this_machine().network_id if network == "self" else network_id_of(network, book)
        for network in networks
    )
