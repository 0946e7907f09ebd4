"""The Hypothesis strategies: found without an import, and reaching the shapes that they promise."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import slow_parser
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

import fdaa
from fdaa.strategies import (
    address_texts,
    addresses,
    network_ids,
    network_names,
    not_addresses,
    prefixes,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("first", ["fdaa.strategies", "hypothesis"])
@pytest.mark.slow
def test_users_need_no_import_and_either_may_be_imported_first(first: str) -> None:
    script = f"""if True:
        import {first}
        import hypothesis
        import fdaa

        @hypothesis.settings(max_examples=20, database=None)
        @hypothesis.given(...)
        def check(a: fdaa.Address, i: fdaa.NetworkID, n: fdaa.NetworkName) -> None:
            assert fdaa.Address(str(a)) == a
            assert fdaa.NetworkID(str(i)) == i
            assert fdaa.NetworkName(n) == n
            print("checked")

        check()
    """
    printed = subprocess.check_output([sys.executable, "-W", "error", "-c", script], text=True)
    assert printed.split() == ["checked"] * 20


# --- each shape is reached ------------------------------------------------------------------------

# Strategy -> shapes that it reaches.
SHAPES: dict[Any, dict[str, Callable[..., object]]] = {
    network_ids: {
        "no custom network": lambda i: i == 0,
        "a high group that can be swallowed": lambda i: i.high == 0 and i.low > 0,
        "a low group that can be swallowed": lambda i: i.high > 0 and i.low == 0,
        "uniform: large groups": lambda i: i.high > 0x7FFF and i.low > 0x7FFF,
    },
    addresses: {
        "the ID swallowed": lambda a: str(a).startswith("fdaa::") and a.rest > 1,
        "no '::'": lambda a: "::" not in str(a),
        "'::' last": lambda a: str(a).endswith("::") and a.network_id,
    },
    network_names: {
        "the default network": lambda n: n.is_default,
        "another case of it": lambda n: n.lower() == "default" and not n.is_default,
        "longer than a DNS label": lambda n: len(n) > 63,
        "a dash last": lambda n: n.endswith("-"),
    },
    address_texts: {
        "the canonical text": lambda t: t == str(fdaa.Address(t)),
        "mixed case": lambda t: t not in (t.lower(), t.upper()),
        "a dotted quad and '::'": lambda t: "." in t and "::" in t,
        "'::' beside zeros": lambda t: ":0::" in t or "::0:" in t,
        "'::' for one group": lambda t: t.count(":") == 7 and "::" in t,
    },
    prefixes: {
        "a whole network": lambda p: p.length == 48,
        "more than a /64": lambda p: 48 < p.length < 64,
        "a part of a /64": lambda p: p.length >= 64,
    },
    not_addresses: {
        "brackets": lambda t: "[" in t,
        "another prefix": lambda t: slow_parser.parse(t) is not None,
        "too many groups": lambda t: t.count(":") == 8 and "::" not in t,
        "two '::'": lambda t: t.count("::") == 2,
    },
}

# The same draws each time, as many as it takes, and no shrinking of what was found.
SEARCH = settings(max_examples=5_000, database=None, derandomize=True, phases=[Phase.generate])


@pytest.mark.parametrize("strategy", SHAPES)
def test_each_shape_is_reached(strategy: Callable[[], st.SearchStrategy[object]]) -> None:
    missing = dict(SHAPES[strategy])

    def nothing_is_missing(value: object) -> bool:
        for name in list(missing):
            if missing[name](value):
                del missing[name]
        return not missing

    with suppress(NoSuchExample):
        find(strategy(), nothing_is_missing, settings=SEARCH)
    assert missing == {}
