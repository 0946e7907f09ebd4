"""pandas: what its accessor does besides the answers that all engines give."""

from __future__ import annotations

from typing import Any

import pytest

import fdaa

pytestmark = pytest.mark.engines

ADDRESS = fdaa.Address("fdaa:2:45b::3")


def test_results_are_nullable_and_keep_the_index(pd: Any) -> None:
    ip = pd.Series([str(ADDRESS), "10.0.0.1", None], index=[7, 8, 9], name="ip")
    types = {"network_id_int": "UInt32", "network_id": "str", "address": "str", "refusals": "str"}
    for operation, dtype in types.items():
        result = getattr(ip.fdaa, operation)()
        assert (result.name, list(result.index), result.dtype) == ("ip", [7, 8, 9], dtype)
    assert ip.fdaa.key().map(lambda key: key.hex(), na_action="ignore")[7] == ADDRESS.packed.hex()
    with pytest.raises(fdaa.AddressError, match="IPv4"):
        ip.fdaa.network_id_int(strict=True)


@pytest.mark.parametrize("dtype", ["float", "object", "str"])
def test_a_series_without_rows_or_values_has_no_address(pd: Any, dtype: str) -> None:
    nulls = pd.Series([None, float("nan")], dtype=dtype)
    assert nulls.fdaa.network_id_int().isna().all()
    for empty in (nulls[:0], pd.Series([], dtype=dtype)):
        assert empty.fdaa.network_id_int().dtype == "UInt32"
        assert empty.fdaa.network_id().dtype == "str"
