"""Arrow, and pandas through it: the parser's answers for every kind of column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sql_servers import need

import fdaa
from fdaa.scan import Pseudonyms
from tests.columns.column_texts import answers, column, expected, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.engines
KINDS = ["string", "large_string", "string_view"]


@pytest.fixture(autouse=True)
def _needs_pyarrow() -> None:
    need("pyarrow")


def made(texts: Sequence[str | None], kind: str = "string") -> Any:
    import pyarrow as pa

    return pa.array(texts, getattr(pa, kind)())


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


def as_dictionary(texts: list[str | None]) -> Any:
    return made(texts).dictionary_encode()


each_form = pytest.mark.parametrize("form", [made, chunked, as_dictionary])


@pytest.mark.parametrize("kind", KINDS)
def test_network_ids_are_those_of_the_parser(kind: str) -> None:
    assert ids_of(made(column(), kind)) == expected()


def test_chunks_and_a_part_of_an_array_are_read_from_where_they_start() -> None:
    assert ids_of(chunked(column())) == expected()
    assert ids_of(made(column())[5:105]) == expected()[5:105]


@pytest.mark.parametrize("form", [made, chunked])
def test_a_dictionary_is_read_by_its_entries(form: Callable[[list[str | None]], Any]) -> None:
    texts = column()[:3000] * 2
    assert ids_of(form(texts).dictionary_encode()) == expected()[:3000] * 2


def test_chunks_may_share_the_entries_of_their_dictionaries(pa: Any) -> None:
    texts = [f"fdaa:2:{i % 50:x}::" for i in range(5000)]
    own = pa.chunked_array([chunk.dictionary_encode() for chunk in chunked(texts, 120).chunks])
    assert ids_of(own) == [0x20000 + i % 50 for i in range(5000)]


def test_chunks_may_have_dictionaries_of_their_own_and_nulls_in_them(pa: Any) -> None:
    entries: list[list[str | None]] = [[], ["fdaa:0:1::", None], ["fdaa:0:2::", "x"], []]
    indices = [[None], [0, 1, None, 0], [1, 0, None], []]
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array(rows, pa.int8()), made(texts))
        for rows, texts in zip(indices, entries, strict=True)
    ]
    assert ids_of(pa.chunked_array(chunks)) == [None, 1, None, None, 1, None, 2, None]


@pytest.mark.parametrize("kind", [*KINDS, "null"])
def test_nothing_and_nulls_are_columns_too(pa: Any, kind: str) -> None:
    assert ids_of(made([], kind)) == []
    assert ids_of(made([None, None], kind)) == [None, None]
    assert ids_of(pa.chunked_array([], getattr(pa, kind)())) == []


def test_a_dictionary_without_values_and_a_row_that_is_null_are_null(pa: Any, arrow: Any) -> None:
    empty = pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int8()), pa.nulls(1))
    assert arrow.network_id_ints(empty, strict=True).to_pylist() == [None, None]
    rows = pa.StructArray.from_arrays(
        [made(["fdaa:0:1::", "fdaa:0:2::"])], names=["ip"], mask=pa.array([True, False])
    )
    assert ids_of(pa.chunked_array([rows])) == [None, 2]


@each_form
def test_strict_raises_the_error_of_the_first_refused_text(
    arrow: Any, form: Callable[..., Any]
) -> None:
    assert arrow.network_id_ints(form(["fdaa::1", None]), strict=True).to_pylist() == [0, None]
    with pytest.raises(fdaa.OutsidePrefixError) as caught:
        arrow.network_id_ints(form([None, "fdaa::1", "fe80::1", "x"]), strict=True)
    assert (caught.value.text, caught.value.at) == ("fe80::1", 0)


@pytest.mark.parametrize("operation", ["refusals", "find", "pseudonymize"])
def test_a_column_of_few_texts_keeps_its_chunks(arrow: Any, operation: str) -> None:
    """One dictionary is made for all of them; nulls are not in it."""
    given = chunked([None, "fdaa:2:45b::3", "x", "dial [fdaa::3]:53"] * 50, 70)
    arguments = {"pseudonymize": [Pseudonyms(b"a key")]}.get(operation, [])
    function = getattr(arrow, operation)
    result = function(given, *arguments)
    result.validate(full=True)
    assert [len(chunk) for chunk in result.chunks] == [70, 70, 60]
    assert result.to_pylist() == function(given[:4], *arguments).to_pylist() * 50


def test_strict_does_not_mind_an_entry_that_no_row_uses(pa: Any, arrow: Any) -> None:
    used = pa.DictionaryArray.from_arrays(pa.array([1, 2]), made(["x", "fdaa::1", None]))
    assert arrow.network_id_ints(used, strict=True).to_pylist() == [0, None]


@pytest.mark.parametrize("function", ["network_id_ints", "network_ids", "refusals", "find"])
def test_an_argument_of_another_type_is_named_with_what_is_right(
    pa: Any, arrow: Any, function: str
) -> None:
    for given in (["fdaa::1"], "fdaa::1", None):
        name = type(given).__name__
        with pytest.raises(TypeError, match=rf"Arrow array, not {name}; use pa.array\(values\)"):
            getattr(arrow, function)(given)
    for given in (pa.array([1]), pa.table({"a": ["x"], "b": ["y"]})):
        with pytest.raises(
            TypeError, match=r"Arrow array of strings or binary, got (int64|struct)"
        ):
            getattr(arrow, function)(given)


def not_utf8(kind: str) -> Any:
    """Return a column of a text that is none; Arrow itself makes such from files of others."""
    import pyarrow as pa

    wide = {"string": pa.binary(), "large_string": pa.large_binary()}
    return pa.array([b"fdaa:0:1::", b"fdaa::1\xff", None], wide[kind]).view(getattr(pa, kind)())


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_a_text_that_is_not_utf8_is_refused_with_a_reason(arrow: Any, kind: str) -> None:
    for given in (not_utf8(kind), not_utf8(kind).dictionary_encode()):
        assert ids_of(given) == [1, None, None]
        assert arrow.refusals(given).to_pylist() == [None, "it is not valid UTF-8", None]
        with pytest.raises(fdaa.AddressError, match="not valid UTF-8"):
            arrow.network_id_ints(given, strict=True)


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
        pd.Series([None] * 2, dtype="object"),
        pl.Series([None] * 2),
        pl.Series([None] * 2, dtype=pl.Categorical),
        pl.Series([None] * 2, dtype=pl.Enum(["x"])),
    ]


def test_a_column_of_nulls_is_null_whatever_its_type(arrow: Any) -> None:
    need("pandas")
    for given in columns_of_nulls():
        assert ids_of(given) == [None, None]
        functions = [arrow.network_ids, arrow.addresses, arrow.keys, arrow.refusals, arrow.find]
        for function in functions:
            assert function(given).to_pylist() == [None, None]
        assert arrow.pseudonymize(given, Pseudonyms(b"key")).to_pylist() == [None, None]


def test_a_column_without_rows_is_empty_whatever_its_type(pa: Any, arrow: Any) -> None:
    need("pandas")
    import pandas as pd

    of_nan = pd.Series([float("nan")])
    for given in (pa.array([], pa.int64()), pd.Series([], dtype="float"), of_nan[:0]):
        assert ids_of(given) == []
        assert arrow.find(given).to_pylist() == []


@each_form
def test_network_ids_are_written_as_the_core_writes_them(
    pa: Any, arrow: Any, form: Callable[..., Any]
) -> None:
    texts = arrow.network_ids(form(column()))
    assert texts.type == pa.large_string()
    assert texts.to_pylist() == answers("network_id", column())


def test_pandas_columns_are_read(pa: Any) -> None:
    need("pandas")
    import pandas as pd

    for dtype in ("str", "object", "category", pd.ArrowDtype(pa.string())):
        assert ids_of(pd.Series(column(), dtype=dtype)) == expected()


def test_columns_of_polars_and_a_result_of_duckdb_are_read(pa: Any, pl: Any) -> None:
    for dtype in (pl.String, pl.Categorical):
        assert ids_of(pl.Series(column(), dtype=dtype)) == expected()
    need("duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.register("texts", pa.table({"ip": made(column())}))
        assert ids_of(connection.sql("SELECT ip FROM texts")) == expected()


def test_reasons_of_more_than_two_gibibytes(pa: Any, arrow: Any) -> None:
    """Rows that share an entry: a column of few bytes, with 122 bytes of reason for each row."""
    refused = "fdaa::1.2.3.4:80"
    rows = 18_000_000
    assert len(str(reason_of(refused))) * rows > 2**31
    indices = pa.repeat(pa.scalar(0, pa.int8()), rows)
    column = pa.DictionaryArray.from_arrays(indices, pa.array([refused]))
    reasons = arrow.refusals(column)
    assert len(reasons) == rows
    assert reasons[rows - 1].as_py() == reason_of(refused)
