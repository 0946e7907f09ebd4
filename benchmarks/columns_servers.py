"""Databases with a format of their own: PostgreSQL, MariaDB and SQLite, each with a table of texts.

The first rows of a file are copied in once. The servers are those of the tests.
"""

from __future__ import annotations

import socket
import sqlite3
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import columns_careful as careful
from benchmarks.columns_engines import CAREFUL, FDAA, NAIVE, OWN, Contestant
from fdaa.columns import sql
from fdaa.columns.sqlite import register

sys.path.append(str(Path(__file__).parent.parent / "tests" / "support"))
import mariadb_server
import sql_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 300_000  # at most: MariaDB takes some microseconds for each
_CUT = "^fdaa:([0-9a-f]+:[0-9a-f]+):"


def _five_lines(text: str) -> int | None:
    """Return the network ID, as people do who know inet_pton."""
    try:
        packed = socket.inet_pton(socket.AF_INET6, text)
    except (OSError, TypeError):
        return None
    return int.from_bytes(packed[2:6]) if packed.startswith(b"\xfd\xaa") else None


@contextmanager
def contestants() -> Iterator[list[Contestant]]:
    """Yield the contestants, while their servers run."""
    mariadb_of_tests = mariadb_server.server()
    with sql_servers.cluster() as variables:

        def in_postgresql(script: str) -> str:
            return sql_servers.psql(f"SET max_parallel_workers_per_gather = 0;{script}", variables)

        def in_mariadb(script: str) -> str:
            return mariadb_of_tests.run(script)

        in_postgresql(sql("postgresql"))
        in_mariadb(sql("mariadb"))
        postgresql = {
            FDAA: "fdaa_network_id(ip)",
            CAREFUL: careful.POSTGRESQL,
            NAIVE: f"substring(ip from '{_CUT}')",
        }
        mariadb = {
            FDAA: "fdaa_network_id(ip)",
            CAREFUL: careful.MARIADB,
            OWN: careful.MARIADB_OWN,
            NAIVE: "substring_index(substring_index(ip, ':', 3), ':', -2)",
        }
        yield [
            *_of_server("PostgreSQL", postgresql, in_postgresql, _copy_postgresql),
            *_of_server("MariaDB", mariadb, in_mariadb, _copy_mariadb),
            *_sqlite(),
        ]


def _texts(file: str) -> list[str]:
    """Return the first texts, without those that would need escapes."""
    column = pq.read_table(file)["ip"][:ROWS]
    return [text.replace("\n", " ") for text in column.to_pylist()]


def _copy_postgresql(texts: list[str], run: Callable[[str], str]) -> None:
    lines = "\n".join(f"{i}\t{text}" for i, text in enumerate(texts))
    run("DROP TABLE IF EXISTS t; CREATE TABLE t (i int, ip text)")
    run(f"COPY t FROM STDIN;\n{lines}\n\\.\n")


def _copy_mariadb(texts: list[str], run: Callable[[str], str]) -> None:
    run("DROP TABLE IF EXISTS t; CREATE TABLE t (i int primary key, ip varchar(100))")
    for start in range(0, len(texts), 10_000):
        rows = ",".join(
            f"({start + i},'{ip}')" for i, ip in enumerate(texts[start : start + 10_000])
        )
        run(f"INSERT INTO t VALUES {rows}")


def _of_server(
    engine: str,
    ways: dict[str, str],
    run: Callable[[str], str],
    copy: Callable[[list[str], Callable[[str], str]], None],
) -> list[Contestant]:
    """Return the contestants of a server; a file is copied in when the first one reads it."""
    copied: list[str] = []

    def prepare(file: str) -> None:
        if copied != [file]:
            copy(_texts(file), run)
            copied[:] = [file]

    def counting(way: str) -> Callable[[str], object]:
        query = f"SELECT {way} AS n, count(*) FROM t GROUP BY n"
        return lambda _: run(query)

    def answering(way: str) -> Callable[[str], Any]:
        def answers(file: str) -> Any:
            prepare(file)
            return _numbers(run(f"SELECT {way} FROM t ORDER BY i").split("\n")[:-1])

        return answers

    return [Contestant(engine, name, counting(way), answering(way)) for name, way in ways.items()]


def _numbers(lines: list[str]) -> Any:
    """Return an Arrow column of what a client has printed: IDs, or their texts."""
    cells = [None if line in ("", "NULL") else line for line in lines]
    if any(cell is not None and not cell.isdecimal() for cell in cells):
        return pa.array(cells, pa.string())
    return pa.array([None if cell is None else int(cell) for cell in cells], pa.int64())


def _sqlite() -> list[Contestant]:
    connection = sqlite3.connect(":memory:")
    register(connection)
    connection.create_function("five_lines", 1, _five_lines, deterministic=True)

    def run(script: str) -> str:
        rows = connection.execute(script).fetchall()
        return "".join(f"{'' if row[0] is None else row[0]}\n" for row in rows)

    def copy(texts: list[str], _: Callable[[str], str]) -> None:
        connection.executescript("DROP TABLE IF EXISTS t; CREATE TABLE t (i INTEGER, ip TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", enumerate(texts))

    ways = {FDAA: "fdaa_network_id(ip)", CAREFUL: "five_lines(ip)"}
    return _of_server("SQLite", ways, run, copy)
