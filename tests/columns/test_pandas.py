"""pandas: what its accessor does besides the answers that all engines give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import fdaa
from fdaa.scan import Pseudonyms

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.engines

ADDRESS = fdaa.Address("fdaa:2:45b::3")
OTHERS = {
    "mixed": [ADDRESS],
    "mixed-integer": ["fdaa::1", 7],
    "floating": [1.5],
}
CALLS: dict[str, Callable[[Any], object]] = {
    "network_id_int": lambda ip: ip.network_id_int(),
    "find": lambda ip: ip.find(),
    "pseudonymize": lambda ip: ip.pseudonymize(Pseudonyms(b"a key")),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", OTHERS)
def test_another_type_is_a_type_error(pd: Any, kind: str, call: str) -> None:
    ip = pd.Series(OTHERS[kind], dtype="object").fdaa
    with pytest.raises(TypeError, match=f"expected a Series of str or of bytes, got {kind} values"):
        CALLS[call](ip)


@pytest.mark.parametrize("call", CALLS)
def test_bytes_and_texts_in_one_series_are_a_type_error(pd: Any, call: str) -> None:
    """Arrow makes bytes of both, and a text would come back as bytes."""
    ip = pd.Series([ADDRESS.packed, "peer fdaa:2:45b::3"], dtype="object").fdaa
    with pytest.raises(TypeError, match="expected a Series of str or of bytes, got mixed values"):
        CALLS[call](ip)


def test_the_other_one_is_a_series_too(pd: Any) -> None:
    ip = pd.Series([str(ADDRESS)])
    with pytest.raises(TypeError, match=r"^other must be Series, not str$"):
        ip.fdaa.same_network(str(ADDRESS))
    with pytest.raises(TypeError, match="expected a Series of str or of bytes"):
        ip.fdaa.same_network(pd.Series([ADDRESS]))


@pytest.mark.parametrize("dtype", ["float", "object", "str"])
def test_a_series_without_rows_or_values_has_no_address(pd: Any, dtype: str) -> None:
    nulls = pd.Series([None, float("nan")], dtype=dtype)
    assert nulls.fdaa.network_id_int().isna().all()
    for empty in (nulls[:0], pd.Series([], dtype=dtype)):
        assert empty.fdaa.network_id_int().dtype == "UInt32"
        assert empty.fdaa.network_id().dtype == "str"
