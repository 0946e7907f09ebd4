"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import inline, printable, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._support.tables import table
from fdaa._values.address import NetworkID
from fdaa._values.ends import NETWORK
from fdaa.cli._documents import HOW_TO_GIVE, Documents, documents_options
from fdaa.cli._output import (
    FILE,
    INTERRUPTED,
    NO,
    WRONG,
    YES,
    CommandError,
    Output,
    complain,
    counted,
    output_options,
    raw_output,
    write_error,
)
from fdaa.scan import Pseudonyms, find_addresses
from fdaa.scan._count import Count
from fdaa.scan._pieces import MarkKind, Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Converted, Options, Scan, Show
from fdaa.scan._sources import STANDARD_INPUT, Failure
from fdaa.scan._workers import MOST_JOBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.networks import NetworkMap

_SECRET_VARIABLE = "FDAA_SECRET"  # noqa: S105 - this is its name
_WORTH_A_BAR = 32 * 1024 * 1024  # bytes
_SHOWN_PLACES = 5

_OF_BOTH = ("network_id", "network_id_int", "network_name", "prefix")
_OF_MATCHES = ("file", "line", "column", "text", "kind", "address")
_OF_COUNTS = ("matches", "addresses", "first")

# The options that select the output, by their parameters.
_OUTPUTS = {
    "lines": Show.LINES,
    "files_with_matches": Show.FILES,
    "annotate": Show.ANNOTATED,
    "pseudonymize": Show.PSEUDONYMIZED,
    "reveal": Show.REVEALED,
}
_OF_SECRETS = (Show.PSEUDONYMIZED, Show.REVEALED)
# The colours of grep.
_COLOURS = {
    MarkKind.FILE: b"\x1b[35m",
    MarkKind.LINE_NUMBER: b"\x1b[32m",
    MarkKind.SEPARATOR: b"\x1b[36m",
    MarkKind.MATCH: b"\x1b[1;31m",
}
_NO_COLOUR = b"\x1b[0m"


@click.command()
@click.argument("names", metavar="[FILE|-]...", nargs=-1, type=FILE)
@click.option("-n", "--line-number", is_flag=True, help="Print line numbers.")
@click.option(
    "-H/ ",
    "--with-filename/--no-filename",
    default=None,
    help="Print file names.  [default: with several files]",
)
@click.option("-c", "--count", is_flag=True, help="Count matches and addresses by network.")
@click.option("-l", "--files-with-matches", is_flag=True, help="Print names of files with a match.")
@click.option("--lines", is_flag=True, help="Print whole lines with a match.")
@click.option("--annotate", is_flag=True, help="Print all input, with [ID] after addresses.")
@click.option(
    "--pseudonymize",
    is_flag=True,
    help="Print all input, with pseudonyms; those of one network stay on one.  "
    "[default secret: random, not kept]",
)
@click.option("--reveal", is_flag=True, help="Undo --pseudonymize, with the same secret.")
@click.option(
    "--secret-file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Read the secret from FILE, without a last line feed.  "
    f"[env: {_SECRET_VARIABLE}: the secret itself]",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 2 if --pseudonymize leaves a possible address.",
)
@click.option(
    "wanted",
    "--network",
    metavar="NETWORK",
    multiple=True,
    help="Keep matches on an ID, a name in documents, or self. Repeatable.",
)
@click.option("-v", "--invert-match", is_flag=True, help="Keep matches not on --network.")
@click.option("-r", "--recursive", is_flag=True, help="Search directories.")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Read a file with N processes.  [default: one per core, from 64 MiB on]",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour the output.  [default: auto: on a terminal, without NO_COLOR]",
)
@documents_options
@output_options(*_OF_MATCHES, *_OF_BOTH, *_OF_COUNTS)
def scan(
    names: tuple[str, ...],
    line_number: bool,
    with_filename: bool | None,
    count: bool,
    wanted: tuple[str, ...],
    invert_match: bool,
    secret_file: str | None,
    strict: bool,
    recursive: bool,
    jobs: int | None,
    color: str,
    documents: Documents,
    output: Output,
    **outputs: bool,
) -> int:
    """Find private addresses in logs and any other text.

    Prints address, tab, network ID; with documents, also the network name. Prefixes from /48 on
    match, too. Without FILE, or with -, standard input is read. Files in gzip, bzip2 or xz are
    decompressed.

    Exit status: 0 found, 1 nothing found, 2 a file could not be read.

    Examples:
      $ journalctl | fdaa scan
      $ fdaa scan --count --recursive /var/log
      $ fdaa scan --network self --invert-match --lines app.log
      $ fdaa scan --pseudonymize app.log > public.log
    """
    show = _show(outputs, output, is_count=count)
    _check_combinations(click.get_current_context().params)
    if not names and not recursive and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give a file, or text on standard input")
    name_of = None
    if documents.given:
        from fdaa.explain._known_names import Names  # late, as in `_network_id`

        name_of = Names(documents.networks).name_of
    if with_filename is None:
        with_filename = len(names) > 1 or recursive
    options = Options(
        show=show,
        keep=Filter(_wanted_ids(wanted, documents.networks), invert_match),
        numbered=line_number,
        with_name=with_filename,
        name_of=name_of,
        pseudonyms=_pseudonyms(show, secret_file),
        recursive=recursive,
        jobs=jobs,
        output=os.fstat(1),  # standard output
        marked=_is_coloured(color),
    )
    if not names and recursive:
        names = (".",)
    elif not names:
        names = (STANDARD_INPUT,)
    total = None
    if count and not output.quiet:
        total = Count(options.keep)
    # A terminal would scroll a bar away. The end of a pipe's reader would end this process, and the
    # cursor, which the bar hides, would stay hidden.
    has_bar = count or stat.S_ISREG(os.fstat(1).st_mode)
    status = _write(Scan(names, options, total), output, strict=strict, has_bar=has_bar)
    if total is not None:
        output.show(_records(total, name_of), _table(total, name_of))
        if status == NO and total.network_ids:
            status = YES
    return documents.status(status, is_needed=bool(wanted))


# --- options --------------------------------------------------------------------------------------


def _show(outputs: dict[str, bool], output: Output, *, is_count: bool) -> Show:
    """Return the selected output.

    Raises:
        click.UsageError: several are selected that cannot be combined.
    """
    chosen = [name for name in _OUTPUTS if outputs[name]]
    if is_count:
        chosen.append("count")
    elif output.as_json:
        chosen.append("json")
    elif output.fields:
        chosen.append("field")
    elif len(chosen) == 1 and not output.quiet:
        return _OUTPUTS[chosen[0]]
    if len(chosen) > 1:
        options = [f"--{name.replace('_', '-')}" for name in chosen]
        raise click.UsageError(f"{' and '.join(options)} cannot be combined")
    for field in output.fields:
        if is_count and field in _OF_MATCHES:
            raise click.UsageError(f"--count and --field {field} cannot be combined")
        if not is_count and field.partition(".")[0] in _OF_COUNTS:
            raise click.UsageError(f"--field {field} requires --count")
    if output.quiet:
        return Show.FILES
    if output.is_text:
        return Show.MATCHES
    return Show.RECORDS


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
    if given["wanted"] and hides:
        raise click.UsageError("--network cannot be combined with --pseudonymize or --reveal")
    if given["invert_match"] and not given["wanted"]:
        raise click.UsageError("--invert-match requires --network")


def _is_coloured(when: str) -> bool:
    """Return whether to colour standard output; NO_COLOR is that of no-color.org."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def _wanted_ids(wanted: tuple[str, ...], networks: NetworkMap | None) -> frozenset[int]:
    return frozenset(int(_network_id(text.removeprefix(NETWORK), networks)) for text in wanted)


def _network_id(text: str, networks: NetworkMap | None) -> NetworkID:
    """Return the ID of the network that a text names, or is the ID of; `self` is this Machine's.

    Raises:
        NetworkIDError: it is neither.
        CommandError: it is a name that no document has.
    """
    # Late: few scans are of some networks only.
    from fdaa._values.hosts import is_name
    from fdaa.cli._input import own_address

    if text == "self":
        return own_address().network_id
    if not is_name(text):
        return NetworkID(text)
    if networks is None:
        raise CommandError(f"network {quote(text)}: only documents have names; {HOW_TO_GIVE}")
    network = networks.by_name(text)
    if network is None:
        hint = did_you_mean(text, networks.names)
        raise CommandError(f"network {quote(text)} is not in these documents{hint}")
    if network.network_id is None:
        raise CommandError(f"the ID of network {quote(text)} is not in these documents")
    return network.network_id


def _pseudonyms(show: Show, secret_file: str | None) -> Pseudonyms | None:
    """Return the pseudonyms of the given secret, or of a random one; None for another output.

    Raises:
        click.UsageError: there is no secret to reveal by, or it is empty.
    """
    if show not in _OF_SECRETS:
        return None
    if secret_file is not None:
        with open(secret_file, "rb") as stream:  # noqa: PTH123 - pathlib takes long to load
            secret = stream.read().removesuffix(b"\n").removesuffix(b"\r")
    elif _SECRET_VARIABLE in os.environ:
        secret = os.fsencode(os.environ[_SECRET_VARIABLE])
    elif show is Show.REVEALED:
        raise click.UsageError(f"--reveal requires --secret-file FILE, or {_SECRET_VARIABLE}")
    else:
        complain("no secret: a random one is used and discarded; no one can reveal the addresses")
        return Pseudonyms(os.urandom(32))
    if not secret:
        raise click.UsageError(f"the secret in {inline(secret_file or _SECRET_VARIABLE)} is empty")
    pseudonyms = Pseudonyms(secret)
    message = f"fingerprint of the secret: {pseudonyms.fingerprint}"
    if show is Show.REVEALED:
        message += "; if --pseudonymize printed another fingerprint, these addresses are wrong"
    complain(message)
    return pseudonyms


# --- what is found --------------------------------------------------------------------------------


def _write(run: Scan, output: Output, *, strict: bool, has_bar: bool) -> int:
    """Write the output of a scan, and return the exit status.

    Args:
        run: the scan. After Ctrl-C, its count has what was read before.
        output: which fields of the records to write; with `quiet`, nothing, up to the first match.
        strict: whether a place that was left unchanged is an error.
        has_bar: whether to show the progress, where standard error is a terminal.
    """
    writer = _Writer(output)
    status = NO
    bar: Any = nullcontext()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if has_bar and is_terminal and not output.quiet and run.total > _WORTH_A_BAR:
        bar = click.progressbar(length=run.total, file=sys.stderr)
    try:
        with closing(iter(run)) as events, bar as progress:
            for event in events:
                if isinstance(event, Failure):
                    status = WRONG
                    writer.fail(event)
                elif isinstance(event, Converted):
                    writer.note(event.name, "UTF-16, printed as UTF-8")
                else:
                    if event.found and status == NO:
                        status = YES
                    if event.found and output.quiet:
                        return YES
                    writer.write(event)
                if progress is not None:
                    progress.update(run.done - progress.pos)
    except KeyboardInterrupt:
        if run.count is None:
            raise
        status = INTERRUPTED
        write_error("")  # ends the line in which the terminal shows ^C
        complain(_interrupted_at(run.count))
    writer.end()
    if writer.unchanged and strict:
        return WRONG
    return status


def _interrupted_at(total: Count) -> str:
    if total.place is None:
        return "interrupted before anything was read"
    file, line = total.place
    return f"interrupted at {file}:{line}; only what was read before is counted"


class _Writer:
    """Writes pieces of output, and notes between them.

    Attributes:
        unchanged: how many places were left unchanged, which may be addresses.
    """

    def __init__(self, output: Output) -> None:
        self.unchanged = 0
        self._output = output
        self._places: dict[str, None] = {}  # the first that were left unchanged, each once
        self._write = raw_output()
        self._is_in_line = False

    def write(self, piece: Piece) -> None:
        """Write a piece; nothing with --quiet."""
        self.unchanged += len(piece.unchanged)
        if len(self._places) <= _SHOWN_PLACES:
            self._places |= dict.fromkeys(piece.unchanged)
        if self._output.fields:
            lines = [self._output.line(json.loads(record)) for record in piece.data.splitlines()]
            piece = Piece("".join(lines).encode())
        if piece.data and not self._output.quiet:
            self._write_data(piece)

    def _write_data(self, piece: Piece) -> None:
        at = 0
        for mark in piece.marks:
            self._write(piece.data[at : mark.start])
            sys.stdout.buffer.write(_COLOURS[mark.kind])
            self._write(piece.data[mark.start : mark.end])
            sys.stdout.buffer.write(_NO_COLOUR)
            at = mark.end
        self._write(piece.data[at:])
        sys.stdout.buffer.flush()  # a reader who follows a stream waits for each piece
        self._is_in_line = not piece.data.endswith(b"\n")

    def fail(self, failure: Failure) -> None:
        """Report a file that cannot be read."""
        if self._is_in_line:
            self._write_data(Piece(b"\n"))
        hint = ""
        if isinstance(failure.error, IsADirectoryError):
            hint = "; use --recursive"
        elif isinstance(failure.error, FileNotFoundError) and any(find_addresses(failure.name)):
            hint = "; fdaa explain TEXT reads a text"
        self.note(failure.name, f"{failure.error.strerror or failure.error}{hint}")

    def note(self, name: str, text: str) -> None:
        """Report something about a file, after the results before it."""
        sys.stdout.flush()
        if name == STANDARD_INPUT:
            name = "standard input"
        complain(f"{name}: {text}")

    def end(self) -> None:
        """End the output, and report the places that were left unchanged."""
        self._write(b"")  # the rest of a character that is cut off
        sys.stdout.flush()
        if not self.unchanged:
            return
        shown = list(self._places)[:_SHOWN_PLACES]
        if len(self._places) > _SHOWN_PLACES:
            shown.append("...")
        places = counted(self.unchanged, "place")
        complain(f"{places} left unchanged, which may be addresses: {', '.join(shown)}")


# --- what was counted -----------------------------------------------------------------------------


def _records(
    total: Count, name_of: Callable[[NetworkID], str | None] | None
) -> Iterator[dict[str, object]]:
    for row in total.networks():
        fields = row.to_dict()
        if name_of is not None:
            fields["network_name"] = name_of(row.network_id)
        yield fields


def _table(total: Count, name_of: Callable[[NetworkID], str | None] | None) -> Iterator[str]:
    rows: list[list[str]] = []
    head = ["ID", "matches", "addresses", "first"]
    if name_of is not None:
        head.insert(0, "network")
    for row in total.networks():
        place = printable(f"{row.file}:{row.line}")
        cells = [str(row.network_id), str(row.matches), str(row.addresses), place]
        if name_of is not None:
            cells.insert(0, name_of(row.network_id) or "-")
        rows.append(cells)
    return table(rows, head)
