"""Tables for databases and data frames: --csv and --parquet, the same for every command."""

from __future__ import annotations

import csv
import os
import sys
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from fdaa._support.atomic_files import replace_file
from fdaa._support.escapes import printable, quote
from fdaa._support.extras import needs_extra
from fdaa.cli._options import FILE
from fdaa.cli._statuses import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fdaa.cli._records import Records

    Cell: TypeAlias = str | int | bytes | None


class TableOutput:
    """Writes a table as --csv or --parquet asks; false if neither is given.

    In CSV, non-printable characters in text are escaped, as by --field; Parquet has text as it is.
    None is an empty cell in CSV, and null in Parquet. A key, of 16 bytes, is in Parquet only: no
    text of CSV is loaded as bytes by all databases, and PostgreSQL loads hex digits as characters.

    Args:
        as_csv: write CSV to standard output, as RFC 4180, but lines end in LF, as the tools of a
            shell need it.
        parquet: the Parquet file to write.
    """

    def __init__(self, as_csv: bool = False, parquet: str | None = None) -> None:
        self.as_csv = as_csv
        self.parquet = parquet

    def __bool__(self) -> bool:
        return self.as_csv or self.parquet is not None

    def write(
        self,
        columns: tuple[str, ...],
        rows: Iterable[tuple[Cell, ...]],
        *,
        inputs: Iterable[str],
        quiet: bool,
    ) -> None:
        """Write a table.

        Args:
            columns: their names, which are those of the fields in JSON.
            rows: the cells of each row.
            inputs: the files that were read, which must not be overwritten; `-` is standard input.
            quiet: write nothing to standard output; a file is written all the same.

        Raises:
            CommandError: the file is an input, or cannot be written; it is unchanged.
        """
        if self.parquet is not None:
            _check_is_no_input(self.parquet, inputs)
            _write_parquet(columns, list(rows), self.parquet)
        elif not quiet:
            shown = [number for number, name in enumerate(columns) if name != "key"]
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow([columns[number] for number in shown])
            for row in rows:
                writer.writerow([_in_csv(row[number]) for number in shown])


def _in_csv(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return printable(cell)
    return cell


def _in_parquet(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return cell.encode(errors="backslashreplace").decode()  # a lone surrogate is no UTF-8
    return cell


def _check_is_no_input(file: str, inputs: Iterable[str]) -> None:
    if not Path(file).is_file():
        return
    for name in inputs:
        source: str | int = 0 if name == "-" else name
        with suppress(OSError):  # it could not be read either
            if os.path.samefile(file, source):  # noqa: PTH121 - Path's own takes no descriptor
                raise CommandError(f"{quote(file)}: the input file is also the output")


def _write_parquet(columns: tuple[str, ...], rows: list[tuple[Cell, ...]], file: str) -> None:
    data = _as_parquet(columns, rows)
    path = Path(file)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device must not be replaced
            path.write_bytes(data)
        else:
            replace_file(path, data)
    except OSError as error:
        raise CommandError(f"{quote(file)}: {error.strerror or error}") from None


def _as_parquet(columns: tuple[str, ...], rows: list[tuple[Cell, ...]]) -> bytes:
    try:
        with needs_extra("--parquet", "arrow"):
            import pyarrow as pa  # late: an extra, and large
            import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    types = {"network_id_int": pa.uint32(), "key": pa.binary(16)}  # the others are text
    arrays = []
    for number, name in enumerate(columns):
        cells = [_in_parquet(row[number]) for row in rows]
        arrays.append(pa.array(cells, types.get(name, pa.string())))
    stream = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.Table.from_arrays(arrays, columns), stream)
    data: bytes = stream.getvalue().to_pybytes()
    return data


def table_options(text: str) -> Callable[..., Any]:
    """Return a decorator that adds --csv and --parquet, passed to the command as `table`.

    It belongs below `record_options`, as it refuses --json and --field beside them.

    Args:
        text: the help of --csv.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("as_csv", "--csv", is_flag=True, help=text)
        @click.option(
            "--parquet",
            metavar="FILE",
            type=FILE,
            help="Write this table as a Parquet file; needs pyarrow (fdaa[arrow]).",
        )
        @wraps(command)
        def with_table(
            *, as_csv: bool, parquet: str | None, records: Records, **options: Any
        ) -> Any:
            given = [bool(records), as_csv, parquet is not None]
            if given.count(True) > 1:
                raise click.UsageError("--json, --field, --csv and --parquet cannot be combined")
            if parquet == "-":
                raise click.UsageError("--parquet needs a file; /dev/stdout is standard output")
            return command(records=records, table=TableOutput(as_csv, parquet), **options)

        return with_table

    return decorate
