"""`fdaa scan`: the addresses in any text, and their networks."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import click

from fdaa._support.escapes import as_unicode, inline, printable, quote
from fdaa._support.suggestions import did_you_mean
from fdaa._values.address import NetworkID
from fdaa._values.ends import NETWORK
from fdaa._values.id_text import id_fields
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
from fdaa.scan import Pseudonyms
from fdaa.scan._count import Count
from fdaa.scan._pieces import MarkKind, Piece
from fdaa.scan._report import Filter
from fdaa.scan._run import Converted, Options, Scan, Show
from fdaa.scan._sources import STANDARD_INPUT, Failure
from fdaa.scan._workers import MOST_JOBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fdaa.networks import NetworkMap
    from fdaa.scan import NetworkCount

_LONGEST_SECRET = 65536  # bytes; a longer file is not a secret
_WORTH_A_BAR = 32 * 1024 * 1024  # bytes
_SHOWN_PLACES = 5

_OF_BOTH = ("network_id", "network_id_int", "network_name", "prefix")
_OF_MATCHES = ("file", "line", "column", "text", "kind", "address")
_OF_COUNTS = ("matches", "addresses", "first")

# The colours of grep.
_COLOURS = {
    MarkKind.FILE: b"\x1b[35m",
    MarkKind.LINE_NUMBER: b"\x1b[32m",
    MarkKind.SEPARATOR: b"\x1b[36m",
    MarkKind.MATCH: b"\x1b[1;31m",
}


@click.command()
@click.argument("names", metavar="[FILE|-]...", nargs=-1, type=FILE)
@click.option("-n", "--line-number", is_flag=True, help="Print line numbers.")
@click.option("-c", "--count", is_flag=True, help="Print a table of the networks.")
@click.option("-l", "--files-with-matches", is_flag=True, help="Print the names of files only.")
@click.option("--lines", is_flag=True, help="Print whole lines that have a match.")
@click.option("--annotate", is_flag=True, help="Print all input with [ID] after each address.")
@click.option(
    "--pseudonymize",
    is_flag=True,
    help="Print all text with a pseudonym for each address; one network stays one network.",
)
@click.option(
    "--secret-file",
    metavar="FILE",
    type=FILE,
    help="The secret of the pseudonyms.  [env: FDAA_SECRET: itself; default: random, discarded]",
)
@click.option(
    "wanted",
    "--network",
    metavar="NETWORK",
    multiple=True,
    help="Keep matches on this network: an ID, a name in documents, or self. Repeatable.",
)
@click.option("-v", "--invert-match", is_flag=True, help="With --network, keep all other matches.")
@click.option("-r", "--recursive", is_flag=True, help="Search directories recursively.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), metavar="N", help="Use N processes.")
@documents_options
@output_options(*_OF_MATCHES, *_OF_BOTH, *_OF_COUNTS)
def scan(
    names: tuple[str, ...],
    line_number: bool,
    count: bool,
    wanted: tuple[str, ...],
    invert_match: bool,
    secret_file: str | None,
    recursive: bool,
    jobs: int | None,
    documents: Documents,
    output: Output,
    **shows: bool,
) -> int:
    """Find the private addresses in logs and any other text.

    Each match is printed as address, tab, network ID. A prefix of /48 or longer is a match too.
    Without FILE, or for -, standard input is read. Files compressed with gzip, bzip2 or xz are
    decompressed. With documents, the names of networks are printed, too.

    Exit status: 0 found, 1 nothing found, 2 a file could not be read.

    Examples:
      $ journalctl | fdaa scan
      $ fdaa scan --count --recursive /var/log
      $ fdaa scan --network self --invert-match --lines app.log
      $ fdaa scan --pseudonymize app.log > public.log
    """
    show = _show(shows, output, is_count=count)
    if invert_match and not wanted:
        raise click.UsageError("--invert-match requires --network")
    if not names and not recursive and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("give a file, or text on standard input")
    is_terminal = sys.stdout.isatty()
    name_of = None
    if documents.given:
        from fdaa.explain._known_names import Names  # late, as in `_network_id`

        name_of = Names(documents.networks).name_of
    options = Options(
        show=show,
        keep=Filter(_wanted_ids(wanted, documents.networks), invert_match),
        numbered=line_number,
        with_name=len(names) > 1 or recursive,
        name_of=name_of,
        pseudonyms=_pseudonyms(secret_file) if show is Show.PSEUDONYMIZED else None,
        recursive=recursive,
        jobs=jobs,
        output=_output_file(),
        marked=is_terminal and not os.environ.get("NO_COLOR"),
    )
    names = names or ("." if recursive else STANDARD_INPUT,)
    total = Count(options.keep) if count and not output.quiet else None
    status = _write(Scan(names, options, total), output, bar=count or not is_terminal)
    if total is not None:
        output.show(_records(total, name_of), _table(total, name_of))
        status = YES if status == NO and total.network_ids else status
    return documents.status(status, quiet=output.quiet, is_needed=bool(wanted))


def _show(shows: dict[str, bool], output: Output, *, is_count: bool) -> Show:
    """Return the selected output.

    Raises:
        click.UsageError: several are selected that cannot be combined.
    """
    chosen = ["--" + name.replace("_", "-") for name, is_given in shows.items() if is_given]
    if is_count:
        chosen.append("--count")
    if (output.as_json or output.fields) and chosen != ["--count"]:
        chosen.append("--json" if output.as_json else "--field")
    known = (*_OF_BOTH, *(_OF_COUNTS if is_count else _OF_MATCHES))
    for field in output.fields:
        if field.partition(".")[0] not in known:
            raise click.UsageError(f"{field} is not one of: {', '.join(known)}")
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} cannot be combined")
    if output.quiet or chosen == ["--files-with-matches"]:
        return Show.FILES
    shown = {"--lines": Show.LINES, "--annotate": Show.ANNOTATED}
    shown |= {"--pseudonymize": Show.PSEUDONYMIZED, "--json": Show.RECORDS, "--field": Show.RECORDS}
    return shown.get(chosen[0], Show.MATCHES) if chosen else Show.MATCHES


def _output_file() -> os.stat_result | None:
    """Return the file that standard output is, if it is one."""
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):
        return None


# --- what is given --------------------------------------------------------------------------------


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
    network = networks.by_name(text) if networks is not None else None
    if network is not None and network.network_id is None:
        raise CommandError(f"the ID of network {quote(text)} is not in these documents")
    if network is None or network.network_id is None:
        hint = did_you_mean(text, networks.names) if networks is not None else f". {HOW_TO_GIVE}"
        raise CommandError(f"network {quote(text)} is not in these documents{hint}")
    return network.network_id


def _pseudonyms(file: str | None) -> Pseudonyms:
    """Return the pseudonyms of the given secret, or of a random one.

    Raises:
        click.UsageError: it is empty.
        CommandError: its file cannot be read.
    """
    secret = os.environ.get("FDAA_SECRET", "").encode(errors="surrogateescape")
    if file is not None:
        try:
            with open(file, "rb") as stream:  # noqa: PTH123
                secret = stream.read(_LONGEST_SECRET + 1)
        except OSError as error:
            raise CommandError(f"{inline(file)}: {error.strerror or error}") from None
        secret = secret.removesuffix(b"\n").removesuffix(b"\r")
        if not 0 < len(secret) <= _LONGEST_SECRET:
            raise CommandError(f"{inline(file)}: a secret has 1 to {_LONGEST_SECRET:,} bytes")
    if not secret:
        complain("no secret: a random one is used and discarded; no one can reveal the addresses")
        return Pseudonyms(os.urandom(32))
    pseudonyms = Pseudonyms(secret)
    complain(f"fingerprint of the secret: {pseudonyms.fingerprint}")
    return pseudonyms


# --- what is found --------------------------------------------------------------------------------


def _write(run: Scan, output: Output, *, bar: bool) -> int:
    """Write the output of a scan, and return the exit status.

    After Ctrl-C, what was counted before is printed.
    """
    write = raw_output()
    status = NO
    in_line = False  # whether the last line is not ended
    unchanged = 0
    places: dict[str, None] = {}  # the first that were left unchanged, each once
    has_bar = bar and sys.stderr is not None and sys.stderr.isatty() and run.total > _WORTH_A_BAR
    progress: Any = click.progressbar(length=run.total, file=sys.stderr) if has_bar else None
    try:
        with closing(iter(run)) as events, progress or nullcontext():
            for event in events:
                if isinstance(event, Failure):
                    status = WRONG
                    write(b"\n" * in_line)
                    in_line = False
                    hint = "; use --recursive" if isinstance(event.error, IsADirectoryError) else ""
                    _note(event.name, f"{event.error.strerror or event.error}{hint}")
                elif isinstance(event, Converted):
                    _note(event.name, "UTF-16, printed as UTF-8")
                elif output.quiet and event.found:
                    return YES
                elif not output.quiet:
                    status = YES if event.found and status == NO else status
                    unchanged += len(event.unchanged)
                    if len(places) <= _SHOWN_PLACES:
                        places |= dict.fromkeys(event.unchanged)
                    _write_piece(event, output, write)
                    in_line = not event.data.endswith(b"\n") if event.data else in_line
                if progress is not None:
                    progress.update(run.done - progress.pos)
    except KeyboardInterrupt:
        if run.count is None:
            raise
        status = INTERRUPTED
        place = ":".join(map(str, run.count.place or ("nothing", "-")))
        write_error("")  # ends the line in which the terminal shows ^C
        complain(f"interrupted at {place}; only what was read before is counted")
    write(b"")  # the rest of a character that is cut off
    sys.stdout.flush()
    if unchanged:
        shown = list(places)[:_SHOWN_PLACES] + ["..."] * (len(places) > _SHOWN_PLACES)
        number = counted(unchanged, "place")
        complain(f"{number} left unchanged, which may be addresses: {', '.join(shown)}")
    return status


def _write_piece(piece: Piece, output: Output, write: Callable[[bytes], object]) -> None:
    data = piece.data
    if output.fields:
        data = "".join(output.line(json.loads(line)) for line in data.splitlines()).encode()
    at = 0
    for mark in piece.marks:
        write(data[at : mark.start])
        sys.stdout.buffer.write(_COLOURS[mark.kind])
        write(data[mark.start : mark.end])
        sys.stdout.buffer.write(b"\x1b[0m")
        at = mark.end
    if data:
        write(data[at:])
        sys.stdout.buffer.flush()  # a reader who follows a stream waits for each piece


def _note(name: str, text: str) -> None:
    sys.stdout.flush()
    complain(f"{'standard input' if name == STANDARD_INPUT else name}: {text}")


def _records(
    total: Count, name_of: Callable[[NetworkID], str | None] | None
) -> Iterator[dict[str, object]]:
    for row in total.networks():
        fields: dict[str, object] = {
            **id_fields(row.network_id),
            "prefix": str(row.network_id.prefix),
            "matches": row.matches,
            "addresses": row.addresses,
            "first": {"file": as_unicode(row.file), "line": row.line},
        }
        if name_of is not None:
            fields["network_name"] = name_of(row.network_id)
        yield fields


def _table(total: Count, name_of: Callable[[NetworkID], str | None] | None) -> Iterator[str]:
    """Yield the counts line by line, as there may be a million networks."""
    first: NetworkCount | None = None
    for row in total.networks():
        if first is None:
            first = row  # it has the largest numbers
            ids = list(map(NetworkID, total.network_ids))
            longest = max(len(str(network_id)) for network_id in ids)
            names = max((len(name_of(each) or "-") for each in ids), default=0) if name_of else 0
            width = max(len(str(row.matches)), len("matches"))
            format_ = f"{{0!s:{longest}}}  {{1:<{width}}}  {{2:<9}}  {{3}}"
            if name_of is not None:
                format_ = f"{{4:{max(names, len('network'))}}}  {format_}"
            yield format_.format("ID", "matches", "addresses", "first", "network")
        name = (name_of(row.network_id) if name_of is not None else None) or "-"
        place = printable(f"{row.file}:{row.line}")
        yield format_.format(row.network_id, row.matches, row.addresses, place, name)
