"""What Hypothesis calls when it is imported: `from_type` then knows the types of fdaa."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from fdaa.address import Address, NetworkID
from fdaa.network_name import NetworkName

if TYPE_CHECKING:
    from types import ModuleType


def register() -> None:
    """Register the strategies of the three types."""
    st.register_type_strategy(Address, lambda _: _strategies().addresses())
    st.register_type_strategy(NetworkID, lambda _: _strategies().network_ids())
    st.register_type_strategy(NetworkName, lambda _: _strategies().network_names())


def _strategies() -> ModuleType:
    # Late: who imports fdaa.strategies first imports Hypothesis with it, and that calls `register`.
    from fdaa import strategies

    return strategies
