"""Pseudonyms in log records: message, arguments, exceptions, stacks and fields from `extra`."""

from __future__ import annotations

import io
import logging
import logging.config
import re
from typing import Any

import pytest
from hypothesis import given

from fdaa import Address
from fdaa.logging import PseudonymFilter
from fdaa.scan import Pseudonyms, find_addresses
from fdaa.strategies import address_texts

KEY = "the key of these tests"
PSEUDONYMS = Pseudonyms(KEY.encode())
FIRST, SECOND = Address("fdaa:2:45b:a7b:174:db43:d3c6:2"), Address("fdaa:2:45b::3")
HIDDEN = PSEUDONYMS.hide(FIRST)
FILTER = PseudonymFilter(KEY)


def logger(*formats: str) -> tuple[logging.Logger, list[io.StringIO]]:
    """Return a logger with a handler for each format, each with the filter, and their outputs."""
    log, outputs = logging.Logger("test"), [io.StringIO() for _ in formats]
    for output, text in zip(outputs, formats, strict=True):
        handler = logging.StreamHandler(output)
        handler.setFormatter(logging.Formatter(text))
        handler.addFilter(FILTER)
        log.addHandler(handler)
    return log, outputs


def logged(message: object, *arguments: object, **options: Any) -> str:
    """Return what a handler prints of one call."""
    log, (output,) = logger(options.pop("format", "%(message)s"))
    log.error(message, *arguments, **options)
    return output.getvalue().removesuffix("\n")


class Peer:
    """Its text holds an address, and its repr another."""

    def __str__(self) -> str:
        return f"peer [{FIRST}]:80"

    def __repr__(self) -> str:
        return f"<Peer {SECOND}>"


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
)


@pytest.mark.parametrize(("message", "arguments"), CALLS)
def test_the_message_with_its_arguments_has_pseudonyms(message: object, arguments: Any) -> None:
    assert logged(message, *arguments) == f"peer [{HIDDEN}]:80"


def test_no_argument_is_left_in_the_record() -> None:
    records = []
    log, _ = logger("%(message)s")
    log.handlers[0].emit = records.append  # type: ignore[method-assign]
    log.error("peer %(name)s", {"name": "web", "ip": FIRST}, extra={"peers": [FIRST, SECOND]})
    assert str(FIRST) not in repr(vars(records[0]))
    assert [match.address for match in find_addresses(records[0].peers)] == [
        PSEUDONYMS.hide(FIRST),
        PSEUDONYMS.hide(SECOND),
    ]


@given(address_texts())
def test_a_pseudonym_is_that_of_a_scan_with_the_same_key(text: str) -> None:
    assert Address(logged("%s", text)) == PSEUDONYMS.hide(Address(text))


def test_addresses_on_one_network_stay_on_one() -> None:
    first, second, other = logged("%s %s %s", FIRST, SECOND, "fdaa:0:18::3").split()
    assert Address(first).network_id == Address(second).network_id != Address(other).network_id


def test_exceptions_with_their_causes_and_stacks_have_pseudonyms() -> None:
    try:
        try:
            raise ConnectionError(f"no answer from {FIRST}")
        except ConnectionError as error:
            raise RuntimeError(f"peer {SECOND} is gone") from error
    except RuntimeError:
        text = logged("failed", exc_info=True, stack_info=True)
    assert f"ConnectionError: no answer from {HIDDEN}\n" in text
    assert f"RuntimeError: peer {PSEUDONYMS.hide(SECOND)} is gone" in text
    assert "Traceback (most recent call last)" in text
    assert "Stack (most recent call last)" in text
    assert str(FIRST) not in text
    assert "None" not in logged("failed")


def test_fields_from_extra_have_pseudonyms_and_others_are_left() -> None:
    extra = {"ip": FIRST, "peers": {"web": FIRST}, "port": 80, "name_": "web"}
    text = logged("x", format="%(ip)s %(peers)s %(port)05d %(name_)s", extra=extra)
    assert re.sub(r"'.*?': ", "", text) == f"{HIDDEN} {{Address('{HIDDEN}')}} 00080 web"


def test_each_handler_with_the_filter_prints_the_same_pseudonym() -> None:
    log, outputs = logger("%(message)s", "1 %(message)s", "2 %(message)s")
    log.warning("%s", FIRST)
    assert [output.getvalue() for output in outputs] == [
        f"{HIDDEN}\n",
        f"1 {HIDDEN}\n",
        f"2 {HIDDEN}\n",
    ]


def test_what_has_no_address_is_printed_as_it_is() -> None:
    assert logged("100 %% of %s, %d", "2001:db8::1", 7) == "100 % of 2001:db8::1, 7"
    assert logged("100 % of fdaa:", extra={"ip": None}) == "100 % of fdaa:"


def test_wrong_arguments_do_not_raise_and_are_printed_with_pseudonyms() -> None:
    assert logged("%d peers", str(FIRST)) == f"%d peers ('{HIDDEN}',)"


def test_a_value_that_cannot_be_printed_does_not_raise() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError("no text")

    unprintable = "<unprintable Broken object>"
    assert logged(Broken()) == f"{unprintable} ()"
    assert logged("%s", Broken()) == "%s <unprintable tuple object>"
    assert logged(f"to {FIRST}", extra={"peer": Broken()}) == f"to {HIDDEN}"


def test_a_field_from_extra_does_not_turn_the_filter_off() -> None:
    assert logged(f"to {FIRST}", extra={"pseudonymized": True}) == f"to {HIDDEN}"


def test_the_filter_is_configured_by_a_dictionary() -> None:
    output = io.StringIO()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,  # those of other tests
            "filters": {"pseudonyms": {"()": "fdaa.logging.PseudonymFilter", "key": KEY}},
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


def test_the_key_is_text_or_bytes_and_not_empty() -> None:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, "%s", (FIRST,), None)
    assert PseudonymFilter(KEY.encode()).filter(record)
    assert record.getMessage() == str(HIDDEN)
    for key in ("", b""):
        with pytest.raises(ValueError, match="key"):
            PseudonymFilter(key)
