"""Log records through the filter with a secret, and what the pseudonyms of a few values are."""

from __future__ import annotations

import io
import logging
from typing import Any

from scan_output import PSEUDONYMS

from fdaa import Address, NetworkID, Prefix
from fdaa.logging import PseudonymFilter

SECRET = "key"
FILTER = PseudonymFilter(PSEUDONYMS)

FIRST = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
SECOND = Address("fdaa:2:45b::3")
NETWORK = NetworkID("2:45b")
PART = Prefix("fdaa:2:45b:a7b::/64")

HIDDEN = PSEUDONYMS.pseudonymize(FIRST)
HIDDEN_SECOND = PSEUDONYMS.pseudonymize(SECOND)
HIDDEN_NETWORK = HIDDEN.network_id
HIDDEN_PART = Prefix(PSEUDONYMS.pseudonymize_text(str(PART)))


def stream(formatter: logging.Formatter) -> tuple[logging.Logger, io.StringIO]:
    """Return a logger with one handler, which has the filter and this formatter."""
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(formatter)
    handler.addFilter(FILTER)
    log = logging.Logger("test")
    log.addHandler(handler)
    return log, output


def logged(message: object, *arguments: object, **options: Any) -> str:
    """Return what a handler prints of one call."""
    log, output = stream(logging.Formatter(options.pop("format", "%(message)s")))
    log.error(message, *arguments, **options)
    return output.getvalue().removesuffix("\n")


def filtered(**attributes: Any) -> logging.LogRecord:
    """Return a record with these attributes, after the filter."""
    record = logging.makeLogRecord(attributes)
    assert FILTER.filter(record)
    return record


class Peer:
    """Its text contains an address, and its repr another."""

    name = "web"

    def __str__(self) -> str:
        return f"peer [{FIRST}]:80"

    def __repr__(self) -> str:
        return f"<Peer {SECOND}>"
