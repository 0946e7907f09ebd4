"""Polars and pandas: what they do besides the answers that all engines give."""

from __future__ import annotations

from typing import Any

import pytest

import fdaa
from tests.columns.column_texts import ANSWERS, answers

pytestmark = pytest.mark.engines


# --- Polars ---------------------------------------------------------------------------------------


def test_the_expressions_of_ids_call_no_python(pl: Any) -> None:
    ip = pl.col("ip").fdaa
    frame = pl.LazyFrame({"ip": ["x"]})
    for expression in (ip.network_id_int(), ip.network_id()):
        assert "python" not in frame.select(expression).explain().lower()


@pytest.mark.parametrize("operation", ANSWERS)
def test_it_stands_wherever_an_expression_can_and_is_named_as_its_text(
    pl: Any, operation: str
) -> None:
    def of(expression: Any) -> Any:
        return getattr(expression.fdaa, operation)()

    texts = ["FDAA:0:1::", "fdaa:0:2::3"]
    right = answers(operation, texts)
    frame = pl.DataFrame({"ip": texts, "to": [None, None], "n": [10, 20]})
    ip = of(pl.col("ip"))
    assert frame.filter(ip == right[1])["n"].to_list() == [20]
    assert frame.select(of(pl.col("ip", "to"))).columns == ["ip", "to"]
    assert frame.select(of(pl.col("ip").alias("source")))["source"].to_list() == right
    assert frame.head(0).select(ip).height == 0
    lists = pl.DataFrame({"ips": [texts, None, []]})
    in_lists = lists.select(pl.col("ips").list.eval(of(pl.element())))["ips"].to_list()
    assert in_lists == [right, None, []]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_strict_raises_the_error_of_the_first_refused_text(pl: Any, engine: Any) -> None:
    ids = pl.col("ip").fdaa.network_id_int(strict=True)
    good = pl.LazyFrame({"ip": ["fdaa:0:1::", None]}).select(ids).collect(engine=engine)
    assert good["ip"].to_list() == [1, None]
    bad = pl.LazyFrame({"ip": ["fdaa::1", None, "fe80::1", "x"]}).select(ids)
    with pytest.raises(pl.exceptions.ComputeError, match="'fe80::1' is not a private address"):
        bad.collect(engine=engine)


def test_columns_of_categories_and_of_nulls_only_are_read(pl: Any) -> None:
    enum = pl.Enum(["fdaa:2:45b::", "x"])
    for dtype in (pl.Categorical, enum):
        texts = pl.Series("ip", ["fdaa:2:45b::", "x", None], dtype=dtype)
        assert texts.fdaa.network_id().to_list() == ["2:45b", None, None]
        assert texts.fdaa.address().to_list() == ["fdaa:2:45b::", None, None]
    for dtype in (pl.Null, enum, pl.Binary):
        ip = pl.Series("ip", [None, None], dtype=dtype).fdaa
        for call in (ip.network_id_int, ip.network_id, ip.address, ip.key, ip.refusals, ip.find):
            assert call().to_list() == [None, None]


# --- pandas ---------------------------------------------------------------------------------------


def test_results_of_pandas_are_nullable_and_keep_the_index(pd: Any) -> None:
    ip = pd.Series(["fdaa:2:45b::3", "10.0.0.1", None], index=[7, 8, 9], name="ip")
    types = {"network_id_int": "UInt32", "network_id": "str", "address": "str", "refusals": "str"}
    for operation, dtype in types.items():
        result = getattr(ip.fdaa, operation)()
        assert (result.name, list(result.index), result.dtype) == ("ip", [7, 8, 9], dtype)
    assert ip.fdaa.key()[7] == fdaa.Address(ip[7]).packed
    with pytest.raises(fdaa.AddressError, match="IPv4"):
        ip.fdaa.network_id_int(strict=True)


@pytest.mark.parametrize("dtype", ["float", "object", "str"])
def test_a_series_of_pandas_without_rows_or_values_has_no_address(pd: Any, dtype: str) -> None:
    nulls = pd.Series([None, float("nan")], dtype=dtype)
    assert nulls.fdaa.network_id_int().isna().all()
    empty = nulls[:0].fdaa
    assert (empty.network_id_int().dtype, empty.network_id().dtype) == ("UInt32", "str")
