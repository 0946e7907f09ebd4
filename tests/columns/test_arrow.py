"""Arrow: the parser's answers for every kind of column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scan_output import PSEUDONYMS

import fdaa
from tests.columns.column_texts import answers, column, edge_texts, found_in

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.engines


def made(texts: Sequence[str | bytes | None], kind: str = "") -> Any:
    """Return an Arrow array of a type of Arrow, or as a `dictionary`."""
    import pyarrow as pa

    values = pa.array(texts)
    if kind == "dictionary":
        return values.dictionary_encode()
    if kind:
        return values.cast(getattr(pa, kind)())
    return values


def chunked(texts: Sequence[str | None], size: int) -> Any:
    import pyarrow as pa

    starts = range(0, len(texts), size)
    return pa.chunked_array([made(texts[start : start + size]) for start in starts], pa.string())


def ids_of(given: Any) -> list[int | None]:
    import pyarrow as pa

    from fdaa.columns.arrow import network_id_ints

    ids = network_id_ints(given)
    assert ids.type == pa.uint32()
    assert isinstance(ids, pa.Array) == isinstance(given, pa.Array)
    ids.validate(full=True)
    found: list[int | None] = ids.to_pylist()
    return found


def expected() -> list[int | None]:
    return answers("network_id_int", column())


# --- types of Arrow -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_each_type_of_text_is_read_searched_and_hidden(pa: Any, arrow: Any, kind: str) -> None:
    assert ids_of(made(column(), kind)) == expected()
    texts = ["", None, *edge_texts(), "dial [fdaa:2:45b::3]:80", None]
    found = arrow.find(made(texts, kind))
    found.validate(full=True)
    assert found.to_pylist() == list(map(found_in, texts))
    types = dict.fromkeys(("kind", "address", "network_id", "prefix"), pa.large_string())
    types |= {"network_id_int": pa.uint32(), "start": pa.int64()}
    assert {field.name: field.type for field in found.type.value_type} == types
    hidden = arrow.pseudonymize(made(texts, kind), PSEUDONYMS)
    assert hidden.to_pylist() == [text and PSEUDONYMS.pseudonymize_text(text) for text in texts]
    assert hidden.type == arrow.network_ids(made(texts, kind)).type == pa.large_string()


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view", "dictionary"])
def test_each_type_of_bytes_is_searched_and_hidden(pa: Any, arrow: Any, kind: str) -> None:
    texts = [None, *[text.encode() for text in edge_texts()], b"\xff fdaa::1 \xfe", b"fdaa::1\xc3"]
    given = made(texts, kind)
    assert arrow.find(given).to_pylist() == list(map(found_in, texts))
    assert arrow.find(given[7:30]).to_pylist() == list(map(found_in, texts[7:30]))
    packed = made([fdaa.Address("fdaa:2:45b::3").packed, None, bytes(16)])
    hidden = arrow.pseudonymize(packed.cast(pa.binary(16)), PSEUDONYMS)
    assert hidden.type == pa.binary(16)
    assert hidden.to_pylist() == arrow.pseudonymize(packed, PSEUDONYMS).to_pylist()


def test_a_text_that_is_not_utf8_is_refused_with_a_reason(pa: Any, arrow: Any) -> None:
    """Arrow itself makes such texts from files of others."""
    not_utf8 = pa.array([b"fdaa:0:1::", b"fdaa::1\xff", None]).view(pa.string())
    for given in (not_utf8, not_utf8.dictionary_encode()):
        assert ids_of(given) == [1, None, None]
        assert arrow.refusals(given).to_pylist() == [None, "it is not valid UTF-8", None]
        with pytest.raises(fdaa.AddressError, match="not valid UTF-8"):
            arrow.network_id_ints(given, strict=True)
    searched = pa.array([b"\xff\xff fdaa:0:2::3"]).view(pa.string())
    assert arrow.find(searched).to_pylist() == [found_in("\ufffd\ufffd fdaa:0:2::3")]


# --- chunks, dictionaries and nulls ---------------------------------------------------------------


def test_chunks_and_a_part_of_an_array_are_read_from_where_they_start(arrow: Any) -> None:
    assert ids_of(chunked(column(), 1000)) == expected()
    assert ids_of(made(column())[5:105]) == expected()[5:105]
    few = [None, "fdaa:2:45b::3", "x", "dial [fdaa::3]:53"]
    for function in (arrow.refusals, arrow.find, arrow.keys):
        result = function(chunked(few * 500, 700))
        result.validate(full=True)
        assert result.to_pylist() == function(made(few)).to_pylist() * 500


def test_chunks_may_have_dictionaries_of_their_own_and_nulls_in_them(pa: Any) -> None:
    entries: list[list[str | None]] = [[], ["fdaa:0:1::", None], ["fdaa:0:2::", "x"], []]
    indices = [[None], [0, 1, None, 0], [1, 0, None], []]
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array(rows, pa.int8()), pa.array(texts, pa.string()))
        for rows, texts in zip(indices, entries, strict=True)
    ]
    assert ids_of(pa.chunked_array(chunks)) == [None, 1, None, None, 1, None, 2, None]


def test_a_column_without_values_or_without_rows_is_one_too(pa: Any, arrow: Any) -> None:
    rows = pa.StructArray.from_arrays(
        [made(["fdaa:0:1::", "fdaa:0:2::"])], names=["ip"], mask=pa.array([True, False])
    )
    assert ids_of(pa.chunked_array([rows])) == [None, 2]
    for given in (
        pa.nulls(2),
        pa.array([None, None], pa.int64()),
        pa.chunked_array([pa.nulls(2)]).dictionary_encode(),
    ):
        assert ids_of(given) == [None, None]
        for function in (arrow.network_ids, arrow.addresses, arrow.keys, arrow.refusals):
            assert function(given).to_pylist() == [None, None]
        assert arrow.find(given).to_pylist() == [None, None]
        assert arrow.pseudonymize(given, PSEUDONYMS).to_pylist() == [None, None]
    for empty in (pa.array([], pa.int64()), pa.chunked_array([], pa.string())):
        assert ids_of(empty) == []
        assert arrow.find(empty).to_pylist() == []


def test_columns_of_other_engines_are_read(pa: Any, pl: Any, pd: Any) -> None:
    for dtype in (pl.String, pl.Categorical):
        assert ids_of(pl.Series(column(), dtype=dtype)) == expected()
    for dtype in ("str", "object", "category", pd.ArrowDtype(pa.string())):
        assert ids_of(pd.Series(column(), dtype=dtype)) == expected()
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("texts", pa.table({"ip": made(column())}))
        assert ids_of(connection.sql("SELECT ip FROM texts")) == expected()


# --- errors and limits ----------------------------------------------------------------------------


def test_strict_raises_the_error_of_the_first_refused_text(pa: Any, arrow: Any) -> None:
    for size in (2, 10):
        good = chunked(["fdaa::1", None], size)
        assert arrow.network_id_ints(good, strict=True).to_pylist() == [0, None]
        with pytest.raises(fdaa.OutsidePrefixError) as caught:
            arrow.network_id_ints(chunked([None, "fdaa::1", "fe80::1", "x"], size), strict=True)
        assert (caught.value.text, caught.value.at) == ("fe80::1", 0)
    unused = pa.DictionaryArray.from_arrays(pa.array([1, 2]), made(["x", "fdaa::1", None]))
    assert arrow.network_id_ints(unused, strict=True).to_pylist() == [0, None]


def test_what_is_held_at_once_does_not_grow_with_the_column(pa: Any, arrow: Any) -> None:
    """Pieces of a column are searched one after another: the peak is that of one piece."""
    import tracemalloc

    line = "nothing to see in this line of a log " * 20
    peaks = []
    for count in (2_000, 20_000):
        lines = pa.array([f"{number} {line}" for number in range(count)])
        tracemalloc.start()
        arrow.find(lines)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
