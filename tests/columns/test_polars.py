"""Polars: the expression gives the parser's answers, at once, lazily and in a stream."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from column_texts import column, expected
from sql_engines import need

import fdaa

pytestmark = pytest.mark.engines


@pytest.fixture
def pl() -> Any:
    need("polars")
    import polars

    import fdaa.columns.polars  # noqa: F401 (it adds the namespace)

    return polars


def test_network_ids_are_those_of_the_parser(pl: Any) -> None:
    ids = pl.DataFrame({"ip": column()}).select(pl.col("ip").fdaa.network_id())["ip"]
    assert ids.dtype == pl.UInt32
    assert ids.to_list() == expected()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_lazy_query_counts_by_network(pl: Any, engine: Any) -> None:
    frame = pl.LazyFrame({"ip": column()})
    query = frame.group_by(network=pl.col("ip").fdaa.network_id()).len()
    counted = dict(query.collect(engine=engine).iter_rows())
    assert counted == Counter(expected())


def test_the_expression_calls_no_python(pl: Any) -> None:
    plan = pl.LazyFrame({"ip": ["x"]}).select(pl.col("ip").fdaa.network_id()).explain()
    assert "python" not in plan.lower()


def test_it_stands_wherever_an_expression_can_and_is_named_as_its_text(pl: Any) -> None:
    frame = pl.DataFrame({"ip": ["fdaa:0:1::", "fdaa:0:2::"], "to": [None, "x"], "n": [10, 20]})
    assert frame.filter(pl.col("ip").fdaa.network_id() == 2)["n"].to_list() == [20]
    assert frame.select(pl.lit("fdaa:0:7::").fdaa.network_id()).item() == 7
    assert frame.select(pl.col("ip", "to").fdaa.network_id()).columns == ["ip", "to"]
    renamed = pl.col("ip").alias("source").fdaa.network_id(strict=True)
    assert frame.select(renamed)["source"].to_list() == [1, 2]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_strict_raises_the_error_of_the_first_refused_text(pl: Any, engine: Any) -> None:
    ids = pl.col("ip").fdaa.network_id(strict=True)
    good = pl.LazyFrame({"ip": ["fdaa:0:1::", None]}).select(ids).collect(engine=engine)
    assert good["ip"].to_list() == [1, None]
    bad = pl.LazyFrame({"ip": ["fdaa::1", None, "fe80::1", "x"]}).select(ids)
    with pytest.raises(pl.exceptions.ComputeError) as caught:
        bad.collect(engine=engine)
    with pytest.raises(fdaa.PrefixError) as own:
        fdaa.Address.parse("fe80::1")
    assert str(own.value) in str(caught.value)
