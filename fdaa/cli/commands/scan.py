"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import inline, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import NetworkID
from fdaa.cli._colour import color_option, uses_colour
from fdaa.cli._options import (
    BOOK_VARIABLE,
    FILE,
    book_for,
    book_option,
    complete_network,
    quiet_option,
    read_network,
)
from fdaa.cli._records import Records, record_options
from fdaa.cli._scan_output import output_file, write, write_counts
from fdaa.cli._statuses import CommandError
from fdaa.cli._streams import complain
from fdaa.scan import Pseudonyms
from fdaa.scan._report import Filter
from fdaa.scan._run import Options, Scan, Show
from fdaa.scan._sources import STANDARD_INPUT
from fdaa.scan._workers import MOST_JOBS

if TYPE_CHECKING:
    from fdaa.networks import Book

SECRET_VARIABLE = "FDAA_SECRET"  # noqa: S105 - this is its name
_LONGEST_SECRET = 65536  # bytes; a longer file is not a secret

_OF_BOTH = ("network_id", "network_id_int", "network_name", "prefix")
_OF_MATCHES = ("file", "line", "column", "text", "kind", "address")
_OF_COUNTS = ("matches", "addresses", "first")
_FIELDS = (*_OF_MATCHES, *_OF_BOTH, *_OF_COUNTS)
# The options that select the output, by their parameters in `scan`.
_OUTPUTS = {
    "count": Show.MATCHES,
    "lines": Show.LINES,
    "files_with_matches": Show.FILES,
    "annotate": Show.ANNOTATED,
    "pseudonymize": Show.PSEUDONYMIZED,
    "reveal": Show.REVEALED,
}


@click.command()
@click.argument("names", metavar="[FILE|-]...", nargs=-1, type=FILE)
@click.option("-n", "--line-number", is_flag=True, help="Print line numbers.")
@click.option(
    "-H/ ",
    "--with-filename/--no-filename",
    default=None,
    help="Print file names.  [default: with several files]",
)
@record_options(*_FIELDS, objects={"first": ("file", "line")})
@click.option("-c", "--count", is_flag=True, help="Print a table of the networks.")
@click.option("--lines", is_flag=True, help="Print whole lines that have a match.")
@click.option(
    "-l",
    "--files-with-matches",
    is_flag=True,
    help="Print only the names of files with a match.",
)
@quiet_option
@click.option("--annotate", is_flag=True, help="Print all input with [ID] after each address.")
@click.option(
    "--pseudonymize",
    is_flag=True,
    help="Print all text with a pseudonym for each address; one network stays one network.  "
    "[default secret: a random one, discarded]",
)
@click.option("--reveal", is_flag=True, help="Undo --pseudonymize; requires the same secret.")
@click.option(
    "--secret-file",
    metavar="FILE",
    type=FILE,
    help="Read the secret from FILE, without a line feed at its end.  "
    f"[env: {SECRET_VARIABLE}: the secret itself]",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 2 if --pseudonymize leaves text that may be an address.",
)
@click.option(
    "networks",
    "--network",
    metavar="NETWORK",
    shell_complete=complete_network,
    multiple=True,
    help="Keep matches on this network: an ID, a name in the book, or self. Repeatable.",
)
@click.option("-v", "--invert-match", is_flag=True, help="With --network, keep all other matches.")
@book_option()
@click.option("-r", "--recursive", is_flag=True, help="Search directories recursively.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Read a file with N processes.  [default: one for each core, from 64 MiB on]",
)
@color_option
@click.option("--no-progress", is_flag=True, help="Do not show a progress bar.")
def scan(
    names: tuple[str, ...],
    *,
    line_number: bool,
    with_filename: bool | None,
    quiet: bool,
    secret_file: str | None,
    strict: bool,
    networks: tuple[str, ...],
    invert_match: bool,
    book_file: str | None,
    recursive: bool,
    jobs: int | None,
    no_progress: bool,
    records: Records,
    **outputs: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each match is printed as address, tab, network ID. A prefix of /48 or longer is a match too.
    Without FILE, or for -, standard input is read. Files compressed with gzip, bzip2 or xz are
    decompressed.

    Examples:
      $ journalctl | fdaa scan
      $ fdaa scan --count --recursive /var/log
      $ fdaa scan --network self --invert-match --lines app.log
      $ fdaa scan --pseudonymize app.log > public.log

    Exit status: 0 found, 1 nothing found, 2 a file could not be read.
    """
    _check_combinations(click.get_current_context().params)
    show = _show(outputs, records, quiet)
    book = book_for(records, book_file)
    if with_filename is None:
        with_filename = len(names) > 1 or recursive
    options = Options(
        show=show,
        keep=Filter(_wanted_ids(networks, book), invert_match),
        numbered=line_number,
        with_name=with_filename,
        name_of=None if book is None else book.name_of,
        pseudonyms=_pseudonyms(show, secret_file),
        recursive=recursive,
        jobs=jobs,
        output=output_file(),
        marked=uses_colour(),
    )
    names = names or _default_names(recursive)
    # Results on a terminal would scroll the bar away.
    bar = not no_progress and (outputs["count"] or not sys.stdout.isatty())
    if outputs["count"] and not quiet:
        return write_counts(names, options, book, bar=bar, records=records)
    return write(Scan(names, options), bar=bar, quiet=quiet, strict=strict, records=records)


def _check_fields(fields: tuple[str, ...], *, is_count: bool) -> None:
    """Refuse the fields of matches for counts, and the other way round."""
    available: tuple[str, ...] = (*_OF_MATCHES, *_OF_BOTH)
    records = "a match"
    if is_count:
        available = (*_OF_BOTH, *_OF_COUNTS)
        records = "a count"
    for field in fields:
        if field.partition(".")[0] not in available:
            listed = ", ".join(available)
            raise click.UsageError(f"{field} is not a field of {records}: {listed}")


def _show(outputs: dict[str, bool], records: Records, quiet: bool) -> Show:
    """Return the selected output.

    Raises:
        click.UsageError: several are selected that cannot be combined.
    """
    chosen = ["--" + name.replace("_", "-") for name in _OUTPUTS if outputs[name]]
    if records.as_json and chosen != ["--count"]:
        chosen.insert(0, "--json")
    if records.fields and chosen != ["--count"]:
        chosen.insert(0, "--field")
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} cannot be combined")
    _check_fields(records.fields, is_count=outputs["count"])
    if quiet:
        return Show.FILES
    if records:
        return Show.RECORDS
    for name, show in _OUTPUTS.items():
        if outputs[name]:
            return show
    return Show.MATCHES


def _check_combinations(given: dict[str, Any]) -> None:
    """Reject an option that has no effect on the selected output.

    Args:
        given: the values of all options, by their parameters.
    """
    hides = given["pseudonymize"] or given["reveal"]
    if given["line_number"] and (given["count"] or given["annotate"] or hides):
        raise click.UsageError("--line-number requires matches or --lines")
    if given["secret_file"] is not None and not hides:
        raise click.UsageError("--secret-file requires --pseudonymize or --reveal")
    if given["strict"] and not given["pseudonymize"]:
        raise click.UsageError("--strict requires --pseudonymize")
    if given["quiet"] and hides:
        raise click.UsageError("--quiet cannot be combined with --pseudonymize or --reveal")
    if given["networks"] and hides:
        raise click.UsageError("--network cannot be combined with --pseudonymize or --reveal")
    if given["invert_match"] and not given["networks"]:
        raise click.UsageError("--invert-match requires --network")


def _pseudonyms(show: Show, secret_file: str | None) -> Pseudonyms | None:
    """Return the pseudonyms of the given secret, or of a random one; None for another output."""
    if show not in (Show.PSEUDONYMIZED, Show.REVEALED):
        return None
    secret = _secret(secret_file)
    if secret is None and show is Show.REVEALED:
        place = f"--secret-file FILE, or the secret in {SECRET_VARIABLE}"
        raise click.UsageError(f"--reveal requires {place}")
    if secret is None:
        reason = "fdaa uses a random one and discards it; no one can reveal the addresses"
        complain(f"no secret: {reason}")
        return Pseudonyms(os.urandom(32))
    pseudonyms = Pseudonyms(secret)
    message = f"fingerprint of the secret: {pseudonyms.fingerprint}"
    if show is Show.REVEALED:
        message += "; if --pseudonymize printed another fingerprint, these addresses are wrong"
    complain(message)
    return pseudonyms


def _secret(secret_file: str | None) -> bytes | None:
    """Return the secret in a file or in the variable; None if there is none.

    Raises:
        click.UsageError: it is empty.
        CommandError: the file cannot be read.
    """
    if secret_file is not None:
        secret = _read_secret(secret_file)
        source = quote(secret_file)
    elif SECRET_VARIABLE in os.environ:
        secret = os.fsencode(os.environ[SECRET_VARIABLE])
        source = SECRET_VARIABLE
    else:
        return None
    if not secret:
        raise click.UsageError(f"the secret in {source} is empty")
    return secret


def _read_secret(file: str) -> bytes:
    from pathlib import Path  # late: few scans have a secret

    try:
        with Path(file).open("rb") as stream:
            secret = stream.read(_LONGEST_SECRET + 1)
    except OSError as error:
        raise CommandError(f"{inline(file)}: {error.strerror or error}") from None
    if len(secret) > _LONGEST_SECRET:
        raise CommandError(f"{inline(file)}: a secret has at most {_LONGEST_SECRET:,} bytes")
    return secret.removesuffix(b"\n").removesuffix(b"\r")


def _default_names(recursive: bool) -> tuple[str, ...]:
    """Return the input if no file is named: like grep, the directory or standard input."""
    if recursive:
        return (".",)
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("give a file, or text on standard input")
    return (STANDARD_INPUT,)


def _wanted_ids(networks: tuple[str, ...], book: Book | None) -> frozenset[int]:
    if not networks:
        return frozenset()
    # Late: few scans are of some networks only.
    from fdaa._values.ends import SELF
    from fdaa.cli._arguments import note_own_address, required_own
    from fdaa.probe._own_address import read_this_computer

    wanted = set()
    for network in networks:
        if network == SELF:
            own = read_this_computer()
            wanted.add(int(required_own(own).network_id))
            note_own_address(own)
        else:
            wanted.add(int(_network_id_of(network, book)))
    return frozenset(wanted)


def _network_id_of(text: str, book: Book | None) -> NetworkID:
    """Return the ID of the network that a text names, or is the ID of.

    Raises:
        NetworkIDError: it is neither.
        CommandError: it is a name that is not in the book.
    """
    network = read_network(text)
    if isinstance(network, NetworkID):
        return network
    if book is None:
        reason = f"names are looked up in a book; give --book FILE, or set {BOOK_VARIABLE}"
        raise CommandError(f"network {quote(network)}: {reason}")
    if network not in book:
        where = f"in the book {quote(book.file)}{did_you_mean(network, book)}"
        raise CommandError(f"network {quote(network)} is not {where}")
    return book[network].network_id
