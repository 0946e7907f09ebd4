"""What everything that is a value has: equality, order, hash, repr, copy, format, patterns."""

from __future__ import annotations

import copy
import operator
import pickle

import pytest

import fdaa

TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
ADDRESS = fdaa.Address.parse(TEXT)
NETWORK_ID = fdaa.NetworkID(0x2045B)
NAME = fdaa.NetworkName.parse("customer-17")
VALUES = (ADDRESS, NETWORK_ID, NAME)
TYPES = (fdaa.Address, fdaa.NetworkID, fdaa.NetworkName)

each_value = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
each_type = pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.__name__)


# --- equality and hash ----------------------------------------------------------------------------


def test_addresses_are_equal_by_their_bits() -> None:
    one = fdaa.Address.parse(TEXT)
    two = fdaa.Address.parse("FDAA:0002:045b:0a7b:0174:db43:211.198.0.2")
    assert operator.eq(one, two) is True
    assert operator.ne(one, two) is False
    assert hash(one) == hash(two)
    assert {one: "found"}[two] == "found"


def test_addresses_differ_by_any_bit() -> None:
    zero = fdaa.Address.parse("fdaa::")
    for bit in range(112):
        other = fdaa.Address.from_int(int(zero) + 2**bit)
        assert operator.eq(zero, other) is False
        assert operator.ne(zero, other) is True
        assert hash(zero) != hash(other)


@pytest.mark.parametrize(
    "other",
    [TEXT, int(ADDRESS), ADDRESS.packed, ADDRESS.to_ipaddress(), ADDRESS.to_netaddr(), None],
    ids=lambda other: type(other).__name__,
)
def test_an_address_equals_nothing_but_an_address(other: object) -> None:
    for one, two in ((ADDRESS, other), (other, ADDRESS)):
        assert operator.eq(one, two) is False
        assert operator.ne(one, two) is True
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match="not supported between"):
            compare(ADDRESS, other)


def test_a_network_id_is_the_number_that_it_is() -> None:
    network_id = fdaa.NetworkID(0x2045B)
    assert network_id == 132187
    assert hash(network_id) == hash(132187)
    assert {132187: "found"}[network_id] == "found"
    assert isinstance(network_id, int)
    assert network_id != "2:45b"


def test_a_network_name_is_the_text_that_it_is() -> None:
    name = fdaa.NetworkName.parse("customer-17")
    assert name == "customer-17"
    assert hash(name) == hash("customer-17")
    assert {"customer-17": "found"}[name] == "found"
    assert isinstance(name, str)


class Liar:
    """It claims to be an Address with these bits, by every attribute that it can."""

    __class__ = fdaa.Address
    _packed = packed = ADDRESS.packed

    def __hash__(self) -> int:
        return hash(ADDRESS)


COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


def test_what_claims_to_be_an_address_is_not_equal_to_one() -> None:
    liar = Liar()
    assert isinstance(liar, fdaa.Address)  # what it claims
    assert operator.eq(ADDRESS, liar) is False
    assert operator.ne(ADDRESS, liar) is True
    assert liar not in {ADDRESS}
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError, match="not supported between"):
            compare(ADDRESS, liar)


# --- order ----------------------------------------------------------------------------------------


def test_addresses_are_ordered_as_their_numbers_and_not_as_their_texts() -> None:
    texts = ["fdaa:10::", "fdaa:9::", "fdaa:0:10::", "fdaa:0:9::", "fdaa::10", "fdaa::9", "fdaa::"]
    addresses = [fdaa.Address.parse(text) for text in texts]
    assert list(map(str, sorted(addresses))) == texts[::-1]
    assert (str(min(addresses)), str(max(addresses))) == ("fdaa::", "fdaa:10::")


@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda compare: compare.__name__)
def test_each_comparison_is_that_of_the_numbers(compare: operator) -> None:
    texts = ("fdaa::", "fdaa::1", "fdaa::ff", "fdaa::100", "fdaa:0:0:1::", "fdaa:ffff::")
    addresses = [fdaa.Address.parse(text) for text in texts]
    for one in addresses:
        for two in addresses:
            assert compare(one, two) is compare(int(one), int(two))
            assert compare(one.network_id, two.network_id) is compare(
                int(one.network_id), int(two.network_id)
            )


# --- repr, str and format -------------------------------------------------------------------------

REPRS = (
    (ADDRESS, "Address('fdaa:2:45b:a7b:174:db43:d3c6:2')"),
    (NETWORK_ID, "NetworkID('2:45b')"),
    (NAME, "NetworkName('customer-17')"),
)


@pytest.mark.parametrize(("value", "text"), REPRS)
def test_repr_evaluates_to_the_value(value: object, text: str) -> None:
    assert repr(value) == text
    again = eval(text, vars(fdaa).copy())  # noqa: S307
    assert again == value
    assert type(again) is type(value)


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
    assert "%s" % NETWORK_ID == "2:45b"  # noqa: UP031
    assert "%d" % NETWORK_ID == "132187"  # noqa: UP031
    assert "%#x" % NETWORK_ID == "0x2045b"  # noqa: UP031


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


def test_no_method_changes_an_address() -> None:
    """A second `__init__`, or what pickle calls on other types, does nothing."""
    address = fdaa.Address.parse(TEXT)
    address.__init__("fdaa::")
    assert str(address) == TEXT
    assert not hasattr(address, "__setstate__")


@each_value
def test_a_value_has_no_room_for_more(value: object) -> None:
    assert not hasattr(value, "__dict__")


@each_type
def test_a_type_is_final(type_: type) -> None:
    with pytest.raises(TypeError, match=f"{type_.__name__} is final"):
        type("Sub", (type_,), {})


# --- copies and pickles ---------------------------------------------------------------------------


@each_value
def test_a_copy_or_a_pickle_is_an_equal_value_of_the_same_type(value: object) -> None:
    copies = [copy.copy(value), copy.deepcopy(value), copy.deepcopy([value])[0]]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copies += pickle.loads(pickle.dumps([value, value], protocol))
    assert {type(each) for each in copies} == {type(value)}
    assert set(copies) == {value}


SPOILED = (
    # value, bytes in its pickle, what replaces them, error
    (ADDRESS, b"fdaa:2:45b", b"fdab:2:45b", fdaa.AddressError),
    (NETWORK_ID, b"J[\x04\x02\x00", b"J\xff\xff\xff\xff", fdaa.NetworkIDError),
    (NAME, b"customer-17", b"customer_17", fdaa.NetworkNameError),
)


@pytest.mark.parametrize(("value", "old", "new", "error"), SPOILED)
def test_a_spoiled_pickle_makes_no_wrong_value(
    value: object, old: bytes, new: bytes, error: type[fdaa.FdaaError]
) -> None:
    pickled = pickle.dumps(value, 5)
    assert old in pickled
    with pytest.raises(error):
        pickle.loads(pickled.replace(old, new))


# --- patterns -------------------------------------------------------------------------------------


def test_an_address_is_taken_apart_by_position_and_by_name() -> None:
    match fdaa.Address.parse("fdaa:2:45b::3"):
        case fdaa.Address(fdaa.NetworkID(0x2, 0x45B) as network_id, 3):
            assert network_id == 0x2045B
        case _:
            raise AssertionError
    match ADDRESS:
        case fdaa.Address(network_id=0x2045B, rest=rest):
            assert rest == ADDRESS.rest
        case _:
            raise AssertionError


def test_a_network_id_is_taken_apart_by_its_groups() -> None:
    match NETWORK_ID:
        case fdaa.NetworkID(high, low):
            assert (high, low) == (0x2, 0x45B)
        case _:
            raise AssertionError


def test_a_network_name_matches_like_its_text() -> None:
    match NAME:
        case "default":
            raise AssertionError
        case fdaa.NetworkName("customer-17"):
            pass
        case _:
            raise AssertionError
