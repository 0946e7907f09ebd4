"""The hook that Hypothesis calls on import: `from_type` then supports the types of fdaa."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from fdaa.address import Address, NetworkID, Prefix
from fdaa.network_name import NetworkName

if TYPE_CHECKING:
    from types import ModuleType


def register() -> None:
    """Register the strategies of the values."""
    st.register_type_strategy(Address, lambda _: _strategies().addresses())
    st.register_type_strategy(NetworkID, lambda _: _strategies().network_ids())
    st.register_type_strategy(Prefix, lambda _: _strategies().prefixes())
    st.register_type_strategy(NetworkName, lambda _: _strategies().network_names())


def _strategies() -> ModuleType:
    # Late: importing fdaa.strategies first imports Hypothesis, which calls `register`.
    from fdaa import strategies

    return strategies
