"""The Hypothesis strategies: found without an import, and reaching the shapes that they promise."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING

import pytest
import slow_parser
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import fdaa
from fdaa.network_name import risks
from fdaa.strategies import address_texts, addresses, network_ids, network_names, not_addresses

if TYPE_CHECKING:
    from collections.abc import Callable


def refusal(text: str) -> str:
    with pytest.raises(fdaa.AddressError) as caught:
        fdaa.Address.parse(text)
    return caught.value.reason


# --- found by Hypothesis itself -------------------------------------------------------------------


@pytest.mark.parametrize("type_", [fdaa.Address, fdaa.NetworkID, fdaa.NetworkName])
def test_from_type_works(type_: type) -> None:
    found = set()

    @given(value=st.from_type(type_))
    def draw(value: object) -> None:
        assert type(value) is type_
        found.add(value)

    draw()
    assert len(found) > 5


def test_users_need_no_import_but_hypothesis_and_fdaa() -> None:
    script = """if True:
        import sys
        import hypothesis
        import fdaa
        from hypothesis import given, settings

        @settings(max_examples=20, database=None)
        @given(...)
        def check(a: fdaa.Address, i: fdaa.NetworkID, n: fdaa.NetworkName) -> None:
            assert fdaa.Address.parse(str(a)) == a
            assert fdaa.NetworkID.parse(str(i)) == i
            assert fdaa.NetworkName.parse(n) == n
            print("checked")

        check()
    """
    printed = subprocess.check_output([sys.executable, "-W", "error", "-c", script], text=True)
    assert printed.split() == ["checked"] * 20


def test_either_may_be_imported_first() -> None:
    """Whoever imports the strategies first imports Hypothesis, which asks for them in between."""
    for first, second in (("fdaa.strategies", "hypothesis"), ("hypothesis", "fdaa.strategies")):
        script = f"import {first}, {second}, fdaa; from hypothesis import strategies as st"
        script += "; print(repr(st.from_type(fdaa.Address).validate()))"
        printed = subprocess.check_output([sys.executable, "-W", "error", "-c", script], text=True)
        assert printed == "None\n"


# --- each value is one ----------------------------------------------------------------------------


@given(address_texts())
def test_address_texts_are_private_addresses(text: str) -> None:
    packed = slow_parser.parse(text)
    assert packed is not None
    assert packed.startswith(b"\xfd\xaa")


@given(not_addresses())
def test_not_addresses_are_no_private_addresses(text: str) -> None:
    packed = slow_parser.parse(text)
    assert packed is None or not packed.startswith(b"\xfd\xaa")


@pytest.mark.parametrize("ids", [st.just(fdaa.NetworkID(7)), st.just(7)])
def test_addresses_are_drawn_on_given_networks(ids: st.SearchStrategy[int]) -> None:
    @given(addresses(network_ids=ids))
    def on_network_7(address: fdaa.Address) -> None:
        assert address.network_id == 7

    on_network_7()


@given(address_texts(addresses=st.just(fdaa.Address.parse("fdaa:2:45b::3"))))
def test_address_texts_are_drawn_of_given_addresses(text: str) -> None:
    assert str(fdaa.Address.parse(text)) == "fdaa:2:45b::3"


# --- each edge is reached -------------------------------------------------------------------------


EDGES = (
    # strategy, shape, why
    (network_ids(), lambda i: i == 0, "no custom network"),
    (network_ids(), lambda i: i == 0xFFFFFFFF, "the largest ID"),
    (network_ids(), lambda i: i.high == 0 and i.low > 0, "a high group that can be swallowed"),
    (network_ids(), lambda i: i.high > 0 and i.low == 0, "a low group that can be swallowed"),
    (network_ids(), lambda i: i.high > 0x7FFF and i.low > 0x7FFF, "uniform: large groups"),
    (addresses(), lambda a: int(a) == 0xFDAA * 2**112, "the smallest address"),
    (addresses(), lambda a: str(a).startswith("fdaa::") and a.rest > 1, "the ID swallowed"),
    (addresses(), lambda a: str(a) == "fdaa:1::1:0:0:2", "half of the ID swallowed"),
    (addresses(), lambda a: "::" not in str(a), "no '::'"),
    (addresses(), lambda a: str(a).endswith("::") and a.network_id, "'::' last"),
    (network_names(), lambda n: n.is_default, "the default network"),
    (network_names(), lambda n: n.lower() == "default" and not n.is_default, "another case of it"),
    (network_names(), lambda n: len(n) > 63, "longer than a DNS label"),
    (network_names(), lambda n: n.endswith("-"), "a dash last"),
    (network_names(), lambda n: len(n) > 5 and not risks(n), "nothing special"),
    (address_texts(), lambda t: t == str(fdaa.Address(t)), "the canonical text"),
    (address_texts(), lambda t: t != t.lower() and t != t.upper(), "mixed case"),
    (address_texts(), lambda t: "." in t and "::" in t, "a dotted quad and '::'"),
    (address_texts(), lambda t: ":0::" in t or "::0:" in t, "'::' beside zeros"),
    (address_texts(), lambda t: t.count(":") == 7 and "::" in t, "'::' for one group"),
    *(
        (not_addresses(), lambda t, part=part: part in refusal(t), part)
        for part in (
            *("a zone", "brackets", "a port", "a prefix length", "white space", "it is empty"),
            *("an IPv4 address", "start with 'fdaa'", "at most 4 hex digits", "too many groups"),
            *("of 8 groups, and no", "a second '::'", "is not a hex digit", "a dotted quad is"),
        )
    ),
)


# The same draws each time, as many as it takes, and no shrinking of what was found.
SEARCH = settings(max_examples=20_000, database=None, derandomize=True, phases=[Phase.generate])


@pytest.mark.parametrize(("strategy", "shape", "why"), EDGES, ids=[row[2] for row in EDGES])
def test_each_edge_is_reached(
    strategy: st.SearchStrategy[object], shape: Callable[[object], bool], why: str
) -> None:
    assert shape(find(strategy, shape, settings=SEARCH)), why


def assert_reaches(address: str, texts: set[str], fold: Callable[[str], str] = str) -> None:
    """Draw texts of one address until each of these was drawn, and none but these."""
    missing = set(texts)

    def nothing_is_missing(text: str) -> bool:
        assert fold(text) in texts
        missing.discard(fold(text))
        return not missing

    find(address_texts(st.just(fdaa.Address.parse(address))), nothing_is_missing, settings=SEARCH)


@pytest.mark.parametrize(
    ("address", "count"),
    [
        ("fdaa:1111:1111:1111:1111:1111:1111:1111", 2),  # a dotted quad, or none
        ("fdaa:111:1111:22:1111:1111:1111:1111", 12),  # leading zeros
        ("fdaa:1111:1111:0:1111:1111:1111:1111", 10),  # '::' for one group, or none
        ("fdaa:1111:1111:1111:1111:1111:1111:0", 6),  # '::' last, or a dotted quad
    ],
)
def test_every_spelling_of_an_address_is_reached(address: str, count: int) -> None:
    spellings = slow_parser.spellings(fdaa.Address.parse(address).packed)
    assert len(spellings) == count
    assert_reaches(address, spellings, str.lower)


def test_every_case_of_every_letter_is_reached() -> None:
    cases = {"".join(letters) for letters in product("fF", "dD", "aA", "aA")}
    assert_reaches("fdaa:1111:1111:1111:1111:1111:1111:1111", cases, lambda text: text[:4])
