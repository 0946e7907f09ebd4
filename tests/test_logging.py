"""Pseudonyms in log records: the message with its arguments, exceptions and stacks."""

from __future__ import annotations

import io
import logging
import logging.config
import logging.handlers
import pickle
import queue
from dataclasses import dataclass
from enum import Enum
from typing import Any

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
    logger,
)
from scan_output import PSEUDONYMS

from fdaa import Address, NetworkID, Prefix
from fdaa.logging import NetworkIDFilter, PseudonymFilter
from fdaa.strategies import address_texts, addresses


@dataclass
class Route:
    """Its repr is that of its values."""

    target: Address
    network: NetworkID


@dataclass
class Datagram:
    """Its repr is that of its bytes."""

    source: bytes
    payload: bytes


HIDDEN_ID = int(HIDDEN_NETWORK)
PACKED = [HIDDEN.packed, {"ip": (HIDDEN_SECOND.packed,)}]
# Its bytes are printed in each way: as they are, as a letter, and with a code.
QUOTES = Address.from_bytes(b"\xfd\xaa\0\x02'\"\\\n\r\t ~A[\x7f]")
HIDDEN_QUOTES = PSEUDONYMS.pseudonymize(QUOTES)
PRIVATE_USE = "".join(chr(0x100000 + code) for code in range(0x80))


# --- the message ----------------------------------------------------------------------------------

CALLS = (
    # message, arguments
    (f"peer [{FIRST}]:80", ()),
    ("peer [%s]:80", (FIRST,)),
    ("peer [%s]:80", (str(FIRST).upper(),)),
    ("peer [%s]:80", (FIRST.to_ipaddress(),)),
    ("%s", (Peer(),)),
    (Peer(), ()),
    ("peer [%(ip)s]:80", ({"ip": FIRST, "other": SECOND},)),
    ("peer [fdaa:%x:%x:%s]:80", (0x2, 0x45B, "a7b:174:db43:d3c6:2")),
    ("peer [fdaa:%s:%s]:80", (NETWORK, "a7b:174:db43:d3c6:2")),
)


@pytest.mark.parametrize(("message", "arguments"), CALLS)
def test_the_message_with_its_arguments_has_pseudonyms(message: object, arguments: Any) -> None:
    assert logged(message, *arguments) == f"peer [{HIDDEN}]:80"


VALUES = (
    # message, arguments, what is printed
    ("on %s", (NETWORK,), f"on {HIDDEN_NETWORK}"),
    ("on %r", (NETWORK,), f"on {HIDDEN_NETWORK!r}"),
    ("on %d, %x", (NETWORK, NETWORK), f"on {int(HIDDEN_NETWORK)}, {HIDDEN_NETWORK:x}"),
    ("on %(id)s", ({"id": NETWORK},), f"on {HIDDEN_NETWORK}"),
    ("on fdaa:%s::/48", (NETWORK,), f"on {HIDDEN_NETWORK.prefix}"),
    (NETWORK, (), f"{HIDDEN_NETWORK}"),
    ([NETWORK, FIRST], (), f"{[HIDDEN_NETWORK, HIDDEN]}"),
    ("%s on %s (%d)", (FIRST, NETWORK, NETWORK), f"{HIDDEN} on {HIDDEN_NETWORK} ({HIDDEN_ID})"),
    ("via %s", (NETWORK.prefix,), f"via {HIDDEN_NETWORK.prefix}"),
    ("via %s, %r", (PART, PART), f"via {HIDDEN_PART}, {HIDDEN_PART!r}"),
    ("to %r", (FIRST,), f"to {HIDDEN!r}"),
    ("to %s:%d", (SECOND, 80), f"to {HIDDEN_SECOND}:80"),
    ("to web%s", (SECOND,), f"to web{HIDDEN_SECOND}"),
    ("to %.9s", (FIRST,), f"to {str(HIDDEN)[:9]}"),
    ("all %s", ([NETWORK, {"ip": (FIRST,)}],), f"all {[HIDDEN_NETWORK, {'ip': (HIDDEN,)}]}"),
    ("%s", ({NETWORK: SECOND},), f"{{{HIDDEN_NETWORK!r}: {HIDDEN_SECOND!r}}}"),
    ("%s", (Route(FIRST, NETWORK),), f"{Route(HIDDEN, HIDDEN_NETWORK)}"),
    (Route(FIRST, NETWORK), (), f"{Route(HIDDEN, HIDDEN_NETWORK)}"),
    ("from %s", (FIRST.packed,), f"from {HIDDEN.packed!r}"),
    ("from %r", (bytearray(FIRST.packed),), f"from {bytearray(HIDDEN.packed)!r}"),
    ("all %s", ([FIRST.packed, {"ip": (SECOND.packed,)}],), f"all {PACKED}"),
    (f"from {FIRST.packed!r}", (), f"from {HIDDEN.packed!r}"),
    (f"%s, [{SECOND}], %s", (FIRST, NETWORK), f"{HIDDEN}, [{HIDDEN_SECOND}], {HIDDEN_NETWORK}"),
    (
        "%s %s",
        (Route(FIRST, NETWORK), NETWORK),
        f"{Route(HIDDEN, HIDDEN_NETWORK)} {HIDDEN_NETWORK}",
    ),
    (f"on %s{PRIVATE_USE}", (NETWORK,), f"on {HIDDEN_NETWORK}{PRIVATE_USE}"),
    ("%s", (Datagram(QUOTES.packed, b"x"),), f"{Datagram(HIDDEN_QUOTES.packed, b'x')}"),
)


@pytest.mark.parametrize(("message", "arguments", "printed"), VALUES)
def test_values_in_arguments_are_printed_as_their_pseudonyms(
    message: object, arguments: Any, printed: str
) -> None:
    assert logged(message, *arguments) == printed


@given(addresses())
def test_packed_addresses_in_a_text_have_pseudonyms(address: Address) -> None:
    assert logged("%s", [address.packed]) == f"{[PSEUDONYMS.pseudonymize(address).packed]}"


def test_bytes_that_are_no_packed_address_are_printed_as_they_are() -> None:
    others = [b"\xfd\xaa" + bytes(13), b"\xfd\xaa" + bytes(15), b"\xfd\xab" + bytes(14)]
    assert logged("%s", others) == f"{others}"


def test_no_argument_is_left_in_the_record() -> None:
    record = filtered(msg="peer %(name)s", args={"name": "web", "ip": FIRST})
    assert record.getMessage() == "peer web"
    assert str(FIRST) not in repr(vars(record))


@given(address_texts())
def test_a_pseudonym_is_that_of_a_scan_with_the_same_key(text: str) -> None:
    assert Address(logged("%s", text)) == PSEUDONYMS.pseudonymize(Address(text))


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


def test_the_lines_of_a_stack_have_pseudonyms() -> None:
    record = filtered(msg="x", stack_info=f'Stack:\n  connect("{FIRST}")')
    assert record.stack_info == f'Stack:\n  connect("{HIDDEN}")'


def test_a_formatter_that_reads_the_exception_itself_prints_pseudonyms() -> None:
    try:
        raise ConnectionError(f"no answer from {FIRST}")
    except ConnectionError as error:
        exc_info: Any = filtered(exc_info=(type(error), error, error.__traceback__)).exc_info
    kind, shown, _ = exc_info
    assert (kind.__name__, str(shown)) == ("ConnectionError", f"no answer from {HIDDEN}")
    text = logging.Formatter().formatException(exc_info)
    assert "Traceback (most recent call last)" in text
    assert text.endswith(f"ConnectionError: no answer from {HIDDEN}")
    assert str(FIRST) not in text


def test_a_record_that_was_made_may_say_only_that_there_is_an_exception() -> None:
    try:
        raise ConnectionError(f"no answer from {FIRST}")
    except ConnectionError as error:
        for given in (True, error):
            text = logging.Formatter().format(filtered(msg="x", exc_info=given))
            assert text.endswith(f"ConnectionError: no answer from {HIDDEN}")
    assert logging.Formatter().format(filtered(msg="x", exc_info=True)) == "x\nNoneType: None"


def test_a_text_of_the_exception_that_is_there_is_used() -> None:
    record = filtered(msg="x", exc_info=True, exc_text=f"lost {FIRST}")
    assert record.exc_text == f"lost {HIDDEN}"


class UnreadableError(Exception):
    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        raise RuntimeError(str(FIRST))


def test_an_exception_that_cannot_be_printed_is_named() -> None:
    error = UnreadableError(f"to {FIRST}")
    event: Any = filtered(msg={"exc_info": error}).msg
    for shown in (logged("failed", exc_info=error), event["exception"]):
        assert "UnreadableError" in shown  # from Python 3.13, with its text
        assert str(FIRST) not in shown
    assert filtered(exc_info=(1, 2, 3)).exc_text == "<unprintable int object>"


# --- where the filter stands ----------------------------------------------------------------------


def test_each_handler_with_the_filter_prints_the_same_pseudonym() -> None:
    log, outputs = logger("%(message)s", "1 %(message)s", "2 %(message)s")
    log.warning("%s", FIRST)
    printed = [output.getvalue() for output in outputs]
    assert printed == [f"{HIDDEN}\n", f"1 {HIDDEN}\n", f"2 {HIDDEN}\n"]


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


class Peers(Enum):
    """Members whose text or value is an address."""

    WEB = str(FIRST)
    DB = 5432

    def __str__(self) -> str:
        return str(FIRST) if self is Peers.WEB else self.name


class Port(int):
    """A number whose text is an address."""

    def __str__(self) -> str:
        return f"[{FIRST}]:{int(self)}"


def test_a_member_or_a_number_whose_text_is_an_address_has_a_pseudonym() -> None:
    record: Any = filtered(msg="x", peer=Peers.WEB, port=Port(80), other=Peers.DB, plain=80)
    assert str(record.peer) == str(HIDDEN)
    assert record.port == f"[{HIDDEN}]:80"
    assert (record.other, record.plain) == (Peers.DB, 80)
    assert logged("%s %s", Peers.WEB, Port(80)) == f"{HIDDEN} [{HIDDEN}]:80"


class Unprintable:
    """No text of it can be made."""

    def __str__(self) -> str:
        raise RuntimeError(f"{FIRST}")

    __repr__ = __str__


def test_a_value_without_a_text_does_not_raise() -> None:
    for record in (filtered(msg="%s", args=(Unprintable(),)), filtered(msg="x", it=Unprintable())):
        NetworkIDFilter().filter(record)
        assert str(FIRST) not in str(vars(record))


class SameRecord(logging.LogRecord):
    """It equals every record, and has no hash."""

    def __eq__(self, other: object) -> bool:
        return True


def test_a_record_is_told_from_others_by_identity() -> None:
    for record_class in (SameRecord, logging.LogRecord):
        for _ in range(3):  # the next one may have the identity of one that is gone
            record = record_class("test", logging.INFO, __file__, 1, "%s", (FIRST,), None)
            for _ in range(2):
                assert FILTER.filter(record)
                assert record.getMessage() == str(HIDDEN)
            del record


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
    output = io.StringIO()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,  # those of other tests
            "filters": {"pseudonyms": {"()": "fdaa.logging.PseudonymFilter", "secret": SECRET}},
            "handlers": {
                "all": {
                    "class": "logging.StreamHandler",
                    "stream": output,
                    "filters": ["pseudonyms"],
                }
            },
            "loggers": {"test_logging": {"handlers": ["all"], "propagate": False}},
        }
    )
    logging.getLogger("test_logging").warning("%s", FIRST)
    assert output.getvalue() == f"{HIDDEN}\n"


def test_the_key_is_text_or_bytes() -> None:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, "%s", (FIRST,), None)
    assert PseudonymFilter(SECRET.encode()).filter(record)
    assert record.getMessage() == str(HIDDEN)


def test_a_filter_takes_pseudonyms_whose_key_is_stretched_once() -> None:
    pseudonymize_values = PseudonymFilter(PSEUDONYMS).pseudonymize_values
    assert (
        pseudonymize_values(FIRST) == PseudonymFilter(SECRET).pseudonymize_values(FIRST) == HIDDEN
    )


def network_ids(message: object, *arguments: object, **extra: object) -> list[str]:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, message, arguments, None)
    vars(record).update(extra)
    assert NetworkIDFilter().filter(record)
    found: list[str] = vars(record)["network_ids"]
    return found


def test_the_network_ids_of_a_record_are_a_field() -> None:
    assert network_ids("started") == []
    assert network_ids("[fdaa:0:18::2]:80 to %s, %s", FIRST, "FDAA:0:18::3") == [
        "0:18",
        str(FIRST.network_id),
    ]
    assert network_ids("refused", peer=Address("fdaa:9::1")) == ["9:0"]
    others = {"prefix": Prefix("fdaa:9::/48"), "network": NetworkID("9:1"), "text": "fdaa:9:2::1"}
    assert network_ids("%s", "fdaa::3", **others) == ["0:0", "9:0", "9:1", "9:2"]
    assert network_ids("of network %s", NetworkID("9:1")) == ["9:1"]
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
