"""Pseudonyms in the records of structlog, python-json-logger and Loguru, as they are printed."""

from __future__ import annotations

import json
import traceback
from typing import Any

import pytest
from frameworks_page import source_of
from log_records import FILTER, FIRST, HIDDEN, HIDDEN_NETWORK, NETWORK, SECOND, stream
from scan_output import PSEUDONYMS
from sql_servers import need

pytestmark = pytest.mark.engines

VALUES = {"peer": FIRST, "network": NETWORK, "all": [{"ip": str(SECOND)}], "port": 80}
PRINTED = {
    "peer": str(HIDDEN),
    "network": str(HIDDEN_NETWORK),
    "all": [{"ip": str(PSEUDONYMS.pseudonymize(SECOND))}],
    "port": 80,
}


def failing() -> None:
    raise ConnectionError(f"no answer from {FIRST}")


def shows_the_exception(text: str) -> bool:
    """Return whether a text has a traceback with the pseudonym, and not the address."""
    if str(FIRST) in text:
        return False
    return "in failing" in text and f"ConnectionError: no answer from {HIDDEN}" in text


# --- structlog ------------------------------------------------------------------------------------


def to_text(_logger: object, _method: str, event: dict[str, Any]) -> str:
    return json.dumps(event, default=str)


def test_a_record_of_structlog_reaches_its_formatter_with_pseudonyms() -> None:
    need("structlog")
    import structlog

    stdlib = structlog.stdlib
    without_meta = stdlib.ProcessorFormatter.remove_processors_meta
    log, output = stream(stdlib.ProcessorFormatter(processors=[without_meta, to_text]))
    wrapped = structlog.wrap_logger(
        log,
        processors=[stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=stdlib.BoundLogger,
    )
    try:
        failing()
    except ConnectionError:
        wrapped.exception(f"to {FIRST}", **VALUES)
    printed = json.loads(output.getvalue())
    assert shows_the_exception(printed["exception"])
    assert printed.items() >= {**PRINTED, "event": f"to {HIDDEN}"}.items()


# --- python-json-logger, and Loguru ---------------------------------------------------------------


def test_json_lines_have_the_fields_of_extra_and_the_exception() -> None:
    need("pythonjsonlogger")
    from pythonjsonlogger.json import JsonFormatter

    log, output = stream(JsonFormatter("%(message)s"))
    try:
        failing()
    except ConnectionError:
        log.exception("to %s", FIRST, extra=VALUES)
    printed = json.loads(output.getvalue())
    assert shows_the_exception(printed.pop("exc_info"))
    assert printed == {**PRINTED, "message": f"to {HIDDEN}"}


def test_the_guide_s_patcher_hides_the_message_the_fields_and_the_exception() -> None:
    need("loguru")
    from loguru import logger

    logger.configure(patcher=lambda _: None)  # all of a process share it
    names: dict[str, Any] = {"hide": FILTER.pseudonymize_values, "traceback": traceback, "Any": Any}
    exec(source_of("def hide_record("), names)  # noqa: S102 - the guide's own lines
    lines: list[str] = []
    log = logger.patch(names["hide_record"])
    number = log.add(lines.append, format="{message}", serialize=True)
    try:
        failing()
    except ConnectionError:
        log.bind(**VALUES).exception("to {}", FIRST)
    finally:
        logger.remove(number)
    record = json.loads(lines[0])["record"]
    assert record["extra"] == PRINTED
    assert record["message"].startswith(f"to {HIDDEN}\n")
    assert shows_the_exception(record["message"])
    assert str(FIRST) not in lines[0]
