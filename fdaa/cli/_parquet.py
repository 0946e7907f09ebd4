"""`fdaa book list --parquet`: a book as a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow
import pyarrow.parquet

if TYPE_CHECKING:
    from fdaa.networks import Entry


def write_parquet(entries: list[Entry], file: str) -> None:
    """Write a row for each entry, with the columns of the CSV: name, ID as a number, and the /48.

    Raises:
        OSError: the file cannot be written.
    """
    types = {
        "network_name": pyarrow.string(),
        "network_id_int": pyarrow.uint32(),
        "prefix": pyarrow.string(),
    }
    rows = [entry.to_dict() for entry in entries]
    table = pyarrow.Table.from_pylist(rows, pyarrow.schema(types))
    pyarrow.parquet.write_table(table, file)
