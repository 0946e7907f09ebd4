"""Columns that hold 16 bytes, IDs as text, and addresses inside text, against the plain ways.

It is a part of `python -m benchmarks.columns`. Each row is CPU seconds of one process, the best of
the rounds, so that a busy machine changes little; what is read is in memory. The answers are
compared first: each column with the numbers that were drawn, each list with that of
`find_addresses`.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from chdb.session import Session

import fdaa.columns.polars
from benchmarks import columns_inputs, scan_logs
from fdaa import Address
from fdaa.columns import sql
from fdaa.columns.arrow import find, network_ids, networks, pseudonymize
from fdaa.scan import Pseudonyms, find_addresses

# Private: each round begins as a new process does, without the addresses of the last one.
from fdaa.scan._rows import _found as _remembered

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = b"\xfd\xaa"
_LINES = 300_000


class Pair(NamedTuple):
    """Two ways to the same, of which the second one is the plain way.

    Args:
        wanted: times the cost of the plain way, at most; below 1 it is a gain.
    """

    name: str
    plain: str
    run: Callable[[], object]
    run_plain: Callable[[], object]
    wanted: float


def table(file: Path, rounds: int) -> str:
    """Return the table of all pairs; of those with one name, the one with the worst ratio.

    Args:
        file: Parquet, with a column `ip` of texts.
        rounds: how often each is timed.
    """
    texts = pq.read_table(file)["ip"]
    rng = random.Random(columns_inputs.SEED)
    packed = pa.array([_PREFIX + rng.randbytes(14) for _ in range(len(texts))], pa.binary(16))
    pairs = [*_packed(packed), *_written(texts), _hidden(texts), *_found()]
    worst: dict[str, tuple[float, str]] = {}
    for pair in pairs:
        ours = _fastest(pair.run, rounds)
        theirs = _fastest(pair.run_plain, rounds)
        ratio = ours / theirs
        row = _row(pair, ours, theirs)
        print(row, file=sys.stderr)
        worst[pair.name] = max(worst.get(pair.name, (0.0, "")), (ratio, row))
    title = f"{len(texts):,} rows in memory, and {_LINES:,} lines of logs; CPU seconds"
    heads = "| form | plain way | seconds | plain | ratio | goal, at most | met |"
    rows = [row for _, row in worst.values()]
    return "\n".join([title, "", heads, "|---|---|---|---|---|---|---|", *rows])


def _row(pair: Pair, ours: float, theirs: float) -> str:
    ratio = ours / theirs
    met = "no"
    if round(ratio, 2) <= pair.wanted:
        met = "yes"
    seconds = f"{ours:.2f} | {theirs:.2f} | {ratio:.2f}"
    return f"| {pair.name} | {pair.plain} | {seconds} | {pair.wanted:.2g} | {met} |"


def _fastest(run: Callable[[], object], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def _packed(column: Any) -> list[Pair]:
    """Return the pairs for 16 bytes a row: rows are counted by network."""
    right = [int.from_bytes(value[2:6]) for value in column.slice(0, 10_000).to_pylist()]
    assert network_ids(column)[:10_000].to_pylist() == right
    binary = column.cast(pa.binary())
    arrow = Pair(
        "Arrow, `binary(16)`",
        "`binary_slice`",
        lambda: pc.value_counts(network_ids(column)),
        lambda: pc.value_counts(pc.binary_slice(column, 2, 6)),
        1.5,
    )
    return [_polars(binary, right), _duckdb(binary, right), *_clickhouse(len(column)), arrow]


def _polars(binary: Any, right: list[int]) -> Pair:
    frame = pl.DataFrame({"ip": pl.from_arrow(binary)})
    ip: Any = pl.col("ip")  # a type checker does not see what is registered in Polars
    cut = ip.bin.slice(2, 4).bin.reinterpret(dtype=pl.UInt32, endianness="big")
    assert frame.select(ip.fdaa.network_id())["ip"].head(len(right)).to_list() == right

    def by(way: pl.Expr) -> Callable[[], object]:
        return lambda: frame.lazy().group_by(way.alias("n")).len().collect()

    plain = "`bin.slice`, `bin.reinterpret`"
    return Pair("Polars, `Binary`", plain, by(ip.fdaa.network_id()), by(cut), 1.5)


def _duckdb(binary: Any, right: list[int]) -> Pair:
    connection = duckdb.connect()
    connection.execute(sql("duckdb"))
    connection.register("given", pa.table({"ip": binary}))
    connection.execute("CREATE TABLE packed AS SELECT * FROM given")
    first = connection.execute(f"SELECT fdaa_network_id(ip) FROM packed LIMIT {len(right)}")
    assert [network_id for (network_id,) in first.fetchall()] == right

    def by(way: str) -> Callable[[], object]:
        query = f"SELECT {way} AS n, count(*) FROM packed GROUP BY n"
        return lambda: connection.execute(query).fetchall()

    cut = "ip[3:6]::BIT::UINTEGER"
    return Pair("DuckDB, `BLOB`", f"`{cut}`", by("fdaa_network_id(ip)"), by(cut), 1.5)


def _clickhouse(rows: int) -> list[Pair]:
    session = Session()
    session.query(sql("clickhouse"))
    drawn = "unhex(concat('FDAA', hex(rand64(1)), hex(rand64(2))))"
    made = f"toFixedString(substring({drawn}, 1, 16), 16)"
    session.query(
        f"CREATE TABLE packed ENGINE=Memory AS SELECT {made} AS fixed,"
        f" CAST(fixed AS IPv6) AS ip FROM numbers({rows})"
    )
    bits = "toUInt32(bitAnd(bitShiftRight(toUInt128(ip), 80), 0xFFFFFFFF))"
    cut = "reinterpretAsUInt32(reverse(substring(fixed, 3, 4)))"
    for ours, theirs in (("ip", bits), ("fixed", cut)):
        wrong = session.query(
            f"SELECT countIf(fdaa_network_id({ours}) != {theirs}) FROM packed", "TSV"
        )
        assert wrong.bytes() == b"0\n"

    def by(way: str) -> Callable[[], object]:
        return lambda: session.query(
            f"SELECT {way} AS n, count() FROM packed GROUP BY n FORMAT Null"
        )

    return [
        Pair("ClickHouse, `IPv6`", "`bitShiftRight`", by("fdaa_network_id(ip)"), by(bits), 1.5),
        Pair(
            "ClickHouse, `FixedString(16)`",
            "`substring`",
            by("fdaa_network_id(fixed)"),
            by(cut),
            1.5,
        ),
    ]


def _written(texts: Any) -> list[Pair]:
    """Return the pairs for IDs as text beside the number."""
    frame = pl.DataFrame({"ip": pl.from_arrow(texts)})
    column: Any = pl.col("ip")
    ip = column.fdaa
    right = [
        None if each is None else str(fdaa.NetworkID(each))
        for each in network_ids(texts[:10_000]).to_pylist()
    ]
    assert networks(texts[:10_000]).to_pylist() == right
    assert frame.head(10_000).select(ip.network())["ip"].to_list() == right
    series = texts.to_pandas()
    return [
        Pair(
            "Polars, `network`",
            "`network_id`",
            lambda: frame.select(ip.network()),
            lambda: frame.select(ip.network_id()),
            2,
        ),
        Pair(
            "Arrow, `networks`",
            "`network_ids`",
            lambda: networks(texts),
            lambda: network_ids(texts),
            2,
        ),
        Pair(
            "pandas, `networks`",
            "`network_ids`",
            lambda: networks(series).to_pandas(),
            lambda: network_ids(series).to_pandas(),
            2,
        ),
    ]


def _found() -> list[Pair]:
    """Return the pairs for lines with an address in one of 100, of 3, or in each."""
    pairs = []
    with tempfile.TemporaryDirectory() as directory:
        for kind in scan_logs.LINES_FOR_ONE:
            log = scan_logs.write(Path(directory), kind, (20_000, 100_000), 40_000_000)
            pairs += _finding(log.path.read_text().splitlines()[:_LINES])
    rng = random.Random(columns_inputs.SEED)
    addresses = (Address.from_bytes(_PREFIX + rng.randbytes(14)) for _ in range(_LINES))
    return pairs + _finding([f"dial [{address}]:80" for address in addresses])


def _finding(texts: list[str]) -> list[Pair]:
    lines = pa.array(texts)
    type_ = find(lines).type
    assert find(lines[:10_000]).to_pylist() == _loop(lines[:10_000], type_).to_pylist()

    def run() -> object:
        _remembered.clear()
        return find(lines)

    plain = "loop over `find_addresses`"
    pair = Pair("Arrow, `find`", plain, run, lambda: _loop(lines, type_), 1 / 3)
    return [pair, _counting(pl.DataFrame({"line": texts}))]


def _counting(frame: pl.DataFrame) -> Pair:
    """Return the pair for a count by network of what is in lines."""
    column: Any = pl.col("line")
    line = column.fdaa
    network_id = pl.element().struct.field("network_id")

    def count(ids: pl.Expr) -> pl.DataFrame:
        _remembered.clear()
        found = frame.lazy().select(n=ids).explode("n")
        return found.group_by("n").len().sort("n").collect()

    def native() -> pl.DataFrame:
        return count(line.find_network_ids())

    def by_find() -> pl.DataFrame:
        return count(line.find().list.eval(network_id))

    assert native().equals(by_find())
    return Pair("Polars, `find_network_ids`", "`find`", native, by_find, 0.4)


def _hidden(texts: Any) -> Pair:
    """Return the pair for pseudonyms of addresses."""
    pseudonyms = Pseudonyms(b"a secret")
    some = texts[:_LINES]

    def by_row() -> list[str]:
        return [str(pseudonyms.hide(Address(text))) for text in some.to_pylist()]

    assert pseudonymize(some[:1000], pseudonyms).to_pylist() == by_row()[:1000]
    return Pair(
        "Arrow, `pseudonymize`",
        "`hide` for each row",
        lambda: pseudonymize(some, pseudonyms),
        by_row,
        0.6,
    )


def _loop(lines: Any, kind: Any) -> Any:
    """Return what `find` returns, made by a call for each row."""
    return pa.array(
        [[_as_row(match) for match in find_addresses(line)] for line in lines.to_pylist()], kind
    )


def _as_row(match: Any) -> dict[str, Any]:
    network_id = match.value.network_id
    return {
        "kind": "address",
        "address": str(match.value),
        "network_id": int(network_id),
        "prefix": str(network_id.prefix),
        "start": match.start,
    }
