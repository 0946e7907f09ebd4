"""What Hypothesis calls when it is imported: `from_type` then knows the types of fdaa.

In a file of its own, and `fdaa.strategies` is imported when a strategy is first asked for: whoever
imports `fdaa.strategies` first imports Hypothesis with it, which calls this in between.
"""

from __future__ import annotations

from hypothesis import strategies as st

from fdaa.address import Address, NetworkID
from fdaa.network_name import NetworkName


def register() -> None:
    """Register the strategies of the three types."""
    st.register_type_strategy(Address, _addresses)
    st.register_type_strategy(NetworkID, _network_ids)
    st.register_type_strategy(NetworkName, _network_names)


def _addresses(_: type) -> st.SearchStrategy[Address]:
    from fdaa.strategies import addresses

    return addresses()


def _network_ids(_: type) -> st.SearchStrategy[NetworkID]:
    from fdaa.strategies import network_ids

    return network_ids()


def _network_names(_: type) -> st.SearchStrategy[NetworkName]:
    from fdaa.strategies import network_names

    return network_names()
