"""The hook that Hypothesis calls on import: `from_type` then supports the types of fdaa."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from fdaa._values.address import Address, NetworkID, Prefix
from fdaa._values.network_name import NetworkName

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Register the strategies of the values."""
    names = {
        Address: "addresses",
        Prefix: "prefixes",
        NetworkID: "network_ids",
        NetworkName: "network_names",
    }
    for type_, name in names.items():
        st.register_type_strategy(type_, partial(_strategy, name))


def _strategy(name: str, _type: type) -> SearchStrategy[object]:
    # Late: importing fdaa.strategies first imports Hypothesis, which calls `register`.
    from fdaa import strategies

    function: Callable[[], SearchStrategy[object]] = getattr(strategies, name)
    return function()
