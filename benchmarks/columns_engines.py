"""Who counts a column's rows by network, in which engine and how."""

from __future__ import annotations

import ipaddress
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import chdb.session
import duckdb
import pandas as pd
import polars as pl
import polars_iptools
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf

import fdaa.columns.polars  # noqa: F401 - it adds `.fdaa` to expressions
from benchmarks import columns_careful as careful
from fdaa.columns import sql
from fdaa.columns.arrow import find, network_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    _Read = Callable[[Any], Any]

FDAA = "fdaa"
CAREFUL = "careful expression"
OWN = "its own functions"
NAIVE = "naive expression"
ROW_BY_ROW = "ipaddress, row by row"

ONE_CORE = "Spark, 1 core"

_CUT = "^fdaa:([0-9a-f]+:[0-9a-f]+):"


class Contestant(NamedTuple):
    """One way in one engine.

    Args:
        count_networks: reads a file and counts its rows by network; what it returns is thrown away.
        answers: an Arrow column of the answer for each row: an ID, a text as `2:45b`, or nothing.
    """

    engine: str
    name: str
    count_networks: Callable[[str], object]
    answers: Callable[[str], Any] | None = None


def by_ipaddress(text: str) -> int | None:
    """Return the network ID as people do who know no fdaa."""
    try:
        address = int(ipaddress.IPv6Address(text))
    except ValueError:
        return None
    return address >> 80 & 0xFFFFFFFF if address >> 112 == 0xFDAA else None


def without_spark() -> list[Contestant]:
    """Return the contestants of all engines but Spark."""
    return [*_duckdb(), *_clickhouse(), *_polars(), *_arrow(), *_pandas()]


def _duckdb() -> list[Contestant]:
    connection = duckdb.connect()
    connection.execute(sql("duckdb"))
    connection.create_function(
        "by_ipaddress", by_ipaddress, ["VARCHAR"], "UINTEGER", null_handling="special"
    )
    one = connection.cursor()
    ways = {
        FDAA: "fdaa_network_id(ip)",
        CAREFUL: careful.DUCKDB,
        NAIVE: f"regexp_extract(ip, '{_CUT}', 1)",
        ROW_BY_ROW: "by_ipaddress(ip)",
    }

    def counting(way: str) -> Callable[[str], object]:
        query = f"SELECT {way} AS network, count(*) FROM '%s' GROUP BY network"
        return lambda file: one.execute(query % file).fetchall()

    def answering(way: str) -> Callable[[str], Any]:
        query = f"SELECT {way} AS network FROM '%s'"
        return lambda file: one.execute(query % file).to_arrow_table()["network"]

    return [Contestant("DuckDB", name, counting(way), answering(way)) for name, way in ways.items()]


def _clickhouse() -> list[Contestant]:
    session = chdb.session.Session()
    session.query(sql("clickhouse"))
    ways = {
        FDAA: "fdaa_network_id(ip)",
        CAREFUL: careful.CLICKHOUSE,
        OWN: careful.CLICKHOUSE_OWN,
        NAIVE: f"extract(ip, '{_CUT}')",
    }

    def counting(way: str) -> Callable[[str], object]:
        query = f"SELECT {way} AS network, count() FROM file('%s') GROUP BY network"
        return lambda file: session.query(query % file, "Arrow").bytes()

    def answering(way: str) -> Callable[[str], Any]:
        def answers(file: str) -> Any:
            ordered = "SETTINGS max_threads = 1, input_format_parquet_preserve_order = 1"
            query = f"SELECT {way} AS network FROM file('{file}') {ordered}"
            data = session.query(query, "Arrow").bytes()
            return pa.ipc.open_file(data).read_all()["network"]

        return answers

    return [
        Contestant("ClickHouse", name, counting(way), answering(way)) for name, way in ways.items()
    ]


def _polars() -> list[Contestant]:
    ip: Any = pl.col("ip")  # a type checker does not see what is registered in Polars
    packed = polars_iptools.to_address(ip).ext.storage()
    is_private = packed.bin.starts_with(b"\xfd\xaa")
    cut = packed.bin.slice(2, 4).bin.reinterpret(dtype=pl.UInt32, endianness="big")
    ways = {
        FDAA: ip.fdaa.network_id(),
        CAREFUL: _careful_polars(),
        NAIVE: ip.str.extract(_CUT, 1),
        OWN: pl.when(is_private).then(cut),
        ROW_BY_ROW: ip.map_elements(by_ipaddress, pl.UInt32),
    }

    def counting(way: pl.Expr) -> Callable[[str], object]:
        return lambda file: pl.scan_parquet(file).group_by(way.alias("network")).len().collect()

    def answering(way: pl.Expr) -> Callable[[str], Any]:
        return lambda file: pl.scan_parquet(file).select(way).collect().to_series().to_arrow()

    return [Contestant("Polars", name, counting(way), answering(way)) for name, way in ways.items()]


def _careful_polars() -> pl.Expr:
    """Return what `columns_careful` has for databases, as an expression."""
    ip = pl.col("ip")
    colons = ip.str.count_matches(":", literal=True)
    is_short = ip.str.contains(careful.SHORT).and_(colons <= 7)
    is_short_quad = ip.str.contains(careful.SHORT_QUAD).and_(colons <= 6)
    head = ip.str.splitn("::", 2).struct.field("field_0")
    return (
        pl.when(ip.str.contains(careful.COUNTED))
        .then(_id_of_parts(ip))
        .when(is_short.or_(is_short_quad))
        .then(_id_of_parts(head))
    )


def _id_of_parts(text: pl.Expr) -> pl.Expr:
    parts = text.str.split_exact(":", 3).struct
    numbers = []
    for field in ("field_1", "field_2"):
        number = parts.field(field).str.to_integer(base=16, strict=False)
        numbers.append(number.fill_null(0))
    return (numbers[0] * 65536 + numbers[1]).cast(pl.UInt32, strict=False)


def _arrow() -> list[Contestant]:
    def column(file: str) -> Any:
        return pq.read_table(file)["ip"]

    def entries(file: str) -> Any:
        return pq.read_table(file, read_dictionary=["ip"])["ip"]

    def loop(texts: Any) -> Any:
        return pa.array(map(by_ipaddress, texts.to_pylist()), pa.uint32())

    def contestant(engine: str, name: str, read: _Read, way: _Read) -> Contestant:
        return Contestant(
            engine,
            name,
            lambda file: pc.value_counts(way(read(file))),
            lambda file: way(read(file)),
        )

    return [
        contestant("Arrow", FDAA, column, network_ids),
        contestant("Arrow", ROW_BY_ROW, column, loop),
        contestant("Arrow, a dictionary", FDAA, entries, network_ids),
    ]


def _pandas() -> list[Contestant]:
    def ids(texts: pd.Series) -> pd.Series:
        return pd.Series(network_ids(texts).to_pandas(types_mapper=lambda _: pd.UInt32Dtype()))

    def contestant(name: str, way: Callable[[pd.Series], pd.Series]) -> Contestant:
        return Contestant(
            "pandas", name, lambda file: way(pd.read_parquet(file)["ip"]).value_counts()
        )

    return [
        contestant(FDAA, ids),
        contestant(NAIVE, lambda texts: texts.str.extract(_CUT, expand=False)),
        contestant(ROW_BY_ROW, lambda texts: texts.map(by_ipaddress)),
    ]


def spark(cores: int) -> tuple[list[Contestant], SparkSession]:
    """Return Spark's contestants, on one core fdaa's alone, and the session, to be stopped."""
    session = _session(cores)
    ways = {
        FDAA: "fdaa_network_id(ip)",
        CAREFUL: careful.SPARK,
        NAIVE: f"regexp_extract(ip, r'{_CUT}')",
        ROW_BY_ROW: "by_ipaddress(ip)",
    }

    def counting(way: str) -> Callable[[str], object]:
        def count(file: str) -> object:
            networks = session.read.parquet(file).selectExpr(f"{way} AS network")
            return networks.groupBy("network").count().toArrow()

        return count

    def answering(way: str) -> Callable[[str], Any]:
        def answers(file: str) -> Any:
            networks = session.read.parquet(file).coalesce(1).selectExpr(f"{way} AS network")
            return networks.toArrow()["network"]

        return answers

    engine = f"Spark, {cores} cores"
    if cores == 1:
        engine = ONE_CORE
        ways = {FDAA: ways[FDAA]}
    contestants = [
        Contestant(engine, name, counting(way), answering(way)) for name, way in ways.items()
    ]
    return contestants, session


def _session(cores: int) -> SparkSession:
    """Return a session of Spark that has every function that is called in it."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "3g",
        "spark.sql.shuffle.partitions": str(cores),
        "spark.sql.files.maxPartitionBytes": "16m",
    }
    builder = SparkSession.builder.master(f"local[{cores}]")
    session = builder.config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for statement in sql("spark").split("\n\n"):
        session.sql(statement)
    session.udf.register("by_ipaddress", udf(by_ipaddress, "bigint"))
    return session


def count_in_logs(session: SparkSession, directory: Path) -> object:
    """Count the addresses in text files by network, as `docs/columns.md` does."""

    def network_ids_in(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = find(batch["value"]).flatten()
            yield pa.record_batch({"id": found.field("network_id").cast("int64")})

    found = session.read.text(str(directory)).mapInArrow(network_ids_in, "id bigint")
    return found.groupBy("id").count().collect()
