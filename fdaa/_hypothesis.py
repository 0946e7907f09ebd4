"""What Hypothesis calls when it is imported: `from_type` then knows the types of fdaa."""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import strategies as st

from fdaa.address import Address, NetworkID
from fdaa.network_name import NetworkName


def register() -> None:
    """Register the strategies of the three types."""
    for type_, name in (
        (Address, "addresses"),
        (NetworkID, "network_ids"),
        (NetworkName, "network_names"),
    ):
        st.register_type_strategy(type_, partial(_strategy, name))


def _strategy(name: str, _type: type) -> st.SearchStrategy[Any]:
    # Late: who imports fdaa.strategies first imports Hypothesis with it, and that calls `register`.
    from fdaa import strategies

    strategy: st.SearchStrategy[Any] = getattr(strategies, name)()
    return strategy
