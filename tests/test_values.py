"""What everything that is a value has: equality, order, hash, repr, copy, format, patterns."""

from __future__ import annotations

import copy
import operator
import pickle
from itertools import product

import pytest

import fdaa

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
ADDRESS = fdaa.Address.parse(TEXT)
NETWORK_ID = fdaa.NetworkID(0x2045B)
NAME = fdaa.NetworkName("customer-17")
VALUES = (ADDRESS, NETWORK_ID, NAME)

# --- equality and hash ----------------------------------------------------------------------------


def test_addresses_differ_by_any_bit() -> None:
    zero = fdaa.Address.parse("fdaa::")
    for bit in range(112):
        other = fdaa.Address.from_int(int(zero) + 2**bit)
        assert operator.eq(zero, other) is False
        assert operator.ne(zero, other) is True
        assert hash(zero) != hash(other)


@pytest.mark.parametrize(("value", "plain"), [(NETWORK_ID, 132187), (NAME, "customer-17")])
def test_an_id_is_the_number_and_a_name_the_text_that_it_is(value: object, plain: object) -> None:
    assert isinstance(value, type(plain))
    assert value == plain
    assert hash(value) == hash(plain)
    assert value != TEXT


class Liar:
    """It claims to be an Address with these bits, by every attribute that it can."""

    __class__ = fdaa.Address
    _packed = packed = ADDRESS.packed

    def __hash__(self) -> int:
        return hash(ADDRESS)


ORDER = (operator.lt, operator.le, operator.gt, operator.ge)


@pytest.mark.parametrize(
    "other",
    [
        TEXT,
        int(ADDRESS),
        ADDRESS.packed,
        ADDRESS.to_ipaddress(),
        ADDRESS.to_netaddr(),
        None,
        Liar(),
    ],
    ids=lambda other: type(other).__name__,
)
def test_an_address_equals_nothing_but_an_address(other: object) -> None:
    assert operator.eq(ADDRESS, other) is operator.eq(other, ADDRESS) is False
    assert operator.ne(ADDRESS, other) is operator.ne(other, ADDRESS) is True
    for compare in ORDER:
        with pytest.raises(TypeError, match="not supported between"):
            compare(ADDRESS, other)


@pytest.mark.parametrize("value", VALUES)
def test_a_constructor_takes_a_value_of_its_own_type(value: object) -> None:
    assert type(value)(value) == value


# --- order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("compare", [*ORDER, operator.eq, operator.ne])
def test_each_comparison_is_that_of_the_numbers(compare: operator) -> None:
    texts = ("fdaa::", "fdaa::9", "fdaa::10", "fdaa::100", "fdaa:9::", "fdaa:10::")
    addresses = [fdaa.Address.parse(text) for text in texts]
    for one, two in product(addresses, repeat=2):
        assert compare(one, two) is compare(int(one), int(two))
        ids = one.network_id, two.network_id
        assert compare(*ids) is compare(*map(int, ids))


# --- format ---------------------------------------------------------------------------------------

FORMATS = (
    # value, format specification, text
    (ADDRESS, "", TEXT),
    (ADDRESS, "s", TEXT),
    (ADDRESS, "34", TEXT + "    "),
    (ADDRESS, ">34", "    " + TEXT),
    (ADDRESS, "*^34", "**" + TEXT + "**"),
    (NETWORK_ID, "", "2:45b"),
    (NETWORK_ID, "s", "2:45b"),
    (NETWORK_ID, "8", "2:45b   "),
    (NETWORK_ID, ">8", "   2:45b"),
    (NETWORK_ID, "d", "132187"),
    (NETWORK_ID, ",d", "132,187"),
    (NETWORK_ID, "n", "132187"),
    (NETWORK_ID, "x", "2045b"),
    (NETWORK_ID, "X", "2045B"),
    (NETWORK_ID, "#x", "0x2045b"),
    (NETWORK_ID, "08x", "0002045b"),
    (NETWORK_ID, "o", "402133"),
    (NETWORK_ID, "b", "100000010001011011"),
    (NAME, "", "customer-17"),
    (NAME, ">13", "  customer-17"),
)


@pytest.mark.parametrize(("value", "spec", "text"), FORMATS)
def test_a_value_is_formatted_as_its_text_and_an_id_also_as_its_number(
    value: object, spec: str, text: str
) -> None:
    assert format(value, spec) == text


def test_percent_formatting_of_a_network_id() -> None:
    assert "%s %d %#x" % (NETWORK_ID, NETWORK_ID, NETWORK_ID) == "2:45b 132187 0x2045b"  # noqa: UP031


# --- immutable and final --------------------------------------------------------------------------

ATTRIBUTES = (
    *((ADDRESS, name) for name in ("_packed", "packed", "network_id", "rest", "exploded", "new")),
    *((ADDRESS, name) for name in ("__class__", "__dict__", "__doc__", "parse")),
    *((NETWORK_ID, name) for name in ("high", "low", "prefix", "real", "new", "parse")),
    *((NAME, name) for name in ("is_default", "upper", "new", "parse")),
)


@pytest.mark.parametrize(("value", "name"), ATTRIBUTES)
def test_a_value_cannot_be_changed(value: object, name: str) -> None:
    before = (hash(value), repr(value))
    with pytest.raises(AttributeError):
        setattr(value, name, b"")
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert (hash(value), repr(value)) == before


@pytest.mark.parametrize("type_", [fdaa.Address, fdaa.NetworkID, fdaa.NetworkName])
def test_a_type_is_final(type_: type) -> None:
    with pytest.raises(TypeError, match=f"^{type_.__name__} is final$"):
        type("Other", (type_,), {})


def test_no_method_changes_an_address() -> None:
    """A second `__init__`, or what pickle calls on other types, does nothing."""
    address = fdaa.Address.parse(TEXT)
    address.__init__("fdaa::")
    assert str(address) == TEXT
    assert not hasattr(address, "__setstate__")


@pytest.mark.parametrize("value", VALUES)
def test_a_value_has_no_room_for_more(value: object) -> None:
    assert not hasattr(value, "__dict__")


# --- copies and pickles ---------------------------------------------------------------------------


@pytest.mark.parametrize("value", VALUES)
def test_a_copy_or_a_pickle_is_an_equal_value_of_the_same_type(value: object) -> None:
    copies = [copy.copy(value), copy.deepcopy(value), copy.deepcopy([value])[0]]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copies += pickle.loads(pickle.dumps([value, value], protocol))
    assert {type(each) for each in copies} == {type(value)}
    assert set(copies) == {value}


SPOILED = (
    # value, a part of its pickle, what replaces it
    (ADDRESS, b"fdaa:2:45b", b"fdab:2:45b"),
    (NETWORK_ID, b"J[\x04\x02\x00", b"J\xff\xff\xff\xff"),
    (NAME, b"customer-17", b"customer_17"),
)


@pytest.mark.parametrize(("value", "old", "new"), SPOILED)
def test_a_spoiled_pickle_makes_no_wrong_value(value: object, old: bytes, new: bytes) -> None:
    pickled = pickle.dumps(value, 5)
    assert old in pickled
    with pytest.raises(fdaa.FdaaError):
        pickle.loads(pickled.replace(old, new))


# --- patterns -------------------------------------------------------------------------------------


def test_a_value_is_taken_apart_by_position_and_by_name() -> None:
    match fdaa.Address.parse("fdaa:2:45b::3"), ADDRESS, NAME:
        case (
            fdaa.Address(fdaa.NetworkID(high=0x2, low=low), rest=3),
            fdaa.Address(fdaa.NetworkID(0x2, 0x45B), rest),
            fdaa.NetworkName("customer-17"),
        ):
            assert (low, rest) == (0x45B, ADDRESS.rest)
        case _:
            raise AssertionError
