"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from fdaa.cli._book_names import network_id_of, open_book
from fdaa.cli._files import STANDARD_INPUT
from fdaa.cli._machine import this_machine
from fdaa.cli._options import book_option

if TYPE_CHECKING:
    from fdaa.networks._book import Book


@click.command(
    epilog="""\b
Examples:
  $ journalctl | fdaa scan
  $ fdaa scan --count --recursive /var/log
  $ fdaa scan --network self --invert-match --lines app.log
  $ fdaa scan --pseudonymize app.log > public.log

Exit status: 0 an address was found, 1 none, 2 a file could not be read."""
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
@click.option("count", "-c", "--count", is_flag=True, help="Print a table of the networks instead.")
@click.option("lines", "--lines", is_flag=True, help="Print the lines that hold an address, whole.")
@click.option(
    "annotate", "--annotate", is_flag=True, help="Print the whole text, IDs behind the addresses."
)
@click.option(
    "pseudonymize",
    "--pseudonymize",
    is_flag=True,
    help="Print the whole text, with other addresses for the real ones: the same one each time, "
    "and on one network if the real ones are.",
)
@click.option(
    "reveal", "--reveal", is_flag=True, help="Turn --pseudonymize with the same --key round."
)
@click.option(
    "--key",
    metavar="TEXT",
    envvar="FDAA_KEY",
    help="The secret of --pseudonymize, also read from FDAA_KEY; fresh and random if not given.",
)
@click.option(
    "networks",
    "--network",
    metavar="NETWORK",
    multiple=True,
    help="Keep the addresses on this network only: an ID in any form, a name in the book, or self.",
)
@click.option(
    "invert", "-v", "--invert-match", is_flag=True, help="With --network, keep the others."
)
@book_option
@click.option("recursive", "-r", "--recursive", is_flag=True, help="Read directories.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
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
    annotate: bool,
    pseudonymize: bool,
    reveal: bool,
    key: str | None,
    networks: tuple[str, ...],
    invert: bool,
    book_file: str | None,
    recursive: bool,
    jobs: int | None,
    no_progress: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each is checked, and printed with its network: address, tab, network ID. Without FILE, or where
    it is -, standard input is read, and what comes is answered at once. Files packed by gzip, bzip2
    or xz are read as what is in them.
    """
    whole = annotate or pseudonymize or reveal
    if sum((annotate, pseudonymize, reveal, lines, count)) > 1 or (as_json and (whole or lines)):
        raise click.UsageError("these options print different things: choose one of them")
    if numbered and (whole or count):
        raise click.UsageError("--line-number goes with matches and with --lines")
    if key is not None and not (pseudonymize or reveal) and _is_typed("key"):
        raise click.UsageError("--key goes with --pseudonymize and --reveal")
    if networks and (pseudonymize or reveal):
        raise click.UsageError("--network does not go with --pseudonymize and --reveal")
    if invert and not networks:
        raise click.UsageError("--invert-match needs a --network")
    if key == "" or (reveal and key is None):
        raise click.UsageError("--reveal needs the --key" if reveal else "the --key is empty")
    from fdaa.cli._scan_files import scan_files
    from fdaa.scan._report import Filter

    book = open_book(book_file)
    keep = Filter(_network_ids(networks, book), invert)
    other = None
    if pseudonymize or reveal:
        from fdaa.scan.pseudonyms import Pseudonyms

        pseudonyms = Pseudonyms(key.encode("utf-8", "surrogateescape") if key else _fresh_key())
        other = pseudonyms.reveal if reveal else pseudonyms.hide
    return scan_files(
        names or _no_names(recursive),
        numbered=numbered,
        with_name=with_name,
        as_json=as_json,
        count=count,
        lines=lines,
        annotate=annotate,
        other=other,
        keep=keep,
        book=book,
        recursive=recursive,
        jobs=jobs,
        no_progress=no_progress,
    )


def _is_typed(option: str) -> bool:
    """Whether an option was given in the call, and not by a variable."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def _fresh_key() -> bytes:
    return os.urandom(32)


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
