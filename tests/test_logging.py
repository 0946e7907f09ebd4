"""Pseudonyms and network IDs in log records: messages, arguments, exceptions and fields."""

from __future__ import annotations

import copy
import logging
import logging.config
import logging.handlers
import sys
from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
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
    Peer,
    filtered,
    logged,
)
from scan_output import PSEUDONYMS

from fdaa import Address, NetworkID, Prefix
from fdaa.logging import NetworkIDFilter, PseudonymFilter
from fdaa.strategies import addresses, prefixes


@dataclass
class Route:
    """Its repr is that of its values."""

    target: Address
    network: NetworkID
    packed: bytes


# --- the message ----------------------------------------------------------------------------------

HIDDEN_ROUTE = str(Route(HIDDEN, HIDDEN_NETWORK, HIDDEN.packed))
PEER = f"peer [{HIDDEN}]:80"
PACKED = [HIDDEN.packed, {"ip": (HIDDEN_SECOND.packed,)}]
CALLS = (
    # message, arguments, what is printed
    (f"peer [{FIRST}]:80", (), PEER),
    ("peer [%s]:80", (FIRST,), PEER),
    ("peer [%s]:80", (FIRST.to_ipaddress(),), PEER),
    ("%s", (Peer(),), PEER),
    (Peer(), (), PEER),
    ("peer [%(ip)s]:80", ({"ip": FIRST, "other": SECOND},), PEER),
    ("peer [fdaa:%x:%x:%s]:80", (0x2, 0x45B, "a7b:174:db43:d3c6:2"), PEER),
    ("peer [fdaa:%s:%s]:80", (NETWORK, "a7b:174:db43:d3c6:2"), PEER),
    ("on %s", (NETWORK,), f"on {HIDDEN_NETWORK}"),
    ("on %d, %x", (NETWORK, NETWORK), f"on {int(HIDDEN_NETWORK)}, {HIDDEN_NETWORK:x}"),
    ("on fdaa:%s::/48", (NETWORK,), f"on {HIDDEN_NETWORK.prefix}"),
    ([NETWORK, FIRST], (), f"{[HIDDEN_NETWORK, HIDDEN]}"),
    ("via %s, %r", (PART, PART), f"via {HIDDEN_PART}, {HIDDEN_PART!r}"),
    ("all %s", ([NETWORK, {"ip": (FIRST,)}],), f"all {[HIDDEN_NETWORK, {'ip': (HIDDEN,)}]}"),
    ("%s", (Route(FIRST, NETWORK, FIRST.packed),), HIDDEN_ROUTE),
    ("all %s", ([FIRST.packed, {"ip": (SECOND.packed,)}],), f"all {PACKED}"),
    (f"%s, [{SECOND}], %s", (FIRST, NETWORK), f"{HIDDEN}, [{HIDDEN_SECOND}], {HIDDEN_NETWORK}"),
    # without an address
    ("100 %% of %s, %d", ("2001:db8::1", 7), "100 % of 2001:db8::1, 7"),
    ("100 % of fdaa:", (), "100 % of fdaa:"),
    ("at %s %05d", ("0:18", 7), "at 0:18 00007"),
    (rf"b'\xfd\xaa{14 * 'é'}'", (), rf"b'\xfd\xaa{14 * 'é'}'"),
    # wrong arguments, which must not raise
    ("%d peers", (str(FIRST),), f"%d peers ('{HIDDEN}',)"),
    ("%d peers", (PART,), f"%d peers ({HIDDEN_PART!r},)"),
)


@pytest.mark.parametrize(("message", "arguments", "printed"), CALLS)
def test_the_message_with_its_arguments_has_pseudonyms(
    message: object, arguments: Any, printed: str
) -> None:
    assert logged(message, *arguments) == printed


def test_no_argument_is_left_in_the_record() -> None:
    record = filtered(msg="peer %(name)s", args={"name": "web", "ip": FIRST})
    assert record.getMessage() == "peer web"
    assert str(FIRST) not in repr(vars(record))


def test_a_value_that_cannot_be_printed_does_not_raise() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError("no text")

    assert logged("%s", Broken()) == "%s <unprintable tuple object>"
    record: Any = filtered(msg=f"to {FIRST}", peer=Broken())
    assert (record.msg, record.peer) == (f"to {HIDDEN}", "<unprintable Broken object>")


# --- exceptions and stacks ------------------------------------------------------------------------


def test_exceptions_with_their_causes_and_stacks_have_pseudonyms() -> None:
    try:
        try:
            raise ConnectionError(f"no answer from {FIRST}")
        except ConnectionError as error:
            raise RuntimeError(f"peer {SECOND} is gone") from error
    except RuntimeError:
        text = logged("failed", exc_info=True, stack_info=True)
    assert f"ConnectionError: no answer from {HIDDEN}\n" in text
    assert f"RuntimeError: peer {HIDDEN_SECOND} is gone" in text
    assert "Stack (most recent call last)" in text
    assert str(FIRST) not in text


def test_a_formatter_that_reads_the_exception_itself_prints_pseudonyms() -> None:
    try:
        raise ConnectionError(f"no answer from {FIRST}")
    except ConnectionError:
        record: Any = filtered(exc_info=sys.exc_info())
    exc_info = record.exc_info
    kind, shown, _ = exc_info
    assert (kind.__name__, str(shown)) == ("ConnectionError", f"no answer from {HIDDEN}")
    text = logging.Formatter().formatException(exc_info)
    assert "Traceback (most recent call last)" in text
    assert text.endswith(f"ConnectionError: no answer from {HIDDEN}")
    assert str(FIRST) not in text
    assert FILTER.filter(record)  # of another handler
    assert record.exc_info is exc_info


@pytest.mark.parametrize(
    "field", ["name", "processName", "threadName", "taskName", "stack_info", "exc_text"]
)
def test_other_texts_of_a_record_have_pseudonyms(field: str) -> None:
    record = filtered(**{"msg": "x", field: f"of {FIRST}"})
    assert vars(record)[field] == f"of {HIDDEN}"


# --- where the filter stands ----------------------------------------------------------------------


def test_what_is_added_between_two_handlers_has_pseudonyms_too() -> None:
    """What is hidden already is not hidden twice."""
    first = PseudonymFilter(PSEUDONYMS)
    second = PseudonymFilter(secret="key")  # as in a configuration
    record: Any = logging.makeLogRecord({"msg": "from %s on %s", "args": (FIRST, NETWORK)})
    record.peers = [FIRST]
    first.filter(record)
    record.msg = f"[to {SECOND}] {record.msg}"
    record.peers.append(SECOND)
    record.target = str(SECOND)
    record.processName = record.taskName = f"worker for {FIRST}"
    second.filter(record)
    assert record.getMessage() == f"[to {HIDDEN_SECOND}] from {HIDDEN} on {HIDDEN_NETWORK}"
    assert record.peers == [HIDDEN, HIDDEN_SECOND]
    assert record.target == str(HIDDEN_SECOND)
    assert record.processName == record.taskName == f"worker for {HIDDEN}"
    after = dict(vars(record))
    first.filter(record)
    assert vars(record) == after


def network_ids(message: object, *arguments: object, **extra: object) -> list[str]:
    record = logging.makeLogRecord({"msg": message, "args": arguments, **extra})
    assert NetworkIDFilter().filter(record)
    found: list[str] = vars(record)["network_ids"]
    return found


def test_the_network_ids_of_a_record_are_a_field() -> None:
    assert network_ids("[fdaa:0:18::2]:80 to %s, %s", FIRST, "FDAA:0:18::3") == ["0:18", "2:45b"]
    others = {"prefix": Prefix("fdaa:9::/48"), "network": NetworkID("9:1"), "text": "fdaa:9:2::1"}
    assert network_ids("%s", "fdaa::3", **others) == ["0:0", "9:0", "9:1", "9:2"]
    nested = [{"peers": ("fdaa:9::1", {Prefix("fdaa:9:1::/64")})}, bytes(Address("fdaa:9:2::1"))]
    assert network_ids("refused", peers=nested) == ["9:0", "9:1", "9:2"]
    assert network_ids("%d", "no number, from fdaa::3") == ["0:0"]
    assert network_ids({"event": "refused"}, port=80) == []


def test_after_pseudonyms_the_network_ids_are_those_of_pseudonyms() -> None:
    record = filtered(msg="to %s", args=(FIRST,))
    assert NetworkIDFilter().filter(record)
    assert vars(record)["network_ids"] == [str(HIDDEN.network_id)]


@given(addresses(), prefixes())
def test_network_ids_and_prefixes_have_the_pseudonyms_of_their_addresses_and_texts(
    address: Address, prefix: Prefix
) -> None:
    hidden = FILTER.pseudonymize_values(address)
    assert hidden == PSEUDONYMS.pseudonymize(address)
    assert FILTER.pseudonymize_values(address.network_id) == hidden.network_id
    hidden_prefix = FILTER.pseudonymize_values(prefix)
    assert str(hidden_prefix) == PSEUDONYMS.pseudonymize_text(str(prefix))
    assert hidden_prefix.network_id == FILTER.pseudonymize_values(prefix.network_id)


# --- fields from `extra` --------------------------------------------------------------------------

Pair = namedtuple("Pair", "name address")
KEPT: list[object] = [None, True, 80, 1.5, "web", b"\xff", datetime.now(UTC), UUID(int=1)]
KEPT += [bytes(16), b"\xfd\xaa", HTTPStatus.OK]
FIELDS = (
    # the field, what a handler gets
    (FIRST, HIDDEN),
    (f"[{FIRST}]:80", f"[{HIDDEN}]:80"),
    (f"[{FIRST}]:80 \u00fc".encode(), f"[{HIDDEN}]:80 \u00fc".encode()),
    ([FIRST, (NETWORK, {PART})], [HIDDEN, (HIDDEN_NETWORK, {HIDDEN_PART})]),
    ({NETWORK: {"ip": [str(FIRST)]}}, {HIDDEN_NETWORK: {"ip": [str(HIDDEN)]}}),
    (Pair("web", FIRST), Pair("web", HIDDEN)),
    ({"packed": [bytes(FIRST)]}, {"packed": [bytes(HIDDEN)]}),
)


@pytest.mark.parametrize(("value", "expected"), [*FIELDS, *zip(KEPT, KEPT, strict=True)])
def test_fields_from_extra_have_pseudonyms_wherever_they_stand(
    value: object, expected: object
) -> None:
    before = copy.deepcopy(value)
    record = filtered(field=value)
    assert record.field == expected  # type: ignore[attr-defined]
    assert type(record.field) is type(expected)  # type: ignore[attr-defined]
    assert value == before


def test_an_object_in_a_field_becomes_its_text() -> None:
    assert vars(filtered(peer=Peer()))["peer"] == PEER


def test_what_is_nested_too_deeply_or_contains_itself_is_printed_with_pseudonyms() -> None:
    circle: list[object] = [FIRST]
    circle.append(circle)
    deep: list[object] = [FIRST, NETWORK]
    for _ in range(100):
        deep = [deep]
    for value in (circle, deep):
        record: Any = filtered(field=value)
        for shown in (str(record.field), logged("%s", value)):
            assert str(HIDDEN) in shown
            assert str(FIRST) not in shown
            assert str(NETWORK) not in shown


def test_the_name_of_a_field_has_pseudonyms() -> None:
    fields = vars(filtered(**{str(FIRST): 1, "port": 80}))
    assert fields.items() >= {str(HIDDEN): 1, "port": 80}.items()
    assert str(FIRST) not in fields


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
