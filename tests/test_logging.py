"""Pseudonyms and network IDs in log records: messages, arguments, exceptions and fields."""

from __future__ import annotations

import copy
import io
import logging
import logging.config
import logging.handlers
import pickle
import queue
import sys
from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
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
    SECRET,
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


PACKED = [HIDDEN.packed, {"ip": (HIDDEN_SECOND.packed,)}]


# --- the message ----------------------------------------------------------------------------------

VALUES = (
    # message, arguments, what is printed
    (f"to [{FIRST}]:80", (), f"to [{HIDDEN}]:80"),
    ("to [%s]:80", (FIRST,), f"to [{HIDDEN}]:80"),
    ("to %s", (FIRST.to_ipaddress(),), f"to {HIDDEN}"),
    ("to %s", (Peer(),), f"to peer [{HIDDEN}]:80"),
    (Peer(), (), f"peer [{HIDDEN}]:80"),
    ("to %(ip)s", ({"ip": FIRST, "other": SECOND},), f"to {HIDDEN}"),
    ("to fdaa:%x:%x:%s", (0x2, 0x45B, "a7b:174:db43:d3c6:2"), f"to {HIDDEN}"),
    ("to fdaa:%s:%s", (NETWORK, "a7b:174:db43:d3c6:2"), f"to {HIDDEN}"),
    ("on %s", (NETWORK,), f"on {HIDDEN_NETWORK}"),
    ("on %d, %x", (NETWORK, NETWORK), f"on {int(HIDDEN_NETWORK)}, {HIDDEN_NETWORK:x}"),
    ("on fdaa:%s::/48", (NETWORK,), f"on {HIDDEN_NETWORK.prefix}"),
    ([NETWORK, FIRST], (), f"{[HIDDEN_NETWORK, HIDDEN]}"),
    ("via %s, %r", (PART, PART), f"via {HIDDEN_PART}, {HIDDEN_PART!r}"),
    ("to %r", (FIRST,), f"to {HIDDEN!r}"),
    ("to %.9s", (FIRST,), f"to {str(HIDDEN)[:9]}"),
    ("all %s", ([NETWORK, {"ip": (FIRST,)}],), f"all {[HIDDEN_NETWORK, {'ip': (HIDDEN,)}]}"),
    ("%s", (Route(FIRST, NETWORK),), f"{Route(HIDDEN, HIDDEN_NETWORK)}"),
    ("all %s", ([FIRST.packed, {"ip": (SECOND.packed,)}],), f"all {PACKED}"),
    (f"%s, [{SECOND}], %s", (FIRST, NETWORK), f"{HIDDEN}, [{HIDDEN_SECOND}], {HIDDEN_NETWORK}"),
)


@pytest.mark.parametrize(("message", "arguments", "printed"), VALUES)
def test_the_message_with_its_arguments_has_pseudonyms(
    message: object, arguments: Any, printed: str
) -> None:
    assert logged(message, *arguments) == printed


def test_no_argument_is_left_in_the_record() -> None:
    record = filtered(msg="peer %(name)s", args={"name": "web", "ip": FIRST})
    assert record.getMessage() == "peer web"
    assert str(FIRST) not in repr(vars(record))


def test_what_has_no_address_is_printed_as_it_is() -> None:
    assert logged("100 %% of %s, %d", "2001:db8::1", 7) == "100 % of 2001:db8::1, 7"
    assert logged("100 % of fdaa:", extra={"ip": None}) == "100 % of fdaa:"
    assert logged("at %s %05d", "0:18", 7) == "at 0:18 00007"


def test_wrong_arguments_do_not_raise_and_are_printed_with_pseudonyms() -> None:
    assert logged("%d peers", str(FIRST)) == f"%d peers ('{HIDDEN}',)"
    assert logged("%d peers", PART) == f"%d peers ({HIDDEN_PART!r},)"


def test_a_value_that_cannot_be_printed_does_not_raise() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError("no text")

    unprintable = "<unprintable Broken object>"
    assert logged(Broken()) == f"{unprintable} ()"
    assert logged("%s", Broken()) == "%s <unprintable tuple object>"
    options = {"extra": {"peer": Broken()}, "format": "%(message)s, %(peer)s"}
    assert logged(f"to {FIRST}", **options) == f"to {HIDDEN}, {unprintable}"


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
    assert "Traceback (most recent call last)" in text
    assert "Stack (most recent call last)" in text
    assert str(FIRST) not in text
    assert "None" not in logged("failed")


def test_a_formatter_that_reads_the_exception_itself_prints_pseudonyms() -> None:
    try:
        raise ConnectionError(f"no answer from {FIRST}")
    except ConnectionError as error:
        for given in (True, error, sys.exc_info()):
            record: Any = filtered(msg="x", exc_info=given)
            kind, shown, _ = record.exc_info
            assert (kind.__name__, str(shown)) == ("ConnectionError", f"no answer from {HIDDEN}")
            text = logging.Formatter().formatException(record.exc_info)
            assert "Traceback (most recent call last)" in text
            assert text.endswith(f"ConnectionError: no answer from {HIDDEN}")
            assert str(FIRST) not in text + logging.Formatter().format(record)
    assert logging.Formatter().format(filtered(msg="x", exc_info=True)) == "x\nNoneType: None"


@pytest.mark.parametrize(
    "field", ["name", "processName", "threadName", "taskName", "exc_text", "stack_info"]
)
def test_other_texts_of_a_record_have_pseudonyms(field: str) -> None:
    record = filtered(**{"msg": "x", field: f"of {FIRST}"})
    assert vars(record)[field] == f"of {HIDDEN}"


# --- where the filter stands ----------------------------------------------------------------------


def test_what_is_added_between_two_handlers_has_pseudonyms_too() -> None:
    """What is hidden already is not hidden twice."""
    first = PseudonymFilter(PSEUDONYMS)
    second = PseudonymFilter(SECRET)
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


def test_an_exception_that_is_added_between_two_handlers_has_pseudonyms_too() -> None:
    record: Any = filtered(msg="failed")
    error = ValueError(f"no answer from {FIRST}")
    record.exc_info = (ValueError, error, None)
    FILTER.filter(record)
    assert str(FIRST) not in str(record.exc_text) + str(record.exc_info[1])
    assert str(HIDDEN) in str(record.exc_text)


def test_a_queue_s_handler_passes_pseudonyms_on() -> None:
    records: queue.Queue[logging.LogRecord] = queue.Queue()
    handler = logging.handlers.QueueHandler(records)
    handler.addFilter(FILTER)
    log = logging.Logger("test")
    log.addHandler(handler)
    log.error("%s", FIRST, extra={"network": NETWORK, "peer": Peer()})
    passed = pickle.loads(pickle.dumps(records.get()))
    assert passed.getMessage() == str(HIDDEN)
    assert passed.network == HIDDEN_NETWORK
    assert passed.peer == f"peer [{HIDDEN}]:80"


def test_the_filter_is_configured_by_a_dictionary() -> None:
    of_guide = {"()": "fdaa.logging.PseudonymFilter", "secret": SECRET}
    found = logging.config.DictConfigurator({}).configure_filter(of_guide)
    assert isinstance(found, PseudonymFilter)


def network_ids(message: object, *arguments: object, **extra: object) -> list[str]:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, message, arguments, None)
    vars(record).update(extra)
    assert NetworkIDFilter().filter(record)
    found: list[str] = vars(record)["network_ids"]
    return found


def test_the_network_ids_of_a_record_are_a_field() -> None:
    assert network_ids("[fdaa:0:18::2]:80 to %s, %s", FIRST, "FDAA:0:18::3") == [
        "0:18",
        str(FIRST.network_id),
    ]
    others = {"prefix": Prefix("fdaa:9::/48"), "network": NetworkID("9:1"), "text": "fdaa:9:2::1"}
    assert network_ids("%s", "fdaa::3", **others) == ["0:0", "9:0", "9:1", "9:2"]
    nested = [{"peers": ("fdaa:9::1", {Prefix("fdaa:9:1::/64")})}, bytes(Address("fdaa:9:2::1"))]
    assert network_ids("refused", peers=nested) == ["9:0", "9:1", "9:2"]
    assert network_ids("%d", "no number, from fdaa::3") == ["0:0"]
    assert network_ids("refused", peer=b"[fdaa:9::1]:80") == ["9:0"]
    assert network_ids({"event": "refused"}, port=80) == []


def test_after_pseudonyms_the_network_ids_are_those_of_pseudonyms() -> None:
    handler = logging.StreamHandler(io.StringIO())
    handler.addFilter(PseudonymFilter(PSEUDONYMS))
    handler.addFilter(NetworkIDFilter())
    record = logging.LogRecord("test", logging.INFO, __file__, 1, "to %s", (FIRST,), None)
    assert handler.filter(record)
    assert vars(record)["network_ids"] == [str(HIDDEN.network_id)]


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
KEPT = [None, True, 80, 1.5, "web", b"\xff", datetime.now(UTC), UUID(int=1), bytes(16), b"\xfd\xaa"]
KEPT.append(HTTPStatus.OK)


class Peers(StrEnum):
    """Its members are text."""

    WEB = str(FIRST)


FIELDS = (
    # the field, what a handler gets
    (FIRST, HIDDEN),
    (Peers.WEB, str(HIDDEN)),
    (f"[{FIRST}]:80", f"[{HIDDEN}]:80"),
    (f"[{FIRST}]:80 \u00fc".encode(), f"[{HIDDEN}]:80 \u00fc".encode()),
    ([FIRST, (NETWORK, {PART})], [HIDDEN, (HIDDEN_NETWORK, {HIDDEN_PART})]),
    ({NETWORK: {"ip": [str(FIRST)]}}, {HIDDEN_NETWORK: {"ip": [str(HIDDEN)]}}),
    (Pair("web", FIRST), Pair("web", HIDDEN)),
    ({"packed": [bytes(FIRST)]}, {"packed": [bytes(HIDDEN)]}),
)


UNCHANGED = [(value, value) for value in KEPT]


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
            text = {"exc_info": f"lost {FIRST}"}
            assert filtered(msg=text).msg == {"exc_info": f"lost {HIDDEN}"}
    assert filtered(msg={"exc_info": True}).msg == {"exc_info": True}
