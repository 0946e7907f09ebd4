"""Addresses inside the text of a column: what `find_addresses` finds in each row."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from column_texts import hard_texts, in_kind
from command import invoke
from scan_rows import ROWS
from sql_engines import need, need_java

import fdaa
from fdaa.columns import sql
from fdaa.scan import Pseudonyms, find_addresses

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.engines
EDGES = [
    "",
    None,
    "fdaa::1",
    "\nfdaa::1\n\nfdaa:0:18::/48\n",
    "12:fdaa::3",
    "caf\xe9 fdaa::1 \u65e5\u672c \U0001f600 fdaa:0:2::3",
    "\xe9fdaa::1\xe9 \u0130 fdaa::2",
    "a" * 1_000_000 + " fdaa:2:45b::3 " + "\xe9" * 1000 + " fdaa:2:45b::4",
    " ".join(f"fdaa:0:{i:x}::1" for i in range(5000)),
    "fdaa:",
    ":fdaa::1",
    "fdaa::1\x00fdaa::2",
]


def rows() -> list[str | None]:
    """Return lines of logs, edges, hard texts, and pairs of them in one row; some are null."""
    rng = random.Random(4291)
    texts = [text for text, _, _ in ROWS]
    mixed = [rng.choice((" ", "\n", "")).join(rng.sample(texts, 2)) for _ in range(2000)]
    return [*EDGES, *texts, *hard_texts(), *mixed, None]


Row = list[dict[str, Any]]


def in_each(texts: list[Any]) -> list[Row | None]:
    """Return what a loop finds."""
    return [
        None
        if text is None
        else [
            {
                "address": str(getattr(match.value, "address", match.value)),
                "network_id": int(match.value.network_id),
                "start": match.start,
                "prefix_length": getattr(match.value, "length", None),
            }
            for match in find_addresses(text)
        ]
        for text in texts
    ]


def as_bytes() -> list[bytes | None]:
    """Return the rows as bytes, and some that are not UTF-8."""
    encoded = [None if row is None else row.encode() for row in rows()]
    return [*encoded, b"\xff fdaa::1 \xfe", b"\xfffdaa::1\xff", b"fdaa::1\xc3"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_arrow_finds_in_strings_what_a_loop_finds(pa: Any, arrow: Any, kind: str) -> None:
    found = arrow.find(in_kind(pa.array(rows() * 2), kind))
    found.validate(full=True)
    assert found.to_pylist() == in_each(rows() * 2)
    types = {"address": pa.large_string(), "network_id": pa.uint32(), "start": pa.int64()}
    assert found.type == pa.large_list(pa.struct({**types, "prefix_length": pa.uint8()}))


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_arrow_finds_in_binary_what_a_loop_finds(pa: Any, arrow: Any, kind: str) -> None:
    column = pa.array(as_bytes(), getattr(pa, kind)())
    assert arrow.find(column).to_pylist() == in_each(as_bytes())
    assert arrow.find(column[7:30]).to_pylist() == in_each(as_bytes()[7:30])


def test_arrow_finds_in_chunks(pa: Any, arrow: Any) -> None:
    chunks = pa.chunked_array([rows()[:40], [], rows()[40:90], [None, ""]], pa.string())
    assert arrow.find(chunks).to_pylist() == in_each(chunks.to_pylist())
    assert arrow.find(pa.chunked_array([], pa.string())).to_pylist() == []


def test_a_string_that_is_not_utf8_is_searched_with_replacement_characters(
    pa: Any, arrow: Any
) -> None:
    column = pa.array([b"ok fdaa::1", b"\xff\xff fdaa:0:2::3", None]).view(pa.string())
    texts = ["ok fdaa::1", "\ufffd\ufffd fdaa:0:2::3", None]
    assert arrow.find(column).to_pylist() == in_each(texts)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_finds_what_a_loop_finds(pl: Any, engine: Any) -> None:
    for values in (rows(), as_bytes()):
        frame = pl.LazyFrame({"line": values})
        found = frame.select(pl.col("line").fdaa.find()).collect(engine=engine)
        assert found["line"].to_list() == in_each(values)
    assert pl.Series("x", rows())[:40].fdaa.find().to_list() == in_each(rows()[:40])


def test_the_first_address_of_a_dirty_cell_is_an_expression_away(pl: Any) -> None:
    cells = [" [fdaa:2:45b::3]:80", "fdaa:2:45b::4%eth0", "fdaa:0:18::1, 10.0.0.1", "-", None]
    found = pl.Series("ip", cells).to_frame().select(pl.col("ip").fdaa.find().list.first())
    ids = found["ip"].struct.field("network_id").to_list()
    assert ids == [0x2045B, 0x2045B, 0x18, None, None]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_pseudonyms_of_a_column_are_those_of_its_texts(pa: Any, arrow: Any, kind: str) -> None:
    pseudonyms = Pseudonyms(b"a key")
    column = in_kind(pa.array(rows()), kind)
    hidden = arrow.pseudonymize(column, b"a key")
    hidden.validate(full=True)
    assert arrow.pseudonymize(column, "a key").equals(hidden)
    right = [None if row is None else pseudonyms.hide_text(row) for row in rows()]
    assert hidden.to_pylist() == right
    assert hidden.type == pa.large_string()


def test_pseudonyms_leave_the_other_bytes_of_binary_alone(pa: Any, arrow: Any) -> None:
    hide = Pseudonyms(b"a key").hide
    hidden = {text: str(hide(fdaa.Address(text))).encode() for text in ("fdaa::1", "fdaa:0:2::3")}
    rows = [b"\xff fdaa::1\n\xed\xb3\xbf", None, b"\n", b"fdaa:0:2::3\xc3", b""]
    right = [row and replaced(row, hidden) for row in rows]
    assert arrow.pseudonymize(pa.array(rows), b"a key").to_pylist() == right


@pytest.mark.parametrize("kind", ["fixed", "binary", "large_binary", "binary_view", "dictionary"])
def test_sixteen_bytes_get_the_sixteen_bytes_of_a_pseudonym(pa: Any, arrow: Any, kind: str) -> None:
    address = fdaa.Address("fdaa:2:45b::3")
    hidden = Pseudonyms(b"a key").hide(address).packed
    rows = [address.packed, None, bytes(16)]
    column = pa.array(rows, pa.binary(16))
    if kind != "fixed":
        column = in_kind(column, kind)
    result = arrow.pseudonymize(column, b"a key")
    assert result.to_pylist() == [hidden, None, bytes(16)]
    assert result[:0].to_pylist() == arrow.pseudonymize(column[:0], b"a key").to_pylist() == []


def replaced(row: bytes, hidden: dict[str, bytes]) -> bytes:
    for text, pseudonym in hidden.items():
        row = row.replace(text.encode(), pseudonym)
    return row


def test_a_key_must_not_be_empty(pa: Any, arrow: Any) -> None:
    with pytest.raises(ValueError, match="key"):
        arrow.pseudonymize(pa.array(["x"]), b"")


def test_what_is_held_at_once_does_not_grow_with_the_column(pa: Any, arrow: Any) -> None:
    """Pieces of a column are searched one after another: the peak is that of one piece."""
    import tracemalloc

    line = "nothing to see in this line of a log " * 20
    peaks = []
    for count in (2_000, 40_000):
        column = pa.array([line] * count)
        tracemalloc.start()
        arrow.find(column)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


def test_spark_counts_text_files_as_the_command_does(pa: Any, arrow: Any, tmp_path: Path) -> None:
    need("pyspark")
    need_java()
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import arrow_udf, explode

    def addresses(batches: Any) -> Any:
        for batch in batches:
            yield pa.record_batch({"ip": arrow.find(batch["value"]).flatten().field("address")})

    def in_each_row(texts: Any) -> Any:
        found = arrow.find(texts)
        return pa.ListArray.from_arrays(found.offsets, found.values.field("address"))

    in_each_row.__annotations__ |= {"texts": pa.Array, "return": pa.Array}  # Spark asks for them
    lines = [text for text, _, _ in ROWS if "\n" not in text and "\r" not in text] * 30
    for number in range(3):
        (tmp_path / f"{number}.log").write_text("\n".join(lines[number::3]) + "\n")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    for statement in sql("spark").split("\n\n"):
        spark.sql(statement)
    value = spark.read.text(str(tmp_path))
    by_map = value.mapInArrow(addresses, "ip string")
    by_udf = value.select(explode(arrow_udf(in_each_row, "array<string>")("value")).alias("ip"))
    counted = [
        {row.network: row["count"] for row in each.groupBy("network").count().collect()}
        for each in (ips.selectExpr("fdaa_network(ip) AS network") for ips in (by_map, by_udf))
    ]
    spark.stop()
    result = invoke("scan", "-c", "--json", *map(str, sorted(tmp_path.glob("*.log"))))
    rows = map(json.loads, result.stdout.splitlines())
    assert counted[0] == counted[1] == {row["network_id"]: row["matches"] for row in rows} != {}
