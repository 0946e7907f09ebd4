"""Text by the column, in every type of Arrow and of Polars, and in the files of a cluster.

What is found is in `test_vocabulary.py`.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from command import invoke
from sql_engines import DATABASES, spark_session

import fdaa
from fdaa.scan import Pseudonyms
from tests.columns.column_texts import found_in, hard_texts
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.engines


def rows() -> list[str | None]:
    return ["", None, *[text for text, _, _ in ROWS], *hard_texts()[::5], None]


def as_bytes() -> list[bytes | None]:
    """Return the rows as bytes, and some that are not UTF-8."""
    encoded: list[bytes | None] = []
    for row in rows():
        if row is None:
            encoded.append(None)
        else:
            encoded.append(row.encode())
    encoded.extend([b"\xff fdaa::1 \xfe", b"\xfffdaa::1\xff", b"fdaa::1\xc3"])
    return encoded


def in_kind(values: Any, kind: str) -> Any:
    """Return an Arrow array as another type of Arrow, or as a `dictionary`."""
    import pyarrow as pa

    if kind == "dictionary":
        return values.dictionary_encode()
    return values.cast(getattr(pa, kind)())


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_arrow_searches_each_type_of_text(pa: Any, arrow: Any, kind: str) -> None:
    found = arrow.find(in_kind(pa.array(rows() * 2), kind))
    found.validate(full=True)
    assert found.to_pylist() == list(map(found_in, rows() * 2))
    texts = dict.fromkeys(("kind", "address", "network_id", "prefix"), pa.large_string())
    numbers = {"network_id_int": pa.uint32(), "start": pa.int64()}
    assert {field.name: field.type for field in found.type.value_type} == {**texts, **numbers}


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_arrow_searches_each_type_of_bytes(pa: Any, arrow: Any, kind: str) -> None:
    column = pa.array(as_bytes(), getattr(pa, kind)())
    assert arrow.find(column).to_pylist() == list(map(found_in, as_bytes()))
    assert arrow.find(column[7:30]).to_pylist() == list(map(found_in, as_bytes()[7:30]))


def test_arrow_does_not_search_packed_addresses(pa: Any, arrow: Any) -> None:
    with pytest.raises(TypeError, match=r"binary\(16\) contains packed addresses.*`addresses`"):
        arrow.find(pa.array([fdaa.Address("fdaa::1").packed], pa.binary(16)))


def test_arrow_searches_chunks(pa: Any, arrow: Any) -> None:
    chunks = pa.chunked_array([rows()[:40], [], rows()[40:90], [None, ""]], pa.string())
    assert arrow.find(chunks).to_pylist() == list(map(found_in, chunks.to_pylist()))
    assert arrow.find(pa.chunked_array([], pa.string())).to_pylist() == []


def test_a_string_that_is_not_utf8_is_searched_with_replacement_characters(
    pa: Any, arrow: Any
) -> None:
    column = pa.array([b"ok fdaa::1", b"\xff\xff fdaa:0:2::3", None]).view(pa.string())
    texts = ["ok fdaa::1", "\ufffd\ufffd fdaa:0:2::3", None]
    assert arrow.find(column).to_pylist() == list(map(found_in, texts))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_searches_text_and_bytes(pl: Any, engine: Any) -> None:
    for values in (rows(), as_bytes()):
        frame = pl.LazyFrame({"line": values})
        found = frame.select(pl.col("line").fdaa.find()).collect(engine=engine)
        assert found["line"].to_list() == list(map(found_in, values))


# Plain texts, and one for each reason to ask the scanner.
EDGES = [
    "[fdaa:2:45b::3]:80 fdaa:0:18::1,FDAA:0:0019::1",
    "fdaa::1 fdaa::2",
    "fdaa::1... fdaa:0:18::2.",
    "fdaa::3.53 > fdaa::1.2.3.4",
    "12:fdaa::3",
    "2001:db8:fdaa::1",
    "fdaa:2:45b:a7b:1:2:3:2:3000",
    "fdaa::3: icmp",
    "fdaa:0:18::/48 fdaa::/16 fdaa::3/64",
    "fdaa::fdaa:1 fdaa:fdaa::1",
    "\x1b[32mfdaa::1 \xe9fdaa::1 fdaa::1\xe9",
    "fdaa: fdaa fdaa::g",
]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_the_network_ids_of_polars_are_those_of_its_matches(pl: Any, engine: Any) -> None:
    """Most texts are searched by native expressions, the others by the scanner."""
    rng = random.Random(4291)
    mixed = [" ".join(rng.sample(EDGES, 2)) for _ in range(100)]
    texts = [*EDGES, *mixed, *rows()]
    for values in (texts, as_bytes(), [None], [], ["x"]):
        right: list[list[int] | None] = []
        for value in values:
            matches = found_in(value)
            if matches is None:
                right.append(None)
            else:
                right.append([match["network_id_int"] for match in matches])
        frame = pl.LazyFrame({"line": values})
        query = frame.select(pl.col("line").fdaa.find_network_id_ints())
        ids = query.collect(engine=engine)["line"]
        assert ids.dtype == pl.List(pl.UInt32)
        assert ids.to_list() == right


def test_the_first_address_of_a_dirty_cell_is_an_expression_away(pl: Any) -> None:
    cells = [" [fdaa:2:45b::3]:80", "fdaa:2:45b::4%eth0", "fdaa:0:18::1, 10.0.0.1", "-", None]
    found = pl.Series("ip", cells).to_frame().select(pl.col("ip").fdaa.find().list.first())
    ids = found["ip"].struct.field("network_id_int").to_list()
    assert ids == [0x2045B, 0x2045B, 0x18, None, None]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_arrow_hides_in_each_type_of_text(pa: Any, arrow: Any, kind: str) -> None:
    pseudonyms = Pseudonyms(b"a key")
    hidden = arrow.pseudonymize(in_kind(pa.array(rows()), kind), pseudonyms)
    hidden.validate(full=True)
    right = [None if row is None else pseudonyms.pseudonymize_text(row) for row in rows()]
    assert hidden.to_pylist() == right
    assert hidden.type == pa.large_string()


@pytest.mark.parametrize("kind", ["fixed", "binary", "large_binary", "binary_view", "dictionary"])
def test_arrow_hides_in_each_type_of_bytes(pa: Any, arrow: Any, kind: str) -> None:
    pseudonyms = Pseudonyms(b"a key")
    address = fdaa.Address("fdaa:2:45b::3")
    values = [address.packed, None, bytes(16)]
    column = pa.array(values, pa.binary(16))
    if kind != "fixed":
        column = in_kind(column, kind)
    hidden = arrow.pseudonymize(column, pseudonyms)
    assert hidden.to_pylist() == [pseudonyms.pseudonymize(address).packed, None, bytes(16)]
    assert arrow.reveal(hidden, pseudonyms).to_pylist() == values
    assert arrow.pseudonymize(column[:0], pseudonyms).type == hidden.type


def test_what_is_held_at_once_does_not_grow_with_the_column(pa: Any, arrow: Any) -> None:
    """Pieces of a column are searched one after another: the peak is that of one piece."""
    import tracemalloc

    line = "nothing to see in this line of a log " * 20
    peaks = []
    for count in (2_000, 40_000):
        column = pa.array([f"{number} {line}" for number in range(count)])
        tracemalloc.start()
        arrow.find(column)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


def test_spark_counts_text_files_as_the_command_does(pa: Any, arrow: Any, tmp_path: Path) -> None:
    DATABASES["spark"].need()
    from pyspark.sql.functions import arrow_udf, explode

    def network_id_ints(batches: Any) -> Any:
        for batch in batches:
            found = arrow.find(batch["value"]).flatten()
            yield pa.record_batch({"id": found.field("network_id_int").cast("int64")})

    def in_each_row(texts: Any) -> Any:
        found = arrow.find(texts)
        return pa.ListArray.from_arrays(found.offsets, found.values.field("network_id_int"))

    in_each_row.__annotations__ |= {"texts": pa.Array, "return": pa.Array}  # Spark asks for them
    lines = [text for text, _, _ in ROWS if "\n" not in text and "\r" not in text] * 30
    for number in range(3):
        (tmp_path / f"{number}.log").write_text("\n".join(lines[number::3]) + "\n")
    spark = spark_session()
    value = spark.read.text(str(tmp_path))
    by_map = value.mapInArrow(network_id_ints, "id bigint")
    by_udf = value.select(explode(arrow_udf(in_each_row, "array<bigint>")("value")).alias("id"))
    counted = []
    for each in (by_map, by_udf):
        rows = each.groupBy("id").count().collect()
        counted.append({row.id: row["count"] for row in rows})
    result = invoke("scan", "-c", "--json", *map(str, sorted(tmp_path.glob("*.log"))))
    right = {}
    for row in map(json.loads, result.stdout.splitlines()):
        right[row["network_id_int"]] = row["matches"]
    assert counted[0] == counted[1] == right != {}
