"""Polars: the expression gives the parser's answers, at once, lazily and in a stream."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import fdaa
from tests.columns.column_texts import ANSWERS, answers, column, expected

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.engines


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_lazy_query_counts_by_network(pl: Any, engine: Any) -> None:
    frame = pl.LazyFrame({"ip": column()})
    query = frame.group_by(network=pl.col("ip").fdaa.network_id_int()).len()
    counted = dict(query.collect(engine=engine).iter_rows())
    assert counted == Counter(expected())


def test_the_expression_calls_no_python(pl: Any) -> None:
    ip = pl.col("ip").fdaa
    frame = pl.LazyFrame({"ip": ["x"]})
    for expression in (ip.network_id_int(), ip.network_id()):
        assert "python" not in frame.select(expression).explain().lower()


@pytest.mark.parametrize(
    ("operation", "options", "right"),
    [
        ("network_id_int", {}, [1, 2]),
        ("network_id_int", {"strict": True}, [1, 2]),
        ("network_id", {}, ["0:1", "0:2"]),
    ],
)
def test_it_stands_wherever_an_expression_can_and_is_named_as_its_text(
    pl: Any, operation: str, options: dict[str, Any], right: list[Any]
) -> None:
    def of(expression: Any) -> Any:
        return getattr(expression.fdaa, operation)(**options)

    frame = pl.DataFrame({"ip": ["fdaa:0:1::", "fdaa:0:2::"], "to": [None, None], "n": [10, 20]})
    ip = of(pl.col("ip"))
    assert frame.filter(ip == right[1])["n"].to_list() == [20]
    assert frame.select(of(pl.lit("fdaa:0:2::"))).item() == right[1]
    assert frame.select(of(pl.col("ip", "to"))).columns == ["ip", "to"]
    assert frame.select(of(pl.col("ip").alias("source")))["source"].to_list() == right
    assert frame.group_by(ip).len().height == 2
    assert frame.head(0).select(ip).height == 0


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_strict_raises_the_error_of_the_first_refused_text(pl: Any, engine: Any) -> None:
    ids = pl.col("ip").fdaa.network_id_int(strict=True)
    good = pl.LazyFrame({"ip": ["fdaa:0:1::", None]}).select(ids).collect(engine=engine)
    assert good["ip"].to_list() == [1, None]
    bad = pl.LazyFrame({"ip": ["fdaa::1", None, "fe80::1", "x"]}).select(ids)
    with pytest.raises(pl.exceptions.ComputeError) as caught:
        bad.collect(engine=engine)
    with pytest.raises(fdaa.OutsidePrefixError) as own:
        fdaa.Address("fe80::1")
    assert str(own.value) in str(caught.value)


def test_a_series_has_the_methods_of_an_expression(pl: Any) -> None:
    from fdaa.columns.polars import FdaaExpr, FdaaSeries

    texts = pl.Series("ip", column())
    assert texts.fdaa.network_id_int().to_list() == expected()
    assert texts.fdaa.network_id_int().name == "ip"
    assert texts.fdaa.network_id_int().dtype == pl.UInt32
    assert texts.fdaa.network_id()[1:9].to_list() == texts[1:9].fdaa.network_id().to_list()
    with pytest.raises(pl.exceptions.ComputeError):
        texts.fdaa.network_id_int(strict=True)
    public = [{name for name in vars(c) if name[0] != "_"} for c in (FdaaExpr, FdaaSeries)]
    assert public[0] == public[1]


def test_columns_of_categories_and_of_nulls_only_are_read(pl: Any) -> None:
    enum = pl.Enum(["fdaa:2:45b::", "x"])
    for dtype in (pl.Categorical, enum):
        texts = pl.Series("ip", ["fdaa:2:45b::", "x", None], dtype=dtype)
        networks = texts.to_frame().select(pl.col("ip").fdaa.network_id())["ip"]
        assert networks.to_list() == ["2:45b", None, None]
    for dtype in (pl.Null, pl.Categorical, enum, pl.Binary):
        ip = pl.col("ip").fdaa
        frame = pl.DataFrame({"ip": pl.Series([None, None], dtype=dtype)})
        native = [ip.network_id_int(), ip.network_id(), ip.prefix()]
        for answer in [*native, ip.address(), ip.key(), ip.refusals(), ip.find()]:
            assert frame.select(answer)["ip"].to_list() == [None, None]


@pytest.mark.parametrize("method", ["network_id_int", "network_id", "refusals", "find"])
def test_a_column_of_another_type_is_a_type_error(pl: Any, method: str) -> None:
    query = pl.LazyFrame({"ip": [1]}).select(getattr(pl.col("ip").fdaa, method)())
    with pytest.raises(TypeError, match="expected a column of String or Binary, got Int64"):
        query.collect()


TYPED = """
import polars as pl
from fdaa.columns.polars import FdaaExpr, FdaaSeries

ip = FdaaExpr(pl.col("ip"))
query: pl.LazyFrame = pl.LazyFrame({"ip": ["fdaa::1"]}).select(
    ip.network_id_int(strict=True), a=ip.network_id(), b=ip.same_network("ip"), c=ip.find()
)
ids: pl.Series = FdaaSeries(pl.Series(["fdaa::1"])).network_id_int()
"""


@pytest.mark.usefixtures("pl")
def test_a_user_s_file_passes_mypy_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    file = tmp_path / "user.py"
    file.write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("operation", ANSWERS)
def test_the_elements_of_lists_are_read(pl: Any, operation: str) -> None:
    texts = ["FDAA:2:45b::3", "x"]
    right = answers(operation, texts)
    element = getattr(pl.element().fdaa, operation)()
    frame = pl.DataFrame({"ips": [texts, None, []]})
    ips = pl.col("ips").list
    assert frame.select(ips.eval(element))["ips"].to_list() == [right, None, []]
    fixed = pl.DataFrame({"ips": [texts]}, {"ips": pl.Array(pl.String, 2)})
    assert fixed.select(pl.col("ips").arr.eval(element))["ips"].to_list() == [right]


@pytest.mark.parametrize("operation", ["network_id_int", "network_id", "prefix"])
def test_the_elements_of_lists_are_aggregated(pl: Any, operation: str) -> None:
    texts = ["FDAA:2:45b::3", "x"]
    element = getattr(pl.element().fdaa, operation)().first()
    frame = pl.DataFrame({"ips": [texts, None, []]})
    aggregated = frame.select(pl.col("ips").list.agg(element))["ips"].to_list()
    assert aggregated == [answers(operation, texts)[0], None, None]
