"""Pseudonyms in log records: values and fields from `extra`, and messages that are dictionaries."""

from __future__ import annotations

import copy
import logging
import sys
from collections import namedtuple
from datetime import UTC, datetime
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from log_records import (
    FILTER,
    FIRST,
    HIDDEN,
    HIDDEN_NETWORK,
    HIDDEN_PART,
    HIDDEN_SECOND,
    NETWORK,
    PART,
    SECOND,
    filtered,
    logged,
)
from scan_output import PSEUDONYMS

from fdaa import Address, Prefix
from fdaa.strategies import addresses, prefixes

# --- a value's pseudonym --------------------------------------------------------------------------


@given(addresses())
def test_a_network_id_s_pseudonym_is_what_the_pseudonyms_of_its_addresses_show(
    address: Address,
) -> None:
    hidden = Address(logged("%s", address))
    assert FILTER.pseudonymize_values(address.network_id) == hidden.network_id
    assert hidden in FILTER.pseudonymize_values(address.network_id.prefix)


@given(prefixes())
def test_a_prefix_s_pseudonym_is_that_of_its_text(prefix: Prefix) -> None:
    hidden = FILTER.pseudonymize_values(prefix)
    assert (
        str(hidden)
        == FILTER.pseudonymize_values(str(prefix))
        == PSEUDONYMS.pseudonymize_text(str(prefix))
    )
    assert isinstance(hidden, Prefix)
    assert hidden.length == prefix.length
    assert hidden.network_id == FILTER.pseudonymize_values(prefix.network_id)


# --- fields from `extra` --------------------------------------------------------------------------

Pair = namedtuple("Pair", "name address")
KEPT = (None, True, 80, 1.5, "web", b"\xff", datetime.now(UTC), UUID(int=1), bytes(16), b"\xfd\xaa")
FIELDS = (
    # the field, what a handler gets
    (FIRST, HIDDEN),
    (NETWORK, HIDDEN_NETWORK),
    (PART, HIDDEN_PART),
    (f"[{FIRST}]:80", f"[{HIDDEN}]:80"),
    (f"[{FIRST}]:80 \u00fc".encode(), f"[{HIDDEN}]:80 \u00fc".encode()),
    ([FIRST, (NETWORK, {PART})], [HIDDEN, (HIDDEN_NETWORK, {HIDDEN_PART})]),
    ({NETWORK: {"ip": [str(FIRST)]}}, {HIDDEN_NETWORK: {"ip": [str(HIDDEN)]}}),
    ({"network": frozenset([NETWORK])}, {"network": frozenset([HIDDEN_NETWORK])}),
    (Pair("web", FIRST), Pair("web", HIDDEN)),
    ({"packed": [bytes(FIRST)]}, {"packed": [bytes(HIDDEN)]}),
)


class Host(Enum):
    NAME = "web"
    TEXT = "fdaa:2:45b:a7b:174:db43:d3c6:2"
    VALUE = NETWORK


UNCHANGED = [(value, value) for value in (*KEPT, Host.NAME)]


@pytest.mark.parametrize(("value", "expected"), [*FIELDS, *UNCHANGED])
def test_fields_from_extra_have_pseudonyms_wherever_they_stand(
    value: object, expected: object
) -> None:
    before = copy.deepcopy(value)
    record = filtered(field=value)
    assert record.field == expected  # type: ignore[attr-defined]
    assert type(record.field) is type(expected)  # type: ignore[attr-defined]
    assert value == before


def test_what_is_nested_too_deeply_or_contains_itself_is_printed_with_pseudonyms() -> None:
    circle: list[object] = [FIRST]
    circle.extend([circle] * 10)
    deep: list[object] = [FIRST, NETWORK]
    for _ in range(100):
        deep = [deep]
    for value in (circle, deep):
        record = filtered(field=value)
        shown = str(record.field)  # type: ignore[attr-defined]
        assert str(HIDDEN) in shown
        assert str(FIRST) not in shown
        assert str(NETWORK) not in shown
        assert str(HIDDEN) in logged("%s", value)


def test_each_container_is_read_once_wherever_it_stands() -> None:
    """Without this, the paths through these would be read: 10 to the power of 15."""
    shared: object = [FIRST]
    for _ in range(15):
        shared = [shared] * 10
    field = vars(filtered(field=shared))["field"]
    while field != [HIDDEN]:
        assert len({id(item) for item in field}) == 1
        field = field[0]


def test_the_name_of_a_field_has_pseudonyms() -> None:
    fields = vars(filtered(**{str(FIRST): 1, "port": 80}))
    assert fields.items() >= {str(HIDDEN): 1, "port": 80}.items()
    assert str(FIRST) not in fields


def test_two_spellings_of_an_address_as_keys_lose_no_value() -> None:
    spellings = (str(SECOND), str(SECOND).upper(), SECOND.exploded)
    keys = [f"{HIDDEN_SECOND}", f"{HIDDEN_SECOND} (2)", f"{HIDDEN_SECOND} (3)"]
    expected = dict(zip(keys, range(3), strict=True))
    event = dict(zip(spellings, range(3), strict=True))
    assert filtered(peers=[event]).peers == [expected]  # type: ignore[attr-defined]
    assert filtered(msg=event).msg == expected
    assert vars(filtered(**event)).items() >= expected.items()
    pairs = {(spelling, 80): number for spelling, number in event.items()}
    assert list(FILTER.pseudonymize_values(pairs).values()) == [0, 1, 2]


def test_the_filter_adds_no_field() -> None:
    record = filtered(msg="x", peer=FIRST)
    assert vars(record).keys() == vars(logging.makeLogRecord({"peer": FIRST})).keys()


# --- a dictionary as the message ------------------------------------------------------------------


def test_a_dictionary_stays_one() -> None:
    event = {"event": f"to {FIRST}", "network": NETWORK, "peers": [SECOND]}
    expected = {"event": f"to {HIDDEN}", "network": HIDDEN_NETWORK, "peers": [HIDDEN_SECOND]}
    assert filtered(msg=event).msg == expected
    assert event["network"] == NETWORK
    assert logged(event) == str(expected)


def test_its_exception_becomes_text_as_structlog_makes_it() -> None:
    try:
        raise ConnectionError(f"no answer from {FIRST}")
    except ConnectionError as error:
        for given in (True, error, sys.exc_info()):
            event: Any = filtered(msg={"event": "x", "exc_info": given}).msg
            assert event.keys() == {"event", "exception"}
            assert event["exception"].endswith(f"ConnectionError: no answer from {HIDDEN}")
            text = {"exc_info": f"lost {FIRST}"}
            assert filtered(msg=text).msg == {"exc_info": f"lost {HIDDEN}"}
    assert filtered(msg={"exc_info": True}).msg == {"exc_info": True}
