"""The Hypothesis strategies: found without an import, and reaching the shapes that they promise."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import slow_parser
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

import fdaa
from fdaa._values.network_name import risks  # no export: only `fdaa check name` warns of them
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

# --- found by Hypothesis itself -------------------------------------------------------------------


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


# --- each value is one ----------------------------------------------------------------------------


@given(not_addresses())
def test_not_addresses_are_no_private_addresses(text: str) -> None:
    assert not (slow_parser.parse(text) or b"").startswith(b"\xfd\xaa")


@given(addresses(network_ids=st.just(7)), address_texts(st.just(fdaa.Address("fdaa:2:45b::3"))))
def test_what_is_drawn_from_can_be_given(address: fdaa.Address, text: str) -> None:
    assert address.network_id == 7
    assert str(fdaa.Address(text)) == "fdaa:2:45b::3"


# --- each edge is reached -------------------------------------------------------------------------


def refusal(text: str) -> str:
    try:
        return f"{fdaa.Address(text)} is one"
    except fdaa.AddressError as error:
        return error.reason


REASONS = (
    "a zone",
    "brackets",
    "a prefix length",
    "white space",
    "it is empty",
    "an IPv4 address",
    "start with 'fdaa'",
    "at most 4 hex digits",
    "too many groups",
    "of 8 groups, and no",
    "'::' may appear only once",
    "is not a hex digit",
    "between four numbers",
)


def reasons() -> st.SearchStrategy[str]:
    """Return a strategy for the reasons against texts that are no addresses."""
    return not_addresses().map(refusal)


def is_in(part: str, reason: str) -> bool:
    return part in reason


# Strategy -> shapes that it reaches, each with its reason.
EDGES: dict[Any, dict[str, Callable[..., object]]] = {
    network_ids: {
        "no custom network": lambda i: i == 0,
        "the largest ID": lambda i: i == 0xFFFFFFFF,
        "a high group that can be swallowed": lambda i: i.high == 0 and i.low > 0,
        "a low group that can be swallowed": lambda i: i.high > 0 and i.low == 0,
        "uniform: large groups": lambda i: i.high > 0x7FFF and i.low > 0x7FFF,
    },
    addresses: {
        "the smallest address": lambda a: int(a) == 0xFDAA * 2**112,
        "the ID swallowed": lambda a: str(a).startswith("fdaa::") and a.rest > 1,
        "no '::'": lambda a: "::" not in str(a),
        "'::' last": lambda a: str(a).endswith("::") and a.network_id,
    },
    network_names: {
        "the default network": lambda n: n.is_default,
        "another case of it": lambda n: n.lower() == "default" and not n.is_default,
        "longer than a DNS label": lambda n: len(n) > 63,
        "a dash last": lambda n: n.endswith("-"),
        "nothing special": lambda n: len(n) > 5 and not risks(n),
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
    reasons: {part: partial(is_in, part) for part in REASONS},
}


# The same draws each time, as many as it takes, and no shrinking of what was found.
SEARCH = settings(max_examples=5_000, database=None, derandomize=True, phases=[Phase.generate])


def assert_reaches(strategy: st.SearchStrategy, shapes: dict[str, Callable[..., object]]) -> None:
    missing = dict(shapes)

    def nothing_is_missing(value: object) -> bool:
        for why, shape in list(missing.items()):
            if shape(value):
                del missing[why]
        return not missing

    with suppress(NoSuchExample):
        find(strategy, nothing_is_missing, settings=SEARCH)
    assert missing == {}


@pytest.mark.parametrize("strategy", EDGES)
def test_each_edge_is_reached(strategy: Callable[[], st.SearchStrategy]) -> None:
    assert_reaches(strategy(), EDGES[strategy])


def test_every_spelling_of_an_address_is_reached() -> None:
    spellings = set()
    for zero in ("0", "00", "000", "0000", ""):
        spellings.add(f"fdaa:1111:1111:{zero}:1111:1111:1111:1111")
        spellings.add(f"fdaa:1111:1111:{zero}:1111:1111:17.17.17.17")
    address = fdaa.Address("fdaa:1111:1111::1111:1111:1111:1111")
    missing = spellings.copy()

    def is_the_last(text: str) -> bool:
        missing.discard(text.lower())
        return not missing

    with suppress(NoSuchExample):
        find(address_texts(st.just(address)), is_the_last, settings=SEARCH)
    assert missing == set()
