"""Arrow: the parser's answers for every kind of column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sql_servers import need

import fdaa
from fdaa.scan import Pseudonyms
from tests.columns.column_texts import answers, column, expected, found_in, hard_texts, reason_of
from tests.scan.scan_rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.engines
KINDS = ["string", "large_string", "string_view", "dictionary"]


@pytest.fixture(autouse=True)
def _needs_pyarrow() -> None:
    need("pyarrow")


def made(texts: Sequence[str | None], kind: str = "string") -> Any:
    import pyarrow as pa

    return in_kind(pa.array(texts, pa.string()), kind)


def in_kind(values: Any, kind: str) -> Any:
    """Return an Arrow array as another type of Arrow, or as a `dictionary`."""
    import pyarrow as pa

    if kind == "dictionary":
        return values.dictionary_encode()
    return values.cast(getattr(pa, kind)())


def chunked(texts: Sequence[str | None], size: int = 1000) -> Any:
    import pyarrow as pa

    starts = range(0, len(texts), size)
    return pa.chunked_array([made(texts[start : start + size]) for start in starts], pa.string())


def ids_of(given: Any) -> list[int | None]:
    import pyarrow as pa

    from fdaa.columns.arrow import network_id_ints

    ids = network_id_ints(given)
    assert ids.type == pa.uint32()
    assert isinstance(ids, pa.Array) == isinstance(given, pa.Array)
    assert isinstance(ids, pa.Array | pa.ChunkedArray)
    ids.validate(full=True)
    answers: list[int | None] = ids.to_pylist()
    return answers


# --- forms of a column ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_network_ids_are_those_of_the_parser(pa: Any, arrow: Any, kind: str) -> None:
    given = made(column(), kind)
    assert ids_of(given) == expected()
    texts = arrow.network_ids(given)
    assert texts.type == pa.large_string()
    assert texts.to_pylist() == answers("network_id", column())


def test_chunks_and_a_part_of_an_array_are_read_from_where_they_start() -> None:
    assert ids_of(chunked(column())) == expected()
    assert ids_of(made(column())[5:105]) == expected()[5:105]


def test_chunks_may_have_dictionaries_of_their_own_and_nulls_in_them(pa: Any) -> None:
    texts = [f"fdaa:2:{i % 50:x}::" for i in range(5000)]
    own = pa.chunked_array([chunk.dictionary_encode() for chunk in chunked(texts, 120).chunks])
    assert ids_of(own) == [0x20000 + i % 50 for i in range(5000)]
    entries: list[list[str | None]] = [[], ["fdaa:0:1::", None], ["fdaa:0:2::", "x"], []]
    indices = [[None], [0, 1, None, 0], [1, 0, None], []]
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array(rows, pa.int8()), made(texts))
        for rows, texts in zip(indices, entries, strict=True)
    ]
    assert ids_of(pa.chunked_array(chunks)) == [None, 1, None, None, 1, None, 2, None]


def test_a_row_that_is_null_is_null(pa: Any) -> None:
    rows = pa.StructArray.from_arrays(
        [made(["fdaa:0:1::", "fdaa:0:2::"])], names=["ip"], mask=pa.array([True, False])
    )
    assert ids_of(pa.chunked_array([rows])) == [None, 2]


def columns_of_nulls() -> list[Any]:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    return [
        pa.nulls(2),
        pa.array([None, None], pa.int64()),
        pa.nulls(2, pa.list_(pa.int8())),
        pa.chunked_array([pa.nulls(2)]).dictionary_encode(),
        pd.Series([float("nan")] * 2),
        pd.Series([None] * 2, dtype="category"),
        pl.Series([None] * 2, dtype=pl.Enum(["x"])),
    ]


def test_a_column_without_values_or_without_rows_is_one_too(pa: Any, arrow: Any) -> None:
    need("pandas")
    for given in columns_of_nulls():
        assert ids_of(given) == [None, None]
        functions = [arrow.network_ids, arrow.addresses, arrow.keys, arrow.refusals, arrow.find]
        for function in functions:
            assert function(given).to_pylist() == [None, None]
        assert arrow.pseudonymize(given, Pseudonyms(b"key")).to_pylist() == [None, None]
    for empty in (pa.array([], pa.int64()), made([]), pa.chunked_array([], pa.string())):
        assert ids_of(empty) == []
        assert arrow.find(empty).to_pylist() == []


def test_columns_of_other_engines_are_read(pa: Any, pl: Any, pd: Any) -> None:
    for dtype in (pl.String, pl.Categorical):
        assert ids_of(pl.Series(column(), dtype=dtype)) == expected()
    for dtype in ("str", "object", "category", pd.ArrowDtype(pa.string())):
        assert ids_of(pd.Series(column(), dtype=dtype)) == expected()
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.register("texts", pa.table({"ip": made(column())}))
        assert ids_of(connection.sql("SELECT ip FROM texts")) == expected()


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [made, chunked])
def test_strict_raises_the_error_of_the_first_refused_text(
    pa: Any, arrow: Any, form: Callable[..., Any]
) -> None:
    assert arrow.network_id_ints(form(["fdaa::1", None]), strict=True).to_pylist() == [0, None]
    with pytest.raises(fdaa.OutsidePrefixError) as caught:
        arrow.network_id_ints(form([None, "fdaa::1", "fe80::1", "x"]), strict=True)
    assert (caught.value.text, caught.value.at) == ("fe80::1", 0)
    unused = pa.DictionaryArray.from_arrays(pa.array([1, 2]), made(["x", "fdaa::1", None]))
    assert arrow.network_id_ints(unused, strict=True).to_pylist() == [0, None]


def test_a_text_that_is_not_utf8_is_refused_with_a_reason(pa: Any, arrow: Any) -> None:
    """Arrow itself makes such texts from files of others."""
    not_utf8 = pa.array([b"fdaa:0:1::", b"fdaa::1\xff", None]).view(pa.string())
    for given in (not_utf8, not_utf8.dictionary_encode()):
        assert ids_of(given) == [1, None, None]
        assert arrow.refusals(given).to_pylist() == [None, "it is not valid UTF-8", None]
        with pytest.raises(fdaa.AddressError, match="not valid UTF-8"):
            arrow.network_id_ints(given, strict=True)
    found = ["ok fdaa::1", "\ufffd\ufffd fdaa:0:2::3", None]
    searched = pa.array([b"ok fdaa::1", b"\xff\xff fdaa:0:2::3", None]).view(pa.string())
    assert arrow.find(searched).to_pylist() == list(map(found_in, found))


@pytest.mark.slow
def test_reasons_of_more_than_two_gibibytes(pa: Any, arrow: Any) -> None:
    """Rows that share an entry: a column of few bytes, with 122 bytes of reason for each row."""
    refused = "fdaa::1.2.3.4:80"
    rows = 18_000_000
    assert len(str(reason_of(refused))) * rows > 2**31
    indices = pa.repeat(pa.scalar(0, pa.int8()), rows)
    reasons = arrow.refusals(pa.DictionaryArray.from_arrays(indices, pa.array([refused])))
    assert len(reasons) == rows
    assert reasons[rows - 1].as_py() == reason_of(refused)


# --- texts ----------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("kind", KINDS)
def test_each_type_of_text_is_searched_and_hidden(pa: Any, arrow: Any, kind: str) -> None:
    found = arrow.find(in_kind(pa.array(rows() * 2), kind))
    found.validate(full=True)
    assert found.to_pylist() == list(map(found_in, rows() * 2))
    texts = dict.fromkeys(("kind", "address", "network_id", "prefix"), pa.large_string())
    numbers = {"network_id_int": pa.uint32(), "start": pa.int64()}
    assert {field.name: field.type for field in found.type.value_type} == {**texts, **numbers}
    pseudonyms = Pseudonyms(b"a key")
    hidden = arrow.pseudonymize(in_kind(pa.array(rows()), kind), pseudonyms)
    hidden.validate(full=True)
    right = [None if row is None else pseudonyms.pseudonymize_text(row) for row in rows()]
    assert hidden.to_pylist() == right
    assert hidden.type == pa.large_string()


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view", "dictionary"])
def test_each_type_of_bytes_is_searched_and_hidden(pa: Any, arrow: Any, kind: str) -> None:
    given = in_kind(pa.array(as_bytes()), kind)
    assert arrow.find(given).to_pylist() == list(map(found_in, as_bytes()))
    assert arrow.find(given[7:30]).to_pylist() == list(map(found_in, as_bytes()[7:30]))
    pseudonyms = Pseudonyms(b"a key")
    address = fdaa.Address("fdaa:2:45b::3")
    hidden = [pseudonyms.pseudonymize(address).packed, None, bytes(16)]
    packed = pa.array([address.packed, None, bytes(16)], pa.binary(16))
    for each in (packed, in_kind(packed, kind)):
        assert arrow.pseudonymize(each, pseudonyms).to_pylist() == hidden


def test_a_column_of_few_texts_keeps_its_chunks(arrow: Any) -> None:
    """One dictionary is made for all of them."""
    given = chunked([None, "fdaa:2:45b::3", "x", "dial [fdaa::3]:53"] * 500, 700)
    for function in (arrow.refusals, arrow.find, arrow.keys):
        result = function(given)
        result.validate(full=True)
        assert [len(chunk) for chunk in result.chunks] == [700, 700, 600]
        assert result.to_pylist() == function(given[:4]).to_pylist() * 500


@pytest.mark.slow
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
